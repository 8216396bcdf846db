import { user } from '@data-brain/contract'
import { type QualityFinding, qualityAssign, qualityIgnore } from '@data-brain/contract/calls/quality'
import { reasonMost } from '@data-brain/contract/quality'
import { type FormEvent, useState } from 'react'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { call } from '../../http/call.ts'
import { useDoubts } from '../../ui/date/doubts.ts'
import { DateEntry } from '../../ui/date/entry.tsx'
import { Field } from '../../ui/field.tsx'
import { Modal } from '../../ui/modal.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

interface DecideProps {
  readonly row: QualityFinding
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Sends what was decided; what the server refuses is told by the call itself, and the dialog stays. */
function useSending({ onClose, onDone }: Pick<DecideProps, 'onClose' | 'onDone'>) {
  const [busy, setBusy] = useState(false)
  const send = async (work: () => Promise<unknown>, told: string) => {
    setBusy(true)
    try {
      await work()
      toast.success(told)
      onClose()
      onDone()
    } catch {
      setBusy(false)
    }
  }
  return { busy, send }
}

/** Asks for the reason for which a finding is ignored. */
export function IgnoreDialog({ row, onClose, onDone }: DecideProps) {
  const t = useT()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const { busy, send } = useSending({ onClose, onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!reason.trim()) {
      setMissing(true)
      return
    }
    const { check, id } = row
    void send(() => call(qualityIgnore, { check, id, ignored: 1, reason: reason.trim() }), t('quality.isIgnored'))
  }
  return (
    <Modal title={t('quality.ignoreOf', { name: row.title })} onClose={onClose}>
      <form className="quality-form" onSubmit={submit} noValidate>
        <Field
          label={t('quality.reason')}
          help={t('quality.reasonHelp')}
          {...(missing && !reason.trim() ? { error: t('quality.reasonMissing') } : {})}
          required
          data-focus="true"
          maxLength={reasonMost}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="quality-decide">
          <button type="button" className="button" onClick={onClose}>
            {t('quality.cancel')}
          </button>
          <button type="submit" className="button primary" disabled={busy}>
            {t('quality.save')}
          </button>
        </div>
      </form>
    </Modal>
  )
}

/** Asks who puts a finding right, and by when. */
export function AssignDialog({ row, onClose, onDone }: DecideProps) {
  const t = useT()
  const [ownerId, setOwner] = useState<string | null>(row.ownerId)
  const [dueDay, setDue] = useState(row.dueDay)
  const doubts = useDoubts()
  const { busy, send } = useSending({ onClose, onDone })
  const { check, id } = row
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ownerId || doubts.any) return
    void send(() => call(qualityAssign, { check, id, ownerId, ...(dueDay ? { dueDay } : {}) }), t('quality.isAssigned'))
  }
  return (
    <Modal title={t('quality.assignOf', { name: row.title })} onClose={onClose}>
      <form className="quality-form" onSubmit={submit} noValidate>
        <div className="field">
          <span aria-hidden="true">{t('quality.owner')}</span>
          <ReferenceSelect
            to={user.name}
            label={t('quality.owner')}
            placeholder={t('quality.owner')}
            value={ownerId}
            names={row.ownerId && row.owner ? { [row.ownerId]: row.owner } : {}}
            onChange={(next) => setOwner(typeof next === 'string' && next ? next : null)}
          />
        </div>
        <div className="field">
          <span aria-hidden="true">{t('quality.due')}</span>
          <DateEntry kind="date" label={t('quality.due')} value={dueDay} onDoubt={doubts.of('due')} onValue={setDue} />
        </div>
        <div className="quality-decide">
          {row.ownerId && (
            <button
              type="button"
              className="button"
              disabled={busy}
              onClick={() => void send(() => call(qualityAssign, { check, id }), t('quality.isUnassigned'))}
            >
              {t('quality.unassign')}
            </button>
          )}
          <button type="button" className="button" onClick={onClose}>
            {t('quality.cancel')}
          </button>
          <button type="submit" className="button primary" disabled={busy || !ownerId}>
            {t('quality.save')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
