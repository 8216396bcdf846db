export type { Sheet } from './print-list.ts'
export {
  makeElement,
  PAGE,
  type PrintWork,
  printedBy,
  putOnPaper,
  type SheetColumn,
  type SheetLayout,
  shared,
  tenantName,
  titledTable,
} from './print-sheet.ts'
