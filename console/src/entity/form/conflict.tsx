import { type Entity, nameOf } from '@data-brain/contract'
import { useEffect, useRef, useState } from 'react'
import { type FormStore, sameValue } from '../../ui/form/store.ts'
import { useT, useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { type CellWords, EmptyValue, textOf } from '../display/cell.tsx'
import { fullTitleOf } from '../list/columns.tsx'
import { toWire, valuesOf } from './draft.ts'
import { whoChanged } from './form-stale.ts'
import './form-words.ts'
import '../value/words.ts'

interface ConflictProps {
  readonly entity: Entity
  readonly form: FormStore
  readonly theirs: ShownRow
  readonly words: CellWords
  /** Names of the rows that references point at, mine and theirs. */
  readonly names: Readonly<Record<string, string>>
  /** The fields whose stored value is to be taken. */
  readonly onDone: (taken: readonly string[]) => void
}

/** The fields that both sides changed, to something different. */
export function conflictsOf(entity: Entity, form: FormStore, theirs: ShownRow): string[] {
  const stored = valuesOf(entity, theirs)
  const theyChanged = (name: string) => !sameValue(form.initial(name), stored[name])
  return form
    .changed()
    .filter((name) => name in stored && theyChanged(name) && !sameValue(form.value(name), stored[name]))
}

/** Somebody else saved in between: field by field, mine or theirs. Nothing is taken without being chosen. */
export function Conflict({ entity, form, theirs, words, names, onDone }: ConflictProps) {
  const t = useT()
  const pick = useWords()
  const [fields] = useState(() => conflictsOf(entity, form, theirs))
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    banner.current?.scrollIntoView({ block: 'center' })
    banner.current?.querySelector<HTMLElement>('input,button')?.focus()
  }, [])
  const stored = valuesOf(entity, theirs)
  const show = (name: string, value: unknown) => {
    const field = entity.fields[name]
    if (!field) return textOf({ kind: 'choice', label: { zh: '', en: '' }, dict: entity.status?.dict }, value, words)
    const shownName = Array.isArray(value)
      ? value.map((id: string) => names[id] ?? id)
      : (names[String(value)] ?? theirs[nameOf(name)])
    // An input may hold a value in a way of its own.
    if (field.kind === 'json') return textOf(field, toWire(field, value), words, names, form.values())
    return textOf(field, value, words, shownName)
  }
  const choose = (name: string, take: boolean) =>
    setTaken((now) => (take ? new Set([...now, name]) : new Set([...now].filter((other) => other !== name))))
  const cell = (name: string, label: string, value: unknown, take: boolean) => {
    const text = show(name, value)
    return (
      <td>
        <label className="pop-choice">
          <input
            type="radio"
            name={`conflict-${name}`}
            checked={taken.has(name) === take}
            aria-label={t(take ? 'form.takeTheirs' : 'form.keepMine', { label })}
            onChange={() => choose(name, take)}
          />
          <span>{text === '' ? <EmptyValue t={t} /> : text}</span>
        </label>
      </td>
    )
  }
  return (
    <div className="banner banner-warn" role="alert" ref={banner}>
      <div>
        <strong>
          {t('form.staleTitle', {
            who: whoChanged(theirs, t),
            time: theirs.updateTime.slice(5, 16),
          })}
        </strong>
        <p className="muted">{fullTitleOf(entity, theirs, words)}</p>
        {fields.length === 0 ? (
          <p>{t('form.staleApart')}</p>
        ) : (
          <>
            <p>{t('form.staleText')}</p>
            <table className="conflict">
              <thead>
                <tr>
                  <th scope="col">{t('detail.field')}</th>
                  <th scope="col">{t('form.mine')}</th>
                  <th scope="col">{t('form.theirs')}</th>
                </tr>
              </thead>
              <tbody>
                {fields.map((name) => {
                  const label = name === 'status' ? t('entity.status') : pick(entity.fields[name]!.label)
                  return (
                    <tr key={name}>
                      <th scope="row">{label}</th>
                      {cell(name, label, form.value(name), false)}
                      {cell(name, label, stored[name], true)}
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </>
        )}
        <button type="button" className="button primary" onClick={() => onDone([...taken])}>
          {t(fields.length === 0 ? 'form.staleApartDone' : 'form.staleDone')}
        </button>
      </div>
    </div>
  )
}
