import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/database/statement.ts'
import { recoverBatches } from '../src/modules/jobs/index.ts'
import { checked as checkedStudents, countOf, line, makeSchool, narrow, table, xlsx } from './import-parts.ts'
import { type BatchView, batchOf, checked, commit, imported, packed, small, total, upload } from './oneroster-parts.ts'
import { jobsEnded, makeWorld, type Person, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

/** The small school with some thousand pupils more, so that its import takes a while. */
function large(pupils = 3_000): Uint8Array {
  const texts = small()
  const numbers = Array.from({ length: pupils }, (_, at) => at + 100)
  const add = (file: string, row: (no: number) => string): void => {
    texts[file] += numbers.map((no) => `${row(no)}\r\n`).join('')
  }
  add('users.csv', (no) => `stu-${no},,,true,stu${no},,小${'明红刚丽军芳'[no % 6]},王,,S${no},,,,,02,,,,,,,school-1,`)
  add('roles.csv', (no) => `r-${no},,,stu-${no},primary,student,,,school-1,`)
  add('enrollments.csv', (no) => `e-${no},,,class-1,school-1,stu-${no},student,,,`)
  add('demographics.csv', (no) => `stu-${no},,,2018-03-04,female,,,,,,,,,,,`)
  return packed(texts)
}

const open = async (person: Person): Promise<BatchView | null> =>
  (await person.get<BatchView | null>('blade-user/oneroster/batch')).data
const remove = (person: Person, id: string) => person.post('blade-user/oneroster/remove', undefined, { query: { id } })
const until = async (so: () => Promise<boolean>): Promise<void> => {
  while (!(await so())) await new Promise((resolve) => setTimeout(resolve, 20))
}
const writing = (person: Person, id: string) => until(async () => (await batchOf(person, id)).progress > 0)

describe('an import as a job', () => {
  it('ruling 23: is answered at once, shows how far it is, is found again without its id, and ends with a result', async () => {
    const person = await world.tenant()
    const sent = await upload(world, person, large())
    expect(sent.data).toMatchObject({ state: 'checking', fileName: 'roster.zip', report: null })
    expect(await open(person)).toMatchObject({ id: sent.data.id, state: 'checking' })
    await jobsEnded()
    const { id } = sent.data
    const found = await open(person)
    expect(found).toMatchObject({ id, state: 'checked', failure: null, report: { faults: [] } })
    expect(await countOf(world, person, 'student')).toBe(0)
    const began = Date.now()
    expect((await commit(person, id)).data).toMatchObject({ id, state: 'committing', progress: 0, report: null })
    expect(Date.now() - began).toBeLessThan(1_000)
    const seen: BatchView[] = []
    await until(async () => {
      const now = (await open(person)) ?? (await batchOf(person, id))
      expect(now.id).toBe(id)
      seen.push(now)
      return now.state !== 'committing'
    })
    const steps = seen.filter((each) => each.state === 'committing').map((each) => each.progress)
    expect(new Set(steps).size, `${steps}`).toBeGreaterThan(1)
    expect(steps).toEqual([...steps].sort((one, other) => one - other))
    expect(seen.every((each) => each.progress <= each.total)).toBe(true)
    expect(seen.at(-1)).toMatchObject({ state: 'done', failure: null, report: { faultCount: 0, faults: [] } })
    expect(seen.at(-1)!.report!.counts.find((count) => count.entity === 'student')).toMatchObject({ add: 3_002 })
    expect(await countOf(world, person, 'student')).toBe(3_002)
    // Nothing of the archive is kept, nothing is open any more, and what is done is no longer there to be dropped.
    expect(await countOf(world, person, 'import_row')).toBe(0)
    expect(await open(person)).toBeNull()
    expect((await remove(person, id)).msg).toBe('该批次已导入，不能这样操作')
  }, 60_000)

  it('is refused in words while another one runs in the tenant, and hinders no other tenant', async () => {
    const [person, other] = [await world.tenant(), await world.tenant()]
    const clerk = await world.colleague(person, ['oneroster_import'])
    const { id } = await checked(world, person, large())
    const waiting = await checked(world, clerk, packed(small()))
    const answers = await Promise.all([1, 2, 3, 4].map(() => commit(person, id)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400])
    const busy = { status: 400, msg: '“roster.zip”正在导入，请等它结束再开始', data: { id } }
    expect(answers.find((answer) => answer.status === 400)).toMatchObject(busy)
    expect(await upload(world, clerk, packed(small()))).toMatchObject(busy)
    expect(await commit(clerk, waiting.id)).toMatchObject(busy)
    expect((await remove(person, id)).msg).toBe('该批次正在导入，不能这样操作')
    // Who comes to the page sees the one that runs, whoever began it.
    expect(await open(clerk)).toMatchObject({ id, state: 'committing' })
    expect((await upload(world, other, packed(small()))).status).toBe(200)
    await jobsEnded()
    expect(await batchOf(person, id)).toMatchObject({ state: 'done' })
    expect(await countOf(world, person, 'student')).toBe(3_002)
    expect(await open(other)).toMatchObject({ state: 'checked' })
  }, 60_000)

  it('can be dropped between its check and its commit, with everything that was kept of it', async () => {
    const person = await world.tenant()
    const clerk = await world.colleague(person, ['oneroster_import'])
    const { id } = await checked(world, person, packed(small()))
    expect(await countOf(world, person, 'import_row')).toBe(1)
    expect(await open(clerk)).toBeNull()
    expect((await remove(person, id)).status).toBe(200)
    expect(await countOf(world, person, 'import_row')).toBe(0)
    expect((await person.get('blade-user/oneroster/batch', { id })).status).toBe(404)
    expect((await commit(person, id)).status).toBe(404)
    // A new archive takes the place of one that was never imported.
    await checked(world, person, packed(small()))
    await checked(world, person, packed(small()))
    expect(await countOf(world, person, 'import_batch')).toBe(1)
    expect(await countOf(world, person, 'student')).toBe(0)
  })

  it('keeps an archive sealed while it waits', async () => {
    const person = await world.tenant()
    await checked(world, person, packed(small()))
    const { rows } = await world.owner.query<{ cells: Buffer }>('select cells from import_row where tenant_id = $1', [
      person.tenantId,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]!.cells.includes('users.csv')).toBe(false)
    // How every zip begins, as the pieces are written.
    expect(rows[0]!.cells.includes('UEsDB')).toBe(false)
  })

  it('writes nothing and shows the new plan when the data have changed since the check', async () => {
    const person = await world.tenant()
    await imported(world, person, packed(small()))
    const texts = small()
    texts['orgs.csv'] = texts['orgs.csv']!.replace('Demo School', 'Renamed School')
    const { id, report } = await checked(world, person, packed(texts))
    expect(total(report, 'update')).toBe(1)
    await world.inTenant(person.tenantId, (tx) =>
      tx.run(
        sql`update student set name = '改名了', version = version + 1 where tenant_id = ${person.tenantId} and student_no = 'S001'`,
      ),
    )
    expect((await commit(person, id)).status).toBe(200)
    await jobsEnded()
    const after = await batchOf(person, id)
    expect(after).toMatchObject({
      state: 'checked',
      failure: '检查之后数据已有变化，没有导入：请核对新的结果',
    })
    expect((await batchOf(person, id, 'en')).failure).toMatch(/^The data have changed since the check/)
    expect(total(after.report!, 'update')).toBe(2)
    expect((await person.get<{ records: object[] }>('blade-user/school/list')).data.records).toMatchObject([
      { schoolName: 'Demo School' },
    ])
    expect((await commit(person, id)).status).toBe(200)
    await jobsEnded()
    expect(await batchOf(person, id)).toMatchObject({ state: 'done', failure: null })
  })
})

describe('an import that fails', () => {
  it('keeps nothing of it, says why, and can be tried again', async () => {
    const person = await world.tenant()
    const { tenantId } = person
    await imported(world, person, packed(small()))
    const { id } = await checked(world, person, large(50))
    const before = await countOf(world, person, 'history')
    await world.inTenant(tenantId, async (tx) => {
      // Somebody adds a pupil with the same number, and has not yet ended when the import comes to it.
      await tx.run(sql`insert into student (tenant_id, id, school_id, student_no, name, sex, birth_date, id_type, nation, nationality, overseas, politics, health, enroll_date, enroll_way, source, study_way)
        select ${tenantId}, 77, id, 'S120', '抢先', '1', '2018-01-01', 'Z', '01', 'CHN', '00', '13', '10', '2025-09-01', '11', '1', '1' from school where tenant_id = ${tenantId}`)
      expect((await commit(person, id)).status).toBe(200)
      await until(async () => (await world.owner.query('select 1 from pg_locks where not granted')).rowCount! > 0)
    })
    await jobsEnded()
    const after = await batchOf(person, id)
    expect(after).toMatchObject({ state: 'checked', progress: 0 })
    expect(after.failure).toContain('学号')
    expect((await batchOf(person, id, 'en')).failure).toMatch(/^[\x20-\x7e]+$/)
    expect(await countOf(world, person, 'student')).toBe(3)
    expect(await countOf(world, person, 'history')).toBe(before)
  })

  it('because the process was told to stop is rolled back, and can be tried again', async () => {
    const person = await world.tenant()
    const { id } = await checked(world, person, large())
    const kept = ['student', 'school', 'dept', 'history', 'import_row']
    const counts = () => Promise.all(kept.map((name) => countOf(world, person, name)))
    const before = await counts()
    await commit(person, id)
    await writing(person, id)
    await world.restartJobs()
    const failure = '处理被中断，没有写入任何内容，请重试'
    expect(await batchOf(person, id)).toMatchObject({ state: 'checked', failure })
    expect(await counts()).toEqual(before)
    expect((await commit(person, id)).status).toBe(200)
    await jobsEnded()
    expect(await batchOf(person, id)).toMatchObject({ state: 'done', failure: null })
  }, 60_000)

  it('because the process has ended is set back by the next start: a check has failed, a commit can be repeated', async () => {
    const [one, two] = [await world.tenant(), await world.tenant()]
    const first = await checked(world, one, packed(small()))
    const second = await checked(world, two, packed(small()))
    const leave = (person: Person, id: string, state: string) =>
      world.inTenant(person.tenantId, (tx) =>
        tx.run(sql`update import_batch set state = ${state} where tenant_id = ${person.tenantId} and id = ${id}`),
      )
    await leave(one, first.id, 'checking')
    await leave(two, second.id, 'committing')
    await recoverBatches(world.services)
    expect(await batchOf(one, first.id)).toMatchObject({ state: 'failed', failure: '处理被中断，请重试' })
    const failure = '处理被中断，没有写入任何内容，请重试'
    expect(await batchOf(two, second.id)).toMatchObject({ state: 'checked', failure })
    expect((await commit(one, first.id)).status).toBe(400)
    expect((await commit(two, second.id)).status).toBe(200)
    await jobsEnded()
    expect(await batchOf(two, second.id)).toMatchObject({ state: 'done' })
  })
})

describe('who may', () => {
  it('R-PERM-2 import: holders of the code; an archive of another tenant is not found, nor is one by the other import', async () => {
    const [person, other] = [await world.tenant(), await world.tenant()]
    const { id } = await checked(world, person, packed(small()))
    const viewer = await world.colleague(person, ['oneroster_export', 'student_import'])
    expect((await upload(world, viewer, packed(small()))).status).toBe(403)
    expect((await viewer.get('blade-user/oneroster/batch', { id })).status).toBe(403)
    expect((await commit(viewer, id)).status).toBe(403)
    expect((await remove(viewer, id)).status).toBe(403)
    for (const path of ['import/batch', 'import/rows', 'import/faults'])
      expect((await viewer.get(`blade-user/${path}`, { id })).status, path).toBe(404)
    expect((await viewer.post('blade-user/import/remove', undefined, { query: { ids: id } })).status).toBe(404)
    expect((await viewer.get<{ total: number }>('blade-user/import/list')).data.total).toBe(0)
    expect((await other.get('blade-user/oneroster/batch', { id })).status).toBe(404)
    expect((await commit(other, id)).status).toBe(404)
    expect((await remove(other, id)).status).toBe(404)
    expect(await open(other)).toBeNull()
    const place = await makeSchool(other)
    const students = await checkedStudents(world, other, place, await xlsx(table([line(place, 0)])))
    expect((await other.get('blade-user/oneroster/batch', { id: students.id })).status).toBe(404)
    expect((await remove(other, students.id)).status).toBe(404)
    expect(await batchOf(person, id)).toMatchObject({ state: 'checked' })
  })
})

it('R-PERM-3 an archive is the whole tenant: whoever works with a part of it neither takes one out nor brings one in', async () => {
  const admin = await world.tenant()
  const codes = ['oneroster_export', 'oneroster_import', 'student_view', 'user_view']
  const [pupils, staff, whole] = [
    await world.colleague(admin, codes),
    await world.colleague(admin, codes),
    await world.colleague(admin, codes),
  ]
  const { id } = await checked(world, pupils, packed(small()))
  await narrow(admin, pupils, 'student', 'name', '王')
  await narrow(admin, staff, 'user', 'realName', '王')
  const refused = { status: 403, msg: '超出您的数据权限范围' }
  for (const person of [pupils, staff]) {
    expect(await person.get('blade-user/oneroster/export')).toMatchObject(refused)
    expect(await upload(world, person, packed(small()))).toMatchObject(refused)
    expect(await commit(person, id)).toMatchObject(refused)
  }
  expect(await countOf(world, admin, 'student')).toBe(0)
  expect((await whole.get('blade-user/oneroster/export')).status).toBe(200)
  expect((await commit(whole, id)).status).toBe(200)
  await jobsEnded()
  expect(await countOf(world, admin, 'student')).toBeGreaterThan(0)
})
