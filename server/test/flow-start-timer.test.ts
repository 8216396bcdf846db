import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextOfCycle } from '../src/modules/flow/due.ts'
import { flowTimers } from '../src/modules/flow/index.ts'
import { bpmn, deploy, list, people, start, step, waits } from './flow-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Processes that the clock starts: at a date, a while after they are deployed, or again and again. */

let world: World
let admin: Person
let at: Record<'li', Person>
beforeAll(async () => {
  world = await makeWorld()
}, 60_000)
beforeEach(async () => {
  admin = await world.tenant()
  at = await people(world, admin, 'li')
}, 60_000)
afterAll(() => world.close())

const model = (kind: string, value: string, key = 'clock', more = ''): string =>
  bpmn('start -> one -> end', step('one', 'li'), { key, name: key }).replace(
    '<startEvent id="start"/>',
    `<startEvent id="start" name="到时"><timerEventDefinition ${more}><${kind}>${value}</${kind}></timerEventDefinition></startEvent>`,
  )
/** Started by the clock, with a required field that its step reads, or writes. */
const withForm = (how: '' | 'write'): string =>
  model('timeCycle', 'R/P1D', 'asks')
    .replace(
      '<startEvent',
      '<extensionElements><db:form><db:field name="item" label="物品" kind="text" required="true"/></db:form></extensionElements><startEvent',
    )
    .replace(
      /<userTask ([^>]*)>/,
      (open) =>
        `${open}${how && `<extensionElements><db:fields><db:access field="item" as="${how}"/></db:fields></extensionElements>`}`,
    )
const tick = (of = admin) =>
  flowTimers.run(world.services, { tenantId: of.tenantId, signal: new AbortController().signal })
const instances = async (of = admin): Promise<number> =>
  Number(
    (await world.owner.query('select count(*) as n from flowinstance where tenant_id = $1', [of.tenantId])).rows[0].n,
  )
const processOf = async (id: string) =>
  (
    await world.owner.query<{ due: Date | null; repeats: number | null }>(
      'select start_due as due, start_repeats as repeats from flowprocess where tenant_id = $1 and id = $2',
      [admin.tenantId, id],
    )
  ).rows[0]!
/** Its moment was so long ago. */
const wasDue = (id: string, ago: string) =>
  world.owner.query('update flowprocess set start_due = now() - $3::interval where tenant_id = $1 and id = $2', [
    admin.tenantId,
    id,
    ago,
  ])
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)
const upload = async (xml: string) => {
  const id = await deploy(admin, xml).catch((error: Error) => error.message)
  return id
}

