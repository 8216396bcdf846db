import { noClassYet } from '@data-brain/contract/import/place'
import { useId, useState } from 'react'
import type { BatchView, FormField, MatchMore } from './calls.ts'
import { useImportT } from './import-kinds.ts'

/** For the value that the server makes of the grade: the September of the year in which the class entered. */
const byCohort = '@cohort'
/** Asked for where the file has no column for them. */
const usual = ['student.classId', 'student.enrollDate', 'student.nation']

interface Props {
  batch: BatchView
  mapped: ReadonlySet<string>
  more: MatchMore
  onChange: (more: MatchMore) => void
}

/** What is said once for the whole file: one value for all rows of fields without a column, hidden rows, the order of days. */
export function MoreOfMatch({ batch, mapped, more, onChange }: Props) {
  const t = useImportT()
  const [added, setAdded] = useState<readonly string[]>([])
  const name = useId()
  const { source } = batch
  const free = batch.fields.filter(
    ({ key, part }) =>
      !mapped.has(key) &&
      !['check', 'ignored', 'taught', 'lessons', 'headed'].includes(part) &&
      !/^member[2-6]/.test(part),
  )
  const asked = [...new Set([...usual, ...Object.keys(more.fixed), ...added])].flatMap(
    (key) => free.find((field) => field.key === key) ?? [],
  )
  const set = (key: string, text: string) => {
    const { [key]: _gone, ...rest } = more.fixed
    onChange({ ...more, fixed: text === '' ? rest : { ...rest, [key]: text } })
  }
  return (
    <>
      {source && source.hidden > 0 && (
        <fieldset className="import-setting import-duplicates">
          <legend>{t('import.hiddenRows', { count: source.hidden })}</legend>
          {(['take', 'leave'] as const).map((each) => (
            <label key={each} className="check">
              <input
                type="radio"
                name={name}
                checked={more.hidden === each}
                onChange={() => onChange({ ...more, hidden: each })}
              />
              {t(each === 'take' ? 'import.takeHidden' : 'import.leaveHidden')}
            </label>
          ))}
        </fieldset>
      )}
      {source?.orders.map(({ index, example, readings }) => (
        <fieldset key={index} className="import-setting import-duplicates">
          <legend>{t('import.dayOrder', { heading: batch.columns[index]?.heading ?? '', example })}</legend>
          {readings.map(({ order, day }) => (
            <label key={order} className="check">
              <input
                type="radio"
                name={`${name}-${index}`}
                checked={more.orders[index] === order}
                onChange={() => onChange({ ...more, orders: { ...more.orders, [index]: order } })}
              />
              {day}
            </label>
          ))}
        </fieldset>
      ))}
      {!batch.fields.some(({ part }) => part === 'user') && (
        <fieldset className="import-fixed">
          <legend>{t('import.fixed')}</legend>
          {asked.map((field) => (
            <FixedValue key={field.key} field={field} text={more.fixed[field.key] ?? ''} onChange={set} />
          ))}
          <select
            className="input import-empty"
            aria-label={t('import.fixMore')}
            value=""
            onChange={(event) => event.target.value && setAdded([...added, event.target.value])}
          >
            <option value="">{t('import.fixMore')}</option>
            {free
              .filter((field) => !asked.includes(field))
              .map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
          </select>
        </fieldset>
      )}
    </>
  )
}

interface FixedProps {
  field: FormField
  text: string
  onChange: (key: string, text: string) => void
}

function FixedValue({ field: { key, label, need }, text, onChange }: FixedProps) {
  const t = useImportT()
  const id = useId()
  const made = text === byCohort
  const said = text === noClassYet ? t('import.noClassYet') : text
  return (
    <div className="import-setting">
      <label htmlFor={id}>
        {label}
        {need === 'always' && (
          <span className="must" aria-hidden="true">
            *
          </span>
        )}
      </label>
      <input
        id={id}
        className="input"
        value={made ? '' : said}
        disabled={made}
        placeholder={key === 'student.classId' ? t('import.classExample') : ''}
        onChange={(event) => onChange(key, event.target.value)}
      />
      {key === 'student.classId' && text === '' && (
        <button type="button" className="link-button" onClick={() => onChange(key, t('import.noClassYet'))}>
          {t('import.noClassYet')}
        </button>
      )}
      {key === 'student.enrollDate' && (
        <label className="check">
          <input
            type="checkbox"
            checked={made}
            onChange={(event) => onChange(key, event.target.checked ? byCohort : '')}
          />
          {t('import.byCohort')}
        </label>
      )}
    </div>
  )
}
