import { school, schoolcalendarday, schoolsemester } from '@data-brain/contract'
import { addDays, weekdayOf } from '@data-brain/contract/rules/school-year'
import { everyKeys } from '@data-brain/contract/subscription'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseGrants } from '../src/kernel/authenticate.ts'
import { deliverMail } from '../src/modules/mail/index.ts'
import { deliverReports, reportDelivery } from '../src/modules/subscription/index.ts'
import { account, type MailHost, makeMailHost, password } from './mail-server.ts'
import { sample } from './sample.ts'
import { jobsEnded, makeWorld, type Person, type Row, type World } from './world.ts'

const path = 'blade-report/report/rest'
const own = 'blade-report/subscription'
const codes = [
  ...['report_view', 'report_add', 'report_delete', 'report_export', 'school_view', 'school_export'],
  ...['reportsubscription_view', 'reportsubscription_add', 'reportsubscription_edit', 'reportsubscription_delete'],
]

let world: World
let host: MailHost
beforeAll(async () => {
  world = await makeWorld()
  host = await makeMailHost()
  Object.assign(world.services.environment, {
    outboundAllow: [`127.0.0.1:${host.port}`],
    publicUrl: 'https://data.school.example/',
  })
}, 120_000)
afterAll(async () => {
  await host?.close()
  await world?.close()
})

const content = (more: Record<string, unknown> = {}) => ({
  ...{ entity: 'school', columns: ['schoolName'], filter: null, parameters: [], groups: [], cross: null },
  ...{ measures: [], sort: null, chart: 'none', hideBelow: 0 },
  ...more,
})

interface Place {
  readonly admin: Person
  readonly clerk: Person
  readonly reportId: string
}
/** A clerk of a new tenant with a report of their own. */
async function place(more: Record<string, unknown> = {}): Promise<Place> {
  const admin = await world.tenant()
  const clerk = await world.colleague(admin, codes)
  const made = await clerk.post<Row>(`${path}/submit`, { name: '学校一览', content: content(more), roleIds: [] })
  expect(made.msg).toBe('操作成功')
  return { admin, clerk, reportId: made.data.id }
}
const daily = { every: everyKeys.day, hour: 7, format: 'xlsx', way: '1' }
const subscribe = (who: Person, reportId: string, more: Record<string, unknown> = {}) =>
  who.post<Row>(`${path}/subscribe`, { reportId, ...daily, ...more })
async function subscribed(who: Person, reportId: string, more: Record<string, unknown> = {}): Promise<Row> {
  const answer = await subscribe(who, reportId, more)
  expect(answer.msg).toBe('操作成功')
  return answer.data
}
const detail = async (who: Person, id: string): Promise<Row> => (await who.get<Row>(`${own}/detail`, { id })).data
const messages = async (who: Person) =>
  (
    await who.get<{ records: { kind: string; title: string; body: string; link: string }[] }>('blade-desk/inbox/list')
  ).data.records.filter(({ kind }) => kind.startsWith('report-'))
/** A moment of the schools' clock. */
const at = (moment: unknown): Date => new Date(`${String(moment).replace(' ', 'T')}+08:00`)
const run = (who: Person, moment: unknown) => deliverReports(world.services, who.tenantId, at(moment))
const days = (moment: unknown, count: number): string =>
  `${addDays(String(moment).slice(0, 10), count)} ${String(moment).slice(11)}`
const jobsOf = async ({ tenantId }: Person): Promise<number> =>
  (await world.owner.query('select 1 from job where tenant_id = $1', [tenantId])).rowCount!
/** Takes rights away, as a change of the role does. */
async function withdraw({ tenantId, userId }: Person, code: string): Promise<void> {
  await world.owner.query(
    `delete from role_menu m using app_user_role l, menu c where m.tenant_id = $1 and l.tenant_id = $1 and l.owner_id = $2
       and m.role_id = l.target_id and c.id = m.menu_id and c.code = $3`,
    [tenantId, userId, code],
  )
  await world.inTenant(tenantId, (tx) => raiseGrants(tx, tenantId))
}

