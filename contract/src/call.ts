import type { Words } from './field.ts'
import type { GivenFields, GivenOf, ListShape, Shape, ValueOf } from './shape.ts'

/** Who may call: anybody, whoever is logged in, or holders of one of these permission codes. */
export type CallAccess = 'public' | 'session' | { readonly codes: readonly string[] }

type Shapes = Readonly<Record<string, Shape>>

/**
 * One call of the API beside the generic ones. It is data: server, console, description and permission matrix all read
 * it here, so that none of them can differ from the others.
 */
export interface CallDefinition {
  readonly method: 'GET' | 'POST'
  /** Path under /api. */
  readonly path: string
  /** The entity or the area that it belongs to in the description. */
  readonly of: string
  readonly access: CallAccess
  readonly summary: Words
  /** What is sent, by name. */
  readonly input?: Shapes
  /**
   * How the input travels: in the address (what the API family's clients send; the server takes it from a form as well),
   * as a form (what must not stand in an address, or is too long for one), or as one JSON body, an object or a list.
   */
  readonly as?: 'query' | 'form' | 'json' | 'list'
  /** What is sent as a list, in place of an input; its route reads it itself. */
  readonly list?: ListShape
  /** What stands in the address beside a JSON body or a file. */
  readonly query?: Shapes
  /** It takes one file. */
  readonly upload?: boolean
  /** What it answers stands alone, without the envelope. */
  readonly bare?: boolean
  readonly answer: Shape
}

/** Declares a call. */
export const defineCall = <const C extends CallDefinition>(call: C): C => call

type Given<S> = S extends Shapes ? GivenFields<S> : unknown

type Sent = Pick<CallDefinition, 'input' | 'query' | 'list'>

/** What a call is sent. */
export type InputOf<C extends Sent> = C['list'] extends ListShape
  ? GivenOf<C['list']>
  : Given<C['input']> & Given<C['query']>

/** What a call answers as `data`. */
export type AnswerOf<C extends Pick<CallDefinition, 'answer'>> = ValueOf<C['answer']>

/** Whether a call has to be sent something. */
export type NeedsInput<C extends Sent> = Readonly<Record<never, never>> extends InputOf<C> ? false : true
