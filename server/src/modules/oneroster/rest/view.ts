import type { Cells, FileName } from '../files.ts'
import type { Client, RestScope } from './client.ts'
import { type Json, refTo, toJson } from './record.ts'
import type { Snapshot } from './snapshot.ts'

/** A collection of the binding. */
export interface Resource {
  /** Under which it stands in the address. */
  readonly path: string
  readonly file: FileName
  /** What its records are called in an answer: one, and many. */
  readonly one: string
  readonly many: string
  /** Of these scopes one must be held. */
  readonly scopes: readonly RestScope[]
  /** Which records of the file belong to it; all of them where nothing is said. */
  readonly has?: (cells: Cells, snapshot: Snapshot) => boolean
}

const roster: readonly RestScope[] = ['core', 'roster']
const session = (path: string, ...types: readonly string[]): Resource => ({
  path,
  file: 'academicSessions',
  one: 'academicSession',
  many: 'academicSessions',
  scopes: roster,
  ...(types.length > 0 ? { has: ({ type }) => types.includes(type!) } : {}),
})
const people = (path: string, role?: string): Resource => ({
  path,
  file: 'users',
  one: 'user',
  many: 'users',
  scopes: roster,
  ...(role
    ? {
        has: ({ sourcedId }, { rolesOf }) => (rolesOf.get(sourcedId!) ?? []).some((each) => each.role === role),
      }
    : {}),
})

export const resources: readonly Resource[] = [
  session('academicSessions'),
  session('gradingPeriods', 'gradingPeriod'),
  // Half a school year is a semester here, and a term to whoever asks for terms.
  session('terms', 'term', 'semester'),
  { path: 'classes', file: 'classes', one: 'class', many: 'classes', scopes: roster },
  { path: 'courses', file: 'courses', one: 'course', many: 'courses', scopes: roster },
  { path: 'enrollments', file: 'enrollments', one: 'enrollment', many: 'enrollments', scopes: roster },
  { path: 'orgs', file: 'orgs', one: 'org', many: 'orgs', scopes: roster },
  {
    path: 'schools',
    file: 'orgs',
    one: 'org',
    many: 'orgs',
    scopes: roster,
    has: ({ type }) => type === 'school',
  },
  people('students', 'student'),
  people('teachers', 'teacher'),
  people('users'),
  { path: 'demographics', file: 'demographics', one: 'demographics', many: 'demographics', scopes: ['demographics'] },
]

/** What of users' further facts leaves without the scope for demographics. */
const openMetadata = new Set(['metadata.fullName', 'metadata.gradeCode', 'metadata.status'])

/** What one client sees of a tenant's records. */
export class View {
  readonly #snapshot: Snapshot
  readonly #client: Client
  readonly #base: string
  /** Sourced ids of the schools that the client reads; undefined where it reads all. */
  readonly #schools: ReadonlySet<string> | undefined
  readonly #ids = new Map<FileName, ReadonlySet<string>>()
  readonly #byId: Partial<Record<FileName, ReadonlyMap<string, Cells>>> = {}

  constructor(snapshot: Snapshot, client: Client, base: string) {
    this.#snapshot = snapshot
    this.#client = client
    this.#base = base
    if (!client.allSchools) this.#schools = new Set(client.schoolIds.flatMap((id) => snapshot.schools.get(id) ?? []))
  }

  /** The records of a collection, as they stand. */
  cells(resource: Resource): Cells[] {
    const { has } = resource
    return this.#snapshot.records[resource.file].filter(
      (cells) => (!has || has(cells, this.#snapshot)) && this.#isSeen(resource.file, cells),
    )
  }

  /** The children of whom these records tell. */
  childrenOf(file: FileName, records: readonly { readonly sourcedId: string; readonly user?: string }[]): string[] {
    if (!['users', 'demographics', 'enrollments'].includes(file)) return []
    const found = new Set<string>()
    for (const { sourcedId, user } of records) {
      const child = this.#snapshot.childOf.get(file === 'enrollments' ? (user ?? '') : sourcedId)
      if (child) found.add(child)
    }
    return [...found]
  }

  /** Whether a record is one of the client's schools'. What belongs to no school is for those who read all. */
  #isSeen(file: FileName, cells: Cells): boolean {
    const schools = this.#schools
    if (!schools) return true
    const among = (id: string | undefined): boolean => id !== undefined && schools.has(id)
    switch (file) {
      case 'orgs':
        return cells.type === 'district' || among(cells.sourcedId) || among(cells.parentSourcedId)
      case 'academicSessions':
        return among(this.#schoolOfSession(cells))
      case 'courses':
        return among(cells.orgSourcedId)
      case 'classes':
      case 'enrollments':
        return among(cells.schoolSourcedId)
      case 'roles':
        return among(cells.orgSourcedId)
      case 'users':
      case 'demographics':
        return (this.#snapshot.rolesOf.get(cells.sourcedId!) ?? []).some((role) => among(role.orgSourcedId))
    }
  }

  /** The school of a session, or of the first above it that names one: those of other systems may stand in a ring. */
  #schoolOfSession(cells: Cells): string | undefined {
    const passed = new Set<Cells>()
    let at: Cells | undefined = cells
    while (at && !at['metadata.schoolSourcedId'] && !passed.has(at)) {
      passed.add(at)
      at = at.parentSourcedId ? this.#find('academicSessions', at.parentSourcedId) : undefined
    }
    return at?.['metadata.schoolSourcedId']
  }

  #find(file: FileName, id: string): Cells | undefined {
    this.#byId[file] ??= new Map(this.#snapshot.records[file].map((cells) => [cells.sourcedId!, cells]))
    return this.#byId[file].get(id)
  }

  readonly #sees = (file: FileName, id: string): boolean => {
    if (!this.#schools) return true
    let ids = this.#ids.get(file)
    if (!ids) {
      const seen = this.#snapshot.records[file].filter((cells) => this.#isSeen(file, cells))
      ids = new Set(seen.map((cells) => cells.sourcedId!))
      this.#ids.set(file, ids)
    }
    return ids.has(id)
  }

  /** A record in JSON, without what the client's scopes leave out. */
  json(file: FileName, cells: Cells): Json {
    const isOpen = file !== 'users' || this.#client.scopes.includes('demographics')
    const given = isOpen
      ? cells
      : (Object.fromEntries(
          Object.entries(cells).filter(([name]) => !name.startsWith('metadata.') || openMetadata.has(name)),
        ) as Cells)
    const json = toJson(file, given, this.#base, this.#sees)
    if (file === 'users')
      json.roles = (this.#snapshot.rolesOf.get(cells.sourcedId!) ?? [])
        .filter((role) => this.#isSeen('roles', role))
        .map(({ roleType, role, orgSourcedId, beginDate, endDate }) => ({
          roleType,
          role,
          org: refTo(this.#base, 'orgs', orgSourcedId!),
          ...(beginDate ? { beginDate } : {}),
          ...(endDate ? { endDate } : {}),
        }))
    return json
  }
}
