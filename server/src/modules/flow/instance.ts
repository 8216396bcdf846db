import type { PlanNode, ProcessPlan, TimerPlan } from '@data-brain/contract/flow/plan'
import { allOf } from '../../database/all-of.ts'
import { newId } from '../../database/id.ts'
import { sql } from '../../database/statement.ts'
import { Problem } from '../../kernel/problem.ts'
import { doAction } from './actions.ts'
import type { FlowContext } from './business.ts'
import { type InstanceChanges, type OpenedTask, type SetTimer, writeChanges } from './changes.ts'
import { type Due, dueOf } from './due.ts'
import { Execution } from './engine/execution.ts'
import { nodeOf } from './engine/graph.ts'
import {
  type CorrelatedMessage,
  EndlessRun,
  type HistoryEvent,
  type Host,
  Incident,
  type Outcome,
  type Place,
  type Token,
} from './engine/host.ts'
import { keyOf, type Subscription, type ThrownMessage, thrownBy } from './message.ts'
import { type Candidates, candidatesOf, everybody, managersOf, type Seeking } from './people.ts'
import { type InstanceRow, taskStates } from './states.ts'
import { type HeldStep, heldStep } from './terms.ts'
import { newestOf, type Version, versionsOf } from './versions.ts'

interface ReadRow extends InstanceRow {
  readonly ended: boolean
  readonly suspended: boolean
  readonly processName: string
}

interface HeldToken extends Token {
  readonly instanceId: string
}

/** A service that fails is tried so many times, each time after twice as long, before it stands as an incident. */
const triesMost = 5
const firstRetryMs = 60_000

/** Why an instance cannot go on now; undefined where it can. */
function whyHeld({ ended, suspended, title, processName }: ReadRow): Problem | undefined {
  if (ended)
    return new Problem('rule_broken', {
      reason: { zh: `流程“${title}”已结束`, en: `The process “${title}” is over` },
    })
  if (!suspended) return undefined
  return new Problem('rule_broken', {
    reason: {
      zh: `流程“${processName}”已挂起，激活后才能办理`,
      en: `The process “${processName}” is suspended: it goes on once it is active again`,
    },
  })
}

/** So many steps that are over are looked through: beyond the newest of them are those of endless rounds only. */
const pastMost = 2_000

