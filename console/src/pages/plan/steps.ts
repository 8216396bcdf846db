import { classschedule } from '@data-brain/contract'
import type { EntityCalls } from '../../entity/data/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { onForget } from '../../session/end.ts'
import { createStore } from '../../ui/store.ts'

type UndoAnswer = Awaited<ReturnType<EntityCalls['undo']>>

/** What is known of a step once it is done: the request that it is turned by, and what it is called. */
interface Known {
  readonly requestId: string
  readonly name: string
}

interface Step {
  /** Undefined where it was refused: then there is nothing to turn. */
  readonly known: Promise<Known | undefined>
  now?: Known
}

/** Back through what was done, or forth again through what was taken back. */
export type Way = 'back' | 'forth'

/** Whether the same may go well another time: it found no way to the server, or the server no time. */
const isPassing = ({ status }: HttpProblem): boolean =>
  status === 0 || status >= 500 || status === 401 || status === 408 || status === 429

/** What somebody else has changed since stays theirs: nobody is asked whether to go on over it. */
function asFinal(problem: unknown): unknown {
  if (!(problem instanceof HttpProblem) || !(problem.data as { own?: boolean } | null)?.own) return problem
  const { message, status, code, data, requestId } = problem
  return new HttpProblem(message, status, code, { ...(data as object), own: false }, requestId)
}

/**
 * What one person has done to one draft, a step behind the other. A step back is the history's undo of its request, and a
 * step forth is the undo of that one; the server judges each, and refuses where somebody else has changed the same since.
 */
export class DraftSteps {
  readonly #lists = { back: createStore<readonly Step[]>([]), forth: createStore<readonly Step[]>([]) }
  #turning: Promise<unknown> = Promise.resolve()
  readonly #known = new Set<string>()

  /** How many steps there are in each direction. */
  readonly counts = createStore({ back: 0, forth: 0 })

  #set(way: Way, change: (steps: readonly Step[]) => readonly Step[]): void {
    this.#lists[way].set(change)
    const { back, forth } = this.#lists
    this.counts.set({ back: back.get().length, forth: forth.get().length })
  }

  #add(way: Way, step: Step): void {
    this.#set(way, (steps) => [...steps, step])
  }

  #learn(step: Step, now: Known): void {
    step.now = now
    this.#known.add(now.requestId)
  }

  #drop(way: Way, step: Step): void {
    this.#set(way, (steps) => steps.filter((each) => each !== step))
  }

  /** Whether one of these requests is a step of this draft, or was one. */
  has(requestIds: readonly string[]): boolean {
    return requestIds.some((each) => this.#known.has(each))
  }

  /** The request that turns the newest step of a direction, where it is known already. */
  newest(way: Way): string | undefined {
    return this.#lists[way].get().at(-1)?.now?.requestId
  }

  /** Counts a change as a step from its beginning on, so that whatever is told first, the last begun is the last. */
  record(known: Promise<Known | undefined>): void {
    const step: Step = { known: known.catch(() => undefined) }
    const before = this.#lists.forth.get()
    this.#add('back', step)
    void step.known.then((now) => {
      if (!now) return this.#drop('back', step)
      this.#learn(step, now)
      // There is no way forth from what was done anew.
      this.#set('forth', (steps) => steps.filter((each) => !before.includes(each)))
    })
  }

  /** Turns the newest step of a direction, or the one of a request; undefined where there is none. */
  turn(
    way: Way,
    send: (requestId: string) => Promise<UndoAnswer>,
    requestId?: string,
  ): Promise<(Known & { readonly answer: UndoAnswer }) | undefined> | undefined {
    const steps = this.#lists[way].get()
    const step = requestId === undefined ? steps.at(-1) : steps.findLast(({ now }) => now?.requestId === requestId)
    if (!step) return undefined
    const other = way === 'back' ? 'forth' : 'back'
    this.#drop(way, step)
    const turned = this.#turning
      .then(() => step.known)
      .then(async (was) => {
        if (!was) return undefined
        const answer = await send(was.requestId)
        return { requestId: answer.requestId ?? '', name: was.name, answer }
      })
    const made: Step = { known: turned.catch(() => undefined) }
    this.#turning = made.known
    this.#add(other, made)
    return turned.then(
      (now) => {
        if (now?.requestId) this.#learn(made, now)
        else this.#drop(other, made)
        return now
      },
      (problem: unknown) => {
        this.#drop(other, made)
        if (!(problem instanceof HttpProblem) || isPassing(problem)) this.#add(way, step)
        throw problem
      },
    )
  }

  /** The calls of the page, of which those that change lessons are remembered as steps, whichever part makes them. */
  callsOver(calls: EntityCalls, nameOf: (ids: readonly string[]) => string): EntityCalls {
    return {
      ...calls,
      change: (entity, draft, once) => {
        const sent = calls.change(entity, draft, once)
        if (entity.name === classschedule.name)
          this.record(sent.then(({ requestId, row }) => known(requestId, nameOfRow(row))))
        return sent
      },
      remove: (entity, ids) => {
        const sent = calls.remove(entity, ids)
        const name = nameOf(ids)
        if (entity.name === classschedule.name) this.record(sent.then((done) => known(done?.requestId, name)))
        return sent
      },
      undo: async (requestId, changed) => {
        const work = this.turn('back', (id) => calls.undo(id, false), requestId)
        if (!work) return calls.undo(requestId, changed)
        const turned = await work.catch((problem: unknown) => Promise.reject(asFinal(problem)))
        return turned!.answer
      },
    }
  }
}

const known = (requestId: string | undefined, name: string): Known | undefined =>
  requestId ? { requestId, name } : undefined

interface NamedRow {
  readonly className?: unknown
  readonly teachClassName?: unknown
  readonly subjectName?: unknown
}
const nameOfRow = (row: object): string => {
  const { className, teachClassName, subjectName } = row as NamedRow
  return [className ?? teachClassName, subjectName].filter(Boolean).join(' ')
}

const all = new Map<string, DraftSteps>()
onForget(() => all.clear())

/** The steps on a draft, for as long as the session lasts in this window. */
export function stepsOf(planId: string): DraftSteps {
  const found = all.get(planId) ?? new DraftSteps()
  all.set(planId, found)
  return found
}
