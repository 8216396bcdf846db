import { defineCall } from '../call.ts'
import { datascope } from '../entities/system/datascope.ts'
import { codeOf } from '../entity.ts'
import { listOf, mapOf, objectOf, textValue, textValues, wordsValue } from '../shape.ts'

const access = { codes: [codeOf(datascope, 'view')] } as const
const named = { name: textValue(), label: wordsValue() } as const
const fields = listOf(objectOf(named))

export const narrowedEntities = defineCall({
  method: 'GET',
  path: 'blade-system/data-scope/entities',
  of: datascope.name,
  access,
  summary: { zh: '数据权限：可限定的数据对象', en: 'What data scopes can narrow' },
  answer: fields,
})

export const scopeOptions = defineCall({
  method: 'GET',
  path: 'blade-system/data-scope/options',
  of: datascope.name,
  access,
  summary: { zh: '数据权限：可用的规则、字段与条件', en: 'The rules, fields and comparisons that fit an entity' },
  input: { entity: textValue({ max: 64, required: true }) },
  answer: objectOf({
    // Keys of the dictionary data_scope_type that fit.
    types: textValues(),
    // Fields that own-rows and department rules may look at, by type.
    columns: mapOf(fields),
    fields: listOf(
      objectOf({
        ...named,
        kind: textValue(),
        dict: textValue({ optional: true }),
        to: textValue({ optional: true }),
        // The name under which a row tells what the field's id is called.
        shown: textValue(),
        ops: textValues(),
      }),
    ),
    // What conditions may name instead of an id.
    words: textValues(),
  }),
})
