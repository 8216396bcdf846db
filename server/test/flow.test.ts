import type { StartForm } from '@data-brain/contract/calls/flow'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { flowTimers } from '../src/modules/flow/index.ts'
import { bpmn, decide, deploy, detail, history, list, pass, people, start, step, taskOf, waits } from './flow-parts.ts'
import { inboxOf } from './substitution-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let at: Record<'zhang' | 'li' | 'wang' | 'zhao', Person>
beforeAll(async () => {
  world = await makeWorld()
}, 60_000)
beforeEach(async () => {
  admin = await world.tenant()
  at = await people(world, admin, 'zhang', 'li', 'wang', 'zhao')
}, 60_000)
afterAll(() => world.close())

const simple = bpmn('start -> one -> two -> end', step('one', 'li') + step('two', 'wang'))

describe('R-FLOW-6 work lists', () => {
  it('lead a process from its start to its end: to do, done, sent, and what happened', async () => {
    const id = await deploy(admin, simple)
    const started = (await at.zhang.get<{ records: { id: string }[] }>('blade-flow/work/start-list')).data.records
    expect(started.map((each) => each.id)).toContain(id)
    const instance = await start(at.zhang, id)
    expect(await waits(at.li)).toEqual(['one'])
    expect(await waits(at.wang)).toEqual([])
    expect((await detail(at.li, instance)).may).toMatchObject({ decide: true, transfer: true, withdraw: false })
    await pass(at.li, 'one', 'ok', { comment: '同意' })
    expect(await waits(at.li)).toEqual([])
    expect((await list(at.li, 'done'))[0]).toMatchObject({ taskName: 'one', flag: 'ok', isPass: true, comment: '同意' })
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ activity: 'two', instanceState: '1' })
    await pass(at.wang, 'two')
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ instanceState: '2', processIsFinished: 'finished' })
    const steps = await history(at.zhang, instance)
    expect(steps.map(({ historyActivityId, state, assigneeName }) => [historyActivityId, state, assigneeName])).toEqual(
      [
        ['start', 'done', 'zhang老师'],
        ['one', 'done', 'li老师'],
        ['two', 'done', 'wang老师'],
        ['end', 'done', null],
      ],
    )
    const told = await at.zhang.get<{ records: { title: string; link: string }[] }>('blade-desk/inbox/list')
    expect(told.data.records[0]).toMatchObject({ title: '一件事已通过', link: `/work/process/detail/${instance}` })
  })

  it('of several candidates one takes the task; the others are told who was first', async () => {
    const id = await deploy(admin, bpmn('start -> one -> end', step('one', 'li,wang,zhang'), { key: 'shared' }))
    await start(at.zhang, id)
    expect(await waits(at.li, 'claim')).toEqual(['one'])
    // Whoever has started it does not decide it.
    expect(await waits(at.zhang, 'claim')).toEqual([])
    const task = await taskOf(at.wang, 'one', 'claim')
    const claim = (who: Person) => who.post('blade-flow/work/claim-task', undefined, { query: { taskId: task } })
    expect((await claim(at.wang)).status).toBe(200)
    expect((await claim(at.li)).msg).toBe('该任务已由wang老师签收')
    expect((await claim(at.zhao)).status).toBe(404)
    expect(await waits(at.li, 'claim')).toEqual([])
    expect((await at.wang.post('blade-flow/work/release', undefined, { query: { taskId: task } })).status).toBe(200)
    expect(await waits(at.li, 'claim')).toEqual(['one'])
    expect((await decide(at.li, task)).status).toBe(200)
    expect((await decide(at.wang, task)).msg).toBe('该任务已由li老师办理（同意）')
  })

  it('R-FLOW-10 say by name who can take a task, also to whoever may look nobody up', async () => {
    const id = await deploy(admin, bpmn('start -> one -> two -> end', step('one', 'li,wang') + step('two', 'li')))
    const instance = await start(at.zhang, id)
    expect((await at.li.get('blade-user/list')).status).toBe(403)
    const who = 'li老师、wang老师'
    expect((await list(at.li, 'claim'))[0]).toMatchObject({ candidateNames: who, assigneeName: null })
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ activity: 'one', candidateNames: who })
    expect((await history(at.zhang, instance)).at(-1)).toMatchObject({ state: 'waiting', candidateNames: who })
    expect((await decide(at.wang, await taskOf(at.wang, 'one', 'claim'))).status).toBe(200)
    // Once somebody has it, that one is named alone.
    expect((await list(at.wang, 'done'))[0]).toMatchObject({ candidateNames: null, assigneeName: 'wang老师' })
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ activity: 'two', candidateNames: 'li老师' })
  })

  it('R-FLOW-6 R-FLOW-8 a step that is sent back is asked of whoever did it, and the history says that it was sent back', async () => {
    const id = await deploy(
      admin,
      bpmn('start -> one -> two -> end', step('one', 'li,wang') + step('two', 'zhao,wang'), { key: 'again' }),
    )
    const took = async (who: Person, name: string) => {
      expect((await decide(who, await taskOf(who, name, 'claim'))).status).toBe(200)
    }
    for (const comeBack of [true, false]) {
      const instance = await start(at.zhang, id)
      await took(at.li, 'one')
      const back = { taskId: await taskOf(at.zhao, 'two', 'claim'), nodeId: 'one', comeBack, comment: '请补充' }
      expect((await at.zhao.post('blade-flow/work/return', back)).status).toBe(200)
      // It waits in the own list at once: nobody else can take it meanwhile.
      expect(await waits(at.wang, 'claim')).toEqual([])
      await pass(at.li, 'one')
      // What leads straight back leads to whoever had asked; a step that is reached again is asked of all.
      expect(await waits(at.wang, 'claim')).toEqual(comeBack ? [] : ['two'])
      if (comeBack) await pass(at.zhao, 'two')
      else await took(at.wang, 'two')
      expect(
        (await history(at.zhang, instance)).map(({ historyActivityName, state }) => [historyActivityName, state]),
      ).toEqual([
        [null, 'done'],
        ['one', 'done'],
        ['two', 'returned'],
        ['one', 'done'],
        ['two', 'done'],
        [null, 'done'],
      ])
    }
  })

  it('R-FLOW-6 a step that passes over who agreed before is asked again where it is sent back', async () => {
    const skipping = step('one', 'li').replace('<userTask', '<userTask db:skipSame="true"')
    const id = await deploy(admin, bpmn('start -> one -> two -> end', skipping + step('two', 'wang'), { key: 'skips' }))
    const instance = await start(at.zhang, id)
    await pass(at.li, 'one')
    const back = { taskId: await taskOf(at.wang, 'two'), nodeId: 'one', comment: '请补充' }
    expect((await at.wang.post('blade-flow/work/return', back)).status).toBe(200)
    expect([await waits(at.li), await waits(at.wang)]).toEqual([['one'], []])
    await pass(at.li, 'one')
    await pass(at.wang, 'two')
    expect((await detail(at.zhang, instance)).instanceState).toBe('2')
  })

  it('exactly one of 50 decisions at once counts', async () => {
    const id = await deploy(admin, simple)
    await start(at.zhang, id)
    const task = await taskOf(at.li, 'one')
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => decide(at.li, task, n % 2 ? 'ok' : 'no')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(others.every(({ status, msg }) => status === 400 && msg.startsWith('该任务已由li老师办理'))).toBe(true)
  })

  it('decide several in one call, each with its own failure', async () => {
    const id = await deploy(admin, simple)
    await start(at.zhang, id)
    await start(at.zhang, id)
    const mine = (await list(at.li, 'todo')).map(({ taskId }) => ({ taskId }))
    const [other] = await list(at.wang, 'todo')
    const answer = await at.li.post<{ success: boolean; message: string | null }[]>('blade-flow/work/complete-tasks', {
      tasks: [...mine, { taskId: other?.taskId ?? '1' }],
      flag: 'ok',
      comment: '同意',
    })
    expect(answer.data.map(({ success }) => success)).toEqual([...mine.map(() => true), false])
    expect(answer.data.at(-1)!.message).toBe('没有找到该数据')
    expect((await list(at.li, 'done')).slice(0, mine.length).every(({ comment }) => comment === '同意')).toBe(true)
  })

  it('refuse with a reason, one by one and many at once', async () => {
    const id = await deploy(admin, simple)
    const instance = await start(at.zhang, id)
    const { taskId } = (await list(at.li, 'todo')).find((each) => each.processInstanceId === instance)!
    for (const comment of [undefined, '', ' \n']) {
      const answer = await decide(at.li, taskId!, 'no', { comment })
      expect(answer).toMatchObject({ status: 400, msg: '意见：请写明驳回的原因' })
      const tasks = [{ taskId }]
      const body = { tasks, flag: 'no', ...(comment === undefined ? {} : { comment }) }
      const many = await at.li.post('blade-flow/work/complete-tasks', body, { language: 'en' })
      expect(many.data).toEqual([{ taskId, success: false, message: 'Comment: Say why it is refused' }])
    }
    expect((await decide(at.li, taskId!, 'no', { comment: '材料不全' })).status).toBe(200)
    expect((await list(at.li, 'done'))[0]).toMatchObject({ outcome: 'no', comment: '材料不全' })
  })

  it('transfer, delegate, another signer, a return that comes back', async () => {
    const id = await deploy(
      admin,
      bpmn('start -> one -> two -> end', step('one', 'li') + step('two', 'wang'), { key: 'hands' }),
    )
    const instance = await start(at.zhang, id)
    const to = async (who: Person, name: string, call: string, more: object) =>
      who.post(`blade-flow/work/${call}`, { taskId: await taskOf(who, name), ...more })
    expect((await to(at.li, 'one', 'transfer', { userId: at.zhang.userId })).msg).toBe('zhang老师是申请人，不能审批')
    expect((await to(at.li, 'one', 'transfer', { userId: at.zhao.userId, comment: '出差' })).status).toBe(200)
    expect(await waits(at.li)).toEqual([])
    // What one has handed on stays in one’s own list of what is done, and says so.
    expect((await list(at.li, 'done'))[0]).toMatchObject({ outcome: 'transfer', comment: '出差', flag: null })
    expect((await to(at.zhao, 'one', 'delegate', { userId: at.li.userId })).status).toBe(200)
    await pass(at.li, 'one', 'no', { comment: '不太好' })
    // An opinion decides nothing.
    expect(await waits(at.zhao)).toEqual(['one'])
    expect((await to(at.zhao, 'one', 'add-signer', { userId: at.li.userId, when: 'after' })).status).toBe(200)
    await pass(at.zhao, 'one')
    expect(await waits(at.wang)).toEqual([])
    await pass(at.li, 'one')
    expect((await detail(at.wang, instance)).returnTo).toEqual([{ nodeId: 'one', name: 'one' }])
    expect((await to(at.wang, 'two', 'return', { nodeId: 'end' })).status).toBe(400)
    expect((await to(at.wang, 'two', 'return', { nodeId: 'one', comeBack: true, comment: '请补充' })).status).toBe(200)
    expect(await waits(at.wang)).toEqual([])
    await pass(at.li, 'one')
    expect((await to(at.wang, 'two', 'add-signer', { userId: at.zhao.userId, when: 'before' })).status).toBe(200)
    await pass(at.zhao, 'two')
    await pass(at.wang, 'two')
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ instanceState: '2' })
    const outcomes = (await history(at.zhang, instance)).flatMap(({ outcome, assigneeName }) =>
      outcome && assigneeName ? [`${assigneeName}:${outcome}`] : [],
    )
    expect(outcomes).toEqual([
      'li老师:transfer',
      'zhao老师:delegate',
      'li老师:no',
      'zhao老师:ok',
      'li老师:ok',
      'wang老师:back',
      'li老师:ok',
      'wang老师:signer',
      'zhao老师:ok',
      'wang老师:ok',
    ])
  })

  it('withdraw, copy, remind, terminate: by those who may', async () => {
    const id = await deploy(admin, simple)
    const instance = await start(at.zhang, id)
    const call = (who: Person, name: string, body: object) =>
      who.post(`blade-flow/work/${name}`, { processInstanceId: instance, ...body })
    expect((await call(at.zhao, 'copy', { userIds: at.zhao.userId })).status).toBe(404)
    expect((await call(at.zhang, 'copy', { userIds: at.zhao.userId, comment: '请知悉' })).status).toBe(200)
    expect(await list(at.zhao, 'copy')).toHaveLength(1)
    const remind = () =>
      at.zhang.post<{ count: number }>('blade-flow/work/remind', undefined, { query: { processInstanceId: instance } })
    expect((await remind()).data).toEqual({ count: 1 })
    expect((await remind()).msg).toBe('30分钟内已经催办过')
    expect((await call(at.li, 'withdraw', {})).msg).toBe('只能撤回本人发起的流程')
    expect((await call(at.zhang, 'withdraw', { comment: '不需要了' })).status).toBe(200)
    expect(await waits(at.li)).not.toContain('one')
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ instanceState: '4', comment: '不需要了' })
    const second = await start(at.zhang, id)
    const end = (reason?: string) =>
      admin.post('blade-flow/follow/delete-process-instance', undefined, {
        query: { processInstanceId: second, deleteReason: reason },
      })
    expect((await end()).msg).toBe('请填写终止原因')
    expect((await end('重复')).status).toBe(200)
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ instanceState: '5', comment: '重复' })
  })
})

