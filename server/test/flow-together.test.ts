import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flowTimers } from '../src/modules/flow/index.ts'
import { bpmn, decide, deploy, history, list, people, start, step, taskOf, waits } from './flow-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let at: Record<'zhang' | 'li' | 'wang', Person>
/** One step of li's, then one of wang's. */
let plain: string
/** After li's step it runs in a circle, and is stopped: the decision is refused once it has begun to move. */
let circling: string
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  at = await people(world, admin, 'zhang', 'li', 'wang')
  plain = await deploy(admin, bpmn('start -> one -> two -> end', step('one', 'li') + step('two', 'wang')))
  const gates = '<exclusiveGateway id="x"/><exclusiveGateway id="y" default="y_x"/>'
  const lines = "start -> one -> x -> y -> x\ny -[applicant.name == '没有此人']-> end"
  circling = await deploy(admin, bpmn(lines, step('one', 'li') + gates, { key: 'circling' }))
}, 60_000)
afterAll(() => world.close())

interface Result {
  readonly taskId: string
  readonly success: boolean
  readonly message: string | null
}

const together = async (who: Person, taskIds: readonly string[], comment = '同意'): Promise<Result[]> => {
  const tasks = taskIds.map((taskId) => ({ taskId }))
  const answer = await who.post<Result[]>('blade-flow/work/complete-tasks', { tasks, flag: 'ok', comment })
  expect(answer.status, answer.msg).toBe(200)
  expect(answer.data.map(({ taskId }) => taskId)).toEqual(taskIds)
  return answer.data
}
const messages = (results: readonly Result[]): (string | null)[] => results.map(({ message }) => message)

/** Starts a process and answers it with the task of li's that it waits for. */
async function begun(processDefinitionId: string): Promise<{ instance: string; task: string }> {
  const instance = await start(at.zhang, processDefinitionId)
  const found = (await list(at.li, 'todo')).find((each) => each.processInstanceId === instance)
  return { instance, task: found!.taskId! }
}
const outcomes = async (instance: string): Promise<unknown[]> =>
  (await history(at.zhang, instance)).flatMap(({ historyActivityName, comment, outcome }) =>
    outcome ? [[historyActivityName, outcome, comment]] : [],
  )

describe('R-FLOW-6 decisions in one call', () => {
  it('are each taken, or refused with words of their own, whatever stands beside them', async () => {
    const mine = [await begun(plain), await begun(plain), await begun(plain)]
    const [first, second, third] = mine.map(({ task }) => task) as [string, string, string]
    expect((await decide(at.li, third, 'no')).status).toBe(200)
    await start(at.zhang, plain)
    const foreign = await begun(plain)
    expect((await decide(at.li, foreign.task)).status).toBe(200)
    const ofWang = await taskOf(at.wang, 'two')
    const results = await together(at.li, [first, ofWang, third, '1', second, first])
    expect(messages(results)).toEqual([
      null,
      '没有找到该数据',
      '该任务已由li老师办理（驳回）',
      '没有找到该数据',
      null,
      '该任务已由li老师办理（同意）',
    ])
    for (const { instance } of mine.slice(0, 2)) expect(await outcomes(instance)).toEqual([['one', 'ok', '同意']])
    expect(await waits(at.wang)).toContain('two')
    expect(await taskOf(at.wang, 'two')).toBe(ofWang)
  })

  it('that fails on its way takes nothing of the others with it, and leaves its task as it was', async () => {
    const mine = [await begun(plain), await begun(circling), await begun(plain)]
    const results = await together(
      at.li,
      mine.map(({ task }) => task),
    )
    expect(results.map(({ success }) => success)).toEqual([true, false, true])
    expect(results[1]!.message).toContain('循环不止')
    expect(await outcomes(mine[1]!.instance)).toEqual([])
    expect((await list(at.li, 'todo')).map(({ taskId }) => taskId)).toContain(mine[1]!.task)
    for (const { instance } of [mine[0]!, mine[2]!]) expect(await outcomes(instance)).toEqual([['one', 'ok', '同意']])
  })

  it('of one process are taken one after the other', async () => {
    const fork = '<parallelGateway id="f"/><parallelGateway id="j"/>'
    const steps = step('a', 'li') + step('b', 'li') + step('after', 'wang')
    const id = await deploy(
      admin,
      bpmn('start -> f -> a -> j -> after -> end\nf -> b -> j', fork + steps, { key: 'fork' }),
    )
    const instance = await start(at.zhang, id)
    const mine = (await list(at.li, 'todo')).filter((each) => each.processInstanceId === instance)
    expect(mine).toHaveLength(2)
    expect(
      messages(
        await together(
          at.li,
          mine.map(({ taskId }) => taskId!),
        ),
      ),
    ).toEqual([null, null])
    expect((await list(at.wang, 'todo')).filter((each) => each.processInstanceId === instance)).toHaveLength(1)
  })

  it('of two people at once count once each', async () => {
    const shared = await deploy(
      admin,
      bpmn('start -> one -> two -> end', step('one', 'li,wang') + step('two', 'zhang'), { key: 'shared' }),
    )
    const instances: string[] = []
    for (let count = 0; count < 30; count += 1) instances.push(await start(admin, shared))
    const tasks = (await list(at.li, 'claim')).map(({ taskId }) => taskId!)
    expect(tasks).toHaveLength(30)
    const both = await Promise.all([together(at.li, tasks), together(at.wang, tasks.toReversed())])
    const won = both.map((results) => results.filter(({ success }) => success).map(({ taskId }) => taskId))
    expect(won.flat().sort()).toEqual([...tasks].sort())
    const lost = both.flat().filter(({ success }) => !success)
    expect(lost).toHaveLength(30)
    for (const { message } of lost) expect(message).toMatch(/^该任务已由(li|wang)老师办理（同意）$/)
    expect((await list(at.zhang, 'todo')).filter((each) => instances.includes(each.processInstanceId))).toHaveLength(30)
  })
})

