import type { Module } from '../module.ts'
import { decideRoutes } from './decide.ts'
import { deployRoutes } from './deploy.ts'
import { detailRoutes } from './detail.ts'
import { listRoutes } from './lists.ts'
import { manageRoutes } from './manage.ts'

export { addFlowAction } from './actions.ts'
export { type Beginning, beginProcess } from './begin.ts'
export { addFlowBusiness, type FlowBusiness, type FlowContext, flowContext } from './business.ts'
export { flowTimers } from './timers.ts'

/** Workflow: models and what is deployed of them, what runs, and what waits for whom. */
export const flows: Module = {
  routes: [...listRoutes, ...decideRoutes, ...manageRoutes, ...detailRoutes, ...deployRoutes],
}
