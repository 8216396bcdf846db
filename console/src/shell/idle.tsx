import { type ComponentType, useEffect, useState } from 'react'
import { useSession } from '../session/session.ts'
import { logError } from './log.ts'

/** Watches for nobody being there, where the tenant wants the screen to lock then; its code comes with that wish. */
export function Idle() {
  const minutes = useSession()?.lockIdle ?? 0
  const wanted = minutes > 0
  const [Host, setHost] = useState<ComponentType<{ minutes: number }>>()
  useEffect(() => {
    if (!wanted) return
    import('./idle-host.tsx').then(
      (module) => setHost(() => module.default),
      (error: unknown) => logError(error, 'chunk'),
    )
  }, [wanted])
  return wanted && Host ? <Host minutes={minutes} /> : null
}
