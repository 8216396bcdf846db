import { type Entity, timetableplan } from '@data-brain/contract'
import { copyPlan, exportFet, planCheck } from '@data-brain/contract/calls/timetable'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { refresh } from '../../entity/data/index.ts'
import { call, fetchFile } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.ts'
import { type Translate, useT } from '../../ui/words.ts'
import { dayName, type Lesson } from './lesson.ts'

/** States of a plan, as the dictionary plan_status has them. */
export const planStates = { draft: 0, checked: 1, published: 2, archived: 3 } as const

/** Where a plan is arranged. */
export const planPath = (id: string): string => `/school/timetable/${id}`

/** What the client has told already is passed over. */
export const unlessProblem = (problem: unknown): undefined => {
  // Anything else is a defect and goes up.
  if (!(problem instanceof HttpProblem)) throw problem
}

/** What of a lesson is told to whoever met another one's change of it. */
interface Theirs {
  readonly weekday: string
  readonly periodNo: number
  readonly teacherName?: string | null
  readonly updateUserName?: string | null
}

/** Who has changed a lesson meanwhile, and what it is now; undefined where it was refused for something else. */
export function gaveWay(
  { status, data }: HttpProblem,
  lesson: Lesson | undefined,
  t: Translate,
  language: 'zh' | 'en',
): string | undefined {
  if (!lesson) return undefined
  const name = `${lesson.className} ${lesson.subjectName}`
  if (status === 404) return t('plan.gone', { name })
  const theirs = status === 409 ? (data as { readonly theirs?: Theirs } | null)?.theirs : undefined
  return (
    theirs &&
    t('plan.gaveWay', {
      ...{ name, who: theirs.updateUserName ?? t('plan.someone') },
      ...{ day: dayName(Number(theirs.weekday), language), no: theirs.periodNo },
      teacher: theirs.teacherName ?? lesson.teacherName,
    })
  )
}

/** The focus goes to the cell of the grid that is worked in, once what stood over it has gone. */
export const focusCell = (): void => {
  const look = (left: number): void => {
    // Other plans that are open stand in the document as well, unseen.
    const cells = [...document.querySelectorAll<HTMLElement>('.plan-grid [data-slot][tabindex="0"]')]
    const cell = cells.find((each) => each.getClientRects().length > 0)
    if (cell && document.activeElement !== cell) cell.focus()
    if (left > 0 && document.activeElement !== cell) requestAnimationFrame(() => look(left - 1))
  }
  requestAnimationFrame(() => look(30))
}

function bind(queries: QueryClient, t: Translate) {
  return {
    /** All that stands against a plan; says so where nothing does. Undefined where it could not be asked. */
    check: async (id: string, name: string) => {
      const found = await call(planCheck, { id }).catch(unlessProblem)
      if (found?.obstacles.length === 0) toast.success(t('plan.noConflict', { name }))
      return found?.obstacles
    },
    /** Copies a plan into a draft; answers its id. */
    copy: async (id: string) => {
      const made = await call(copyPlan, { id }).catch(unlessProblem)
      if (!made) return undefined
      await refresh(queries, timetableplan.name)
      toast.success(t('plan.copied', { name: String(made.planName) }))
      return String(made.id)
    },
    /** Saves a plan as a file of FET: a draft with its locked lessons in place, one that is published as it stands. */
    saveFet: async (id: string, isDraft: boolean) => {
      const file = await fetchFile(exportFet, { id, placed: isDraft ? 0 : 1 }).catch(unlessProblem)
      if (file) saveFile(file)
    },
    again: (entity: Entity) =>
      Promise.all([refresh(queries, entity.name), queries.invalidateQueries({ queryKey: ['plan'] })]),
  }
}

/** What is done with plans, on their list and on the page of one. */
export function usePlanWork() {
  const t = useT()
  const queries = useQueryClient()
  return useMemo(() => bind(queries, t), [queries, t])
}
