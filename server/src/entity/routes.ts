import { codeOf, type Entity, hasPersonal, personalCode } from '@data-brain/contract'
import { Problem } from '../kernel/problem.ts'
import { type Call, code, type Route, route } from '../kernel/route.ts'
import { refuseBrokenTexts } from '../kernel/serve.ts'
import { historyOf } from './history.ts'
import { pointersAt } from './model.ts'
import { type Context, Repository } from './repository.ts'
import { draftSchema, listParameters, pageSchema, rowSchema } from './schema.ts'

/** The repository's context of a call. */
export const contextOf = (call: Pick<Call, 'tx' | 'actor' | 'circumstance' | 'services'>): Context => ({
  tx: call.tx,
  actor: call.actor,
  circumstance: call.circumstance,
  cipher: call.services.cipher,
})

/** The rows of an entity for one call. */
export const rowsOf = (entity: Entity, call: Pick<Call, 'tx' | 'actor' | 'circumstance' | 'services'>): Repository =>
  new Repository(entity, contextOf(call))

type GenericCall = 'list' | 'detail' | 'submit' | 'remove' | 'select' | 'history' | 'personal'

/**
 * The generic calls of an entity: list, detail, submit, remove, select, history and, where it has personal fields,
 * their full values. `without` leaves out those that a module serves itself.
 */
export function entityRoutes(entity: Entity, without: readonly GenericCall[] = []): Route[] {
  const { path, label } = entity
  const view = code(codeOf(entity, 'view'))
  const tag = entity.name
  const all: Record<GenericCall, Route | undefined> = {
    list: route({
      method: 'GET',
      path: `/${path}/list`,
      summary: { zh: `${label.zh}:列表`, en: `${label.en}: list` },
      access: view,
      stampOf: entity.name,
      parameters: listParameters(entity),
      dataSchema: pageSchema(entity),
      tag,
      handler: (call) => rowsOf(entity, call).page(call.query, call.stamp),
    }),
    detail: route({
      method: 'GET',
      path: `/${path}/detail`,
      summary: { zh: `${label.zh}:详情`, en: `${label.en}: detail` },
      access: view,
      parameters: { id: { kind: 'id', required: true } },
      dataSchema: rowSchema(entity),
      tag,
      handler: (call) => rowsOf(entity, call).detail(call.parameters.id),
    }),
    submit: route({
      method: 'POST',
      path: `/${path}/submit`,
      summary: { zh: `${label.zh}:新增或修改`, en: `${label.en}: add or change` },
      access: code(codeOf(entity, 'add'), codeOf(entity, 'edit')),
      bodySchema: draftSchema(entity),
      dataSchema: rowSchema(entity),
      tag,
      handler: (call) => submit(entity, call),
    }),
    remove: route({
      method: 'POST',
      path: `/${path}/remove`,
      summary: { zh: `${label.zh}:删除`, en: `${label.en}: remove` },
      access: code(codeOf(entity, 'delete')),
      parameters: { ids: { kind: 'ids', required: true } },
      tag,
      handler: (call) => rowsOf(entity, call).remove(call.parameters.ids),
    }),
    select: route({
      method: 'GET',
      path: `/${path}/select`,
      summary: { zh: `${label.zh}:选项`, en: `${label.en}: choices` },
      // Names of rooms and classes are known to whoever works here; names of people are for those who work with them.
      access: hasPersonal(entity) ? code(...choosers(entity)) : 'session',
      parameters: {
        keyword: { kind: 'text', max: 64 },
        ids: { kind: 'ids' },
        size: { kind: 'integer', min: 1, max: 50 },
      },
      tag,
      handler: (call) => rowsOf(entity, call).select(call.query),
    }),
    history: route({
      method: 'GET',
      path: `/${path}/history`,
      summary: { zh: `${label.zh}:变更记录`, en: `${label.en}: history` },
      access: view,
      parameters: { id: { kind: 'id', required: true } },
      tag,
      handler: (call) => historyOf(rowsOf(entity, call), call.parameters.id),
    }),
    personal: hasPersonal(entity)
      ? route({
          method: 'GET',
          path: `/${path}/personal`,
          summary: { zh: `${label.zh}:敏感信息全文`, en: `${label.en}: personal values in full` },
          access: code(personalCode(entity)),
          parameters: { id: { kind: 'id', required: true } },
          tag,
          handler: (call) => rowsOf(entity, call).personal(call.parameters.id),
        })
      : undefined,
  }
  return Object.entries(all).flatMap(([name, declared]) =>
    declared && !without.includes(name as GenericCall) ? [declared] : [],
  )
}

/** Who may choose a row of an entity: its viewers, and those who fill in a form that points at it. */
function choosers(entity: Entity): string[] {
  const pointing = pointersAt(entity.name).flatMap(({ model }) => [
    codeOf(model.entity, 'view'),
    codeOf(model.entity, 'add'),
    codeOf(model.entity, 'edit'),
  ])
  return [...new Set([codeOf(entity, 'view'), ...pointing])]
}

/** Saves a draft; who may only add cannot change, and the other way round. */
export async function submit(entity: Entity, call: Call): Promise<unknown> {
  refuseBrokenTexts(call.body)
  const id = (call.body as { id?: unknown } | null | undefined)?.id
  const verb = id === undefined || id === null || id === '' ? 'add' : 'edit'
  const needed = codeOf(entity, verb)
  if (call.actor.kind === 'user' && !call.actor.codes.has(needed)) throw new Problem('forbidden', { code: needed })
  return rowsOf(entity, call).save(call.body)
}
