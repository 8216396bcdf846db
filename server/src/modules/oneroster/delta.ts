import { recordMarks } from './carried-entities.ts'
import { type Cells, type FileName, fileNames, type Line, type Table, type Tables } from './files.ts'
import type { Records } from './kept-records.ts'

/** What a record is here, which a record that comes anew does not say. */
const standing: Partial<Record<FileName, readonly string[]>> = {
  orgs: ['metadata.isMain'],
  academicSessions: ['metadata.schoolSourcedId'],
  courses: [recordMarks.homeroomCourse],
  classes: [recordMarks.homeroom],
}

/** Whether a record says of itself that it is no more. */
export const isGone = (cells: Cells): boolean => cells.status === 'tobedeleted'

/**
 * Makes whole files of a delta: what stands now, with the records that came in the place of theirs. A record that came
 * has line numbers; what stands has none.
 */
export function completeDelta(tables: Tables, base: Records, bulk: ReadonlySet<FileName>): Tables {
  const whole: Tables = {}
  for (const file of fileNames) {
    const { [file]: table } = tables
    if (table && bulk.has(file)) {
      whole[file] = table
      continue
    }
    const came = new Map((table?.lines ?? []).map((line) => [line.cells.sourcedId!, line]))
    const lines = base[file].map((cells): Line => {
      const line = came.get(cells.sourcedId!)
      came.delete(cells.sourcedId!)
      return line ? { line: line.line, cells: replaced(file, cells, line.cells) } : { line: 0, cells: { ...cells } }
    })
    // What goes and never was here is nothing.
    for (const line of came.values()) if (!isGone(line.cells)) lines.push(line)
    if (lines.length > 0) whole[file] = { header: table?.header ?? [], lines, delta: true }
  }
  reseat(whole, tables.enrollments)
  return whole
}

function replaced(file: FileName, now: Cells, came: Cells): Cells {
  if (isGone(came)) return { ...now, status: came.status!, dateLastModified: came.dateLastModified ?? '' }
  const kept = (standing[file] ?? []).filter((name) => now[name] && came[name] === undefined)
  return { ...came, ...Object.fromEntries(kept.map((name) => [name, now[name]!])) }
}

/** Where a pupil sits now follows from the places in classes, where any of them came. */
function reseat(whole: Tables, came: Table | undefined): void {
  const moved = new Set((came?.lines ?? []).map(({ cells }) => cells.userSourcedId ?? ''))
  if (moved.size === 0) return
  const homerooms = new Set(
    (whole.classes?.lines ?? []).flatMap(({ cells }) =>
      cells.classType === 'homeroom' && !isGone(cells) ? [cells.sourcedId!] : [],
    ),
  )
  const seated = new Set(
    (whole.enrollments?.lines ?? []).flatMap(({ cells }) =>
      cells.role === 'student' && !isGone(cells) && homerooms.has(cells.classSourcedId!) ? [cells.userSourcedId!] : [],
    ),
  )
  const homes = (whole.enrollments?.lines ?? []).some(
    ({ line, cells }) => line > 0 && homerooms.has(cells.classSourcedId!),
  )
  if (!homes) return
  for (const { line, cells } of whole.users?.lines ?? []) {
    const id = cells.sourcedId!
    if (line > 0 || !moved.has(id) || cells['metadata.classSourcedId'] === undefined) continue
    if (seated.has(id)) delete cells['metadata.classSourcedId']
    else cells['metadata.classSourcedId'] = ''
  }
}
