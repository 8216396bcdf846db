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

/** States of a plan, as the dictionary plan_status has them. */
export const planStates = { draft: 0, checked: 1, published: 2, archived: 3 } as const

/** Where a plan is arranged. */
export const planPath = (id: string): string => `/school/timetable/${id}`

/** What the client has told already is passed over. */
export const unlessProblem = (problem: unknown): undefined => {
  // Anything else is a defect and goes up.
  if (!(problem instanceof HttpProblem)) throw problem
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
