import { entityOf } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useValue } from '../ui/form/store.ts'
import { useT } from '../ui/words.ts'
import { useCalls } from './calls.ts'
import type { ControlProps } from './control.tsx'
import './form-words.ts'

const LIMIT = 500 * 1024
const TYPES = ['image/jpeg', 'image/png']

/** A picture: chosen, checked, uploaded and shown. The form keeps the id of the stored file. */
export function ImageControl({ form, name, label, ties, disabled, names, onChange }: ControlProps) {
  const t = useT()
  const calls = useCalls()
  const value = (useValue(form, name) as string | null | undefined) ?? null
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [uploaded, setUploaded] = useState<{ id: string; link: string } | null>(null)
  const known = uploaded && uploaded.id === value ? uploaded.link : undefined
  const attach = entityOf('attach')
  const stored = useQuery({
    queryKey: ['entity', 'attach', 'detail', value],
    queryFn: ({ signal }) => calls.detail(attach, value!, signal),
    enabled: value !== null && known === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { reads: ['attach'] },
  })
  const link = known ?? (stored.data?.link as string | undefined)

  const take = async (file: File | undefined) => {
    if (!file) return
    if (!TYPES.includes(file.type) || file.size > LIMIT) {
      form.setWrong(name, t('spec.avatarHint'))
      return
    }
    setBusy(true)
    try {
      const { attachId, link: at } = await calls.upload(file)
      setUploaded({ id: attachId, link: at })
      form.setWrong(name, null)
      onChange(attachId)
    } catch (problem) {
      form.setWrong(name, problem instanceof Error ? problem.message : t('spec.unknownError'))
    } finally {
      setBusy(false)
      if (picker.current) picker.current.value = ''
    }
  }
  return (
    <div className="ff-image">
      {value && link ? (
        <img src={link} alt={t('form.imageOf', { label })} />
      ) : value ? (
        <span>{names[value] ?? ''}</span>
      ) : null}
      <input
        ref={picker}
        {...ties}
        type="file"
        className="sr-only"
        accept={TYPES.join()}
        disabled={disabled || busy}
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <span className="ff-image-buttons">
        <button type="button" className="button" disabled={disabled || busy} onClick={() => picker.current?.click()}>
          {busy ? t('form.uploading') : t(value ? 'form.replace' : 'form.upload')}
        </button>
        {value && !disabled && (
          <button type="button" className="button plain" onClick={() => onChange(null)}>
            {t('form.removeFile')}
          </button>
        )}
      </span>
    </div>
  )
}
