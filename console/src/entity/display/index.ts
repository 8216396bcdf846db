export { type CellWords, dictText, entryText, inSentence, StatusTag, textOf } from './cell.tsx'
export { Facts } from './facts.tsx'
export { Changes } from './field-changes.tsx'
export { useCellWords } from './use-cell-words.ts'
