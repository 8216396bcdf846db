import { customNumberMost } from './entities/system/customfield.ts'
import type { Entity } from './entity.ts'
import type { Field, Words } from './field.ts'
import type { FieldOptionDraft } from './rules/field-options.ts'
import { fieldOptionOf } from './rules/field-options.ts'
import { decimalValue, integerValue, listOf, objectOf, oneOf, textValue, truthValue, type ValueOf } from './shape.ts'

/*
 * Fields of a tenant's own. What the tenant says of them is data (entities/system/customfield.ts); here it becomes fields
 * of the entity's definition, which the engines of server and console treat like those that the product brings.
 */

/** The entities that can have fields of a tenant's own: each has a column `custom`. */
export const customOwners = ['student', 'user', 'schoolclass'] as const
export type CustomOwner = (typeof customOwners)[number]
export const isCustomOwner = (name: string): name is CustomOwner => (customOwners as readonly string[]).includes(name)

export const customKinds = ['text', 'number', 'date', 'choice'] as const

/** A field of a tenant's own, as whoever works with its entity is told of it. */
export const customFieldShape = objectOf(
  {
    id: textValue(),
    owner: oneOf(customOwners),
    label: textValue(),
    labelEn: textValue({ nullable: true }),
    kind: oneOf(customKinds),
    options: listOf(objectOf({ key: textValue(), label: textValue(), labelEn: textValue(), retired: truthValue() })),
    maxLength: integerValue({ nullable: true }),
    digits: integerValue({ nullable: true }),
    minimum: decimalValue({ nullable: true }),
    maximum: decimalValue({ nullable: true }),
    required: truthValue(),
    hint: textValue({ nullable: true }),
  },
  { name: 'CustomField' },
)
export type CustomField = ValueOf<typeof customFieldShape>

/**
 * The name of a field of a tenant's own in rows, filters and columns: none that a field of the product has, and without
 * the underscore that begins the suffix of a filter.
 */
export const customName = (id: string): string => `x${id}`
/** Whether a name, or that of a filter, is one of these. */
export const isCustomName = (name: string): boolean => /^x[1-9]\d{9,18}(_[a-z]+)?$/.test(name)

/** Longest text where the tenant has not said. */
const usualLength = 100

const named = (zh: string, en: string | null): Words => ({ zh, en: en || zh })

/** The field that a definition makes. */
export function fieldOfCustom(definition: CustomField): Field {
  const { id, kind, label, labelEn, hint, required } = definition
  const common = {
    label: named(label, labelEn),
    custom: id,
    ...(required ? { required } : {}),
    ...(hint ? { help: named(hint, null) } : {}),
  }
  switch (kind) {
    case 'text':
      return { kind: 'text', max: definition.maxLength ?? usualLength, ...common }
    case 'number':
      return {
        kind: 'decimal',
        scale: definition.digits ?? 0,
        min: definition.minimum ?? -customNumberMost,
        max: definition.maximum ?? customNumberMost,
        ...common,
      }
    case 'date':
      return { kind: 'date', ...common }
    case 'choice':
      return {
        kind: 'choice',
        // No dictionary has a name like this one: whoever looks words up finds the options under it.
        dict: customName(id),
        options: definition.options.map((option: FieldOptionDraft) => fieldOptionOf(option)),
        ...common,
      }
  }
}

/** The heading under which forms and records show them. */
const heading: Words = { zh: '自定义信息', en: 'Custom fields' }

/** An entity with the fields of a tenant's own; the entity itself where there are none. */
export function withCustom(entity: Entity, definitions: readonly CustomField[]): Entity {
  const own = definitions.filter(({ owner }) => owner === entity.name)
  if (own.length === 0) return entity
  const fields = own.map((definition): [string, Field] => [customName(definition.id), fieldOfCustom(definition)])
  const names = fields.map(([name]) => name)
  return {
    ...entity,
    fields: { ...entity.fields, ...Object.fromEntries(fields) },
    sorts: [...(entity.sorts ?? []), ...fields.flatMap(([name, { kind }]) => (kind === 'choice' ? [] : [name]))],
    groups: [...(entity.groups ?? []), { label: heading, fields: names, folded: false }],
  }
}
