import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, type Entity, entities, entityOf, type Field, idNoCheckDigit, type Kind } from '@data-brain/contract'
import { dictionaryOf } from '@data-brain/contract/dictionaries'
import { buttonsOf, topMenus } from '@data-brain/contract/menus'
import { addDays, firstMondayOf } from '@data-brain/contract/rules/school-year'
import { tableOf } from '../src/database/name.ts'
import { extensionsBuiltIn } from './extensions-built-in.ts'
import { multipart } from './storage-parts.ts'
import type { Person, World } from './world.ts'

/** The codes that the administrators of the platform alone hold. */
export const platformCodes: ReadonlySet<string> = new Set(
  topMenus.flatMap((top) =>
    top.groups.flatMap((group) =>
      [group, ...(group.children ?? [])]
        .filter((menu) => menu.platformOnly || group.platformOnly)
        .flatMap((menu) => [menu.code, ...buttonsOf(menu).map((button) => button.code)]),
    ),
  ),
)

/** Whether only the administrators of the platform work with the rows of an entity. */
export const isOfPlatform = (entity: Entity): boolean => platformCodes.has(codeOf(entity, 'view'))

/** Entities of tenants whose generic calls a module serves in its own way; their tests stand beside the module. */
export const served = new Set(['user', 'attach', 'dept', 'role', 'dictbiz'])
export const generic = entities.filter((entity) => !served.has(entity.name) && !entity.readOnly)

/** Drafts that are right, for every entity: made from the definitions, with what a rule wants put in by hand. */

let counter = 0
const next = (): number => (counter += 1)

const texts: Record<string, () => string> = {
  code: () => `C${next()}`,
  personName: () => `王${'小明志强建国秀英'[next() % 8]}${'芳伟敏静'[next() % 4]}`,
  mobile: () => `138${String(10_000_000 + next()).slice(-8)}`,
  phone: () => `138${String(20_000_000 + next()).slice(-8)}`,
  email: () => `a${next()}@example.com`,
  url: () => `https://example.com/${next()}`,
  color: () => '#1677ff',
  postcode: () => '100000',
  schoolCode: () => `2111${String(next()).padStart(6, '0')}`,
  nationalCode: () => '',
  uscc: () => '',
  idNo: () => '',
  account: () => `acc${next()}`,
  clock: () => '08:00',
}

const keyOf = (field: Field): string => dictionaryOf(field.dict!)!.items[0]!.key

/** A value of each sort of json that names no rows. */
const shapes: Partial<Record<NonNullable<Field['as']>, unknown>> = {
  weeks: [1, 2, 5],
  halfDay: { weekday: 3, half: 'pm' },
  slots: [{ weekday: 1, periodNo: 2 }],
  pairs: { 班车: '3号线' },
  questions: [{ label: '是否参加', kind: 'choice', required: true, choices: ['是', '否'] }],
  report: {
    ...{ entity: 'school', columns: ['schoolName'], filter: null, parameters: [], groups: [], cross: null },
    ...{ measures: [], sort: null, chart: 'none', hideBelow: 0 },
  },
}

const values: Record<Kind, (field: Field, person: Person) => unknown> = {
  text: (field) => (field.rule ? texts[field.rule]!() : `文${next()}`.slice(0, field.max)),
  area: () => '第一行\n第二行，全角',
  integer: (field) =>
    Math.min(
      field.max ?? 9,
      Math.max(field.min ?? 0, 1 + (next() % Math.max(1, (field.max ?? 9) - (field.min ?? 0))) + (field.min ?? 0)),
    ),
  decimal: (field) => field.min ?? 0,
  flag: () => 0,
  choice: keyOf,
  choices: (field) => [keyOf(field)],
  date: () => '2026-09-01',
  instant: () => '2026-09-01 08:00:00',
  reference: () => undefined,
  references: () => [],
  region: () => '110105',
  personal: (field) => (field.rule ? texts[field.rule]!() : `P${String(next()).padStart(6, '0')}`),
  secret: () => `S${next()}`,
  json: (field) => (field.as ? shapes[field.as] : undefined),
}

let children = 0
const idNo = (): string => {
  children += 1
  const first = `110105201503${10 + (Math.floor(children / 1000) % 18)}${String(children % 1000).padStart(3, '0')}`
  return first + idNoCheckDigit(first)
}

const pairs = (stage: string, from: number): [string, number][] =>
  Array.from({ length: 13 - from }, (_, index) => [stage, from + index])

/** What the definition of an entity cannot say. Called with the draft so far. */
export type Special = (draft: Record<string, unknown>, person: Person) => Promise<void> | void

