import type { Language } from './problem.ts'

/** Who acts. Absence gives nothing: every repository and every transaction of a request needs one. */
export interface Actor {
  readonly kind: 'user' | 'machine'
  readonly tenantId: string
  /** Null for a machine and for a platform actor inside another tenant. */
  readonly userId: string | null
  /** Recorded with every change. */
  readonly name: string
  readonly account: string
  readonly deptId: string | null
  readonly sessionId: string | null
  /** Permission codes held. */
  readonly codes: ReadonlySet<string>
  readonly roles: readonly Role[]
  /** Platform power: a property of the built-in tenant's administrators, which no call sets. */
  readonly platform: boolean
  readonly mustChange: boolean
}

export interface Role {
  readonly id: string
  readonly name: string
  readonly alias: string
  readonly admin: boolean
}

/** What belongs to the one request and not to the person. */
export interface Circumstance {
  readonly requestId: string
  readonly language: Language
  readonly address: string
  readonly agent: string
}

/** A machine actor says its name; it may do everything in its tenant, and history shows who it was. */
export function system(name: string, tenantId: string): Actor {
  return {
    kind: 'machine',
    tenantId,
    userId: null,
    name,
    account: name,
    deptId: null,
    sessionId: null,
    codes: new Set(),
    roles: [],
    platform: false,
    mustChange: false,
  }
}

/** Whether the actor holds a code. A machine holds all of its tenant's. */
export const holds = (actor: Actor, code: string): boolean => actor.kind === 'machine' || actor.codes.has(code)
