import { doneList } from '@data-brain/contract/calls/flow'
import { useMemo } from 'react'
import { call } from '../../../http/call.ts'
import { flowWords } from '../../../locales/flow.ts'
import { go } from '../../../ui/place.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { useCategories, useInstanceStates } from '../categories.ts'
import { detailAddress } from '../places.ts'
import { columnsIn } from './columns.tsx'
import { WorkTable } from './list.tsx'

addWords(flowWords)

/** What one has decided, and what has become of it. */
export default function DonePage() {
  const t = useT()
  const category = useCategories()
  const state = useInstanceStates()
  const columns = useMemo(() => {
    const all = columnsIn(t, category, state)
    return [
      ...[all.title, all.serialNo, all.process, all.category, all.applicant, all.step],
      ...[all.decision, all.comment, all.endTime, all.state],
    ]
  }, [t, category, state])
  return (
    <WorkTable
      name="done"
      title={t('flow.done')}
      empty={t('flow.nothingDone')}
      columns={columns}
      read={(asked, signal) => call(doneList, asked, { ...(signal ? { signal } : {}), silent: true })}
      onAct={(_what, task) => go(detailAddress(task))}
    />
  )
}
