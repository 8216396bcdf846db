import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { Modal } from '../../ui/modal.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { avatarBytes } from './avatar.tsx'
import 'react-easy-crop/react-easy-crop.css'
import './crop.css'

/** Width and height of an avatar in pixels. */
const side = 400
const zoomMost = 4

export interface CropProps {
  readonly file: File
  readonly onClose: () => void
  /** A jpg or png of 400 × 400. */
  readonly onCropped: (blob: Blob) => void
}

const blobOf = (canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, quality))

/** Draws the square of a picture at the size of an avatar. A png stays one, unless it would be too large. */
async function draw(src: string, { x, y, width, height }: Area, type: string): Promise<Blob | undefined> {
  const picture = new Image()
  picture.src = src
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const pen = canvas.getContext('2d')
  if (!pen) return undefined
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, x, y, width, height, 0, 0, side, side)
  const made = await blobOf(canvas, type, 0.92)
  if (made && made.size <= avatarBytes) return made
  // What a jpg cannot show is white in it, not black.
  pen.globalCompositeOperation = 'destination-over'
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, side, side)
  return (await blobOf(canvas, 'image/jpeg', 0.85)) ?? undefined
}

/** Chooses the square of a picture: by dragging, by two fingers, by the wheel, or by arrow keys and the slider. */
export default function CropDialog({ file, onClose, onCropped }: CropProps) {
  const t = useT()
  const id = useId()
  const [src, setSrc] = useState<string>()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const ready = area !== undefined
  // The square is drawn once the picture's size is known: then the arrow keys are at hand.
  useEffect(() => {
    if (ready) form.current?.querySelector<HTMLElement>('[role=group]')?.focus()
  }, [ready])
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setSrc(made)
    return () => URL.revokeObjectURL(made)
  }, [file])

  const broken = () => {
    toast.warning(t('info.avatarBroken'))
    onClose()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The form of the page, around this one in React's tree, is not meant.
    event.stopPropagation()
    if (busy || !area || !src) return
    setBusy(true)
    const made = await draw(src, area, file.type).catch(() => undefined)
    setBusy(false)
    if (made) onCropped(made)
    else broken()
  }
  return (
    <Modal title={t('info.crop')} onClose={onClose}>
      <form ref={form} onSubmit={(event) => void submit(event)}>
        <div className="crop">
          {src && (
            <Cropper
              image={src}
              crop={crop}
              zoom={zoom}
              aspect={1}
              minZoom={1}
              maxZoom={zoomMost}
              cropShape="round"
              showGrid={false}
              keyboardStep={4}
              disableAutomaticStylesInjection
              mediaProps={{ alt: '', onError: broken }}
              cropperProps={{ role: 'group', 'aria-label': t('info.cropArea'), 'aria-describedby': id }}
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
              onCropAreaChange={(_, pixels) => setArea(pixels)}
            />
          )}
        </div>
        <p id={id} className="field-help">
          {t('info.cropHelp')}
        </p>
        <label className="crop-zoom">
          {t('info.zoom')}
          <input
            type="range"
            min={1}
            max={zoomMost}
            step={0.05}
            value={zoom}
            onChange={(event) => setZoom(Number(event.target.value))}
          />
        </label>
        <div className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" className="button primary" disabled={!area} aria-busy={busy}>
            {t('info.cropUse')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
