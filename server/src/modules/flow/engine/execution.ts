import type { Words } from '@data-brain/contract'
import type { LoopPlan, PlanNode, ProcessPlan } from '@data-brain/contract/flow/plan'
import { type Earlier, earlierSteps, standaloneMark } from './back.ts'
import { boundariesOf, comingTo, flowOf, inclusiveGoesOn, leavingFlows, nodeOf, startOf } from './graph.ts'
import {
  type Ending,
  EndlessRun,
  type Host,
  Incident,
  isCorrelated,
  type LoopState,
  type Outcome,
  type Place,
  type Token,
  type TokenData,
  type Variables,
} from './host.ts'

/** So many steps a process does by itself before it is stopped. */
const stepsMost = 1_000
/** So many processes may call one another in a row. */
const callsMost = 20

/** A token about to come to a node. */
interface Move {
  readonly processId: string
  readonly node: string
  readonly parent: string | null
  readonly by: string | null
  readonly lineage: readonly string[]
  /** Carried on into the step: to where it goes back. */
  readonly backTo?: readonly Place[]
}

/** How many of `total` must agree. */
function needed(need: LoopPlan['need'], total: number): number {
  if (need === 'all') return total
  if (need === 'any') return Math.min(1, total)
  const count = 'count' in need ? need.count : Math.ceil(need.share * total - 1e-9)
  return Math.min(total, Math.max(1, count))
}

const noWay = (node: PlanNode): Words => ({
  zh: `“${node.name ?? node.id}”之后没有符合条件的路径，请修改数据后重试`,
  en: `No way out of “${node.name ?? node.id}” holds: change the data and try again`,
})

const commonStart = (lists: readonly (readonly string[])[]): string[] => {
  const [first = [], ...others] = lists
  const differs = first.findIndex((each, index) => others.some((list) => list[index] !== each))
  return differs === -1 ? [...first] : first.slice(0, differs)
}

/**
 * One instance that moves: what somebody or something does lets its tokens go on as far as they can. It changes what it
 * was given in memory; whoever keeps instances writes down what has changed. A failure in between leaves nothing to keep.
 */
export class Execution {
  readonly tokens: Map<string, Token>
  variables: Variables
  /** Set once nothing runs any more. */
  ending: Ending | undefined
  readonly #host: Host
  readonly #queue: Move[] = []
  /** Scopes out of which a token has gone. */
  readonly #thinned = new Set<string | null>()
  /** Messages of its own, heard once what is on its way has come to where it waits. */
  readonly #told: string[] = []
  #steps = 0

  constructor(host: Host, tokens: readonly Token[], variables: Variables) {
    this.#host = host
    this.tokens = new Map(tokens.map((token) => [token.id, token]))
    this.variables = variables
  }

  /** Begins at the start of a version. */
  async start(processId: string): Promise<void> {
    this.#enterScope(processId, null, null)
    await this.#run()
  }

