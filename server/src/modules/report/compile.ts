import { codeOf, entityOf } from '@data-brain/contract'
import type { Grain, ReportField, ReportGroup } from '@data-brain/contract/report'
import type { RawBuilder } from 'kysely'
import { zone } from '../../database/connect.ts'
import { compileOnce, type Statement, slotValue, sql } from '../../database/statement.ts'
import { bindingCodes } from '../../entity/choice-access.ts'
import { conditionsOf } from '../../entity/filter.ts'
import { type Model, modelOf } from '../../entity/model.ts'
import { subjectColumn } from '../../entity/read-log.ts'
import { type Reach, reachBy, reachOf, type ScopeContext } from '../../entity/scope.ts'
import { besideRef, choiceOrderOf, columnRef, nameRef, ownedBy, tableRef, titleRef } from '../../entity/select.ts'
import { mustReachBack, overPast } from './as-of.ts'
import type { Question } from './content.ts'

/*
 * A question as one statement. Names of tables and columns come from the definitions, values are bound, and every entity
 * that is looked at is looked at within the scope of whoever asks: rows that it refers to beyond that are not there.
 */

type Part = RawBuilder<unknown>

/** What an alias stands for. */
interface Joined {
  readonly alias: string
  readonly model: Model
}

/** By which right the rows are looked at: in a list, or to be taken out. */
export type Verb = 'view' | 'export'

/** The rows of a table of a data source, as a part that stands before a statement. */
export interface Loaded {
  readonly with: Part
  readonly values: Readonly<Record<string, unknown>>
}

/** What a question is asked of, where that is not the rows as they are now. */
export interface Over {
  readonly loaded?: Loaded | undefined
  /** The past day at whose end the rows are looked at. */
  readonly asOf?: string | undefined
}

/** Builds the statements of one question for one actor. */
export class Compiling {
  readonly question: Question
  readonly model: Model
  readonly #ground: ScopeContext
  readonly #verb: Verb
  readonly #joins = new Map<string, Joined & { readonly sql: Part }>()
  readonly #values: Record<string, unknown>
  #reaches = 0

  readonly #loaded: Loaded | undefined
  readonly #asOf: string | undefined

  constructor(question: Question, ground: ScopeContext, verb: Verb, { loaded, asOf }: Over = {}) {
    this.question = question
    this.model = question.model
    this.#loaded = loaded
    this.#asOf = asOf
    this.#ground = ground
    this.#verb = verb
    this.#values = { tenant: ground.actor.tenantId, ...loaded?.values, ...(asOf ? { asOf } : {}) }
  }

  async #compiled(statement: Part): Promise<Statement> {
    const asOf = this.#asOf
    if (asOf === undefined)
      return compileOnce(this.#loaded ? sql`${this.#loaded.with}${statement}` : statement, this.#values)
    const { tx, actor } = this.#ground
    const past = overPast(statement, this.#values)
    await mustReachBack(tx, actor.tenantId, past.read, asOf)
    return compileOnce(past.statement, this.#values)
  }

  /** The slots of a reach beside those of others in one statement. */
  #take(reach: Reach | undefined): Reach | undefined {
    Object.assign(this.#values, reach?.values)
    return reach
  }

  async #reachOf(model: Model, codes: readonly string[]): Promise<Reach | undefined> {
    this.#reaches += 1
    return this.#take(await reachOf(this.#ground, model, codes, `r${this.#reaches}_`))
  }

  /** Whether an expression names a row of an entity that lies within a reach. */
  #isWithin(expression: Part, model: Model, reach: Reach): Part {
    return sql`${expression} in (select t.id from ${tableRef(model)} where ${ownedBy(model)} and ${reach.sql})`
  }

