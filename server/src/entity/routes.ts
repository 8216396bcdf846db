import { codeOf, type Entity, hasPersonal, personalCode, type Row } from '@data-brain/contract'
import { choiceShape, historyEntryShape, personalShape, removedShape } from '@data-brain/contract/generic'
import { emptyAnswer, listOf } from '@data-brain/contract/shape'
import { holdsCode } from '../kernel/actor.ts'
import { refuseBrokenTexts } from '../kernel/broken-text.ts'
import { Problem } from '../kernel/problem.ts'
import { type Call, code, type Route, route } from '../kernel/route.ts'
import { bindingCodes, codesThatChoose } from './choice-access.ts'
import { withAsked } from './custom.ts'
import { historyOf } from './history.ts'
import { pointersAt } from './model.ts'
import { addAlong, takeAlong } from './nested-rows.ts'
import { type Context, Repository } from './repository.ts'
import { restore } from './restore.ts'
import { draftSchema, listParameters, pageSchema, rowSchema } from './schema.ts'
import { shapeSchema } from './shape-schema.ts'

/** The repository's context of a call. */
export const contextOf = (call: Pick<Call, 'tx' | 'actor' | 'circumstance' | 'services'>): Context => ({
  tx: call.tx,
  actor: call.actor,
  circumstance: call.circumstance,
  cipher: call.services.cipher,
})

/** The rows of an entity for one call. */
export const rowsOf = <E extends Entity>(
  entity: E,
  call: Pick<Call, 'tx' | 'actor' | 'circumstance' | 'services'>,
): Repository<E> => new Repository(entity, contextOf(call))

/** What is left of an entity that the server alone writes. */
const reading: ReadonlySet<string> = new Set(['list', 'detail', 'personal'])

type GenericCall = 'list' | 'detail' | 'submit' | 'remove' | 'select' | 'history' | 'restore' | 'personal'

/**
 * The generic calls of an entity: list, detail, submit, remove, select, history, restore and, where it has personal
 * fields, their full values. `without` leaves out those that a module serves itself.
 */
