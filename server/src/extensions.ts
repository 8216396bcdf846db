import { extensionServers } from './extensions.generated.ts'
import { modules as coreModules } from './modules/all.ts'
import { addWork, type RecurringWork } from './modules/jobs/index.ts'
import type { Module } from './modules/module.ts'

/** The modules of the core and those of the extensions that are built in, in the order in which their routes stand. */
export const allModules: readonly Module[] = [...coreModules, ...extensionServers.flatMap(({ server }) => server ?? [])]

/** What comes round by the clock in extensions. */
export const extensionRecurring: readonly RecurringWork[] = extensionServers.flatMap(
  ({ server }) => server?.recurring ?? [],
)

// As that of the core: where the module is loaded, so that every process knows every kind.
for (const { server } of extensionServers) for (const work of server?.work ?? []) addWork(work)
