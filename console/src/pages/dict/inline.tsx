import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { EntityClient } from '../../entity/data/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { announce } from '../../ui/announce.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import type { DictRow } from './calls.ts'
import '../../entity/form/form-words.ts'
import '../../ui/later-words.ts'

interface InlineProps {
  readonly client: EntityClient
  readonly dictionary: DictRow
  readonly entries: readonly DictRow[]
  readonly columns: number
  readonly onAdded: (id: string) => void
}

interface Typed {
  readonly dictValue: string
  /** Empty: the proposed one. */
  readonly dictKey: string
  readonly sort: string
}

const nothing: Typed = { dictValue: '', dictKey: '', sort: '' }

/** One more than the largest of them; texts that are no numbers count for nothing. */
const next = (values: readonly (string | number)[]): number =>
  Math.max(0, ...values.map(Number).filter((value) => Number.isInteger(value))) + 1

/** The last row: a name typed and Enter is a new entry, with the next key and the next place unless others are typed. */
export function InlineEntry({ client, dictionary, entries, columns, onAdded }: InlineProps) {
  const t = useT()
  const id = useId()
  const name = useRef<HTMLInputElement>(null)
  const key = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(nothing)
  const [wrong, setWrong] = useState<{ at: 'dictValue' | 'dictKey' | 'sort'; text: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const proposed = String(next(entries.map((entry) => entry.dictKey)))
  const place = next(entries.map((entry) => entry.sort))

  const save = async () => {
    if (busy) return
    const dictValue = typed.dictValue.trim()
    if (dictValue === '') {
      setWrong({ at: 'dictValue', text: t('spec.dictName') })
      name.current?.focus()
      return
    }
    const sort = typed.sort.trim() === '' ? place : Number(typed.sort)
    if (!Number.isInteger(sort) || sort < 0) return setWrong({ at: 'sort', text: t('form.notWhole') })
    setBusy(true)
    setWrong(null)
    try {
      const saved = await client.save({
        parentId: dictionary.id,
        code: dictionary.code,
        dictValue,
        dictKey: typed.dictKey.trim() || proposed,
        sort,
      })
      setTyped(nothing)
      announce(`${t('spec.created')} ${dictValue}`)
      onAdded(saved.id)
      name.current?.focus()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      const text = problem.message || t('spec.unknownError')
      const field = (problem.data as { field?: string } | null)?.field
      setWrong({ at: field === 'dictKey' || field === 'sort' ? field : 'dictValue', text })
      toast.error(text)
      ;(field === 'dictKey' ? key : name).current?.focus()
    } finally {
      setBusy(false)
    }
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    void save()
  }
  const input = (field: keyof Typed, label: string, placeholder: string) => (
    <input
      ref={field === 'dictValue' ? name : field === 'dictKey' ? key : undefined}
      className="input"
      autoComplete="off"
      inputMode={field === 'sort' ? 'numeric' : undefined}
      aria-label={label}
      aria-invalid={wrong?.at === field ? true : undefined}
      aria-describedby={wrong?.at === field ? `${id}-wrong` : undefined}
      placeholder={placeholder}
      value={typed[field]}
      onKeyDown={press}
      onChange={(event) => {
        setTyped({ ...typed, [field]: event.target.value })
        if (wrong?.at === field) setWrong(null)
      }}
    />
  )
  return (
    <tr className="dict-inline">
      <td colSpan={columns}>
        <div className="dict-inline-row" aria-busy={busy}>
          <Icon name="plus" size={16} />
          {input('dictValue', t('dict.inlineName'), t('dict.inlineHint'))}
          {input('dictKey', t('dict.inlineKey'), `${t('dict.key')} ${proposed}`)}
          {input('sort', t('dict.inlineSort'), `${t('dict.sort')} ${place}`)}
          <button type="button" className="button" onClick={() => void save()}>
            {t('dict.inlineAdd')}
          </button>
        </div>
        {wrong && (
          <p id={`${id}-wrong`} className="ff-wrong" role="alert">
            {wrong.text}
          </p>
        )}
      </td>
    </tr>
  )
}
