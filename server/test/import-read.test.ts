import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readTable } from '../src/modules/import/read/read.ts'
import type { Choice, SheetRow, Source } from '../src/modules/import/read/table.ts'
import { type Roster, rosters } from './rosters.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'data-brain-read-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
async function read(bytes: Buffer, choice: Choice = {}): Promise<{ source: Source; rows: SheetRow[] }> {
  files += 1
  const file = path.join(folder, String(files))
  writeFileSync(file, bytes)
  const rows: SheetRow[] = []
  const source = await readTable(file, 'student', choice, async (row) => {
    rows.push(row)
  })
  return { source, rows }
}

/** The cells of a column by its heading. */
const columnOf = ({ source, rows }: { source: Source; rows: SheetRow[] }, heading: string): string[] => {
  const at = source.columns.findIndex((column) => column.heading === heading)
  return rows.map((row) => row.cells[at] ?? '')
}

const bare = (text: string): string => text.normalize('NFKC').replace(/\s/g, '')

describe('an ordinary roster', () => {
  it.each(rosters.map((roster): [string, Roster] => [`${roster.file}: ${roster.about}`, roster]))(
    '%s',
    async (_title, roster) => {
      const found = await read(await roster.bytes())
      const { source, rows } = found
      expect(source.rows).toBe(roster.pupils.length)
      const names = source.columns.find(({ heading }) => /姓名$/.test(heading) || heading === 'B列')!.heading
      const nameColumn = columnOf(found, source.columns.some(({ heading }) => heading === '姓名') ? '姓名' : names)
      expect(nameColumn.map(bare)).toEqual(roster.pupils.map(({ name }) => name))
      for (const [heading, value] of Object.entries(roster.first))
        expect(columnOf(found, heading)[0], heading).toBe(value)
      expect(rows.filter((row) => row.hidden).length).toBe(roster.hidden ?? 0)
      // What says the class of a row is in one of its cells.
      for (const [at, pupil] of roster.pupils.entries())
        expect(rows[at]?.cells.map(bare), pupil.name).toContain(bare(roster.classOf(pupil)))
      expect(rows.flatMap((row) => Object.values(row.marks ?? {}))).toEqual([])
    },
  )
})
