import { createHash } from 'node:crypto'
import { yieldTurn } from '../../kernel/cooperative.ts'
import { type CarriedEntity, carrierFor, carriers, recordMarks } from './carried-entities.ts'
import type { CellNames } from './cell-code.ts'
import { isExported, type ReadName, type RowOf, type State, type StateRow } from './current-state.ts'
import { type Cells, type FileName, isGuid } from './files.ts'
import { partName } from './name.ts'

/** The grades of OneRoster count all school years, those before school by letters; ours count within a stage. */
const gradeWords: Readonly<Record<string, string>> = Object.fromEntries([
  ...[
    ['01', 'PR'],
    ['02', 'PK'],
    ['03', 'KG'],
  ],
  ...['11', '12', '13', '14', '15', '16', '21', '22', '23', '31', '32', '33'].map((code, at) => [
    code,
    String(at + 1).padStart(2, '0'),
  ]),
])
export const gradeOfWord: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(gradeWords).map(([code, word]) => [word, code]),
)

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** One id out of several, the same each time. */
export function deriveId(...parts: string[]): string {
  const whole = parts.join('.')
  return whole.length < 256 ? whole : `h.${createHash('sha256').update(whole).digest('hex')}`
}

const parentRelations = new Set(['51', '52', '57', '58'])
const roleOfRelation = (relation: unknown): string =>
  parentRelations.has(String(relation)) ? 'parent' : relation === '99' ? 'guardian' : 'relative'
const teachingPosts = new Set([
  'teacher',
  'class-teacher',
  'subject-leader',
  'grade-head',
  'academic-dean',
  'moral-dean',
])

/** Makes the records of all files from what a tenant has. */
export class RecordGatherer {
  readonly files: Record<FileName, Cells[]> = {
    academicSessions: [],
    classes: [],
    courses: [],
    demographics: [],
    enrollments: [],
    orgs: [],
    roles: [],
    users: [],
  }
  /** When the rows were last changed of which a record is made, by file and sourcedId. */
  readonly modified = new Map<string, string>()
  readonly #state: State
  readonly #names: CellNames
  readonly #ids = new Map<string, string>()

