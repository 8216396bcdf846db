import type { AnswerOf, CallDefinition, InputOf } from '@data-brain/contract/call'
import type { FileShape } from '@data-brain/contract/shape'
import { readBody } from '../kernel/input.ts'
import type { Parameters } from '../kernel/parameter.ts'
import type {
  Call,
  DetachedCall,
  DetachedRoute,
  PublicCall,
  PublicRoute,
  RawRefusal,
  RawResponse,
  Route,
  SessionRoute,
} from '../kernel/route.ts'
import { givenSchema, shapeSchema } from './shape-schema.ts'

/** What a call declares for the description, and what the server alone knows of it. */
type Serving<R> = Partial<
  Omit<
    R,
    | 'method'
    | 'path'
    | 'tag'
    | 'access'
    | 'summary'
    | 'parameters'
    | 'bodySchema'
    | 'dataSchema'
    | 'upload'
    | 'form'
    | 'bare'
    | 'file'
    | 'handler'
    | 'detached'
  >
>

/**
 * What a handler answers: `data` of the envelope as the call declares it, nothing, the bytes of a file, or what the call
 * answers without an envelope.
 */
type Answering<C extends CallDefinition> = C extends { readonly bare: true }
  ? Promise<RawResponse<AnswerOf<C>> | RawRefusal>
  : C['answer'] extends { kind: 'nothing' }
    ? Promise<void>
    : Promise<C['answer'] extends FileShape ? RawResponse : AnswerOf<C>>

/** The part of a route that its call declares. */
function declaredOf(call: CallDefinition) {
  const { method, path, of, summary, input = {}, query = {}, answer, upload } = call
  const json = call.as === 'json'
  const bare = answer.kind === 'file' || call.bare === true
  return {
    method,
    path: `/${path}`,
    tag: of,
    summary,
    // Parameters are scalars: a call with anything else says that it travels as JSON.
    parameters: (json ? query : { ...query, ...input }) as Parameters,
    ...(json ? { bodySchema: givenSchema(input) } : {}),
    ...(call.as === 'form' ? { form: Object.keys(input) } : {}),
    ...(upload ? { upload } : {}),
    ...(bare ? { bare } : {}),
    ...(answer.kind === 'file' ? { file: answer.types } : {}),
    ...(answer.kind === 'file' || (bare && answer.kind === 'nothing') ? {} : { dataSchema: shapeSchema(answer) }),
  }
}

/** The input as the call declares it, read and checked. */
const inputOf = <C extends CallDefinition>(call: C, made: Pick<PublicCall, 'parameters' | 'body'>): InputOf<C> =>
  (call.as === 'json'
    ? { ...readBody(call.input ?? {}, made.body), ...made.parameters }
    : made.parameters) as InputOf<C>

function sessionAccess({ path, access }: CallDefinition): SessionRoute['access'] {
  if (access === 'public') throw new Error(`${path} is public: it has no session`)
  return access
}

/**
 * Serves a declared call to whoever has a session, in one transaction. The handler is given the input, read and checked
 * as the call declares it, and does not compile with another answer than the declared one.
 */
export const on = <const C extends CallDefinition>(
  call: C,
  handler: (input: InputOf<NoInfer<C>>, call: Call) => Answering<C>,
  serving: Serving<SessionRoute> = {},
): Route => ({
  ...serving,
  ...declaredOf(call),
  access: sessionAccess(call),
  handler: (made: Call) => handler(inputOf(call, made), made),
})

/** The same for a handler that opens its transactions itself. */
export const onDetached = <const C extends CallDefinition>(
  call: C,
  handler: (input: InputOf<NoInfer<C>>, call: DetachedCall) => Answering<C>,
  serving: Serving<DetachedRoute> = {},
): Route => ({
  ...serving,
  ...declaredOf(call),
  access: sessionAccess(call),
  detached: true,
  handler: (made: DetachedCall) => handler(inputOf(call, made), made),
})

/** The same for a call that anybody may make. */
export const onPublic = <const C extends CallDefinition & { access: 'public' }>(
  call: C,
  handler: (input: InputOf<NoInfer<C>>, call: PublicCall) => Answering<C>,
  serving: Serving<PublicRoute> = {},
): Route => ({
  ...serving,
  ...declaredOf(call),
  access: 'public',
  handler: (made: PublicCall) => handler(inputOf(call, made), made),
})
