import { codeOf, entityOf, param } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import type { knownParameters } from '@data-brain/contract/calls/param'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { refresh, type SavedRow, undoOf, undoOffer, useChoices, useEntity } from '../../entity/data/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { useCan } from '../../session/session.ts'
import { toast } from '../../ui/toast.ts'
import { type Translate, useT, useWords } from '../../ui/words.ts'
import '../../ui/later-words.ts'

/** A setting that the server reads. */
type Known = AnswerOf<typeof knownParameters>[number]

/** What is wrong with a number that somebody typed, or nothing. */
function faultOf({ type, min = 0, max = Number.MAX_SAFE_INTEGER }: Known, text: string, t: Translate) {
  if (type !== 'integer') return undefined
  if (text === '') return t('spec.paramValue')
  const number = Number(text)
  return Number.isInteger(number) && number >= min && number <= max ? undefined : t('param.notWhole', { min, max })
}

/** A setting with the control of its type. What is switched or chosen is saved at once, what is typed when the box is left. */
export function Setting({ known }: { known: Known }) {
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const queries = useQueryClient()
  const client = useEntity(param)
  const id = useId()
  const draft = useDialogDraft(`param:${known.key}`, String(known.value))
  const text = draft.value ?? String(known.value)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const label = pick(known.label)
  const { row } = known
  const maySet = can(codeOf(param, row ? 'edit' : 'add'))
  const mayReset = row !== null && can(codeOf(param, 'delete'))

  const work = async (call: () => Promise<void>) => {
    setBusy(true)
    setFault(undefined)
    try {
      await call()
      await refresh(queries, param.name)
      draft.done()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFault(problem.message || t('spec.unknownError'))
      // Somebody else was quicker: what holds now is shown.
      if (problem.code === 409) await refresh(queries, param.name)
    } finally {
      setBusy(false)
    }
  }
  const reset = () =>
    void work(async () => {
      if (!row) return
      const requestId = await client.remove([row.id])
      toast.success(t('param.isBack'), label, requestId ? undoOffer(requestId, client.undo, t) : undefined)
    })
  const save = (typed: string) => {
    // Digits of a Chinese keyboard are digits.
    const paramValue = typed.normalize('NFKC').trim()
    const wrong = faultOf(known, paramValue, t)
    setFault(wrong)
    if (wrong || busy) return
    if (paramValue === String(known.value)) return draft.done()
    // Nothing chosen is the default, and no value that a row could hold.
    if (paramValue === '') return reset()
    void work(async () => {
      const done: SavedRow = await client.store(
        row ? { ...row, paramValue } : { paramName: label, paramKey: known.key, paramValue },
      )
      toast.success(t('spec.updated'), label, undoOf(param, done, client.undo, t))
    })
  }
  const shown = (value: string | number): string => {
    if (known.type === 'flag') return t(String(value) === '1' ? 'param.on' : 'param.off')
    return value === '' ? t('param.none') : String(value)
  }
  const noteId = `${id}-note`
  const ties = {
    id,
    'aria-describedby': fault ? `${noteId} ${id}-fault` : noteId,
    'aria-invalid': fault ? true : undefined,
    'aria-busy': busy || undefined,
  } as const
  const put = (next: string) => {
    draft.put(next)
    save(next)
  }
  return (
    <li className="setting" data-key={known.key}>
      <div className="setting-words">
        <label htmlFor={id}>{label}</label>
        {row && <span className="tag tag-good">{t('param.changed')}</span>}
        <p id={noteId}>
          {pick(known.help)} <code>{known.key}</code>
        </p>
      </div>
      <div className="setting-value">
        {known.type === 'flag' ? (
          <span className="setting-flag">
            <input
              {...ties}
              type="checkbox"
              role="switch"
              className="setting-switch"
              checked={text === '1'}
              aria-checked={text === '1'}
              disabled={!maySet}
              onChange={(event) => put(event.target.checked ? '1' : '0')}
            />
            <span aria-hidden="true">{shown(text)}</span>
          </span>
        ) : known.from ? (
          <Picked {...ties} from={known.from} value={text} disabled={!maySet} none={t('param.none')} onChange={put} />
        ) : (
          <span className="setting-number">
            <input
              {...ties}
              className="input"
              inputMode={known.type === 'integer' ? 'numeric' : undefined}
              autoComplete="off"
              readOnly={!maySet}
              value={text}
              onChange={(event) => draft.put(event.target.value)}
              onBlur={() => save(text)}
              onKeyDown={(event: KeyboardEvent) => {
                if (event.nativeEvent.isComposing) return
                if (event.key === 'Enter') save(text)
                if (event.key === 'Escape') {
                  draft.done()
                  setFault(undefined)
                }
              }}
            />
            {known.unit && <span>{pick(known.unit)}</span>}
          </span>
        )}
        <p className="setting-note">
          {busy && <span role="status">{t('param.saving')}</span>}
          {known.min !== undefined && known.max !== undefined && (
            <span>{t('param.range', { min: known.min, max: known.max })}</span>
          )}
          <span>{t('param.defaultIs', { value: shown(known.default) })}</span>
          {mayReset && (
            <button
              type="button"
              className="link-button"
              disabled={busy}
              aria-label={t('param.backOf', { label })}
              onClick={reset}
            >
              {t('param.back')}
            </button>
          )}
        </p>
        {fault && (
          <p id={`${id}-fault`} className="field-error" role="alert">
            {fault}
          </p>
        )}
      </div>
    </li>
  )
}

interface PickedProps {
  readonly id: string
  readonly from: string
  readonly value: string
  readonly disabled: boolean
  readonly none: string
  readonly onChange: (name: string) => void
}

/** One of the rows of another entity, by its title; what is set stays a choice where its row is gone or may not be seen. */
function Picked({ from, value, none, onChange, ...ties }: PickedProps) {
  const can = useCan()
  const entity = entityOf(from)
  const found = useChoices(entity.name, entity.path, {}, can(codeOf(entity, 'view')))
  const names = new Set([...(value ? [value] : []), ...(found.data ?? []).map(({ name }) => name)])
  return (
    <select {...ties} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{none}</option>
      {[...names].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}
