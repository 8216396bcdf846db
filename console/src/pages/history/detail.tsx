import { codeOf, type Entity, entities } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { recordedChange } from '@data-brain/contract/calls/history'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import { takeBack, useEntity, useOwnFields } from '../../entity/data/index.ts'
import { isRestorable, restoreVersion } from '../../entity/detail/index.ts'
import { Changes, useCellWords } from '../../entity/display/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { useCan, useSession } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { timeOf } from '../../ui/instant.ts'
import { useT } from '../../ui/words.ts'
import { ActionTag, nameOf } from './columns.tsx'
import '../../entity/form/form-words.ts'

interface DetailProps {
  readonly id: string
  readonly onClose: () => void
  /** Something was put back: what is shown is not the newest any more. */
  readonly onDone: () => void
}

/** One change over the list: who, when, what became of each field, and the ways back. */
export function ChangeDetail({ id, onClose, onDone }: DetailProps) {
  const t = useT()
  const found = useQuery({
    queryKey: ['records', 'change', id],
    queryFn: ({ signal }) => call(recordedChange, { id }, { signal, silent: true }),
    staleTime: 0,
    retry: false,
  })
  const changed = found.data
  const own = useOwnFields()
  const known = entities.find(({ name }) => name === changed?.entity)
  const entity = known && own(known)
  return (
    <Drawer
      open
      closable={{ placement: 'end' }}
      size="min(720px, 100%)"
      title={changed ? `${changed.entityName} · ${nameOf(changed, t)}` : '…'}
      onClose={onClose}
    >
      {found.isError ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : !changed ? (
        <p className="detail-wait">{t('table.loading')}</p>
      ) : (
        <div className="detail-body">
          <dl className="detail-list">
            <Told label={t('changes.time')}>
              <time className="mono">{changed.time}</time>
            </Told>
            <Told label={t('changes.person')}>{changed.userName || t('detail.machine')}</Told>
            <Told label={t('changes.action')}>
              <ActionTag action={changed.action} t={t} />
            </Told>
            <Told label={t('changes.request')}>
              <span className="mono">{changed.requestId ?? '—'}</span>
            </Told>
          </dl>
          {entity && <Body entity={entity} changed={changed} onDone={onDone} />}
        </div>
      )}
    </Drawer>
  )
}

function Told({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const dayMs = 86_400_000

function Body({
  entity,
  changed,
  onDone,
}: {
  entity: Entity
  changed: AnswerOf<typeof recordedChange>
  onDone: () => void
}) {
  const t = useT()
  const client = useEntity(entity)
  const can = useCan()
  const me = useSession()?.userId
  const [busy, setBusy] = useState(false)
  const words = useCellWords(entity)
  const { action, requestId, rowId, userId } = changed
  const time = changed.time.slice(0, 16)
  const run = async (work: () => Promise<boolean>) => {
    setBusy(true)
    const done = await work().finally(() => setBusy(false))
    if (done) onDone()
  }
  const undo = async () => {
    const sure = await askConfirmation({
      title: t('changes.undoAsk'),
      body: t('changes.undoBody', { who: changed.userName || t('detail.machine'), time }),
      danger: true,
      okText: t('changes.undo'),
    })
    return sure && takeBack(requestId!, client.undo, t)
  }
  const isGrant = action === 'grant'
  const mayRestore = !isGrant && isRestorable(entity) && (can(codeOf(entity, 'edit')) || can(codeOf(entity, 'add')))
  const recent = Date.now() - timeOf(changed.time) < dayMs
  const mayUndo =
    !isGrant &&
    requestId !== null &&
    entity.ownership !== 'platform' &&
    (can('history_undo') || (userId === me && recent))
  return (
    <>
      {changed.changes.length > 0 ? (
        <div className="history">
          <Changes entity={entity} changes={changed.changes} words={words} />
        </div>
      ) : (
        <p className="detail-wait">{t('changes.noFields')}</p>
      )}
      <p className="change-buttons">
        {mayRestore && (
          <button
            type="button"
            className="button"
            disabled={busy}
            onClick={() =>
              void run(() => restoreVersion(client, rowId, { id: changed.id, time: changed.time, action }, t))
            }
          >
            {t('detail.restoreTo')}
          </button>
        )}
        {mayUndo && changed.imported === 0 && (
          <button type="button" className="button" disabled={busy} onClick={() => void run(undo)}>
            {t('changes.undo')}
          </button>
        )}
        {isGrant && <span className="muted">{t('detail.grantStays')}</span>}
        {changed.imported === 1 && <span className="muted">{t('changes.imported')}</span>}
      </p>
    </>
  )
}
