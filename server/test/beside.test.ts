import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

interface Choice {
  id: string
  name: string
  beside: string[]
  usual: boolean
}

let world: World
let admin: Person
let stranger: Person
let made: Map<string, string>
const add = async (entity: string, draft: object): Promise<string> => {
  const answer = await admin.post<{ id: string }>(`${entityOf(entity).path}/submit`, {
    ...(await sample(admin, entityOf(entity), made)).draft,
    ...draft,
  })
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
  return answer.data.id
}
const choices = async (entity: string, query = {}, person = admin): Promise<Choice[]> =>
  (await person.get<Choice[]>(`${entityOf(entity).path}/select`, query)).data

const ids: Record<string, string> = {}
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  stranger = await world.tenant()
  made = new Map()
  const unnamed = { namePinyin: null, formerName: null, nameEn: null, seatNo: null }
  ids.a = await add('student', { ...unnamed, name: '王芳', studentNo: 'A001' })
  made.set('student', ids.a)
  const first = await add('schoolclass', {})
  const { data: old } = await admin.get<Record<string, string>>('blade-user/schoolclass/detail', { id: first })
  ids.grade = old.gradeId!
  const classOf = (classNo: number, className: string) =>
    add('schoolclass', {
      ...Object.fromEntries(
        ['schoolId', 'campusId', 'yearId', 'gradeId', 'cohortYear'].map((name) => [name, old[name]]),
      ),
      ...{ classNo, className, classroomId: null, headTeacherId: null, deputyTeacherIds: [] },
    })
  // Made in this order, so that neither the id nor the spelling gives the right one.
  ids.two = await classOf(2, '三（2）班')
  ids.ten = await classOf(10, '三（10）班')
  ids.b = await add('student', { ...unnamed, name: '王芳', studentNo: 'B002', classId: ids.two })
})
afterAll(() => world.close())

describe('A3 people are told apart where one is chosen', () => {
  it('tells two posts of one name apart by their codes', async () => {
    await add('post', { postName: '干事', postCode: 'office-1' })
    await add('post', { postName: '干事', postCode: 'office-2' })
    const found = (await choices('post')).filter(({ name }) => name === '干事')
    expect(found.map(({ beside }) => beside.join()).sort()).toEqual(['office-1', 'office-2'])
  })

  it('tells two pupils of one name apart by class and number', async () => {
    const found = await choices('student', { keyword: '王芳' })
    expect(found.map(({ name }) => name)).toEqual(['王芳', '王芳'])
    expect(found.find(({ id }) => id === ids.b)!.beside).toEqual(['三（2）班', 'B002'])
    expect(found.find(({ id }) => id === ids.a)!.beside.at(-1)).toBe('A001')
    expect(new Set(found.map(({ beside }) => beside.join())).size).toBe(2)
  })

  it.each(['三（2）班', '王芳 三（2）', 'B002', '三（2）班 王芳', '王芳 B002'])(
    'finds one of them by %s',
    async (keyword) => {
      expect((await choices('student', { keyword })).map(({ id }) => id)).toEqual([ids.b])
    },
  )

  it('says nothing of the only school', async () => {
    const [first] = await choices('schoolclass')
    const { data } = await admin.get<{ schoolName: string }>('blade-user/school/detail', { id: made.get('school')! })
    expect(first!.beside).not.toContain(data.schoolName)
  })

  it('orders classes by grade and number, not by the spelling of the number', async () => {
    const found = await choices('schoolclass', { gradeId: ids.grade })
    const at = (id: string | undefined) => found.findIndex((each) => each.id === id)
    expect(at(ids.two)).toBeGreaterThanOrEqual(0)
    expect(at(ids.two)).toBeLessThan(at(ids.ten))
  })

  it('R-STUDENT-1 finds a class by its number alone, of every grade, and by its grade alone, in their order', async () => {
    const { data: old } = await admin.get<Record<string, string>>('blade-user/schoolclass/detail', { id: ids.two! })
    const [third, fifth] = await Promise.all(
      ['13', '15'].map(async (gradeCode_equal) => {
        const { data } = await admin.get<{ records: { id: string }[] }>('blade-user/sysgrade/list', { gradeCode_equal })
        return data.records[0]!.id
      }),
    )
    const { schoolId, campusId, yearId } = old
    for (const [gradeId, classNo, className] of [
      [fifth, 7, '五年级（7）班'],
      [third, 17, '三年级（17）班'],
      [third, 7, '三年级（7）班'],
    ])
      await add('schoolclass', {
        ...{ schoolId, campusId, yearId, gradeId, classNo, className },
        ...{ cohortYear: 2024, classroomId: null, headTeacherId: null, deputyTeacherIds: [] },
      })
    const named = async (keyword: string) => [
      keyword,
      // The class of the sample has a name by its number among samples: it is none of those that are asked for.
      (await choices('schoolclass', { keyword })).map(({ name }) => name).filter((name) => name.includes('年级')),
    ]
    for (const typed of ['7班', '七班', '（7）班', '第7班', '７班', 'Class 7'])
      expect(await named(typed)).toEqual([typed, ['三年级（7）班', '五年级（7）班']])
    for (const typed of ['三7', '3.7', '307', '三年级7班', '三（7）班', '三(7)班', '小三7班', '三年级七班', '3-7'])
      expect(await named(typed)).toEqual([typed, ['三年级（7）班']])
    for (const typed of ['小三', '3年级', '小学三年级', 'Grade 3'])
      expect(await named(typed)).toEqual([typed, ['三年级（7）班', '三年级（17）班']])
    expect(await named('9班')).toEqual(['9班', []])
  })

  it('R-SECURITY says nothing to another tenant', async () => {
    expect(await choices('student', { keyword: '王芳' }, stranger)).toEqual([])
    expect(await choices('student', { ids: ids.b! }, stranger)).toEqual([])
  })

  it('names which of them a refused removal and a history mean', async () => {
    await add('studentparents', { studentId: ids.b, parentName: '王建国', mobile: '13900001111' })
    const refused = await admin.remove<{ blockers: { entity: string; field: string; sample: string[] }[] }>(
      'blade-user/student',
      ids.b!,
    )
    const guardian = refused.data.blockers.find(({ entity }) => entity === 'studentparents')!
    expect(guardian).toMatchObject({ field: 'studentId', sample: ['王建国（王芳）'] })
  })
})
