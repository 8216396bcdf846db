import type { Bundle } from '../ui/words.ts'

/** Words of the pages of data scopes and API scopes. */
export const scopeWords = {
  'scope.createUser': { zh: '创建人', en: 'Created by' },
  'scope.createDept': { zh: '创建部门', en: 'Creator’s department' },
  'scope.usual': { zh: '默认字段', en: 'Default field' },
  'scope.sentence': { zh: '可见的{entity}：', en: '{entity} where ' },
  'scope.governs': { zh: '管辖 {count} 个接口', en: 'Governs {count} endpoints', enOne: 'Governs 1 endpoint' },
  'scope.governsNone': { zh: '没有这样的接口', en: 'No such endpoint' },
  'scope.below': { zh: '其下全部接口', en: 'Everything below' },
  'scope.pathHelp': {
    zh: '输入地址或名称查找，如“学生”',
    en: 'Type a part of an address or a name, such as “student”',
  },
} as const satisfies Bundle
