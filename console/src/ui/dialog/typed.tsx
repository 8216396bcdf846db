import { type ReactNode, useState } from 'react'
import { Field } from '../field.tsx'
import { useT } from '../words.ts'
import { Dialog } from './dialog.tsx'

interface TypedProps {
  readonly title: string
  readonly children: ReactNode
  /** What has to be typed before the button does anything. */
  readonly text: string
  readonly okText: string
  readonly busy: boolean
  readonly failure: string
  readonly onOk: () => void
  readonly onClose: () => void
}

/** Asks before what nobody can take back: the person types what it is about. */
export function TypedDialog({ title, children, text, okText, busy, failure, onOk, onClose }: TypedProps) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const right = typed.trim() === text
  return (
    <Dialog
      danger
      title={title}
      busy={busy}
      failure={failure}
      okText={okText}
      onClose={onClose}
      onOk={() => (right ? onOk() : setTried(true))}
    >
      {children}
      <Field
        label={t('dialog.typed', { text })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        required
        error={tried && !right ? t('dialog.notTyped', { text }) : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Dialog>
  )
}
