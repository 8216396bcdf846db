import type { Words } from '@data-brain/contract'
import type { Tx } from '../database/transaction.ts'
import type { Actor, Circumstance } from './actor.ts'
import type { Parameter, Parameters, ParametersOf } from './parameter.ts'
import type { Problem } from './problem.ts'
import type { Services } from './services.ts'
import type { TurnQueue } from './turn-queue.ts'
import type { UploadLimit } from './upload.ts'

/** Who may call: anybody, whoever is logged in, or holders of one of these codes. */
export type Access = 'public' | 'session' | { readonly codes: readonly string[] }

/** What a handler is given. The transaction is committed when it answers and rolled back when it throws. */
export interface Call<P extends Parameters = Parameters> {
  readonly services: Services
  readonly tx: Tx
  readonly actor: Actor
  readonly circumstance: Circumstance
  readonly parameters: ParametersOf<P>
  /** Everything that came in the query, as text: for lists, whose filters are known by the entity. */
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /** Stamps of the entity named by `stampOf`. */
  readonly stamp: string
}

/** What a public handler is given: no transaction and no actor; it names its tenant itself. */
export interface PublicCall<P extends Parameters = Parameters> {
  readonly services: Services
  readonly circumstance: Circumstance
  readonly parameters: ParametersOf<P>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

/**
 * What a detached handler is given: it reads headers, or does what must not hold a connection, and acts as the caller
 * by `as`, in one transaction each time. Whether the caller may is checked anew each time.
 */
export interface DetachedCall<P extends Parameters = Parameters> extends PublicCall<P> {
  /** Everything that came in the query, as text. */
  readonly query: Readonly<Record<string, string>>
  /** Aborted when the caller leaves before there is an answer. */
  readonly left?: AbortSignal
  as<T>(work: (opened: Pick<Call, 'tx' | 'actor'>) => Promise<T>): Promise<T>
}

/** An answer that is not an envelope: a file, or the bare object of the token call. */
export class RawResponse<B = unknown> {
  readonly status: number
  readonly body: B
  readonly headers: Record<string, string>
  /** Whom it lets in: for the logs. */
  account?: string
  /** What it tells, where it tells of a failure: for the logs. */
  problem?: Problem
  constructor(body: B, status = 200, headers: Record<string, string> = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

/** A failure that is told in another form than the envelope's. */
export class RawRefusal extends RawResponse {
  /** Told from an answer by the compiler, too. */
  readonly refuses = true
  constructor(
    body: unknown,
    status: number,
    { problem, headers }: Partial<Pick<RawResponse, 'problem' | 'headers'>> = {},
  ) {
    super(body, status, headers)
    if (problem) this.problem = problem
  }
}

interface Common<P extends Parameters> {
  readonly method: 'GET' | 'POST'
  /** Path under /api, beginning with a slash. */
  readonly path: string
  readonly summary: Words
  /** Taken from the query and, for POST, from a urlencoded or multipart body alike. */
  readonly parameters?: P
  /** Those of them that the description asks for in a form instead of the address. */
  readonly form?: readonly string[]
  /** The media types of the bytes that it answers, for the description. */
  readonly file?: string | readonly string[]
  /** JSON schema of the body, for the description; the handler checks it. */
  readonly bodySchema?: object
  /** JSON schema of `data`, for the description. */
  readonly dataSchema?: object
  /** Answers bytes or a bare object instead of an envelope. */
  readonly bare?: boolean
  /** Tag in the description. */
  readonly tag?: string
  /** Largest body in bytes; 1 MB where not given. */
  readonly bodyLimit?: number
  /** Takes one file by multipart: the handler's `body` is a `Received` (kernel/upload.ts). */
  readonly upload?: boolean
  /** No API scope can keep it from anybody: without it nobody could work, or leave. */
  readonly always?: boolean
  /** Largest file in bytes, or what it is by the client's name of it; 50 MB where not given. */
  readonly uploadLimit?: UploadLimit
}

export interface SessionRoute<P extends Parameters = Parameters> extends Common<P> {
  readonly access: Exclude<Access, 'public'>
  /** The entity whose stamps the handler wants. */
  readonly stampOf?: string
  /** Open to somebody who must still change the first password, or set up a second factor. */
  readonly beforeChange?: boolean
  /** Open to a session that its person has locked. */
  readonly whileLocked?: boolean
  /**
   * Turns that it waits for before it takes a connection: what is done by one after the other anyhow would otherwise hold
   * one for each that waits, and leave none for others.
   */
  readonly turns?: TurnQueue
  /**
   * A GET that keeps something which the caller counts on, such as that a notice was read: answered when it is durable.
   */
  readonly records?: boolean
  /**
   * Works on the platform role's connection, which writes what all tenants share: for the platform's administrators
   * alone, whatever codes somebody holds.
   */
  readonly platform?: boolean
  handler(call: Call<P>): Promise<unknown>
}

export interface DetachedRoute<P extends Parameters = Parameters> extends Common<P> {
  readonly access: Exclude<Access, 'public'>
  readonly beforeChange?: boolean
  readonly whileLocked?: boolean
  /** As for a session route: acts on the platform role's connection. */
  readonly platform?: boolean
  readonly detached: true
  /** Open to a token that has run out or was revoked as well: the handler judges it. */
  readonly judgesToken?: boolean
  handler(call: DetachedCall<P>): Promise<unknown>
}

export interface PublicRoute<P extends Parameters = Parameters> extends Common<P> {
  readonly access: 'public'
  /** Whoever calls has a token of another kind than a session's, which the handler judges: it holds one of these scopes. */
  readonly scopes?: readonly string[]
  /**
   * How its failures are told, where a binding of others says so: every problem, and what it knows beside them. Of
   * anything else it answers undefined, and is asked again with the problem that it is.
   */
  readonly told?: (thrown: unknown) => RawResponse | undefined
  /** JSON schema of what it answers then, for the description. */
  readonly toldSchema?: object
  handler(call: PublicCall<P>): Promise<unknown>
}

export type Route = SessionRoute | DetachedRoute | PublicRoute

/** Declares a route that needs a session. */
export function route<const P extends Record<string, Parameter>>(declared: SessionRoute<P>): Route {
  return declared as unknown as Route
}

/** Declares a route that needs a session and opens its transactions itself. */
export function detachedRoute<const P extends Record<string, Parameter>>(
  declared: Omit<DetachedRoute<P>, 'detached'>,
): Route {
  return { ...declared, detached: true } as unknown as Route
}

/** A permission code, as an access. */
export const code = (...codes: string[]): { codes: string[] } => ({ codes })
