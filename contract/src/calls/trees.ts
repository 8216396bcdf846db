import type { ValueOf } from '../shape.ts'
import { idOf, listOf, objectOf, oneOf, textValue, treeOf, truthValue } from '../shape.ts'

const node = {
  id: textValue(),
  parentId: textValue(),
  title: textValue(),
  key: textValue(),
  value: textValue(),
  hasChildren: truthValue({ optional: true }),
} as const

/** A forest of choices: `key` and `value` are the id, `parentId` of a root is 0. */
export const choiceTree = listOf(treeOf(node))
/** The choices below one of them. */
export const choiceLevel = listOf(objectOf(node))
export type ChoiceNode = ValueOf<typeof choiceTree>[number]

/** A forest of menus (1) with their buttons (2), or of menus with the scopes under them. */
export const menuTree = listOf(
  treeOf({ ...node, category: oneOf([1, 2], { optional: true }), isScope: truthValue({ optional: true }) }),
)
export type MenuTreeNode = ValueOf<typeof menuTree>[number]

/** What says where a row of a tree is to stand. */
export const moveInput = <const E extends string>(entity: E) =>
  ({
    id: idOf(entity, { required: true }),
    parentId: textValue({ required: true, nullable: true, max: 19, help: { zh: '0为顶级', en: '0 for the top' } }),
    beforeId: idOf(entity, {
      nullable: true,
      label: { zh: '移到其前的节点', en: 'The row to stand before' },
      help: { zh: '不给出时排在最后', en: 'the sibling to stand before; none: the last' },
    }),
  }) as const
