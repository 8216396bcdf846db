import type { Bundle } from '../ui/words.ts'

/** Words of those who put conditions together, in data scopes and in groups of pupils. */
export const ruleWords = {
  'rule.title': { zh: '规则条件', en: 'Conditions' },
  'rule.group': { zh: '第 {depth} 层条件组', en: 'Group at level {depth}' },
  'rule.condition': { zh: '第 {number} 个条件', en: 'Condition {number}' },
  'rule.all': { zh: '满足全部条件', en: 'All of these hold' },
  'rule.any': { zh: '满足任一条件', en: 'Any of these holds' },
  'rule.addCondition': { zh: '添加条件', en: 'Add a condition' },
  'rule.addGroup': { zh: '添加条件组', en: 'Add a group' },
  'rule.removeCondition': { zh: '移除第 {number} 个条件', en: 'Remove condition {number}' },
  'rule.removeGroup': { zh: '移除条件组', en: 'Remove this group' },
  'rule.field': { zh: '字段', en: 'Field' },
  'rule.op': { zh: '比较方式', en: 'Comparison' },
  'rule.value': { zh: '{label}的值', en: 'Value of {label}' },
  'rule.whose': { zh: '{label}取自', en: '{label} taken from' },
  'rule.chosen': { zh: '指定…', en: 'Chosen here…' },
  'rule.several': { zh: '输入后按回车，可多个', en: 'Type and press Enter; several are possible' },
  'rule.noConditions': { zh: '还没有条件，至少添加一个。', en: 'There are no conditions yet: add at least one.' },
  'rule.hole': { zh: '（未填写）', en: '(not given)' },
} as const satisfies Bundle
