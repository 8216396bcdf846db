import type { Module } from '../module.ts'
import { dashboardRoute } from './dashboard.ts'
import { layoutRoutes } from './layout.ts'
import { qualityRoutes } from './quality.ts'
import { mergeRoute } from './quality-merge.ts'

export { figuresDaily } from './figures-daily.ts'
export { qualityDaily, qualityDigest } from './quality-daily.ts'

/** What figures say of schools: each is counted from rows, and leads to them. */
export const insights: Module = { routes: [dashboardRoute, ...layoutRoutes, ...qualityRoutes, mergeRoute] }