/** A substitution is of a lesson that is published: one that a published plan has on a Monday. */
async function publishFor(draft: Record<string, unknown>, person: Person): Promise<void> {
  const at = async <T>(path: string, id: unknown): Promise<T> =>
    (await person.get<T>(`blade-user/${path}/detail`, { id: String(id) })).data
  const put = async (path: string, row: Record<string, unknown>): Promise<string> => {
    const answer = await person.post<{ id: string }>(`blade-user/${path}`, row)
    if (answer.code !== 200) throw new Error(`no published lesson: ${path} ${answer.msg}`)
    return answer.data?.id
  }
  type Lesson = Record<'schoolId' | 'semesterId' | 'classId' | 'subjectId' | 'teacherId', string>
  const { schoolId, semesterId, classId, subjectId, teacherId } = await at<Lesson>('classschedule', draft.scheduleId)
  const term = await at<Record<'beginDate' | 'endDate' | 'firstWeekMonday', string>>('schoolsemester', semesterId)
  const own = { schoolId, semesterId, classId, subjectId }
  const { beginDate, endDate, firstWeekMonday } = term
  // Whoever has one already is refused another, and needs none.
  const assignment = { ...own, userId: teacherId, role: '2', weekHours: 1, beginDate, endDate }
  await person.post('blade-user/teacherclass/submit', assignment)
  const planId = await put('timetableplan/submit', { schoolId, semesterId, planName: `方案${next()}` })
  const slot = { weekday: '1', periodNo: 1, span: 1, weekType: '0' }
  const scheduleId = await put('classschedule/submit', { ...own, planId, teacherId, ...slot })
  await put(`timetableplan/publish?id=${planId}`, {})
  // The first week may begin within itself.
  const day = firstWeekMonday < beginDate ? addDays(firstWeekMonday, 7) : firstWeekMonday
  Object.assign(draft, { scheduleId, day, kind: '3', newDay: null, newPeriodNo: null, countsAsExtra: 0 })
}