  constructor(state: State) {
    this.#state = state
    this.#nameRows()
    this.#names = {
      sourcedIdOf: (entity, id) => this.#ids.get(`${entity}|${id}`),
      idOf: () => undefined,
      codeOf: (entity, id) => state.codes[entity]?.get(id),
      idOfCode: () => undefined,
      reveals: state.reveals,
    }
  }

  /** Gives every row that leaves its sourcedId: the one it came with, else its own id. */
  #nameRows(): void {
    const used = new Map<FileName, Set<string>>()
    for (const carrier of carriers.values()) {
      const taken = used.get(carrier.file) ?? new Set()
      used.set(carrier.file, taken)
      const entity = carrier.model.entity.name
      for (const row of this.#rows(entity)) {
        const given = row.extId !== null && isGuid(row.extId) ? row.extId : row.id
        const sourcedId = [given, row.id, `${entity}.${row.id}`].find((each) => !taken.has(each))!
        taken.add(sourcedId)
        this.#ids.set(`${entity}|${row.id}`, sourcedId)
      }
    }
  }

  #rows<N extends ReadName>(entity: N): RowOf<N>[]
  #rows(entity: string): StateRow[]
  #rows(entity: string): StateRow[] {
    return [...this.#state.rows.get(entity)!.values()].filter((row) => isExported(this.#state, entity, row))
  }

  #of(file: FileName, sourcedId: string, ...rows: readonly (StateRow | undefined)[]): void {
    const key = `${file}|${sourcedId}`
    for (const row of rows)
      if (row && row.modified > (this.modified.get(key) ?? '')) this.modified.set(key, row.modified)
  }

  /** The sourcedId of a row that leaves. */
  idOf(entity: string, id: unknown): string | undefined {
    return this.#id(entity, id)
  }

  #id(entity: string, id: unknown): string | undefined {
    return id ? this.#ids.get(`${entity}|${id}`) : undefined
  }

  /** The record of a row, with every field that is linked to its own file; others go to theirs. */
  #record(carrier: CarriedEntity, row: StateRow, more: Cells = {}): Cells {
    const sourcedId = this.#id(carrier.model.entity.name, row.id)!
    this.#of(carrier.file, sourcedId, row)
    const cells: Cells = {
      sourcedId,
      'metadata.status': carrier.model.entity.name === 'dept' ? '' : String(row.status),
    }
    for (const link of carrier.links)
      if (link.file === carrier.file) cells[link.column] = link.code.give(row.values[link.field], this.#names)
    return Object.assign(cells, more)
  }

  async gather(): Promise<Record<FileName, Cells[]>> {
    this.#orgs()
    this.#sessions()
    this.#courses()
    this.#classes()
    await this.#users()
    await this.#enrollments()
    for (const records of Object.values(this.files)) records.sort((a, b) => byText(a.sourcedId!, b.sourcedId!))
    return this.files
  }

  get #district(): string | undefined {
    return this.#id('dept', this.#state.rootDept)
  }

  #orgs(): void {
    for (const row of this.#rows('dept'))
      this.files.orgs.push(this.#record(carrierFor('dept'), row, { type: 'district' }))
    for (const row of this.#rows('school'))
      this.files.orgs.push(
        this.#record(carrierFor('school'), row, { type: 'school', parentSourcedId: this.#district ?? '' }),
      )
    for (const row of this.#rows('schoolcampus'))
      this.files.orgs.push(this.#record(carrierFor('schoolcampus'), row, { type: 'department' }))
  }

  #sessions(): void {
    for (const row of this.#rows('schoolyear'))
      this.files.academicSessions.push(this.#record(carrierFor('schoolyear'), row, { type: 'schoolYear' }))
    const years = this.#state.rows.get('schoolyear')
    for (const row of this.#rows('schoolsemester')) {
      const year = years.get(row.values.yearId)!
      this.files.academicSessions.push(
        this.#record(carrierFor('schoolsemester'), row, {
          type: 'semester',
          schoolYear: String(year.values.startYear + 1),
        }),
      )
    }
  }

  #words(codes: readonly string[]): string {
    return [...new Set(codes.flatMap((code) => gradeWords[code] ?? []))].sort(byText).join(',')
  }

  #courses(): void {
    for (const row of this.#rows('schoolsubject')) {
      const grades = (
        Array.isArray(row.values.weekHours) ? (row.values.weekHours as { gradeId?: unknown }[]) : []
      ).flatMap((each) => this.#state.codes.sysgrade?.get(String(each.gradeId)) ?? [])
      const record = this.#record(carrierFor('schoolsubject'), row, { grades: this.#words(grades) })
      this.files.courses.push({
        ...record,
        subjects: record.courseCode ? record.title! : '',
        subjectCodes: record.courseCode!,
      })
    }
    // Every class needs a course, a homeroom too.
    for (const school of new Set(this.#rows('schoolclass').map((row) => row.values.schoolId))) {
      const orgSourcedId = this.#id('school', school)!
      this.#of('courses', deriveId(orgSourcedId, 'homeroom'), this.#state.rows.get('school').get(school))
      this.files.courses.push({
        sourcedId: deriveId(orgSourcedId, 'homeroom'),
        title: '班级',
        orgSourcedId,
        [recordMarks.homeroomCourse]: 'true',
      })
    }
  }

  #classes(): void {
    const semesters = Map.groupBy(this.#rows('schoolsemester'), (row) => row.values.yearId)
    for (const row of this.#rows('schoolclass')) {
      const school = this.#id('school', row.values.schoolId)!
      const terms = (semesters.get(row.values.yearId) ?? [])
        .map((each) => this.#id('schoolsemester', each.id)!)
        .sort(byText)
      const grade = this.#state.codes.sysgrade?.get(row.values.gradeId) ?? ''
      this.files.classes.push(
        this.#record(carrierFor('schoolclass'), row, {
          grades: this.#words([grade]),
          courseSourcedId: deriveId(school, 'homeroom'),
          classCode: String(row.values.classNo),
          classType: 'homeroom',
          termSourcedIds: terms.join(',') || this.#id('schoolyear', row.values.yearId)!,
        }),
      )
    }
    for (const row of this.#rows('schoolteachclass')) {
      const grades = (row.values.gradeIds ?? []).flatMap((id) => this.#state.codes.sysgrade?.get(id) ?? [])
      this.files.classes.push(
        this.#record(carrierFor('schoolteachclass'), row, { grades: this.#words(grades), classType: 'scheduled' }),
      )
    }
    const made = new Set<string>()
    for (const row of this.#rows('teacherclass')) {
      const sourcedId = this.#lessonsOf(row)
      this.#of('classes', sourcedId, row)
      if (!row.values.classId || made.has(sourcedId)) continue
      made.add(sourcedId)
      const ofClass = this.#state.rows.get('schoolclass').get(row.values.classId)!
      const subject = this.#state.rows.get('schoolsubject').get(row.values.subjectId)!
      const grade = this.#state.codes.sysgrade?.get(ofClass.values.gradeId) ?? ''
      this.files.classes.push({
        sourcedId,
        title: `${ofClass.values.className} ${subject.values.subjectName}`.replace(/\s+/g, ' '),
        grades: this.#words([grade]),
        courseSourcedId: this.#id('schoolsubject', subject.id)!,
        classType: 'scheduled',
        schoolSourcedId: this.#id('school', row.values.schoolId)!,
        termSourcedIds: this.#id('schoolsemester', row.values.semesterId)!,
        [recordMarks.homeroom]: this.#id('schoolclass', ofClass.id)!,
      })
    }
  }

  /** The scheduled class of an assignment: a teaching class, or a class's lessons in a subject. */
  #lessonsOf(row: RowOf<'teacherclass'>): string {
    const { classId, teachClassId, subjectId, semesterId } = row.values
    if (teachClassId) return this.#id('schoolteachclass', teachClassId)!
    return deriveId(
      this.#id('schoolclass', classId)!,
      this.#id('schoolsubject', subjectId)!,
      this.#id('schoolsemester', semesterId)!,
    )
  }

  async #users(): Promise<void> {
    const guardians = Map.groupBy(this.#rows('studentparents'), (row) => row.values.studentId)
    for (const entity of ['user', 'student', 'studentparents'] as const)
      for (const row of this.#rows(entity) as StateRow[]) {
        await yieldTurn()
        const carrier = carrierFor(entity)
        const name = partName(
          // OneRoster knows nobody without a name: a guardian of whom only the number is known is called one.
          String(row.values[entity === 'user' ? 'realName' : entity === 'student' ? 'name' : 'parentName'] ?? '家长'),
        )
        const record = this.#record(carrier, row, {
          enabledUser: String(row.status === 1),
          givenName: name.given,
          familyName: name.family,
        })
        const sourcedId = record.sourcedId!
        this.#of('users', sourcedId, ...(entity === 'student' ? (guardians.get(row.id) ?? []) : []))
        const role = (org: string, word: string, order: number): void => {
          this.files.roles.push({
            sourcedId: deriveId(sourcedId, org, word),
            userSourcedId: sourcedId,
            roleType: order === 0 ? 'primary' : 'secondary',
            role: word,
            orgSourcedId: org,
          })
        }
        const school = this.#id('school', row.values.schoolId)
        if (entity === 'user') {
          const orgs = this.#orgsOf(row)
          record.primaryOrgSourcedId = orgs[0] ?? ''
          for (const [order, org] of orgs.entries()) role(org, this.#staffRole(row as RowOf<'user'>), order)
        } else if (entity === 'student') {
          record.username = sourcedId
          record.grades = this.#words([record['metadata.gradeCode'] ?? ''])
          record.agentSourcedIds = (guardians.get(row.id) ?? [])
            .map((each) => this.#id('studentparents', each.id)!)
            .sort(byText)
            .join(',')
          role(school!, 'student', 0)
        } else {
          record.username = sourcedId
          role(school!, roleOfRelation(row.values.relation), 0)
        }
        this.files.users.push(record)
        const about = carrier.links.filter((link) => link.file === 'demographics')
        const facts = Object.fromEntries(
          about.map((link) => [link.column, link.code.give(row.values[link.field], this.#names)]),
        )
        this.#of('demographics', sourcedId, row)
        if (Object.values(facts).some(Boolean)) this.files.demographics.push({ sourcedId, ...facts })
      }
  }

  /** The schools that somebody's departments belong to, the first one first; else the district. */
  #orgsOf(row: StateRow): string[] {
    const depts = this.#state.deptsOfUser.get(row.id) ?? []
    const schools = depts.flatMap((dept) => this.#id('school', this.#state.schoolOfDept.get(dept)) ?? [])
    const [first, ...rest] = [...new Set(schools)]
    if (first) return [first, ...rest.sort(byText)]
    return this.#district ? [this.#district] : []
  }

  #staffRole(row: RowOf<'user'>): string {
    const posts = (row.values.postId ?? []).flatMap((id) => this.#state.codes.post?.get(id) ?? [])
    if (posts.includes('principal') || posts.includes('vice-principal')) return 'principal'
    return posts.some((post) => teachingPosts.has(post)) || (row.values.subjectIds ?? []).length > 0
      ? 'teacher'
      : 'aide'
  }

  #derived(
    from: readonly StateRow[],
    [classId, school, userId]: readonly [string, string, string],
    role: 'student' | 'teacher',
    primary = '',
  ): void {
    this.#of('enrollments', deriveId(classId, userId), ...from)
    this.files.enrollments.push({
      sourcedId: deriveId(classId, userId),
      classSourcedId: classId,
      schoolSourcedId: school,
      userSourcedId: userId,
      role,
      primary,
      [recordMarks.derived]: 'true',
    })
  }

  async #enrollments(): Promise<void> {
    const { enrollments } = this.files
    const seated = new Map<string, RowOf<'studentclass'>[]>()
    for (const row of this.#rows('studentclass')) {
      enrollments.push(this.#record(carrierFor('studentclass'), row, { role: 'student' }))
      if (!row.values.endDate) seated.set(row.values.classId, [...(seated.get(row.values.classId) ?? []), row])
    }
    for (const row of this.#rows('student')) {
      const { classId } = row.values
      if (classId && !seated.get(classId)?.some((each) => each.values.studentId === row.id))
        this.#derived(
          [row],
          [this.#id('schoolclass', classId)!, this.#id('school', row.values.schoolId)!, this.#id('student', row.id)!],
          'student',
        )
    }
    for (const row of this.#rows('schoolclass')) {
      const deputies = (row.values.deputyTeacherIds ?? []).map((id) => ({ id, primary: 'false' }))
      for (const { id, primary } of [{ id: row.values.headTeacherId, primary: 'true' }, ...deputies]) {
        const userId = this.#id('user', id)
        const classId = this.#id('schoolclass', row.id)!
        if (!userId || (primary === 'false' && id === row.values.headTeacherId)) continue
        this.#of('enrollments', deriveId(classId, userId), row)
        enrollments.push({
          sourcedId: deriveId(classId, userId),
          classSourcedId: classId,
          schoolSourcedId: this.#id('school', row.values.schoolId)!,
          userSourcedId: userId,
          role: 'teacher',
          primary,
        })
      }
    }
    const lessons = new Map<string, RowOf<'teacherclass'>>()
    const taught = new Set<string>()
    for (const row of this.#rows('teacherclass')) {
      const userId = this.#id('user', row.values.userId)
      if (!userId) continue
      const classId = this.#lessonsOf(row)
      taught.add(`${classId}|${userId}`)
      if (row.values.classId) lessons.set(classId, row)
      enrollments.push(
        this.#record(carrierFor('teacherclass'), row, {
          classSourcedId: classId,
          role: 'teacher',
          primary: String(row.values.role === '1'),
        }),
      )
    }
    // Who reads this wants the pupils of every lesson, not of the homeroom alone.
    for (const [classId, row] of lessons) {
      await yieldTurn()
      for (const seat of seated.get(row.values.classId ?? '') ?? [])
        this.#derived(
          [row, seat],
          [classId, this.#id('school', row.values.schoolId)!, this.#id('student', seat.values.studentId)!],
          'student',
        )
    }
    for (const row of this.#rows('schoolteachclass')) {
      const classId = this.#id('schoolteachclass', row.id)!
      const schoolId = this.#id('school', row.values.schoolId)!
      const teacherId = this.#id('user', row.values.teacherId)
      if (teacherId && !taught.has(`${classId}|${teacherId}`))
        this.#derived([row], [classId, schoolId, teacherId], 'teacher', 'true')
      const members = new Set((row.values.studentIds ?? []).map((id) => this.#id('student', id)!))
      for (const userId of members) {
        this.#of('enrollments', deriveId(classId, userId), row)
        enrollments.push({
          sourcedId: deriveId(classId, userId),
          classSourcedId: classId,
          schoolSourcedId: schoolId,
          userSourcedId: userId,
          role: 'student',
        })
      }
      for (const seat of (row.values.classIds ?? []).flatMap((id) => seated.get(id) ?? [])) {
        const userId = this.#id('student', seat.values.studentId)!
        if (!members.has(userId)) this.#derived([row, seat], [classId, schoolId, userId], 'student')
      }
    }
  }
}
