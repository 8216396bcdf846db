import { entityOf } from '@data-brain/contract'
import type { Quality, QualityCount, QualityFinding } from '@data-brain/contract/calls/quality'
import { type QualityKey, qualityChecks, qualityKeys } from '@data-brain/contract/quality'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { qualityDaily, qualityDigest } from '../src/modules/insight/index.ts'
import { demo, makeDemoWorld } from './demo-world.ts'
import { faultsOf, readTables } from './quality-oracle.ts'
import type { Person, World } from './world.ts'

const accounts = ['admin', 'jiaowu', 'banzhuren', 'xiaozhang', 'jiaoyuju'] as const
let world: World
let people: Record<(typeof accounts)[number], Person>
beforeAll(async () => {
  world = await makeDemoWorld()
  people = Object.fromEntries(
    await Promise.all(accounts.map(async (account) => [account, await world.as(demo, account)])),
  ) as typeof people
  await spoil()
}, 120_000)
afterAll(() => world.close())

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await world.owner.query(text, values)).rows as T[]

/** Writes faults into the rows as they stand, at random; what no rule of a save lets through is written past it. */
async function spoil(): Promise<void> {
  await world.owner.query(`begin; set local session_replication_role = replica;
    update student set photo = null where tenant_id = '${demo}' and random() < 0.3;
    update student set seat_no = null where tenant_id = '${demo}' and random() < 0.1;
    update student set class_id = null, seat_no = null where tenant_id = '${demo}' and random() < 0.05;
    update student set id_expire = current_date - 10 where tenant_id = '${demo}' and random() < 0.05;
    update student set sex = '9' where tenant_id = '${demo}' and random() < 0.03;
    update student set status = 2 where tenant_id = '${demo}' and random() < 0.03;
    update student set birth_date = birth_date - 2000 where tenant_id = '${demo}' and random() < 0.04;
    update student set enroll_date = birth_date + 90 where tenant_id = '${demo}' and random() < 0.02;
    update student set national_code = null, national_code_hash = null, national_code_tail = null where tenant_id = '${demo}' and random() < 0.1;
    update student set id_no = null, id_no_hash = null, id_no_tail = null where tenant_id = '${demo}' and random() < 0.1;
    update student set id_type = null where tenant_id = '${demo}' and id_no is null and random() < 0.5;
    update student t set name = o.name, birth_date = o.birth_date, enroll_date = greatest(enroll_date, o.birth_date + 2500) from (select name, birth_date from student where tenant_id = '${demo}' order by id limit 1) o
      where tenant_id = '${demo}' and random() < 0.02;
    update student set name = overlay(name placing ' · ' from 2 for 0) where tenant_id = '${demo}' and random() < 0.3;
    delete from studentparents where tenant_id = '${demo}' and random() < 0.05;
    delete from studentclass where tenant_id = '${demo}' and random() < 0.05;
    update studentclass set end_date = begin_date + 5 where tenant_id = '${demo}' and random() < 0.05;
    insert into studentclass (tenant_id, id, school_id, student_id, class_id, begin_date)
      select tenant_id, 7000000 + row_number() over (), school_id, student_id, class_id, end_date + 20 from studentclass h
      where tenant_id = '${demo}' and end_date is not null and random() < 0.5
        and not exists (select 1 from studentclass o where o.tenant_id = h.tenant_id and o.student_id = h.student_id and o.begin_date > h.begin_date);
    delete from studentdetail where tenant_id = '${demo}' and random() < 0.05;
    update studentparents set custody_restricted = 1, can_pickup = 1 where tenant_id = '${demo}' and random() < 0.04;
    update studentparents set is_guardian = 0 where tenant_id = '${demo}' and random() < 0.3;
    update studentparents set is_emergency = 0 where tenant_id = '${demo}' and random() < 0.3;
    update studentparents p set parent_name = s.name from student s where p.tenant_id = '${demo}' and s.tenant_id = p.tenant_id and s.id = p.student_id and random() < 0.03;
    update studentparents p set mobile_hash = o.mobile_hash from (select mobile_hash from studentparents where tenant_id = '${demo}' and mobile_hash is not null and contact_priority = 1 order by id limit 1) o
      where tenant_id = '${demo}' and contact_priority = 1 and random() < 0.05;
    update studentparents p set parent_name = '同名' where tenant_id = '${demo}' and random() < 0.1;
    update studentparents p set parent_name = ' 同　名' where tenant_id = '${demo}' and random() < 0.1;
    update app_user set phone = null, phone_hash = null, phone_tail = null where tenant_id = '${demo}' and random() < 0.1;
    update app_user set staff_no = null where tenant_id = '${demo}' and random() < 0.1;
    update app_user set leave_date = current_date - 3 where tenant_id = '${demo}' and user_type = '1' and random() < 0.1;
    update app_user set max_week_hours = 3 where tenant_id = '${demo}' and random() < 0.3;
    update app_user set birthday = '1990-01-01', hire_date = '2000-01-01' where tenant_id = '${demo}' and random() < 0.1;
    update schoolclass set max_size = 3 where tenant_id = '${demo}' and random() < 0.2;
    update student set grade_id = (select min(grade_id) from student where tenant_id = '${demo}') where tenant_id = '${demo}' and random() < 0.04;
    update schoolclass set head_teacher_id = null where tenant_id = '${demo}' and random() < 0.2;
    update schoolclass set classroom_id = null where tenant_id = '${demo}' and random() < 0.2;
    update schoolclassroom set capacity = 5, exam_capacity = null where tenant_id = '${demo}' and random() < 0.3;
    update school set principal_id = null where tenant_id = '${demo}' and random() < 0.5;
    update schoolsemester set end_date = end_date + 40 where tenant_id = '${demo}' and semester_no = 2;
    update entity_stamp set stamp = stamp + 1 where tenant_id = '${demo}'; commit`)
}

