// Where the project is, and how a script of it gives up.
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '..')

/** Ends the process with one line in both languages that says what is missing. */
export function give(en, zh) {
  console.error(`${en} / ${zh}`)
  process.exit(1)
}
