import { type ComponentType, useEffect, useState } from 'react'
import { ahead } from '../ui/keys.ts'
import { createStore, useStore } from '../ui/store.ts'
import { tellUnloaded } from '../ui/unloaded.ts'

/** The shell's own dialogs; the code of each is fetched when it is first opened. */
const loaders = {
  lock: () => import('./lock-dialog.tsx'),
  themes: () => import('./theme-dialog.tsx'),
  logs: () => import('./logs-dialog.tsx'),
  keys: () => import('./keys-sheet.tsx'),
  work: () => import('./switch-dialog.tsx'),
} as const satisfies Record<string, () => Promise<{ default: ComponentType }>>

export type DialogName = keyof typeof loaders

const shown = createStore<DialogName | null>(null)
const loaded = new Map<DialogName, ComponentType>()

export function openDialog(name: DialogName): void {
  if (shown.get() !== name) ahead.hold?.()
  shown.set(name)
}
export const closeDialog = (): void => shown.set(null)

/** Where the shell's dialogs open; once in the page. */
export function DialogHost() {
  const name = useStore(shown)
  const [, setTurn] = useState(0)
  useEffect(() => {
    if (!name || loaded.has(name)) return
    loaders[name]().then(
      (module) => {
        loaded.set(name, module.default)
        setTurn((turn) => turn + 1)
      },
      (error: unknown) => {
        closeDialog()
        tellUnloaded(error)
      },
    )
  }, [name])
  const Dialog = name ? loaded.get(name) : undefined
  return Dialog ? <Dialog /> : null
}
