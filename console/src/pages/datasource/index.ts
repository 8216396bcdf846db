export { isWanted, tablesMost, tableTitle, useSourceTables } from './tables.ts'
