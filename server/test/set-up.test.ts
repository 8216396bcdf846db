import { schoolYearOf, usualClassName, weekdayOf } from '@data-brain/contract/rules/school-year'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type Person, type Row, type World } from './world.ts'

interface SchoolSetUp {
  id: string
  yearId: string | null
  campus: boolean
  year: boolean
  grades: boolean
  classes: boolean
  students: boolean
}

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

let made = 0
/** A school as somebody who knows nothing else of the product registers it. */
async function addSchool(who: Person, stages = ['2']): Promise<Row> {
  made += 1
  const answer = await who.post<Row>('blade-user/school/submit', {
    schoolCode: `2132${String(made).padStart(6, '0')}`,
    schoolName: `设置学校${made}`,
    schoolType: '21',
    stages,
    regionCode: '320102',
  })
  expect(answer.status, answer.msg).toBe(200)
  return answer.data
}

const yearDraft = (schoolId: string) => {
  const proposed = schoolYearOf('2026-11-22')
  return {
    year: {
      ...{ schoolId, yearName: proposed.name, startYear: proposed.startYear, isCurrent: 1, status: 1 },
      ...{ beginDate: proposed.begin, endDate: proposed.end },
    },
    semesters: proposed.semesters.map((each) => ({
      ...{ semesterName: each.name, semesterNo: each.no, beginDate: each.begin, endDate: each.end },
      ...{ firstWeekMonday: each.firstMonday, weekCount: each.weeks, isCurrent: each.current ? 1 : 0 },
    })),
  }
}

const grades = async (who: Person, schoolId: string) =>
  (await who.get<{ id: string; name: string }[]>('blade-user/sysgrade/select', { schoolId })).data

const total = async (who: Person, entity: string, query: Record<string, string>): Promise<number> =>
  (await who.get<{ total: number }>(`blade-user/${entity}/list`, query)).data.total

const state = async (who: Person, id: string): Promise<SchoolSetUp> =>
  (await who.get<{ schools: SchoolSetUp[] }>('blade-user/school/setUp')).data.schools.find((each) => each.id === id)!

describe('R-SCHOOL-10 a school and its main campus', () => {
  it('come together, and go together while nobody has used the campus', async () => {
    const school = await addSchool(admin)
    const list = await admin.get<{ records: Row[] }>('blade-user/schoolcampus/list', { schoolId_equal: school.id })
    expect(list.data.records).toMatchObject([{ campusName: '校本部', isMain: 1 }])
    const gone = await admin.post('blade-user/school/remove', undefined, { query: { ids: school.id } })
    expect(gone.status, gone.msg).toBe(200)
    expect(await total(admin, 'schoolcampus', { schoolId_equal: school.id })).toBe(0)
  })

  it('keeps a school whose campus somebody has made their own', async () => {
    const school = await addSchool(admin)
    const campus = (await admin.get<{ records: Row[] }>('blade-user/schoolcampus/list', { schoolId_equal: school.id }))
      .data.records[0]!
    await admin.post('blade-user/schoolcampus/submit', { id: campus.id, address: '幸福路1号' })
    const kept = await admin.post('blade-user/school/remove', undefined, { query: { ids: school.id } })
    expect(kept.status).toBe(400)
    expect(kept.msg).toContain('校区')
  })

  it('moves the mark of the main campus in one step', async () => {
    const school = await addSchool(admin)
    const second = await admin.post<Row>('blade-user/schoolcampus/submit', {
      ...{ schoolId: school.id, campusCode: 'B', campusName: '南校区', isMain: 1 },
    })
    expect(second.status, second.msg).toBe(200)
    const main = await admin.get<{ records: Row[] }>('blade-user/schoolcampus/list', {
      ...{ schoolId_equal: school.id, isMain_equal: '1' },
    })
    expect(main.data.records.map(({ id }) => id)).toEqual([second.data.id])
  })
})