/** A number in letters alone. */
const lettersOf = (number: number): string =>
  [...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')

let minutes = 0
// Counted by themselves: lessons of two samples in one year would be at the same time.
let years = 0
let days = 0

/** What the definitions cannot say, by entity. */
const special: Record<string, Special> = {
  mail: (draft) => {
    draft.host = 'smtp.example.com'
  },
  // Stage and number are unique, and the stages have been given their grades already.
  sysgrade: (draft) => {
    const free = [...pairs('1', 4), ...pairs('2', 7), ...pairs('3', 4), ...pairs('4', 4)]
    const [stage, gradeNo] = free[next() % free.length]!
    Object.assign(draft, { stage, gradeNo, minAge: 3, maxAge: 20 })
  },
  school: (draft) =>
    void Object.assign(draft, { stages: ['2', '3', '4'], schoolType: '21', teachDays: ['1', '2', '3'] }),
  schoolfloor: (draft) => void Object.assign(draft, { floorNo: (next() % 50) + 1 }),
  schoolclassroom: (draft) => void Object.assign(draft, { capacity: 50, examCapacity: 30 }),
  schoolyear: (draft) => {
    years += 1
    const year = 2000 + (years % 100)
    Object.assign(draft, {
      yearName: `${year}-${year + 1}学年`,
      startYear: year,
      beginDate: `${year}-09-01`,
      endDate: `${year + 1}-07-15`,
      isCurrent: 0,
    })
  },
  schoolsemester: async (draft, person) => {
    const year = (
      await person.get<{ beginDate: string; startYear: number }>('blade-user/schoolyear/detail', {
        id: String(draft.yearId),
      })
    ).data
    Object.assign(draft, {
      beginDate: year.beginDate,
      endDate: `${year.startYear + 1}-01-20`,
      firstWeekMonday: firstMondayOf(year.beginDate),
      // The first week may begin before the semester does: its Monday is a day of it from the second one on.
      weekCount: 2 + (next() % 18),
      examBegin: null,
      examEnd: null,
    })
  },
  // A minute of its own for each, and no number that another could have.
  schoolperiod: (draft) => {
    minutes += 2
    const at = 360 + (minutes % 900)
    const clock = (minute: number): string =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    Object.assign(draft, { periodNo: null, beginTime: clock(at), endTime: clock(at + 1) })
  },
  // A day of its own for each.
  schoolcalendarday: (draft) => void Object.assign(draft, { day: addDays('2026-09-01', next() % 300) }),
  schoolsubject: (draft) => void Object.assign(draft, { fullScore: 100, passScore: 60 }),
  schoolteachclass: (draft) => void Object.assign(draft, { weekHours: 4, doublePeriods: 1, minSize: 1, maxSize: 50 }),
  teacherclass: async (draft, person) => {
    const semester = (
      await person.get<{ beginDate: string; endDate: string }>('blade-user/schoolsemester/detail', {
        id: String(draft.semesterId),
      })
    ).data
    Object.assign(draft, { beginDate: semester.beginDate, endDate: semester.endDate })
  },
  teacherabsence: (draft) =>
    void Object.assign(draft, { beginPeriodNo: 1, endDate: '2026-09-02', endPeriodNo: 2, leaveType: '1' }),
  // Periods that are closed: what other kinds are made of is no part of it.
  timetablerule: (draft) =>
    void Object.assign(draft, {
      ...{ kind: '1', slots: [{ weekday: 1, periodNo: 2 }], strength: '2' },
      ...{ whose: null, half: null, max: null, gap: null },
    }),
  substitution: publishFor,
  // A morning, of a pupil.
  leave: (draft) => void Object.assign(draft, { endTime: '2026-09-01 12:00:00', pickupParentId: null }),
  // Approvers by their office: none is named. The days of several rules of a school lie apart.
  leaveapprovalrule: (draft) => {
    days += 1
    Object.assign(draft, { minDays: days % 300, maxDays: (days % 300) + 1 })
    for (const at of [1, 2, 3, 4]) delete draft[`step${at}User`]
  },
  student: (draft) => {
    const number = idNo()
    Object.assign(draft, {
      idType: '1',
      idNo: number,
      birthDate: `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`,
      sex: Number(number[16]) % 2 === 1 ? '1' : '2',
      enrollDate: '2021-09-01',
      seatNo: null,
    })
  },
  studentparents: (draft) => void Object.assign(draft, { idType: null, idNo: null, relation: '51' }),
  studentdetail: (draft) => void Object.assign(draft, { heightCm: 120, weightKg: 30, visionLeft: 5, visionRight: 5 }),
  user: (draft) => void Object.assign(draft, { hireDate: '2020-09-01', leaveDate: null, staffStatus: '1' }),
  menu: (draft) => {
    const number = next()
    Object.assign(draft, {
      code: `own${number}`,
      path: `/own/${number}`,
      category: '1',
      action: null,
      platformOnly: 1,
    })
  },
  dict: (draft) => void Object.assign(draft, { dictKey: '-1' }),
  client: (draft) => void Object.assign(draft, { clientId: `client${next()}` }),
  code: (draft) =>
    void Object.assign(draft, { serviceName: `table${lettersOf(next())}`, packageName: 'school', codeNameEn: 'Table' }),
  datasource: (draft) => void Object.assign(draft, { url: `postgresql://127.0.0.1/school${next()}` }),
  socialprovider: (draft) => void Object.assign(draft, { scopes: 'profile' }),
  tenant: (draft) => {
    const number = next()
    Object.assign(draft, {
      tenantId: String(500_000 + number),
      domain: `t${number}.example.com`,
      accountNumber: -1,
      expireTime: null,
      // Pictures of the log-in page are uploaded files.
      logo: null,
      backgroundUrl: null,
    })
  },
  topmenu: (draft) => void Object.assign(draft, { path: `/top/${next()}` }),
  datascope: (draft) => void Object.assign(draft, { scopeClass: 'student', scopeType: '1', scopeColumn: null }),
  // A text: what numbers and choices are told does not fit it.
  customfield: (draft) => void Object.assign(draft, { kind: 'text', digits: null, minimum: null, maximum: null }),
  apiscope: (draft) => void Object.assign(draft, { scopePath: '/api/blade-user/studentgroup/list' }),
  reportsubscription: (draft) => void Object.assign(draft, { every: '2', weekday: '3', asked: null }),
  role: (draft) => void Object.assign(draft, { roleAlias: `r${next()}` }),
  // Ids of clients in one text, which a text sample is not; content is cleaned, so it is plain.
  notice: (draft) =>
    void Object.assign(draft, {
      clientIds: null,
      content: '<p>全校师生</p>',
      releaseTime: '2026-09-01 08:00:00',
      expireTime: '2026-10-01 08:00:00',
      needRead: 1,
      confirmBy: '2026-09-15 08:00:00',
    }),
  dictbiz: (draft) => void Object.assign(draft, { dictKey: `k${next()}` }),
}

// Of extensions what their own tests say.
for (const { folder } of extensionsBuiltIn) {
  const file = join(folder, 'test', 'sample.ts')
  if (existsSync(file)) Object.assign(special, ((await import(file)) as { special: Record<string, Special> }).special)
}

/** References that a full draft leaves out: they would form a circle or need a row of the same kind. */
const leftOut = new Set([
  'schoolclassroom.homeClassId',
  'school.principalId',
  'schoolcampus.managerId',
  'schoolclass.classroomId',
  'dept.leaderId',
  'dept.schoolId',
  'user.homeCampusId',
  'student.userId',
  'studentparents.userId',
])

export interface Sample {
  readonly draft: Record<string, unknown>
  /** Rows made on the way, by entity. */
  readonly made: Map<string, string>
}

/** A draft of an entity with every field it may send, its required references made in the person's tenant. */
export async function sample(person: Person, entity: Entity, made = new Map<string, string>()): Promise<Sample> {
  const draft: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.computed) continue
    if (field.kind === 'reference') {
      if (field.to === entity.name || leftOut.has(`${entity.name}.${name}`)) continue
      if (entity.oneOf?.some((names) => names.includes(name) && names[0] !== name)) continue
      if (!field.required && !entity.oneOf?.some((names) => names[0] === name)) continue
      draft[name] = await idOf(person, field.to!, made)
      continue
    }
    if (field.kind === 'references' && field.required) draft[name] = [await idOf(person, field.to!, made)]
    else {
      const value = values[field.kind](field, person)
      if (value !== undefined && value !== '') draft[name] = value
    }
  }
  await special[entity.name]?.(draft, person)
  return { draft, made }
}

