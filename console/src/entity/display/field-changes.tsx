import type { Entity, Field } from '@data-brain/contract'
import { useWords } from '../../ui/words.ts'
import type { Change } from '../data/calls.ts'
import { useRegionPaths } from '../data/client.ts'
import { type CellWords, dictText, EmptyValue, textOf } from './cell.tsx'
import '../form/form-words.ts'
import '../value/words.ts'

interface ChangesProps {
  readonly entity: Entity
  readonly changes: readonly Change[]
  readonly words: CellWords
}

/** The region codes that changes name, whose full names are asked for in one call. */
const regionsOf = (entity: Entity, changes: readonly Change[]): string[] =>
  changes
    .filter(({ field }) => entity.fields[field]?.kind === 'region')
    .flatMap(({ before, after }) => [before, after])
    .filter((code): code is string => typeof code === 'string' && code !== '')

/** What is known of the row beside a change: what decides of which entity its ids are. */
const rowOf = ({ of }: Field, { beforeBy, afterBy }: Change, side: 'before' | 'after'): Record<string, unknown> =>
  typeof of === 'object' ? { [of.by]: side === 'before' ? beforeBy : afterBy } : {}

/** What became of a record, field by field, in the words of its form. */
export function Changes({ entity, changes, words: plain }: ChangesProps) {
  const pick = useWords()
  const { t } = plain
  const regions = useRegionPaths(regionsOf(entity, changes))
  const words = { ...plain, regions }
  const label = (name: string) => {
    const field = entity.fields[name]
    return field ? pick(field.label) : name === 'status' ? t('entity.status') : name
  }
  const show = (change: Change, side: 'before' | 'after') => {
    const { field: name, before, after, beforeName, afterName } = change
    if (change.label !== undefined) return granted(change, side)
    const field = entity.fields[name]
    const value = side === 'before' ? before : after
    const text = field
      ? textOf(field, value, words, side === 'before' ? beforeName : afterName, rowOf(field, change, side))
      : name === 'status' && value !== null && value !== undefined
        ? dictText(words, entity.status?.dict, value)
        : String(value ?? '')
    return text === '' ? <EmptyValue t={t} /> : text
  }
  /** What was taken away stands before, what was given after. */
  const granted = ({ beforeName, afterName, same = 0 }: Change, side: 'before' | 'after') => {
    const names = [(side === 'before' ? beforeName : afterName) ?? []].flat()
    const text = names.join(words.language === 'zh' ? '、' : ', ')
    const rest = same > 0 ? t('detail.grantSame', { count: same }) : ''
    if (text === '' && rest === '') return <EmptyValue t={t} />
    return (
      <>
        {text === '' ? <EmptyValue t={t} /> : text}
        {rest && <span className="muted"> {rest}</span>}
      </>
    )
  }
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('detail.field')}</th>
          <th scope="col">{t('detail.before')}</th>
          <th scope="col">{t('detail.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{change.label ?? label(change.field)}</th>
            <td>{show(change, 'before')}</td>
            <td>{show(change, 'after')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
