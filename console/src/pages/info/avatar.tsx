import { putFile } from '@data-brain/contract/calls/attach'
import { type ComponentType, type DragEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { sendFile } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { defaultFace } from '../../ui/default-avatar.ts'
import { toast } from '../../ui/toast.ts'
import { tellUnloaded } from '../../ui/unloaded.ts'
import { useT } from '../../ui/words.ts'
import type { CropProps } from './crop.tsx'
import '../../ui/later-words.ts'

/** Most bytes of an avatar. The server measures again, and looks at the content. */
export const avatarBytes = 500 * 1024
const avatarKinds = ['image/jpeg', 'image/png']

/** Whether a file may become an avatar, by what the browser says of it. */
export const fitsAvatar = (file: Pick<File, 'type' | 'size'>): boolean =>
  avatarKinds.includes(file.type) && file.size <= avatarBytes

interface AvatarProps {
  readonly src: string
  /** The address of what was uploaded; empty: the picture is taken away. */
  readonly onChange: (link: string) => void
}

/** The avatar: chosen or dropped, cropped to a square, checked here by kind and size and on the server by content. */
export function AvatarField({ src, onChange }: AvatarProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const [brokenSrc, setBrokenSrc] = useState('')
  const [file, setFile] = useState<File>()
  const [Crop, setCrop] = useState<ComponentType<CropProps>>()

  const take = async (given: File | undefined) => {
    if (!given) return
    if (!fitsAvatar(given)) return toast.warning(t('spec.avatarHint'))
    try {
      // The code for cropping comes when somebody crops.
      const { default: Dialog } = await import('./crop.tsx')
      setCrop(() => Dialog)
      setFile(given)
    } catch (error) {
      tellUnloaded(error)
    }
  }
  const upload = async (cropped: Blob) => {
    setFile(undefined)
    if (!fitsAvatar(cropped)) return toast.warning(t('spec.avatarHint'))
    const name = cropped.type === 'image/png' ? 'avatar.png' : 'avatar.jpg'
    setBusy(true)
    try {
      const picture = new File([cropped], name, { type: cropped.type })
      onChange((await sendFile(putFile, picture, {}, { timeout: 60_000 })).link)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is the same as the button beside it
    <div
      className="field avatar-field"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <img
        className="avatar"
        src={src && src !== brokenSrc ? src : defaultFace}
        alt={t('info.avatar')}
        width={72}
        height={72}
        onError={() => src && setBrokenSrc(src)}
      />
      <div>
        <div className="avatar-acts">
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-busy={busy}
            onClick={() => input.current?.click()}
          >
            {t('info.upload')}
          </button>
          {src && (
            <button type="button" className="button" disabled={busy} onClick={() => onChange('')}>
              {t('info.avatarRemove')}
            </button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          hidden
          accept={avatarKinds.join(',')}
          aria-label={t('info.avatar')}
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            event.target.value = ''
            void take(chosen)
          }}
        />
        <p className="field-help">{t('spec.avatarHint')}</p>
        <p className="field-help">{t('info.avatarDrop')}</p>
      </div>
      {/* Outside the form around it, which has no room for another. */}
      {file &&
        Crop &&
        createPortal(
          <Crop file={file} onClose={() => setFile(undefined)} onCropped={(blob) => void upload(blob)} />,
          document.body,
        )}
    </div>
  )
}
