import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { flowTimers } from '../src/modules/flow/index.ts'
import { World as EngineWorld, planOf as enginePlanOf } from './flow-engine-world.ts'
import { bpmn, deploy, detail, list, pass, people, start, step, waits } from './flow-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Messages between instances: by name and by what they are correlated with. */

let world: World
let admin: Person
let at: Record<'zhang' | 'li' | 'wang', Person>
beforeAll(async () => {
  world = await makeWorld()
}, 60_000)
beforeEach(async () => {
  admin = await world.tenant()
  at = await people(world, admin, 'zhang', 'li', 'wang')
}, 60_000)
afterAll(() => world.close())

const deliver = (of = admin) =>
  flowTimers.run(world.services, { tenantId: of.tenantId, signal: new AbortController().signal })
const count = async (table: 'flow_message' | 'flow_subscription', of = admin): Promise<number> =>
  Number((await world.owner.query(`select count(*) as n from ${table} where tenant_id = $1`, [of.tenantId])).rows[0].n)

const definition = (correlation: string): string =>
  `<messageEventDefinition messageRef="m" ${correlation && `db:correlation="${correlation}"`}/>`
const thrown = (id: string, correlation: string): string =>
  `<intermediateThrowEvent id="${id}" name="${id}">${definition(correlation)}</intermediateThrowEvent>`
const caught = (id: string, correlation: string): string =>
  `<intermediateCatchEvent id="${id}" name="${id}">${definition(correlation)}</intermediateCatchEvent>`

const form = `<extensionElements><db:form><db:field name="order" label="单号" kind="text"/><db:field name="amount" label="金额" kind="integer"/></db:form></extensionElements>`

/** A process whose form has a number of an order, with the message “到货”. */
const model = (key: string, lines: string, elements: string, begin = '<startEvent id="start"/>'): string =>
  bpmn(lines, elements, { key, name: key })
    .replace('<process', '<message id="m" name="到货"/><process')
    .replace('<startEvent id="start"/>', `${form}${begin}`)

const sender = (correlation = 'order') =>
  model(
    'sender',
    'start -> one -> say -> after -> end',
    `${step('one', 'li')}${thrown('say', correlation)}${step('after', 'li')}`,
  )
const receiver = (correlation = 'order') =>
  model('receiver', 'start -> hear -> two -> end', `${caught('hear', correlation)}${step('two', 'wang')}`)
const byMessage = `<startEvent id="start"><messageEventDefinition messageRef="m"/></startEvent>`

/** The numbers of the orders whose step waits for somebody. */
async function ordersOf(who: Person, name: string): Promise<unknown[]> {
  const found = (await list(who, 'todo')).filter(({ taskName }) => taskName === name)
  const forms = await Promise.all(found.map(({ processInstanceId }) => detail(who, processInstanceId)))
  return forms.map(({ fields }) => fields.find(({ name: field }) => field === 'order')?.value).sort()
}

