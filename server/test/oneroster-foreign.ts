import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, 'fixtures/oneroster')

/** The files of an archive that another system has written. */
export const foreign = (name: 'v1p2' | 'v1p2p1' | 'delta'): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.join(folder, name)).map((file) => [file, readFileSync(path.join(folder, name, file), 'utf8')]),
  )
