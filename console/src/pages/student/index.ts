export { studentSheets } from './sheets.ts'