describe('R-FLOW-2 a message to another instance', () => {
  it('is heard by the one that waits with the same key, once, and by no other', async () => {
    const [from, to] = [await deploy(admin, sender()), await deploy(admin, receiver())]
    for (const order of ['A', 'B', 'A']) await start(at.zhang, to, { order })
    await start(at.zhang, from, { order: 'A' })
    await deliver()
    expect(await waits(at.wang)).toEqual([])
    await pass(at.li, 'one')
    expect(await waits(at.li)).toEqual(['after'])
    await deliver()
    // Of two that wait with one key the first hears it.
    expect(await ordersOf(at.wang, 'two')).toEqual(['A'])
    expect([await count('flow_message'), await count('flow_subscription')]).toEqual([0, 2])
    await deliver()
    expect(await waits(at.wang)).toEqual(['two'])
  })

  it('that nobody hears yet is kept, and heard by whoever comes to wait for it', async () => {
    const [from, to] = [await deploy(admin, sender()), await deploy(admin, receiver())]
    await start(at.zhang, from, { order: 'A' })
    await pass(at.li, 'one')
    await deliver()
    expect(await count('flow_message')).toBe(1)
    await start(at.zhang, to, { order: 'B' })
    await deliver()
    expect(await waits(at.wang)).toEqual([])
    await start(at.zhang, to, { order: 'A' })
    await deliver()
    expect(await ordersOf(at.wang, 'two')).toEqual(['A'])
    expect(await count('flow_message')).toBe(0)
  })

  it('is forgotten after 30 days', async () => {
    await start(at.zhang, await deploy(admin, sender()), { order: 'A' })
    await pass(at.li, 'one')
    await world.owner.query("update flow_message set create_time = now() - interval '29 days' where tenant_id = $1", [
      admin.tenantId,
    ])
    const all = () => flowTimers.run(world.services, { signal: new AbortController().signal })
    await all()
    expect(await count('flow_message')).toBe(1)
    await world.owner.query("update flow_message set create_time = now() - interval '31 days' where tenant_id = $1", [
      admin.tenantId,
    ])
    await all()
    expect(await count('flow_message')).toBe(0)
  })

  it('behind a gateway and at the edge of a step: what has not come is no longer waited for', async () => {
    const timer =
      '<intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition></intermediateCatchEvent>'
    const gate = await deploy(
      admin,
      model(
        'gate',
        'start -> g -> hear -> two -> end\ng -> t -> three -> end',
        `<eventBasedGateway id="g"/>${caught('hear', 'order')}${timer}${step('two', 'wang')}${step('three', 'wang')}`,
      ),
    )
    const edge = (interrupts: boolean) =>
      `<boundaryEvent id="edge" attachedToRef="work" cancelActivity="${interrupts}">${definition('order')}</boundaryEvent>`
    const lines = 'start -> work -> end\nedge -> four -> end'
    const steps = step('work', 'li') + step('four', 'wang')
    const ends = await deploy(admin, model('ends', lines, steps + edge(true)))
    const beside = await deploy(admin, model('beside', lines, steps + edge(false)))
    const from = await deploy(admin, sender())
    const say = async (order: string) => {
      await start(at.zhang, from, { order })
      await pass(at.li, 'one')
      await deliver()
    }
    await start(at.zhang, gate, { order: 'G' })
    await start(at.zhang, ends, { order: 'E' })
    await start(at.zhang, beside, { order: 'N' })
    await say('G')
    expect(await waits(at.wang)).toEqual(['two'])
    expect(
      Number(
        (await world.owner.query('select count(*) as n from flow_timer where tenant_id = $1', [admin.tenantId])).rows[0]
          .n,
      ),
    ).toBe(0)
    await say('E')
    expect((await waits(at.li)).filter((name) => name === 'work')).toHaveLength(1)
    await say('N')
    await say('N')
    expect((await waits(at.li)).filter((name) => name === 'work')).toHaveLength(1)
    expect(await ordersOf(at.wang, 'four')).toEqual(['E', 'N', 'N'])
    // Whoever decides the step is no longer listening.
    await pass(at.li, 'work')
    expect(await count('flow_subscription')).toBe(0)
  })

  it('does not reach an instance that is over, nor one of a suspended process until it goes on', async () => {
    const [from, to] = [await deploy(admin, sender()), await deploy(admin, receiver())]
    const over = await start(at.zhang, to, { order: 'A' })
    await at.zhang.post('blade-flow/work/withdraw', { processInstanceId: over })
    await start(at.zhang, to, { order: 'B' })
    const state = (to_: string) =>
      admin.post('blade-flow/manager/change-state', undefined, { query: { processId: to, state: to_ } })
    await state('suspend')
    for (const order of ['A', 'B']) {
      await start(at.zhang, from, { order })
      await pass(at.li, 'one')
    }
    await deliver()
    expect(await waits(at.wang)).toEqual([])
    await state('active')
    await deliver()
    expect(await ordersOf(at.wang, 'two')).toEqual(['B'])
    expect(await count('flow_message')).toBe(1)
  })

  it('that is correlated by nothing stays within its own instance', async () => {
    const [from, to] = [await deploy(admin, sender('')), await deploy(admin, receiver(''))]
    await start(at.zhang, to, { order: 'A' })
    await start(at.zhang, from, { order: 'A' })
    await pass(at.li, 'one')
    await deliver()
    expect(await waits(at.wang)).toEqual([])
    // The engine keeps both apart as well.
    const engine = await new EngineWorld(
      enginePlanOf('start -> f -> a -> say -> end-1\nf -> hear -> b -> end-2', {
        f: { type: 'parallel' },
        say: { type: 'throw', event: { kind: 'message', name: 'x' } },
        hear: { type: 'catch', event: { kind: 'message', name: 'x', correlation: 'order' } },
      }),
    ).start()
    await engine.complete('a')
    expect(engine.waiting).toEqual([])
    expect(await engine.fire('hear')).toEqual(['b'])
  })

  it('without a value to be correlated by is refused in words, and nothing moves', async () => {
    await start(at.zhang, await deploy(admin, sender()), {})
    const [task] = await list(at.li, 'todo')
    const answer = await at.li.post('blade-flow/work/complete-task', { taskId: task!.taskId, flag: 'ok' })
    expect([answer.status, answer.msg]).toEqual([400, '“say”的关联字段没有值，请填写'])
    expect(await waits(at.li)).toEqual(['one'])
  })
})

