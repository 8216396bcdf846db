import type { LoopPlan, PlanFlow, PlanNode, ProcessPlan, TaskPlan } from '@data-brain/contract/flow/plan'
import { type Earlier, earlierSteps } from '../src/modules/flow/engine/back.ts'
import { Execution } from '../src/modules/flow/engine/execution.ts'
import type { HistoryEvent, Host, Outcome, Place, Token, Variables } from '../src/modules/flow/engine/host.ts'

const task: TaskPlan = {
  assignees: [{ kind: 'applicant' }],
  ifNobody: 'incident',
  skipSame: false,
  onRefuse: 'end',
  may: { delegate: true, transfer: true, return: true, addSigner: true },
  fields: {},
  copies: [],
}

type Special = Partial<Omit<PlanNode, 'task'>> & { readonly task?: Partial<TaskPlan> }

/**
 * A process out of lines `a -> b -> c`, with conditions as `a -[x]-> b`: the flow is taken where the variable x is true.
 * `special` says what nodes are that are no user tasks; `start` and `end…` are events by their names.
 */
export function planOf(lines: string, special: Readonly<Record<string, Special>> = {}, key = 'p'): ProcessPlan {
  const nodes: Record<string, PlanNode & { incoming: string[]; outgoing: string[] }> = {}
  const flows: Record<string, PlanFlow> = {}
  const nodeFor = (id: string) => {
    nodes[id] ??= {
      id,
      name: id,
      type: id.endsWith('start') ? 'start' : id.includes('end') ? 'end' : 'user',
      scope: null,
      incoming: [],
      outgoing: [],
      ...special[id],
      ...(special[id]?.type === undefined || special[id]?.type === 'user'
        ? { task: { ...task, ...special[id]?.task } }
        : {}),
    } as PlanNode & { incoming: string[]; outgoing: string[] }
    return nodes[id]
  }
  for (const id of Object.keys(special)) nodeFor(id)
  for (const line of lines.split('\n')) {
    const parts = line.trim().split(/\s+(-(?:\[[^\]]+\]-)?>)\s+/)
    for (let at = 0; at + 2 < parts.length; at += 2) {
      const [from, arrow, to] = parts.slice(at, at + 3) as [string, string, string]
      const id = `${from}-${to}`
      const when = /\[(.+)\]/.exec(arrow)?.[1]
      const condition = when && when !== 'else' ? { condition: { op: 'name' as const, path: [when] } } : {}
      flows[id] = { id, from, to, ...condition }
      nodeFor(from).outgoing.push(id)
      nodeFor(to).incoming.push(id)
      if (when === 'else') nodes[from] = { ...nodes[from]!, defaultFlow: id }
    }
  }
  return { key, name: key, nodes, flows, form: [] }
}

export const loop = (order: LoopPlan['order'], need: LoopPlan['need'], times?: number): { loop: LoopPlan } => ({
  loop: { order, need, ...(times === undefined ? {} : { times }) },
})

/** One instance in memory: what waits, what happened, and what was told to its host. */
export class World {
  readonly plans: Record<string, ProcessPlan>
  readonly happened: HistoryEvent[] = []
  readonly timers = new Map<string, string[]>()
  /** Events that have sent a message to other instances. */
  readonly told: string[] = []
  readonly open = new Map<string, { node: string; person: string | undefined }>()
  people: readonly string[] = ['p1', 'p2', 'p3']
  /** What happens at a step whom nobody is found for. */
  nobody: Outcome | undefined
  failing = new Set<string>()
  run: Execution
  #ids = 0