describe('R-FLOW-4 who decides', () => {
  it('nobody found stands as an incident that is tried again once somebody is there', async () => {
    const id = await deploy(admin, bpmn('start -> one -> end', step('one', 'nobody-yet'), { key: 'nobody' }))
    const instance = await start(at.zhang, id)
    const [row] = (
      await admin.get<{ records: { id: string; state: string }[] }>('blade-flow/follow/list', { state: '6' })
    ).data.records
    expect(row).toMatchObject({ id: instance, state: '6' })
    expect((await history(at.zhang, instance)).find(({ state }) => state === 'incident')?.incident?.zh).toContain(
      '没有审批人',
    )
    const retry = () => admin.post('blade-flow/follow/retry', undefined, { query: { processInstanceId: instance } })
    // A try that ends where it began says so, and changes nothing.
    expect((await retry()).msg).toContain('仍然无法继续')
    expect(await waits(at.zhao)).toEqual([])
    expect((await inboxOf(admin)).map(({ title }) => title)).toContain('流程异常：一件事')
    await world.owner.query('update app_user set account = $1 where tenant_id = $2 and id = $3', [
      'nobody-yet',
      admin.tenantId,
      at.zhao.userId,
    ])
    expect((await retry()).status).toBe(200)
    expect(await waits(at.zhao)).toEqual(['one'])
    await pass(at.zhao, 'one')
    await world.owner.query('update app_user set account = $1 where tenant_id = $2 and id = $3', [
      'zhao',
      admin.tenantId,
      at.zhao.userId,
    ])
  })
})