const ask = async (who: Person, query: Record<string, string> = {}): Promise<Quality> => {
  const answer = await who.get<Quality>('blade-desk/quality/summary', query)
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}
interface Findings {
  total: number
  records: QualityFinding[]
}
const list = async (who: Person, query: Record<string, string>): Promise<Findings> => {
  const answer = await who.get<Findings>('blade-desk/quality/list', { size: '50', ...query })
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}
const of = (shown: Quality, key: string): QualityCount => shown.checks.find((check) => check.key === key)!

describe('R-DEV-4 each check finds just the rows that are at fault', () => {
  it('counts as a statement written by hand, over all that an administrator sees', async () => {
    const shown = await ask(people.admin)
    expect(shown.checks.map(({ key }) => key).sort()).toEqual([...qualityKeys].sort())
    const told = shown.checks.map(({ key, count }) => [key, count])
    const tables = await readTables(world, demo)
    const counted = shown.checks.map(({ key }) => [key, faultsOf(tables, key as QualityKey).length])
    expect(told).toEqual(counted)
    // An oracle that agrees about nothing has seen nothing.
    expect(shown.checks.filter(({ count }) => count > 0).length).toBeGreaterThan(28)
  }, 120_000)

  for (const account of accounts)
    it(`of what ${account} sees, and no other row`, async () => {
      const who = people[account]
      const shown = await ask(who)
      expect(shown.checks.length).toBeGreaterThan(10)
      for (const { key, count, ignored, code, query } of shown.checks) {
        const found = await list(who, { check: key })
        expect([key, found.total]).toEqual([key, count])
        expect(found.records.length).toBe(Math.min(50, count))
        if (query) {
          const answer = await who.get<{ total: number }>(`${entityOf(code).path}/list`, { ...query, size: '10' })
          expect([key, answer.data?.total ?? answer.msg]).toEqual([key, count + ignored])
        }
        // What the own list does not show, no finding does.
        const ids = found.records.slice(0, 10).map(({ id }) => id)
        if (ids.length === 0) continue
        const rows = await who.get<{ total: number }>(`${entityOf(code).path}/list`, { ids: ids.join(','), size: '50' })
        expect([key, rows.data.total]).toEqual([key, ids.length])
      }
    }, 120_000)

  it('lists what all checks find one after the other, each finding once', async () => {
    const who = people.banzhuren
    const sum = (await ask(who)).checks.reduce((all, { count }) => all + count, 0)
    const found = new Set<string>()
    for (let current = 1; (current - 1) * 50 < sum; current += 1) {
      const { total, records } = await list(who, { current: String(current) })
      expect(total).toBe(sum)
      for (const { check, id } of records) found.add(`${check} ${id}`)
    }
    expect(found.size).toBe(sum)
  }, 60_000)

  it('tells of one record what its checks find, as it stands after each change', async () => {
    const who = people.jiaowu
    const { records } = await list(who, { check: 'pupilPhoto' })
    const { id } = records[0]!
    const wanted: string[] = []
    for (const key of qualityKeys.filter((each) => qualityChecks[each].entity === 'student'))
      for (let current = 1, left = 1; left > 0; current += 1) {
        const found = await list(who, { check: key, current: String(current) })
        if (found.records.some((each) => each.id === id)) wanted.push(key)
        left = found.total - current * 50
      }
    const ofRecord = async () => (await list(who, { code: 'student', id })).records.map(({ check }) => check).sort()
    expect(await ofRecord()).toEqual(wanted.sort())
    const { data } = await who.get<Record<string, unknown>>('blade-user/student/detail', { id })
    const saved = await who.post('blade-user/student/submit', { ...data, sex: '9', idType: null, idNo: null })
    expect(saved.msg).toBe('操作成功')
    expect(await ofRecord()).toContain('pupilSex')
    expect((await list(who, { code: 'school', id })).total).toBe(0)
    expect((await list(who, { code: 'student', id: 'x' })).total).toBe(0)
  }, 120_000)

  it('tells of one record nothing to whoever does not see it, and to whoever does no more than to the administrator', async () => {
    const found = await Promise.all([people.admin, people.banzhuren].map((who) => list(who, { check: 'pupilPhoto' })))
    const ids = new Set(found.flatMap(({ records }) => records.map(({ id }) => id)))
    const seen = new Set<string>()
    for (const id of ids)
      if ((await people.banzhuren.get('blade-user/student/detail', { id })).code === 200) seen.add(id)
    expect(seen.size).toBeGreaterThan(0)
    expect(ids.size).toBeGreaterThan(seen.size)
    const checksOf = async (who: Person, id: string) =>
      (await list(who, { code: 'student', id })).records.map(({ check }) => check)
    for (const id of ids) {
      const all = await checksOf(people.admin, id)
      expect(all).toContain('pupilPhoto')
      const told = await checksOf(people.banzhuren, id)
      // A twin out of reach is no finding of theirs.
      expect(all).toEqual(expect.arrayContaining(told))
      expect([id, told.includes('pupilPhoto'), told.length > 0]).toEqual([id, seen.has(id), seen.has(id)])
    }
  }, 120_000)

  it('names twins only to whoever sees both', async () => {
    const { records } = await list(people.admin, { check: 'pupilTwin' })
    expect(records.length).toBeGreaterThan(1)
    expect(records[0]!.others.length).toBeGreaterThan(0)
    for (const { others } of (await list(people.banzhuren, { check: 'pupilTwin' })).records)
      for (const { id } of others)
        expect((await people.banzhuren.get('blade-user/student/detail', { id })).code).toBe(200)
  })

  it('of one school alone, and of each school as its rows say', async () => {
    const schools = await rows<{ id: string }>(
      `select id::text as id from school where tenant_id = $1 and status = 1 order by sort, id`,
      [demo],
    )
    expect(schools.length).toBeGreaterThan(1)
    const whole = await ask(people.admin)
    const each = await Promise.all(schools.map(({ id }) => ask(people.admin, { schoolId: id })))
    for (const { key, count } of whole.checks.filter(({ code }) => code !== 'user'))
      expect([key, each.reduce((sum, one) => sum + of(one, key).count, 0)]).toEqual([key, count])
    for (const one of each) expect(one.checks.some(({ code }) => code === 'user')).toBe(false)
    const missing = qualityKeys.filter((key) => key.startsWith('pupil') && qualityChecks[key].kind === 'missing')
    const tables = await readTables(world, demo)
    const faulty = new Set(missing.flatMap((key) => faultsOf(tables, key)))
    const total = await rows<{ id: string }>(`select id::text as id from student where tenant_id = $1 and status = 1`, [
      demo,
    ])
    expect(whole.schools.reduce((sum, { complete }) => sum + complete, 0)).toBe(total.length - faulty.size)
    expect(whole.schools.reduce((sum, one) => sum + one.total, 0)).toBe(total.length)
    expect(whole.pupils).toEqual({ total: total.length, complete: total.length - faulty.size })
  }, 60_000)
})

