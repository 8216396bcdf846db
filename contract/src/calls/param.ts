import { defineCall } from '../call.ts'
import { param } from '../entities/system/param.ts'
import { codeOf } from '../entity.ts'
import { type ParameterGroup, parameterGroups } from '../parameters.ts'
import { eitherOf, flagValue, idOf, integerValue, listOf, objectOf, oneOf, textValue, wordsValue } from '../shape.ts'

const value = eitherOf(textValue(), integerValue())

export const knownParameters = defineCall({
  method: 'GET',
  path: 'blade-system/param/known',
  of: param.name,
  access: { codes: [codeOf(param, 'view')] },
  summary: { zh: '系统参数：服务器读取的参数及其当前值', en: 'The parameters that the server reads, as they hold' },
  answer: listOf(
    objectOf({
      key: textValue(),
      group: oneOf(Object.keys(parameterGroups) as ParameterGroup[]),
      label: wordsValue(),
      help: wordsValue(),
      // What a number counts.
      unit: wordsValue({ optional: true }),
      // The entity whose titles the text is chosen from.
      from: textValue({ optional: true }),
      type: oneOf(['integer', 'flag', 'text']),
      min: integerValue({ optional: true }),
      max: integerValue({ optional: true }),
      default: value,
      // What holds now.
      value,
      // Whether the tenant has set it, and the row that does.
      own: flagValue(),
      row: objectOf({ id: idOf(param.name), version: integerValue() }, { nullable: true }),
    }),
  ),
})
