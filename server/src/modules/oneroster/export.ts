import type { Context } from '../../entity/repository.ts'
import { csvText, packArchive } from './archive.ts'
import { personalEntities } from './carried-entities.ts'
import { readState } from './current-state.ts'
import { RecordGatherer } from './gather.ts'
import { overlayKept, readKeeps } from './kept-records.ts'
import type { Profile } from './profile.ts'

/**
 * The tenant as a OneRoster archive of a profile. The same data give the same bytes: records stand by their sourcedId,
 * and nothing in the archive says when or where it was made.
 */
export async function exportArchive(
  context: Context,
  profile: Profile,
): Promise<{ bytes: Uint8Array; counts: Record<string, number> }> {
  const state = await readState(context)
  const made = await new RecordGatherer(state).gather()
  const reveals = personalEntities.every((entity) => state.reveals(entity.name))
  const sheets = profile.sheets(overlayKept(made, await readKeeps(context), reveals))
  const present = new Map(sheets.map((sheet) => [sheet.name as string, sheet]))
  const manifest = [
    ['manifest.version', '1.0'],
    ['oneroster.version', profile.version],
    ...profile.manifest.map((name) => [`file.${name}`, present.has(name) ? 'bulk' : 'absent']),
    ['source.systemName', 'Data Brain'],
    ['source.systemCode', 'data-brain'],
  ].map(([propertyName, value]) => ({ propertyName: propertyName!, value: value! }))
  const texts: Record<string, string> = { 'manifest.csv': await csvText(['propertyName', 'value'], manifest) }
  for (const [name, { header, lines }] of [...present].sort(([a], [b]) => (a < b ? -1 : 1)))
    texts[`${name}.csv`] = await csvText(header, lines)
  return {
    bytes: await packArchive(texts),
    counts: Object.fromEntries(sheets.map(({ name, lines }) => [name, lines.length])),
  }
}
