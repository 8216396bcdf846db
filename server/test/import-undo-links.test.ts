import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { importer, listOf, type School, schoolWith, teachers } from './import-entity-parts.ts'
import { jobsEnded, makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

interface ClassRow {
  readonly id: string
  readonly version: number
  readonly deputyTeacherIds: readonly string[]
  readonly motto: string | null
}

/** A class with two deputies that an import has put two others in the place of. */
async function imported(): Promise<{
  school: School
  id: string
  former: string[]
  later: string[]
  /** Asks for the undo, and does not wait for its end. */
  begin: (query?: Record<string, string>) => Promise<{ status: number; msg: string; data: unknown }>
  undo: (query?: Record<string, string>) => Promise<{ status: number; msg: string; data: unknown }>
  now: () => Promise<ClassRow>
  edit: (draft: object) => Promise<{ status: number; msg: string }>
}> {
  const school = await schoolWith(admin, [['13', 1]])
  const mark = [...school.schoolId.slice(-6)].map((digit) => '零一二三四五六七八九'[Number(digit)]).join('')
  const names = ['赵', '钱', '孙', '李'].map((name) => `${name}${mark}`)
  const [one, two, three, four] = (await teachers(admin, names)) as [string, string, string, string]
  const [row] = await listOf(admin, 'schoolclass', { schoolId: school.schoolId })
  const id = row!.id
  // Not in the order of their ids.
  const former = [two, one]
  const edit = (draft: object) => admin.post('blade-user/schoolclass/submit', { id, ...draft })
  expect(await edit({ deputyTeacherIds: former, motto: '从前' })).toMatchObject({ status: 200 })
  const classes = importer(world, admin, 'schoolclass')
  const read = await classes.read(
    school,
    [
      ['班级', '副班主任', '班训'],
      ['三（1）班', `${names[2]}、${names[3]}`, '今后'],
    ],
    '表.xlsx',
    'update',
  )
  expect((await classes.check(read)).counts).toEqual({ add: 0, update: 1, skip: 0, bad: 0, out: 0 })
  expect(await classes.commit(read.id)).toMatchObject({ state: 'done', failure: null })
  const now = async () => (await admin.get<ClassRow>('blade-user/schoolclass/detail', { id })).data
  expect(await now()).toMatchObject({ deputyTeacherIds: [three, four], motto: '今后' })
  const begin = (query: Record<string, string> = {}) =>
    admin.post(`${classes.path}/undo`, undefined, { query: { id: read.id, ...query } })
  return {
    ...{ school, id, former, later: [three, four], now, edit, begin },
    undo: async (query = {}) => {
      const answer = await begin(query)
      await jobsEnded()
      return answer
    },
  }
}

describe('R-IMP-3 the undo of an import that changed links', () => {
  it('brings back exactly the former ones, in their order, with the row', async () => {
    const { former, now, undo } = await imported()
    expect((await undo()).msg).toBe('操作成功')
    expect(await now()).toMatchObject({ deputyTeacherIds: former, motto: '从前' })
  })

  it('is refused with words where they were changed since, and told to, takes that back as well', async () => {
    const { former, later, now, edit, undo } = await imported()
    expect(await edit({ deputyTeacherIds: [later[0]] })).toMatchObject({ status: 200 })
    expect(await undo()).toMatchObject({
      ...{ status: 400, msg: '导入之后已有改动，不能撤销：行政班 1（三年级（1）班）' },
      data: { own: true },
    })
    expect(await now()).toMatchObject({ deputyTeacherIds: [later[0]], motto: '今后' })
    expect((await undo({ changed: '1' })).status).toBe(200)
    expect(await now()).toMatchObject({ deputyTeacherIds: former, motto: '从前' })
  })

  it('is refused with words where a former one is gone; told to, that one stays gone', async () => {
    const { former, later, now, undo } = await imported()
    const gone = await admin.post('blade-user/remove', undefined, { query: { ids: former[0]! } })
    expect(gone.status).toBe(200)
    expect(await undo()).toMatchObject({ status: 400, data: { own: true } })
    expect(await now()).toMatchObject({ deputyTeacherIds: later })
    expect((await undo({ changed: '1' })).status).toBe(200)
    expect(await now()).toMatchObject({ deputyTeacherIds: [former[1]], motto: '从前' })
  })

  it.each([
    ['the change', '亲手'],
    ['the undo', '从前'],
  ])(
    'and a change by hand wait for the same row: %s is first, the other is refused, and nothing is mixed',
    async (first, motto) => {
      const { id, former, later, now, edit, begin } = await imported()
      const { version } = await now()
      const change = () => edit({ version, deputyTeacherIds: later.slice(0, 1), motto: '亲手' })
      let changing: ReturnType<typeof change> | undefined
      await world.inTenant(admin.tenantId, async (tx) => {
        await tx.run(sql`select 1 from schoolclass where tenant_id = ${admin.tenantId} and id = ${id} for update`)
        const waiting = async (count: number) =>
          expect
            .poll(
              async () =>
                (await tx.one<{ n: number }>(
                  sql`select count(distinct pid)::int as n from pg_locks where not granted and pid in (
                        select pid from pg_locks where database = (select oid from pg_database where datname = current_database()))`,
                ))!.n,
              { timeout: 20_000 },
            )
            .toBeGreaterThanOrEqual(count)
        if (first === 'the change') changing = change()
        else expect((await begin()).status).toBe(200)
        await waiting(1)
        if (first === 'the change') expect((await begin()).status).toBe(200)
        else changing = change()
        await waiting(2)
      })
      const changed = await changing!
      await jobsEnded()
      expect(changed.status === 200).toBe(first === 'the change')
      expect(await now()).toMatchObject({ motto, deputyTeacherIds: motto === '亲手' ? later.slice(0, 1) : former })
    },
  )
})