describe('R-FLOW-2 a process that the clock starts', () => {
  it('is started a while after it was deployed, once, by several servers at once, and by nobody', async () => {
    const id = await deploy(admin, model('timeDuration', 'PT1H'))
    const { due } = await processOf(id)
    expect(Math.abs(due!.getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000)
    await tick()
    expect(await instances()).toBe(0)
    await wasDue(id, '1 minute')
    await Promise.all([tick(), tick(), tick()])
    expect(await instances()).toBe(1)
    expect(await waits(at.li)).toEqual(['one'])
    await tick()
    expect([await instances(), (await processOf(id)).due]).toEqual([1, null])
    // Nobody starts it by hand, and nobody is offered to.
    const byHand = await at.li.post('blade-flow/work/start-process', { processDefinitionId: id, variables: {} })
    expect(byHand.msg).toBe('该流程由定时器启动，不能手工发起')
    const offered = await at.li.get<{ total: number }>('blade-flow/work/start-list')
    expect(offered.data.total).toBe(0)
    const [task] = await list(at.li, 'todo')
    expect(task!.title).toMatch(/^clock \d{4}-\d\d-\d\d \d\d:\d\d$/)
  })

  it('comes round as often as its cycle says, from the same hour each time, and makes up for what was missed by one', async () => {
    const id = await deploy(admin, model('timeCycle', 'R3/PT1H'))
    await wasDue(id, '150 minutes')
    const { due: before } = await processOf(id)
    await tick()
    expect(await instances()).toBe(1)
    const { due, repeats } = await processOf(id)
    expect([due!.getTime() - before!.getTime(), repeats]).toEqual([3 * 3_600_000, 1])
    for (const left of [0, null]) {
      await wasDue(id, '1 minute')
      await tick()
      expect((await processOf(id)).repeats).toBe(left)
    }
    expect([await instances(), (await processOf(id)).due]).toEqual([3, null])
    const begin = inDays(2)
    const endless = await deploy(admin, model('timeCycle', `R/${begin}/P1D`, 'endless'))
    const first = (await processOf(endless)).due!
    expect(first.toISOString().slice(0, 19)).toBe(new Date(Date.parse(`${begin}+08:00`)).toISOString().slice(0, 19))
  })

  it('keeps its day and hour where it is deployed after it was to begin: every Monday at eight stays that', async () => {
    const day = inDays(-10).slice(0, 11)
    const id = await deploy(admin, model('timeCycle', `R/${day}08:00/P7D`))
    const { due, repeats } = await processOf(id)
    const wanted = Date.parse(`${day}08:00:00+08:00`)
    expect([(due!.getTime() - wanted) % (7 * 86_400_000), repeats]).toEqual([0, null])
    const days = (due!.getTime() - Date.now()) / 86_400_000
    expect(days > 0 && days <= 7).toBe(true)
  })

  it('rests while it is suspended, and what passed meanwhile is not made up for', async () => {
    const id = await deploy(admin, model('timeCycle', 'R/P1D'))
    const turn = (state: string) =>
      admin.post('blade-flow/manager/change-state', undefined, { query: { processId: id, state } })
    expect((await turn('suspend')).msg).toBe('操作成功')
    await wasDue(id, '30 hours')
    await tick()
    expect(await instances()).toBe(0)
    expect((await turn('active')).msg).toBe('操作成功')
    await tick()
    expect(await instances()).toBe(0)
    const { due } = await processOf(id)
    // Thirty hours ago and daily: in eighteen hours.
    expect(Math.round((due!.getTime() - Date.now()) / 3_600_000)).toBe(18)
  })

  it('gives way to its next version, and starts in its own tenant alone', async () => {
    const old = await deploy(admin, model('timeCycle', 'R/P1D'))
    const other = await world.tenant()
    const next = await deploy(admin, model('timeCycle', 'R/P7D'))
    expect((await processOf(old)).due).toBeNull()
    await wasDue(next, '1 minute')
    await tick(other)
    expect(await instances()).toBe(0)
    await tick()
    expect([await instances(), await instances(other)]).toEqual([1, 0])
    const row = await admin.get<Row>('blade-flow/manager/detail', { id: next })
    expect(row.data.startDue).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    // A plain one takes its place for good.
    await deploy(admin, bpmn('start -> one -> end', step('one', 'li'), { key: 'clock', name: 'clock' }))
    expect((await processOf(next)).due).toBeNull()
  })

  it('is deployed with a required field where a step may write it', async () => {
    expect((await processOf(await deploy(admin, withForm('write')))).due).not.toBeNull()
  })

  it('is refused where its moment has passed, comes from a form, counts school days or asks the applicant', async () => {
    for (const [xml, told] of [
      [model('timeDate', '2020-01-01T08:00:00'), '已经过去'],
      [model('timeDate', 'field:day'), '取自表单字段'],
      [model('timeDuration', 'P3D', 'days', 'db:by="schoolDays"'), '只能按自然时间计时'],
      [model('timeCycle', 'R/PT5S'), '间隔不能少于一分钟'],
      [withForm(''), '没有人填写必填字段“物'],
    ] as const)
      expect(await upload(xml)).toContain(told)
    const rows = await world.owner.query('select 1 from flowprocess where tenant_id = $1', [admin.tenantId])
    expect(rows.rowCount).toBe(0)
  })

  it('goes by the calendar where it counts months, by the clock of the schools', () => {
    const next = (value: string, due: string, now: string): string | undefined => {
      const found = nextOfCycle({ kind: 'cycle', value, by: 'clock' }, Date.parse(due), null, Date.parse(now))
      return found && new Date(found.at).toISOString()
    }
    // The first of a month at six in China is the last of the month before in UTC.
    expect(next('R/P1M', '2026-01-31T22:00:00Z', '2026-01-31T22:00:01Z')).toBe('2026-02-28T22:00:00.000Z')
    expect(next('R/P1M', '2026-01-31T00:00:00+08:00', '2026-02-01T00:00:00+08:00')).toBe('2026-02-27T16:00:00.000Z')
    expect(next('R/P1M', '2026-01-31T00:00:00+08:00', '2026-03-01T00:00:00+08:00')).toBe('2026-03-30T16:00:00.000Z')
    expect(next('R/P1Y', '2024-02-29T00:00:00+08:00', '2024-03-01T00:00:00+08:00')).toBe('2025-02-27T16:00:00.000Z')
    expect(next('R/PT1M', '2020-01-01T00:00:30Z', '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:30.000Z')
  })
})

it('R-FLOW-2 a message that nobody hears in time is told to whoever manages processes, once', async () => {
  const xml = bpmn('start -> say -> end', '', { key: 'sender', name: 'sender' })
    .replace('<process', '<message id="m" name="到货"/><process')
    .replace(
      '<startEvent id="start"/>',
      '<startEvent id="start"/><intermediateThrowEvent id="say" name="say"><messageEventDefinition messageRef="m" db:correlation=":instance"/></intermediateThrowEvent>',
    )
  await start(at.li, await deploy(admin, xml))
  await world.owner.query("update flow_message set create_time = now() - interval '31 days' where tenant_id = $1", [
    admin.tenantId,
  ])
  const all = () => flowTimers.run(world.services, { signal: new AbortController().signal })
  await Promise.all([all(), all()])
  await all()
  const told = async (who: Person) =>
    (
      await who.get<{ records: { kind: string; title: string; body: string }[] }>('blade-desk/inbox/list')
    ).data.records.filter(({ kind }) => kind === 'flow-unheard')
  const [message, ...more] = await told(admin)
  expect(more).toEqual([])
  expect(message!.title).toBe('1条流程消息30天内无人接收，已删除')
  expect(message!.body).toContain('“到货”')
  expect(await told(at.li)).toEqual([])
})

describe('R-FLOW-2 a start by the clock that fails', () => {
  interface Told {
    readonly title: string
    readonly body: string
    readonly link: string
  }
  const told = async (who: Person): Promise<Told[]> =>
    (await who.get<{ records: (Told & { kind: string })[] }>('blade-desk/inbox/list')).data.records.filter(
      ({ kind }) => kind === 'flow-start-failed',
    )
  /** It asks for a field that nobody has filled in before a start by the clock, and goes round until somebody has. */
  const lacking = (key: string, cycle: string): string =>
    bpmn(
      'start -> join -> fork -[days > 3]-> one -> end\nfork -> join',
      `<exclusiveGateway id="join"/><exclusiveGateway id="fork" default="fork_join"/>${step('one', 'li')}`,
      { key, name: key },
    ).replace(
      '<startEvent id="start"/>',
      `<extensionElements><db:form><db:field name="days" label="天数" kind="decimal"/></db:form></extensionElements>
       <startEvent id="start" name="到时"><timerEventDefinition><timeCycle>${cycle}</timeCycle></timerEventDefinition></startEvent>`,
    )

  it('is told to whoever manages processes, leaves nothing behind, and is tried at its next moment only', async () => {
    const id = await deploy(admin, lacking('daily', 'R/P1D'))
    const last = await deploy(admin, lacking('once', 'R1/P1D'))
    const plain = await deploy(admin, model('timeCycle', 'R/P1D', 'plain'))
    // Whoever has deployed it has left: those who manage the tenant are told all the same.
    await world.owner.query('update flowprocess set create_user = $2 where tenant_id = $1', [
      admin.tenantId,
      at.li.userId,
    ])
    await world.owner.query('update app_user set status = 2 where tenant_id = $1 and id = $2', [
      admin.tenantId,
      at.li.userId,
    ])
    for (const each of [id, last, plain]) await wasDue(each, '1 minute')
    await Promise.all(Array.from({ length: 6 }, () => tick()))
    await tick()
    expect(await instances()).toBe(1)
    const messages = (await told(admin)).toSorted((a, b) => a.title.localeCompare(b.title))
    expect(messages.map(({ title, link }) => [title, link])).toEqual([
      ['流程未能按时启动：daily', '/flow/flowprocess'],
      ['流程未能按时启动：once', '/flow/flowprocess'],
    ])
    expect(messages[0]!.body).toMatch(/循环不止，已停止；请修改流程图。到下次时间再启动。$/)
    expect(messages[1]!.body).toMatch(/不会再启动，处理后请重新部署。$/)
    const next = (await processOf(id)).due!
    expect(Math.round((next.getTime() - Date.now()) / 3_600_000)).toBe(24)
    expect((await processOf(last)).due).toBeNull()
  })

  it('stops no other where it is a defect, and is told as one', async () => {
    const broken = await deploy(admin, model('timeCycle', 'R/P1D', 'broken'))
    const sound = await deploy(admin, model('timeCycle', 'R/P1D', 'sound'))
    await wasDue(broken, '2 minutes')
    await wasDue(sound, '1 minute')
    const name = `broken_${admin.tenantId}`
    await world.owner.query(
      `create function ${name}() returns trigger language plpgsql as $$ begin
         if new.process_definition_id = ${broken} then raise exception 'a defect'; end if; return new; end $$;
       create trigger ${name} before insert on flowinstance for each row execute function ${name}()`,
    )
    try {
      await tick()
      await tick()
    } finally {
      await world.owner.query(`drop function ${name} cascade`)
    }
    expect(await instances()).toBe(1)
    expect((await told(admin)).map(({ title }) => title)).toEqual(['流程未能按时启动：broken'])
    expect((await processOf(broken)).due!.getTime()).toBeGreaterThan(Date.now())
  })

  it('waits where the tenant is disabled, and comes once when it is back', async () => {
    const id = await deploy(admin, model('timeCycle', 'R/P1D'))
    await wasDue(id, '50 hours')
    const turn = (status: number) =>
      world.owner.query('update tenant set status = $2 where tenant_id = $1', [admin.tenantId, status])
    const { rows } = await world.owner.query('select status from tenant where tenant_id = $1', [admin.tenantId])
    await turn(3)
    await tick()
    expect(await instances()).toBe(0)
    await turn(rows[0].status)
    await tick()
    await tick()
    expect(await instances()).toBe(1)
    expect(await told(admin)).toEqual([])
  })
})
