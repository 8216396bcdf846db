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
  tableSheet,
  tenantName,
  titledTable,
} from './print-sheet.ts'
