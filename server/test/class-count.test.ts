import { entityOf } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/** The number of pupils that a class shows is the number of its pupils, whatever is done at once. */

let world: World
let admin: Person
let classes: string[]
const made = new Map<string, string>()
let pupil: Record<string, unknown>

const add = async (entity: string, draft: object): Promise<Row> => {
  const answer = await admin.post<Row>(`${entityOf(entity).path}/submit`, {
    ...(await sample(admin, entityOf(entity), made)).draft,
    ...draft,
  })
  if (answer.code !== 200) throw new Error(`${entity}: ${answer.msg}`)
  return answer.data
}

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const first = await add('schoolclass', {})
  const { id: _, ...like } = first
  const second = await add('schoolclass', {
    ...Object.fromEntries(['schoolId', 'yearId', 'gradeId', 'campusId'].map((name) => [name, like[name]])),
    className: '另一班',
    classNo: 2,
  })
  classes = [first.id, second.id]
  pupil = {
    ...(await sample(admin, entityOf('student'), made)).draft,
    ...{ schoolId: first.schoolId, gradeId: first.gradeId, seatNo: null, nationalCode: null },
    ...{ idNo: null, idType: null, auxCode: null },
  }
})
afterAll(() => world.close())

let named = 0
const enter = (classId: string | null) =>
  admin.post<Row>('blade-user/student/submit', { ...pupil, studentNo: `C${++named}`, classId })
const move = ({ id, version }: Row, classId: string | null) =>
  admin.post<Row>('blade-user/student/submit', { id, version, classId })

/** What the classes show, and how many there are. */
const counts = async (): Promise<[shown: number[], there: number[]]> => {
  const { rows } = await world.owner.query<{ shown: number; there: number }>(
    `select coalesce(c.student_count, 0)::int as shown,
        (select count(*)::int from student s where s.tenant_id = c.tenant_id and s.class_id = c.id) as there
      from schoolclass c where c.tenant_id = $1 order by c.id`,
    [admin.tenantId],
  )
  return [rows.map(({ shown }) => shown), rows.map(({ there }) => there)]
}

describe('R-SCHOOL-3 the number of pupils of a class', () => {
  it('is right after each of fifty pairs that enter at once', async () => {
    for (let pair = 1; pair <= 50; pair += 1) {
      const answers = await Promise.all([enter(classes[0]!), enter(classes[0]!)])
      expect(answers.map(({ msg }) => msg)).toEqual(['操作成功', '操作成功'])
      const [shown, there] = await counts()
      expect(shown, `pair ${pair}`).toEqual(there)
    }
    expect((await counts())[1]).toContain(100)
  })

  it('is right when pupils change places, leave and come back while others enter', async () => {
    const list = async (): Promise<Row[]> =>
      (await admin.get<{ records: Row[] }>('blade-user/student/list', { size: 40 })).data.records
    for (let round = 1; round <= 15; round += 1) {
      const [a, b, c, d] = await list()
      await Promise.all([
        move(a!, a!.classId === classes[0] ? classes[1]! : classes[0]!),
        move(b!, b!.classId === classes[0] ? classes[1]! : classes[0]!),
        enter(classes[1]!),
        admin.remove('blade-user/student', c!.id),
        admin.post('blade-user/student/bulk', { values: { classId: classes[1] } }, { query: { ids: d!.id } }),
      ])
      const [shown, there] = await counts()
      expect(shown, `round ${round}`).toEqual(there)
    }
  })
})
