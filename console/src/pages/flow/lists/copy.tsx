import { copyList, readCopies } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { flowWords } from '../../../locales/flow.ts'
import { go } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { useCategories, useInstanceStates } from '../categories.ts'
import { detailAddress } from '../places.ts'
import { type FlowTask, renewFlow } from '../queries.ts'
import { actionsColumn, columnsIn } from './columns.tsx'
import { WorkTable } from './list.tsx'

addWords(flowWords)

/** A copy is read once somebody has said so, or opened it: then it has an end. */
const isUnread = ({ endTime }: FlowTask) => endTime === null

/** What one was informed of, without being asked to decide. */
export default function CopyPage() {
  const t = useT()
  const queries = useQueryClient()
  const category = useCategories()
  const state = useInstanceStates()
  const columns = useMemo(() => {
    const all = columnsIn(t, category, state)
    const title = {
      ...all.title,
      cell: (task: FlowTask) => (
        <button type="button" className={isUnread(task) ? 'dt-open unread' : 'dt-open'} data-act="open">
          {task.title}
        </button>
      ),
    }
    const read = {
      key: 'read',
      label: t('flow.isRead'),
      width: 100,
      cell: (task: FlowTask) =>
        isUnread(task) ? (
          <span className="pill in">{t('flow.unread')}</span>
        ) : (
          <span className="usual">{t('flow.read')}</span>
        ),
    }
    return [
      ...[title, read, all.serialNo, all.process, all.category, all.applicant, all.comment, all.createTime, all.state],
      actionsColumn(t, [{ key: 'read', label: t('flow.markRead'), offered: isUnread }], 110),
    ]
  }, [t, category, state])
  const mark = async (tasks: readonly FlowTask[]) => {
    const ids = tasks.filter(isUnread).flatMap(({ taskId }) => (taskId ? [taskId] : []))
    if (ids.length === 0) return
    try {
      await call(readCopies, { ids })
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
    await renewFlow(queries)
  }
  return (
    <WorkTable
      name="copy"
      title={t('flow.copies')}
      empty={t('flow.noCopies')}
      columns={columns}
      read={(asked, signal) => call(copyList, asked, { ...(signal ? { signal } : {}), silent: true })}
      onAct={(what, task) => {
        void mark([task])
        if (what === 'open') go(detailAddress(task))
      }}
      bulk={{ key: 'read', label: t('flow.markRead'), icon: 'check', run: mark }}
    />
  )
}