describe('R-FLOW-2 a message that starts a process', () => {
  const replies = (correlation = ':message') =>
    model(
      'replies',
      'start -> buy -> done',
      `${step('buy', 'wang')}<endEvent id="done" name="done">${definition(correlation).replace('"m"', '"r"')}</endEvent>`,
      byMessage,
    )
      .replace('<message', '<message id="r" name="已办"/><message')
      .replace('<endEvent id="end"/>', '')
  const asks = () =>
    model(
      'asks',
      'start -> one -> say -> hear -> last -> end',
      `${step('one', 'li')}${thrown('say', ':instance')}${caught('hear', ':instance').replace('"m"', '"r"')}${step('last', 'li')}`,
    ).replace('<message', '<message id="r" name="已办"/><message')

  it('with the fields that both forms have, as the applicant’s, and may answer', async () => {
    await deploy(admin, replies())
    const asking = await start(at.zhang, await deploy(admin, asks()), { order: 'A', amount: 7 })
    await pass(at.li, 'one')
    await deliver()
    expect(await ordersOf(at.wang, 'buy')).toEqual(['A'])
    const sent = await list(at.zhang, 'send')
    expect(sent.map(({ title }) => title)).toEqual(['replies zhang老师', '一件事'])
    expect((await detail(at.zhang, asking)).activity).toBe('hear')
    await pass(at.wang, 'buy')
    await deliver()
    expect((await detail(at.zhang, asking)).activity).toBe('last')
    await deliver()
    expect(await waits(at.wang)).toEqual([])
  })

  it('goes to whoever waits before it starts anything', async () => {
    await deploy(admin, model('starts', 'start -> buy -> end', step('buy', 'wang'), byMessage))
    await start(at.zhang, await deploy(admin, receiver()), { order: 'A' })
    const from = await deploy(admin, sender())
    const names: string[][] = []
    for (let n = 0; n < 2; n += 1) {
      await start(at.zhang, from, { order: 'A' })
      await pass(at.li, 'one')
      await deliver()
      names.push(await waits(at.wang))
    }
    expect(names).toEqual([['two'], ['buy', 'two']])
  })

  it('is started by nothing else, and a message starts one process alone', async () => {
    const id = await deploy(admin, replies())
    const begin = await at.zhang.post('blade-flow/work/start-process', { processDefinitionId: id })
    expect([begin.status, begin.msg]).toEqual([400, '该流程由消息“到货”启动，不能手工发起'])
    const listed = await at.zhang.get<{ records: Row[]; total: number }>('blade-flow/work/start-list')
    expect([listed.data.records, listed.data.total]).toEqual([[], 0])
    // The next version of the same process is no other process.
    await deploy(admin, replies())
    const xml = model('second', 'start -> buy -> end', step('buy', 'wang'), byMessage)
    const saved = await admin.post<Row>('blade-flow/model/submit', {
      name: 's',
      modelKey: 'second',
      category: '9',
      xml,
    })
    const made = await admin.post<{ success: boolean; message: string }[]>('blade-flow/model/deploy', undefined, {
      query: { modelId: saved.data.id },
    })
    expect(made.data[0]).toMatchObject({
      success: false,
      message: '消息“到货”已用来启动流程“replies”，请换一个消息名称，或先挂起那个流程',
    })
  })

  it('processes that start one another without an end are stopped after 20', async () => {
    const loops = model('loops', 'start -> say -> end', thrown('say', ':message'), byMessage)
    await deploy(admin, loops)
    await start(at.zhang, await deploy(admin, sender()), { order: 'A' })
    await pass(at.li, 'one')
    await deliver()
    const { rows } = await world.owner.query(
      `select (select count(*)::int from flowinstance i join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id where i.tenant_id = $1 and p.key = 'loops') as begun,
         (select json_agg(json_build_array(depth, tries, due_time > now())) from flow_message where tenant_id = $1) as left`,
      [admin.tenantId],
    )
    expect(rows[0]).toEqual({ begun: 19, left: [[20, 1, true]] })
    const told = await admin.get<{ records: Row[] }>('blade-desk/inbox/list')
    expect(told.data.records.filter(({ kind }) => kind === 'flow-put-off')).toEqual([
      expect.objectContaining({ title: '流程未能由消息启动：loops', link: '/flow/flowprocess' }),
    ])
  })
})

