import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import type { Shown } from '../../entity/calls.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { setTenants } from './calls.ts'
import { useTenantWork } from './work.ts'

interface SettingProps {
  readonly rows: readonly Shown[]
  readonly onClose: () => void
  readonly onDone: () => void
}

const largest = 1_000_000

/** What all rows have, or undefined where they differ. */
const shared = (rows: readonly Shown[], field: string): unknown =>
  rows.every((row) => row[field] === rows[0]?.[field]) ? rows[0]?.[field] : undefined

/** Account quota and expiry, of one tenant or of many at once. */
export function SettingDialog({ rows, onClose, onDone }: SettingProps) {
  const t = useT()
  const quota = shared(rows, 'accountNumber')
  const expiry = shared(rows, 'expireTime')
  const [unlimited, setUnlimited] = useState(Number(quota ?? -1) === -1)
  const [number, setNumber] = useState(unlimited ? '' : String(quota))
  const [never, setNever] = useState(typeof expiry !== 'string' || expiry === '')
  const [until, setUntil] = useState<Dayjs | null>(never ? null : dayjs(String(expiry)))
  const [checked, setChecked] = useState(false)
  const work = useTenantWork(() => {
    toast.success(t('spec.updated'))
    onDone()
  })
  const untilId = useId()
  const isWhole = /^\d{1,7}$/.test(number.trim()) && Number(number) <= largest
  const quotaWrong = !unlimited && !isWhole
  const untilWrong = !never && until === null
  const save = () => {
    setChecked(true)
    if (quotaWrong || untilWrong) return
    const ids = rows.map((row) => row.id)
    const expireTime = never ? null : until!.second(0).format('YYYY-MM-DD HH:mm:ss')
    void work.run(() => setTenants(ids, unlimited ? -1 : Number(number), expireTime))
  }
  const [first] = rows
  return (
    <Dialog
      title={
        rows.length === 1
          ? t('tenant.settingOne', { name: String(first?.tenantName) })
          : t('tenant.settingMany', { count: rows.length })
      }
      busy={work.busy}
      failure={work.failure}
      okText={t('common.save')}
      onClose={onClose}
      onOk={save}
    >
      {rows.length > 1 && (
        <>
          <p className="dlg-note">{rows.map((row) => String(row.tenantName)).join(t('entity.separator'))}</p>
          <p className="dlg-note">{t('tenant.settingOver')}</p>
        </>
      )}
      <div className="tenant-choice">
        <Field
          label={t('tenant.quota')}
          inputMode="numeric"
          autoComplete="off"
          value={number}
          disabled={unlimited}
          error={checked && quotaWrong ? t('tenant.quotaWrong') : undefined}
          onChange={(event) => setNumber(event.target.value)}
        />
        <label className="check">
          <input type="checkbox" checked={unlimited} onChange={(event) => setUnlimited(event.target.checked)} />
          {t('tenant.unlimited')}
        </label>
      </div>
      <div className="tenant-choice">
        <div className="field">
          <label htmlFor={untilId}>{t('tenant.expires')}</label>
          <DatePicker
            id={untilId}
            className="ff-full"
            showTime={{ format: 'HH:mm' }}
            format="YYYY-MM-DD HH:mm"
            disabled={never}
            value={until}
            status={checked && untilWrong ? 'error' : undefined}
            aria-describedby={checked && untilWrong ? `${untilId}-note` : undefined}
            onChange={setUntil}
          />
          {checked && untilWrong && (
            <p id={`${untilId}-note`} className="field-error">
              {t('tenant.expiresEmpty')}
            </p>
          )}
        </div>
        <label className="check">
          <input type="checkbox" checked={never} onChange={(event) => setNever(event.target.checked)} />
          {t('tenant.never')}
        </label>
      </div>
    </Dialog>
  )
}