describe('R-DEV-4 what is decided about a finding', () => {
  const check = 'pupilPhoto'
  it('leaves the count with a reason, stands apart, and comes back', async () => {
    const before = of(await ask(people.jiaowu), check)
    const [first] = (await list(people.jiaowu, { check })).records
    const ignore = (more: object) => people.jiaowu.post('blade-desk/quality/ignore', { check, id: first!.id, ...more })
    for (const bad of [{ ignored: 1 }, { ignored: 1, reason: '  ' }, { ignored: 1, reason: 'x'.repeat(1_000_000) }])
      expect((await ignore(bad)).code).toBe(400)
    expect(of(await ask(people.jiaowu), check).count).toBe(before.count)
    expect((await ignore({ ignored: 1, reason: '家长不同意拍照' })).code).toBe(200)
    const after = of(await ask(people.jiaowu), check)
    expect([after.count, after.ignored]).toEqual([before.count - 1, before.ignored + 1])
    const apart = await list(people.jiaowu, { check, ignored: '1' })
    expect(apart.records.map(({ id, reason }) => [id, reason])).toContainEqual([first!.id, '家长不同意拍照'])
    expect((await list(people.jiaowu, { check })).records.map(({ id }) => id)).not.toContain(first!.id)
    expect((await ignore({ ignored: 0 })).code).toBe(200)
    expect(of(await ask(people.jiaowu), check)).toEqual(before)
    expect(await rows('select 1 from quality_mark where row_id = $1', [first!.id])).toEqual([])
  })

  it('is somebody’s to put right, who is told and finds it in an own list until it is', async () => {
    const [first] = (await list(people.admin, { check })).records
    const assign = (more: object) => people.admin.post('blade-desk/quality/assign', { check, id: first!.id, ...more })
    const owner = people.jiaowu.userId
    expect((await assign({ ownerId: '99', dueDay: '2099-01-01' })).code).toBe(400)
    expect((await assign({ ownerId: owner, dueDay: '2020-01-01' })).code).toBe(400)
    expect((await assign({ ownerId: owner, dueDay: '2099-01-01' })).code).toBe(200)
    const mine = await list(people.jiaowu, { mine: '1' })
    expect(mine.records.map(({ id, dueDay, ownerId }) => [id, dueDay, ownerId])).toEqual([
      [first!.id, '2099-01-01', owner],
    ])
    expect((await ask(people.jiaowu)).mine).toBe(1)
    expect((await ask(people.admin)).mine).toBe(0)
    const told = await people.jiaowu.get<{ records: { kind: string }[] }>('blade-desk/inbox/list', { unread: '1' })
    expect(told.data?.records.map(({ kind }) => kind) ?? told.msg).toContain('quality-assigned')
    await qualityDigest.run(world.services, { tenantId: demo, signal: new AbortController().signal })
    const digest = await rows<{ title: string }>(
      `select title from inbox where tenant_id = $1 and user_id = $2 and kind = 'quality-digest'`,
      [demo, owner],
    )
    expect(digest).toHaveLength(1)
    expect((await assign({})).code).toBe(200)
    expect((await ask(people.jiaowu)).mine).toBe(0)
    // Whoever cannot reach the record, or may not change it, cannot put it right.
    const reader = await world.colleague(people.admin, ['student_view'])
    const { data } = await people.banzhuren.get<{ records: { id: string }[] }>('blade-user/student/list', { size: 200 })
    const own = new Set(data.records.map(({ id }) => id))
    const others = (await list(people.admin, { check })).records.find(({ id }) => !own.has(id))!
    for (const who of [reader, people.banzhuren]) {
      const answer = await people.admin.post('blade-desk/quality/assign', {
        ...{ check, id: others.id, ownerId: who.userId, dueDay: '2099-01-01' },
      })
      expect([answer.code, answer.msg]).toEqual([400, '负责人：不能修改这条记录，请另选'])
    }
  })

  it('is forgotten once the finding is mended: one that comes again is a new one', async () => {
    const [first, other] = (await list(people.admin, { check })).records
    for (const { id } of [first!, other!])
      expect(
        (await people.admin.post('blade-desk/quality/ignore', { check, id, ignored: 1, reason: '暂缺' })).code,
      ).toBe(200)
    const set = (photo: string | null) =>
      rows(`update student set photo = $2 where tenant_id = '${demo}' and id = $1`, [first!.id, photo])
    await rows(`set session_replication_role = replica`)
    await set('1')
    await qualityDaily.run(world.services, { tenantId: demo, signal: new AbortController().signal })
    await set(null)
    await rows(`set session_replication_role = origin`)
    const marks = await rows<{ id: string }>('select row_id::text as id from quality_mark')
    expect(marks.map(({ id }) => id)).toEqual([other!.id])
    expect((await list(people.admin, { check })).records.map(({ id }) => id)).toContain(first!.id)
    await people.admin.post('blade-desk/quality/ignore', { check, id: other!.id, ignored: 0 })
    await rows('delete from quality_daily')
  })

  it('is nobody’s to decide who may not change the record, nor out of reach, nor where there is no finding', async () => {
    const { records } = await list(people.admin, { check })
    const ignore = (who: Person, id: string, key = check) =>
      who.post('blade-desk/quality/ignore', { check: key, id, ignored: 1, reason: 'x' })
    const reader = await world.colleague(people.admin, ['student_view'])
    expect((await ignore(reader, records[0]!.id)).code).toBe(403)
    const stranger = await world.tenant()
    expect((await ignore(stranger, records[0]!.id)).code).toBe(404)
    const own = await rows<{ id: string }>(
      `select id::text as id from student where tenant_id = $1 and photo is not null limit 1`,
      [demo],
    )
    for (const id of [own[0]?.id ?? '7', '0', 'x', '99999999999999999999'])
      expect([id, (await ignore(people.admin, id)).code]).not.toEqual([id, 200])
    expect((await ignore(people.admin, records[0]!.id, 'nothing')).code).toBe(400)
    expect((await people.admin.get('blade-desk/quality/list', { check: 'nothing' })).code).toBe(400)
    expect(await rows('select 1 from quality_mark')).toEqual([])
  })

  it('tells another tenant nothing, nor of a school out of reach', async () => {
    const stranger = await world.tenant()
    const shown = await ask(stranger)
    expect(shown.checks.filter(({ count, code }) => count > 0 && code !== 'user')).toEqual([])
    expect(shown.schools).toEqual([])
    const [school] = await rows<{ id: string }>(`select id::text as id from school where tenant_id = $1 limit 1`, [
      demo,
    ])
    expect((await stranger.get('blade-desk/quality/summary', { schoolId: school!.id })).code).toBe(404)
    expect((await stranger.get('blade-desk/quality/list', { check, schoolId: school!.id })).code).toBe(404)
  })
})

