import type { Words } from '@data-brain/contract'
import type { EventPlan, PlanNode, ProcessPlan, TimerPlan } from '@data-brain/contract/flow/plan'

export type Outcome = 'ok' | 'no'

/** How an instance has ended: by its last decision, or because somebody ended it. */
export type Ending = 'agreed' | 'refused' | 'withdrawn' | 'terminated'

/** How far a step is that is asked of several. */
export interface LoopState {
  readonly total: number
  readonly begun: number
  readonly agreed: number
  readonly refused: number
  /** Whose turns they are, in order; of a step that is no user task there are none. */
  readonly people?: readonly string[]
}

/** Where a step stands or stood: its node, and the forks and scopes within which it moved. */
export interface Place {
  readonly node: string
  readonly lineage: readonly string[]
}

export interface TokenData {
  /** The forks and scopes within which it moves, outermost first, each with the flow that it took there, or its node. */
  readonly lineage?: readonly string[]
  /** It stands for a step that is asked of several; its children do the work. */
  readonly loop?: LoopState
  /** Of such a child: whose turn it is. */
  readonly person?: string
  /** Who is asked after whoever decides now, in order: signers who were added. */
  readonly after?: readonly string[]
  /** The version that runs in the place of a call. */
  readonly called?: string
  /** Where it goes back to once this step is done, nearest first: steps that had asked for it again. */
  readonly backTo?: readonly Place[]
  /** It was sent back to this step, and with that to whoever did it before. */
  readonly isAgain?: boolean
  /** Why it cannot go on by itself; `isLeaving` where it has done what it stands at, and found no way on. */
  readonly incident?: Words
  readonly isLeaving?: boolean
}

/** A place where an instance stands. */
export interface Token {
  readonly id: string
  /** The version whose node it is: another one within a process that is called. */
  readonly processId: string
  readonly node: string
  /** The token of the sub-process, call or loop within which it moves. */
  readonly parent: string | null
  /** Set at a gateway that joins: by which flow it came. */
  readonly arrivedBy: string | null
  readonly data: TokenData
}

export type Variables = Readonly<Record<string, unknown>>

/** An event of an instance, recorded for its history and its diagram. */
export interface HistoryEvent {
  readonly processId: string
  readonly node: PlanNode
  readonly cameBy: string | null
  readonly tokenId: string | null
  readonly lineage: readonly string[]
  /** Whether it is over with that, or lasts until `ended`. */
  readonly lasts: boolean
  readonly outcome?: Outcome
}

/** A message event that has to do with other instances. */
export type CorrelatedMessage = EventPlan & { readonly kind: 'message'; readonly correlation: string }

export const isCorrelated = (event: EventPlan | undefined): event is CorrelatedMessage =>
  event?.kind === 'message' && event.correlation !== undefined

/** What the engine asks of whoever keeps its instances: it knows no database, no people and no clock. */
export interface Host {
  newId(): string
  plan(processId: string): ProcessPlan
  /** The version that a call runs now. Throws an Incident where there is none. */
  versionOf(key: string): Promise<string>
  /** Those of whom each is asked at a step of several; an outcome where nobody is and the step goes on all the same. */
  people(token: Token, node: PlanNode): Promise<readonly string[] | Outcome>
  /** Asks somebody to decide: this person, or whom the step names; an outcome where nobody is asked. */
  openTask(token: Token, node: PlanNode, person: string | undefined): Promise<'open' | Outcome>
  /** The steps of people of a version that are over in this instance, newest first. */
  past(processId: string): Promise<readonly Place[]>
  /** What waits at tokens that are gone: tasks without a decision, timers. */
  dropped(tokenIds: readonly string[]): void
  setTimer(token: Token, node: PlanNode, timer: TimerPlan): Promise<void>
  /** Sends a message to other instances once all that led to it is kept. */
  tell(node: PlanNode, message: CorrelatedMessage): void
  /** Lets an event hear a message of other instances for as long as the token is there. */
  listen(token: Token, node: PlanNode, message: CorrelatedMessage): void
  /** Does what a service task says; false where it is tried again later. */
  act(token: Token, node: PlanNode): Promise<boolean>
  happened(happening: HistoryEvent): void
  /** What had lasted at a token is over. */
  ended(tokenId: string, outcome?: Outcome): void
}

/** A place from which an instance cannot go on by itself: it stands there with these words until somebody tries again. */
export class Incident extends Error {
  readonly words: Words
  constructor(words: Words) {
    super(words.en)
    this.words = words
  }
}

/** A model that runs in a circle: nothing of what it did since somebody acted is kept. */
export class EndlessRun extends Error {
  readonly node: PlanNode
  constructor(node: PlanNode) {
    super(`a process runs in a circle at ${node.id}`)
    this.node = node
  }
}
