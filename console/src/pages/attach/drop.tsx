import { type DragEvent, type RefObject, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { sizeText } from '../../ui/size.ts'
import { type Translate, useT } from '../../ui/words.ts'
import type { UploadItem, UploadQueue } from './uploads.ts'

interface DropProps {
  readonly uploads: UploadQueue
  /** The field that the page's upload button opens as well. */
  readonly input: RefObject<HTMLInputElement | null>
}

/** Where files are dropped or chosen, and how far each of them is. */
export function UploadZone({ uploads, input }: DropProps) {
  const t = useT()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    uploads.add(event.dataTransfer.files)
  }
  const { items } = uploads
  const ended = items.some(({ state }) => state !== 'waiting' && state !== 'sending')
  return (
    <section className="attach-uploads" aria-label={t('attach.upload')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button inside does the same */}
      <div
        className={over ? 'attach-drop over' : 'attach-drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <span>
          {t('attach.dropHere')}{' '}
          <button type="button" className="button" onClick={() => input.current?.click()}>
            {t('attach.choose')}
          </button>
        </span>
        <span className="muted">{t('attach.kinds')}</span>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('attach.choose')}
          onChange={(event) => {
            uploads.add(event.target.files ?? [])
            event.target.value = ''
          }}
        />
      </div>
      {items.length > 0 && (
        <>
          <ul className="attach-queue" aria-label={t('attach.uploads')}>
            {items.map((item) => (
              <Line key={item.key} item={item} uploads={uploads} />
            ))}
          </ul>
          {ended && (
            <button type="button" className="button plain" onClick={uploads.clear}>
              {t('attach.clear')}
            </button>
          )}
        </>
      )}
    </section>
  )
}

function stateText({ state, part, failure }: UploadItem, t: Translate): string {
  if (state === 'sending')
    return part >= 1 ? t('attach.storing') : t('attach.sending', { percent: Math.floor(part * 100) })
  if (state === 'failed') return failure ?? ''
  return t(`attach.${state}`)
}

function Line({ item, uploads }: { item: UploadItem; uploads: UploadQueue }) {
  const t = useT()
  const { key, file, state, part } = item
  const { name } = file
  const button = (label: string, icon: string, of: string, run: (key: number) => void) => (
    <button type="button" className="tool" title={label} aria-label={of} onClick={() => run(key)}>
      <Icon name={icon} size={16} />
    </button>
  )
  return (
    <li className={`attach-line attach-${state}`}>
      <span className="attach-name">{name}</span>
      <span className="muted mono">{sizeText(file.size)}</span>
      <progress max={1} value={state === 'done' ? 1 : part} aria-label={name} hidden={state !== 'sending'} />
      <span className="attach-state" role={state === 'failed' ? 'alert' : 'status'}>
        {stateText(item, t)}
      </span>
      {(state === 'waiting' || state === 'sending') &&
        button(t('attach.cancel'), 'x', t('attach.cancelOf', { name }), uploads.cancel)}
      {(state === 'failed' || state === 'cancelled') &&
        button(t('attach.retry'), 'refresh-cw', t('attach.retryOf', { name }), uploads.retry)}
    </li>
  )
}
