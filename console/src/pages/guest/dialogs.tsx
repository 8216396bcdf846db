import type { guest } from '@data-brain/contract'
import { approveGuest, refuseGuests } from '@data-brain/contract/calls/social'
import { useState } from 'react'
import { type ShownRow, useTask } from '../../entity/data/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { call } from '../../http/call.ts'
import { useCan } from '../../session/session.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useT } from '../../ui/words.ts'
import '../../entity/form/form-words.ts'

/** What goes wrong is said in the dialog. */
const silent = { silent: true }

interface ApproveProps {
  readonly guest: ShownRow<typeof guest>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** What the user that a registration asks for is made of: as was asked, with roles and departments to choose. */
export function ApproveDialog({ guest, onClose, onDone }: ApproveProps) {
  const t = useT()
  const can = useCan()
  const task = useTask()
  const [name, setName] = useState(guest.name)
  const [account, setAccount] = useState(guest.account)
  const [roleIds, setRoleIds] = useState<readonly string[]>([])
  const [deptIds, setDeptIds] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const empty = (label: string, value: string) =>
    tried && value.trim() === '' ? t('form.required', { label }) : undefined
  const save = async () => {
    setTried(true)
    if (!name.trim() || !account.trim()) return
    const wish = { id: guest.id, name: name.trim(), account: account.trim(), roleIds, deptIds }
    if (await task.run(async () => void (await call(approveGuest, wish, silent)))) onDone()
  }
  return (
    <Dialog
      title={t('guest.approveOf', { name: guest.name })}
      busy={task.busy}
      failure={task.failure}
      okText={t('guest.approve')}
      onOk={() => void save()}
      onClose={onClose}
    >
      <p className="dlg-note">{t('guest.note', { source: guest.source })}</p>
      <Field
        label={t('guest.name')}
        required
        autoComplete="off"
        maxLength={50}
        value={name}
        error={empty(t('guest.name'), name)}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label={t('guest.account')}
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={45}
        value={account}
        error={empty(t('guest.account'), account)}
        onChange={(event) => setAccount(event.target.value)}
      />
      {can('user_role') ? (
        <div className="field">
          <label htmlFor="guest-roles">{t('guest.roles')}</label>
          <ReferenceSelect
            id="guest-roles"
            label={t('guest.roles')}
            className="ff-full"
            to="role"
            most={20}
            value={roleIds}
            onChange={(value) => setRoleIds((value as string[] | null) ?? [])}
          />
        </div>
      ) : (
        <p className="dlg-note">{t('guest.noRoles')}</p>
      )}
      <div className="field">
        <label htmlFor="guest-depts">{t('guest.depts')}</label>
        <ReferenceSelect
          id="guest-depts"
          label={t('guest.depts')}
          className="ff-full"
          to="dept"
          most={20}
          value={deptIds}
          onChange={(value) => setDeptIds((value as string[] | null) ?? [])}
        />
      </div>
    </Dialog>
  )
}

interface RefuseProps {
  readonly guests: readonly ShownRow<typeof guest>[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Refuses registrations with a reason. */
export function RefuseDialog({ guests, onClose, onDone }: RefuseProps) {
  const t = useT()
  const task = useTask()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const refuse = async () => {
    setTried(true)
    if (!reason.trim()) return
    const ids = guests.map(({ id }) => id)
    if (await task.run(async () => void (await call(refuseGuests, { ids, reason: reason.trim() }, silent)))) onDone()
  }
  const [first] = guests
  return (
    <Dialog
      title={
        guests.length === 1
          ? t('guest.refuseOf', { name: first?.name ?? '' })
          : t('guest.refuseMany', { count: guests.length })
      }
      danger
      busy={task.busy}
      failure={task.failure}
      okText={t('guest.refuse')}
      onOk={() => void refuse()}
      onClose={onClose}
    >
      <Field
        label={t('guest.reason')}
        help={t('guest.reasonHelp')}
        required
        autoComplete="off"
        maxLength={200}
        value={reason}
        error={tried && !reason.trim() ? t('form.required', { label: t('guest.reason') }) : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  )
}
