import { user } from '@data-brain/contract'
import { addRules } from '../../entity/rules.ts'
import { addFigures } from '../desk/index.ts'
import type { Module } from '../module.ts'
import { peopleRoute } from './choose-people.ts'
import { decideRoutes } from './decide.ts'
import { deployRoutes } from './deploy.ts'
import { detailRoutes } from './detail.ts'
import { countTasks, listRoutes } from './lists.ts'
import { manageRoutes } from './manage.ts'
import { standIn } from './stand-in.ts'

export { beginProcess } from './begin.ts'
export { addFlowBusiness, type FlowBusiness, flowContext } from './business.ts'
export { type Decision, decide } from './decide.ts'
export { ship } from './deploy.ts'
export { workRecords } from './list-records.ts'
export { countTasks } from './lists.ts'
export { candidateNames } from './people.ts'
export type { StepTerms } from './terms.ts'
export { flowTimers } from './timers.ts'

// Home says what waits, beside what is counted of the lists.
addFigures(async (call) => {
  const { todo, claim } = await countTasks(call)
  return [
    { key: 'tasks', code: 'worktodo', query: {}, count: todo },
    { key: 'claims', code: 'workclaim', query: {}, count: claim },
  ]
})

/** Workflow: models and what is deployed of them, what runs, and what waits for whom. */
export const flows: Module = {
  routes: [...listRoutes, ...decideRoutes, ...manageRoutes, ...detailRoutes, ...deployRoutes, peopleRoute],
  // Whoever is disabled leaves nothing behind that only they could decide.
  addRules: () =>
    addRules(user, {
      afterSave: async ({ context, id, before, status }) => {
        if (before && status !== undefined && status !== 1) await standIn(context, id)
      },
    }),
}
