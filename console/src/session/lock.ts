import { lockSession, unlockSession } from '@data-brain/contract/calls/auth'
import { call } from '../http/call.ts'
import { HttpProblem } from '../http/client.ts'
import { readStored, writeStored } from '../ui/stored.ts'
import { translate } from '../ui/words.ts'
import { deriveKey, freshSalt, roundsHere } from './derive.ts'
import { keepNotice, logout } from './end.ts'
import {
  closeWindow,
  isLocked,
  isUnattended,
  keepUnattended,
  keepVerifier,
  keptVerifier,
  openWindow,
  tellWindows,
} from './lock-state.ts'
import { md5 } from './md5.ts'

/** Wrong passwords after which the session ends. */
export const mostFailures = 5

const silent = { silent: true, timeout: 5_000 }

/** What is under way between locking here and the server knowing of it. */
let locking: Promise<void> = Promise.resolve()
/** Whether the verifier of a lock that has just begun is still being made. */
let deriving = false

async function tell(): Promise<void> {
  const kept = keptVerifier()
  // A lock of another window is that window's to tell.
  if (!isLocked() || (!kept && !isUnattended())) return
  await call(lockSession, kept ? { verifier: kept.verifier } : {}, silent).catch(() => undefined)
}

/**
 * Tells the server of the lock. Without a network it hears at the next occasion; here the lock stands at once. No try to
 * unlock overtakes it, for it would lock again.
 */
export function tellServer(): Promise<void> {
  locking = locking.then(tell)
  return locking
}

/** Locks with a password: the work is gone when this returns, the rest follows. */
export function lock(password: string): Promise<void> {
  deriving = true
  closeWindow()
  locking = (async () => {
    const salt = freshSalt()
    const rounds = roundsHere()
    const { verifier } = await deriveKey(password, salt, rounds)
    keepVerifier({ salt, rounds, verifier })
    deriving = false
    tellWindows(true)
    await tell()
  })()
  return locking
}

/** Locks with the password of the last time. */
export function lockAgain(): Promise<void> {
  closeWindow()
  tellWindows(true)
  return tellServer()
}

/** Locks because nobody was there: with the lock password of this session, else so that the account's own opens it. */
export function lockUnattended(): Promise<void> {
  if (isLocked()) return locking
  if (keptVerifier()) return lockAgain()
  keepUnattended()
  closeWindow()
  tellWindows(true)
  return tellServer()
}

/** How a try to unlock ended: open, so many tries left, or the session is over. */
export type UnlockOutcome = 'open' | 'ended' | { left: number }

function open(): UnlockOutcome {
  openWindow()
  tellWindows(false)
  return 'open'
}

/** Five wrong ones end the session; what was typed stays for the same person. */
async function wrong(key: string): Promise<UnlockOutcome> {
  const failures = (readStored<number>('lock-failures', sessionStorage) ?? 0) + 1
  writeStored('lock-failures', failures, sessionStorage)
  if (failures >= mostFailures) {
    keepNotice(translate('lock.ended'))
    await logout({ keepDrafts: true })
    return 'ended'
  }
  // The server counts too, for those who would clear what this browser counts.
  await call(unlockSession, { key }, silent).catch(() => undefined)
  return { left: mostFailures - failures }
}

/** Whether this window can judge the lock password itself. */
export const knowsPassword = (): boolean => deriving || keptVerifier() !== undefined

/** Tries the lock password. Throws `HttpProblem` where the server does not open for the right one. */
export async function unlock(password: string): Promise<UnlockOutcome> {
  await locking
  const kept = keptVerifier()
  if (!kept) throw new HttpProblem(translate('lock.elsewhere'), 0, 0, undefined)
  const { key, verifier } = await deriveKey(password, kept.salt, kept.rounds)
  if (verifier !== kept.verifier) return wrong(key)
  await call(unlockSession, { key }, silent)
  return open()
}

/** Unlocks with the account's own password, for a forgotten lock password; the server judges and counts as at log-in. */
export async function unlockByAccount(password: string): Promise<UnlockOutcome> {
  await locking
  await call(unlockSession, { password: md5(password) }, silent)
  return open()
}
