import { type FormKind, importCalls } from '@data-brain/contract/import/place'
import { expect } from 'vitest'
import { type BatchView, batchOf, committed, mappingOf, sendFile, xlsx } from './import-parts.ts'
import type { Person, Row, World } from './world.ts'

/** A primary school as the tests of imports use it: a current year and semester, two classes of the third grade. */
export interface School {
  readonly schoolId: string
  readonly yearId: string
  readonly semesterId: string
  readonly campusId: string
}

const add = async (who: Person, path: string, draft: Record<string, unknown>): Promise<string> => {
  const answer = await who.post<{ id: string }>(`${path}/submit`, draft)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.msg}`)
  return answer.data.id
}

let schools = 0
export async function schoolWith(
  who: Person,
  classes: readonly (readonly [string, number])[],
  stages: readonly string[] = ['2'],
  schoolType = '21',
): Promise<School> {
  schools += 1
  const schoolId = await add(who, 'blade-user/school', {
    schoolCode: `${schoolType}32${String(schools).padStart(6, '0')}`,
    schoolName: `小学${schools}`,
    schoolType,
    stages,
    regionCode: '320102',
  })
  const yearId = await add(who, 'blade-user/schoolyear', {
    ...{ schoolId, yearName: '2026-2027学年', startYear: 2026, isCurrent: 1 },
    ...{ beginDate: '2026-09-01', endDate: '2027-08-31' },
  })
  const semesterId = await add(who, 'blade-user/schoolsemester', {
    ...{ schoolId, yearId, semesterName: '第一学期', semesterNo: 1, isCurrent: 1, weekCount: 20 },
    ...{ beginDate: '2026-09-01', endDate: '2027-01-31', firstWeekMonday: '2026-08-31' },
  })
  const [campus] = (await who.get<{ records: Row[] }>('blade-user/schoolcampus/list', { schoolId })).data.records
  const campusId = campus!.id
  for (const [code, classNo] of classes) {
    const grades = await who.get<{ records: { id: string; gradeName: string; gradeNo: number }[] }>(
      'blade-user/sysgrade/list',
      { gradeCode_equal: code },
    )
    const grade = grades.data.records[0]!
    await add(who, 'blade-user/schoolclass', {
      ...{ schoolId, campusId, yearId, gradeId: grade.id, classNo, classType: '10' },
      ...{ className: `${grade.gradeName}（${classNo}）班`, cohortYear: 2027 - grade.gradeNo },
    })
  }
  return { schoolId, yearId, semesterId, campusId }
}

let people = 0
/** Makes teachers of these names. */
export async function teachers(who: Person, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const realName of names) {
    people += 1
    ids.push(
      await add(who, 'blade-user', {
        ...{ account: `teacher${people}`, realName, staffNo: `T${people}`, password: 'Correct-Horse-9' },
      }),
    )
  }
  return ids
}

export interface EntityBatch extends BatchView {
  makes: string[]
  stored: number | null
  fixed: Record<string, string>
}
export interface GroupView {
  key: string
  message: string
  text: string | null
  count: number
  options: { value: string; label: string }[]
  make: { name: string } | null
}

/** The calls of one kind of import, as a clerk goes through them. */
export function importer(world: World, who: Person, kind: FormKind) {
  const path = importCalls(kind)
  const batch = async (id: string): Promise<EntityBatch> => (await batchOf(who, id, path)) as EntityBatch
  const step = async (call: string, body: unknown, query?: Record<string, string>) => {
    const answer = await who.post<{ id: string }>(`${path}/${call}`, body, query ? { query } : {})
    if (answer.status !== 200) throw new Error(answer.msg)
  }
  return {
    path,
    batch,
    read: async (
      school: Pick<School, 'schoolId'> & Partial<School>,
      file: Buffer | readonly (readonly (string | number)[])[],
      name = '表.xlsx',
      duplicates = 'skip',
    ) => {
      const bytes = Buffer.isBuffer(file) ? file : await xlsx(file as string[][])
      const sent = await sendFile(world, who, name, bytes, { schoolId: school.schoolId, duplicates }, path)
      if (sent.status !== 200) throw new Error(sent.msg)
      return batch(sent.data.id)
    },
    /** Takes what is proposed, and checks. */
    check: async (read: EntityBatch, more: object = {}) => {
      await step('mapping', { id: read.id, mapping: mappingOf(read), ...more })
      return batch(read.id)
    },
    groups: async (id: string) => (await who.get<GroupView[]>(`${path}/groups`, { id })).data,
    answer: async (id: string, ...answers: object[]) => {
      await step('answer', { id, answers })
      return batch(id)
    },
    faults: async (id: string) =>
      (
        await who.get<{ records: { row: number; faults: { field: string; message: string }[] }[] }>(`${path}/rows`, {
          ...{ id, state: 'bad', size: 200 },
        })
      ).data.records.flatMap(({ row, faults }) => faults.map(({ field, message }) => `${row} ${field} ${message}`)),
    commit: async (id: string, query: Record<string, string> = {}) => {
      await step('commit', undefined, { id, ...query })
      return batch(id)
    },
    undo: async (id: string, query: Record<string, string> = {}) => {
      await step('undo', undefined, { id, ...query })
      return batch(id)
    },
  }
}

export const listOf = async (who: Person, entity: string, query: Record<string, string>): Promise<Row[]> =>
  (await who.get<{ records: Row[] }>(`blade-user/${entity}/list`, { ...query, size: 200 })).data.records

/** A table of texts: cells are parted by blanks, `_` is an empty one. */
export const rows = (...lines: string[]): string[][] =>
  lines.map((line) => line.split(' ').map((cell) => (cell === '_' ? '' : cell)))

/** A clerk who brings rosters in as they are, and looks at what was stored. */
export function clerk(world: World, who: Person) {
  const students = importer(world, who, 'student')
  const whole = async (entity: string, id: string): Promise<Record<string, unknown>> => ({
    ...(await who.get<Record<string, unknown>>(`blade-user/${entity}/detail`, { id })).data,
    ...(await who.get<Record<string, unknown>>(`blade-user/${entity}/personal`, { id })).data,
  })
  const stored = async (batch: EntityBatch): Promise<void> => {
    expect(await students.faults(batch.id)).toEqual([])
    expect(await committed(who, batch.id)).toMatchObject({ state: 'done', failure: null })
  }
  const pupil = async (school: School, name: string): Promise<Record<string, unknown>> => {
    const [row] = await listOf(who, 'student', { schoolId: school.schoolId, name_equal: name })
    return { className: row!.className, ...(await whole('student', row!.id)), id: row!.id }
  }
  const guardiansOf = async (school: School, name: string): Promise<Record<string, unknown>[]> => {
    const found = await listOf(who, 'studentparents', { studentId: String((await pupil(school, name)).id) })
    return Promise.all(found.map(({ id }) => whole('studentparents', id)))
  }
  return {
    students,
    whole,
    stored,
    pupil,
    guardiansOf,
    /** Brings a file in that needs no matching and asks nothing. */
    brought: async (school: School, file: Buffer | string[][], name?: string): Promise<EntityBatch> => {
      const read = await students.read(school, file, name)
      expect(read.missing).toEqual([])
      const checked = await students.check(read, { fixed: read.fixed })
      await stored(checked)
      return checked
    },
    detail: async (school: School, name: string): Promise<Record<string, unknown>> => {
      const [row] = await listOf(who, 'studentdetail', { studentId: String((await pupil(school, name)).id) })
      return row ? whole('studentdetail', row.id) : {}
    },
    /** Name, relation and number of each guardian, in the order of their names. */
    guardians: async (school: School, name: string): Promise<string[]> =>
      (await guardiansOf(school, name))
        .map((each) => [each.parentName, each.relation, each.mobile].map((text) => text ?? '').join(' '))
        .toSorted(),
  }
}
