import { flowinstance } from '@data-brain/contract'
import { deleteInstance, retryInstance } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useId, useMemo, useState } from 'react'
import { refresh, type ShownRow } from '../../../entity/data/index.ts'
import { EntityPage, type OffersAction, type RowAction } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { flowManageWords } from '../../../locales/flow-manage.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { go } from '../../../ui/place.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { instanceStates } from '../categories.ts'
import { HistoryView } from '../history/index.ts'
import { detailAddress } from '../places.ts'
import '../manage.css'
import '../../../ui/later-words.ts'

addWords(flowManageWords)

type Instance = ShownRow<typeof flowinstance>

const isOpen = ({ state }: Pick<Instance, 'state'>): boolean =>
  state === instanceStates.running || state === instanceStates.incident

const offers: OffersAction<typeof flowinstance> = (row, action) => {
  if (action === 'retry') return row.state === instanceStates.incident
  if (action === 'end') return isOpen(row)
  // Its own words say what is done with one: it is ended, and stays in the list.
  return action !== 'delete'
}

/** Where it stands and how it came there: a drawing, and the same in words. */
function Top({ record }: { readonly record: Instance }) {
  return (
    <Suspense fallback={null}>
      <HistoryView processInstanceId={record.id} />
    </Suspense>
  )
}
const slots = { recordTop: Top }

/** What is asked before instances are ended, and who waits for the answer. */
interface Ending {
  readonly rows: readonly Instance[]
  readonly answer: () => void
}

/** All that runs and has run: where each stands, and what helps it on. */
export default function InstancesPage() {
  const t = useT()
  const queries = useQueryClient()
  const [ending, setEnding] = useState<Ending | null>(null)
  const retry = useCallback(
    async (row: Instance) => {
      try {
        await call(retryInstance, { processInstanceId: row.id })
        toast.success(t('flowManage.retried', { name: row.title }))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, flowinstance.name)
    },
    [t, queries],
  )
  const actions: readonly RowAction<typeof flowinstance>[] = useMemo(
    () => [
      {
        key: 'look',
        label: t('flowManage.look'),
        icon: 'scroll-text',
        run: ({ id }) => go(detailAddress({ processInstanceId: id, formKey: null, businessId: null })),
      },
      {
        key: 'retry',
        label: t('flowManage.retry'),
        icon: 'refresh-cw',
        code: 'flowinstance_retry',
        run: (row) => void retry(row),
      },
      {
        key: 'end',
        label: t('flowManage.end'),
        icon: 'circle-x',
        code: 'flowinstance_delete',
        danger: true,
        run: (row) => setEnding({ rows: [row], answer: () => {} }),
      },
    ],
    [t, retry],
  )
  const bulk = useMemo(
    () => ({
      removal: (rows: readonly Instance[]) =>
        new Promise<readonly string[] | null>((answer) =>
          setEnding({ rows: rows.filter(isOpen), answer: () => answer(null) }),
        ),
    }),
    [],
  )
  const close = () => {
    ending?.answer()
    setEnding(null)
  }
  return (
    <>
      <EntityPage
        entity={flowinstance}
        rowActions={actions}
        offers={offers}
        bulk={bulk}
        form={{ noAdd: true }}
        slots={slots}
      />
      {ending && <EndDialog rows={ending.rows} onClose={close} />}
    </>
  )
}

interface EndProps {
  readonly rows: readonly Instance[]
  readonly onClose: () => void
}

/** Ends instances for a reason that the applicant reads; each that cannot be says why, and the others are ended. */
function EndDialog({ rows, onClose }: EndProps) {
  const t = useT()
  const id = useId()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const end = async () => {
    if (reason.trim() === '') return setFailure(t('flowManage.reasonNeeded'))
    setBusy(true)
    const failed: string[] = []
    for (const row of rows) {
      try {
        await call(deleteInstance, { processInstanceId: row.id, deleteReason: reason.trim() }, { silent: true })
      } catch (problem) {
        if (!(problem instanceof HttpProblem)) throw problem
        failed.push(t('flowManage.notEnded', { name: row.title, reason: problem.message }))
      }
    }
    await refresh(queries, flowinstance.name)
    setBusy(false)
    if (failed.length > 0) return setFailure(failed.join('\n'))
    toast.success(t('flowManage.ended', { count: rows.length }))
    onClose()
  }
  if (rows.length === 0)
    return (
      <Dialog title={t('flowManage.end')} onClose={onClose}>
        <p>{t('flowManage.noneRuns')}</p>
      </Dialog>
    )
  return (
    <Dialog
      danger
      title={
        rows.length === 1
          ? t('flowManage.endAsk', { name: rows[0]!.title })
          : t('flowManage.endSeveral', { count: rows.length })
      }
      okText={t('flowManage.end')}
      busy={busy}
      failure={failure}
      onOk={() => void end()}
      onClose={onClose}
    >
      <p>{t('flowManage.endText')}</p>
      <div className="field">
        <label htmlFor={id}>{t('flowManage.reason')}</label>
        <textarea
          id={id}
          className="input"
          rows={3}
          maxLength={500}
          aria-required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </Dialog>
  )
}
