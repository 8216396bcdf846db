import type { PageViews, SavedView } from '@data-brain/contract'
import { useId, useState } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'
import '../form/form-words.ts'

interface DialogProps {
  /** The view to be named anew; null for a new one. */
  readonly view: SavedView | null
  readonly roles: PageViews['roles']
  /** Rejects with the server's words. */
  readonly onSave: (name: string, roleId: string | null) => Promise<void>
  readonly onClose: () => void
}

/** Asks how a view is called, and with whom it is shared. */
export default function ViewDialog({ view, roles, onSave, onClose }: DialogProps) {
  const t = useT()
  const id = useId()
  const [name, setName] = useState(view?.name ?? '')
  const [roleId, setRole] = useState(view?.roleId ?? '')
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  // Somebody who holds the role no more still sees what the view is shared with.
  const offered =
    view?.roleId && !roles.some((role) => role.id === view.roleId)
      ? [...roles, { id: view.roleId, name: view.roleName ?? '' }]
      : roles
  const save = async () => {
    const wanted = name.trim()
    if (wanted === '') return setFailure(t('form.required', { label: t('view.name') }))
    setBusy(true)
    try {
      await onSave(wanted, roleId || null)
      onClose()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t(view ? 'view.rename' : 'view.save')}
      width={420}
      okText={t('form.save')}
      busy={busy}
      failure={failure}
      onOk={() => void save()}
      onClose={onClose}
    >
      <div>
        <label htmlFor={`${id}-name`}>{t('view.name')}</label>
        <input
          id={`${id}-name`}
          className="input"
          value={name}
          maxLength={50}
          autoComplete="off"
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {offered.length > 0 && (
        <div>
          <label htmlFor={`${id}-role`}>{t('view.share')}</label>
          <select id={`${id}-role`} className="input" value={roleId} onChange={(event) => setRole(event.target.value)}>
            <option value="">{t('view.private')}</option>
            {offered.map((role) => (
              <option key={role.id} value={role.id}>
                {role.name}
              </option>
            ))}
          </select>
          {roleId && <p className="dlg-note">{t('view.reader')}</p>}
        </div>
      )}
    </Dialog>
  )
}
