import { useRef } from 'react'
import { Icon } from '../icon.tsx'
import { useT } from '../words.ts'
import { copyText } from './copy.ts'
import { Dialog } from './dialog.tsx'

/** One line of what is told; a secret one stands out and is set so that its letters cannot be mistaken. */
export interface ToldOnceLine {
  readonly key: string
  readonly label: string
  readonly value: string
  readonly secret?: boolean
}

interface OnceProps {
  readonly title: string
  readonly note?: string
  readonly told: readonly ToldOnceLine[]
  readonly onClose: () => void
}

/** Tells secrets that the server tells once: passwords, client secrets. Only its button closes it. */
export function OnceDialog({ title, note, told, onClose }: OnceProps) {
  const t = useT()
  const list = useRef<HTMLDListElement>(null)
  const all = told.map(({ label, value }) => `${label}: ${value}`).join('\n')
  return (
    <Dialog
      firm
      title={title}
      width={600}
      onClose={onClose}
      onOk={onClose}
      okText={t('dialog.done')}
      more={
        <button type="button" className="button" onClick={() => void copyText(all, list.current)}>
          <Icon name="copy" size={16} />
          {t('dialog.copyAll')}
        </button>
      }
    >
      <p className="alert" role="status">
        {t('dialog.once')}
      </p>
      {note && <p className="dlg-note">{note}</p>}
      <dl className="once dlg-list" ref={list}>
        {told.map(({ key, label, value, secret }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd className={secret ? 'once-secret' : undefined}>{value}</dd>
            <dd>
              <button
                type="button"
                className="button"
                aria-label={t('dialog.copyOf', { label })}
                onClick={() => void copyText(value, list.current)}
              >
                {t('dialog.copy')}
              </button>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
