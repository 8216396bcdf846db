import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bpmn } from './flow-parts.ts'
import { callServer, logInTo, startTwo, type Told } from './two-servers.ts'

/* Of two servers one is killed in the middle of what the clock has asked for: messages, and processes that the clock starts. */

const applicant = '<extensionElements><db:assignees><db:assignee kind="applicant"/></db:assignees></extensionElements>'
const own = (id: string): string => `<userTask id="${id}" name="${id}">${applicant}</userTask>`
const withMessage = (xml: string): string => xml.replace('<process', '<message id="m" name="到货"/><process')
const sends = withMessage(
  bpmn(
    'start -> say -> end',
    '<intermediateThrowEvent id="say" name="say"><messageEventDefinition messageRef="m" db:correlation=":instance"/></intermediateThrowEvent>',
    { key: 'sends' },
  ),
)
const hears = withMessage(bpmn('start -> heard -> end', own('heard'), { key: 'hears' })).replace(
  '<startEvent id="start"/>',
  '<startEvent id="start"><messageEventDefinition messageRef="m"/></startEvent>',
)
const clocked = (key: string): string =>
  bpmn('start -> one -> end', own('one'), { key }).replace(
    '<startEvent id="start"/>',
    '<startEvent id="start"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></startEvent>',
  )
const many = 12

describe('R-FLOW-3 a server that is killed while it works by the clock', () => {
  it('loses no message and delivers none twice, and starts each process once', async () => {
    const two = await startTwo()
    try {
      const { owner } = two
      const [first, second] = two.servers
      const { access_token: token } = await logInTo(two, second, '000000', 'admin')
      let at = second
      const ask = <T>(method: 'GET' | 'POST', path: string, options: object = {}): Promise<Told<T>> =>
        callServer<T>(two, at, method, path, token, options)
      const laid = async (key: string, xml: string): Promise<string> => {
        const body = { name: key, modelKey: key, category: '9', xml }
        const model = await ask<{ id: string }>('POST', 'blade-flow/model/submit', { body })
        const query = { modelId: model.data.id }
        const made = await ask<{ processDefinitionId: string; message: string }[]>('POST', 'blade-flow/model/deploy', {
          query,
        })
        expect(made.data[0]!.message).toBeNull()
        return made.data[0]!.processDefinitionId
      }
      const id = await laid('sends', sends)
      for (let n = 0; n < many; n += 1)
        await ask('POST', 'blade-flow/work/start-process', { body: { processDefinitionId: id } })
      const starts = [await laid('first', clocked('first')), await laid('second', clocked('second'))]
      const count = async (text: string): Promise<number> => Number((await owner.query(text)).rows[0].n)
      // Each step of the clock takes a while, so that the kill is in the middle of one; the other server stands still until then.
      await owner.query(
        `create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.4); return null; end $$`,
      )
      await owner.query('create trigger slowly after insert on flowinstance for each row execute function slowly()')
      second.process.kill('SIGSTOP')
      at = first
      await owner.query("update flowprocess set start_due = now() - interval '1 minute' where id = any($1)", [starts])
      await laid('hears', hears)
      const heard =
        "select count(*) as n from flowinstance i join flowprocess p on p.id = i.process_definition_id where p.key = 'hears'"
      while ((await count(heard)) < 2) await sleep(20)
      while ((await count("select count(*) as n from pg_stat_activity where wait_event = 'PgSleep'")) === 0)
        await sleep(20)
      first.process.kill('SIGKILL')
      at = second
      second.process.kill('SIGCONT')
      expect(await count('select count(*) as n from flow_message')).toBeGreaterThan(0)
      // What the killed one had taken in hand is looked at again with the next that is asked for.
      await ask('POST', 'blade-flow/work/start-process', { body: { processDefinitionId: id } })
      while ((await count('select count(*) as n from flow_message')) > 0) await sleep(100)
      expect(first.process.signalCode).toBe('SIGKILL')
      const sent = await count(
        "select count(*) as n from flowinstance i join flowprocess p on p.id = i.process_definition_id where p.key = 'sends'",
      )
      expect(sent).toBe(many + 1)
      const { rows } = await owner.query<{ key: string; n: string; messages: string }>(
        `select p.key, count(*) as n, count(distinct i.variables -> '$message' ->> 'key') as messages from flowinstance i
           join flowprocess p on p.id = i.process_definition_id where p.key <> 'sends' group by 1 order by 1`,
      )
      expect(rows).toEqual([
        { key: 'first', n: '1', messages: '0' },
        { key: 'hears', n: String(sent), messages: String(sent) },
        { key: 'second', n: '1', messages: '0' },
      ])
      expect(await count("select count(*) as n from flow_task where node = 'heard' and state = 1")).toBe(0)
    } finally {
      two.servers[1].process.kill('SIGCONT')
      await two.stop()
    }
  }, 240_000)
})