describe('R-DEV-7 a report that comes by the clock', () => {
  it('R-DEV-7 comes as a sealed file at its moment, to whoever subscribed, and says when it comes next', async () => {
    const { admin, clerk, reportId } = await place()
    await sample(admin, schoolcalendarday)
    const { id, nextRun } = await subscribed(clerk, reportId)
    expect(nextRun).toMatch(/ 07:00:00$/)
    expect(await run(clerk, days(nextRun, -1))).toEqual({ asked: 0, paused: 0 })
    expect(await run(clerk, nextRun)).toEqual({ asked: 1, paused: 0 })
    await jobsEnded()
    const [told] = await messages(clerk)
    expect(told).toMatchObject({ kind: 'report-ready', title: '订阅的报表已生成：学校一览', link: '/job/mine' })
    const [job] = (await clerk.get<Row[]>('blade-system/job/mine')).data
    const file = await world.http.inject({
      method: 'GET',
      url: `/api/blade-system/job/file?id=${job!.id}`,
      headers: { 'blade-auth': `bearer ${clerk.token}` },
    })
    expect(file.statusCode).toBe(200)
    expect(file.rawPayload.subarray(0, 2).toString()).toBe('PK')
    expect(await messages(admin)).toHaveLength(0)
    expect(await detail(clerk, id)).toMatchObject({ lastRun: nextRun, nextRun: days(nextRun, 1), status: 1 })
    // The file stays for a week.
    const { expires } = job!.result as { expires: string }
    expect(at(expires).getTime() - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  })

  it('R-DEV-7 once, by two servers at once, and once after days on which none ran', async () => {
    const { clerk, reportId } = await place()
    const { nextRun, id } = await subscribed(clerk, reportId)
    const late = days(nextRun, 5)
    const twice = await Promise.all([run(clerk, late), run(clerk, late), run(clerk, late)])
    expect(twice.reduce((sum, { asked }) => sum + asked, 0)).toBe(1)
    expect(await run(clerk, late)).toEqual({ asked: 0, paused: 0 })
    await jobsEnded()
    expect(await jobsOf(clerk)).toBe(1)
    expect(await messages(clerk)).toHaveLength(1)
    expect(await detail(clerk, id)).toMatchObject({ nextRun: days(late, 1) })
  })

  it('R-DEV-7 on the first school day by the calendar, also where that is changed afterwards', async () => {
    const { admin, clerk, reportId } = await place()
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const monday = addDays(today, 15 - weekdayOf(today))
    const { draft, made } = await sample(admin, schoolsemester)
    const saved = await admin.post<Row>(`${schoolsemester.path}/submit`, draft)
    expect(saved.msg).toBe('操作成功')
    // A term around today, which no draft can have: its year is another.
    await world.owner.query(
      `update schoolsemester set begin_date = $3, end_date = $4, first_week_monday = $3, week_count = 12 where tenant_id = $1 and id = $2`,
      [admin.tenantId, saved.data.id, addDays(monday, -28), addDays(monday, 60)],
    )
    await world.owner.query(`update school set teach_days = '{1,2,3,4,5}' where tenant_id = $1`, [admin.tenantId])
    const schoolId = made.get('school')!
    const holiday = (day: string) =>
      admin.post<Row>(`${schoolcalendarday.path}/submit`, { schoolId, day, dayType: '2', dayName: '停课' })
    const { id, nextRun, calendarId } = await subscribed(clerk, reportId, { every: everyKeys.schoolWeek })
    // There is one school only.
    expect(calendarId).toBe(schoolId)
    const week = addDays(String(nextRun).slice(0, 10), 1 - weekdayOf(String(nextRun).slice(0, 10)))
    expect(String(nextRun)).toBe(`${week} 07:00:00`)
    expect((await holiday(week)).msg).toBe('操作成功')
    expect(await run(clerk, nextRun)).toEqual({ asked: 0, paused: 0 })
    expect(await detail(clerk, id)).toMatchObject({ nextRun: days(nextRun, 1), lastRun: null })
    expect(await run(clerk, days(nextRun, 1))).toEqual({ asked: 1, paused: 0 })
    expect(await detail(clerk, id)).toMatchObject({ nextRun: days(nextRun, 7) })
    await jobsEnded()
  })

  it('R-DEV-7 waits where the calendar ends, until it goes on', async () => {
    const { admin, clerk, reportId } = await place()
    await sample(admin, schoolcalendarday)
    const { id, nextRun } = await subscribed(clerk, reportId, { every: everyKeys.schoolTerm })
    expect(nextRun).toBeNull()
    expect(await run(clerk, '2026-12-01 07:00:00')).toEqual({ asked: 0, paused: 0 })
    expect(await detail(clerk, id)).toMatchObject({ status: 1, nextRun: null })
  })
})

describe('R-DEV-7 a report comes with the rights of that moment', () => {
  it('R-DEV-7 is paused where a right is gone, told why once, and turned on again', async () => {
    const { clerk, reportId } = await place()
    const { id, nextRun } = await subscribed(clerk, reportId)
    await withdraw(clerk, 'school_export')
    expect(await run(clerk, nextRun)).toEqual({ asked: 0, paused: 1 })
    expect(await run(clerk, days(nextRun, 1))).toEqual({ asked: 0, paused: 0 })
    const told = await messages(clerk)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      kind: 'report-paused',
      title: '报表订阅已暂停：学校一览',
      link: '/report/subscription',
    })
    expect(told[0]!.body).toContain('school_export')
    const paused = await detail(clerk, id)
    expect(paused).toMatchObject({ status: 2, nextRun: null, pauseReason: expect.stringContaining('school_export') })
    expect(await jobsOf(clerk)).toBe(0)
    // Not before the right is back.
    const refused = await clerk.post(`${own}/submit`, { id, version: paused.version, status: 1 })
    expect(refused.status).toBe(403)
    const [granted] = await world.menuIds(['school_export'])
    await world.owner.query(
      `insert into role_menu (tenant_id, role_id, menu_id) select $1, target_id, $3 from app_user_role where tenant_id = $1 and owner_id = $2`,
      [clerk.tenantId, clerk.userId, granted],
    )
    await world.inTenant(clerk.tenantId, (tx) => raiseGrants(tx, clerk.tenantId))
    const on = await clerk.post<Row>(`${own}/submit`, { id, version: paused.version, status: 1 })
    expect(on.data).toMatchObject({ status: 1, pauseReason: null, nextRun: expect.stringMatching(/ 07:00:00$/) })
  })

  it('R-DEV-7 is paused where the report is no longer shared, or asks for something else', async () => {
    const { admin, clerk, reportId } = await place({ parameters: ['schoolType'] })
    const { rows } = await world.owner.query<{ id: string }>(
      'select target_id::text as id from app_user_role where tenant_id = $1 and owner_id = $2',
      [admin.tenantId, clerk.userId],
    )
    const shared = await admin.post<Row>(`${path}/submit`, {
      name: '共享的',
      content: content(),
      roleIds: rows.map(({ id }) => id),
    })
    const one = await subscribed(clerk, shared.data.id)
    const two = await subscribed(clerk, reportId, { parameters: { schoolType: '21' } })
    expect(two.asked).toEqual({ all: [{ field: 'schoolType', op: 'in', value: ['21'] }] })
    const { version } = shared.data
    await admin.post(`${path}/submit`, { id: shared.data.id, version, roleIds: [] })
    await world.owner.query(
      `update report set content = content || '{"parameters": []}' where tenant_id = $1 and id = $2`,
      [admin.tenantId, reportId],
    )
    expect(await run(clerk, one.nextRun)).toEqual({ asked: 0, paused: 2 })
    expect(await detail(clerk, one.id)).toMatchObject({ status: 2, pauseReason: '报表已删除，或不再共享给您' })
    expect(await detail(clerk, two.id)).toMatchObject({ status: 2, pauseReason: expect.stringContaining('schoolType') })
  })

  it('R-DEV-7 ends with its report, and says so to others than whoever removed it', async () => {
    const { admin, clerk, reportId } = await place()
    const { id } = await subscribed(clerk, reportId)
    await subscribed(admin, reportId)
    expect((await clerk.remove(path, reportId)).msg).toBe('操作成功')
    expect((await clerk.get(`${own}/detail`, { id })).status).toBe(404)
    expect(await messages(admin)).toMatchObject([{ kind: 'report-ended', title: '报表已删除，订阅已结束：学校一览' }])
    expect(await messages(clerk)).toHaveLength(0)
  })

  it('R-DEV-7 comes back with its report, where the removal is taken back, and where its own is', async () => {
    const { admin, clerk, reportId } = await place()
    const { id, nextRun } = await subscribed(clerk, reportId)
    const others = await subscribed(admin, reportId)
    const removed = await clerk.post<{ requestId: string }>(`${path}/remove`, undefined, { query: { ids: reportId } })
    expect(removed.msg).toBe('操作成功')
    const undone = await clerk.post('blade-log/history/undo', undefined, {
      query: { requestId: removed.data.requestId },
    })
    expect(undone.msg).toBe('操作成功')
    expect(await detail(clerk, id)).toMatchObject({ nextRun, status: 1, createUser: clerk.userId })
    // What is others' is theirs to take up again.
    expect((await admin.get(`${own}/detail`, { id: others.id })).status).toBe(404)
    const ended = await clerk.post<{ requestId: string }>(`${own}/remove`, undefined, { query: { ids: id } })
    await clerk.post('blade-log/history/undo', undefined, { query: { requestId: ended.data.requestId } })
    expect(await detail(clerk, id)).toMatchObject({ nextRun, status: 1 })
  })

  it('R-DEV-7 does not come to whoever was disabled, nor in a tenant that is, or whose time is over', async () => {
    const { admin, clerk, reportId } = await place()
    const { id, nextRun } = await subscribed(clerk, reportId)
    const look = async (moment: unknown): Promise<string[]> =>
      (
        await world.services.platform.query<{ code: string }>('select code from reports_waiting($1) code', [
          at(moment).toISOString(),
        ])
      ).rows.map(({ code }) => code)
    expect(await look(nextRun)).toContain(admin.tenantId)
    await world.owner.query('update tenant set status = 0 where tenant_id = $1', [admin.tenantId])
    expect(await look(nextRun)).not.toContain(admin.tenantId)
    await world.owner.query(`update tenant set status = 1, expire_time = now() where tenant_id = $1`, [admin.tenantId])
    expect(await look(nextRun)).not.toContain(admin.tenantId)
    await world.owner.query(`update tenant set expire_time = null where tenant_id = $1`, [admin.tenantId])
    await world.owner.query('update app_user set status = 2 where tenant_id = $1 and id = $2', [
      clerk.tenantId,
      clerk.userId,
    ])
    expect(await run(clerk, nextRun)).toEqual({ asked: 0, paused: 1 })
    expect(await detail(admin, id)).toMatchObject({ status: 2, pauseReason: '订阅人已停用或删除' })
  })

  it('R-DEV-7 tells of a file that could not be made, and comes again the next time', async () => {
    const { clerk, reportId } = await place()
    const { id, nextRun } = await subscribed(clerk, reportId)
    await world.owner.query(
      `create function no_attach() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`,
    )
    await world.owner.query(`create trigger no_attach before insert on attach_loose execute function no_attach()`)
    try {
      await run(clerk, nextRun)
      await jobsEnded()
    } finally {
      await world.owner.query('drop trigger no_attach on attach_loose')
    }
    expect(await messages(clerk)).toMatchObject([{ kind: 'report-failed', title: '订阅的报表未能生成：学校一览' }])
    expect(await detail(clerk, id)).toMatchObject({ status: 1, nextRun: days(nextRun, 1) })
  })
})

