import { entityOf } from '@data-brain/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { refresh, useEntity } from '../../entity/client.ts'
import { HttpProblem } from '../../http/client.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { useCan } from '../../session/session.ts'
import { toast } from '../../ui/toast.ts'
import { type Translate, useT, useWords } from '../../ui/words.ts'
import { type Known, readKnown, rowOf } from './calls.ts'

const param = entityOf('param')

/** The parameters that the server reads, each with a control of its type: what holds, and the way to change it. */
export function KnownParams() {
  const t = useT()
  const found = useQuery({
    queryKey: ['param', 'known'],
    queryFn: ({ signal }) => readKnown(signal),
    retry: false,
    meta: { reads: ['param'] },
  })
  if (found.isPending) return <div className="known known-wait" role="status" aria-label={t('common.loading')} />
  if (found.isError)
    return (
      <p className="alert" role="alert">
        {found.error.message || t('param.failed')}{' '}
        <button type="button" className="link-button" onClick={() => void found.refetch()}>
          {t('common.retry')}
        </button>
      </p>
    )
  if (found.data.length === 0) return null
  return (
    <details className="known" open>
      <summary>
        {t('param.known')} <span className="known-note">{t('param.knownNote')}</span>
      </summary>
      <ul>
        {found.data.map((known) => (
          // What was typed belongs to the value that held then.
          <KnownParam key={`${known.key} ${known.value} ${known.own}`} known={known} />
        ))}
      </ul>
    </details>
  )
}

/** A value in words. */
const shownValue = (known: Known, value: string | number, t: Translate): string =>
  known.type === 'flag' ? t(isOn(value) ? 'param.on' : 'param.off') : String(value)

const isOn = (value: string | number): boolean => ['1', 'true'].includes(String(value))

/** What is wrong with a value that somebody typed, or nothing. */
function faultOf(known: Known, text: string, t: Translate): string | undefined {
  if (known.type === 'flag') return undefined
  if (text.trim() === '') return t('spec.paramValue')
  if (known.type === 'text') return undefined
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = known
  const number = Number(text)
  return Number.isInteger(number) && number >= min && number <= max ? undefined : t('param.notWhole', { min, max })
}

function KnownParam({ known }: { known: Known }) {
  const t = useT()
  const pick = useWords()
  const can = useCan()
  const queries = useQueryClient()
  const client = useEntity(param)
  const id = useId()
  const draft = useDialogDraft(`param:${known.key}`, String(known.value))
  const text = draft.value ?? String(known.value)
  const setText = draft.put
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const label = pick(known.label)
  const maySet = can(known.own ? 'param_edit' : 'param_add')
  const changed = text.trim() !== String(known.value) || !known.own

  const work = async (call: () => Promise<void>) => {
    setBusy(true)
    try {
      await call()
      await refresh(queries, 'param')
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFault(problem.message)
    } finally {
      setBusy(false)
    }
  }
  const set = (value: string) => {
    const wrong = faultOf(known, value, t)
    setFault(wrong)
    if (wrong) return
    void work(async () => {
      const row = known.own ? await rowOf(known.key) : undefined
      const paramValue = value.trim()
      await client.save(
        row ? { id: row.id, version: row.version, paramValue } : { paramName: label, paramKey: known.key, paramValue },
      )
      draft.done()
      toast.success(t('spec.updated'), label)
    })
  }
  const back = () =>
    void work(async () => {
      const row = await rowOf(known.key)
      if (row) await client.remove([row.id])
      toast.success(t('param.isBack'), label)
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set(text)
  }
  const noteId = `${id}-note`
  const about = [
    pick(known.help),
    known.min !== undefined && known.max !== undefined && `${known.min}–${known.max}`,
    t('param.defaultIs', { value: shownValue(known, known.default, t) }),
  ]
  return (
    <li>
      <form onSubmit={submit} noValidate>
        <div className="known-words">
          <label htmlFor={id}>{label}</label> <code>{known.key}</code>{' '}
          <span className={`tag tag-${known.own ? 'good' : 'off'}`}>
            {t(known.own ? 'param.own' : 'param.default')}
          </span>
          <p id={noteId} className={fault ? 'field-error' : 'field-help'} role={fault ? 'alert' : undefined}>
            {fault ?? about.filter(Boolean).join(' · ')}
          </p>
        </div>
        <div className="known-value">
          {known.type === 'flag' ? (
            <label className="check">
              <input
                id={id}
                type="checkbox"
                aria-describedby={noteId}
                checked={isOn(text)}
                disabled={!maySet || busy}
                onChange={(event) => setText(event.target.checked ? '1' : '0')}
              />
              {t(isOn(text) ? 'param.on' : 'param.off')}
            </label>
          ) : (
            <input
              id={id}
              className="input"
              inputMode={known.type === 'integer' ? 'numeric' : undefined}
              autoComplete="off"
              aria-describedby={noteId}
              aria-invalid={fault ? true : undefined}
              readOnly={!maySet}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onBlur={() => setFault(faultOf(known, text, t))}
            />
          )}
          {maySet && (
            <button
              type="submit"
              className="button"
              disabled={busy || !changed}
              aria-label={t('param.setOf', { label })}
            >
              {t('param.set')}
            </button>
          )}
          {known.own === 1 && can('param_delete') && (
            <button
              type="button"
              className="button plain"
              disabled={busy}
              aria-label={t('param.backOf', { label })}
              onClick={back}
            >
              {t('param.back')}
            </button>
          )}
        </div>
      </form>
    </li>
  )
}
