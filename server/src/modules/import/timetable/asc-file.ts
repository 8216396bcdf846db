import { attributesOf, scanXml } from '../../../kernel/xml-scan.ts'

/** A row of a table of an aSc file: its attributes by their names in small letters. */
export type AscRow = ReadonlyMap<string, string>

/** An aSc Timetables XML file: the tables that make a timetable, and of the others how many rows each has. */
export interface AscFile {
  readonly options: string
  readonly tables: ReadonlyMap<string, readonly AscRow[]>
  readonly others: ReadonlyMap<string, number>
}

/** What is read; `grades` is read and says nothing that a class does not say of itself. */
const wanted = new Set([
  ...['days', 'daysdefs', 'weeks', 'weeksdefs', 'terms', 'termsdefs', 'periods', 'subjects', 'teachers', 'classrooms'],
  ...['grades', 'classes', 'groups', 'lessons', 'cards'],
])

/** Reads the tables of a file. Throws a `FileFault` where it is no XML. */
export function readAsc(text: string): AscFile {
  const tables = new Map<string, AscRow[]>()
  const others = new Map<string, number>()
  let options = ''
  let table = ''
  for (const event of scanXml(text)) {
    if (event.kind !== 'open') continue
    if (event.depth === 0) options = attributesOf(event.tag).get('options') ?? ''
    else if (event.depth === 1) table = event.name
    else if (event.depth === 2) {
      const name = table.toLowerCase()
      if (!wanted.has(name)) others.set(table, (others.get(table) ?? 0) + 1)
      else if (tables.has(name)) tables.get(name)!.push(attributesOf(event.tag))
      else tables.set(name, [attributesOf(event.tag)])
    }
  }
  return { options, tables, others }
}