it('R-DEV-7 a report is asked what it was asked when it was subscribed to', async () => {
  const { admin, clerk, reportId } = await place({ parameters: ['schoolType'] })
  const made = new Map<string, string>()
  for (const [schoolName, schoolType] of [
    ['第一小学', '21'],
    ['第一中学', '31'],
  ]) {
    const { draft } = await sample(admin, school, made)
    expect(
      (
        await admin.post(`${school.path}/submit`, {
          ...draft,
          schoolName,
          schoolType,
          schoolCode: `${schoolType}11900001`,
        })
      ).msg,
    ).toBe('操作成功')
  }
  const { nextRun } = await subscribed(clerk, reportId, { parameters: { schoolType: '31,21' }, format: 'csv' })
  await subscribed(clerk, reportId, { parameters: { schoolType: '31' }, format: 'csv' })
  await run(clerk, nextRun)
  await jobsEnded()
  const jobs = (await clerk.get<Row[]>('blade-system/job/mine')).data
  const rows = jobs.map(({ result }) => (result as { rows: number }).rows)
  expect(rows.toSorted()).toEqual([1, 2])
})

describe('R-DEV-7 subscriptions are one’s own', () => {
  it('R-DEV-7 nobody sees or changes those of others; an administrator pauses and removes them, and no more', async () => {
    const { admin, clerk, reportId } = await place()
    const other = await world.colleague(admin, codes)
    const row = await subscribed(clerk, reportId)
    const { id, version } = row
    expect((await other.get(`${own}/detail`, { id })).status).toBe(404)
    expect((await other.get<{ total: number }>(`${own}/list`)).data.total).toBe(0)
    expect((await other.remove(own, id)).status).toBe(404)
    expect((await other.post(`${own}/submit`, { id, version, hour: 8 })).status).toBe(404)
    expect((await admin.get<{ total: number }>(`${own}/list`)).data.total).toBe(1)
    const refused = await admin.post(`${own}/submit`, { id, version, hour: 8 })
    expect(refused.msg).toContain('他人的订阅')
    const paused = await admin.post<Row>(`${own}/submit`, { id, version, status: 2 })
    expect(paused.data).toMatchObject({ status: 2, nextRun: null })
    expect((await admin.post(`${own}/submit`, { id, version: paused.data.version, status: 1 })).msg).toContain(
      '他人的订阅',
    )
    expect((await admin.remove(own, id)).msg).toBe('操作成功')
  })

  it('R-DEV-7 what makes no sense is refused by the name of its field', async () => {
    const { admin, clerk, reportId } = await place()
    const refused = async (more: Record<string, unknown>) => (await subscribe(clerk, reportId, more)).msg
    expect(await refused({ every: '* * * * *' })).toContain('频率')
    expect(await refused({ hour: 24 })).toContain('几点')
    expect(await refused({ hour: '*/2' })).toContain('几点')
    expect(await refused({ every: everyKeys.week })).toContain('星期')
    expect(await refused({ every: everyKeys.schoolWeek })).toContain('按哪所学校的校历')
    expect(await refused({ format: 'docx' })).toContain('格式')
    expect(await refused({ way: '9' })).toContain('送达方式')
    expect(await refused({ parameters: { schoolType: '21' } })).toContain('schoolType')
    const any = { any: [{ field: 'schoolType', op: 'in', value: ['21'] }] }
    expect((await clerk.post(`${own}/submit`, { reportId, ...daily, fileLanguage: 'zh', asked: any })).msg).toContain(
      '运行时询问',
    )
    const english = await clerk.post(`${path}/subscribe`, { reportId, ...daily, every: 'hourly' }, { language: 'en' })
    expect(english.msg).toContain('How often')
    const strange = await admin.post<Row>(`${path}/submit`, { name: '别人的', content: content(), roleIds: [] })
    expect((await subscribe(clerk, strange.data.id)).code).not.toBe(200)
    for (let n = 0; n < 20; n += 1) await subscribed(clerk, reportId)
    expect(await refused({})).toContain('最多20个订阅')
  })
})

