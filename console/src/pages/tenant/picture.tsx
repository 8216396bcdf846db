import { entityOf } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useCalls } from '../../entity/calls.ts'
import type { ControlProps } from '../../entity/control.tsx'
import { useValue } from '../../ui/form/store.ts'
import { useT } from '../../ui/words.ts'
import '../../entity/form-words.ts'

const types = ['image/jpeg', 'image/png']
const most: Readonly<Record<string, number>> = { logo: 500 * 1024, backgroundUrl: 2 * 1024 * 1024 }
const attach = entityOf('attach')

/** The number of the file that an address of ours leads to. */
const idIn = (link: string | null): string | null => /attach\/file\?id=(\d+)/.exec(link ?? '')?.[1] ?? null

/** A picture of the log-in page: chosen, uploaded and shown. The form keeps its address. */
export function PictureControl({ form, name, label, ties, disabled, onChange }: ControlProps) {
  const t = useT()
  const calls = useCalls()
  const value = (useValue(form, name) as string | null | undefined) || null
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [uploaded, setUploaded] = useState<string | null>(null)
  const id = idIn(value)
  const stored = useQuery({
    queryKey: ['entity', 'attach', 'detail', id],
    queryFn: ({ signal }) => calls.detail(attach, id!, signal),
    enabled: id !== null && uploaded !== value,
    retry: false,
    meta: { reads: ['attach'] },
  })
  const shown = uploaded === value ? uploaded : ((stored.data?.link as string | undefined) ?? null)
  const limit = most[name] ?? 0
  const take = async (file: File | undefined) => {
    if (!file) return
    if (!types.includes(file.type) || file.size > limit) {
      form.setWrong(name, t('tenant.pictureWrong', { size: limit / 1024 }))
      return
    }
    setBusy(true)
    try {
      const { link } = await calls.upload(file)
      setUploaded(link)
      form.setWrong(name, null)
      onChange(link)
    } catch (problem) {
      form.setWrong(name, problem instanceof Error ? problem.message : t('spec.unknownError'))
    } finally {
      setBusy(false)
      if (picker.current) picker.current.value = ''
    }
  }
  return (
    <div className="ff-image">
      {value && shown ? (
        <img src={shown} alt={t('form.imageOf', { label })} />
      ) : (
        value && !id && <span className="muted">{t('tenant.pictureElsewhere', { address: value })}</span>
      )}
      <input
        ref={picker}
        {...ties}
        type="file"
        className="sr-only"
        accept={types.join()}
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
