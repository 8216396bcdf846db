import type { Module } from '../module.ts'
import { addDatasourceRules, datasourceRoutes } from './datasource.ts'

/** What developers use: data sources of others, read and never written. */
export const developing: Module = { routes: datasourceRoutes, addRules: addDatasourceRules }
