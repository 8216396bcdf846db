import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import type { PlanNode, ProcessPlan, TimerPlan } from '@data-brain/contract/flow/plan'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { raiseStamp } from '../../entity/stamp.ts'
import { announce } from '../../kernel/announce.ts'
import { Problem } from '../../kernel/problem.ts'
import { sendMessage } from '../desk/index.ts'
import { tickAt } from '../jobs/index.ts'
import { doAction } from './actions.ts'
import { businessOf, type FlowContext } from './business.ts'
import { type Due, dueOf } from './due.ts'
import { Execution } from './engine/execution.ts'
import { nodeOf } from './engine/graph.ts'
import {
  type Ending,
  EndlessRun,
  type Happening,
  type Host,
  Incident,
  type Outcome,
  type Place,
  type Token,
  type Variables,
} from './engine/host.ts'
import { type Candidates, candidatesOf, everybody, managersOf, type Seeking, tellable } from './people.ts'
import { type HeldStep, heldStep } from './terms.ts'
import { newestOf, type Version, versionsOf } from './versions.ts'

/** Keys of the dictionary flow_instance_state. */
export const instanceStates = {
  running: '1',
  agreed: '2',
  refused: '3',
  withdrawn: '4',
  terminated: '5',
  incident: '6',
} as const
export const taskStates = { open: 0, done: 1, gone: 2, copy: 3 } as const

/** An instance as it stands in its row. */
export interface InstanceRow {
  readonly id: string
  readonly title: string
  readonly processId: string
  readonly startUser: string | null
  readonly state: string
  readonly businessTable: string | null
  readonly businessId: string | null
  readonly variables: Variables
}

/** Whether an instance that was overdue still is, in SQL over its row: no step of it waits too long any more once one has moved. */
const stillOverdue = sql`case when is_overdue = 1 and exists (select from flow_task t where t.tenant_id = flowinstance.tenant_id and t.instance_id = flowinstance.id
  and t.state = ${taskStates.open} and t.due_time < now()) then 1 else 0 end`

/** Marks what an instance that waits is found by; what is not named stays. */
export async function markWaiting(
  { tx, actor }: Pick<FlowContext, 'tx' | 'actor'>,
  instanceId: string,
  { isOverdue, lacksApprover }: { readonly isOverdue?: true; readonly lacksApprover?: boolean },
): Promise<void> {
  const lacks = lacksApprover === undefined ? sql`lacks_approver` : sql`${lacksApprover ? 1 : 0}`
  const changed = await tx.count(
    sql`update flowinstance set is_overdue = ${isOverdue ? sql`1` : stillOverdue}, lacks_approver = ${lacks}
        where tenant_id = ${actor.tenantId} and id = ${instanceId}
          and (is_overdue, lacks_approver) is distinct from (${isOverdue ? sql`1` : stillOverdue}, ${lacks})`,
  )
  if (changed > 0) await raiseStamp(tx, actor.tenantId, flowinstance.name)
}

/** What fires timers, by its name among recurring work. */
export const timerWork = 'flow-timers'

interface OpenedTask {
  readonly id: string
  readonly token: Token
  readonly stepId: string
  readonly node: PlanNode
  readonly assignee: string | null
  readonly candidates: Candidates
  readonly due: number | null
}

interface ReadRow extends InstanceRow {
  readonly ended: boolean
  readonly suspended: boolean
  readonly processName: string
}

interface SetTimer {
  readonly tokenId: string
  readonly node: string
  readonly kind: 'event' | 'due' | 'retry'
  readonly at: number
  readonly repeats: number | null
  readonly tries: number
}

/** A service that fails is tried so many times, each time after twice as long, before it stands as an incident. */
const triesMost = 5
const firstRetryMs = 60_000

/** So many steps that are over are looked through: beyond the newest of them are those of endless rounds only. */
const pastMost = 2_000

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/**
 * One instance, held for the length of a transaction: its row is locked, its tokens move in memory (`run`), and `save` writes
 * down what has changed, so that a step is kept with all that it decides, or not at all.
 */
