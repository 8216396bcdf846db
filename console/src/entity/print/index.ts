export type { Sheet } from './print-list.ts'
export { PAGE, type PrintWork, type SheetColumn, type SheetLayout, shared } from './print-sheet.ts'
