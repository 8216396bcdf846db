/** Every key the console writes into the browser begins with this. */
const prefix = 'databrain-'

/** The shape in which a value is kept: what it is, of which kind, and when it was put there. */
interface Stored {
  content: unknown
  dataType: string
  datetime: number
}

function entry(name: string, area: Storage): Stored | undefined {
  const text = area.getItem(prefix + name)
  if (text === null) return undefined
  try {
    return JSON.parse(text) as Stored
  } catch {
    // Written by something else, or by hand: as good as absent.
    return undefined
  }
}

/** The value kept under a name, if there is one. */
export function readStored<T>(name: string, area: Storage = localStorage): T | undefined {
  return entry(name, area)?.content as T | undefined
}

/** When the value of that name was kept, in milliseconds. */
export function storedTime(name: string, area: Storage = localStorage): number | undefined {
  return entry(name, area)?.datetime
}

/** Keeps a value; false when the browser has no room left or allows none. */
export function writeStored(name: string, content: unknown, area: Storage = localStorage): boolean {
  const stored: Stored = { content, dataType: typeof content, datetime: Date.now() }
  try {
    area.setItem(prefix + name, JSON.stringify(stored))
    return true
  } catch {
    return false
  }
}

export function dropStored(name: string, area: Storage = localStorage): void {
  area.removeItem(prefix + name)
}

/** Removes every value whose name begins so. */
export function dropStoredBeginning(start: string, area: Storage): void {
  const keys = Array.from({ length: area.length }, (_, at) => area.key(at) ?? '')
  for (const key of keys) if (key.startsWith(prefix + start)) area.removeItem(key)
}

/** The name under which the browser keeps it: what other tabs see in a storage event. */
export const storedKey = (name: string): string => prefix + name