  /** What a path goes through before its last name, joined once. */
  async #joined(steps: readonly string[]): Promise<Joined> {
    if (steps.length === 0) return { alias: 't', model: this.model }
    const path = steps.join('.')
    const known = this.#joins.get(path)
    if (known) return known
    const from = await this.#joined(steps.slice(0, -1))
    const field = from.model.byName.get(steps.at(-1)!)!
    const model = modelOf(field.target!)
    const alias = `j${this.#joins.size + 1}`
    // What rows refer to is looked at, in a file too, as far as it may be looked at.
    const reach = await this.#reachOf(model, [codeOf(model.entity, 'view')])
    const id = columnRef('id', alias)
    const joined = {
      alias,
      model,
      sql: sql`left join ${tableRef(model, alias)} on ${ownedBy(model, alias)} and ${id} = ${columnRef(field.column, from.alias)}${reach ? sql` and ${this.#isWithin(id, model, reach)}` : sql``}`,
    }
    this.#joins.set(path, joined)
    return joined
  }

  /** The column of a field, where a row that it names is guarded only for whoever reaches that. */
  async #column({ path }: ReportField): Promise<{ at: Joined; column: Part }> {
    const steps = path.split('.')
    const name = steps.pop()!
    const at = await this.#joined(steps)
    const own = at.model.byName.get(name)
    const column = columnRef(own?.column ?? (name === 'createTime' ? 'create_time' : 'status'), at.alias)
    const codes =
      own?.target && at.model.entity.guards?.includes(name) ? bindingCodes(own.target, this.#ground.actor) : undefined
    const target = own?.target && modelOf(own.target)
    const reach = target && codes && (await this.#reachOf(target, codes))
    return {
      at,
      column: reach ? sql`case when ${this.#isWithin(column, target, reach)} then ${column} end` : column,
    }
  }

  /** What rows are grouped by, as a text. */
  async #key(field: ReportField, by: Grain | null | undefined): Promise<Part> {
    const { column } = await this.#column(field)
    const { kind } = field.field
    if (kind !== 'date' && kind !== 'instant') return sql`(${column})::text`
    const day = kind === 'date' ? column : sql`(${column} at time zone ${zone})`
    const pattern = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' }[by ?? 'day']
    return sql`to_char(${day}, ${pattern})`
  }

