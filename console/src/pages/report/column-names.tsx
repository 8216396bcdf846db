import type { Entity } from '@data-brain/contract'
import { fieldAt, type ReportContent } from '@data-brain/contract/report'
import { useT, useWords } from '../../ui/words.ts'

interface ColumnNamesProps {
  readonly entity: Entity
  /** What the columns are called where the report does not say. */
  readonly usual: Entity
  readonly content: ReportContent
  readonly put: (part: Partial<ReportContent>) => void
}

/** What a report calls the columns of a data source that it shows. */
export function ColumnNames({ entity, usual, content, put }: ColumnNamesProps) {
  const t = useT()
  const pick = useWords()
  const { columns, groups, cross, measures, labels = {} } = content
  const used = [
    ...columns,
    ...[...groups, ...(cross ? [cross] : [])].map(({ field }) => field),
    ...measures.flatMap(({ field }) => (field ? [field] : [])),
  ].filter((path) => fieldAt(entity, path))
  if (used.length === 0) return null
  const name = (path: string, text: string) => {
    const { [path]: _, ...others } = labels
    put({ labels: text === '' ? others : { ...others, [path]: text } })
  }
  return (
    <fieldset className="report-picked">
      <legend>{t('report.columnNames')}</legend>
      {[...new Set(used)].map((path) => {
        const called = pick(fieldAt(usual, path)!.label)
        return (
          <div key={path} className="report-line report-column-name">
            <span aria-hidden="true" className="mono">
              {called}
            </span>
            <input
              className="input"
              aria-label={t('report.columnName', { name: called })}
              maxLength={64}
              placeholder={called}
              value={labels[path] ?? ''}
              onChange={(event) => name(path, event.target.value)}
            />
          </div>
        )
      })}
    </fieldset>
  )
}
