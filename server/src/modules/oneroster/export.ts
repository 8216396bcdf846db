import type { Context } from '../../entity/repository.ts'
import { csvText, pack } from './archive.ts'
import { metadataOfFile } from './carry.ts'
import { columns, type FileName, fileNames, manifestFiles } from './files.ts'
import { Gatherer } from './gather.ts'
import { readState } from './state.ts'

/** The whole header of a file that we write: OneRoster's columns, then ours. */
export const headerOf = (file: FileName): string[] => [
  ...columns[file].map((column) => column.name),
  ...metadataOfFile(file),
]

/**
 * The tenant as a OneRoster 1.2 archive. The same data give the same bytes: records stand by their sourcedId, and
 * nothing in the archive says when or where it was made.
 */
export async function exportArchive(context: Context): Promise<{ bytes: Uint8Array; counts: Record<string, number> }> {
  const records = await new Gatherer(await readState(context)).gather()
  const present = fileNames.filter((name) => records[name].length > 0)
  const manifest = [
    ['manifest.version', '1.0'],
    ['oneroster.version', '1.2'],
    ...manifestFiles.map((name) => [`file.${name}`, present.includes(name as FileName) ? 'bulk' : 'absent']),
    ['source.systemName', 'Data Brain'],
    ['source.systemCode', 'data-brain'],
  ].map(([propertyName, value]) => ({ propertyName: propertyName!, value: value! }))
  const texts: Record<string, string> = { 'manifest.csv': await csvText(['propertyName', 'value'], manifest) }
  for (const name of [...present].sort()) texts[`${name}.csv`] = await csvText(headerOf(name), records[name])
  return { bytes: await pack(texts), counts: Object.fromEntries(fileNames.map((name) => [name, records[name].length])) }
}
