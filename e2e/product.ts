import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { inject } from 'vitest'
import { freshFolder, password, type Started, startOn } from './started.ts'

export { freshFolder, password } from './started.ts'

/** Data folders after a first start, made once for all journeys (setup.ts): with the demo, and without. */
export interface Prepared {
  readonly on: string
  readonly off: string
}

declare module 'vitest' {
  interface ProvidedContext {
    prepared: Prepared
  }
}

export interface Product extends Started {
  readonly password: string
}

/**
 * The product of one journey, started on a copy of a prepared data folder: what a first start does is shown once, by the
 * journey of the process.
 */
export async function startProduct(environment: Record<string, string> = {}): Promise<Product> {
  const { DATA_DIR: folder = freshFolder(), DEMO: demo = 'off' } = environment
  // With owners and modes, which PostgreSQL insists on.
  execFileSync('cp', ['-a', `${inject('prepared')[demo === 'on' ? 'on' : 'off']}/.`, folder])
  const started = await startOn(folder, { DEMO: demo, ...environment })
  return {
    ...started,
    password,
    stop: async () => {
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
