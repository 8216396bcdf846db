import { type Cells, type Column, columns, type FileName } from '../files.ts'

/** A record as the binding writes it. */
export type Json = { [name: string]: unknown }

/** What a reference to a record of a file is called, and under which collection it is found. */
const kinds: Partial<Record<FileName, { readonly type: string; readonly path: string }>> = {
  academicSessions: { type: 'academicSession', path: 'academicSessions' },
  classes: { type: 'class', path: 'classes' },
  courses: { type: 'course', path: 'courses' },
  orgs: { type: 'org', path: 'orgs' },
  users: { type: 'user', path: 'users' },
}

const parts = (cell: string): string[] =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** The columns of CSV name what they point at by its id; those of JSON hold the reference itself. */
export const nameOf = ({ name, kind }: Column): string =>
  kind === 'guid' || kind === 'guids' ? name.replace(/SourcedId(s?)$/, '$1') : name

/** Columns that stand in no JSON: a password never leaves. */
const left = new Set(['password', 'userProfileSourcedId'])
export const isLeft = ({ name }: Column): boolean => left.has(name)

export type RecordFilter = (file: FileName, sourcedId: string) => boolean

/** A reference as the binding writes it; its address is made where it leaves. */
export const refTo = (base: string, file: FileName, sourcedId: string): Json => ({
  href: `${base}/${kinds[file]!.path}/${encodeURIComponent(sourcedId)}`,
  sourcedId,
  type: kinds[file]!.type,
})

/** A record of a file in JSON. References to what the reader does not see are left out, and so is what is empty. */
export function toJson(file: FileName, cells: Cells, base: string, sees: RecordFilter): Json {
  const json: Json = {}
  for (const column of columns[file]) {
    const cell = cells[column.name] ?? ''
    if (cell === '' || isLeft(column)) continue
    const ref = (id: string): Json[] => (column.to && sees(column.to, id) ? [refTo(base, column.to, id)] : [])
    if (column.name === 'sourcedId') json.sourcedId = cell
    else if (column.kind === 'guid') {
      const [found] = ref(cell)
      if (found) json[nameOf(column)] = found
    } else if (column.kind === 'guids') json[nameOf(column)] = parts(cell).flatMap(ref)
    else if (column.name === 'userIds')
      json.userIds = parts(cell).flatMap((part) => {
        const [, type, identifier] = /^\{([^:]*):(.*)\}$/.exec(part) ?? []
        return identifier === undefined ? [] : [{ type, identifier }]
      })
    else if (column.kind === 'list') json[column.name] = parts(cell)
    else json[column.name] = cell
  }
  const metadata = Object.entries(cells).flatMap(([name, cell]) =>
    name.startsWith('metadata.') && cell !== '' ? [[name.slice('metadata.'.length), cell]] : [],
  )
  if (metadata.length > 0) json.metadata = Object.fromEntries(metadata)
  return json
}