it('R-FLOW-10 a message of one tenant is heard, and starts, in that one alone', async () => {
  const other = await world.tenant()
  const there = await people(world, other, 'zhang', 'wang')
  await start(there.zhang, await deploy(other, receiver()), { order: 'A' })
  await deploy(other, model('starts', 'start -> buy -> end', step('buy', 'wang'), byMessage))
  await start(at.zhang, await deploy(admin, sender()), { order: 'A' })
  await pass(at.li, 'one')
  await deliver()
  await deliver(other)
  expect(await waits(there.wang)).toEqual([])
  expect([await count('flow_message'), await count('flow_message', other)]).toEqual([1, 0])
})

it('R-FLOW-3 two processes that deliver at once deliver each message once', async () => {
  const [from, to] = [await deploy(admin, sender()), await deploy(admin, receiver())]
  const orders = Array.from({ length: 12 }, (_, n) => `N${n}`)
  for (const order of orders) await start(at.zhang, to, { order })
  // Two messages for the first of them: one is heard, and the other is left.
  for (const order of [...orders, 'N0']) await start(at.zhang, from, { order })
  const tasks = (await list(at.li, 'todo')).map(({ taskId }) => ({ taskId }))
  await at.li.post('blade-flow/work/complete-tasks', { tasks, flag: 'ok' })
  expect(await count('flow_message')).toBe(13)
  await Promise.all([deliver(), deliver(), deliver()])
  expect(await ordersOf(at.wang, 'two')).toEqual([...orders].sort())
  expect(await count('flow_message')).toBe(1)
})

describe('R-FLOW-2 what no message can be is refused at deployment, by its element', () => {
  it.each([
    ['a field that the form has not', sender('nothing'), 'say', '触发事件“say”用到了表单中没有的字段“nothing”'],
    ['the row of a process that is about none', sender(':business'), 'say', '按业务编号关联，但本流程没有业务页面'],
    [
      'the message of a process that people start',
      receiver(':message'),
      'hear',
      '按启动消息关联，但本流程不是由消息启动的',
    ],
    ['what is no name', receiver('a+b'), 'hear', '等待事件“hear”的关联“a+b”无法识别'],
    [
      'a start by message beside a page of its own',
      model('page', 'start -> two -> end', step('two', 'wang'), byMessage).replace(
        '<process id="page"',
        '<process db:formKey="leave" id="page"',
      ),
      'start',
      '由消息启动，但本流程须从自己的页面发起',
    ],
  ])('%s', async (_, xml, element, words) => {
    const answer = await admin.post<{ faults: { element: string; message: string }[] }>('blade-flow/model/check', {
      xml,
    })
    expect(
      answer.data.faults.find(({ message }) => message.includes(words))?.element,
      JSON.stringify(answer.data.faults),
    ).toBe(element)
  })
})
