import { type Entity, nameOf } from '@data-brain/contract'
import { NumberBox, type TypedNumber } from '../../ui/form/number-box.tsx'
import type { Bulk, BulkAnswer, BulkRow, ShownRow } from '../data/calls.ts'
import type { EntityClient } from '../data/client.ts'
import type { CellWords } from '../display/cell.tsx'
import { fieldOf, saidBy, withValue } from '../list/cell-fields.ts'
import { CHUNK_ROWS } from './select-all.ts'

/** As many rows as are told of one by one. */
const TOLD = 50

/** The fields that are to change, and their values. */
interface Wish {
  readonly names: readonly string[]
  readonly valueOf: (name: string) => unknown
}

interface PreviewProps {
  readonly entity: Entity
  readonly client: EntityClient
  readonly words: CellWords
  readonly answer: BulkAnswer
  readonly labelOf: (name: string) => string
  readonly wish: Wish
  /** Numbers that follow from the change, by row and field. */
  readonly each: NonNullable<Bulk['each']>
  readonly onEach: (id: string, field: string, value: TypedNumber) => void
}

/** What would come of it: which value from what to what, how many have it already, which rows cannot. */
export function Preview({ entity, client, words, answer, labelOf, wish, each, onEach }: PreviewProps) {
  const { names } = wish
  const { t } = words
  const moved = answer.rows.filter((row) => row.result === 'changed')
  const before = (name: string): string => {
    const said = new Set(moved.map((row) => saidBy(entity, row.before as unknown as ShownRow, name, words)))
    const [one] = said
    return said.size > 1 ? t('bulkEdit.several', { count: said.size }) : one || t('entity.none')
  }
  const after = (name: string): string => {
    const field = fieldOf(entity, name)
    const row = withValue(entity, {} as ShownRow, name, wish.valueOf(name), client)
    if (field?.kind !== 'references') return saidBy(entity, row, name, words) || t('entity.none')
    const ids = ([wish.valueOf(name)].flat() as string[])
      .flatMap((each) => String(each ?? '').split(','))
      .filter(Boolean)
    const shown = ids.map((id) => client.nameOf(field.to!, id) ?? id)
    return saidBy(entity, { ...row, [nameOf(name)]: shown } as ShownRow, name, words) || t('entity.none')
  }
  return (
    <div className="bulk-preview" role="status">
      {answer.changed > 0 ? (
        <>
          <p>
            <strong>{t('bulkEdit.will', { count: answer.changed, unit: entity.measure })}</strong>
          </p>
          <ul>
            {names.map((name) => (
              <li key={name}>
                {t('bulkEdit.change', { label: labelOf(name), before: before(name), after: after(name) })}
              </li>
            ))}
          </ul>
          {answer.total > CHUNK_ROWS ? (
            rangesOf(entity, names, moved).map(({ field, within, from, to, rest }) => (
              <p key={field}>
                {t('bulkEdit.range', { label: labelOf(field), within: after(within), from, to })}
                {rest && t('bulkEdit.rangeRest')}
              </p>
            ))
          ) : (
            <Numbers entity={entity} words={words} rows={moved} labelOf={labelOf} each={each} onEach={onEach} />
          )}
        </>
      ) : (
        <p>
          <strong>{t('bulkEdit.none')}</strong>
        </p>
      )}
      {answer.same > 0 && <p>{t('bulkEdit.same', { count: answer.same, unit: entity.measure })}</p>}
      {answer.failed > 0 && (
        <>
          <p className="bulk-wrong">{t('bulkEdit.wrong', { count: answer.failed, unit: entity.measure })}</p>
          <Failures words={words} rows={answer.rows} />
        </>
      )}
    </div>
  )
}

/**
 * How numbers are given to more rows than one call takes: one after the other, from the first free one. Each call was
 * asked as though the others were not made, so that all of them propose the same first.
 */
function rangesOf(entity: Entity, names: readonly string[], rows: readonly BulkRow[]) {
  return (entity.numbers ?? []).flatMap(({ field, within }) => {
    if (!names.includes(within)) return []
    const given = rows.map((row) => row.after?.[field]).filter((value): value is number => typeof value === 'number')
    if (given.length === 0) return []
    const from = given.reduce((least, value) => Math.min(least, value))
    const max = entity.fields[field]?.max ?? Number.POSITIVE_INFINITY
    const to = Math.min(from + given.length - 1, max)
    return [{ field, within, from, to, rest: to === max && rows.length > to - from + 1 }]
  })
}

/** The rows that cannot be changed, each with why. */
export function Failures({ words, rows }: { words: CellWords; rows: readonly BulkRow[] }) {
  const { t } = words
  const failed = rows.filter((row) => row.result === 'failed')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section className="bulk-failures" aria-label={t('bulkEdit.failures')} tabIndex={0}>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{t('bulkEdit.name')}</th>
            <th scope="col">{t('bulkEdit.why')}</th>
          </tr>
        </thead>
        <tbody>
          {failed.slice(0, TOLD).map((row) => (
            <tr key={row.id}>
              <td>{row.name ?? row.id}</td>
              <td>{row.msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface NumbersProps extends Pick<PreviewProps, 'entity' | 'words' | 'labelOf' | 'each' | 'onEach'> {
  readonly rows: readonly BulkRow[]
}

/** The number that each row gets where it goes, which can be changed before it goes there. */
function Numbers({ entity, words, rows, labelOf, each, onEach }: NumbersProps) {
  const { t } = words
  const fields = [...new Set(Object.values(each).flatMap(Object.keys))]
  if (fields.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section className="bulk-failures" aria-label={t('bulkEdit.numbers')} tabIndex={0}>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{t('bulkEdit.name')}</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {labelOf(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{row.name ?? row.id}</td>
              {fields.map((field) => (
                <td key={field}>
                  <NumberBox
                    aria-label={t('bulkEdit.numberOf', { label: labelOf(field), name: row.name ?? row.id })}
                    min={entity.fields[field]?.min}
                    max={entity.fields[field]?.max}
                    value={(each[row.id]?.[field] as TypedNumber | undefined) ?? null}
                    onChange={(value) => onEach(row.id, field, value)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
