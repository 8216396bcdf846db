import { codeOf, type Entity, entities, nameOf, titledWith } from '@data-brain/contract'
import { type BulkAnswer, bulkAnswerShape } from '@data-brain/contract/generic'
import { isId } from '../database/id.ts'
import { sql } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { authorize } from '../kernel/authorize.ts'
import { objectOf } from '../kernel/body.ts'
import { refuseBrokenTexts } from '../kernel/broken-text.ts'
import { Problem } from '../kernel/problem.ts'
import { problemOf } from '../kernel/problem-of.ts'
import { type Call, code, type Route, route, type SessionRoute } from '../kernel/route.ts'
import type { Values } from './check.ts'
import { type Model, modelFor } from './model.ts'
import { rowsOf } from './routes.ts'
import { valuesSchema } from './schema.ts'
import { besideRef, nameRef, tableRef } from './select.ts'
import { shapeSchema } from './shape-schema.ts'

/*
 * The same new values for many rows. Each row is saved by the very call that saves one, so whatever an entity's rules,
 * its data scopes or its module ask of one row, they ask of each of these.
 */

type Outcome = BulkAnswer['rows'][number]

interface Asked {
  readonly values: Readonly<Record<string, unknown>>
  readonly versions: Readonly<Record<string, unknown>>
  /** Values of single rows, by id: numbers that cannot be the same for all. */
  readonly each: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The body of the call: at least one value, and none that is no field of the entity. */
function readBody(model: Model, body: unknown): Asked {
  refuseBrokenTexts(body)
  const given = objectOf(body)
  const values = objectOf(given.values)
  const names = Object.keys(values)
  if (names.length === 0) throw new Problem('parameter_missing', { field: 'values' }, { field: 'values', fields: [] })
  for (const name of names)
    if (name !== 'status' && !model.byName.has(name))
      throw new Problem('field_unknown', { field: name.slice(0, 64) }, { field: name.slice(0, 64), fields: [] })
  const each = Object.fromEntries(
    Object.entries(given.each === undefined ? {} : objectOf(given.each)).map(([id, own]) => [id, objectOf(own)]),
  )
  const allowed = numbersOf(model.entity, names)
  for (const name of Object.values(each).flatMap(Object.keys))
    if (!allowed.includes(name))
      throw new Problem('field_unknown', { field: name.slice(0, 64) }, { field: name.slice(0, 64), fields: [] })
  return { values, versions: given.versions === undefined ? {} : objectOf(given.versions), each }
}

/** The numbers that count within one of these fields. */
const numbersOf = (entity: Entity, names: readonly string[]): string[] =>
  (entity.numbers ?? []).filter(({ within }) => names.includes(within)).map(({ field }) => field)

const versionsOf = async (tx: Tx, model: Model, tenantId: string, ids: readonly string[]) =>
  new Map(
    (
      await tx.run<{ id: string; version: number }>(
        sql`select id, version from ${nameRef(model.seen)} where tenant_id = ${tenantId} and id = any(${[...ids]}::bigint[])`,
      )
    ).map((row) => [row.id, row.version]),
  )

/** Failures that are not a row's own: another row would fare no better, and the call as a whole fails. */
const isOfAll = (problem: Problem): boolean => problem.status >= 500

/** Saves each row under a savepoint of its own: one that is refused leaves nothing behind, and the others stay. */
async function saveEach(
  call: Call,
  ids: readonly string[],
  asked: Asked,
  submit: SessionRoute,
): Promise<Map<string, Problem>> {
  const { tx, circumstance } = call
  const refused = new Map<string, Problem>()
  for (const id of ids) {
    const version = asked.versions[id]
    await tx.run(sql`savepoint one_row`)
    try {
      const body = {
        ...asked.values,
        ...asked.each[id],
        id,
        ...(version === undefined || version === null ? {} : { version }),
      }
      await submit.handler({ ...call, parameters: {}, query: {}, body })
      await tx.run(sql`release savepoint one_row`)
    } catch (thrown) {
      const problem = problemOf(thrown, circumstance)
      if (isOfAll(problem)) throw thrown
      await tx.run(sql`rollback to savepoint one_row`)
      refused.set(id, problem)
    }
  }
  return refused
}

/** Changes rows, or with `preview` answers what that would come to and changes nothing. */
async function changeMany(
  entity: Entity,
  submit: SessionRoute,
  call: Call,
  ids: readonly string[],
  preview: boolean,
): Promise<BulkAnswer> {
  // Who may not save one row by an API scope cannot save many instead.
  authorize(submit, call.actor)
  const model = modelFor(entity, call.actor)
  const asked = readBody(model, call.body)
  const { tx, actor, circumstance } = call
  const names = Object.keys(asked.values)
  // In one order, so that two who change the same rows wait for each other and not in a circle.
  const wanted = ids.filter(isId).toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  const stood = await rowsOf(entity, call).rows(wanted, [...names, entity.title], { codes: [codeOf(entity, 'edit')] })
  const before = new Map(stood.map((row) => [row.id, row]))
  const beside = new Map(
    (
      await tx.run<{ id: string; beside: string[] }>(
        sql`select t.id, ${besideRef(model)} as beside from ${tableRef(model)}
            where t.tenant_id = ${actor.tenantId} and t.id = any(${[...before.keys()]}::bigint[])`,
      )
    ).map((row) => [row.id, row.beside]),
  )
  const had = await versionsOf(tx, model, actor.tenantId, wanted)
  await tx.run(sql`savepoint all_rows`)
  const refused = await saveEach(call, wanted, asked, submit)
  const has = await versionsOf(tx, model, actor.tenantId, wanted)
  const numbers = numbersOf(entity, names)
  const numbered =
    numbers.length === 0 ? [] : await rowsOf(entity, call).rows(wanted, numbers, { codes: [codeOf(entity, 'edit')] })
  const after = new Map(numbered.map((row) => [row.id, valuesOf(row, numbers)]))
  await tx.run(nameRef(preview ? 'rollback to savepoint all_rows' : 'release savepoint all_rows'))
  const rows = wanted.map((id): Outcome => {
    const problem = refused.get(id)
    const row = before.get(id)
    return {
      id,
      // Two of one name are told apart.
      name: row ? titledWith(titleOf(entity, row) ?? id, beside.get(id) ?? [], circumstance.language) : null,
      result: problem ? 'failed' : has.get(id) === had.get(id) ? 'same' : 'changed',
      // Of a row that the caller does not see nothing is told.
      version: row ? ((preview ? had : has).get(id) ?? null) : null,
      before: row ? valuesOf(row, names) : {},
      ...(row && !problem && after.has(id) ? { after: after.get(id)! } : {}),
      ...(problem ? { msg: problem.words(circumstance.language), problem: problem.problem } : {}),
    }
  })
  const count = (result: Outcome['result']): number => rows.filter((row) => row.result === result).length
  const changed = count('changed')
  return {
    total: rows.length,
    changed,
    same: count('same'),
    failed: count('failed'),
    rows,
    requestId: preview || changed === 0 ? null : circumstance.requestId,
  }
}

function titleOf(entity: Entity, row: Values): string | null {
  const shown = row[nameOf(entity.title)] ?? row[entity.title]
  return typeof shown === 'string' ? shown : null
}

/** The values of these fields, with the shown names that travel beside them. */
const valuesOf = (row: Values, names: readonly string[]): Values => {
  const told = new Set(names.flatMap((name) => [name, nameOf(name)]))
  return Object.fromEntries(Object.entries(row).filter(([name]) => told.has(name)))
}

function bulkRoute(entity: Entity, submit: SessionRoute): Route {
  return route({
    method: 'POST',
    path: `/${entity.path}/bulk`,
    summary: {
      zh: `${entity.label.zh}：批量修改；preview=1 只告知结果，不作修改`,
      en: `${entity.label.en}: the same values for many rows; preview=1 only tells what would come of it`,
    },
    access: code(codeOf(entity, 'edit')),
    parameters: { ids: { kind: 'ids', required: true }, preview: { kind: 'integer', max: 1 } },
    bodySchema: {
      type: 'object',
      required: ['values'],
      properties: {
        values: valuesSchema(entity),
        versions: {
          type: 'object',
          additionalProperties: { type: 'integer' },
          description: 'the version that was read, by id; checked where given',
        },
        ...(entity.numbers
          ? {
              each: {
                type: 'object',
                additionalProperties: { type: 'object', additionalProperties: true },
                description: 'numbers of single rows, by id, that follow from the change',
              },
            }
          : {}),
      },
    },
    dataSchema: shapeSchema(bulkAnswerShape),
    tag: entity.name,
    handler: ({ parameters, ...call }) =>
      changeMany(entity, submit, { ...call, parameters: {} }, parameters.ids, parameters.preview === 1),
  })
}

/**
 * A bulk call for every entity of tenants whose rows one call saves, its own or a module's. What all tenants share is
 * changed row by row: it could not be taken back.
 */
export function bulkRoutes(routes: readonly Route[]): Route[] {
  return entities.flatMap((entity) => {
    const submit = routes.find((each) => each.method === 'POST' && each.path === `/${entity.path}/submit`)
    const ordinary = submit && submit.access !== 'public' && !('detached' in submit) && !submit.platform
    return ordinary && !entity.readOnly && entity.ownership !== 'platform' ? [bulkRoute(entity, submit)] : []
  })
}
