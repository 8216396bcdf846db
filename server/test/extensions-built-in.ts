import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const list = join(import.meta.dirname, '..', '..', '.runtime', 'extensions.json')

/** The extensions that are built in: where each lies, and from where it is built. */
export const extensionsBuiltIn = JSON.parse(readFileSync(list, 'utf8')) as readonly {
  readonly name: string
  readonly place: string
  readonly folder: string
}[]