describe('R-FLOW-3 timers that come due together', () => {
  const timers = async (): Promise<{ instance: string; later: boolean; tries: number }[]> =>
    (
      await world.owner.query(
        'select instance_id as instance, due_time > now() as later, tries from flow_timer where tenant_id = $1',
        [admin.tenantId],
      )
    ).rows

  it('all fire, and one that cannot is put off and stops no other', async () => {
    const wait =
      '<intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition></intermediateCatchEvent>'
    const good = await deploy(admin, bpmn('start -> t -> one -> end', wait + step('one', 'li'), { key: 'good' }))
    const gates = '<exclusiveGateway id="x"/><exclusiveGateway id="y" default="y_x"/>'
    const bad = await deploy(
      admin,
      bpmn("start -> t -> x -> y -> x\ny -[applicant.name == '没有此人']-> end", wait + gates, { key: 'bad' }),
    )
    const fine: string[] = []
    for (let count = 0; count < 24; count += 1) fine.push(await start(at.zhang, good))
    const stuck = await start(at.zhang, bad)
    for (let count = 0; count < 5; count += 1) fine.push(await start(at.zhang, good))
    await world.owner.query(
      "update flow_timer set due_time = now() - interval '1 minute' where tenant_id = $1 and instance_id = any($2)",
      [admin.tenantId, [...fine, stuck]],
    )
    const run = () => flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })
    // Two processes at once: of each timer one of them is the first.
    await Promise.all([run(), run()])
    expect(await timers()).toEqual([{ instance: stuck, later: true, tries: 1 }])
    const waiting = (await list(at.li, 'todo')).map((each) => each.processInstanceId)
    for (const instance of fine) expect(waiting.filter((each) => each === instance)).toHaveLength(1)
    // Whoever manages processes is told why, once, though it is tried again and again.
    await world.owner.query('update flow_timer set due_time = now() where tenant_id = $1', [admin.tenantId])
    await run()
    expect(await timers()).toEqual([{ instance: stuck, later: true, tries: 2 }])
    const told = async (who: Person) =>
      (await who.get<{ records: Record<string, string>[] }>('blade-desk/inbox/list')).data.records.filter(
        ({ kind }) => kind === 'flow-put-off',
      )
    expect(await told(admin)).toEqual([
      expect.objectContaining({
        title: expect.stringContaining('流程未能继续：'),
        body: expect.stringContaining('每小时自动重试一次'),
        link: `/work/process/detail/${stuck}`,
      }),
    ])
    expect(await told(at.li)).toEqual([])
  })
})
