import { files } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'
import { type Upload, useCalls } from '../data/calls.ts'
import { type ControlProps, useRecord } from './control.tsx'
import '../form/form-words.ts'
import '../../ui/later-words.ts'

const TYPES = ['image/jpeg', 'image/png']

/** What pictures of a sort are, and what the form keeps of one. */
export interface PictureSort {
  /** Media types, where these are not those of pictures: then there is nothing to be seen. */
  readonly types?: readonly string[]
  /** As many bytes as the picture may have. */
  readonly limit: number
  /** Said of a file that is none of these pictures, or too large. */
  readonly wrong: string
  /** What the form keeps of an uploaded file. */
  readonly keep: (file: Upload) => string
  /** The file that a kept value means; null where it lies elsewhere. */
  readonly idOf: (value: string) => string | null
  /** What stands for a value without a picture to be seen. */
  readonly unseen: (value: string) => ReactNode
}

interface PictureProps extends Omit<ControlProps, 'field' | 'onBlur'> {
  readonly sort: PictureSort
}

/** A picture: chosen, checked, uploaded and shown. */
export function PictureControl({ form, name, label, ties, disabled, onChange, sort }: PictureProps) {
  const { limit, wrong, keep, idOf, unseen, types = TYPES } = sort
  const isPicture = types === TYPES
  const t = useT()
  const calls = useCalls()
  const value = (useValue(form, name) as string | null | undefined) || null
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [uploaded, setUploaded] = useState<{ value: string; link: string } | null>(null)
  const fresh = uploaded && uploaded.value === value ? uploaded.link : undefined
  const id = value === null ? null : idOf(value)
  const stored = useQuery({
    queryKey: ['entity', files.name, 'detail', id],
    queryFn: ({ signal }) => calls.detail(files, id!, signal),
    enabled: id !== null && fresh === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { reads: [files.name] },
  })
  const link = fresh ?? (stored.data?.link as string | undefined)

  const take = async (file: File | undefined) => {
    if (!file) return
    if (!types.includes(file.type) || file.size > limit) {
      form.setWrong(name, wrong)
      return
    }
    setBusy(true)
    try {
      const sent = await calls.upload(file)
      setUploaded({ value: keep(sent), link: sent.link })
      form.setWrong(name, null)
      onChange(keep(sent))
    } catch (problem) {
      form.setWrong(name, problem instanceof Error ? problem.message : t('spec.unknownError'))
    } finally {
      setBusy(false)
      if (picker.current) picker.current.value = ''
    }
  }
  return (
    <div className="ff-image">
      {value && link && isPicture ? (
        <img src={link} alt={t('form.imageOf', { label })} />
      ) : value ? (
        unseen(value)
      ) : null}
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
        <button
          type="button"
          className={value ? 'button' : 'button ff-image-add'}
          disabled={disabled || busy}
          onClick={() => picker.current?.click()}
        >
          {!value && <Icon name="upload" size={18} />}
          {busy
            ? t('form.uploading')
            : t(isPicture ? (value ? 'form.replace' : 'form.upload') : value ? 'form.replaceFile' : 'form.uploadFile')}
        </button>
        {value && !disabled && (
          <button type="button" className="button plain" onClick={() => onChange(null)}>
            {t(isPicture ? 'form.removeFile' : 'form.removeWorkbook')}
          </button>
        )}
      </span>
    </div>
  )
}

const WORKBOOK = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']

/** A file of a row, a picture where nothing else is said. The form keeps the id of the stored file. */
export function FileControl(props: ControlProps) {
  const t = useT()
  const { names } = useRecord()
  const [sent, setSent] = useState<Readonly<Record<string, string>>>({})
  const isWorkbook = props.field.workbook === true
  const sort: PictureSort = {
    ...(isWorkbook ? { types: WORKBOOK } : {}),
    limit: isWorkbook ? 10 * 1_048_576 : 500 * 1024,
    wrong: t(isWorkbook ? 'form.workbookHint' : 'spec.avatarHint'),
    keep: ({ id, name }) => {
      setSent((before) => ({ ...before, [id]: name }))
      return id
    },
    idOf: (value) => value,
    unseen: (value) => <span className="ff-file-name">{sent[value] ?? names[value] ?? ''}</span>,
  }
  return <PictureControl {...props} sort={sort} />
}
