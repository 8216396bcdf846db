import type { Words } from '@data-brain/contract'
import type pg from 'pg'
import type { Tx } from '../../database/transaction.ts'
import type { Actor, Circumstance } from '../../kernel/actor.ts'
import type { Services } from '../../kernel/services.ts'

/** A job as it stands in its tenant's table. */
export interface Job {
  readonly tenantId: string
  readonly id: string
  readonly kind: string
  /** Whoever asked for it last. */
  readonly userId: string | null
  readonly subject: string | null
  /** What it works on. */
  readonly subjectId: string | null
  /** What it was told besides. */
  readonly input: Readonly<Record<string, unknown>>
  /** Which run this is, from 1. */
  readonly tries: number
}

/** What became of a job: figures, and never anything personal. */
export type Result = Readonly<Record<string, unknown>>

/**
 * Tells how far a job is, and of how much once that is known; seen by everybody at once, since it is no part of the
 * job's own transaction. Breaks the work off when the process is to stop, or when another has taken the job over.
 */
export type Progress = (done: number, total?: number, more?: JobProgress) => Promise<void>

export interface JobProgress {
  /** What is known of the result so far. */
  readonly result?: Result
  /** Written with it. */
  also?(tx: Tx): Promise<unknown>
}

/** What a piece of work is given. */
export interface WorkContext {
  readonly services: Services
  readonly job: Job
  /** Whoever asked, with the rights of this moment. */
  readonly actor: Actor
  readonly circumstance: Circumstance
  readonly progress: Progress
  /** Aborted when the process is to stop, or when another has taken the job over. */
  readonly signal: AbortSignal
  /**
   * Acts as whoever asked, in a transaction of its own each time, with the rights of that moment: one that was withdrawn
   * meanwhile breaks the work off. On the platform role's connection where that is given.
   */
  as<T>(work: (opened: { readonly tx: Tx; readonly actor: Actor }) => Promise<T>, pool?: pg.Pool): Promise<T>
  /** Ends the job in a transaction of the work's own: it is done if and only if that is kept. */
  end(tx: Tx, result?: Result): Promise<void>
}

/** What is done for jobs of a kind. */
export interface Work {
  /** A key of the dictionary `job_kind`. */
  readonly kind: string
  /** Kinds that wait for each other share a queue. */
  readonly queue: string
  /** Jobs of the queue at once in one process. */
  readonly atOnce: number
  /** The right without which it is not done, judged when it begins. */
  readonly code: string | ((job: Pick<Job, 'input'>) => string)
  /** For the platform's administrators alone. */
  readonly platform?: boolean
  /** A run that its process did not survive is begun anew; without this it has failed, and somebody tries it again. */
  readonly again?: boolean
  /** It only reads, so that it can be taken back half way: its next sign of life breaks it off. */
  readonly stoppable?: boolean
  run(context: WorkContext): Promise<Result | undefined>
  /** Puts what the job works on back, in the transaction that says that it failed. */
  setBack?(tx: Tx, job: Job, failure: Words, interrupted: boolean): Promise<unknown>
  /** Makes what the job works on ready for another run, or refuses that. */
  forRetry?(tx: Tx, job: Job): Promise<unknown>
}

/** The right without which a job is not done. */
export const codeFor = ({ code }: Pick<Work, 'code'>, job: Pick<Job, 'input'>): string =>
  typeof code === 'string' ? code : code(job)

const works = new Map<string, Work>()

/** Says what is done for jobs of a kind. Called where a module is loaded, so that every process knows every kind. */
export function addWork(work: Work): void {
  if (works.has(work.kind)) throw new Error(`two kinds of work are called ${work.kind}`)
  works.set(work.kind, work)
}

export const workOf = (kind: string): Work | undefined => works.get(kind)

/** The kinds of job that wait in a queue. */
export const kindsOf = (queue: string): string[] =>
  [...works.values()].filter((work) => work.queue === queue).map((work) => work.kind)

/** The queues of what is asked for, with how many of their jobs one process does at once. */
export function queuesOfWork(): Map<string, number> {
  const queues = new Map<string, number>()
  for (const { queue, atOnce } of works.values()) queues.set(queue, Math.max(atOnce, queues.get(queue) ?? 0))
  return queues
}

/**
 * Work that comes round by the clock, once for all processes together. The queue's cron looks about twice a minute; what
 * must be done at a moment is asked for by `tickAt`.
 */
export interface RecurringWork {
  /** A key of the dictionary `job_kind`. */
  readonly name: string
  /** Minutes, hours, days … of Shanghai. What came due while no server ran is made up for once. */
  readonly cron: string
  /** Looks for what is due as often as this many seconds; only where moments are asked for. */
  readonly lookSeconds?: number
  /** `tenantId` where it was asked for one tenant's moment, and not by the clock. Answers figures to be shown. */
  run(
    services: Services,
    tick: { readonly tenantId?: string; readonly signal: AbortSignal },
  ): Promise<Result | undefined>
}

/** Why work ended without an end of its own. */
export const interruptedWords: Words = { zh: '处理被中断，请重试', en: 'The work was interrupted: try again' }
