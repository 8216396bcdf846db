import type { Module } from '../module.ts'
import { importRoutes } from './routes.ts'

export { recoverImports, stopImports } from './jobs.ts'

/** Students and guardians out of spreadsheets: read, matched, checked, corrected, stored as one batch, and undone. */
export const importing: Module = { routes: importRoutes }
