import type { Module } from '../module.ts'
import { assignmentsRoute } from './assignments.ts'
import { boardRoutes } from './board.ts'
import { calendarRoutes } from './calendar.ts'
import { calendarFeedRoutes } from './calendar-feed.ts'
import { carryOverRoutes } from './carry-over.ts'
import { choiceRoutes } from './choices.ts'
import { addTimetableConstraints } from './constraints.ts'
import { fetRoute } from './fet-route.ts'
import { generateRoutes } from './generate.ts'
import { handOverRoute } from './hand-over.ts'
import { ownTimetableRoute } from './own-week.ts'
import { planRoutes } from './plan.ts'
import { addTimetableRules } from './rules.ts'

export { type BellPlace, type DayFacts, dayFacts, periodsOf } from './calendar.ts'
export { freeSlotsOf } from './free-slots.ts'
export { type PublicDay, publicDays } from './holidays.ts'
export { notifyWeeks } from './notify.ts'
export { whenPublished } from './plan.ts'
export { taughtInWeek } from './taught.ts'

/** Calendars, bell times, and timetables: their plans, who is where when, and what stands against it. */
export const timetable: Module = {
  routes: [
    ...calendarRoutes,
    ...planRoutes,
    ...boardRoutes,
    ...choiceRoutes,
    ...generateRoutes,
    fetRoute,
    assignmentsRoute,
    ...carryOverRoutes,
    handOverRoute,
    ownTimetableRoute,
    ...calendarFeedRoutes,
  ],
  addRules: () => {
    addTimetableConstraints()
    addTimetableRules()
  },
}
