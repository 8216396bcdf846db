import { type mail, rules } from '@data-brain/contract'
import { sendTestMail } from '@data-brain/contract/calls/mail'
import { useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { mailWords } from '../../locales/mail.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useT, useWords } from '../../ui/words.ts'

interface TestProps {
  readonly service: ShownRow<typeof mail>
  readonly onClose: () => void
  readonly onSent: () => void
}

/** Sends one mail by one service, enabled or not, and says what became of it. */
export function TestDialog({ service, onClose, onSent }: TestProps) {
  const t = useT()
  const pick = useWords()
  const [to, setTo] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [told, setTold] = useState('')
  const wrong = to === '' ? mailWords['mail.toEmpty'] : rules.email.check(to)
  const submit = async () => {
    setTried(true)
    if (wrong) return
    setBusy(true)
    setFailure('')
    setTold('')
    try {
      const { ok, message } = await call(sendTestMail, { id: service.id, to }, { silent: true })
      if (ok === 1) setTold(message)
      else setFailure(message)
      onSent()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('mail.testOf', { name: service.mailCode })}
      busy={busy}
      failure={failure}
      okText={t(told ? 'mail.sendAgain' : 'mail.send')}
      cancelText={told ? t('common.close') : undefined}
      onClose={onClose}
      onOk={() => void submit()}
    >
      <p className="dlg-note">{t('mail.testNote')}</p>
      <Field
        label={t('mail.to')}
        inputMode="email"
        autoComplete="email"
        maxLength={100}
        required
        value={to}
        error={tried && wrong ? pick(wrong) : undefined}
        onChange={(event) => {
          setTo(event.target.value.trim())
          setFailure('')
          setTold('')
        }}
      />
      <section className={told ? 'sending-result' : undefined} aria-label={t('mail.result')} aria-live="polite">
        {told && (
          <>
            <h2>{t('mail.result')}</h2>
            <p>{told}</p>
          </>
        )}
      </section>
    </Dialog>
  )
}
