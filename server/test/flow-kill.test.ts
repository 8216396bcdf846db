import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flowTimers } from '../src/modules/flow/index.ts'
import { bpmn, decide, deploy, people, start, step, taskOf, waits } from './flow-parts.ts'
import { callServer, logInTo, type Server, startServer, startTwo, type Told } from './two-servers.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* Nothing that is decided is half kept: connections are ended at each statement, and servers are killed while they decide. */

/** All rows of a tenant's instances that say where they stand. */
async function standing(owner: pg.Client, tenantId: string): Promise<unknown[]> {
  const { rows } = await owner.query(
    `select 'task' as of, id::text, state::text, outcome, token_id::text as at from flow_task where tenant_id = $1
     union all select 'token', id::text, node, data::text, parent_id::text from flow_token where tenant_id = $1
     union all select 'timer', id::text, kind, node, due_time::text from flow_timer where tenant_id = $1
     union all select 'activity', id::text, node, outcome, end_time::text from flow_activity where tenant_id = $1
     union all select 'message', id::text, name, key, tries::text from flow_message where tenant_id = $1
     union all select 'subscription', token_id::text, node, name, key from flow_subscription where tenant_id = $1
     union all select 'instance', id::text, state, activity, version::text from flowinstance where tenant_id = $1
     order by 1, 2`,
    [tenantId],
  )
  return rows
}

