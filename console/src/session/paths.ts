import { entityPaths } from 'virtual:entities'
import { allNodes, forRoles, type MenuNode, menuStore } from './menus.ts'
import { sessionStore } from './session.ts'

function entryOf(code: string): MenuNode | undefined {
  const roles = sessionStore.get()?.roles ?? []
  return allNodes(menuStore.get()).find(
    (node) => node.code === code && node.path?.startsWith('/') && forRoles(node.meta, roles),
  )
}

/** Where the menus of this user lead for a code; undefined when it is not among them. */
export const pathOf = (code: string): string | undefined => entryOf(code)?.path ?? undefined

/** The address of the list that shows exactly what a figure counts; undefined where its reader has no such page. */
export function listAddress(code: string, query: Readonly<Record<string, string>>): string | undefined {
  const to = pathOf(code)
  const asked = new URLSearchParams(query).toString()
  return to && asked ? `${to}?${asked}` : to
}

/** The icon that stands before the entry of a code in this user's menus. */
export const iconOf = (code: string): string | undefined => entryOf(code)?.source || undefined

/** The path of an entity's calls under /api. */
export const callsOf = (entity: string): string | undefined => entityPaths[entity]

/** Where everybody's own week is. */
export const ownWeekPath = '/school/my-timetable'

/** Where the days of a school year are shown as months. */
export const calendarYearPath = '/school/calendar'

/** Where what absent teachers leave is arranged. */
export const coverPath = '/school/cover'

/** Where a report is made and changed, and where it is run. */
export const reportEditorPath = '/report/edit/:reportId'
export const reportResultPath = '/report/result/:reportId'

/** Where the assignments of a semester are one table. */
export const matrixPath = '/teaching/matrix'