export class InstanceWork implements Host {
  readonly context: FlowContext
  readonly row: InstanceRow
  readonly run: Execution
  /** A service that is tried again: where it stands, and how often it was tried. */
  retried: { readonly tokenId: string; readonly tries: number } | undefined
  readonly #versions: Map<string, Version>
  readonly #before: ReadonlyMap<string, Token>
  readonly #dropped = new Set<string>()
  readonly #opened: OpenedTask[] = []
  readonly #timers: SetTimer[] = []
  readonly #happenings: (Happening & { readonly id: string })[] = []
  readonly #ended = new Map<string, Outcome | undefined>()

  constructor(context: FlowContext, row: InstanceRow, tokens: readonly Token[], versions: Map<string, Version>) {
    this.context = context
    this.row = row
    this.#versions = versions
    this.#before = new Map(tokens.map((token) => [token.id, token]))
    this.run = new Execution(this, tokens, row.variables)
  }

  /** Holds an instance. One that is over, suspended or not there throws a Problem. */
  static async hold(context: FlowContext, instanceId: string): Promise<InstanceWork> {
    const row = await InstanceWork.#read(context, instanceId, true)
    if (row.ended)
      throw new Problem('rule_broken', {
        reason: { zh: `流程“${row.title}”已结束`, en: `The process “${row.title}” is over` },
      })
    if (row.suspended)
      throw new Problem('rule_broken', {
        reason: {
          zh: `流程“${row.processName}”已挂起，激活后才能办理`,
          en: `The process “${row.processName}” is suspended: it goes on once it is active again`,
        },
      })
    return InstanceWork.#of(context, row)
  }

  /** An instance to be looked at, whatever its state, without holding it. */
  static async look(context: FlowContext, instanceId: string): Promise<InstanceWork> {
    return InstanceWork.#of(context, await InstanceWork.#read(context, instanceId, false))
  }

