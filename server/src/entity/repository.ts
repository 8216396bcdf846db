import { type Entity, maskOf, type Page, personalCode } from '@data-brain/contract'
import { isId, newId } from '../database/id.ts'
import { type Prepared, prepare, slot, sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { type Actor, type Circumstance, holds } from '../kernel/actor.ts'
import type { Cipher } from '../kernel/cipher.ts'
import { fieldProblem, Problem } from '../kernel/problem.ts'
import { blockersOf } from './blockers.ts'
import { checkDraft, type Values } from './check.ts'
import { keptCount } from './counts.ts'
import { conditionsOf, orderOf } from './filter.ts'
import { foundBy, seek, soughtValues } from './find.ts'
import { type Model, modelOf } from './model.ts'
import { rulesOf } from './rules.ts'
import { columnRef, listColumns, nameRef, tableRef, titleRef, wholeColumns } from './select.ts'
import { checkChoices, removeRow, writeNew, writeOver } from './write.ts'

/** Everything a repository works with. There is none without an actor. */
export interface Context {
  readonly tx: Tx
  readonly actor: Actor
  readonly circumstance: Pick<Circumstance, 'requestId' | 'language'>
  readonly cipher: Cipher
  /** Set while a batch is imported or undone: recorded with every change. */
  readonly batchId?: string
}

export type WireRow = Record<string, unknown> & { id: string; version: number }

const plans = new Map<string, Prepared>()
const plansKept = 2_000

/** Statements by their shape: compiled once, prepared under one name. */
function plan(key: string, make: () => Prepared): Prepared {
  const kept = plans.get(key)
  if (kept) return kept
  if (plans.size >= plansKept) plans.clear()
  const made = make()
  plans.set(key, made)
  return made
}

/** Masked personal values by their ciphertext, which is never the same twice: a list need not decrypt again. */
const masks = new Map<string, string>()
const masksKept = 50_000

const pageSizeMax = 200

/** The rows of an entity, as one actor may see and change them, inside one transaction. */
export class Repository {
  readonly model: Model
  readonly context: Context

  constructor(entity: Entity, context: Context) {
    this.model = modelOf(entity)
    this.context = context
  }

  get #tenantId(): string {
    return this.context.actor.tenantId
  }

  /** A page of the list. `total` is exact: counted, or kept since the last write to the entity (`stamp`). */
  async page(query: Readonly<Record<string, string>>, stamp?: string): Promise<Page<WireRow>> {
    const { model } = this
    const current = wholeNumber(query.current, 1, 1, 1_000_000)
    const size = wholeNumber(query.size, 10, 1, pageSizeMax)
    const conditions = conditionsOf(model, query, this.context.cipher, this.#tenantId)
    const words = query.keyword ? seek(query.keyword, this.context.cipher, this.#tenantId) : []
    // Signs that no name is made of find nobody.
    if (query.keyword?.trim() && words.length === 0) return { total: 0, size, current, pages: 0, records: [] }
    const order = orderOf(model, query)
    const shape = `${model.entity.name}|${conditions.map((condition) => condition.key).join('&')}|${words.map((word) => word.whole.length).join(',')}`
    const where = () =>
      sql.join(
        [
          sql`t.tenant_id = ${slot('tenant')}`,
          ...conditions.map((condition, index) => condition.sql(`f${index}`)),
          ...(words.length > 0 ? [this.#keyword(words)] : []),
        ],
        sql` and `,
      )
    const values: Record<string, unknown> = {
      tenant: this.#tenantId,
      size,
      offset: (current - 1) * size,
      ...Object.fromEntries(conditions.map((condition, index) => [`f${index}`, condition.value])),
      ...soughtValues(words),
      ...(words.length > 0 && model.find.length === 0 ? { part: `%${words.map((word) => word.from).join('%')}%` } : {}),
    }
    const list = plan(`list|${shape}|${order.key}`, () =>
      prepare(
        sql`select ${listColumns(model)} from (
              select t.tenant_id, t.id from ${tableRef(model)} where ${where()} order by ${nameRef(order.sql)} limit ${slot('size')} offset ${slot('offset')}
            ) p join ${tableRef(model)} on t.tenant_id = p.tenant_id and t.id = p.id order by ${nameRef(order.sql)}`,
      ),
    )
    const records = (await this.context.tx.run<WireRow>(list.with(values))).map((row) => this.#shown(row))
    const counted = async (): Promise<number> => {
      const count = plan(`count|${shape}`, () =>
        prepare(sql`select count(*)::int as total from ${tableRef(model)} where ${where()}`),
      )
      return (await this.context.tx.one<{ total: number }>(count.with(values)))?.total ?? 0
    }
    const filled = JSON.stringify([conditions.map((condition) => condition.value), words])
    const total =
      stamp === undefined ? await counted() : await keptCount(`${this.#tenantId}|${shape}|${filled}`, stamp, counted)
    return { total, size, current, pages: Math.ceil(total / size), records }
  }

  #keyword(words: ReturnType<typeof seek>) {
    const lead = this.model.entity.finds ? this.model.byName.get(this.model.entity.finds)!.column : 'id'
    return this.model.find.length > 0
      ? foundBy(this.model.findsEntity, words, columnRef(lead))
      : sql`${titleRef(this.model)} ilike ${slot('part')}`
  }

  /** How many rows match, without their contents. */
  async count(query: Readonly<Record<string, string>>): Promise<number> {
    return (await this.page({ ...query, current: '1', size: '1' })).total
  }

  /** The whole row; a row of another tenant is not found, in the same words as one that never was. */
  async detail(id: string): Promise<WireRow> {
    const { model } = this
    const statement = plan(`detail|${model.entity.name}`, () =>
      prepare(
        sql`select ${wholeColumns(model)} from ${tableRef(model)} where t.tenant_id = ${slot('tenant')} and t.id = ${slot('id')}`,
      ),
    )
    const row = await this.context.tx.one<WireRow>(statement.with({ tenant: this.#tenantId, id }))
    if (!row) throw new Problem('not_found')
    return this.#shown(row)
  }

  /** The full values of the personal fields of a row, for whoever may see them. */
  async personal(id: string): Promise<Record<string, string | null>> {
    const row = await this.before(id)
    return Object.fromEntries(
      this.model.personal.map((field) => [field.name, (row[field.name] as string | null) ?? null]),
    )
  }

  /** Ids with the names that people know them by: at most 50, or those asked for by id. */
  async select(query: Readonly<Record<string, string>>): Promise<{ id: string; name: string }[]> {
    const { model } = this
    const { ids = '', keyword = '', size = '', ...rest } = query
    const references = Object.fromEntries(
      Object.entries(rest).filter(([name]) => ['reference', 'references'].includes(model.byName.get(name)?.kind ?? '')),
    )
    const conditions = conditionsOf(model, ids ? { id: ids } : references, this.context.cipher, this.#tenantId)
    const words = keyword && !ids ? seek(keyword, this.context.cipher, this.#tenantId) : []
    const byKey = words.length > 0 && model.find.length > 0 && model.findsEntity === model.entity.name
    const shape = `select|${model.entity.name}|${conditions.map((condition) => condition.key).join('&')}|${byKey ? words.map((word) => word.whole.length).join(',') : words.length > 0 ? 'part' : ''}`
    const statement = plan(shape, () =>
      prepare(
        sql`select t.id, ${titleRef(model)} as name from ${tableRef(model)} where ${sql.join(
          [
            sql`t.tenant_id = ${slot('tenant')}`,
            ...conditions.map((condition, index) => condition.sql(`f${index}`)),
            ...(byKey
              ? [foundBy(model.entity.name, words, columnRef('id'))]
              : words.length > 0
                ? [sql`${titleRef(model)} ilike ${slot('part')}`]
                : []),
          ],
          sql` and `,
        )} order by ${nameRef(orderOf(model, {}).sql)} limit ${slot('size')}`,
      ),
    )
    return this.context.tx.run(
      statement.with({
        tenant: this.#tenantId,
        size: ids ? pageSizeMax : wholeNumber(size, 50, 1, 50),
        part: `%${words.map((word) => word.from).join('%')}%`,
        ...Object.fromEntries(conditions.map((condition, index) => [`f${index}`, condition.value])),
        ...soughtValues(words),
      }),
    )
  }

  /** Adds (no id) or changes (an id) a row, and answers it as it was stored. */
  async save(draft: unknown): Promise<WireRow> {
    const id = (draft as { id?: unknown } | null)?.id
    return id === undefined || id === null || id === '' ? this.add(draft) : this.edit(String(id), draft)
  }

  async add(draft: unknown, id = newId()): Promise<WireRow> {
    const { model, context } = this
    const { values, faults, status, extId } = checkDraft(model, draft)
    if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
    const saving = { context, id, before: undefined, values, whole: values }
    for (const rules of rulesOf(model.entity)) await rules.beforeSave?.(saving)
    await checkChoices(model, values, context)
    await writeNew(model, context, id, values, { status, extId })
    for (const rules of rulesOf(model.entity)) await rules.afterSave?.(saving)
    return this.detail(id)
  }

  async edit(id: string, draft: unknown): Promise<WireRow> {
    const { model, context } = this
    if (!isId(id))
      throw new Problem(
        'field_invalid',
        { label: 'id', reason: { zh: '不是有效的编号', en: 'is not an id' } },
        { field: 'id', fields: [] },
      )
    const before = await this.before(id, true)
    const version = (draft as { version?: unknown }).version
    if (version !== undefined && version !== null && Number(version) !== before.version)
      throw new Problem('stale', {}, { yours: draft, theirs: await this.detail(id) })
    const { values, faults, status, extId } = checkDraft(model, draft, before)
    for (const field of model.fields)
      if (field.fixed && field.name in values && values[field.name] !== before[field.name])
        faults.push({ field: field.name, label: field.label, reason: { zh: '不能修改', en: 'cannot be changed' } })
    if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
    const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => !same(value, before[name])))
    const saving = { context, id, before, values: changed, whole: { ...before, ...changed } }
    for (const rules of rulesOf(model.entity)) await rules.beforeSave?.(saving)
    await checkChoices(model, changed, context)
    const states = {
      status: status !== undefined && status !== before.status ? status : undefined,
      extId: extId !== undefined && extId !== before.extId ? extId : undefined,
    }
    if (Object.keys(changed).length > 0 || states.status !== undefined || states.extId !== undefined) {
      await writeOver(model, context, id, before, changed, states)
      for (const rules of rulesOf(model.entity)) await rules.afterSave?.(saving)
    }
    return this.detail(id)
  }

  /** Removes rows; all of them or, when one is missing or still pointed at, none. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of [...ids].sort()) {
      const before = await this.before(id, true)
      for (const rules of rulesOf(this.model.entity)) await rules.beforeRemove?.({ context: this.context, id, before })
      const blockers = await blockersOf(this.model, this.context, id)
      if (blockers.length > 0) {
        const { language } = this.context.circumstance
        const reason = (of: 'zh' | 'en'): string =>
          blockers
            .map((blocker) =>
              of === 'zh' ? `还有${blocker.count}条${blocker.label}` : `${blocker.count} × ${blocker.label}`,
            )
            .join(of === 'zh' ? '、' : ', ')
        throw new Problem('blocked', { reason: { zh: reason('zh'), en: reason('en') } }, { id, blockers, language })
      }
      await removeRow(this.model, this.context, id, before)
      for (const rules of rulesOf(this.model.entity)) await rules.afterRemove?.({ context: this.context, id, before })
    }
  }

  /** The row with its plain values by field name, as rules see it; `lock` keeps others from changing it meanwhile. */
  async before(id: string, lock = false): Promise<Values & { version: number; status: number }> {
    const { model } = this
    const statement = plan(`before|${model.entity.name}|${lock}`, () =>
      prepare(
        sql`select ${wholeColumns(model)} from ${tableRef(model)} where t.tenant_id = ${slot('tenant')} and t.id = ${slot('id')} ${nameRef(lock ? 'for update of t' : '')}`,
      ),
    )
    const row = await this.context.tx.one<Values & { version: number; status: number }>(
      statement.with({ tenant: this.#tenantId, id }),
    )
    if (!row) throw new Problem('not_found')
    for (const field of model.personal) {
      const sealed = row[field.name]
      if (Buffer.isBuffer(sealed))
        row[field.name] = this.context.cipher.open(sealed, {
          table: model.table,
          column: field.column,
          tenantId: this.#tenantId,
          id,
        })
    }
    for (const field of model.fields) {
      if (field.kind === 'references' && typeof row[field.name] === 'string')
        row[field.name] = (row[field.name] as string).split(',').filter(Boolean)
    }
    return row
  }

  /** A row as it leaves the server: personal values masked, and said so. */
  #shown(row: WireRow): WireRow {
    for (const field of this.model.personal) {
      const sealed = row[field.name]
      if (!Buffer.isBuffer(sealed)) continue
      const key = sealed.toString('base64')
      let mask = masks.get(key)
      if (mask === undefined) {
        const place = { table: this.model.table, column: field.column, tenantId: this.#tenantId, id: row.id }
        mask = maskOf(field.rule ?? 'personal', this.context.cipher.open(sealed, place))
        if (masks.size >= masksKept) masks.clear()
        masks.set(key, mask)
      }
      row[field.name] = mask
    }
    return row
  }

  /** Whether the actor may see personal values in full. */
  maySeePersonal(): boolean {
    return holds(this.context.actor, personalCode(this.model.entity))
  }
}

function wholeNumber(text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!/^-?[0-9]{1,9}$/.test(text) || value < min || value > max)
    throw new Problem(
      'field_invalid',
      {
        label: { zh: '分页参数', en: 'Paging' },
        reason: { zh: `须为${min}到${max}的整数`, en: `must be a whole number from ${min} to ${max}` },
      },
      { field: 'size', fields: [] },
    )
  return value
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b) || (typeof a === 'object' && a !== null))
    return JSON.stringify(a ?? []) === JSON.stringify(b ?? [])
  return (a ?? null) === (b ?? null)
}
