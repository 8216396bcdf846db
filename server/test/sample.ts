import { type Entity, entityOf, type Field, idNoCheckDigit, type Kind } from '@data-brain/contract'
import { dictionaryOf } from '@data-brain/contract/dictionaries'
import type { Person } from './world.ts'

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
}

const keyOf = (field: Field): string => dictionaryOf(field.dict!)!.items[0]!.key

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
  time: () => '08:00',
  instant: () => '2026-09-01 08:00:00',
  reference: () => undefined,
  references: () => [],
  region: () => '110105',
  personal: (field) => (field.rule ? texts[field.rule]!() : `P${String(next()).padStart(6, '0')}`),
  json: () => undefined,
}

let children = 0
const idNo = (): string => {
  children += 1
  const first = `110105201503${10 + (Math.floor(children / 1000) % 18)}${String(children % 1000).padStart(3, '0')}`
  return first + idNoCheckDigit(first)
}

const pairs = (stage: string, from: number): [string, number][] =>
  Array.from({ length: 13 - from }, (_, index) => [stage, from + index])

/** What the definition cannot say, by entity. Called with the draft so far. */
const special: Record<string, (draft: Record<string, unknown>, person: Person) => Promise<void> | void> = {
  // Stage and number are unique, and the stages have been given their grades already.
  sysgrade: (draft) => {
    const free = [...['1'].flatMap((stage) => pairs(stage, 1)), ...pairs('2', 7), ...pairs('3', 4), ...pairs('4', 4)]
    const [stage, gradeNo] = free[next() % free.length]!
    Object.assign(draft, { stage, gradeNo })
  },
  school: (draft) =>
    void Object.assign(draft, { stages: ['2', '3', '4'], schoolType: '21', teachDays: ['1', '2', '3'] }),
  schoolfloor: (draft) => void Object.assign(draft, { floorNo: (next() % 50) + 1 }),
  schoolclassroom: (draft) => void Object.assign(draft, { capacity: 50, examCapacity: 30 }),
  schoolyear: (draft) => {
    const year = 2000 + (next() % 100)
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
      firstWeekMonday: year.beginDate,
      examBegin: null,
      examEnd: null,
    })
  },
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
  role: (draft) => void Object.assign(draft, { roleAlias: `r${next()}` }),
  dictbiz: (draft) => void Object.assign(draft, { dictKey: `k${next()}` }),
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

/** A row of an entity in the person's tenant: one of each on the way to a sample, so that they fit together. */
async function idOf(person: Person, name: string, made: Map<string, string>): Promise<string> {
  if (name === 'attach') throw new Error('an attachment is not made by submit')
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
