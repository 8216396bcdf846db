import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../stored.ts'

/** Page sizes offered everywhere; the first is used until somebody chooses one. */
export const PAGE_SIZES = [10, 30, 50, 100, 200] as const

const isSize = (value: unknown): value is number => (PAGE_SIZES as readonly unknown[]).includes(value)
const listeners = new Set<() => void>()
/** The choice is a person's own, also where several share a browser. */
const nameOfChoice = (): string => `page-size:${readStored<{ userId?: string }>('user')?.userId ?? ''}`

/** The page size this person has chosen in any list of this browser, if any. */
export function chosenSize(): number | undefined {
  const kept = readStored<unknown>(nameOfChoice())
  return isSize(kept) ? kept : undefined
}

/** Keeps a page size for every list whose address names none. */
export function chooseSize(size: number): void {
  writeStored(nameOfChoice(), size)
  for (const listener of [...listeners]) listener()
}

/** The chosen page size; whoever asks is drawn again when another one is chosen. */
export const useChosenSize = (): number | undefined =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, chosenSize)

/** The page size of a list: what its address says, else what was chosen, else what the list begins with. */
export function sizeIn(query: URLSearchParams, otherwise: number = PAGE_SIZES[0]): number {
  const asked = Number(query.get('size'))
  return isSize(asked) ? asked : (chosenSize() ?? otherwise)
}
