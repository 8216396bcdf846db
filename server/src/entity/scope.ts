import { codeOf, type Entity, entityOf, stamps } from '@data-brain/contract'
import { ownWords } from '@data-brain/contract/rules/condition'
import {
  kindOfType,
  kindOfWord,
  type ScopeKindName,
  type StandingName,
  scopeKind,
} from '@data-brain/contract/scope-kinds'
import type { RawBuilder } from 'kysely'
import { slotValue, sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { type Actor, type DataScope, isAdmin } from '../kernel/actor.ts'
import type { Cipher } from '../kernel/cipher.ts'
import { type Condition, conditionOf } from './filter.ts'
import { type Model, type ModelField, modelOf } from './model.ts'
import { idsOf } from './personal-scope.ts'
import { type InheritedScope, scopesFor } from './scopes-of-role.ts'
import { columnRef, nameRef, tableRef } from './select.ts'

/*
 * Data scopes: which rows of an entity a role may work with. Every repository asks here, so a scope holds in lists,
 * details, changes, choices, searches, exports, histories and counts alike. A scope becomes SQL from the closed set
 * below with bound values; nothing that somebody typed is ever a part of a statement.
 */

/** The rows that an actor may work with, as a condition on `t`; undefined where that is all of them. */
export interface Reach {
  /** Equal for equal conditions: what a compiled statement and a kept total are known by. */
  readonly key: string
  readonly sql: RawBuilder<unknown>
  /** Values of the slots in `sql`. */
  readonly values: Readonly<Record<string, unknown>>
  /** Whether the condition looks at the entity's own row alone. */
  readonly own: boolean
}

/** Everything a scope is compiled with. */
export interface ScopeContext {
  readonly tx: Tx
  readonly actor: Actor
  readonly cipher: Cipher
}

/** The rows of an entity that an actor reaches with one of these codes. */
export async function reachOf(
  ground: ScopeContext,
  model: Model,
  codes: readonly string[],
  prefix?: string,
): Promise<Reach | undefined> {
  const scopes = scopesFor(ground.actor, model.entity, codes)
  const reach = scopes === undefined ? undefined : await reachBy(ground, model, scopes, prefix)
  const finished = await notDrafted(ground, model, codes, prefix)
  const shown = sharedRows(ground, model, codes, prefix)
  return [finished, shown].reduce((one, other) => (one && other ? both(one, other) : (one ?? other)), reach)
}

/** The verbs that make, change and remove rows: by any of them somebody sees the drafts within its scopes. */
const drafting = ['add', 'edit', 'delete'] as const

/**
 * Of rows that are their makers' alone, or are shared with roles, those of somebody who is no administrator: the own ones
 * and, to look at and to choose, those shared with a role of theirs. Undefined where that is no limit.
 */
function sharedRows(
  { actor }: ScopeContext,
  model: Model,
  codes: readonly string[],
  prefix = 'scope',
): Reach | undefined {
  const { sharedBy, ownRows } = model.entity
  if (isAdmin(actor) || !(sharedBy || ownRows)) return undefined
  const [me, roles] = [`${prefix}_me`, `${prefix}_roles`]
  if (!sharedBy)
    return {
      key: 'own',
      sql: sql`t.create_user = ${slotValue(me)}::bigint`,
      values: { [me]: actor.userId },
      own: true,
    }
  // Whoever points at a row chooses it, and looks at it no less.
  const writing = drafting.map((verb) => codeOf(model.entity, verb))
  const looks = !codes.some((code) => writing.includes(code))
  const field = model.byName.get(sharedBy)!
  const shared = looks
    ? sql` or exists (select 1 from ${nameRef(field.linkSeen!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id and l.target_id = any(${slotValue(roles)}::bigint[]))`
    : sql``
  return {
    key: `shared(${looks})`,
    sql: sql`(t.create_user = ${slotValue(me)}::bigint${shared})`,
    values: { [me]: actor.userId, [roles]: actor.roles.map(({ id }) => id) },
    own: true,
  }
}

/**
 * Of rows that are drafted, those that are shown to whoever reads by these codes: all within reach of a right to write them,
 * and what is finished. Undefined where that is no limit.
 */
async function notDrafted(
  ground: ScopeContext,
  model: Model,
  codes: readonly string[],
  prefix = 'scope',
): Promise<Reach | undefined> {
  const { drafted } = model.entity
  if (!drafted) return undefined
  const parts = drafted.parts ? [entityOf(drafted.parts)!] : []
  const settles = model.entity.status?.switchedBy
  const writing = [model.entity, ...parts].flatMap((entity) => drafting.map((verb) => codeOf(entity, verb)))
  // Whoever settles what is drafted has to see it.
  if (drafted.by === undefined && settles) writing.push(settles)
  if (codes.every((code) => writing.includes(code))) return undefined
  const scopes = scopesFor(ground.actor, model.entity, writing)
  if (scopes === undefined) return undefined
  const own = await reachBy(ground, model, scopes, `${prefix}_drafts`)
  const finished = sql`t.status in (${sql.join(drafted.shown.map((status) => sql.lit(status)))})`
  const field = drafted.by === undefined ? undefined : model.byName.get(drafted.by)!
  const isFinished = field
    ? sql`${columnRef(field.column)} in (select t.id from ${tableRef(modelOf(field.target!))} where t.tenant_id = ${slotValue('tenant')} and ${finished})`
    : finished
  return {
    key: `finished|${own.key}`,
    sql: sql`(${isFinished} or ${own.sql})`,
    values: own.values,
    own: field === undefined && own.own,
  }
}

/** The rows that lie in both of two reaches. */
const both = (one: Reach, other: Reach): Reach => ({
  key: `${one.key}&${other.key}`,
  sql: sql`(${one.sql} and ${other.sql})`,
  values: { ...one.values, ...other.values },
  own: one.own && other.own,
})

/** The rows that any of these scopes takes in. */
export async function reachBy(
  ground: ScopeContext,
  model: Model,
  scopes: readonly (DataScope | InheritedScope)[],
  prefix = 'scope',
): Promise<Reach> {
  const building = new Building(ground, prefix)
  const parts: Part[] = []
  for (const scope of scopes) parts.push(await building.part(model, scope))
  return {
    key: `scope(${parts.map((part) => part.key).join('|')})`,
    sql:
      parts.length === 0
        ? sql`false`
        : sql`(${sql.join(
            parts.map((part) => part.sql),
            sql` or `,
          )})`,
    values: building.values,
    own: parts.every((part) => part.own),
  }
}

interface Part {
  readonly key: string
  readonly sql: RawBuilder<unknown>
  readonly own: boolean
}

const nothing: Part = { key: 'none', sql: sql`false`, own: true }
const everything: Part = { key: 'all', sql: sql`true`, own: true }

/** Who or what a custom condition may name instead of an id. */
export const words: readonly string[] = Object.keys(ownWords)

class Building {
  readonly values: Record<string, unknown> = {}
  readonly #ground: ScopeContext
  readonly #known = new Map<string, Promise<readonly string[]>>()
  #slots = 0

  readonly #prefix: string

  /** `prefix` keeps the slots of several reaches in one statement apart. */
  constructor(ground: ScopeContext, prefix: string) {
    this.#ground = ground
    this.#prefix = prefix
  }

  #slot(value: unknown): string {
    this.#slots += 1
    const name = `${this.#prefix}${this.#slots}`
    this.values[name] = value
    return name
  }

  async part(model: Model, scope: DataScope | InheritedScope): Promise<Part> {
    if ('within' in scope) return this.#above(model, scope.within, scope.scope)
    if (scope.type === all) return everything
    if (scope.type === custom) return this.#expression(model, scope.value)
    const kind = kindOfType(scope.type)
    if (!kind) return nothing
    const field = fieldFor(model, kind, scope.column)
    if (field === undefined) {
      // A guardian has no class, but the child does.
      const { within } = model.entity
      return within ? this.#above(model, within, scope) : nothing
    }
    const { pair } = scopeKind(kind)
    return pair ? this.#pairs(model, kind, pair) : this.#oneOf(field, await this.#ids(kind))
  }

  async #above(model: Model, within: string, scope: DataScope | InheritedScope): Promise<Part> {
    const field = model.byName.get(within)!
    const above = modelOf(field.target!)
    const part = await this.part(above, 'within' in scope ? scope : { ...scope, entity: above.entity.name })
    const reached = sql`(select t.id from ${tableRef(above)} where t.tenant_id = ${slotValue('tenant')} and ${part.sql})`
    return {
      key: `${within}>${part.key}`,
      sql: field.linkTable
        ? sql`exists (select 1 from ${nameRef(field.linkSeen!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id and l.target_id in ${reached})`
        : sql`${columnRef(field.column)} in ${reached}`,
      own: false,
    }
  }

  #oneOf(field: Judged, ids: readonly string[]): Part {
    const name = this.#slot(ids)
    const all = sql`any(${slotValue(name)}::bigint[])`
    return field.linkTable
      ? {
          key: `${field.name}~`,
          sql: sql`exists (select 1 from ${nameRef(field.linkSeen!)} l where l.tenant_id = t.tenant_id and l.owner_id = t.id and l.target_id = ${all})`,
          own: true,
        }
      : { key: `${field.name}=`, sql: sql`${columnRef(field.column)} = ${all}`, own: true }
  }

  /** What belongs to the whole tenant counts together with another field: a grade with the school that it is taught in. */
  async #pairs(model: Model, kind: ScopeKindName, pair: readonly [string, string]): Promise<Part> {
    const pairs = await this.#ids(kind)
    if (!hasBoth(model, pair)) return nothing
    const columns = pair.map((name) => `t.${model.byName.get(name)!.column}`)
    const [first, second] = [0, 1].map((at) => this.#slot(pairs.map((each) => each.split(':')[at])))
    return {
      key: kind,
      sql: sql`(${nameRef(columns.join(', '))}) in (select a, b from unnest(${slotValue(first!)}::bigint[], ${slotValue(second!)}::bigint[]) p(a, b))`,
      own: true,
    }
  }

  #ids(kind: ScopeKindName): Promise<readonly string[]> {
    const known = this.#known.get(kind)
    if (known) return known
    const found = idsOf(kind, this.#ground)
    this.#known.set(kind, found)
    return found
  }

  async #expression(model: Model, value: unknown): Promise<Part> {
    if (!isGroup(value)) return nothing
    const [all, members] = 'all' in value ? [true, value.all] : [false, value.any]
    const parts: Part[] = []
    for (const member of members)
      parts.push(isGroup(member) ? await this.#expression(model, member) : await this.#condition(model, member))
    if (parts.length === 0) return nothing
    return {
      key: `(${parts.map((part) => part.key).join(all ? '&' : '|')})`,
      sql: sql`(${sql.join(
        parts.map((part) => part.sql),
        all ? sql` and ` : sql` or `,
      )})`,
      own: true,
    }
  }

  async #condition(model: Model, member: unknown): Promise<Part> {
    const { field = '', op = '', value } = member as Partial<Record<'field' | 'op' | 'value', unknown>>
    const name = String(field)
    const word = typeof value === 'string' ? kindOfWord(value) : undefined
    if (word) {
      const judged = judgedOf(model, name)
      return judged ? this.#oneOf(judged, await this.#ids(word)) : nothing
    }
    const condition = customCondition(model, name, String(op), value, this.#ground)
    if (!condition) return nothing
    return { key: condition.key, sql: condition.sql(this.#slot(condition.value)), own: true }
  }
}

/** Comparisons that a custom condition may make. */
export const scopeComparisons = ['equal', 'notequal', 'ge', 'le', 'gt', 'lt', 'null', 'notnull', 'like', 'in'] as const

/** One condition of a custom scope, or undefined where the entity has no such field or no such comparison. */
export function customCondition(
  model: Model,
  field: string,
  op: string,
  value: unknown,
  { cipher, actor }: Pick<ScopeContext, 'cipher' | 'actor'>,
): Condition | undefined {
  if (!(scopeComparisons as readonly string[]).includes(op)) return undefined
  // What a field of a tenant's own means is the tenant's affair, and it may go: no right hangs on it.
  if (model.byName.get(field)?.custom !== undefined) return undefined
  const kind = model.byName.get(field)?.kind ?? (field === 'id' ? 'reference' : '')
  if (['personal', 'secret', 'json'].includes(kind)) return undefined
  // Whose id is larger says nothing.
  if (kind.startsWith('reference') && ['ge', 'le', 'gt', 'lt'].includes(op)) return undefined
  const text = Array.isArray(value) ? value.map(String) : String(value ?? '')
  return conditionOf(model, `${field}_${op}`, text, cipher, actor.tenantId)
}

type Group = { readonly all: readonly unknown[] } | { readonly any: readonly unknown[] }

/** Whether a part of an expression is a group: `{all: […]}` or `{any: […]}`. */
export function isGroup(value: unknown): value is Group {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray((value as { all?: unknown }).all) || Array.isArray((value as { any?: unknown }).any)
}

/** Keys of the dictionary data_scope_type: all rows, and conditions of one's own. The others are in scope-kinds. */
const all = '1'
const custom = '5'

const hasBoth = (model: Model, pair: readonly string[]): boolean => pair.every((name) => model.byName.has(name))

/** A column, or a link table, whose ids are judged. */
type Judged = Pick<ModelField, 'name' | 'column' | 'linkTable' | 'linkSeen' | 'to'>

const system: Readonly<Record<string, Judged>> = {
  create_user: {
    name: 'createUser',
    column: 'create_user',
    linkTable: undefined,
    linkSeen: undefined,
    to: stamps.createUser,
  },
  create_dept: {
    name: 'createDept',
    column: 'create_dept',
    linkTable: undefined,
    linkSeen: undefined,
    to: stamps.createDept,
  },
  id: { name: 'id', column: 'id', linkTable: undefined, linkSeen: undefined },
}

function judgedOf(model: Model, name: string): Judged | undefined {
  if (Object.hasOwn(system, name)) return { ...system[name]!, ...(name === 'id' ? { to: model.entity.name } : {}) }
  const field = model.byName.get(name)
  return field && (field.kind === 'reference' || field.kind === 'references') ? field : undefined
}

/** The field that a rule looks at; undefined where the entity has none that fits. */
function fieldFor(model: Model, kind: ScopeKindName, column: string | null): Judged | undefined {
  const { entity, usual } = scopeKind(kind)
  const fitting = (name: string): Judged | undefined => {
    const named = judgedOf(model, name)
    return named?.to === entity ? named : undefined
  }
  if (column) return fitting(column)
  // A row of the very thing that the rule is about is judged by itself.
  if (model.entity.name === entity) return system.id
  return usual.map(fitting).find((field) => field !== undefined)
}

/** Whether a rule of this type can be judged on an entity, by this field where one is named. */
export function ruleApplies(entity: Entity, type: string, column: string | null): boolean {
  if (type === all || type === custom) return column === null
  const kind = kindOfType(type)
  if (kind === undefined) return false
  const model = modelOf(entity)
  const { pair } = scopeKind(kind)
  if (pair) return column === null && (hasBoth(model, pair) || above(entity, type))
  return fieldFor(model, kind, column) !== undefined || (column === null && above(entity, type))
}

const above = (entity: Entity, type: string): boolean =>
  entity.within !== undefined && ruleApplies(entityOf(entity.fields[entity.within]!.to!), type, null)

/** Those that a scope looks at; one's own rows are nobody else's. */
export function standingsOf({ type, value }: Pick<DataScope, 'type' | 'value'>): readonly StandingName[] {
  const found =
    type === custom
      ? words.filter((word) => JSON.stringify(value ?? null).includes(`"${word}"`)).map(kindOfWord)
      : [kindOfType(type)]
  return found.filter((kind): kind is StandingName => kind !== undefined && !scopeKind(kind).personal)
}
