import { stamps, type Words } from '@data-brain/contract'
import { type Condition, type Group, isBare, isGroup, membersOf } from '@data-brain/contract/rules/condition'
import { kindOfWord, scopeKind } from '@data-brain/contract/scope-kinds'
import { idsMax } from '../kernel/parameter.ts'
import { Problem } from '../kernel/problem.ts'
import type { Model } from './model.ts'
import type { Context } from './repository.ts'
import { customCondition } from './scope.ts'

interface Judging {
  readonly model: Model
  readonly context: Pick<Context, 'cipher' | 'actor'>
  /** Whether conditions may speak of whoever asks: "my classes". */
  readonly own: boolean
}

/** What is wrong with conditions on the fields of an entity, or undefined; their shape has been read before. */
export function conditionsFault(judging: Judging, group: Group): Words | undefined {
  for (const member of membersOf(group)) {
    const fault = isGroup(member) ? conditionsFault(judging, member) : conditionFault(judging, member)
    if (fault) return fault
  }
  return undefined
}

function conditionFault({ model, context, own }: Judging, { field: name, op, value }: Condition): Words | undefined {
  const known = model.byName.get(name)
  const label: Words = known?.label ?? { zh: name, en: name }
  const word = typeof value === 'string' ? kindOfWord(value) : undefined
  if (word) {
    const to =
      name === 'id' ? model.entity.name : (known?.to ?? (name === 'createUser' ? stamps.createUser : undefined))
    return own && to === scopeKind(word).entity && (op === 'equal' || op === 'in')
      ? undefined
      : { zh: `“${label.zh}”不能用${value}判断`, en: `cannot compare "${label.en}" with ${value}` }
  }
  const given = Array.isArray(value) ? value : [value]
  if (given.length > idsMax)
    return { zh: `“${label.zh}”最多${idsMax}个值`, en: `compares "${label.en}" with more than ${idsMax} values` }
  if (!isBare(op) && given.some((each) => each === undefined || each === null || each === ''))
    return { zh: `“${label.zh}”缺少比较的值`, en: `lacks a value to compare "${label.en}" with` }
  try {
    return customCondition(model, name, op, value, context)
      ? undefined
      : { zh: `“${label.zh}”不能这样判断`, en: `cannot judge "${label.en}" in this way` }
  } catch (error) {
    if (error instanceof Problem) return { zh: error.words('zh'), en: error.words('en') }
    throw error
  }
}
