import { type FormEvent, useState } from 'react'
import { lockWords } from '../locales/lock.ts'
import { lock, lockAgain } from '../session/lock.ts'
import { keptVerifier } from '../session/lock-state.ts'
import { Field } from '../ui/field.tsx'
import { Modal } from '../ui/modal.tsx'
import { addWords, useT } from '../ui/words.ts'
import { closeDialog } from './dialogs.tsx'
import '../ui/later-words.ts'

addWords(lockWords)

/** Asks for the password that will unlock again. */
export default function LockDialog() {
  const t = useT()
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (password === '') return
    void lock(password)
  }
  return (
    <Modal title={t('lock.dialog')} onClose={closeDialog}>
      <form noValidate onSubmit={submit}>
        <Field
          label={t('lock.password')}
          type="password"
          name="lock-password"
          autoComplete="off"
          data-focus
          required
          maxLength={128}
          value={password}
          help={t('lock.passwordHelp')}
          error={tried && password === '' ? t('spec.lockEmpty') : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className="dialog-foot">
          {keptVerifier() && (
            <button type="button" className="button more" onClick={() => void lockAgain()}>
              {t('lock.again')}
            </button>
          )}
          <button type="button" className="button" onClick={closeDialog}>
            {t('common.cancel')}
          </button>
          <button type="submit" className="button primary">
            {t('lock.lock')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
