export { useTree } from './tree-lazy.ts'
export type { MoveCall } from './tree-moves.ts'
export { EntityTreePage } from './tree-page.tsx'
export { type TreeRow, type TreeSource, useWholeTree } from './tree-source.ts'