  /** Which rows are meant: those of the tenant within reach, by the report’s conditions and by what was asked for. */
  async #where(parameters: Readonly<Record<string, string>>): Promise<Part> {
    const { entity, filter } = this.question
    // A table of a data source has no scopes: who may read it is said by a right and by the report's roles.
    const reach = this.#loaded ? undefined : await this.#reachOf(this.model, [codeOf(entity, this.#verb)])
    const scope = { id: '', name: '', entity: entity.name, type: '5', column: null, value: filter }
    const meant = filter && this.#take(await reachBy(this.#ground, this.model, [scope], 'w_'))
    const { cipher, actor } = this.#ground
    const asked = conditionsOf(this.model, parameters, cipher, actor.tenantId)
    asked.forEach(({ value }, at) => {
      this.#values[`p${at}`] = value
    })
    return sql.join(
      [
        ownedBy(this.model),
        ...(reach ? [reach.sql] : []),
        ...(meant ? [meant.sql] : []),
        ...asked.map((condition, at) => condition.sql(`p${at}`)),
      ],
      sql` and `,
    )
  }

  get #from(): Part {
    return sql`${tableRef(this.model)} ${sql.join(
      [...this.#joins.values()].map((join) => join.sql),
      sql` `,
    )}`
  }

  /**
   * The counted cells of all groups: of each the keys `k0`… (the last is that of the cross), their names and what tells rows
   * of one name apart, their places `o0`…, the rows `n` and, of each measure of a field, `s`, `c`, `lo` and `hi`.
   */
  async cells(parameters: Readonly<Record<string, string>>, most: number): Promise<Statement> {
    const { groups, cross, measured, content } = this.question
    const fields = [...groups, ...(cross ? [cross] : [])]
    const asked: readonly ReportGroup[] = [...content.groups, ...(content.cross ? [content.cross] : [])]
    const keys: Part[] = []
    for (const [at, field] of fields.entries()) keys.push(await this.#key(field, asked[at]!.by))
    const counted: Part[] = []
    for (const [at, field] of measured.entries()) {
      if (!field) continue
      const { column } = await this.#column(field)
      counted.push(
        sql`sum(${column})::float8 as ${nameRef(`s${at}`)}, count(${column})::int as ${nameRef(`c${at}`)}, min(${column})::float8 as ${nameRef(`lo${at}`)}, max(${column})::float8 as ${nameRef(`hi${at}`)}`,
      )
    }
    const where = await this.#where(parameters)
    const numbers = sql.raw(keys.map((_, at) => String(at + 1)).join(', '))
    const cells = sql`select ${sql.join([...keys.map((key, at) => sql`${key} as ${nameRef(`k${at}`)}`), sql`count(*)::int as n`, ...counted])}
      from ${this.#from} where ${where} group by ${numbers} limit ${sql.lit(most + 1)}`
    const named = fields.map((field, at) => namedBy(field, at))
    return this.#compiled(
      sql`select g.*, ${sql.join(named.map((each) => each.columns))} from (${cells}) g ${sql.join(
        named.map((each) => each.join),
        sql` `,
      )}`,
    )
  }

  /** The ids of the rows that are meant, in their order. */
  async ids(parameters: Readonly<Record<string, string>>, most: number): Promise<Statement> {
    const { sort } = this.question.content
    const where = await this.#where(parameters)
    const order = sort ? await this.#order(this.question.columns[sort.by]!, sort.down) : sql``
    const usual = nameRef(
      `t.${this.model.sorts.get(this.question.entity.sort.replace(/^-/, ''))}${this.question.entity.sort.startsWith('-') ? ' desc' : ''}`,
    )
    return this.#compiled(
      sql`select t.id from ${this.#from} where ${where} order by ${order} ${usual}, t.id limit ${sql.lit(most)}`,
    )
  }

  async #order(field: ReportField, down: boolean): Promise<Part> {
    const { column } = await this.#column(field)
    const { kind, to } = field.field
    const value =
      kind === 'reference' && to
        ? nameOf(modelAt(to), column)
        : kind === 'text'
          ? sql`${column} collate "zh-x-icu"`
          : column
    return sql`${value} ${nameRef(down ? 'desc' : 'asc')} nulls last,`
  }

  /** How many rows are meant. */
  async count(parameters: Readonly<Record<string, string>>): Promise<Statement> {
    const where = await this.#where(parameters)
    return this.#compiled(sql`select count(*)::int as n from ${tableRef(this.model)} where ${where}`)
  }

  /** The columns `v0`… of the rows of a table of a data source, in their order, at most so many. */
  async list(parameters: Readonly<Record<string, string>>, most: number): Promise<Statement> {
    const { columns, content } = this.question
    const where = await this.#where(parameters)
    const cells: Part[] = []
    for (const [at, field] of columns.entries())
      cells.push(sql`${(await this.#column(field)).column} as ${nameRef(`v${at}`)}`)
    const order = content.sort ? await this.#order(columns[content.sort.by]!, content.sort.down) : sql``
    return this.#compiled(
      sql`select ${sql.join(cells)} from ${this.#from} where ${where} order by ${order} t.id limit ${sql.lit(most)}`,
    )
  }

  /**
   * The columns of rows by id: `v0`…, what references are called as `n0`…, and of each entity that is looked at the row’s id,
   * under its alias. `looked` says of which entities more is shown than their lists do.
   */
  async rows(ids: readonly string[]): Promise<{ statement: Statement; looked: Joined[]; at: Joined[] }> {
    const columns: Part[] = []
    const places: Joined[] = []
    const looked = new Map<string, Joined>()
    for (const [index, field] of this.question.columns.entries()) {
      const { at, column } = await this.#column(field)
      places.push(at)
      const { kind, to } = field.field
      columns.push(sql`${column} as ${nameRef(`v${index}`)}`)
      if (kind === 'reference' && to) columns.push(sql`${nameOf(modelAt(to), column)} as ${nameRef(`n${index}`)}`)
      if (kind === 'region') columns.push(sql`${regionName(column)} as ${nameRef(`n${index}`)}`)
      const { list, title } = at.model.entity
      const name = field.path.split('.').at(-1)!
      if (at.model.byName.has(name) && !list.includes(name) && name !== title) looked.set(at.alias, at)
    }
    const aliases = new Map([...this.#joins.values()].map((join) => [join.alias, join]))
    const shown = [['t', { model: this.model }] as const, ...aliases].flatMap(([alias, { model }]) => {
      const subject = subjectColumn(model.entity)
      const id = sql`${columnRef('id', alias)} as ${nameRef(`"${alias}"`)}`
      return subject ? [id, sql`${columnRef(subject, alias)} as ${nameRef(`"${alias}_child"`)}`] : [id]
    })
    const reach = await this.#reachOf(this.model, [codeOf(this.question.entity, this.#verb)])
    this.#values.ids = ids
    const statement = await this.#compiled(
      sql`select ${sql.join([...shown, ...columns])} from ${this.#from} join unnest(${slotValue('ids')}::bigint[]) with ordinality o(id, ord) on o.id = t.id
        where ${ownedBy(this.model)} and t.id = any(${slotValue('ids')}::bigint[]) ${reach ? sql`and ${reach.sql}` : sql``} order by o.ord`,
    )
    return { statement, looked: [...looked.values()], at: places }
  }
}