describe('R-DEV-7 mail says that a file is ready', () => {
  const service = async (admin: Person): Promise<void> => {
    const made = await admin.post<Row>('blade-resource/mail/submit', {
      ...{ mailCode: 'M1', host: '127.0.0.1', port: host.port, encryption: '3', account, password },
      ...{ fromAddress: 'office@school.example', perMinute: 100, perDay: 1_000 },
    })
    expect(made.msg).toBe('操作成功')
    await admin.post('blade-resource/mail/enable', undefined, { query: { id: made.data.id } })
  }
  const address = async ({ tenantId, userId }: Person, email: string | null): Promise<void> => {
    await world.owner.query('update app_user set email = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      userId,
      email,
    ])
  }
  const deliver = async (who: Person, moment: unknown): Promise<void> => {
    expect((await run(who, moment)).asked).toBe(1)
    await jobsEnded()
    await deliverMail(world.services, who.tenantId)
  }

  it('R-DEV-7 with a link to log in and nothing of its content, once', async () => {
    const { admin, clerk, reportId } = await place()
    await service(admin)
    await address(clerk, 'clerk@school.example')
    const { nextRun } = await subscribed(clerk, reportId, { way: '2', fileLanguage: 'en' })
    host.taken.length = 0
    await deliver(clerk, nextRun)
    await deliverMail(world.services, clerk.tenantId)
    expect(host.taken).toHaveLength(1)
    const { to, raw } = host.taken[0]!
    expect(to).toBe('clerk@school.example')
    const text = Buffer.from(raw.split('\r\n\r\n').slice(1).join(''), 'base64').toString('utf8') + raw
    expect(text).toContain('https://data.school.example/job/mine')
    expect(raw).not.toMatch(/attachment/i)
    expect(await messages(clerk)).toMatchObject([{ kind: 'report-ready', body: expect.not.stringContaining('邮件') }])
  })

  it('R-DEV-7 is refused without an address or a service, and said in the inbox where that goes later', async () => {
    const { admin, clerk, reportId } = await place()
    expect((await subscribe(clerk, reportId, { way: '2' })).msg).toContain('没有电子邮箱')
    await address(clerk, 'clerk@school.example')
    expect((await subscribe(clerk, reportId, { way: '2' })).msg).toContain('尚未启用邮件配置')
    await service(admin)
    const { nextRun } = await subscribed(clerk, reportId, { way: '2' })
    await admin.post('blade-resource/mail/enable')
    host.taken.length = 0
    await deliver(clerk, nextRun)
    await address(clerk, null)
    await deliver(clerk, days(nextRun, 1))
    expect(host.taken).toHaveLength(0)
    const [second, first] = await messages(clerk)
    expect(first!.body).toContain('邮件未发送：尚未启用邮件配置')
    expect(second!.body).toContain('邮件未发送：您的个人信息中没有电子邮箱')
  })

  it('R-DEV-7 that the mail server refuses is in its log, and the file is there all the same', async () => {
    const { admin, clerk, reportId } = await place()
    await service(admin)
    await address(clerk, 'nobody@school.example')
    host.unknown.add('nobody@school.example')
    const { nextRun } = await subscribed(clerk, reportId, { way: '2' })
    await deliver(clerk, nextRun)
    const { records } = (await admin.get<{ records: Row[] }>('blade-resource/maillog/list')).data
    expect(records).toMatchObject([{ purpose: 'report', state: '3', subject: '订阅的报表已生成' }])
    expect(await messages(clerk)).toMatchObject([{ kind: 'report-ready' }])
  })
})

it('R-DEV-7 the work that comes round runs what is due in every tenant', async () => {
  const one = await place()
  const two = await place()
  for (const { clerk, reportId } of [one, two]) {
    const { id } = await subscribed(clerk, reportId)
    await world.owner.query(
      `update reportsubscription set next_run = date_trunc('hour', now()) where tenant_id = $1 and id = $2`,
      [clerk.tenantId, id],
    )
  }
  const done = await reportDelivery.run(world.services, { signal: new AbortController().signal })
  expect(done).toMatchObject({ asked: expect.any(Number) })
  await jobsEnded()
  for (const { clerk } of [one, two]) expect(await messages(clerk)).toMatchObject([{ kind: 'report-ready' }])
})