describe('R-FLOW-7 manage', () => {
  it('versions: what runs keeps its own; a suspended process neither starts nor goes on', async () => {
    const old = await deploy(admin, simple)
    const instance = await start(at.zhang, old)
    const now = await deploy(admin, bpmn('start -> other -> end', step('other', 'wang')))
    expect(now).not.toBe(old)
    const state = (to: string) =>
      admin.post('blade-flow/manager/change-state', undefined, { query: { processId: old, state: to } })
    expect((await state('suspend')).status).toBe(200)
    const task = await taskOf(at.li, 'one')
    expect((await decide(at.li, task)).msg).toContain('已挂起')
    expect((await state('active')).status).toBe(200)
    expect((await decide(at.li, task)).status).toBe(200)
    expect(await waits(at.wang)).toContain('two')
    const [version] = (
      await admin.get<{ records: { deploymentId: string }[] }>('blade-flow/manager/list', { key: 'p', versionNo: 1 })
    ).data.records
    const removed = await admin.post('blade-flow/manager/delete-deployment', undefined, {
      query: { deploymentIds: version!.deploymentId },
    })
    expect(removed.msg).toMatch(/^无法删除：“测试流程 v1”已有\d+个流程实例/)
    expect(
      (
        await admin.post('blade-flow/follow/delete-process-instance', undefined, {
          query: { processInstanceId: instance, deleteReason: 'x' },
        })
      ).status,
    ).toBe(200)
  })

  it('refuses in words what does not run, and keeps nothing of it', async () => {
    const bad = bpmn('start -> one -> end', '<scriptTask id="one" name="脚本"><script>x</script></scriptTask>', {
      key: 'script',
    })
    const check = await admin.post<{ faults: { element: string; message: string }[] }>('blade-flow/model/check', {
      xml: bad,
    })
    expect(check.data.faults[0]).toMatchObject({ element: 'one' })
    expect(check.data.faults[0]!.message).toContain('脚本')
    const before = (await admin.get<{ total: number }>('blade-flow/manager/list')).data.total
    const saved = await admin.post<{ id: string }>('blade-flow/model/submit', {
      name: 's',
      modelKey: 'script',
      category: '9',
      xml: bad,
    })
    const answer = await admin.post<{ success: boolean; message: string }[]>('blade-flow/model/deploy', undefined, {
      query: { modelId: saved.data.id },
    })
    expect(answer.data[0]).toMatchObject({ success: false })
    expect((await admin.get<{ total: number }>('blade-flow/manager/list')).data.total).toBe(before)
  })

  it('a process that runs in a circle starts nothing', async () => {
    const circle = bpmn(
      'start -> x -> y -> x\ny -[never == 1]-> end',
      '<exclusiveGateway id="x" name="甲"/><exclusiveGateway id="y" name="乙" default="y_x"/>',
      { key: 'circle' },
    )
    const id = await deploy(admin, circle)
    const answer = await at.zhang.post('blade-flow/work/start-process', { processDefinitionId: id })
    expect(answer.status).toBe(400)
    expect(answer.msg).toContain('循环不止')
    expect((await list(at.zhang, 'send')).some(({ processDefinitionKey }) => processDefinitionKey === 'circle')).toBe(
      false,
    )
  })
})

