import type { ValueOf } from '../shape.ts'
import { listOf, objectOf, textValue, treeOf, truthValue } from '../shape.ts'

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
