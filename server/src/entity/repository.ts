import { isDeepStrictEqual } from 'node:util'
import {
  codeOf,
  type Draft,
  type Entity,
  type FieldName,
  type ListedRow,
  type Page,
  type PickedRow,
  personalCode,
  type Row,
  type Verb,
} from '@data-brain/contract'
import { isId, newId } from '../database/id.ts'
import { compileOnce, slotValue, sql, statementByShape } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { type Actor, type Circumstance, holdsCode } from '../kernel/actor.ts'
import { namesRow, objectOf } from '../kernel/body.ts'
import type { Cipher } from '../kernel/cipher.ts'
import { labelOf, plainText } from '../kernel/parameter.ts'
import { fieldProblem, Problem } from '../kernel/problem.ts'
import { markShown } from '../kernel/shown-rows.ts'
import { refuseBlocked } from './blockers.ts'
import { checkDraft, type Values } from './check.ts'
import { type Choice, choicesOf } from './choices.ts'
import { keptCount, knownCount } from './counts.ts'
import { gatherCustom, judgeCustom, spreadCustom } from './custom.ts'
import { conditionsOf, customSlot, orderOf } from './filter.ts'
import { foundBy, searchTermsOf, soughtValues } from './find.ts'
import { judgeLinks, namesGuarded, withReached } from './link-scope.ts'
import { customColumn, type Model, modelFor } from './model.ts'
import { pageSizeMax, wholeNumber } from './paging.ts'
import { maskPersonal, openPersonal } from './personal.ts'
import { shownOf, subjectColumn } from './read-log.ts'
import { belongingsOf, type RelatedConditions } from './related-rows.ts'
import { removeWithRules, type Saving, type StoredRow, saveWithRules } from './rules.ts'
import { type Reach, reachOf } from './scope.ts'
import {
  askedColumns,
  columnRef,
  columnsKey,
  listColumns,
  nameRef,
  ownedBy,
  tableRef,
  theseColumns,
  titleRef,
  wholeColumns,
} from './select.ts'
import { takeOn } from './shared.ts'
import { decidingFields, judgeNamed, mentionsRows, withNames } from './values.ts'
import { type Action, type CreationFacts, checkChoices, removeRow, writeNew, writeOver } from './write.ts'

/** Everything a repository works with. There is none without an actor. */
export interface Context {
  readonly tx: Tx
  readonly actor: Actor
  readonly circumstance: Pick<Circumstance, 'requestId' | 'language' | 'reason'>
  readonly cipher: Cipher
  /** Set while a batch is imported or undone: recorded with every change. */
  readonly batchId?: string
  /** Set where the right to the rows comes from elsewhere than a code: one's own row, a part of a row at hand. */
  readonly unscoped?: boolean
  /** Recorded with every change instead of what it was. */
  readonly action?: Action
  /** Set while two rows become one: what refers to one of them follows, also where nobody may change it otherwise. */
  readonly merging?: true
}

/** What a removed row had beside what a draft can say; it comes back with it. */
export interface RestoredParts {
  readonly computed: Values
  readonly born: CreationFacts
}

/** A row of any entity, as the engine reads and completes it. */
export type WireRow = Record<string, unknown> & { id: string; version: number }

/** What was read by the columns of a definition is what that says of its rows. */
const typed = <R>(row: WireRow): R => row as R

/** The rows of an entity, as one actor may see and change them, inside one transaction. */
export class Repository<E extends Entity = Entity> {
  readonly model: Model
  readonly context: Context

  constructor(entity: E, context: Context) {
    this.model = modelFor(entity, context.actor)
    this.context = context
  }

