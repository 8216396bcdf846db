import { leave } from '@data-brain/contract'
import { cancelLeave, type LeaveDetail, leaveBack, leaveDetail } from '@data-brain/contract/calls/leave'
import { leaveStates } from '@data-brain/contract/rules/leave'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { StatusTag, textOf, useCellWords } from '../../../entity/display/index.ts'
import { QueryStates } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { entityWords } from '../../../locales/entity.ts'
import { leaveWords } from '../../../locales/leave.ts'
import { useCan } from '../../../session/session.ts'
import { askConfirmation } from '../../../ui/confirm.tsx'
import { Link } from '../../../ui/place.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { FileList } from '../files.tsx'
import { FilesInput } from '../form/inputs.tsx'
import { flowKey, renewFlow } from '../queries.ts'
import type { BusinessPart } from '../task/business.ts'
import { Missed } from './missed.tsx'
import '../form/facts.css'
import './leave.css'

addWords({ ...entityWords, ...leaveWords })

/** What a leave asks, beside the way of its process: who is away, when and why, and what is missed by that. */
export default function LeavePart({ detail }: BusinessPart) {
  const id = detail.businessId ?? ''
  const found = useQuery({
    queryKey: [...flowKey, 'leave', id],
    queryFn: ({ signal }) => call(leaveDetail, { businessId: id }, { signal, silent: true }),
    enabled: id !== '',
    retry: false,
  })
  return (
    <div className="flow-card-box">
      <QueryStates query={found}>{(row) => <Facts row={row} />}</QueryStates>
    </div>
  )
}

const minute = (instant: string | null): string => (instant ?? '').slice(0, 16)

function Facts({ row }: { row: LeaveDetail }) {
  const t = useT()
  const can = useCan()
  const words = useCellWords(leave)
  const isStaff = row.userId !== null
  const fact = (label: string, value: ReactNode, wide = false) =>
    value ? (
      <div className={wide ? 'flow-wide' : undefined}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ) : null
  const open = row.missed.filter(({ isCovered }) => !isCovered)
  return (
    <>
      <dl className="flow-facts">
        {fact(t('leave.person'), [row.personName, row.className].filter(Boolean).join(t('flow.separator')))}
        {fact(t('leave.type'), textOf(leave.fields.leaveType, row.leaveType, words))}
        {fact(t('leave.time'), <Span from={minute(row.startTime)} until={minute(row.endTime)} />)}
        {fact(t('leave.length'), row.days === null ? null : t('leave.days', { count: row.days }))}
        <div>
          <dt>{t('leave.state')}</dt>
          <dd>
            <StatusTag value={row.status} status={leave.status!} words={words} />
          </dd>
        </div>
        {fact(t('leave.reason'), row.reason, true)}
        {fact(t('leave.pickup'), row.pickupName)}
        {fact(t('leave.pass'), Number(row.status) === leaveStates.approved && row.guardPassNo)}
        {fact(t('leave.backAt'), minute(row.backTime))}
        {fact(t('leave.plan'), row.substitutePlan, true)}
        {row.files.length > 0 && (
          <div className="flow-wide">
            <dt>{t('leave.files')}</dt>
            <dd>
              <FileList files={row.files} />
            </dd>
          </div>
        )}
        {row.missed.length > 0 && (
          <div className="flow-wide">
            <dt>{t('leave.lessons', { count: row.lessons ?? row.missed.length })}</dt>
            <dd>
              <Missed lessons={row.missed} withCover={isStaff} />
              {isStaff && open.length > 0 && can('coverdesk') && (
                <Link to={`/school/cover?date=${open[0]!.date}`}>{t('leave.toCover')}</Link>
              )}
            </dd>
          </div>
        )}
      </dl>
      {row.needsProof && row.files.length === 0 && <p className="muted">{t('leave.needsProof')}</p>}
      {(row.may.back || row.may.cancel) && <Ending row={row} />}
    </>
  )
}

/** From when until when: a line ends between the two and never within one of them. */
function Span({ from, until }: { readonly from: string; readonly until: string }) {
  const t = useT()
  return (
    <>
      <span className="leave-moment">{from}</span>{' '}
      <span className="leave-moment">{t('leave.spanUntil', { until })}</span>
    </>
  )
}

/** What ends a leave that was approved: a return, or that it is called off. */
function Ending({ row }: { row: LeaveDetail }) {
  const t = useT()
  const queries = useQueryClient()
  const [files, setFiles] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const mustProve = row.needsProof && row.files.length === 0
  const act = async (title: string, body: string | undefined, send: () => Promise<unknown>, done: string) => {
    if (!(await askConfirmation({ title, ...(body ? { body, danger: true } : {}) }))) return
    setBusy(true)
    try {
      await send()
      toast.success(done)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
    await renewFlow(queries)
  }
  const name = row.personName
  return (
    <div className="leave-ending">
      {row.may.back && mustProve && <FilesInput ids={files} onIds={setFiles} />}
      {row.may.back && (
        <button
          type="button"
          className="button small"
          disabled={busy || (mustProve && files.length === 0)}
          title={mustProve && files.length === 0 ? t('leave.proofFirst') : undefined}
          onClick={() =>
            void act(
              t('leave.backAsk', { name }),
              undefined,
              () => call(leaveBack, { businessId: row.id, ...(files.length > 0 ? { attachIds: files } : {}) }),
              t('leave.backDone'),
            )
          }
        >
          {t('leave.back')}
        </button>
      )}
      {row.may.cancel && (
        <button
          type="button"
          className="button small quiet"
          disabled={busy}
          onClick={() =>
            void act(
              t('leave.cancelAsk', { name }),
              t('leave.cancelWhat'),
              () => call(cancelLeave, { businessId: row.id }),
              t('leave.cancelled'),
            )
          }
        >
          {t('leave.cancel')}
        </button>
      )}
    </div>
  )
}