describe('R-DEV-4 what a tenant sets, and what is kept of each day', () => {
  it('leaves out what is switched off, and takes the limit of the tenant', async () => {
    const set = async (paramKey: string, paramValue: string) =>
      world.owner.query(
        `insert into param (tenant_id, id, param_name, param_key, param_value) values ($1, $2, $3, $3, $4)
         on conflict (tenant_id, param_key) do update set param_value = excluded.param_value`,
        [demo, String(Date.now()), paramKey, paramValue],
      )
    const before = of(await ask(people.admin), 'parentPhone').count
    expect(before).toBeGreaterThan(0)
    await set('quality.phoneFamilies', '50')
    await set('quality.off', 'pupilSex, staffNo')
    const shown = await ask(people.admin)
    expect(shown.checks.map(({ key }) => key)).not.toContain('pupilSex')
    expect(shown.checks).toHaveLength(qualityKeys.length - 2)
    expect((await people.admin.get('blade-desk/quality/list', { check: 'pupilSex' })).code).toBe(404)
    expect(of(shown, 'parentPhone').count).toBe(faultsOf(await readTables(world, demo), 'parentPhone', 50).length)
    await world.owner.query(`delete from param where tenant_id = $1 and param_key like 'quality.%'`, [demo])
  })

  it('keeps each day once, and shows past days to whoever reaches all', async () => {
    const signal = new AbortController().signal
    await qualityDaily.run(world.services, { tenantId: demo, signal })
    const kept = () => rows(`select * from quality_daily where tenant_id = $1 order by school_id, check_key`, [demo])
    const first = await kept()
    expect(first.length).toBeGreaterThan(20)
    await world.owner.query(`update student set photo = null where tenant_id = $1`, [demo])
    await qualityDaily.run(world.services, { tenantId: demo, signal })
    expect(await kept()).toEqual(first)
    const { trend } = await ask(people.admin)
    expect(trend).toHaveLength(1)
    expect(trend[0]!.count).toBe(first.reduce((sum: number, row) => sum + (row as { count: number }).count, 0))
    expect((await ask(people.banzhuren)).trend).toEqual([])
  })
})
