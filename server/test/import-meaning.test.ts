import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchOf, committed, faultyRows, mappingOf, type Place, uploaded, xlsx } from './import-parts.ts'
import { type Child, type Parent, type Roster, rosters } from './import-rosters.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

let world: World
let admin: Person
const places = new Map<Roster['school'], Place>()
const kinds = { primary: ['2', '13', '10'], junior: ['3', '21', '20'], senior: ['4', '31', '40'] } as const

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  for (const kind of ['primary', 'junior', 'senior'] as const) places.set(kind, await schoolOf(admin, kind))
})
afterAll(() => world.close())

/** A school of one stage with two classes of one grade. */
async function schoolOf(who: Person, kind: Roster['school'], classes = 2): Promise<Place> {
  const [stage, gradeCode, classType] = kinds[kind]
  const add = async (entity: string, draft: Record<string, unknown>): Promise<string> => {
    const answer = await who.post<{ id: string }>(`blade-user/${entity}/submit`, draft)
    if (answer.status !== 200) throw new Error(`${entity}: ${answer.msg}`)
    return answer.data.id
  }
  const schoolId = await add('school', {
    schoolCode: `${{ primary: 21, junior: 31, senior: 34 }[kind]}32${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`,
    schoolName: `${kind}学校${Math.random()}`,
    schoolType: String({ primary: 21, junior: 31, senior: 34 }[kind]),
    stages: [stage],
    regionCode: '320102',
  })
  const yearId = await add('schoolyear', {
    schoolId,
    yearName: '2026-2027学年',
    startYear: 2026,
    beginDate: '2026-09-01',
    endDate: '2027-08-31',
    isCurrent: 1,
  })
  const campusId = await add('schoolcampus', { schoolId, campusCode: 'A', campusName: '本部', isMain: 1 })
  const grades = await who.get<{ records: { id: string; gradeName: string }[] }>('blade-user/sysgrade/list', {
    gradeCode_equal: gradeCode,
  })
  const grade = grades.data.records[0]!
  const classIds: string[] = []
  for (let classNo = 1; classNo <= classes; classNo += 1)
    classIds.push(
      await add('schoolclass', {
        schoolId,
        campusId,
        yearId,
        gradeId: grade.id,
        classNo,
        className: `${grade.gradeName}(${classNo})班`,
        cohortYear: kind === 'primary' ? 2024 : 2026,
        classType,
      }),
    )
  return { schoolId, yearId, grade: grade.gradeName, classIds }
}

const rowsOf = async (entity: string, query: Record<string, string>): Promise<Row[]> =>
  (await admin.get<{ records: Row[] }>(`blade-user/${entity}/list`, { ...query, size: 200 })).data.records
const whole = async (entity: string, id: string): Promise<Record<string, unknown>> => ({
  ...(await admin.get<Record<string, unknown>>(`blade-user/${entity}/detail`, { id })).data,
  ...(await admin.get<Record<string, unknown>>(`blade-user/${entity}/personal`, { id })).data,
})

async function stored(child: Child, place: Place): Promise<unknown> {
  const found = await rowsOf('student', { name_equal: child.name, classId: place.classIds[child.classNo - 1]! })
  const row = found.find((each) => String(each.birthDate) === child.birth)
  if (!row) return `${child.name} is not in class ${child.classNo}`
  const own = await whole('student', row.id)
  const guardians = await rowsOf('studentparents', { studentId: row.id })
  const parents = await Promise.all(
    guardians
      .toSorted((a, b) => Number(a.contactPriority) - Number(b.contactPriority))
      .map(async ({ id }): Promise<Parent & { emergency: number }> => {
        const { parentName, relation, mobile, otherPhone, isEmergency } = await whole('studentparents', id)
        return {
          name: parentName as string | null,
          relation: relation as string | null,
          mobile: mobile as string | null,
          ...(otherPhone ? { other: otherPhone as string } : {}),
          emergency: Number(isEmergency),
        }
      }),
  )
  const [details] = await rowsOf('studentdetail', { studentId: row.id })
  const detail = child.detail && details ? await whole('studentdetail', details.id) : {}
  const some = (from: Record<string, unknown>, like: object = {}) =>
    Object.fromEntries(Object.keys(like).map((name) => [name, from[name]]))
  return {
    sex: own.sex,
    idNo: own.idNo ?? undefined,
    enrolled: own.enrollDate,
    parents,
    own: some(own, child.own),
    detail: some(detail, child.detail),
  }
}

const expected = (child: Child, { school }: Roster): unknown => ({
  sex: child.sex,
  idNo: child.idNo,
  enrolled: school === 'primary' ? '2024-09-01' : '2026-09-01',
  parents: child.parents.map((parent, at) => ({ ...parent, emergency: at === 0 ? 1 : 0 })),
  own: child.own ?? {},
  detail: child.detail ?? {},
})

describe('R-IMP-1 a roster as a clerk keeps it comes in whole, matched by itself', () => {
  it.each(rosters.map((roster) => [roster.title, roster] as const))('%s', async (_title, roster) => {
    const place = places.get(roster.school)!
    const batch = await uploaded(world, admin, place, await xlsx(roster.rows))
    expect(batch).toMatchObject({ state: 'mapping', failure: null, missing: [] })
    await admin.post('blade-user/import/mapping', { id: batch.id, mapping: mappingOf(batch) })
    expect(await faultyRows(admin, batch.id)).toEqual([])
    const ready = await batchOf(admin, batch.id)
    expect(ready.counts).toEqual({ add: roster.children.length, update: 0, skip: 0, bad: 0 })
    expect(await committed(admin, batch.id)).toMatchObject({ state: 'done', failure: null })
    for (const child of roster.children) expect(await stored(child, place), child.name).toEqual(expected(child, roster))
    await admin.post('blade-user/import/undo', undefined, { query: { id: batch.id } })
    expect(await batchOf(admin, batch.id)).toMatchObject({ state: 'undone', failure: null })
  })
})
