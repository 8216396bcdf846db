import type { Module } from '../module.ts'
import { addCodeRules, codeRoutes } from './code.ts'
import { addDatasourceRules, datasourceRoutes } from './datasource.ts'

export { kindOfColumn } from './generate/guess.ts'
export { rowsMost, type SourceColumn } from './reader.ts'
export { readSource } from './source.ts'
export { SourceError } from './source-error.ts'

/** What developers use: data sources of others, read and never written, and the entities that are made of tables. */
export const developing: Module = {
  routes: [...datasourceRoutes, ...codeRoutes],
  addRules: () => {
    addDatasourceRules()
    addCodeRules()
  },
}
