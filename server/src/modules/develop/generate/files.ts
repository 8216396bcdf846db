import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodeSystem } from '@data-brain/contract/code'
import { readMigrations } from '../../../database/migrate.ts'
import { patchOf } from './diff.ts'
import { consoleEdits, contractEdits, type Edit, serverEdits } from './edits.ts'
import { definitionText, moduleText, pageText, testText } from './print.ts'
import { type CodeTable, migrationOf } from './table.ts'

/** A table, and the files that were generated from it before: their texts by path. */
export interface GenerationInput {
  readonly table: CodeTable
  readonly before: Readonly<Record<string, string>> | null
}

export interface GeneratedFile {
  readonly path: string
  readonly text: string
  /** As it was generated before, or as the sources have it; undefined where it is new. */
  readonly before?: string | undefined
  /** It is a file of the sources that others are in, too. */
  readonly shared: boolean
}

export interface Generated {
  readonly files: readonly GeneratedFile[]
  /** For sources that have none of it yet. */
  readonly patch: string
  /** For sources that have what was generated before: only what is different from that. */
  readonly update: string
  /** The own files of each table, in the order in which they were asked for. */
  readonly own: readonly Readonly<Record<string, string>>[]
}

/** The sources, or the copies of them that a release takes along. */
const sources = [join(import.meta.dirname, '../../../../..'), join(import.meta.dirname, 'sources')].find((folder) =>
  existsSync(join(folder, 'contract/src/menus.ts')),
)

const sourceText = async (path: string): Promise<string> => {
  if (!sources) throw new Error('the sources that generated lines belong to are missing')
  return readFile(join(sources, path), 'utf8')
}

/** A release has no folders of sources to look into: it takes the names along that these have taken. */
const takenNames = new Set(
  sources && existsSync(join(sources, 'taken.txt')) ? readFileSync(join(sources, 'taken.txt'), 'utf8').split('\n') : [],
)

/** The folder or file of the sources that an entity of this name would be written into; undefined where all are free. */
export const placeTaken = (name: string): string | undefined =>
  [`server/src/modules/${name}`, `console/src/pages/${name}`, `server/test/${name}.test.ts`].find(
    (path) => takenNames.has(path) || (sources !== undefined && existsSync(join(sources, path))),
  )

const migrationFolder = 'server/src/database/migrations'

/** The own files of a table, by path. */
function ownFiles({ table, before }: GenerationInput, system: CodeSystem, next: () => number): Record<string, string> {
  const { name, area } = table
  // Generated again it keeps its number: a second table of the same name would be none.
  const numbered =
    Object.keys(before ?? {}).find((path) => path.startsWith(migrationFolder)) ??
    (system === 'console' ? '' : `${migrationFolder}/${String(next()).padStart(4, '0')}_${name}.sql`)
  return {
    ...(system === 'console'
      ? {}
      : {
          [`contract/src/entities/${area}/${name}.ts`]: definitionText(table),
          [numbered]: migrationOf(table),
          [`server/src/modules/${name}/index.ts`]: moduleText(table),
          [`server/test/${name}.test.ts`]: testText(table),
        }),
    ...(system === 'server' ? {} : { [`console/src/pages/${name}/page.tsx`]: pageText(table) }),
  }
}

/**
 * Makes the files of tables, the lines that they have in files that are there, and two patches. Nothing is written.
 * Throws UnknownForm where a file of the sources cannot take a line.
 */
export async function generate(wanted: readonly GenerationInput[], system: CodeSystem): Promise<Generated> {
  let number = Math.max(...(await readMigrations()).map((migration) => migration.number))
  const own = wanted.map((each) => ownFiles(each, system, () => (number += 1)))
  const edits: Record<string, Edit> = {
    ...(system === 'console' ? {} : { ...contractEdits, ...serverEdits }),
    ...(system === 'server' ? {} : consoleEdits),
  }
  const shared: GeneratedFile[] = []
  for (const [path, edit] of Object.entries(edits)) {
    const before = await sourceText(path)
    // Sources that have it already are left as they are.
    const missing = wanted.filter(
      ({ table: { name } }) => !new RegExp(`\\n  '?${name}(Module)?'?[,:]|page\\('${name}'`).test(before),
    )
    shared.push({ path, before, text: missing.reduce((text, { table }) => edit(text, table), before), shared: true })
  }
  const files: GeneratedFile[] = own.flatMap((each, at) =>
    Object.entries(each).map(([path, text]) => ({ path, text, before: wanted[at]!.before?.[path], shared: false })),
  )
  return {
    files: [...files, ...shared],
    patch: [
      ...files.map(({ path, text }) => patchOf(path, undefined, text)),
      ...shared.map(({ path, before, text }) => patchOf(path, before, text)),
    ].join(''),
    update: files.map(({ path, before, text }) => (before === undefined ? '' : patchOf(path, before, text))).join(''),
    own,
  }
}
