import { createStore, type Store } from '../ui/store.ts'
import { readStored, storedKey, writeStored } from '../ui/stored.ts'
import { keptVerifier } from './lock-state.ts'

/** Seconds that are counted down before the screen locks; any key or move stops it (WCAG 2.2.1). */
export const countdownSeconds = 60

/** Windows of one browser tell one another here when somebody was last there. */
const name = 'active'
/** A move is told to the other windows at most so often, in ms. */
const tellEvery = 1_000

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Seconds until the lock; null while nothing is counted. */
export type Countdown = Store<number | null>

/**
 * Watches for somebody being there, in this window and in the browser's others together. After so many minutes without,
 * `left` counts down; at its end `lock` is called, once. Returns how to stop. A computer that slept past the end locks
 * at the first sign of life, which does not count as one.
 */
export function watchIdle(minutes: number, lock: () => void): { left: Countdown; stop: () => void } {
  const left: Countdown = createStore<number | null>(null)
  let own = Date.now()
  let told = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let done = false
  let spot = ''

  // A window without the lock password of this session waits for one that has it.
  const end = () => (minutes * 60 + countdownSeconds + (keptVerifier() ? 0 : 1)) * 1000
  const idle = () => {
    const now = Date.now()
    // A clock that was set back must not keep the screen open.
    const others = Math.min(now, readStored<number>(name) ?? 0)
    return now - Math.max(own, others)
  }
  const tell = () => {
    told = Date.now()
    writeStored(name, told)
  }
  const stop = () => {
    done = true
    clearTimeout(timer)
    for (const sign of signs) window.removeEventListener(sign, seen, true)
    window.removeEventListener('storage', heard)
    document.removeEventListener('visibilitychange', check)
  }

  function check(): void {
    if (done) return
    clearTimeout(timer)
    const since = idle()
    const from = minutes * 60_000
    if (since >= end()) {
      stop()
      left.set(null)
      lock()
    } else if (since >= from) {
      left.set(Math.max(0, countdownSeconds - Math.floor((since - from) / 1000)))
      timer = setTimeout(check, 1000 - ((since - from) % 1000))
    } else {
      left.set(null)
      timer = setTimeout(check, from - since)
    }
  }

  function seen(event: Event): void {
    if (event.type === 'pointermove' && event instanceof MouseEvent) {
      // What moves under a pointer that lies still sends moves too.
      const now = `${event.screenX} ${event.screenY}`
      if (now === spot) return
      spot = now
    }
    if (idle() >= end()) {
      check()
      return
    }
    own = Date.now()
    if (left.get() !== null || own - told >= tellEvery) tell()
    if (left.get() !== null) check()
  }

  function heard(event: StorageEvent): void {
    if (event.key === storedKey(name) && left.get() !== null) check()
  }

  for (const sign of signs) window.addEventListener(sign, seen, { capture: true, passive: true })
  window.addEventListener('storage', heard)
  document.addEventListener('visibilitychange', check)
  tell()
  check()
  return { left, stop }
}