  /** A decision on what a token waits for. */
  async complete(tokenId: string, outcome: Outcome, more: Variables = {}): Promise<void> {
    const { token, node } = this.#at(tokenId)
    if (Object.keys(more).length > 0) this.variables = { ...this.variables, ...more }
    const [next, ...after] = token.data.after ?? []
    if (outcome === 'ok' && next !== undefined) {
      // Whoever was added is asked as well; it is one step.
      const waiting = this.#set({ ...token, data: { ...token.data, person: next, after } })
      if ((await this.#host.openTask(waiting, node, next)) === 'open') return
    }
    await this.#done(token, node, outcome)
    await this.#run()
  }

  /** An event comes due: of a token that waits for it, at the edge of an activity, or behind a gateway that waits. */
  async fire(tokenId: string, nodeId: string): Promise<void> {
    const token = this.tokens.get(tokenId)
    if (!token) return
    this.#occur(token, nodeOf(this.#plan(token), nodeId))
    await this.#run()
  }

  /** Tells whatever waits for a message of this name; answers whether anything did. */
  async message(name: string): Promise<boolean> {
    const heard = this.#hear(name)
    if (heard) await this.fire(heard.token.id, heard.node.id)
    return heard !== undefined
  }

  /** Tries again where it could not go on. */
  async retry(tokenId: string): Promise<void> {
    const { token, node } = this.#at(tokenId)
    const { incident: _, isLeaving, ...data } = token.data
    if (isLeaving) {
      this.#kill(token)
      this.#follow(this.#plan(token), node, { ...token, data })
    } else await this.#begin(this.#set({ ...token, data }), node)
    await this.#run()
  }

  /**
   * Lets a step that waits go back to an earlier one. What has begun since that one is taken back; with `comeBack`, or where
   * its branch is joined already, nothing else is, and the earlier step leads here again.
   */
  async returnTo(tokenId: string, target: Earlier, comeBack: boolean): Promise<void> {
    this.#goBack(this.#loopOf(this.#at(tokenId).token), target, comeBack || target.isJoined)
    await this.#run()
  }

  #goBack(now: Token, target: Place, comeBack: boolean): void {
    const aim = nodeOf(this.#plan(now), target.node)
    let from = now
    while (nodeOf(this.#plan(from), from.node).scope !== aim.scope) {
      const parent = from.parent === null ? undefined : this.tokens.get(from.parent)
      if (!parent) throw new Error(`${target.node} is in no scope of ${now.node}`)
      from = this.#loopOf(parent)
    }
    const { processId, parent } = from
    const { lineage: here = [], backTo: after = [] } = from.data
    this.#kill(from)
    if (comeBack) {
      // What is done meanwhile is no step of the way: nothing goes back to it later.
      const lineage = [...here, standaloneMark(this.#host.newId())]
      const backTo = [{ node: from.node, lineage: here }, ...after]
      this.#queue.push({ processId, parent, node: target.node, by: null, lineage, backTo })
      return
    }
    const common = commonStart([target.lineage, here])
    for (const each of [...this.tokens.values()])
      if (
        each.parent === parent &&
        each.processId === processId &&
        common.every((part, index) => each.data.lineage?.[index] === part) &&
        !this.#beganBefore(aim, each, common.length)
      )
        this.#kill(each)
    this.#queue.push({ processId, parent, node: target.node, by: null, lineage: common })
  }

  /** Whether something runs beside a step that came before another one: it is none of what that one has begun. */
  #beganBefore(aim: PlanNode, token: Token, depth: number): boolean {
    const plan = this.#plan(token)
    const part = token.data.lineage?.[depth]
    const edge = part === undefined ? undefined : plan.nodes[part.slice(part.indexOf(':') + 1)]
    const host = edge?.attachedTo
    return host !== undefined && host !== aim.id && !comingTo(plan, nodeOf(plan, host).incoming, host).has(aim.id)
  }

  /** Ends all of it. */
  end(ending: Ending): void {
    for (const token of [...this.tokens.values()]) this.#kill(token)
    this.#queue.length = 0
    this.ending = ending
  }

  #plan = ({ processId }: Pick<Token, 'processId'>): ProcessPlan => this.#host.plan(processId)

  #at(tokenId: string): { token: Token; node: PlanNode } {
    const token = this.tokens.get(tokenId)
    if (!token) throw new Error(`no token ${tokenId}`)
    return { token, node: nodeOf(this.#plan(token), token.node) }
  }

  #set(token: Token): Token {
    this.tokens.set(token.id, token)
    return token
  }

  #born(
    processId: string,
    node: string,
    parent: string | null,
    data: TokenData,
    arrivedBy: string | null = null,
  ): Token {
    return this.#set({ id: this.#host.newId(), processId, node, parent, arrivedBy, data })
  }

  /** The token that stands for a step of several, of one of its turns; any other token itself. */
  #loopOf(token: Token): Token {
    const parent = token.parent === null ? undefined : this.tokens.get(token.parent)
    return parent?.data.loop && parent.node === token.node ? parent : token
  }

  /** Takes a token away, with all that runs within it and waits at it. */
  #kill(token: Token, outcome?: Outcome): void {
    if (!this.tokens.delete(token.id)) return
    for (const each of [...this.tokens.values()]) if (each.parent === token.id) this.#kill(each)
    this.#host.dropped([token.id])
    this.#host.ended(token.id, outcome)
    this.#thinned.add(token.parent)
  }

  #happened(
    processId: string,
    node: PlanNode,
    cameBy: string | null,
    tokenId: string | null,
    lineage: readonly string[],
    lasts = false,
  ): void {
    this.#host.happened({ processId, node, cameBy, tokenId, lineage, lasts })
  }