describe('R-FLOW-10 isolation', () => {
  it('nothing of one tenant is seen, counted or confirmed in another, nor by whoever takes no part', async () => {
    const id = await deploy(admin, simple)
    const instance = await start(at.zhang, id)
    const task = await taskOf(at.li, (await list(at.li, 'todo'))[0]!.taskName!)
    const other = await world.tenant()
    const rude = await people(world, other, 'li')
    for (const who of [other, rude.li, at.zhao]) {
      expect((await who.get('blade-flow/process/detail', { processInstanceId: instance })).status).toBe(404)
      expect((await who.get('blade-flow/process/history-flow-list', { processInstanceId: instance })).status).toBe(404)
      expect((await who.get('blade-flow/process/definition', { processInstanceId: instance })).status).toBe(404)
      expect((await decide(who, task)).status).toBe(404)
      expect((await who.post('blade-flow/work/withdraw', { processInstanceId: instance })).status).toBe(404)
    }
    expect((await other.get<{ total: number }>('blade-flow/follow/list')).data.total).toBe(0)
    expect((await other.get<{ total: number }>('blade-flow/manager/list')).data.total).toBe(0)
    expect((await rude.li.post('blade-flow/work/start-process', { processDefinitionId: id })).status).toBe(404)
    expect(
      (await other.post('blade-flow/model/deploy', undefined, { query: { modelId: '1', tenantIds: admin.tenantId } }))
        .status,
    ).toBe(404)
  })
})

