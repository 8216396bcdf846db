import type { Variables } from '@data-brain/contract/flow/evaluate'
import { holds } from '@data-brain/contract/flow/evaluate'
import { parseExpression } from '@data-brain/contract/flow/expression-text'
import * as elements from 'bpmn-elements'
import { BpmnModdle } from 'bpmn-moddle'
import serialize, { TypeResolver } from 'moddle-context-serializer'

/* The same models, run by the npm package bpmn-elements: another engine, written by others, as a judge of our own. */

interface Asked {
  readonly content: { readonly loopOutput?: readonly unknown[]; readonly loopCardinality?: number }
  readonly loopOutput?: readonly unknown[]
}

/** How many turns of a loop are done: each one leaves its output. */
const doneIn = (asked: Asked): number =>
  (asked.content.loopOutput ?? asked.loopOutput ?? []).filter((each) => each !== undefined).length

interface Waiting {
  readonly id: string
  readonly content: {
    readonly executionId: string
    /** Which turn it is, of a step of several. */
    readonly isMultiInstance?: boolean
    readonly index?: number
    readonly parent?: { readonly executionId?: string; readonly path?: readonly { readonly executionId?: string }[] }
  }
  signal(message: object): void
}

/** As our own world names what waits. */
const nameOf = ({ id, content }: Waiting): string =>
  content.isMultiInstance ? `${id}:p${(content.index ?? 0) + 1}` : id

interface Running {
  run(): void
  on(event: string, heard: (api: Waiting) => void): void
}

/** Whether something waits within an execution, or is one of its turns. */
const isWithin = ({ content }: Waiting, executionId: string): boolean =>
  content.executionId === executionId ||
  content.executionId.startsWith(`${executionId}_`) ||
  [content.parent, ...(content.parent?.path ?? [])].some(
    (outer) => outer?.executionId === executionId || outer?.executionId?.startsWith(`${executionId}_`),
  )

/** One instance run by the other engine. */
export class OracleWorld {
  isOver = false
  readonly #waiting = new Map<string, Waiting>()
  readonly #timers = new Map<object, { readonly id: string; come(): void }>()
  readonly #definition: Running
  readonly #variables: Record<string, unknown>

  private constructor(context: unknown, variables: Variables) {
    this.#variables = { ...variables }
    const types = elements as unknown as Parameters<typeof TypeResolver>[0]
    const serialized = serialize(context as Parameters<typeof serialize>[0], TypeResolver(types))
    const environment = new (elements.Environment as new (options: object) => object)({
      expressions: this.#expressions(),
      timers: this.#clock(),
      variables: this.#variables,
    })
    const made = new (elements.Context as unknown as new (...given: readonly unknown[]) => never)(
      serialized,
      environment,
    )
    this.#definition = new elements.Definition(made) as unknown as Running
    this.#definition.on('activity.wait', (api) => {
      if (typeof api.signal === 'function' && /task/i.test((api as unknown as { type: string }).type))
        this.#waiting.set(api.content.executionId, api)
    })
    for (const event of ['activity.leave', 'activity.discard', 'activity.end'])
      this.#definition.on(event, ({ content }) => {
        for (const [id, each] of this.#waiting) if (isWithin(each, content.executionId)) this.#waiting.delete(id)
      })
    this.#definition.on('leave', () => {
      this.isOver = true
      this.#waiting.clear()
    })
  }

  static async start(xml: string, variables: Variables = {}): Promise<OracleWorld> {
    const world = new OracleWorld(await new BpmnModdle().fromXML(xml), variables)
    world.#definition.run()
    return world
  }

  /** Conditions mean what they mean to us: what is tried is how tokens move. */
  #expressions() {
    const resolveExpression = (text: string, asked: Asked): unknown => {
      if (!text.startsWith('$')) return /^\d+$/.test(text) ? Number(text) : text
      const loop = { nrOfCompletedInstances: doneIn(asked), nrOfInstances: asked.content.loopCardinality ?? null }
      return holds(parseExpression(text), { ...this.#variables, ...loop })
    }
    return { resolveExpression, isExpression: () => true, hasExpression: () => true }
  }

  /** Time stands still until somebody lets an event come due. */
  #clock() {
    const setTimeout = (come: () => void, _: number, { id }: { id: string }) => {
      const key = {}
      this.#timers.set(key, { id, come })
      return key
    }
    const clearTimeout = (key: object): undefined => void this.#timers.delete(key)
    return { register: () => ({ setTimeout, clearTimeout }), setTimeout, clearTimeout }
  }

  get waiting(): string[] {
    return [...this.#waiting.values()].map(nameOf).sort()
  }

  complete(name: string, more: Variables = {}): string[] {
    const found = [...this.#waiting].find(([, each]) => nameOf(each) === name)
    if (!found) throw new Error(`${name} does not wait: ${this.waiting.join(', ')}`)
    Object.assign(this.#variables, more)
    this.#waiting.delete(found[0])
    found[1].signal({ done: true })
    return this.waiting
  }

  fire(event: string): string[] {
    const found = [...this.#timers].find(([, { id }]) => id === event)
    if (!found) throw new Error(`${event} is not set`)
    this.#timers.delete(found[0])
    found[1].come()
    return this.waiting
  }
}