/** An attachment of the person's: a workbook with one mark, which every form can be. */
async function workbookOf(person: Person): Promise<string> {
  // Here alone, because most who import this make no workbook and would wait for it.
  const { default: excel } = await import('@zurmokeeper/exceljs')
  const book = new excel.Workbook()
  book.addWorksheet('表').getCell('A1').value = '{{createTime}}'
  const answer = await person.post<{ attachId: string }>(
    'blade-resource/oss/endpoint/put-file-attach',
    multipart('form.xlsx', Buffer.from(await book.xlsx.writeBuffer())),
    { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  )
  if (answer.code !== 200) throw new Error(`no sample of a file: ${answer.msg}`)
  return answer.data.attachId
}

/** A row of an entity in the person's tenant: one of each on the way to a sample, so that they fit together. */
async function idOf(person: Person, name: string, made: Map<string, string>): Promise<string> {
  if (name === 'attach') return workbookOf(person)
  if (name === 'user') return person.userId
  const kept = made.get(name)
  if (kept) return kept
  if (name === 'sysgrade') {
    const list = await person.get<{ records: { id: string }[] }>('blade-user/sysgrade/list', { gradeCode_equal: '11' })
    made.set(name, list.data.records[0]!.id)
    return list.data.records[0]!.id
  }
  const { draft } = await sample(person, entityOf(name), made)
  const answer = await person.post<{ id: string }>(`${entityOf(name).path}/submit`, draft)
  if (answer.code !== 200) throw new Error(`no sample of ${name}: ${answer.msg} ${JSON.stringify(draft)}`)
  made.set(name, answer.data.id)
  return answer.data.id
}

/**
 * A row of each entity, by entity: a person's own, and those that the platform's administrators alone work with. Their
 * names begin with the mark. What no call writes, and attachments, are not made here.
 */
export async function oneOfEach(world: World, person: Person, mark: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const platform = await world.platform()
  for (const entity of entities) {
    if (entity.readOnly || ['user', 'attach', 'dept', 'role', 'dictbiz'].includes(entity.name)) continue
    const maker = isOfPlatform(entity) ? platform : person
    const { draft, made } = await sample(maker, entity)
    const free = Object.entries(entity.fields).filter(
      ([, field]) => field.kind === 'text' && !field.rule && !field.computed && !field.fixed && (field.max ?? 0) >= 20,
    )
    const [name] = free.find(([each]) => each === entity.title) ?? free[0] ?? []
    const answer = await maker.post<{ id: string }>(
      `${entity.path}/submit`,
      name ? { ...draft, [name]: `${mark}${ids.size}` } : draft,
    )
    if (answer.code === 200) ids.set(entity.name, answer.data.id)
    for (const [other, id] of made) if (!ids.has(other)) ids.set(other, id)
  }
  ids.set('user', person.userId)
  // One that all tenants share has the same id in each of them.
  const dictionary = { code: 'one_of_each', dictKey: '-1', dictValue: `${mark}${ids.size}`, sort: 1 }
  ids.set('dictbiz', (await person.post<{ id: string }>('blade-system/dict-biz/submit', dictionary)).data.id)
  for (const entity of entities) {
    if (ids.has(entity.name) || entity.ownership === 'platform') continue
    const { rows } = await world.owner.query(`select id from ${tableOf(entity)} where tenant_id = $1 limit 1`, [
      person.tenantId,
    ])
    if (rows[0]) ids.set(entity.name, rows[0].id)
  }
  return ids
}
