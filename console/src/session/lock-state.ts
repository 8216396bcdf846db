import { createStore } from '../ui/store.ts'
import { dropStored, readStored, storedKey, writeStored } from '../ui/stored.ts'
import { keepDraftsNow } from './draft.ts'
import { sessionStore } from './session.ts'

/** What session storage keeps of the lock password: nothing from which it could be read. */
export interface LockVerifier {
  salt: string
  rounds: number
  /** SHA-256 of the key that PBKDF2 makes of the password. */
  verifier: string
}

/** Whether this window is locked; the flag itself is in session storage. */
export const lockStore = createStore<boolean>(isLocked())

export function isLocked(): boolean {
  return readStored<boolean>('lock', sessionStorage) === true
}

export const keptVerifier = (): LockVerifier | undefined => readStored<LockVerifier>('lock-password', sessionStorage)

export const keepVerifier = (verifier: LockVerifier): boolean => writeStored('lock-password', verifier, sessionStorage)

const unattendedName = 'lock-unattended'

/** Whether the window was locked because nobody was there, without a lock password: the account's own opens it. */
export const isUnattended = (): boolean => readStored<boolean>(unattendedName, sessionStorage) === true

/** From now on no lock password opens this window, but the account's own. */
export function keepUnattended(): void {
  dropStored('lock-password', sessionStorage)
  writeStored(unattendedName, true, sessionStorage)
}

interface Told {
  user: string
  locked: boolean
  verifier: LockVerifier | undefined
}

let windows: BroadcastChannel | undefined

/** Tells this browser's other windows of the same session. */
export function tellWindows(locked: boolean): void {
  const told: Told = { user: sessionStore.get()?.userId ?? '', locked, verifier: locked ? keptVerifier() : undefined }
  windows?.postMessage(told)
}

/** Locks and unlocks with the other windows, from now on; returns how to stop. */
export function followWindows(): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const channel = new BroadcastChannel(storedKey('lock'))
  windows = channel
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.user !== (sessionStore.get()?.userId ?? '')) return
    // Only a lock that came by itself comes without one. What this window knew opens nothing on the server then.
    if (data.locked && data.verifier) keepVerifier(data.verifier)
    else if (data.locked) keepUnattended()
    if (data.locked) closeWindow()
    else openWindow()
  }
  return () => {
    windows = undefined
    channel.close()
  }
}

/** Locks this window: what is being typed is kept first, then everybody who watches the store takes the work away. */
export function closeWindow(): void {
  if (lockStore.get()) return
  keepDraftsNow()
  writeStored('lock', true, sessionStorage)
  dropStored('lock-failures', sessionStorage)
  lockStore.set(true)
}

/** Unlocks this window. The verifier stays for locking again with the same password. */
export function openWindow(): void {
  for (const name of ['lock', 'lock-failures', unattendedName]) dropStored(name, sessionStorage)
  lockStore.set(false)
}

/** The server says that the session is locked: by a window that this one did not hear of, whose password it has not. */
export function lockedElsewhere(): void {
  if (lockStore.get()) return
  dropStored('lock-password', sessionStorage)
  closeWindow()
}
