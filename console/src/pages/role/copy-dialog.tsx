import type { role } from '@data-brain/contract'
import { copyRole } from '@data-brain/contract/calls/role'
import { useId } from 'react'
import { type SavedRow, type ShownRow, useTask } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'

interface CopyProps {
  readonly role: ShownRow<typeof role>
  readonly names: readonly string[]
  readonly onClose: () => void
  readonly onDone: (made: SavedRow<ShownRow<typeof role>>) => void
}

/** Makes another role with the same rights: only its name is asked, and one is proposed. */
export function CopyDialog({ role, names, onClose, onDone }: CopyProps) {
  const t = useT()
  const task = useTask()
  const id = useId()
  const name = role.roleName
  let proposed = t('role.copyName', { name })
  for (let number = 2; names.includes(proposed); number += 1) proposed = t('role.copyNameOf', { name, number })
  const draft = useDialogDraft(`role-copy:${role.id}`, proposed)
  const roleName = (draft.value ?? '').trim()
  const save = () =>
    task.run(async () => {
      let requestId: string | undefined
      const numbered = (number: string) => {
        requestId = number
      }
      const row = await call(copyRole, { id: role.id, roleName }, { silent: true, numbered })
      draft.done()
      onDone({ row, requestId })
    })
  return (
    <Dialog
      title={t('role.copyOf', { name })}
      width={440}
      busy={task.busy}
      failure={task.failure || (roleName === '' ? t('role.nameNeeded') : '')}
      okText={t('role.copy')}
      onOk={() => void (roleName !== '' && save())}
      onClose={onClose}
      unsaved={draft.unsaved}
    >
      <p className="dlg-note">{t('role.copyNote')}</p>
      <label className="role-copy" htmlFor={id}>
        {t('role.name')}
        <input
          id={id}
          className="input"
          autoComplete="off"
          maxLength={40}
          value={draft.value ?? ''}
          onChange={(event) => draft.put(event.target.value)}
        />
      </label>
    </Dialog>
  )
}
