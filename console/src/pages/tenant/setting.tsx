import type { tenant } from '@data-brain/contract'
import { setTenants } from '@data-brain/contract/calls/tenant'
import { useId, useMemo, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { DateBox } from '../../ui/date/box.tsx'
import { readTyped, tidyTyped } from '../../ui/date/read.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useT, useWords } from '../../ui/words.ts'
import { useTenantWork } from './work.ts'
import '../../ui/later-words.ts'

interface SettingProps {
  readonly rows: readonly ShownRow<typeof tenant>[]
  readonly onClose: () => void
  readonly onDone: () => void
}

const largest = 1_000_000
const largestStorage = 10_000_000

/** What all rows have, or undefined where they differ. */
const shared = <N extends 'expireTime' | 'accountNumber' | 'quotaStorageMb'>(
  rows: readonly ShownRow<typeof tenant>[],
  field: N,
): ShownRow<typeof tenant>[N] | undefined =>
  rows.every((row) => row[field] === rows[0]?.[field]) ? rows[0]?.[field] : undefined

/** A quota as it is typed: none, or a number. */
interface Limit {
  readonly unlimited: boolean
  readonly number: string
}

/** What is typed into the dialog. */
interface Typed {
  readonly accounts: Limit
  readonly storage: Limit
  readonly never: boolean
  readonly until: string | null
}

const limitOf = (stored: number | null | undefined): Limit => {
  const unlimited = (stored ?? -1) === -1
  return { unlimited, number: unlimited ? '' : String(stored) }
}
const numberOf = ({ unlimited, number }: Limit): number => (unlimited ? -1 : Number(number))
const isWrong = ({ unlimited, number }: Limit, most: number): boolean =>
  !unlimited && !(/^\d{1,8}$/.test(number.trim()) && Number(number) <= most)

function settingOf(rows: readonly ShownRow<typeof tenant>[]): Typed {
  const until = shared(rows, 'expireTime') || null
  return {
    accounts: limitOf(shared(rows, 'accountNumber')),
    storage: limitOf(shared(rows, 'quotaStorageMb')),
    never: until === null,
    until,
  }
}

interface QuotaProps {
  readonly label: string
  readonly value: Limit
  readonly error: string | undefined
  readonly onChange: (value: Limit) => void
}

/** A number, or no limit. */
function Quota({ label, value, error, onChange }: QuotaProps) {
  const t = useT()
  const boxId = useId()
  return (
    <div className="tenant-choice">
      <Field
        label={label}
        inputMode="numeric"
        autoComplete="off"
        value={value.number}
        disabled={value.unlimited}
        error={error}
        onChange={(event) => onChange({ ...value, number: event.target.value })}
      />
      <label className="check" htmlFor={boxId}>
        <input
          id={boxId}
          type="checkbox"
          aria-label={`${label} ${t('tenant.unlimited')}`}
          checked={value.unlimited}
          onChange={(event) => onChange({ ...value, unlimited: event.target.checked })}
        />
        {t('tenant.unlimited')}
      </label>
    </div>
  )
}

/** Quotas of accounts and storage and expiry, of one tenant or of many at once. */
export function SettingDialog({ rows, onClose, onDone }: SettingProps) {
  const t = useT()
  const pick = useWords()
  const begin = useMemo(() => settingOf(rows), [rows])
  const draft = useDialogDraft(`tenant-setting:${rows.map(({ id }) => id).join()}`, begin)
  const typed = draft.value ?? begin
  const put = (patch: Partial<Typed>) => draft.put({ ...typed, ...patch })
  const [checked, setChecked] = useState(false)
  const [left, setLeft] = useState(false)
  const work = useTenantWork(() => {
    draft.done()
    toast.success(t('spec.updated'))
    onDone()
  })
  const untilId = useId()
  const quotaWrong = isWrong(typed.accounts, largest)
  const storageWrong = isWrong(typed.storage, largestStorage)
  const until = typed.until === null ? null : readTyped('instant', typed.until)
  const untilFault =
    typed.never || (until && 'value' in until) ? '' : until ? pick(until.fault) : t('tenant.expiresEmpty')
  const isUntilWrong = untilFault !== '' && (checked || (left && until !== null))
  const save = () => {
    setChecked(true)
    if (quotaWrong || storageWrong || untilFault) return
    const ids = rows.map((row) => row.id)
    const [accountNumber, quotaStorageMb] = [numberOf(typed.accounts), numberOf(typed.storage)]
    // An empty time means never.
    const expireTime = typed.never || !until || 'fault' in until ? '' : until.value
    void work.run(() => call(setTenants, { ids, accountNumber, quotaStorageMb, expireTime }, { silent: true }))
  }
  const [first] = rows
  return (
    <Dialog
      title={
        rows.length === 1
          ? t('tenant.settingOne', { name: first?.tenantName ?? '' })
          : t('tenant.settingMany', { count: rows.length })
      }
      busy={work.busy}
      failure={work.failure}
      okText={t('common.save')}
      onClose={onClose}
      unsaved={draft.unsaved}
      onOk={save}
    >
      {rows.length > 1 && (
        <>
          <p className="dlg-note">{rows.map((row) => row.tenantName).join(t('entity.separator'))}</p>
          <p className="dlg-note">{t('tenant.settingOver')}</p>
        </>
      )}
      <Quota
        label={t('tenant.quota')}
        value={typed.accounts}
        error={checked && quotaWrong ? t('tenant.quotaWrong') : undefined}
        onChange={(accounts) => put({ accounts })}
      />
      <Quota
        label={t('tenant.storage')}
        value={typed.storage}
        error={checked && storageWrong ? t('tenant.storageWrong') : undefined}
        onChange={(storage) => put({ storage })}
      />
      <div className="tenant-choice">
        <div className="field">
          <label htmlFor={untilId}>{t('tenant.expires')}</label>
          <DateBox
            id={untilId}
            kind="instant"
            label={t('tenant.expires')}
            className="ff-full"
            disabled={typed.never}
            value={typed.until}
            aria-invalid={isUntilWrong || undefined}
            aria-describedby={isUntilWrong ? `${untilId}-note` : undefined}
            onChange={(next) => {
              put({ until: next })
              setLeft(false)
            }}
            onBlur={() => {
              if (typed.until !== null) put({ until: tidyTyped('instant', typed.until) })
              setLeft(true)
            }}
          />
          {isUntilWrong && (
            <p id={`${untilId}-note`} className="field-error">
              {untilFault}
            </p>
          )}
        </div>
        <label className="check">
          <input type="checkbox" checked={typed.never} onChange={(event) => put({ never: event.target.checked })} />
          {t('tenant.never')}
        </label>
      </div>
    </Dialog>
  )
}
