import type { Bundle } from '../ui/words.ts'

/** The words of trees: lists one can open and move in, and trees of ticks. */
export const treeWords = {
  'tree.open': { zh: '展开 {name}', en: 'Expand {name}' },
  'tree.close': { zh: '收起 {name}', en: 'Collapse {name}' },
  'tree.openAll': { zh: '全部展开', en: 'Expand all' },
  'tree.closeAll': { zh: '全部收起', en: 'Collapse all' },
  'tree.none': { zh: '没有内容', en: 'Nothing here' },
  'tree.noMatch': { zh: '没有符合的内容', en: 'Nothing matches' },
  'tree.loading': { zh: '正在加载…', en: 'Loading…' },
  'tree.drag': { zh: '拖动以移动', en: 'Drag to move' },
  'tree.found': { zh: '找到 {count} 项', en: '{count} found' },
  'tree.search': { zh: '搜索{label}', en: 'Search: {label}' },
  'tree.addBelow': { zh: '新增下级', en: 'Add below' },
  'tree.addBelowOf': { zh: '在{name}下新增', en: 'Add below {name}' },
  'tree.move': { zh: '移动到…', en: 'Move to…' },
  'tree.moveOf': { zh: '移动“{name}”', en: 'Move “{name}”' },
  'tree.moveOk': { zh: '移动', en: 'Move' },
  'tree.under': { zh: '上级', en: 'Under' },
  'tree.place': { zh: '位置', en: 'Place' },
  'tree.beforeRow': { zh: '在“{name}”之前', en: 'Before “{name}”' },
  'tree.last': { zh: '排在最后', en: 'Last' },
  'tree.top': { zh: '顶级', en: 'Top level' },
  'tree.moved': { zh: '已移动', en: 'Moved' },
  'tree.undo': { zh: '撤销', en: 'Undo' },
  'tree.keys': {
    zh: '方向键移动、展开和收起，* 展开同级，F2 编辑，Insert 新增下级',
    en: 'Arrows move, expand and collapse; * expands siblings; F2 edits; Insert adds below',
  },
  'tree.keysMove': {
    zh: '方向键移动、展开和收起，* 展开同级，Alt+↑↓ 调整顺序，F2 编辑，Insert 新增下级',
    en: 'Arrows move, expand and collapse; * expands siblings; Alt+↑↓ reorders; F2 edits; Insert adds below',
  },
} as const satisfies Bundle