  async #run(): Promise<void> {
    for (;;) {
      const move = this.#queue.shift()
      if (move) {
        // What it was to move within has been taken back.
        if (move.parent !== null && !this.tokens.has(move.parent)) continue
        if (++this.#steps > stepsMost) throw new EndlessRun(nodeOf(this.#host.plan(move.processId), move.node))
        await this.#enter(move)
      } else if (this.ending || !(await this.#settle())) return
    }
  }

  /** What only shows once nothing moves: inclusive gateways that have all they can get, and scopes that are empty. */
  async #settle(): Promise<boolean> {
    const told = this.#told.shift()
    if (told !== undefined) {
      const heard = this.#hear(told)
      if (heard) this.#occur(heard.token, heard.node)
      return true
    }
    for (const token of this.tokens.values()) {
      if (token.arrivedBy === null) continue
      const plan = this.#plan(token)
      const node = nodeOf(plan, token.node)
      if (node.type !== 'inclusive') continue
      const scope = [...this.tokens.values()].filter(
        ({ parent, processId }) => parent === token.parent && processId === token.processId,
      )
      if (!inclusiveGoesOn(plan, node, scope)) continue
      this.#join(plan, node, scope)
      return true
    }
    for (const parent of this.#thinned) {
      this.#thinned.delete(parent)
      if ([...this.tokens.values()].some((token) => token.parent === parent)) continue
      if (parent === null) {
        this.ending = this.variables.outcome === 'no' ? 'refused' : 'agreed'
        return false
      }
      const token = this.tokens.get(parent)
      // A step of several goes on by its own count.
      if (!token || token.data.loop) continue
      await this.#done(token, nodeOf(this.#plan(token), token.node), 'ok')
      return true
    }
    return this.#queue.length > 0
  }

  /** One token of each flow goes on as one. */
  #join(plan: ProcessPlan, node: PlanNode, scope: readonly Token[]): void {
    const arrived = node.incoming.flatMap(
      (flow) => scope.find((token) => token.node === node.id && token.arrivedBy === flow) ?? [],
    )
    for (const token of arrived) this.#kill(token)
    const [first] = arrived
    const lineage = commonStart(arrived.map(({ data }) => data.lineage ?? []))
    this.#happened(first!.processId, node, first!.arrivedBy, null, lineage)
    this.#follow(plan, node, { ...first!, data: { lineage } })
  }