export function entityRoutes(entity: Entity, without: readonly GenericCall[] = []): Route[] {
  const { path, label } = entity
  const view = code(codeOf(entity, 'view'))
  const tag = entity.name
  const platform = entity.ownership === 'platform'
  // What rows of tenants point at is chosen by their people, so it is read on their connection.
  const pointing = pointersAt(entity.name)
  const chosenByTenants = pointing.some(({ model }) => !model.platform)
  const chosenByPlatform = platform || (pointing.length > 0 && !chosenByTenants)
  const all: Record<GenericCall, Route | undefined> = {
    list: route({
      method: 'GET',
      platform,
      path: `/${path}/list`,
      summary: { zh: `${label.zh}：列表`, en: `${label.en}: list` },
      access: view,
      stampOf: entity.name,
      parameters: listParameters(entity),
      dataSchema: pageSchema(entity),
      tag,
      handler: (call) => rowsOf(entity, call).page(call.query, call.stamp, undefined, { ends: true }),
    }),
    detail: route({
      method: 'GET',
      platform,
      path: `/${path}/detail`,
      summary: { zh: `${label.zh}：详情`, en: `${label.en}: detail` },
      access: view,
      parameters: { id: { kind: 'id', required: true } },
      dataSchema: rowSchema(entity),
      tag,
      handler: (call) => rowsOf(entity, call).detail(call.parameters.id),
    }),
    submit: route({
      method: 'POST',
      platform,
      path: `/${path}/submit`,
      summary: { zh: `${label.zh}：新增或修改`, en: `${label.en}: add or change` },
      access: code(codeOf(entity, 'add'), codeOf(entity, 'edit')),
      bodySchema: draftSchema(entity),
      dataSchema: rowSchema(entity),
      tag,
      handler: (call) => submit(entity, call),
    }),
    remove: route({
      method: 'POST',
      platform,
      path: `/${path}/remove`,
      summary: { zh: `${label.zh}：删除`, en: `${label.en}: remove` },
      access: code(codeOf(entity, 'delete')),
      parameters: { ids: { kind: 'ids', required: true } },
      dataSchema: shapeSchema(platform ? emptyAnswer : removedShape),
      tag,
      handler: async (call) => {
        await rowsOf(entity, call).remove(call.parameters.ids)
        // What all tenants share is not taken back by one request.
        return platform ? null : { requestId: call.circumstance.requestId }
      },
    }),
    select: route({
      method: 'GET',
      platform: platform && !chosenByTenants,
      path: `/${path}/select`,
      summary: { zh: `${label.zh}：选项`, en: `${label.en}: choices` },
      // Names of rooms and classes are known to whoever works here; names of people, of what has a secret, or of what nobody
      // chooses in a form, are for those who work with them.
      access:
        hasPersonal(entity) || hasSecret(entity) || chosenByPlatform || !isChosen(entity)
          ? code(...codesThatChoose(entity))
          : 'session',
      parameters: {
        keyword: { kind: 'text', max: 64 },
        ids: { kind: 'ids' },
        size: { kind: 'integer', min: 1, max: 50 },
        ...(entity.near ? { near: { kind: 'id' } } : {}),
      },
      dataSchema: shapeSchema(listOf(choiceShape)),
      tag,
      handler: (call) => rowsOf(entity, call).select(call.query, bindingCodes(entity, call.actor)),
    }),
    history: route({
      method: 'GET',
      platform,
      path: `/${path}/history`,
      summary: { zh: `${label.zh}：变更记录`, en: `${label.en}: history` },
      access: view,
      parameters: { id: { kind: 'id', required: true } },
      dataSchema: shapeSchema(listOf(historyEntryShape)),
      tag,
      handler: (call) => historyOf(rowsOf(entity, call), call.parameters.id),
    }),
    restore: platform
      ? undefined
      : route({
          method: 'POST',
          path: `/${path}/restore`,
          summary: {
            zh: `${label.zh}：恢复到某条变更记录之后的样子；删除记录则恢复到删除之前`,
            en: `${label.en}: restore as after an entry of its history; of a removal, as before it`,
          },
          access: code(codeOf(entity, 'edit'), codeOf(entity, 'add')),
          parameters: { id: { kind: 'id', required: true }, historyId: { kind: 'id', required: true } },
          dataSchema: rowSchema(entity),
          tag,
          handler: ({ parameters, ...call }) => restore(rowsOf(entity, call), parameters.id, parameters.historyId),
        }),
    personal: hasPersonal(entity)
      ? route({
          method: 'GET',
          path: `/${path}/personal`,
          summary: { zh: `${label.zh}：敏感信息全文`, en: `${label.en}: personal values in full` },
          access: code(personalCode(entity)),
          parameters: { id: { kind: 'id', required: true } },
          dataSchema: shapeSchema(personalShape),
          tag,
          handler: (call) => rowsOf(entity, call).personal(call.parameters.id),
        })
      : undefined,
  }
  return Object.entries(all).flatMap(([name, declared]) =>
    declared && !without.includes(name as GenericCall) && (!entity.readOnly || reading.has(name)) ? [declared] : [],
  )
}

/** Whether rows of an entity hold what nobody is shown, such as the password of another system. */
const hasSecret = ({ fields }: Entity): boolean => Object.values(fields).some(({ kind }) => kind === 'secret')

/** Whether people choose a row of an entity by its name, in the form of another: a file is uploaded there, not chosen. */
const isChosen = (entity: Entity): boolean =>
  !entity.isFile && pointersAt(entity.name).some(({ model }) => !model.entity.readOnly)

/** Saves a draft; who may only add cannot change, and the other way round. */
export async function submit<E extends Entity>(entity: E, call: Call): Promise<Row<E>> {
  refuseBrokenTexts(call.body)
  const id = (call.body as { id?: unknown } | null | undefined)?.id
  const verb = id === undefined || id === null || id === '' ? 'add' : 'edit'
  const needed = codeOf(entity, verb)
  if (!holdsCode(call.actor, needed)) throw new Problem('forbidden', { code: needed })
  const { body, along } = takeAlong(entity, call)
  const rows = rowsOf(entity, call)
  const row = await rows.save(verb === 'add' ? withAsked(rows.model, body) : body)
  await addAlong(entity, contextOf(call), row, along)
  return row
}
