import type { CustomField } from '@data-brain/contract/custom'
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
  /** All departments of the user, or the one that the session was narrowed to. */
  readonly deptIds: readonly string[]
  readonly sessionId: string | null
  /** Permission codes held. */
  readonly codes: ReadonlySet<string>
  readonly roles: readonly Role[]
  /** Calls that an API scope keeps for others: `GET /blade-user/student/list`. */
  readonly refused: ReadonlySet<string>
  /** Platform power: a property of the built-in tenant's administrators, which no call sets. */
  readonly platform: boolean
  readonly mustChange: boolean
  /** An administrator without the second factor that the tenant asks of them. */
  readonly mustSecond: boolean
  /** The fields of the tenant's own, where it has any; one list for all of its actors, as long as nothing changes. */
  readonly custom?: readonly CustomField[] | undefined
}

export interface Role {
  readonly id: string
  readonly name: string
  readonly alias: string
  readonly admin: boolean
  /** Permission codes that this role carries: none for administrators, who hold all. */
  readonly codes: ReadonlySet<string>
  readonly scopes: readonly DataScope[]
}

/** Which rows of an entity a role may work with. A role without one for an entity works with all of its rows. */
export interface DataScope {
  readonly id: string
  readonly name: string
  readonly entity: string
  /** A key of the dictionary data_scope_type. */
  readonly type: string
  readonly column: string | null
  /** The conditions of a custom scope. */
  readonly value: unknown
}

/** Whether the actor may do everything in the tenant: its administrators, and machines. */
export const isAdmin = (actor: Actor): boolean => actor.kind === 'machine' || actor.roles.some((role) => role.admin)

/** What belongs to the one request and not to the person. */
export interface Circumstance {
  readonly requestId: string
  readonly language: Language
  readonly address: string
  readonly agent: string
  /** Why somebody looks at a child's record, where they say so. */
  readonly reason?: string | undefined
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
    deptIds: [],
    sessionId: null,
    codes: new Set(),
    roles: [],
    refused: new Set(),
    platform: false,
    mustChange: false,
    mustSecond: false,
  }
}

/** Whether the actor holds a code. A machine holds all of its tenant's. */
export const holdsCode = (actor: Actor, code: string): boolean => actor.kind === 'machine' || actor.codes.has(code)