/**
 * One instance, held for the length of a transaction: its row is locked, its tokens move in memory (`run`), and what has changed
 * is written down together, so that a step is kept with all that it decides, or not at all.
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
  readonly #thrown: ThrownMessage[] = []
  readonly #subscriptions: Subscription[] = []
  readonly #happenings: (HistoryEvent & { readonly id: string })[] = []
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
    const work = (await InstanceWork.holdAll(context, sql`${instanceId}::bigint`)).get(instanceId)
    if (!work) throw new Problem('not_found')
    if (work instanceof Problem) throw work
    return work
  }

  /**
   * Holds several instances, in the order of their ids, so that of two who hold the same none waits for the other's next.
   * Answers each that is there, by its id: a Problem in the place of one that is over or suspended.
   */
  static async holdAll(
    context: FlowContext,
    ids: ReturnType<typeof sql>,
  ): Promise<Map<string, InstanceWork | Problem>> {
    // The tokens are read once the instances are held, and travel with that.
    const [rows, tokens] = await allOf([InstanceWork.#read(context, ids, true), InstanceWork.#tokens(context, ids)])
    const going = await InstanceWork.#of(
      context,
      rows.filter((row) => !whyHeld(row)),
      tokens,
    )
    return new Map(rows.map((row) => [row.id, going.get(row.id) ?? whyHeld(row)!]))
  }

  /** An instance to be looked at, whatever its state, without holding it. */
  static async look(context: FlowContext, instanceId: string): Promise<InstanceWork> {
    const id = sql`${instanceId}::bigint`
    const [rows, tokens] = await allOf([InstanceWork.#read(context, id, false), InstanceWork.#tokens(context, id)])
    const work = (await InstanceWork.#of(context, rows, tokens)).get(instanceId)
    if (!work) throw new Problem('not_found')
    return work
  }

  static #read({ tx, actor }: FlowContext, ids: ReturnType<typeof sql>, holds: boolean): Promise<ReadRow[]> {
    return tx.run<ReadRow>(
      sql`select i.id, i.title, i.process_definition_id as "processId", i.start_user as "startUser", i.state, i.business_table as "businessTable",
            i.business_id as "businessId", i.variables, i.end_time is not null as ended, p.suspension_state = '2' as suspended, p.name as "processName"
          from flowinstance i join flowprocess p on p.tenant_id = i.tenant_id and p.id = i.process_definition_id
          where i.tenant_id = ${actor.tenantId} and i.id in (${ids}) order by i.id ${holds ? sql`for update of i` : sql``}`,
    )
  }

  static #tokens({ tx, actor }: FlowContext, ids: ReturnType<typeof sql>): Promise<HeldToken[]> {
    return tx.run<HeldToken>(
      sql`select id, process_id as "processId", node, parent_id as parent, arrived_by as "arrivedBy", data, instance_id as "instanceId" from flow_token
          where tenant_id = ${actor.tenantId} and instance_id in (${ids}) order by id`,
    )
  }

  static async #of(
    context: FlowContext,
    rows: readonly ReadRow[],
    tokens: readonly HeldToken[],
  ): Promise<Map<string, InstanceWork>> {
    if (rows.length === 0) return new Map()
    const { tx, actor } = context
    const standing = Map.groupBy(tokens, ({ instanceId }) => instanceId)
    const versions = new Set(rows.map(({ processId }) => processId))
    for (const { processId, data } of tokens) for (const id of [processId, data.called]) if (id) versions.add(id)
    const known = await versionsOf(tx, actor.tenantId, [...versions])
    return new Map(
      rows.map((row) => {
        const own = (standing.get(row.id) ?? []).map(({ instanceId: _, ...token }) => token)
        return [row.id, new InstanceWork(context, row, own, new Map(known))]
      }),
    )
  }

  get version(): Version {
    return this.#versions.get(this.row.processId)!
  }

  get #seeking(): Seeking {
    const { tenantId } = this.context.actor
    const { id: instanceId, startUser } = this.row
    return { tenantId, instanceId, startUser, variables: this.run.variables, memory: this.context.memory }
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
    const alone = users.length === 1 && groups.length === 0 ? users[0]! : null
    const assignee = alone ?? (token.data.isAgain ? await this.#doerAmong(token, node, found) : null)
    // Whoever is asked again is asked for what has changed: an agreement from before does not answer it.
    if (node.task?.skipSame && !token.data.isAgain && assignee !== null && (await this.#hasAgreed(assignee)))
      return 'ok'
    const step = this.stepOf(token.processId, node.id)
    const due = step?.due && (await this.dueOf(step.due))
    const parent = token.parent === null ? undefined : this.run.tokens.get(token.parent)
    const stepId = parent?.data.loop && parent.node === token.node ? parent.id : token.id
    this.#opened.push({
      ...{ id: newId(), token, stepId, node: node.id, name: node.name ?? node.id },
      ...{ assignee, candidates: found, due: due?.at ?? null },
    })
    if (due)
      this.#timers.push({ tokenId: token.id, node: node.id, kind: 'due', at: due.at, repeats: due.repeats, tries: 0 })
    return 'open'
  }

  /** Who did a step last, if that is still one of those whom it is asked of. */
  async #doerAmong({ processId }: Token, { id: node }: PlanNode, found: Candidates): Promise<string | null> {
    const { tx, actor } = this.context
    const last = await tx.one<{ id: string }>(
      sql`select assignee as id from flow_task where tenant_id = ${actor.tenantId} and instance_id = ${this.row.id} and process_id = ${processId}
            and node = ${node} and state = ${taskStates.done} and outcome in ('ok', 'no', 'back') order by end_time desc, id desc limit 1`,
    )
    return last && (await everybody(tx, found, this.#seeking)).includes(last.id) ? last.id : null
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
      for (const list of [this.#opened, this.#timers, this.#subscriptions] as { tokenId?: string; token?: Token }[][])
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

  tell(node: PlanNode, { name, correlation }: CorrelatedMessage): void {
    const { variables } = this.run
    this.#thrown.push(thrownBy(this.version.plan, variables, { name, key: this.#keyOf(node, correlation) }, node))
  }

  listen({ id: tokenId }: Token, node: PlanNode, { name, correlation }: CorrelatedMessage): void {
    this.#subscriptions.push({ tokenId, node: node.id, name, key: this.#keyOf(node, correlation) })
  }

  #keyOf = (node: PlanNode, correlation: string): string => keyOf(this.row, this.run.variables, node, correlation)

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

  happened(happening: HistoryEvent): void {
    this.#happenings.push({ ...happening, id: happening.lasts && happening.tokenId ? happening.tokenId : newId() })
  }

  ended(tokenId: string, outcome?: Outcome): void {
    this.#ended.set(tokenId, outcome)
  }

  /** Moves the instance, and writes down what has changed. */
  async moved(move: (run: Execution) => Promise<void> | void): Promise<void> {
    await this.move(move)
    await writeChanges(this.context, [this.changes()])
  }

  /** Moves the instance in memory: its `changes` are to be written. */
  async move(move: (run: Execution) => Promise<void> | void): Promise<void> {
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
  }

  /** What has changed since the instance was held. */
  changes(): InstanceChanges {
    const { tokens, variables, ending } = this.run
    const standing = [...tokens.values()]
    const isOver = ({ lasts, tokenId }: HistoryEvent): boolean => !lasts || (tokenId !== null && !tokens.has(tokenId))
    const begun = new Set(this.#happenings.map(({ id }) => id))
    return {
      ...{ row: this.row, seeking: this.#seeking, opened: this.#opened, timers: this.#timers, ending },
      ...{ thrown: this.#thrown, subscriptions: this.#subscriptions },
      gone: [...this.#before.keys()].filter((id) => !tokens.has(id)),
      kept: standing.filter((token) => this.#before.get(token.id) !== token),
      dropped: [...this.#dropped].filter((id) => this.#before.has(id)),
      activities: this.#happenings.map((each) => ({
        ...{ id: each.id, processId: each.processId, node: each.node.id, kind: each.node.type },
        ...{ name: each.node.name ?? null, cameBy: each.cameBy, lineage: each.lineage },
        ...{ over: isOver(each), outcome: this.#ended.get(each.id) ?? null },
      })),
      // What began and ended at once is written with its line.
      ended: new Map([...this.#ended].filter(([id]) => !begun.has(id))),
      variables: variables === this.row.variables ? undefined : variables,
      standsAt: this.#standsAt(standing),
      incident: standing.find(({ data }) => data.incident)?.data.incident,
    }
  }

  #standsAt(tokens: readonly Token[]): string | null {
    const names = tokens.flatMap((token) => {
      const node = nodeOf(this.plan(token.processId), token.node)
      return ['user', 'service', 'catch', 'eventBased'].includes(node.type) || token.data.incident
        ? [node.name ?? node.id]
        : []
    })
    return [...new Set(names)].join('、').slice(0, 500) || null
  }
}
