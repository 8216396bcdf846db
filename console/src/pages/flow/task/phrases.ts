import { sessionStore } from '../../../session/session.ts'
import { readStored, writeStored } from '../../../ui/stored.ts'

/** As many phrases of one's own are kept. */
const most = 6

const key = () => `flow-phrases:${sessionStore.get()?.userId ?? ''}`

/** What this person has kept to be said again, the newest first. */
export const ownPhrases = (): readonly string[] => {
  const kept = readStored<unknown>(key())
  return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : []
}

export function keepPhrase(phrase: string): readonly string[] {
  const next = [phrase, ...ownPhrases().filter((each) => each !== phrase)].slice(0, most)
  writeStored(key(), next)
  return next
}

export function dropPhrase(phrase: string): readonly string[] {
  const next = ownPhrases().filter((each) => each !== phrase)
  writeStored(key(), next)
  return next
}