describe('R-FLOW-3 a connection that is ended', () => {
  let world: World
  let admin: Person
  let at: Record<'zhang' | 'li' | 'wang', Person>
  let connect: World['services']['pool']['connect']
  /** The connection is ended before this statement of the next transaction; 0 is none. */
  let killAt = 0
  let killed = 0

  beforeAll(async () => {
    world = await makeWorld()
    admin = await world.tenant()
    at = await people(world, admin, 'zhang', 'li', 'wang')
    const { pool } = world.services
    connect = pool.connect.bind(pool) as typeof connect
    pool.connect = (async () => {
      const client = await (connect as () => Promise<pg.PoolClient>)()
      const { processID } = client as unknown as { processID: number }
      const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
      let asked = 0
      client.query = (async (...given: unknown[]) => {
        asked += 1
        if (asked === killAt) {
          killed += 1
          await world.owner.query('select pg_terminate_backend($1, 5000)', [processID])
        }
        return query(...given)
      }) as typeof client.query
      const release = client.release.bind(client)
      client.release = (error) => {
        Object.assign(client, { query, release })
        release(error)
      }
      return client
    }) as typeof connect
  }, 60_000)
  afterAll(async () => {
    world.services.pool.connect = connect
    await world.close()
  })

  /** Does something, each time with the connection ended a statement later, until nothing stops it; answers how often it was. */
  async function againstKills(act: () => Promise<boolean>): Promise<number> {
    const before = await standing(world.owner, admin.tenantId)
    for (let statement = 1; ; statement += 1) {
      killAt = statement
      const killedBefore = killed
      const done = await act().finally(() => {
        killAt = 0
      })
      if (done) {
        expect(killed, 'it was ended and said it was done').toBe(killedBefore)
        return statement - 1
      }
      expect(await standing(world.owner, admin.tenantId), `ended at statement ${statement}`).toEqual(before)
    }
  }

  it('at any statement of a decision keeps nothing of it, and the decision counts once when it is made again', async () => {
    const id = await deploy(
      admin,
      bpmn(
        'start -> one -> f -> two -> j -> end\nf -> three -> j',
        `${step('one', 'li')}${step('two', 'wang')}${step('three', 'li,wang')}<parallelGateway id="f"/><parallelGateway id="j"/>`,
      ),
    )
    await start(at.zhang, id)
    const task = await taskOf(at.li, 'one')
    const kills = await againstKills(async () => {
      const body = { taskId: task, flag: 'ok' }
      return (await at.li.post('blade-flow/work/complete-task', body, { fails: true })).status === 200
    })
    expect(kills).toBeGreaterThan(5)
    expect(await waits(at.wang)).toEqual(['two'])
    expect(await waits(at.wang, 'claim')).toEqual(['three'])
    const again = await decide(at.li, task, 'ok')
    expect([again.status, again.msg]).toEqual([400, '该任务已由li老师办理（同意）'])
  })

  it('at any statement of a timer leaves it to come due again, once', async () => {
    const edge =
      '<boundaryEvent id="late" attachedToRef="four" cancelActivity="true"><timerEventDefinition><timeDuration xsi:type="tFormalExpression" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">PT10M</timeDuration></timerEventDefinition></boundaryEvent>'
    const id = await deploy(
      admin,
      bpmn('start -> four -> end\nlate -> five -> end', step('four', 'li') + step('five', 'wang') + edge, {
        key: 'overdue',
      }),
    )
    await start(at.zhang, id)
    await world.owner.query("update flow_timer set due_time = now() - interval '1 minute' where tenant_id = $1", [
      admin.tenantId,
    ])
    const fire = () =>
      flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })
    const kills = await againstKills(async () => {
      const before = killed
      await fire().catch(() => {})
      return killed === before
    })
    expect(kills).toBeGreaterThan(5)
    await fire()
    expect((await waits(at.wang)).filter((name) => name === 'five')).toHaveLength(1)
    expect(await waits(at.li)).not.toContain('four')
  })

  it.each(['an instance that waits', 'a process that it starts'])(
    'at any statement of a message leaves it to be sent, and then heard by %s, once',
    async (hearer) => {
      const starts = hearer.startsWith('a process')
      const name = starts ? '开始' : '继续'
      const said = `<messageEventDefinition messageRef="m" db:correlation="order"/>`
      const form = `<extensionElements><db:form><db:field name="order" label="单号" kind="text"/></db:form></extensionElements>`
      const model = (key: string, lines: string, elements: string, begin = '<startEvent id="start"/>') =>
        bpmn(lines, elements, { key })
          .replace('<process', `<message id="m" name="${name}"/><process`)
          .replace('<startEvent id="start"/>', form + begin)
      const throws = `<intermediateThrowEvent id="say">${said}</intermediateThrowEvent>`
      const from = await deploy(
        admin,
        model(`from-${starts}`, 'start -> six -> say -> end', step('six', 'li') + throws),
      )
      const [step_, begin] = [
        `heard-${starts}`,
        `<startEvent id="start"><messageEventDefinition messageRef="m"/></startEvent>`,
      ]
      const hears = `<intermediateCatchEvent id="hear">${said}</intermediateCatchEvent>`
      const to = starts
        ? await deploy(admin, model('to', `start -> ${step_} -> end`, step(step_, 'wang'), begin))
        : await deploy(admin, model('hears', `start -> hear -> ${step_} -> end`, hears + step(step_, 'wang')))
      if (!starts) await start(at.zhang, to, { order: 'K' })
      await start(at.zhang, from, { order: 'K' })
      const task = await taskOf(at.li, 'six')
      const sent = await againstKills(async () => {
        const body = { taskId: task, flag: 'ok' }
        return (await at.li.post('blade-flow/work/complete-task', body, { fails: true })).status === 200
      })
      const deliver = () =>
        flowTimers.run(world.services, { tenantId: admin.tenantId, signal: new AbortController().signal })
      const heard = await againstKills(async () => {
        const before = killed
        await deliver().catch(() => {})
        return killed === before
      })
      expect(Math.min(sent, heard)).toBeGreaterThan(5)
      await deliver()
      expect((await waits(at.wang)).filter((each) => each === step_)).toHaveLength(1)
      expect((await world.owner.query('select from flow_message')).rowCount).toBe(0)
    },
  )
})

const applicant = '<extensionElements><db:assignees><db:assignee kind="applicant"/></db:assignees></extensionElements>'
const own = (id: string): string => `<userTask id="${id}" name="${id}">${applicant}</userTask>`

