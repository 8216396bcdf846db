import type { tenant } from '@data-brain/contract'
import { removeTenants } from '@data-brain/contract/calls/tenant'
import { useState } from 'react'
import { JobProgress, type JobView, type ShownRow } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { TypedDialog } from '../../ui/dialog/typed.tsx'
import { toast } from '../../ui/toast.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { type Certificate, purgeAndFollow } from './calls.ts'
import { useTenantWork } from './work.ts'

interface RemoveProps {
  readonly rows: readonly ShownRow<typeof tenant>[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Deleting a tenant begins its grace period; its name is typed, or how many there are. */
export function RemoveDialog({ rows, onClose, onDone }: RemoveProps) {
  const t = useT()
  const work = useTenantWork(() => {
    toast.success(t('tenant.removed'))
    onDone()
  })
  const name = String(rows[0]?.tenantName)
  return (
    <TypedDialog
      title={rows.length === 1 ? t('tenant.removeOne', { name }) : t('tenant.removeMany', { count: rows.length })}
      text={rows.length === 1 ? name : String(rows.length)}
      okText={t('entity.delete')}
      busy={work.busy}
      failure={work.failure}
      onClose={onClose}
      onOk={() => void work.run(() => call(removeTenants, { ids: rows.map((row) => row.id) }, { silent: true }))}
    >
      {rows.length > 1 && <p>{rows.map((row) => row.tenantName).join(t('entity.separator'))}</p>}
      <p className="dlg-note">{t('tenant.removeBody')}</p>
    </TypedDialog>
  )
}

interface PurgeProps {
  readonly row: ShownRow<typeof tenant>
  readonly onClose: () => void
  readonly onPurged: (certificate: Certificate) => void
}

/** The last step: the code is typed, and what was deleted is shown. */
export function PurgeDialog({ row, onClose, onPurged }: PurgeProps) {
  const t = useT()
  const code = row.tenantId
  const work = useTenantWork(() => {})
  const number = new Intl.NumberFormat(useLanguage())
  const [job, setJob] = useState<JobView<Certificate> | null>(null)
  const [keepBuckets, setKeepBuckets] = useState(false)
  const begin = async () => onPurged(await purgeAndFollow(row.id, code, keepBuckets, setJob))
  const counts = Object.values(job?.result?.rows ?? {}).filter((count) => count > 0)
  const figures =
    counts.length > 0
      ? t('job.tables', { rows: number.format(counts.reduce((sum, count) => sum + count, 0)), count: counts.length })
      : undefined
  return (
    <TypedDialog
      title={t('tenant.purgeOne', { name: `${row.tenantName} (${code})` })}
      text={code}
      okText={t('tenant.purge')}
      busy={work.busy}
      failure={work.failure}
      onClose={onClose}
      onOk={() => void work.run(begin)}
    >
      <p className="dlg-note">{t('tenant.purgeBody')}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={keepBuckets}
          disabled={work.busy}
          onChange={(event) => setKeepBuckets(event.target.checked)}
        />
        {t('tenant.purgeKeepBuckets')}
      </label>
      {work.busy && <JobProgress label={t('tenant.purge')} job={job} figures={figures} />}
    </TypedDialog>
  )
}