const modelAt = (name: string): Model => modelOf(entityOf(name))

/** What a row that an expression names is called. */
const nameOf = (model: Model, id: Part): Part =>
  sql`(select ${titleRef(model, 'x')} from ${tableRef(model, 'x')} where ${ownedBy(model, 'x')} and x.id = ${id})`

const regionName = (code: Part): Part =>
  sql`(select string_agg(a.name, '/' order by a.level) from region r join region a on a.code = any(string_to_array(r.ancestors || ',' || r.code, ',')) where r.code = ${code} and a.level > 0)`

/** The names of a key of the groups and its place among them. */
function namedBy({ field }: ReportField, at: number): { columns: Part; join: Part } {
  const key = columnRef(`k${at}`, 'g')
  const place = (order: Part): Part => sql`dense_rank() over (order by ${order})::int as ${nameRef(`o${at}`)}`
  if (field.kind === 'region')
    return { columns: sql`${regionName(key)} as ${nameRef(`n${at}`)}, ${place(sql`${key} nulls last`)}`, join: sql`` }
  if (field.kind !== 'reference' || !field.to) {
    const order =
      field.kind === 'text'
        ? sql`${key} collate "zh-x-icu" nulls last`
        : field.kind === 'integer'
          ? sql`${key}::bigint nulls last`
          : sql`length(${key}) nulls last, ${key}`
    return { columns: place(order), join: sql`` }
  }
  const model = modelAt(field.to)
  const alias = `x${at}`
  const usual = `${alias}.${model.sorts.get(model.entity.sort.replace(/^-/, ''))}${model.entity.sort.startsWith('-') ? ' desc' : ''}`
  return {
    columns: sql`${titleRef(model, alias)} as ${nameRef(`n${at}`)}, ${besideRef(model, alias)} as ${nameRef(`b${at}`)}, ${place(sql`${key} is null, ${nameRef(choiceOrderOf(model, usual, alias))}, ${key}`)}`,
    join: sql`left join ${tableRef(model, alias)} on ${ownedBy(model, alias)} and ${columnRef('id', alias)} = ${key}::bigint`,
  }
}
