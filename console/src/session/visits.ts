import { readStored, writeStored } from '../ui/stored.ts'
import { sessionStore } from './session.ts'

/** How often, and how lately: a visit counts one, and half as much after each fortnight. */
interface Visits {
  readonly score: number
  readonly at: number
}

const halfLife = 14 * 24 * 60 * 60 * 1000
/** So many pages are remembered for each person. */
const most = 40

const nameOf = (): string => `visits-${sessionStore.get()?.userId ?? ''}`
const worth = ({ score, at }: Visits, now: number): number => score * 0.5 ** ((now - at) / halfLife)

/** Remembers in this browser that the user has opened a page; of records and filters it keeps nothing. */
export function countVisit(path: string, now: number = Date.now()): void {
  const kept = readStored<Record<string, Visits>>(nameOf()) ?? {}
  const score = (kept[path] ? worth(kept[path], now) : 0) + 1
  const all = Object.entries({ ...kept, [path]: { score, at: now } })
  all.sort(([, one], [, other]) => worth(other, now) - worth(one, now))
  writeStored(nameOf(), Object.fromEntries(all.slice(0, most)))
}

/** Paths that the user opens most, the most wanted first. */
export function mostVisited(now: number = Date.now()): string[] {
  const kept = Object.entries(readStored<Record<string, Visits>>(nameOf()) ?? {})
  return kept.sort(([, one], [, other]) => worth(other, now) - worth(one, now)).map(([path]) => path)
}
