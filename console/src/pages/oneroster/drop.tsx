import { type DragEvent, useRef, useState } from 'react'
import { useT } from '../../ui/words.ts'

interface DropZoneProps {
  /** What is going on with the file that was chosen, in words; nothing is taken meanwhile. */
  busy: string
  onFile: (file: File) => void
}

/** Where an archive is dropped or chosen. */
export function DropZone({ busy, onFile }: DropZoneProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !busy) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button inside does the same
    <div
      className={over ? 'roster-drop over' : 'roster-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {busy ? (
        <p role="status">{busy}</p>
      ) : (
        <p>
          {t('oneroster.dropHere')}{' '}
          <button type="button" className="button" onClick={() => input.current?.click()}>
            {t('oneroster.choose')}
          </button>
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip,application/zip"
        aria-label={t('oneroster.choose')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file && !busy) onFile(file)
        }}
      />
      <p className="muted">{t('oneroster.limit')}</p>
    </div>
  )
}
