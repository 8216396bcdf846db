import { type ComponentType, useEffect, useState } from 'react'
import { tellUnloaded } from './unloaded.ts'

/** A part that is fetched when it is first opened; where it cannot be, that is said and it counts as closed. */
export function useLazyOpen<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  open: boolean,
  onClose: () => void,
): ComponentType<Props> | undefined {
  const [Part, setPart] = useState<ComponentType<Props>>()
  useEffect(() => {
    if (!open || Part) return
    load().then(
      (module) => setPart(() => module.default),
      (error: unknown) => {
        onClose()
        tellUnloaded(error)
      },
    )
  }, [open, Part, load, onClose])
  return open ? Part : undefined
}
