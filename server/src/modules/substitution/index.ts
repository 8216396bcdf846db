import type { Module } from '../module.ts'
import { whenPublished } from '../timetable/index.ts'
import { arrangeRoutes } from './arrange.ts'
import { carryOver } from './carry-over.ts'
import { decideRoutes } from './decide.ts'
import { deskRoutes } from './desk.ts'
import { addSubstitutionRules } from './rules.ts'

export { cancelCovers } from './decide.ts'
export { finishPast, substitutionsDone } from './finish.ts'
export { type LessonOnDay, lessonsOn, onSchoolDays } from './lessons.ts'

/** Substitution: absences, who covers what they leave, lessons that change places, and what of it counts. */
export const substitutions: Module = {
  routes: [...deskRoutes, ...arrangeRoutes, ...decideRoutes],
  addRules: () => {
    addSubstitutionRules()
    whenPublished(carryOver)
  },
}
