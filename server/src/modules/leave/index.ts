import { leaveRoutes as usualCall } from '@data-brain/contract/calls/leave'
import { usualRoutes } from '@data-brain/contract/rules/leave'
import { on } from '../../entity/serve-call.ts'
import { addFigures } from '../desk/index.ts'
import { addFlowBusiness } from '../flow/index.ts'
import type { Module } from '../module.ts'
import { backRoute, cancelRoute } from './after.ts'
import { leaveBusiness } from './business.ts'
import { detailRoute } from './detail.ts'
import { passesToday, passRoute } from './gate.ts'
import { peopleRoute } from './people.ts'
import { previewRoute } from './preview.ts'
import { addLeaveRules } from './rules.ts'
import { startRoute } from './start.ts'

// Whoever stands at the gate finds at home how many may leave today.
addFigures(passesToday)

export { confirmBack } from './after.ts'
export { leaveBusiness } from './business.ts'
export { fileLeave } from './start.ts'

/** Leave of pupils and staff: asked for, decided in a process, and what follows from it. */
export const leaveModule: Module = {
  routes: [
    startRoute,
    previewRoute,
    peopleRoute,
    detailRoute,
    backRoute,
    cancelRoute,
    passRoute,
    on(usualCall, async () => [...usualRoutes]),
  ],
  serves: { leave: ['detail'] },
  addRules: () => {
    addLeaveRules()
    addFlowBusiness(leaveBusiness)
  },
}
