import { claimList, claimTask } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { flowWords } from '../../../locales/flow.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { useCategories, useInstanceStates } from '../categories.ts'
import { type FlowTask, renewFlow } from '../queries.ts'
import { actionsColumn, columnsIn } from './columns.tsx'
import { WorkTable } from './list.tsx'

addWords(flowWords)

/** Questions that are on their way at once. */
const atOnce = 4

/** Tasks of a group that somebody has to take before they are decided: one, or several together. */
export default function ClaimPage() {
  const t = useT()
  const queries = useQueryClient()
  const category = useCategories()
  const state = useInstanceStates()
  const columns = useMemo(() => {
    const all = columnsIn(t, category, state)
    return [
      ...[all.title, all.serialNo, all.process, all.category, all.applicant, all.step, all.candidates, all.waits],
      actionsColumn(t, [{ key: 'claim', label: t('flow.claim') }], 90),
    ]
  }, [t, category, state])
  const claim = async (tasks: readonly FlowTask[]) => {
    const failed: string[] = []
    for (let from = 0; from < tasks.length; from += atOnce)
      await Promise.all(
        tasks.slice(from, from + atOnce).map(async ({ taskId, title }) => {
          try {
            await call(claimTask, { taskId: taskId ?? '' }, { silent: true })
          } catch (problem) {
            // Somebody else was first, and is named.
            if (!(problem instanceof HttpProblem)) throw problem
            failed.push(t('flow.failedLine', { title, message: problem.message }))
          }
        }),
      )
    const done = tasks.length - failed.length
    if (done > 0) toast.success(t('flow.claimedMany', { count: done }))
    if (failed.length > 0) toast.error(t('flow.failedCount', { count: failed.length }), failed.slice(0, 5).join('\n'))
    await renewFlow(queries)
  }
  return (
    <WorkTable
      name="claim"
      title={t('flow.toClaim')}
      empty={t('flow.nothingToClaim')}
      columns={columns}
      read={(asked, signal) => call(claimList, asked, { ...(signal ? { signal } : {}), silent: true })}
      onAct={(_what, task) => void claim([task])}
      bulk={{ key: 'claim', label: t('flow.claim'), icon: 'hand', run: claim }}
    />
  )
}