  static async #read({ tx, actor }: FlowContext, instanceId: string, holds: boolean): Promise<ReadRow> {
    const row = await tx.one<ReadRow>(
      sql`select i.id, i.title, i.process_definition_id as "processId", i.start_user as "startUser", i.state, i.business_table as "businessTable",
            i.business_id as "businessId", i.variables, i.end_time is not null as ended, p.suspension_state = '2' as suspended, p.name as "processName"
          from flowinstance i join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
          where i.tenant_id = ${actor.tenantId} and i.id = ${instanceId} ${holds ? sql`for update of i` : sql``}`,
    )
    if (!row) throw new Problem('not_found')
    return row
  }

  static async #of(context: FlowContext, row: InstanceRow): Promise<InstanceWork> {
    const { tx, actor } = context
    const tokens = await tx.run<Token>(
      sql`select id, process_id as "processId", node, parent_id as parent, arrived_by as "arrivedBy", data from flow_token
          where tenant_id = ${actor.tenantId} and instance_id = ${row.id} order by id`,
    )
    const ids = [
      ...new Set([row.processId, ...tokens.flatMap((each) => [each.processId, each.data.called ?? []].flat())]),
    ]
    return new InstanceWork(context, row, tokens, await versionsOf(tx, actor.tenantId, ids))
  }

  get version(): Version {
    return this.#versions.get(this.row.processId)!
  }

  get #seeking(): Seeking {
    const { tenantId } = this.context.actor
    const { id: instanceId, startUser } = this.row
    return { tenantId, instanceId, startUser, variables: this.run.variables }
  }

  get #schoolId(): string | null {
    const { schoolId } = this.run.variables
    return typeof schoolId === 'string' ? schoolId : null
  }

  newId = newId

  plan(processId: string): ProcessPlan {
    const version = this.#versions.get(processId)
    if (!version) throw new Error(`the version ${processId} was not read`)
    return version.plan
  }

  async versionOf(key: string): Promise<string> {
    const version = await newestOf(this.context.tx, this.context.actor.tenantId, key)
    this.#versions.set(version.id, version)
    return version.id
  }

  /** A step of people, with what was promised of it when the instance began: of the process itself, not of those that it calls. */
  stepOf(processId: string, node: string): HeldStep | undefined {
    const task = this.plan(processId).nodes[node]?.task
    return task && processId === this.row.processId ? heldStep(task, node, this.run.variables) : task
  }

  /** Whom a step is asked of; an outcome where nobody is and it goes on all the same. */
  async #sought(token: Token, node: PlanNode): Promise<Candidates | Outcome> {
    const { tx, actor } = this.context
    const found = await candidatesOf(tx, node.task?.assignees ?? [], node.id, this.#seeking)
    if (found.users.length + found.groups.length > 0) return found
    if (node.task?.ifNobody === 'skip') return 'ok'
    if (node.task?.ifNobody === 'managers') {
      const managers = await managersOf(tx, actor.tenantId)
      const [one, more] = await everybody(tx, managers, this.#seeking)
      if (one) return more ? managers : { users: [one], groups: [] }
    }
    const name = node.name ?? token.node
    throw new Incident({
      zh: `“${name}”没有审批人，请设置人员后重试`,
      en: `Nobody is found for “${name}”: name somebody and try again`,
    })
  }

  async people(token: Token, node: PlanNode): Promise<readonly string[] | Outcome> {
    const found = await this.#sought(token, node)
    if (typeof found === 'string') return found
    const all = await everybody(this.context.tx, found, this.#seeking)
    return all.length > 0 ? all : 'ok'
  }

  async openTask(token: Token, node: PlanNode, person: string | undefined): Promise<'open' | Outcome> {
    const found = person === undefined ? await this.#sought(token, node) : { users: [person], groups: [] }
    if (typeof found === 'string') return found
    const { users, groups } = found
    const assignee = users.length === 1 && groups.length === 0 ? users[0]! : null
    if (node.task?.skipSame && assignee !== null && (await this.#hasAgreed(assignee))) return 'ok'
    const step = this.stepOf(token.processId, node.id)
    const due = step?.due && (await this.dueOf(step.due))
    const parent = token.parent === null ? undefined : this.run.tokens.get(token.parent)
    const stepId = parent?.data.loop && parent.node === token.node ? parent.id : token.id
    this.#opened.push({ id: newId(), token, stepId, node, assignee, candidates: found, due: due?.at ?? null })
    if (due)
      this.#timers.push({ tokenId: token.id, node: node.id, kind: 'due', at: due.at, repeats: due.repeats, tries: 0 })
    return 'open'
  }

  /** Whether somebody has agreed in this instance already. */
  async #hasAgreed(userId: string): Promise<boolean> {
    const { tx, actor } = this.context
    const row = await tx.one(
      sql`select 1 from flow_task where tenant_id = ${actor.tenantId} and instance_id = ${this.row.id} and assignee = ${userId} and state = ${taskStates.done}
            and outcome = 'ok' limit 1`,
    )
    return row !== undefined
  }

  /** When a timer of this instance comes due that is set now. */
  dueOf(timer: TimerPlan): Promise<Due | undefined> {
    const { tx, actor } = this.context
    return dueOf(timer, this.run.variables, { tx, tenantId: actor.tenantId, schoolId: this.#schoolId })
  }

  async past(processId: string): Promise<Place[]> {
    const { tx, actor } = this.context
    const now = this.#happenings
      .filter(({ id, processId: of, node }) => of === processId && node.type === 'user' && this.#ended.has(id))
      .map(({ node, lineage }) => ({ node: node.id, lineage }))
    const before = await tx.run<Place>(
      sql`select node, lineage from flow_activity where tenant_id = ${actor.tenantId} and instance_id = ${this.row.id} and process_id = ${processId}
            and kind = 'user' and end_time is not null order by id desc limit ${pastMost}`,
    )
    return [...now.reverse(), ...before]
  }

  dropped(tokenIds: readonly string[]): void {
    for (const id of tokenIds) {
      this.#dropped.add(id)
      for (const list of [this.#opened, this.#timers] as { tokenId?: string; token?: Token }[][])
        for (let at = list.length - 1; at >= 0; at -= 1)
          if (list[at]!.tokenId === id || list[at]!.token?.id === id) list.splice(at, 1)
    }
  }

  async setTimer(token: Token, node: PlanNode, timer: TimerPlan): Promise<void> {
    const due = await this.dueOf(timer)
    if (!due)
      throw new Problem('rule_broken', {
        reason: {
          zh: `“${node.name ?? node.id}”的时间无法识别，请填写日期`,
          en: `The time of “${node.name ?? node.id}” cannot be read: give a date`,
        },
      })
    this.#timers.push({ tokenId: token.id, node: node.id, kind: 'event', at: due.at, repeats: due.repeats, tries: 0 })
  }

  async act(token: Token, node: PlanNode): Promise<boolean> {
    const { tx } = this.context
    await tx.run(sql`savepoint flow_act`)
    try {
      await doAction(this, node, this.#seeking)
      await tx.run(sql`release savepoint flow_act`)
      return true
    } catch (problem) {
      await tx.run(sql`rollback to savepoint flow_act`)
      if (problem instanceof Incident) throw problem
      const before = this.retried?.tokenId === token.id ? this.retried.tries : 0
      const tries = before + 1
      if (tries >= triesMost) {
        const why = problem instanceof Problem ? { zh: problem.words('zh'), en: problem.words('en') } : undefined
        throw new Incident({
          zh: `“${node.name ?? node.id}”执行失败${triesMost}次${why ? `：${why.zh}` : ''}`,
          en: `“${node.name ?? node.id}” failed ${triesMost} times${why ? `: ${why.en}` : ''}`,
        })
      }
      const at = Date.now() + firstRetryMs * 2 ** before
      this.#timers.push({ tokenId: token.id, node: node.id, kind: 'retry', at, repeats: 0, tries })
      return false
    }
  }

  happened(happening: Happening): void {
    this.#happenings.push({ ...happening, id: happening.lasts && happening.tokenId ? happening.tokenId : newId() })
  }

  ended(tokenId: string, outcome?: Outcome): void {
    this.#ended.set(tokenId, outcome)
  }

  /** Moves the instance, and writes down what has changed. */
  async moved(move: (run: Execution) => Promise<void> | void): Promise<void> {
    try {
      await move(this.run)
    } catch (problem) {
      if (!(problem instanceof EndlessRun)) throw problem
      const name = problem.node.name ?? problem.node.id
      throw new Problem('rule_broken', {
        reason: {
          zh: `流程在“${name}”处循环不止，已停止；请修改流程图`,
          en: `The process runs in a circle at “${name}” and was stopped: change the model`,
        },
      })
    }
    await this.#save()
  }

  async #save(): Promise<void> {
    const { tx, actor } = this.context
    const { tenantId } = actor
    const { id: instanceId } = this.row
    const touched = await this.#saveTokens()
    if (this.#happenings.length > 0) {
      const rows = this.#happenings.map((each) => {
        const isOver = !each.lasts || (each.tokenId !== null && !this.run.tokens.has(each.tokenId))
        return {
          ...{
            id: each.id,
            process_id: each.processId,
            node: each.node.id,
            kind: each.node.type,
            name: each.node.name ?? null,
          },
          ...{ came_by: each.cameBy, lineage: each.lineage, over: isOver, outcome: this.#outcomeOf(each.id) },
        }
      })
      await tx.run(
        sql`insert into flow_activity (tenant_id, id, instance_id, process_id, node, kind, name, came_by, lineage, end_time, outcome)
            select ${tenantId}, x.id, ${instanceId}, x.process_id, x.node, x.kind, left(x.name, 255), x.came_by,
              array(select jsonb_array_elements_text(x.lineage)), case when x.over then clock_timestamp() end, x.outcome
            from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(id bigint, process_id bigint, node text, kind text, name text, came_by text, lineage jsonb, over boolean, outcome text)`,
      )
    }
    if (this.#ended.size > 0)
      await tx.run(
        sql`update flow_activity a set end_time = clock_timestamp(), outcome = x.outcome
            from unnest(${[...this.#ended.keys()]}::bigint[], ${[...this.#ended.values()].map((each) => each ?? null)}::text[]) x(id, outcome)
            where a.tenant_id = ${tenantId} and a.id = x.id and a.end_time is null`,
      )
    await this.#saveTasks(touched)
    await this.#saveTimers()
    await this.#saveRow()
    await announce(tx, tenantId, 'task', [...touched])
  }

  async #saveTimers(): Promise<void> {
    if (this.#timers.length === 0) return
    const { tx, actor, services } = this.context
    const rows = this.#timers.map(({ tokenId, at, ...each }) => ({
      ...each,
      id: newId(),
      token_id: tokenId,
      at: iso(at),
    }))
    await tx.run(
      sql`insert into flow_timer (tenant_id, id, instance_id, token_id, node, kind, due_time, repeats, tries)
          select ${actor.tenantId}, x.id, ${this.row.id}, x.token_id, x.node, x.kind, x.at, x.repeats, x.tries
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            x(id bigint, token_id bigint, node text, kind text, at timestamptz, repeats integer, tries integer)`,
    )
    for (const at of new Set(this.#timers.map((timer) => timer.at)))
      await tickAt(services, tx, timerWork, actor.tenantId, at)
  }

  /** The outcome of a step that began and ended at once: it is written with its row. */
  #outcomeOf(id: string): string | null {
    const outcome = this.#ended.get(id) ?? null
    this.#ended.delete(id)
    return outcome
  }

  /** Writes tokens, and takes away what waited at those that are gone; answers whom that concerns. */
  async #saveTokens(): Promise<Set<string>> {
    const { tx, actor } = this.context
    const { tenantId } = actor
    const touched = new Set<string>()
    const gone = [...this.#before.keys()].filter((id) => !this.run.tokens.has(id))
    const changed = [...this.run.tokens.values()].filter((token) => this.#before.get(token.id) !== token)
    const waited = [...this.#dropped].filter((id) => this.#before.has(id))
    if (waited.length > 0)
      for (const { assignee } of await tx.run<{ assignee: string | null }>(
        sql`update flow_task set state = ${taskStates.gone}, end_time = now(), token_id = null
            where tenant_id = ${tenantId} and instance_id = ${this.row.id} and state = ${taskStates.open} and token_id = any(${waited}::bigint[]) returning assignee`,
      ))
        if (assignee) touched.add(assignee)
    if (gone.length > 0)
      await tx.run(sql`delete from flow_token where tenant_id = ${tenantId} and id = any(${gone}::bigint[])`)
    if (changed.length > 0)
      await tx.run(
        sql`insert into flow_token (tenant_id, id, instance_id, process_id, node, parent_id, arrived_by, data)
            select ${tenantId}, x.id, ${this.row.id}, x."processId", x.node, x.parent, x."arrivedBy", x.data
            from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) x(id bigint, "processId" bigint, node text, parent bigint, "arrivedBy" text, data jsonb)
            on conflict (tenant_id, id) do update set data = excluded.data, arrived_by = excluded.arrived_by`,
      )
    return touched
  }

  async #saveTasks(touched: Set<string>): Promise<void> {
    if (this.#opened.length === 0) return
    const { tx, actor } = this.context
    const { tenantId } = actor
    const rows = this.#opened.map(({ id, token, stepId, node, assignee, due }) => ({
      ...{ id, token_id: token.id, step_id: stepId, process_id: token.processId, node: node.id },
      ...{ name: node.name ?? node.id, assignee, due: iso(due) },
    }))
    await tx.run(
      sql`insert into flow_task (tenant_id, id, instance_id, process_id, token_id, step_id, node, name, assignee, due_time)
          select ${tenantId}, x.id, ${this.row.id}, x.process_id, x.token_id, x.step_id, x.node, left(x.name, 255), x.assignee, x.due
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(id bigint, process_id bigint, token_id bigint, step_id bigint, node text, name text, assignee bigint, due timestamptz)`,
    )
    const shared = this.#opened.filter(({ assignee }) => assignee === null)
    const candidates = shared.flatMap(({ id, candidates: { users, groups } }) => [
      ...users.map((target) => ({ task_id: id, kind: 'user', target_id: target })),
      ...groups.map(({ kind, id: target }) => ({ task_id: id, kind, target_id: target })),
    ])
    if (candidates.length > 0) {
      await tx.run(
        sql`insert into flow_candidate (tenant_id, task_id, kind, target_id)
            select ${tenantId}, x.task_id, x.kind, x.target_id
            from jsonb_to_recordset(${JSON.stringify(candidates)}::jsonb) x(task_id bigint, kind text, target_id bigint) on conflict do nothing`,
      )
      for (const id of await tellable(
        tx,
        tenantId,
        shared.map(({ id }) => id),
      ))
        touched.add(id)
    }
    for (const { assignee } of this.#opened) if (assignee) touched.add(assignee)
  }

  async #saveRow(): Promise<void> {
    const { tx, actor } = this.context
    const { ending, tokens, variables } = this.run
    const stuck = [...tokens.values()].some(({ data }) => data.incident)
    const state = ending ? instanceStates[ending] : stuck ? instanceStates.incident : instanceStates.running
    const names = [...tokens.values()].flatMap((token) => {
      const node = nodeOf(this.plan(token.processId), token.node)
      return ['user', 'service', 'catch', 'eventBased'].includes(node.type) || token.data.incident
        ? [node.name ?? node.id]
        : []
    })
    await tx.run(
      sql`update flowinstance set state = ${state}, activity = ${[...new Set(names)].join('、').slice(0, 500) || null}, variables = ${JSON.stringify(variables)}::jsonb,
            end_time = case when ${ending !== undefined} then now() end, is_overdue = ${stillOverdue}, lacks_approver = 0, version = version + 1, update_time = now(), update_user = ${actor.userId}::bigint
          where tenant_id = ${actor.tenantId} and id = ${this.row.id}`,
    )
    await raiseStamp(tx, actor.tenantId, flowinstance.name)
    if (ending) await this.#over(ending)
    else if (stuck && this.row.state !== instanceStates.incident) await this.#tellStuck()
  }

  /** Whoever manages processes learns of one that stands still; nobody else could help it. */
  async #tellStuck(): Promise<void> {
    const { tx, actor } = this.context
    const said = [...this.run.tokens.values()].find(({ data }) => data.incident)?.data.incident
    const { title, id } = this.row
    await sendMessage(tx, actor.tenantId, await everybody(tx, await managersOf(tx, actor.tenantId), this.#seeking), {
      kind: 'flow-incident',
      title: { zh: `流程异常：${title}`, en: `A process stands still: ${title}` },
      ...(said ? { body: said } : {}),
      link: `/work/process/detail/${id}`,
    })
  }

  async #over(ending: Ending): Promise<void> {
    const { tx, actor } = this.context
    const { startUser, title, businessTable, businessId, id } = this.row
    const business = businessOf(businessTable)
    if (business && businessId) await business.ended(this.context, businessId, ending)
    if (!startUser || startUser === actor.userId || ending === 'withdrawn') return
    const said = {
      agreed: { zh: '已通过', en: 'was agreed to' },
      refused: { zh: '已驳回', en: 'was refused' },
      terminated: { zh: '已终止', en: 'was terminated' },
    }[ending]
    await sendMessage(tx, actor.tenantId, [startUser], {
      kind: 'flow-ended',
      title: { zh: `${title}${said.zh}`, en: `${title} ${said.en}` },
      link:
        businessTable && businessId
          ? `/work/process/${businessTable}/detail/${id}/${businessId}`
          : `/work/process/detail/${id}`,
    })
  }
}