describe('R-FLOW-5 forms without code', () => {
  it('ship with use of the seal and repair, whose fields each step may read or write', async () => {
    const brought = await admin.post<string[]>('blade-flow/model/ship')
    expect(brought.data).toContain('报修')
    expect((await admin.post<string[]>('blade-flow/model/ship')).data).toEqual([])
    const processes = (await at.zhang.get<{ records: { id: string; key: string }[] }>('blade-flow/work/start-list'))
      .data.records
    const repair = processes.find(({ key }) => key === 'repair')!
    const form = (await at.zhang.get<StartForm>('blade-flow/process/form', { processDefinitionId: repair.id })).data
    expect(form.fields.length).toBeGreaterThan(2)
    const required = form.fields.filter((field) => field.required)
    const nothing = await at.zhang.post('blade-flow/work/start-process', {
      processDefinitionId: repair.id,
      variables: {},
    })
    expect(nothing.status).toBe(400)
    expect(nothing.msg).toBe(`${required[0]!.label}：必填`)
    const odd = await at.zhang.post('blade-flow/work/start-process', {
      processDefinitionId: repair.id,
      variables: { outcome: 'ok' },
    })
    expect(odd.msg).toContain('outcome')
    const values = Object.fromEntries(
      form.fields
        .filter(({ kind }) => kind !== 'files')
        .map(({ name, kind, options, min }) => [
          name,
          kind === 'choice'
            ? options[0]!.key
            : kind === 'integer' || kind === 'decimal'
              ? (min ?? 1)
              : kind === 'flag'
                ? true
                : kind === 'date'
                  ? '2026-12-01'
                  : kind === 'instant'
                    ? '2026-12-01 08:00:00'
                    : kind === 'user'
                      ? at.li.userId
                      : '投影仪不亮',
        ]),
    )
    const instance = await start(at.zhang, repair.id, values)
    expect((await detail(at.zhang, instance)).fields.every(({ writable }) => !writable)).toBe(true)
    const cards = (
      await admin.get<{ records: { id: string }[] }>('blade-flow/model/list', { modelKey_equal: 'repair' })
    ).data.records[0]!
    const { xml } = (await admin.get<{ xml: string }>('blade-flow/model/detail', { id: cards.id })).data
    const check = (await admin.post<{ cards: object; faults: object[] }>('blade-flow/model/check', { xml })).data
    expect(check.faults).toEqual([])
    const again = (await admin.post<{ xml: string }>('blade-flow/model/from-cards', { cards: check.cards })).data
    expect((await admin.post<{ cards: object }>('blade-flow/model/check', { xml: again.xml })).data.cards).toEqual(
      check.cards,
    )
  })
})