describe('R-FLOW-3 two servers', () => {
  it('lose no step and do none twice where one is killed, count one of 50 decisions at once, and fire what came due while none ran', async () => {
    const two = await startTwo()
    const others: Server[] = []
    try {
      const { owner, place } = two
      const [first, second] = two.servers
      const { access_token: token } = await logInTo(two, first, '000000', 'admin')
      const ask = <T>(server: Server, method: 'GET' | 'POST', path: string, options: object = {}): Promise<Told<T>> =>
        callServer<T>(two, server, method, path, token, { fails: true, ...options })
      const laid = async (key: string, xml: string): Promise<string> => {
        const body = { name: key, modelKey: key, category: '9', xml }
        const model = await ask<{ id: string }>(first, 'POST', 'blade-flow/model/submit', { body })
        const query = { modelId: model.data.id }
        const made = await ask<{ processDefinitionId: string }[]>(first, 'POST', 'blade-flow/model/deploy', { query })
        return made.data[0]!.processDefinitionId
      }
      const begin = (processDefinitionId: string) =>
        ask(first, 'POST', 'blade-flow/work/start-process', { body: { processDefinitionId } })
      const todo = async (server: Server): Promise<{ taskId: string; taskName: string }[]> =>
        (
          await ask<{ records: { taskId: string; taskName: string }[] }>(server, 'GET', 'blade-flow/work/todo-list', {
            query: { size: '200' },
          })
        ).data.records

      const id = await laid(
        'chain',
        bpmn('start -> a -> b -> c -> d -> end', ['a', 'b', 'c', 'd'].map(own).join(''), { key: 'chain' }),
      )
      await begin(id)
      const [task] = await todo(first)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          ask(two.servers[n % 2]!, 'POST', 'blade-flow/work/complete-task', {
            body: { taskId: task!.taskId, flag: 'ok' },
          }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ msg }) => msg.startsWith('该任务已由') && msg.endsWith('办理（同意）'))).toHaveLength(49)

      for (let n = 1; n < 12; n += 1) await begin(id)
      let decided = 0
      /** Decides whatever waits, over one server, and over the other one once that is gone. */
      const work = async (server: Server): Promise<void> => {
        let at = server
        for (;;) {
          try {
            const tasks = await todo(at)
            if (tasks.length === 0) return
            for (const { taskId } of tasks.sort(() => (at === second ? -1 : 1))) {
              const { status } = await ask(at, 'POST', 'blade-flow/work/complete-task', {
                body: { taskId, flag: 'ok' },
              })
              if (status === 200) decided += 1
              if (decided === 10) first.process.kill('SIGKILL')
            }
          } catch (problem) {
            if (at === second) throw problem
            at = second
          }
        }
      }
      await Promise.all([work(first), work(first), work(second)])
      expect(first.process.signalCode).toBe('SIGKILL')
      const { rows } = await owner.query(
        `select i.state, count(*) filter (where t.state = 1) as done, count(distinct t.node) as steps, count(*) as tasks
         from flowinstance i join flow_task t on t.tenant_id = i.tenant_id and t.instance_id = i.id group by i.id, i.state`,
      )
      expect(rows).toHaveLength(12)
      expect(new Set(rows.map(({ state, done, steps, tasks }) => [state, done, steps, tasks].join(' ')))).toEqual(
        new Set(['2 4 4 4']),
      )
      expect((await owner.query('select from flow_token')).rowCount).toBe(0)

      const caught =
        '<intermediateCatchEvent id="t"><timerEventDefinition><timeDuration xsi:type="tFormalExpression" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">PT3S</timeDuration></timerEventDefinition></intermediateCatchEvent>'
      const later = await ask<{ id: string }>(second, 'POST', 'blade-flow/model/submit', {
        body: {
          name: 'later',
          modelKey: 'later',
          category: '9',
          xml: bpmn('start -> t -> e -> end', caught + own('e'), { key: 'later' }),
        },
      })
      const made = await ask<{ processDefinitionId: string }[]>(second, 'POST', 'blade-flow/model/deploy', {
        query: { modelId: later.data.id },
      })
      await ask(second, 'POST', 'blade-flow/work/start-process', {
        body: { processDefinitionId: made.data[0]!.processDefinitionId },
      })
      second.process.kill('SIGKILL')
      const isDue = async () => (await owner.query('select from flow_timer where due_time < now()')).rowCount === 1
      while (!(await isDue())) await sleep(100)
      others.push(...(await Promise.all([startServer(...place), startServer(...place)])))
      while ((await todo(others[0]!)).length === 0) await sleep(100)
      expect((await todo(others[1]!)).map(({ taskName }) => taskName)).toEqual(['e'])
      expect((await owner.query("select from flow_activity where node = 'e'")).rowCount).toBe(1)
    } finally {
      for (const each of others) each.process.kill('SIGKILL')
      await two.stop()
    }
  }, 180_000)
})