describe('R-ROUTE-4 setting a school up', () => {
  it('proposes a year whose semesters lie in it and begin with a Monday', () => {
    for (let day = Date.UTC(2024, 0, 1); day < Date.UTC(2032, 0, 1); day += 86_400_000) {
      const today = new Date(day).toISOString().slice(0, 10)
      const year = schoolYearOf(today)
      expect(year.semesters.filter((each) => each.current)).toHaveLength(1)
      for (const each of year.semesters) {
        expect(weekdayOf(each.firstMonday), today).toBe(1)
        expect(Math.abs(Date.parse(each.firstMonday) - Date.parse(each.begin)), today).toBeLessThanOrEqual(
          7 * 86_400_000,
        )
        expect(year.begin <= each.begin && each.end <= year.end && each.weeks <= 30, today).toBe(true)
      }
    }
  })

  it('ticks each step when what the later ones need is there, and not before', async () => {
    const school = await addSchool(admin)
    expect(await state(admin, school.id)).toMatchObject({ year: false, grades: true, classes: false, students: false })
    const year = (await admin.post<Row>('blade-user/schoolyear/open', yearDraft(school.id))).data
    expect(await state(admin, school.id)).toMatchObject({ yearId: year.id, year: true, classes: false })
    expect(await total(admin, 'schoolsemester', { yearId_equal: year.id })).toBe(2)

    const offered = await grades(admin, school.id)
    expect(offered.map(({ name }) => name)).toEqual(['一年级', '二年级', '三年级', '四年级', '五年级', '六年级'])
    const opened = await admin.post<{ made: number; existing: number; names: string[] }>(
      'blade-user/schoolclass/open',
      {
        ...{ schoolId: school.id, yearId: year.id },
        grades: offered.map(({ id }, at) => ({ gradeId: id, count: at === 0 ? 4 : 2 })),
      },
    )
    expect(opened.data).toMatchObject({ made: 14, existing: 0 })
    expect(opened.data.names.slice(0, 2)).toEqual([usualClassName('一年级', 1), '一年级（2）班'])
    const classes = await admin.get<{ records: Row[] }>('blade-user/schoolclass/list', {
      yearId_equal: year.id,
      size: '50',
    })
    for (const each of classes.data.records) {
      const no = offered.findIndex(({ id }) => id === each.gradeId) + 1
      expect(each.cohortYear).toBe(2026 - no + 1)
    }
    expect(await state(admin, school.id)).toMatchObject({ classes: true, students: false })

    const pupil = { name: '王小明', sex: '1', birthDate: '2019-05-06', schoolId: school.id, studentNo: `S${made}` }
    const alone = await admin.post<Row>('blade-user/student/submit', pupil)
    expect(await state(admin, school.id), 'a pupil without a class is not there yet').toMatchObject({ students: false })
    const first = classes.data.records[0]!
    await admin.post('blade-user/student/submit', { id: alone.data.id, classId: first.id, gradeId: first.gradeId })
    expect(await state(admin, school.id)).toMatchObject({ students: true })
  })

  it('R-SCHOOL-10 loses the tick of each step when what the later ones need is taken away', async () => {
    const who = await world.tenant()
    const school = await addSchool(who, ['1'])
    const year = (await who.post<Row>('blade-user/schoolyear/open', yearDraft(school.id))).data
    const [first] = await grades(who, school.id)
    const opened = { schoolId: school.id, yearId: year.id, grades: [{ gradeId: first!.id, count: 1 }] }
    expect((await who.post('blade-user/schoolclass/open', opened)).status).toBe(200)
    const only = async (entity: string, query: Record<string, string> = {}): Promise<Row> =>
      (await who.get<{ records: Row[] }>(`blade-user/${entity}/list`, { schoolId_equal: school.id, ...query })).data
        .records[0]!
    const room = await only('schoolclass')
    const pupil = { name: '王小明', sex: '1', birthDate: '2022-05-06', schoolId: school.id, studentNo: 'S1' }
    const added = await who.post<Row>('blade-user/student/submit', {
      ...pupil,
      ...{ classId: room.id, gradeId: room.gradeId },
    })
    expect(added.status, added.msg).toBe(200)
    const ticks = async () => {
      const { campus, year, grades, classes, students } = await state(who, school.id)
      return { campus, year, grades, classes, students }
    }
    const all = { campus: true, year: true, grades: true, classes: true, students: true }
    expect(await ticks()).toEqual(all)
    const taken = async (entity: string, id: string, left: object) => {
      const gone = await who.remove(`blade-user/${entity}`, id)
      expect(gone.status, `${entity}: ${gone.msg}`).toBe(200)
      expect(await ticks(), `without its ${entity}`).toEqual({ ...all, ...left })
    }
    await taken('student', added.data.id, { students: false })
    await taken('schoolclass', room.id, { students: false, classes: false })
    const rest = { students: false, classes: false }
    await taken('schoolsemester', (await only('schoolsemester', { isCurrent_equal: '1' })).id, { ...rest, year: false })
    await taken('schoolsemester', (await only('schoolsemester')).id, { ...rest, year: false })
    await taken('schoolyear', year.id, { ...rest, year: false })
    // The main campus goes with its school alone.
    const campus = await who.remove('blade-user/schoolcampus', (await only('schoolcampus')).id)
    expect([campus.status, campus.msg]).toEqual([400, '主校区：主校区不能删除，请先把另一个校区设为主校区'])
    expect(await ticks()).toEqual({ ...all, ...rest, year: false })
    const refused = await who.post('blade-user/schoolclass/open', opened)
    expect(refused.status).not.toBe(200)
    // The lowest grade goes first: each names the next.
    const last = (await grades(who, school.id)).at(-1)!
    for (const { id, name } of await grades(who, school.id)) {
      if (id === last.id) break
      const gone = await who.remove('blade-user/sysgrade', id)
      expect(gone.status, `${name}: ${gone.msg}`).toBe(200)
    }
    await taken('sysgrade', last.id, { ...rest, year: false, grades: false })
    const again = { schoolId: school.id, campusCode: 'B', campusName: '东校区' }
    expect((await who.post('blade-user/schoolcampus/submit', again)).status).toBe(200)
    expect(await ticks()).toMatchObject({ campus: true })
  })

  it('offers a kindergarten its own grades, and names its classes as kindergartens do', async () => {
    const school = await addSchool(admin, ['1'])
    const year = (await admin.post<Row>('blade-user/schoolyear/open', yearDraft(school.id))).data
    const offered = await grades(admin, school.id)
    expect(offered.map(({ name }) => name)).toEqual(['小班', '中班', '大班'])
    const opened = await admin.post<{ made: number; names: string[] }>('blade-user/schoolclass/open', {
      ...{ schoolId: school.id, yearId: year.id },
      grades: offered.map(({ id }) => ({ gradeId: id, count: 2 })),
    })
    expect(opened.data.names).toEqual(['小（1）班', '小（2）班', '中（1）班', '中（2）班', '大（1）班', '大（2）班'])
    const catalogue = await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { gradeCode_equal: '03' })
    const first = await admin.get<{ records: Row[] }>('blade-user/sysgrade/list', { gradeCode_equal: '11' })
    expect(catalogue.data.records[0]!.nextGradeId).toBe(first.data.records[0]!.id)
  })

  it('stores nothing of a year when one of its semesters is wrong, and names the field', async () => {
    const school = await addSchool(admin)
    const draft = yearDraft(school.id)
    draft.semesters[1]!.endDate = '2031-01-01'
    const answer = await admin.post<{ field: string }>('blade-user/schoolyear/open', draft)
    expect([answer.status, answer.data.field]).toEqual([400, 'beginDate'])
    expect(await total(admin, 'schoolyear', { schoolId_equal: school.id })).toBe(0)
  })

  it('gives each number once, also when two open the classes of a year at once, twice over', async () => {
    const school = await addSchool(admin)
    const year = (await admin.post<Row>('blade-user/schoolyear/open', yearDraft(school.id))).data
    const [first] = await grades(admin, school.id)
    const open = () =>
      admin.post<{ made: number; existing: number }>('blade-user/schoolclass/open', {
        ...{ schoolId: school.id, yearId: year.id, grades: [{ gradeId: first!.id, count: 6 }] },
      })
    const answers = await Promise.all([open(), open(), open()])
    expect(answers.map(({ data }) => data.made).sort()).toEqual([0, 0, 6])
    expect((await open()).data).toMatchObject({ made: 0, existing: 6 })
    expect(await total(admin, 'schoolclass', { yearId_equal: year.id })).toBe(6)
  })

  it('R-SCHOOL-3 tells which numbers are taken, and fills the gaps as it was said', async () => {
    const school = await addSchool(admin)
    const year = (await admin.post<Row>('blade-user/schoolyear/open', yearDraft(school.id))).data
    const [first] = await grades(admin, school.id)
    const ask = (count: number) =>
      admin.post<{ names: string[] }>('blade-user/schoolclass/open', {
        ...{ schoolId: school.id, yearId: year.id },
        grades: [{ gradeId: first!.id, count }],
      })
    expect((await ask(4)).data.names).toHaveLength(4)
    const list = await admin.get<{ records: Row[] }>('blade-user/schoolclass/list', { yearId_equal: year.id })
    const third = list.data.records.find(({ className }) => className === usualClassName('一年级', 3))!
    expect((await admin.remove('blade-user/schoolclass', third.id)).status).toBe(200)
    const told = async () =>
      (
        await admin.get<{ id: string; classCount: number; classNos: number[] }[]>('blade-user/sysgrade/listBySchool', {
          ...{ schoolId: school.id, yearId: year.id },
        })
      ).data.find(({ id }) => id === first!.id)
    expect(await told()).toMatchObject({ classCount: 3, classNos: [1, 2, 4] })
    expect((await ask(5)).data.names).toEqual([usualClassName('一年级', 3), usualClassName('一年级', 5)])
    expect(await told()).toMatchObject({ classCount: 5, classNos: [1, 2, 3, 4, 5] })
  })

  it('opens no class of a grade of another stage, and none in a year of another school', async () => {
    const [primary, other] = [await addSchool(admin), await addSchool(admin, ['3'])]
    const year = (await admin.post<Row>('blade-user/schoolyear/open', yearDraft(primary.id))).data
    const [junior] = await grades(admin, other.id)
    const body = (schoolId: string, gradeId: string) => ({
      ...{ schoolId, yearId: year.id, grades: [{ gradeId, count: 1 }] },
    })
    expect((await admin.post('blade-user/schoolclass/open', body(primary.id, junior!.id))).status).toBe(400)
    expect((await admin.post('blade-user/schoolclass/open', body(other.id, junior!.id))).status).toBe(404)
    expect(await total(admin, 'schoolclass', { yearId_equal: year.id })).toBe(0)
  })

  it('R-TEN-1 shows and opens nothing of another tenant', async () => {
    const school = await addSchool(admin)
    const year = (await admin.post<Row>('blade-user/schoolyear/open', yearDraft(school.id))).data
    const stranger = await world.tenant()
    expect(await state(stranger, school.id)).toBeUndefined()
    const [first] = await grades(admin, school.id)
    const body = { schoolId: school.id, yearId: year.id, grades: [{ gradeId: first!.id, count: 1 }] }
    expect((await stranger.post('blade-user/schoolclass/open', body)).status).toBe(404)
    expect((await stranger.post('blade-user/schoolyear/open', yearDraft(school.id))).status).toBe(400)
  })

  it('asks for the right to semesters as well', async () => {
    const school = await addSchool(admin)
    const clerk = await world.colleague(admin, ['schoolyear_add', 'schoolyear_view'])
    expect((await clerk.post('blade-user/schoolyear/open', yearDraft(school.id))).status).toBe(403)
    expect(await total(admin, 'schoolyear', { schoolId_equal: school.id })).toBe(0)
  })
})