describe('R-FLOW-3 timers', () => {
  it('come due at their moment and once, also of two processes that look at the same time', async () => {
    const edge =
      '<boundaryEvent id="late" attachedToRef="one" cancelActivity="true"><timerEventDefinition><timeDuration xsi:type="tFormalExpression" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">PT10M</timeDuration></timerEventDefinition></boundaryEvent>'
    const id = await deploy(
      admin,
      bpmn('start -> one -> end\nlate -> two -> end', step('one', 'li') + step('two', 'wang') + edge, {
        key: 'overdue',
      }),
    )
    const instance = await start(at.zhang, id)
    await flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })
    expect(await waits(at.li)).toEqual(['one'])
    await world.owner.query("update flow_timer set due_time = now() - interval '1 minute' where tenant_id = $1", [
      admin.tenantId,
    ])
    await Promise.all(
      [1, 2].map(() =>
        flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal }),
      ),
    )
    expect(await waits(at.li)).toEqual([])
    expect(await waits(at.wang)).toEqual(['two'])
    await pass(at.wang, 'two')
    expect((await list(at.zhang, 'send'))[0]).toMatchObject({ processInstanceId: instance, instanceState: '2' })
  })
})

describe('R-FLOW-5 what a step hides', () => {
  it('is kept from whoever decides it, also afterwards and in a copy; what it may not write is refused by name', async () => {
    const approval = (id: string, account: string, fields: object) => ({
      ...{ kind: 'approval', id, name: id },
      task: {
        assignees: [{ kind: 'account', names: [account] }],
        ...{ ifNobody: 'incident', skipSame: false, onRefuse: 'end', fields },
        may: { delegate: true, transfer: true, return: true, addSigner: true },
      },
    })
    const cards = {
      ...{ key: 'secret', name: '保密事项' },
      form: [
        { name: 'what', label: '事项', kind: 'text', required: true },
        { name: 'amount', label: '金额', kind: 'decimal' },
      ],
      cards: [approval('one', 'li', { amount: 'hidden' }), approval('two', 'wang', { what: 'write' })],
    }
    const { xml } = (await admin.post<{ xml: string }>('blade-flow/model/from-cards', { cards })).data
    const instance = await start(at.zhang, await deploy(admin, xml), { what: '买书', amount: 12.5 })
    const seen = async (who: Person) => (await detail(who, instance)).fields.map(({ name, value }) => [name, value])
    const whole = [
      ['what', '买书'],
      ['amount', 12.5],
    ]
    expect(await seen(at.zhang)).toEqual(whole)
    expect(await seen(at.li)).toEqual([['what', '买书']])
    await at.zhang.post('blade-flow/work/copy', { processInstanceId: instance, userIds: at.zhao.userId })
    expect(await seen(at.zhao)).toEqual([['what', '买书']])
    const wrong = await decide(at.li, await taskOf(at.li, 'one'), 'ok', { variables: { amount: 99 } })
    expect(wrong.msg).toBe('金额：本步骤不能修改')
    await pass(at.li, 'one')
    expect(await seen(at.li)).toEqual([['what', '买书']])
    await pass(at.wang, 'two', 'ok', { variables: { what: '买书十本' } })
    expect(await seen(at.zhang)).toEqual([
      ['what', '买书十本'],
      ['amount', 12.5],
    ])
  })
})
