import { type ComponentType, useEffect, useState } from 'react'
import { tellUnloaded } from '../ui/unloaded.ts'
import { logError } from './log.ts'

/** A part of the shell that is fetched when it is first opened; where it cannot be, that is said and it counts as closed. */
export function useLate<Props>(
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
        logError(error, 'chunk')
        onClose()
        tellUnloaded()
      },
    )
  }, [open, Part, load, onClose])
  return open ? Part : undefined
}