  async #enter(move: Move): Promise<void> {
    const { processId, parent, by, lineage } = move
    const plan = this.#host.plan(processId)
    const node = nodeOf(plan, move.node)
    const happened = (tokenId: string | null = null, lasts = false): void =>
      this.#happened(processId, node, by, tokenId, lineage, lasts)
    const on = (): void => this.#follow(plan, node, { processId, parent, data: { lineage } })
    switch (node.type) {
      case 'start':
      case 'exclusive':
        happened()
        on()
        return
      case 'parallel':
      case 'inclusive': {
        if (by === null || node.incoming.length < 2) {
          happened()
          on()
          return
        }
        this.#born(processId, node.id, parent, { lineage }, by)
        if (node.type === 'inclusive') return
        const scope = [...this.tokens.values()].filter(
          (token) => token.parent === parent && token.processId === processId,
        )
        const all = node.incoming.every((flow) =>
          scope.some((token) => token.node === node.id && token.arrivedBy === flow),
        )
        if (all) this.#join(plan, node, scope)
        return
      }
      case 'throw':
        happened()
        on()
        this.#tell(node)
        return
      case 'end':
        happened()
        this.#thinned.add(parent)
        if (node.event?.kind === 'terminate') this.#endScope(parent)
        else if (node.event?.kind === 'error') this.#fail(node.event.code, move, node)
        else this.#tell(node)
        return
      case 'eventBased':
      case 'catch': {
        const token = this.#born(processId, node.id, parent, { lineage })
        happened(token.id, true)
        const waited = node.type === 'catch' ? [node] : node.outgoing.map((id) => nodeOf(plan, flowOf(plan, id).to))
        for (const each of waited) await this.#arm(token, each)
        return
      }
      case 'boundary':
        throw new Error(`no flow leads to ${node.id}`)
      default: {
        const backTo = move.backTo === undefined ? {} : { backTo: move.backTo }
        // No flow has led here: somebody sent it back.
        const again = move.by === null ? { isAgain: true } : {}
        const token = this.#born(processId, node.id, parent, { lineage, ...backTo, ...again })
        happened(token.id, true)
        for (const each of boundariesOf(plan, node.id)) await this.#arm(token, each)
        await this.#begin(token, node)
      }
    }
  }

  async #arm(token: Token, node: PlanNode): Promise<void> {
    if (node.event?.kind === 'timer') await this.#host.setTimer(token, node, node.event.timer)
    else if (isCorrelated(node.event)) this.#host.listen(token, node, node.event)
  }

  /** A message goes out: within this instance, or to others. */
  #tell(node: PlanNode): void {
    if (isCorrelated(node.event)) this.#host.tell(node, node.event)
    else if (node.event?.kind === 'message') this.#told.push(node.event.name)
  }

  /** Lets an activity do what it does: once, or for each of several. */
  async #begin(token: Token, node: PlanNode): Promise<void> {
    const parent = token.parent === null ? undefined : this.tokens.get(token.parent)
    const isTurn = parent?.data.loop !== undefined && parent.node === token.node
    try {
      if (node.loop && !isTurn) await this.#beginLoop(token, node, node.loop)
      else await this.#work(token, node)
    } catch (problem) {
      if (!(problem instanceof Incident)) throw problem
      this.#set({ ...(this.tokens.get(token.id) ?? token), data: { ...token.data, incident: problem.words } })
    }
  }

  async #work(token: Token, node: PlanNode): Promise<void> {
    if (node.type === 'user') {
      const opened = await this.#host.openTask(token, node, token.data.person)
      if (opened !== 'open') await this.#done(token, node, opened)
    } else if (node.type === 'service') {
      if (await this.#host.act(token, node)) await this.#done(token, node, 'ok')
    } else if (node.type === 'sub') {
      this.#enterScope(token.processId, node.id, token)
    } else {
      if (this.#depth(token) >= callsMost)
        throw new Incident({
          zh: `流程互相调用超过${callsMost}层，请检查“${node.name ?? node.id}”`,
          en: `Processes call one another more than ${callsMost} deep: look at “${node.name ?? node.id}”`,
        })
      const called = await this.#host.versionOf(node.calls ?? '')
      this.#set({ ...token, data: { ...token.data, called } })
      this.#enterScope(called, null, token)
    }
  }

  /** How many calls a token stands within. */
  #depth({ parent }: Token): number {
    const outer = parent === null ? undefined : this.tokens.get(parent)
    return outer ? this.#depth(outer) + (outer.data.called ? 1 : 0) : 0
  }

  #enterScope(processId: string, scope: string | null, within: Token | null): void {
    const start = startOf(this.#host.plan(processId), scope)
    if (!start) throw new Error(`nothing begins in ${scope ?? processId}`)
    const lineage = within ? [...(within.data.lineage ?? []), `${within.id}:${within.node}`] : []
    this.#queue.push({ processId, node: start.id, parent: within?.id ?? null, by: null, lineage })
  }

  async #beginLoop(token: Token, node: PlanNode, { order, times }: LoopPlan): Promise<void> {
    const people = node.type === 'user' ? await this.#host.people(token, node) : undefined
    if (people === 'ok' || people === 'no') return this.#done(token, node, people)
    const total = people?.length ?? times ?? 1
    const loop: LoopState = { total, begun: 0, agreed: 0, refused: 0, ...(people ? { people } : {}) }
    this.#set({ ...token, data: { ...token.data, loop } })
    if (total === 0) return this.#decided(token, node, 'ok')
    for (let turn = 0; turn < (order === 'parallel' ? total : 1); turn += 1) {
      // One who is passed over may have decided all of it.
      if (this.tokens.has(token.id)) await this.#beginTurn(token.id, node)
    }
  }

  async #beginTurn(loopId: string, node: PlanNode): Promise<void> {
    const loopToken = this.tokens.get(loopId)!
    const loop = loopToken.data.loop!
    this.#set({ ...loopToken, data: { ...loopToken.data, loop: { ...loop, begun: loop.begun + 1 } } })
    const person = loop.people?.[loop.begun]
    const { lineage = [] } = loopToken.data
    const turn = this.#born(
      loopToken.processId,
      node.id,
      loopId,
      person === undefined ? { lineage } : { lineage, person },
    )
    await this.#begin(turn, node)
  }

  /** What a token waited for is over. */
  async #done(token: Token, node: PlanNode, outcome: Outcome): Promise<void> {
    const loopToken = this.#loopOf(token)
    if (loopToken.id === token.id) return this.#decided(token, node, outcome)
    this.#kill(token, outcome)
    const { loop } = loopToken.data
    const { order, need } = node.loop!
    const now: LoopState = {
      ...loop!,
      agreed: loop!.agreed + (outcome === 'ok' ? 1 : 0),
      refused: loop!.refused + (outcome === 'no' ? 1 : 0),
    }
    this.#set({ ...loopToken, data: { ...loopToken.data, loop: now } })
    const enough = needed(need, now.total)
    if (now.agreed >= enough) return this.#decided(loopToken, node, 'ok')
    if (now.refused > now.total - enough) return this.#decided(loopToken, node, 'no')
    if (order === 'sequence') await this.#beginTurn(loopToken.id, node)
  }

  /** A step is over as a whole. */
  async #decided(token: Token, node: PlanNode, outcome: Outcome): Promise<void> {
    const plan = this.#plan(token)
    this.#kill(token, outcome)
    if (node.type === 'user') this.variables = { ...this.variables, outcome, flag: outcome, pass: outcome === 'ok' }
    const onRefuse = node.task?.onRefuse
    if (outcome === 'no' && onRefuse === 'end') return this.end('refused')
    const { processId, parent } = token
    const { lineage = [], backTo: [back, ...backTo] = [] } = token.data
    if (back) this.#queue.push({ processId, parent, by: null, ...back, ...(backTo.length > 0 ? { backTo } : {}) })
    else if (outcome === 'no' && typeof onRefuse === 'object') {
      const earlier = earlierSteps(plan, await this.#host.past(processId), { node: node.id, lineage })
      const target = earlier.find((each) => each.node === onRefuse.to) ?? {
        node: onRefuse.to,
        lineage,
        isJoined: false,
      }
      this.#goBack(token, target, target.isJoined)
    } else this.#follow(plan, node, token)
  }

  /** Lets what has left a node go on by its flows. */
  #follow(plan: ProcessPlan, node: PlanNode, token: Pick<Token, 'processId' | 'parent' | 'data'>): void {
    const { processId, parent } = token
    const { lineage = [] } = token.data
    const flows = leavingFlows(plan, node, this.variables)
    this.#thinned.add(parent)
    if (!flows) {
      this.#born(processId, node.id, parent, { lineage, incident: noWay(node), isLeaving: true })
      return
    }
    const fork = flows.length > 1 ? this.#host.newId() : undefined
    for (const { id, to } of flows)
      this.#queue.push({ processId, node: to, parent, by: id, lineage: fork ? [...lineage, `${fork}:${id}`] : lineage })
  }

  #endScope(parent: string | null): void {
    for (const token of [...this.tokens.values()]) if (token.parent === parent) this.#kill(token)
    for (let at = this.#queue.length - 1; at >= 0; at -= 1)
      if (this.#queue[at]!.parent === parent) this.#queue.splice(at, 1)
  }

  /** An error goes outwards to the first activity whose edge catches it; nobody does: it stands as an incident. */
  #fail(code: string | undefined, { processId: thrownIn, parent }: Move, thrown: PlanNode): void {
    for (let at = parent === null ? undefined : this.tokens.get(parent); at; at = this.tokens.get(at.parent ?? '')) {
      const plan = this.#plan(at)
      const catching = boundariesOf(plan, at.node).find(
        ({ event }) => event?.kind === 'error' && (event.code === undefined || event.code === code),
      )
      // Of a step of several, all of it ends.
      if (!catching || this.#loopOf(at).id !== at.id) continue
      this.#endScope(at.id)
      this.#occur(at, catching)
      return
    }
    const words: Words = {
      zh: `“${thrown.name ?? thrown.id}”抛出的错误${code ? `“${code}”` : ''}没有处理`,
      en: `Nothing catches the error${code ? ` “${code}”` : ''} of “${thrown.name ?? thrown.id}”`,
    }
    this.#born(thrownIn, thrown.id, parent, { incident: words, isLeaving: true })
  }

  /** An event takes place: what it interrupts is over, and what comes after it begins. */
  #occur(token: Token, node: PlanNode): void {
    const { processId, data } = token
    const { lineage = [] } = data
    if (node.type === 'boundary' && node.interrupting === false) {
      this.#happened(processId, node, null, null, lineage)
      const aside = { ...token, data: { lineage: [...lineage, `${this.#host.newId()}:${node.id}`] } }
      this.#follow(this.#plan(token), node, aside)
      return
    }
    this.#kill(token)
    this.#happened(processId, node, null, token.id, lineage)
    this.#follow(this.#plan(token), node, token)
  }

  /** Of what waits for a message, the first. */
  #hear(name: string): { token: Token; node: PlanNode } | undefined {
    for (const token of this.tokens.values()) {
      const plan = this.#plan(token)
      const node = nodeOf(plan, token.node)
      const behind = node.type === 'eventBased' ? node.outgoing.map((id) => nodeOf(plan, flowOf(plan, id).to)) : [node]
      const edges = this.#loopOf(token).id === token.id ? boundariesOf(plan, node.id) : []
      const found = [...behind, ...edges].find(
        (each) =>
          (each.type === 'catch' || each.type === 'boundary') &&
          each.event?.kind === 'message' &&
          each.event.correlation === undefined &&
          each.event.name === name,
      )
      if (found) return { token, node: found }
    }
    return undefined
  }
}