  constructor(...plans: ProcessPlan[]) {
    this.plans = Object.fromEntries(plans.map((plan) => [plan.key, plan]))
    this.run = new Execution(this.#host(), [], {})
  }

  #host(): Host {
    return {
      newId: () => String(++this.#ids),
      plan: (id) => this.plans[id]!,
      versionOf: async (key) => key,
      people: async () => this.nobody ?? this.people,
      openTask: async ({ id }, node, person) => {
        if (this.nobody && person === undefined) return this.nobody
        if (this.open.has(id)) throw new Error(`${node.id} is asked twice for one token`)
        this.open.set(id, { node: node.id, person })
        return 'open'
      },
      past: async (processId) => this.past(processId),
      dropped: (ids) => {
        for (const id of ids) {
          this.open.delete(id)
          this.timers.delete(id)
        }
      },
      setTimer: async ({ id }, node) => {
        this.timers.set(id, [...(this.timers.get(id) ?? []), node.id])
      },
      tell: (node) => {
        this.told.push(node.id)
      },
      listen: ({ id }, node) => {
        this.timers.set(id, [...(this.timers.get(id) ?? []), node.id])
      },
      act: async (_, node) => !this.failing.has(node.id),
      happened: (happening) => this.happened.push(happening),
      ended: () => {},
    }
  }

  async start(variables: Variables = {}): Promise<this> {
    this.run = new Execution(this.#host(), [], variables)
    await this.run.start(Object.keys(this.plans)[0]!)
    return this
  }

  /** As it comes back out of the database, for the next act. */
  again(): void {
    const { tokens, variables, ending } = this.run
    const stored = JSON.parse(JSON.stringify([...tokens.values()])) as Token[]
    this.run = new Execution(this.#host(), stored, JSON.parse(JSON.stringify(variables)) as Variables)
    this.run.ending = ending
  }

  /** The steps that wait for somebody, by name. */
  get waiting(): string[] {
    return [...this.open.values()].map(({ node, person }) => (person ? `${node}:${person}` : node)).sort()
  }

  /** Where each step that waits stands: its name, within which scope, and for whom it is asked again. */
  get places(): string[] {
    return [...this.open].map(([id, { node, person }]) => {
      const token = this.run.tokens.get(id)!
      const outer = this.run.tokens.get(token.parent ?? '')
      const { parent, data } = outer?.data.loop && outer.node === node ? outer : token
      return [`${node}:${person ?? ''}`, parent ?? '', ...(data.backTo ?? []).map((back) => back.node)].join(' ')
    })
  }

  tokenAt(name: string): string {
    const [node, person] = name.split(':')
    const found = [...this.open].find(
      ([, each]) => each.node === node && (person === undefined || each.person === person),
    )
    if (!found) throw new Error(`${name} does not wait: ${this.waiting.join(', ')}`)
    return found[0]
  }

  async complete(name: string, outcome: Outcome = 'ok', more: Variables = {}): Promise<string[]> {
    this.again()
    const id = this.tokenAt(name)
    this.open.delete(id)
    await this.run.complete(id, outcome, more)
    return this.waiting
  }

  async fire(event: string): Promise<string[]> {
    this.again()
    const found = [...this.timers].find(([, events]) => events.includes(event))
    if (!found) throw new Error(`${event} is not set`)
    await this.run.fire(found[0], event)
    return this.waiting
  }

  past(processId: string): Place[] {
    return this.happened
      .filter(
        (each) => each.processId === processId && each.node.type === 'user' && !this.run.tokens.has(each.tokenId!),
      )
      .map(({ node, lineage }) => ({ node: node.id, lineage }))
      .reverse()
  }

  /** The steps to which one that waits can go back. */
  earlier(name: string): Earlier[] {
    const token = this.run.tokens.get(this.tokenAt(name))!
    const outer = this.run.tokens.get(token.parent ?? '')
    const { node, processId, data } = outer?.data.loop && outer.node === token.node ? outer : token
    return earlierSteps(this.plans[processId]!, this.past(processId), { node, lineage: data.lineage ?? [] })
  }

  async back(name: string, to: string, comeBack = false): Promise<string[]> {
    this.again()
    const target = this.earlier(name).find(({ node }) => node === to)
    if (!target) throw new Error(`${name} cannot go back to ${to}`)
    await this.run.returnTo(this.tokenAt(name), target, comeBack)
    return this.waiting
  }
}
