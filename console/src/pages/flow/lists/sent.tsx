import { remindProcess, sendList } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { flowWords } from '../../../locales/flow.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Link } from '../../../ui/place.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { instanceStates, useCategories, useInstanceStates } from '../categories.ts'
import { type FlowTask, renewFlow } from '../queries.ts'
import { actionsColumn, columnsIn } from './columns.tsx'
import { WorkTable } from './list.tsx'

addWords(flowWords)

const ActDialog = lazyPart(() => import('../task/actions.tsx'))
const runs = ({ processIsFinished }: FlowTask) => processIsFinished === 'unfinished'
/** Where it stands by an error nobody is asked, and nobody can be hurried. */
const asks = (task: FlowTask) => runs(task) && task.instanceState !== instanceStates.incident

/** What one has sent: where it stands, and the ways to hurry it or to take it back. */
export default function SentPage() {
  const t = useT()
  const queries = useQueryClient()
  const category = useCategories()
  const state = useInstanceStates()
  const [withdrawn, setWithdrawn] = useState<FlowTask | null>(null)
  const columns = useMemo(() => {
    const all = columnsIn(t, category, state)
    return [
      ...[all.title, all.serialNo, all.process, all.category, all.state, all.activity, all.startTime, all.endTime],
      actionsColumn(
        t,
        [
          { key: 'remind', label: t('flow.remind'), offered: asks },
          { key: 'withdraw', label: t('flow.withdraw'), offered: runs },
        ],
        140,
      ),
    ]
  }, [t, category, state])
  const remind = async ({ processInstanceId, title }: FlowTask) => {
    try {
      const { count } = await call(remindProcess, { processInstanceId })
      toast.success(t('flow.reminded', { count }), title)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
    await renewFlow(queries)
  }
  return (
    <>
      <WorkTable
        name="send"
        title={t('flow.sent')}
        empty={t('flow.nothingSent')}
        columns={columns}
        read={(asked, signal) => call(sendList, asked, { ...(signal ? { signal } : {}), silent: true })}
        onAct={(what, task) => (what === 'remind' ? void remind(task) : setWithdrawn(task))}
        head={
          <Link className="button primary" to="/work/start">
            {t('flow.start')}
          </Link>
        }
      />
      {withdrawn && (
        <Suspense fallback={null}>
          <ActDialog kind="withdraw" about={{ ...withdrawn, returnTo: [] }} onClose={() => setWithdrawn(null)} />
        </Suspense>
      )}
    </>
  )
}
