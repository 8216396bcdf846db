import { type Entity, entityOf, type Field, natureOf, titledWith } from '@data-brain/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type FormStore, sameValue, type Values } from '../../ui/form/store.ts'
import { useT, useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { useChoices, useRegionPaths } from '../data/client.ts'
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

interface SideProps {
  readonly field: Field
  readonly value: unknown
  readonly words: CellWords
  readonly names: Readonly<Record<string, string>>
  readonly values: Values
}

/**
 * One side's value in words. What a reference was changed to is asked for by its id: the stored row names its own value
 * alone, and rows of one name are told apart by what stands beside it.
 */
function SideValue({ field, value, words, names, values }: SideProps) {
  const nature = natureOf(field.kind)
  const ids = useMemo(
    () => (nature === 'row' || nature === 'rows' ? [value ?? []].flat().map(String) : []),
    [nature, value],
  )
  const to = field.to ?? ''
  const { data: choices } = useChoices(
    to,
    field.to ? entityOf(to).path : '',
    { ids },
    field.to !== undefined && ids.length > 0,
  )
  const regions = useRegionPaths(nature === 'region' && typeof value === 'string' && value !== '' ? [value] : [])
  const titles = ids.map((id) => {
    const choice = choices?.find((each) => each.id === id)
    return choice ? titledWith(choice.name, choice.beside, words.language) : (names[id] ?? '…')
  })
  const told = { ...words, regions }
  // An input may hold a value in a way of its own.
  if (field.kind === 'json')
    return <Told text={textOf(field, toWire(field, value), words, names, values)} {...{ words }} />
  return <Told text={textOf(field, value, told, nature === 'row' ? titles[0] : titles)} {...{ words }} />
}

const Told = ({ text, words }: { text: string; words: CellWords }) => (text === '' ? <EmptyValue t={words.t} /> : text)

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
  const choose = (name: string, take: boolean) =>
    setTaken((now) => (take ? new Set([...now, name]) : new Set([...now].filter((other) => other !== name))))
  const cell = (name: string, label: string, value: unknown, take: boolean) => {
    const field = entity.fields[name] ?? {
      ...{ kind: 'choice', label: { zh: '', en: '' }, dict: entity.status?.dict },
    }
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
          <span>
            <SideValue {...{ field, value, words, names }} values={form.values()} />
          </span>
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
