import { useState } from 'react'
import { reasonWords } from '../../locales/reason.ts'
import type { GivenReason } from '../../session/read-reason-store.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { addWords, useT } from '../../ui/words.ts'
import '../form/form-words.ts'

addWords(reasonWords)

interface ReasonProps {
  /** Whether it is about one child. */
  readonly isOne: boolean
  readonly onAnswer: (given: GivenReason | undefined) => void
}

/** Asks why somebody looks at children's records, where their tenant wants to know. */
export default function ReasonDialog({ isOne, onAnswer }: ReasonProps) {
  const t = useT()
  const [reason, setReason] = useState('')
  const [forAll, setForAll] = useState(false)
  const [tried, setTried] = useState(false)
  const said = reason.trim()
  const title = isOne ? t('reason.title') : t('reason.all')
  return (
    <Dialog
      title={title}
      onClose={() => onAnswer(undefined)}
      onOk={() => {
        setTried(true)
        if (said) onAnswer({ reason: said, forAll })
      }}
    >
      <Field
        label={t('reason.label')}
        help={t('reason.help')}
        required
        autoComplete="off"
        maxLength={200}
        value={reason}
        error={tried && !said ? t('form.required', { label: t('reason.label') }) : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
      <label className="check">
        <input type="checkbox" checked={forAll} onChange={(event) => setForAll(event.target.checked)} />{' '}
        {t('reason.forAll')}
      </label>
    </Dialog>
  )
}
