import { defineCall } from '../call.ts'
import { dict } from '../entities/system/dict.ts'
import { dictbiz } from '../entities/system/dictbiz.ts'
import { codeOf } from '../entity.ts'
import {
  eitherOf,
  emptyAnswer,
  flagValue,
  idOf,
  idsOf,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  pageOf,
  rowTreeOf,
  textValue,
  textValues,
  treeOf,
  truthValue,
} from '../shape.ts'
import { paging } from './paging.ts'
import { choiceTree } from './trees.ts'

const view = { codes: [codeOf(dictbiz, 'view')] } as const
const viewSystem = { codes: [codeOf(dict, 'view')] } as const

/** A dictionary or an entry of one, of either kind. A dictionary itself stands under 0 and has the key -1. */
const entry = {
  id: textValue(),
  parentId: textValue(),
  code: textValue(),
  dictKey: textValue(),
  dictValue: textValue(),
  dictValueEn: textValue({ nullable: true }),
  sort: integerValue(),
  isSealed: flagValue(),
  remark: textValue({ nullable: true }),
} as const

const entryShape = objectOf(entry, { name: 'DictEntry' })
const choices = listOf(entryShape)
const named = { code: textValue({ max: 64, required: true }) } as const

/** What a dictionary offers for new choices: of the tenant's own dictionaries, and of the system's where it has no such one. */
export const dictionary = defineCall({
  method: 'GET',
  path: 'blade-system/dict-biz/dictionary',
  of: dict.name,
  access: 'session',
  summary: { zh: '字典：可选的值', en: 'What a dictionary offers' },
  input: named,
  answer: choices,
})

/** The same, the other way round. */
export const systemDictionary = defineCall({
  ...dictionary,
  path: 'blade-system/dict/dictionary',
})

export const dictionaries = defineCall({
  method: 'GET',
  path: 'blade-system/dict-biz/dictionaries',
  of: dict.name,
  access: 'session',
  summary: { zh: '字典：一次取多个（含封存的值）', en: 'Several dictionaries at once, sealed entries included' },
  input: { codes: textValues({ required: true }) },
  answer: mapOf(choices),
})

const filters = {
  code: textValue({ max: 64 }),
  dictValue: textValue({ max: 128 }),
  dictKey: textValue({ max: 32 }),
  isSealed: integerValue({ min: 0, max: 1 }),
} as const
const children = { parentId: idOf(dict.name, { required: true }), ...paging, ...filters } as const

export const businessEntries = defineCall({
  method: 'GET',
  path: 'blade-system/dict-biz/child-list',
  of: dictbiz.name,
  access: view,
  summary: { zh: '业务字典：字典中的值', en: 'The entries of a business dictionary' },
  input: children,
  answer: listOf(rowTreeOf(dictbiz, { ...entry, hasChildren: truthValue() })),
})

export const businessTree = defineCall({
  method: 'GET',
  path: 'blade-system/dict-biz/tree',
  of: dictbiz.name,
  access: view,
  summary: { zh: '业务字典：选择树', en: 'Business dictionaries to choose from' },
  input: { code: textValue({ max: 64 }) },
  answer: choiceTree,
})

export const removeBusiness = defineCall({
  method: 'POST',
  path: 'blade-system/dict-biz/remove',
  of: dictbiz.name,
  access: { codes: [codeOf(dictbiz, 'delete')] },
  summary: { zh: '业务字典：删除', en: 'Business dictionary: remove' },
  input: { ids: idsOf(dictbiz.name, { required: true }) },
  // Under which the removal can be taken back.
  answer: objectOf({ requestId: textValue() }),
})

export const removeSystem = defineCall({
  method: 'POST',
  path: 'blade-system/dict/remove',
  of: dict.name,
  access: { codes: [codeOf(dict, 'delete')] },
  summary: { zh: '系统字典：删除', en: 'System dictionary: remove' },
  input: { ids: idsOf(dict.name, { required: true }) },
  answer: emptyAnswer,
})

const systemPage = pageOf(entryShape)

export const systemParents = defineCall({
  method: 'GET',
  path: 'blade-system/dict/parent-list',
  of: dict.name,
  access: viewSystem,
  summary: { zh: '系统字典：字典列表', en: 'System dictionaries' },
  input: { ...paging, ...filters },
  answer: systemPage,
})

const systemForest = listOf(treeOf(entry))

export const systemEntries = defineCall({
  method: 'GET',
  path: 'blade-system/dict/child-list',
  of: dict.name,
  access: viewSystem,
  summary: { zh: '系统字典：字典中的值', en: 'The entries of a system dictionary' },
  input: children,
  answer: systemForest,
})

export const systemTree = defineCall({
  method: 'GET',
  path: 'blade-system/dict/tree',
  of: dict.name,
  access: viewSystem,
  summary: { zh: '系统字典：选择树', en: 'System dictionaries to choose from' },
  input: { code: textValue({ max: 64 }) },
  answer: choiceTree,
})

export const systemList = defineCall({
  method: 'GET',
  path: 'blade-system/dict/list',
  of: dict.name,
  access: viewSystem,
  summary: {
    zh: '系统字典：树；给出 current 或 size 时分页',
    en: 'System dictionaries as a tree; a page where current or size is given',
  },
  input: { ...paging, ...filters },
  answer: eitherOf(systemForest, systemPage),
})

export const systemDetail = defineCall({
  method: 'GET',
  path: 'blade-system/dict/detail',
  of: dict.name,
  access: viewSystem,
  summary: { zh: '系统字典：详情', en: 'One system dictionary or entry' },
  input: { id: idOf(dict.name, { required: true }) },
  answer: objectOf({ ...entry, parentName: textValue({ nullable: true }), hasChildren: truthValue() }),
})
