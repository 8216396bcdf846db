import { type Entity, entities, entityOf, type Field, nameOf } from '@data-brain/contract'
import { type CustomField, withCustom } from '@data-brain/contract/custom'
import { orderColumn } from '../database/ddl.ts'
import { linkTableOf, seenName, seenOf, snakeCase, tableOf } from '../database/name.ts'

/** One field of an entity, with what the server derives from it. */
export interface ModelField extends Field {
  readonly name: string
  /** Column; for `references` there is none. A field of a tenant's own is a part of the column of all of them. */
  readonly column: string
  readonly target: Entity | undefined
  readonly linkTable: string | undefined
  /** What is read of the links: the table, or the view of it and of what all tenants share. */
  readonly linkSeen: string | undefined
  /** Whether the row that the field belongs to is shared by all tenants. */
  readonly ofPlatform: boolean
}

/** The tenant whose administrators look after what all tenants share. */
export const platformTenant = '000000'

/** An entity with everything derived from its definition, made once. */
export interface Model<E extends Entity = Entity> {
  readonly entity: E
  /** What is written: the rows that a tenant holds. */
  readonly table: string
  /** What is read: the table, or the view of it and of what all tenants share (entity/shared.ts). */
  readonly seen: string
  /** Whether all tenants share the rows: then they have no tenant, and the platform's administrators write them. */
  readonly platform: boolean
  readonly fields: readonly ModelField[]
  readonly byName: ReadonlyMap<string, ModelField>
  /** Columns a list may be ordered by, by wire name. */
  readonly sorts: ReadonlyMap<string, string>
  readonly personal: readonly ModelField[]
  /** The fields of a tenant's own: parts of the column `custom`. */
  readonly custom: readonly ModelField[]
  /** Fields that the search keys are made of. */
  readonly find: readonly ModelField[]
  /** The entity whose row is found by them. */
  readonly findsEntity: string
  /** Names that clients send back with a row and that a save passes over. */
  readonly noise: ReadonlySet<string>
}

/** The system columns, wire name to column, in the order in which they travel. */
export const systemColumns: Readonly<Record<string, string>> = {
  id: 'id',
  tenantId: 'tenant_id',
  status: 'status',
  version: 'version',
  extId: 'ext_id',
  createUser: 'create_user',
  createDept: 'create_dept',
  createTime: 'create_time',
  updateUser: 'update_user',
  updateTime: 'update_time',
}

const models = new Map<string, Model>()

/** The model of an entity. */
export function modelOf<E extends Entity>(entity: E): Model<E> {
  const kept = models.get(entity.name)
  if (kept) return kept as Model<E>
  const model = makeModel(entity)
  models.set(entity.name, model)
  return model as Model<E>
}

/** The model of an entity that is none of the definitions', such as a table of a data source; it is not kept. */
export const modelOfOther = (entity: Entity): Model => makeModel(entity)

/** The models of entities with the fields of a tenant's own, kept for as long as some actor has these fields. */
const customModels = new WeakMap<readonly CustomField[], Map<string, Model>>()

/** The model of an entity as an actor of a tenant works with it: with the fields of the tenant's own. */
export function modelFor(entity: Entity, { custom }: { readonly custom?: readonly CustomField[] | undefined }): Model {
  if (!custom?.some(({ owner }) => owner === entity.name)) return modelOf(entity)
  const known = customModels.get(custom) ?? new Map<string, Model>()
  customModels.set(custom, known)
  const kept = known.get(entity.name)
  if (kept) return kept
  const model = makeModel(withCustom(entityOf(entity.name), custom))
  known.set(entity.name, model)
  return model
}

/** The column of what the fields of a tenant's own hold. */
export const customColumn = 'custom'

function makeModel(entity: Entity): Model {
  const fields = Object.entries(entity.fields).map(([name, field]): ModelField => {
    const linkTable = field.kind === 'references' ? linkTableOf(entity, name) : undefined
    return {
      ...field,
      name,
      column: field.custom === undefined ? snakeCase(name) : customColumn,
      target: field.to ? entityOf(field.to) : undefined,
      linkTable,
      linkSeen: linkTable && entity.shares ? seenName(linkTable) : linkTable,
      ofPlatform: entity.ownership === 'platform',
    }
  })
  const byName = new Map(fields.map((field) => [field.name, field]))
  const sorts = new Map<string, string>()
  for (const name of [entity.sort.replace(/^-/, ''), ...(entity.sorts ?? []), 'createTime'])
    sorts.set(name, customOrder(byName.get(name)) ?? orderColumn(entity, name))
  const finds = entity.finds ? byName.get(entity.finds)?.to : undefined
  return {
    entity,
    table: tableOf(entity),
    seen: seenOf(entity),
    platform: entity.ownership === 'platform',
    fields,
    byName,
    sorts,
    personal: fields.filter((field) => field.kind === 'personal'),
    custom: fields.filter((field) => field.custom !== undefined),
    find: (entity.find ?? []).map((name) => byName.get(name)!),
    findsEntity: finds ?? entity.name,
    noise: new Set([
      'tenantId',
      'createUser',
      'createDept',
      'createTime',
      'updateUser',
      'updateTime',
      'createUserName',
      'updateUserName',
      'isDeleted',
      'hasChildren',
      'children',
      'key',
      'value',
      ...fields
        .filter((field) => field.kind === 'reference' || field.kind === 'references' || field.kind === 'region')
        .map((field) => nameOf(field.name)),
      ...fields.filter((field) => field.computed).map((field) => field.name),
    ]),
  }
}

/** What rows are ordered by for a field of a tenant's own: json orders numbers as numbers, and days and texts as texts. */
function customOrder(field: ModelField | undefined): string | undefined {
  if (field?.custom === undefined) return undefined
  if (!/^[0-9]+$/.test(field.custom)) throw new Error('the id of a custom field is a number')
  return field.kind === 'text'
    ? `${customColumn}->>'${field.custom}' collate "zh-x-icu"`
    : `${customColumn}->'${field.custom}'`
}

/** All models, in the order of the definitions. */
export const allModels = (): Model[] => entities.map(modelOf)

/** Which fields of which entities point at an entity: what can block its removal. */
export function pointersAt(name: string): { model: Model; field: ModelField }[] {
  return allModels().flatMap((model) =>
    model.fields
      .filter((field) => field.to === name && !(field.kind === 'references' && model.entity.name === name))
      .map((field) => ({ model, field })),
  )
}