  get #tenantId(): string {
    return this.context.actor.tenantId
  }

  readonly #reaches = new Map<string, Promise<Reach | undefined>>()

  /** The rows that the actor works with by any of these codes, as its roles' data scopes say; undefined for all. */
  reach(codes: readonly string[]): Promise<Reach | undefined> {
    if (this.context.unscoped) return Promise.resolve(undefined)
    const key = codes.join(' ')
    const known = this.#reaches.get(key) ?? reachOf(this.context, this.model, codes)
    this.#reaches.set(key, known)
    return known
  }

  #code(verb: Verb): string[] {
    return [codeOf(this.model.entity, verb)]
  }

  /**
   * A page of the list. `total` is exact: counted, or kept since the last write to the entity (`stamp`). With `ends`
   * nothing else is asked in the transaction, so that it may end with the rows.
   */
  async page(
    query: Readonly<Record<string, string>>,
    stamp?: string,
    codes: readonly string[] = this.#code('view'),
    { ends = false }: { ends?: boolean } = {},
  ): Promise<Page<ListedRow<E>>> {
    const { model } = this
    const reach = await this.reach(codes)
    const current = wholeNumber(query.current, 1, 1, 1_000_000)
    const size = wholeNumber(query.size, 10, 1, pageSizeMax)
    const belongings = await belongingsOf(model, query, this.context)
    const asked = await this.#asked(query, reach, belongings)
    if (!asked) return { total: 0, size, current, pages: 0, records: [] }
    const { order, shape, where } = asked
    const values = { ...asked.values, size, offset: (current - 1) * size }
    const columns = askedColumns(model, query.columns)
    const statement = () =>
      sql`select ${listColumns(model, columns)} from (
              select ${nameRef(model.platform ? 't.id' : 't.tenant_id, t.id')} from ${tableRef(model)} where ${where()} order by ${nameRef(order.sql)} limit ${slotValue('size')} offset ${slotValue('offset')}
            ) p join ${tableRef(model)} on ${nameRef(model.platform ? 't.id = p.id' : 't.tenant_id = p.tenant_id and t.id = p.id')} order by ${nameRef(order.sql)}`
    const list = this.#orderedBy(order, `list|${shape}|${order.key}|${columnsKey(model, columns)}`, values, statement)
    // What a scope, or a filter, looks up elsewhere changes without a stamp of this entity.
    const elsewhere = (reach && !reach.own) || belongings.conditions.length > 0
    const held = stamp === undefined || elsewhere ? undefined : `${this.#tenantId}|${shape}|${asked.held}`
    const known = held === undefined ? undefined : knownCount(held, stamp!)
    const { tx } = this.context
    // More than the usual columns of a list is a look at each child's record, and is recorded.
    const looks = subjectColumn(model.entity) !== undefined && columns.some((name) => model.byName.has(name))
    const last =
      ends && known !== undefined && !looks && !namesGuarded(model, this.context) && !mentionsRows(model, columns)
    const asksFor = new Set(columns)
    const found = spreadCustom(model, await tx.run<WireRow>(list, last), (name) => asksFor.has(name))
    const shown = await this.#shown(found)
    if (looks) for (const row of shown) markShown(tx, row, ...shownOf(model.entity, row, 'list'))
    const counted = async (): Promise<number> => {
      const count = statementByShape(
        `count|${shape}`,
        values,
        () => sql`select count(*)::int as total from ${tableRef(model)} where ${where()}`,
      )
      return (await this.context.tx.one<{ total: number }>(count))?.total ?? 0
    }
    const records = shown.map(typed<ListedRow<E>>)
    const total = known ?? (held === undefined ? await counted() : await keptCount(held, stamp!, counted))
    return { total, size, current, pages: Math.ceil(total / size), records }
  }

  /** A statement in this order. Of an order by a field of a tenant's own, no other tenant has the like: it is not kept. */
  #orderedBy(
    { own }: { readonly own?: boolean },
    key: string,
    values: Record<string, unknown>,
    make: () => ReturnType<typeof sql>,
  ) {
    return own ? compileOnce(make(), values) : statementByShape(key, values, make)
  }

  /** What a query asks for: filters, keyword and order; undefined where its keyword can find nobody. */
  async #asked(query: Readonly<Record<string, string>>, reach: Reach | undefined, belongings: RelatedConditions) {
    const { model } = this
    const own = conditionsOf(model, query, this.context.cipher, this.#tenantId)
    if (own.some((condition) => condition.confirms)) await this.#mustSeeNumbers(reach)
    const conditions = [...own, ...belongings.conditions]
    const words = query.keyword ? searchTermsOf(query.keyword, this.context.cipher, this.#tenantId) : []
    // Signs that no name is made of find nobody.
    if (query.keyword?.trim() && words.length === 0) return undefined
    const order = orderOf(model, query)
    const shape = `${model.entity.name}|${conditions.map((condition) => condition.key).join('&')}|${words.map((word) => word.whole.length).join(',')}${reach ? `|${reach.key}` : ''}`
    const where = () =>
      sql.join(
        [
          ownedBy(model),
          ...(reach ? [reach.sql] : []),
          ...conditions.map((condition, index) => condition.sql(`f${index}`)),
          ...(words.length > 0 ? [this.#keyword(words)] : []),
        ],
        sql` and `,
      )
    const values: Record<string, unknown> = {
      tenant: this.#tenantId,
      ...reach?.values,
      ...belongings.values,
      ...Object.fromEntries(conditions.map((condition, index) => [`f${index}`, condition.value])),
      ...Object.fromEntries(
        conditions.flatMap(({ custom }, index) => (custom === undefined ? [] : [[customSlot(`f${index}`), custom]])),
      ),
      ...soughtValues(words),
      ...(words.length > 0 && model.find.length === 0 ? { part: `%${words.map((word) => word.from).join('%')}%` } : {}),
    }
    const held = JSON.stringify([conditions.map(({ value, custom }) => [value, custom]), words, reach?.values])
    return { order, shape, where, values, held }
  }

  /** Refuses whoever may not see the numbers of all rows within a reach. */
  async #mustSeeNumbers(reach: Reach | undefined): Promise<void> {
    const code = personalCode(this.model.entity)
    const seen = await this.reach([code])
    const all = seen === undefined || (seen.key === reach?.key && isDeepStrictEqual(seen.values, reach.values))
    if (!this.maySeePersonal() || !all) throw new Problem('forbidden', { code })
  }

  /** The ids of all rows that a list would show, in its order; at most `most` of them. */
  async ids(query: Readonly<Record<string, string>>, most: number, codes: readonly string[]): Promise<string[]> {
    const { model } = this
    const asked = await this.#asked(query, await this.reach(codes), await belongingsOf(model, query, this.context))
    if (!asked) return []
    const { order, shape, where, values } = asked
    const statement = this.#orderedBy(
      order,
      `ids|${shape}|${order.key}`,
      { ...values, most },
      () =>
        sql`select t.id from ${tableRef(model)} where ${where()} order by ${nameRef(order.sql)} limit ${slotValue('most')}`,
    )
    return (await this.context.tx.run<{ id: string }>(statement)).map((row) => row.id)
  }

  /** Rows by id, with these fields alone, in the order of the ids; those that are gone meanwhile are left out. */
  async rows<const N extends FieldName<E>>(
    ids: readonly string[],
    fields: readonly N[],
    { full = false, codes }: { full?: boolean; codes: readonly string[] },
  ): Promise<PickedRow<E, N>[]> {
    const { model } = this
    const reach = await this.reach(codes)
    const statement = statementByShape(
      `rows|${model.entity.name}|${columnsKey(model, fields)}|${reach?.key ?? ''}`,
      { tenant: this.#tenantId, ids, ...reach?.values },
      () => sql`select ${theseColumns(model, [...fields, ...decidingFields(model, fields)])} from ${tableRef(model)}
        join unnest(${slotValue('ids')}::bigint[]) with ordinality o(id, ord) on o.id = t.id
        where ${ownedBy(model)} ${reach ? sql`and ${reach.sql}` : sql``} order by o.ord`,
    )
    const asksFor: ReadonlySet<string> = new Set(fields)
    const found = spreadCustom(model, await this.context.tx.run<WireRow>(statement), (name) => asksFor.has(name))
    const shown = full
      ? (await withNames(model, this.context, await withReached(model, this.context, found))).map((row) =>
          openPersonal(model, this.context, row),
        )
      : await this.#shown(found)
    return shown.map(typed<PickedRow<E, N>>)
  }

  /** Rows as they leave the server: without personal values, and without pupils whom the actor does not reach. */
  async #shown(rows: readonly WireRow[]): Promise<WireRow[]> {
    const { model, context } = this
    const named = await withNames(model, context, await withReached(model, context, rows))
    return named.map((row) => maskPersonal(model, context, row))
  }

  #keyword(words: ReturnType<typeof searchTermsOf>) {
    const lead = this.model.entity.finds ? this.model.byName.get(this.model.entity.finds)!.column : 'id'
    return this.model.find.length > 0
      ? foundBy(this.model.findsEntity, words, columnRef(lead))
      : sql`${titleRef(this.model)} ilike ${slotValue('part')}`
  }

  /** How many rows match, without their contents. */
  async count(query: Readonly<Record<string, string>>): Promise<number> {
    return (await this.page({ ...query, current: '1', size: '1' })).total
  }

  /** The whole row; a row of another tenant is not found, in the same words as one that never was. */
  async detail(id: string): Promise<Row<E>> {
    const row = await this.#whole(id, await this.reach(this.#code('view')))
    if (!row) throw new Problem('not_found')
    return this.#record(row)
  }

  /** A row as it leaves the server, whole: where it is a child's, whoever is answered with it is recorded. */
  async #record(row: WireRow): Promise<Row<E>> {
    delete row[customColumn]
    const shown = (await this.#shown([row]))[0]!
    return typed<Row<E>>(markShown(this.context.tx, shown, ...shownOf(this.model.entity, shown, 'detail')))
  }

  /** A row that was just written: as it was stored, whoever may see it. */
  async stored(id: string): Promise<Row<E>> {
    return this.#record((await this.#whole(id, undefined))!)
  }

  async #whole(id: string, reach: Reach | undefined, lock = false): Promise<WireRow | undefined> {
    const { model } = this
    const statement = statementByShape(
      `whole|${model.entity.name}|${lock}|${reach?.key ?? ''}`,
      { tenant: this.#tenantId, id, ...reach?.values },
      () =>
        sql`select ${wholeColumns(model)} from ${lock ? nameRef(`${model.table} t`) : tableRef(model)} where ${ownedBy(model)} and t.id = ${slotValue('id')}
            ${reach ? sql`and ${reach.sql}` : sql``} ${nameRef(lock ? 'for update of t' : '')}`,
    )
    const row = await this.context.tx.one<WireRow>(statement)
    return row && spreadCustom(model, [row], () => true, true)[0]
  }

  /** Whether a row of the tenant lies within a reach. */
  async lies(id: string, reach: Reach): Promise<boolean> {
    return (await this.#whole(id, reach)) !== undefined
  }

  /** Refuses a row that lies, as it now stands, outside what the actor may work with. */
  async #mustReach(id: string, verb: Verb): Promise<void> {
    const reach = await this.reach(this.#code(verb))
    if (reach && !(await this.lies(id, reach))) throw new Problem('out_of_scope')
  }

  /** Refuses, as one that is not there, a row that the actor may not view. */
  async mustSee(id: string): Promise<void> {
    const reach = await this.reach(this.#code('view'))
    if (reach && !(await this.lies(id, reach))) throw new Problem('not_found')
  }

  /** The full values of the personal fields of a row, for whoever may see them. */
  async personal(id: string): Promise<Record<string, string | null>> {
    const row = await this.before(id, { codes: [personalCode(this.model.entity)] })
    const values = Object.fromEntries(
      this.model.personal.map((field) => [field.name, (row[field.name] as string | null) ?? null]),
    )
    return markShown(this.context.tx, values, ...shownOf(this.model.entity, row, 'personal', id))
  }

  /**
   * Ids with the names that people know them by, and with what tells apart rows of one name: at most 50, or those asked
   * for by id.
   */
  async select(query: Readonly<Record<string, string>>, codes?: readonly string[]): Promise<Choice[]> {
    return choicesOf(this.model, this.context, query, codes && (await this.reach(codes)))
  }

  /** Adds (no id) or changes (an id) a row as somebody sent it, and answers it as it was stored. */
  async save(sent: unknown): Promise<Row<E>> {
    // What a draft holds is judged as it is saved.
    const draft = sent as Draft<E>
    const given = objectOf(sent)
    return namesRow(given) ? this.edit(plainText(given.id), draft) : this.add(draft)
  }

  /** Adds a row; one that was removed comes back under its own id with what was `kept` of it. */
  async add(draft: Draft<E>, id = newId(), kept?: RestoredParts): Promise<Row<E>> {
    const { model, context } = this
    const { values, faults, status, extId } = checkDraft(model, draft, undefined, context.action === 'restore')
    if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
    await judgeLinks(model, context, values, undefined)
    await judgeNamed(model, context, values, undefined)
    await judgeCustom(model, context, values)
    gatherCustom(model, values, undefined)
    Object.assign(values, kept?.computed)
    const saving: Saving = { context, id, before: undefined, values, whole: values, status }
    await saveWithRules(model.entity, saving, async () => {
      await checkChoices(model, values, context, saving.status)
      await writeNew(model, context, id, values, { status: saving.status, extId }, undefined, kept?.born)
      return true
    })
    await this.#mustReach(id, 'add')
    return this.stored(id)
  }

  async edit(id: string, draft: Draft<E>): Promise<Row<E>> {
    const { model, context } = this
    const before = await this.before(id, { lock: true, codes: this.#code('edit') })
    const { version }: { version?: unknown } = draft
    if (version !== undefined && version !== null && Number(plainText(version)) !== before.version)
      throw new Problem('stale', {}, { yours: draft, theirs: await this.stored(id) })
    const { values, faults, status, extId } = checkDraft(model, draft, before, context.action === 'restore')
    for (const field of model.fields)
      if (field.fixed && field.name in values && values[field.name] !== before[field.name])
        faults.push({ field: field.name, label: field.label, reason: { zh: '不能修改', en: 'cannot be changed' } })
    if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
    await judgeLinks(model, context, values, before)
    await judgeNamed(model, context, values, before)
    const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => !same(value, before[name])))
    await judgeCustom(model, context, changed)
    gatherCustom(model, changed, before)
    const isNew = <T>(value: T, stands: unknown): T | undefined => (value !== stands ? value : undefined)
    const saving: Saving = {
      ...{ context, id, before, values: changed, whole: { ...before, ...changed } },
      status: isNew(status, before.status),
    }
    const written = await saveWithRules(model.entity, saving, async () => {
      const states = { status: isNew(saving.status, before.status), extId: isNew(extId, before.extId) }
      await checkChoices(model, changed, context, states.status)
      if (Object.keys(changed).length === 0 && states.status === undefined && states.extId === undefined) return false
      await writeOver(model, context, id, before, changed, states)
      return true
    })
    if (written) await this.#mustReach(id, 'edit')
    return this.stored(id)
  }

  /** Removes rows; all of them or, when one is missing or still pointed at, none: which are missing is told at once. */
  async remove(ids: readonly string[]): Promise<void> {
    const { model, context } = this
    for await (const { id, before } of this.eachToRemove(ids))
      await removeWithRules(model.entity, { context, id, before }, async () => {
        await refuseBlocked(model, context, id)
        await removeRow(model, context, id, before)
      })
  }

  /**
   * Rows to be removed, one after the other and locked. Where some are missing none follows the first of them, and when
   * all have been looked for the call is refused with the ids of those that are missing.
   */
  async *eachToRemove(ids: readonly string[]) {
    const gone: string[] = []
    for (const id of [...ids].sort()) {
      const before = await this.before(id, { lock: true, codes: this.#code('delete') }).catch((problem: unknown) => {
        if (!(problem instanceof Problem && problem.problem === 'not_found')) throw problem
        gone.push(id)
      })
      if (before && gone.length === 0) yield { id, before }
    }
    if (gone.length > 0) throw new Problem('not_found', {}, { gone })
  }

  /**
   * The row with its plain values by field name, as rules see it; `lock` keeps others from changing it meanwhile.
   * Where `codes` are given it must be one that the actor works with by them: what may be viewed but not this is
   * refused as such, what may not even be viewed is not found.
   */
  async before(
    id: string,
    { lock = false, codes }: { lock?: boolean; codes?: readonly string[] } = {},
  ): Promise<StoredRow<E>> {
    if (!isId(id))
      throw new Problem(
        'field_invalid',
        { label: labelOf('id'), reason: { zh: '不是有效的编号', en: 'is not an id' } },
        { field: 'id', fields: [] },
      )
    const { model } = this
    const reach = codes && (await this.reach(codes))
    if (lock) await takeOn(model, this.context, id)
    const row = await this.#whole(id, reach, lock)
    if (!row) {
      const seen = reach && (await this.#whole(id, await this.reach(this.#code('view'))))
      throw new Problem(seen ? 'out_of_scope' : 'not_found')
    }
    openPersonal(this.model, this.context, row)
    for (const field of model.fields) {
      if ((field.kind === 'references' || field.kind === 'choices') && typeof row[field.name] === 'string')
        row[field.name] = (row[field.name] as string).split(',').filter(Boolean)
    }
    return typed<StoredRow<E>>(row)
  }

  /** Whether the actor may see personal values in full, of some rows or of all. */
  maySeePersonal(): boolean {
    return holdsCode(this.context.actor, personalCode(this.model.entity))
  }

  /** Whether the actor may see the personal values of a row in full. */
  async opensPersonal(id: string): Promise<boolean> {
    if (!this.maySeePersonal()) return false
    const reach = await this.reach([personalCode(this.model.entity)])
    return reach === undefined || this.lies(id, reach)
  }
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return isDeepStrictEqual(a ?? [], b ?? [])
  return isDeepStrictEqual(a ?? null, b ?? null)
}
