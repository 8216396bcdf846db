import { hiddenMark, isAddedUp, type ReportResult } from '@data-brain/contract/report'
import { useCallback, useMemo, useState } from 'react'
import { useNumber } from '../../ui/number.ts'
import { Link } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import { ChartBox, type Drawer } from '../dashboard/index.ts'
import { cellAddress, drawnCells, type Head, headText, leading, type Row, valueText } from './cells.ts'

/** So many rows are drawn at once. */
const STEP = 300
/** As many marks as a drawing holds that anybody could read. */
const MARKS = 400

interface ResultProps {
  readonly title: string
  readonly result: ReportResult
}

/** What a report answers: a drawing where it asks for one, and the table, whose figures lead to what they count. */
export function Result({ title, result }: ResultProps) {
  const t = useT()
  const { total, cut, hidden, content, rows } = result
  const number = useNumber()
  if (total === 0 && hidden === 0 && rows.length === 0)
    return (
      <p className="muted report-none" role="status">
        {result.asOf ? t('report.emptyThen', { day: result.asOf }) : t('report.empty')}
      </p>
    )
  return (
    <>
      <p className="muted report-about" role="status">
        {cut
          ? t('report.cut', { total: number(total), count: number(rows.length) })
          : t('report.total', { count: number(total) })}
        {hidden > 0 && <span>{t('report.hidden', { count: hidden, below: content.hideBelow })}</span>}
        {result.asOf && <strong className="report-past">{t('report.asOfDay', { day: result.asOf })}</strong>}
        <span>{t('report.at', { time: result.at.slice(0, 16) })}</span>
      </p>
      <Drawing title={title} result={result} />
      <Table title={title} result={result} />
    </>
  )
}

function Drawing({ title, result }: ResultProps) {
  const t = useT()
  const number = useNumber()
  const cells = useMemo(() => drawnCells(result, t, number), [result, t, number])
  const { chart } = result.content
  const first = result.content.measures[0]
  const isStacked = first !== undefined && isAddedUp(first.of)
  const draw = useCallback(
    (drawer: Drawer, width: number) => drawer.drawTable(chart === 'none' ? 'columns' : chart, cells, width, isStacked),
    [chart, cells, isStacked],
  )
  if (chart === 'none' || cells.length === 0 || cells.length > MARKS) return null
  const columns = [...new Set(cells.map(({ column }) => column))]
  return (
    <ChartBox
      label={t('report.sentence', { title, count: new Set(cells.map(({ row }) => row)).size })}
      of="report"
      legend={chart !== 'heat' && columns.length > 1 ? columns.map((label, at) => ({ key: `${at}`, label })) : []}
      draw={draw}
      isLinked={cells.some(({ href }) => href !== undefined)}
      failed={null}
    />
  )
}

/** Heads of the cross table: each over its measures. */
function spansOf(heads: readonly Head[]): { text: string; span: number }[] {
  const spans: { text: string; span: number }[] = []
  for (const { over, query } of heads) {
    const text = over ?? ''
    const last = spans.at(-1)
    const key = JSON.stringify([over, query])
    if (last && keys.get(last) === key) last.span += 1
    else {
      const next = { text, span: 1 }
      keys.set(next, key)
      spans.push(next)
    }
  }
  return spans
}
const keys = new WeakMap<object, string>()

function Table({ title, result }: ResultProps) {
  const t = useT()
  const number = useNumber()
  const { heads, rows, content } = result
  const [most, setMost] = useState(STEP)
  const from = leading(result)
  const measures = content.measures.length
  const isTwo = content.cross !== null && measures > 1
  const shown = rows.slice(0, most)
  // The sum of all stays in sight of whoever looks at the first rows.
  const last = rows.length > most && rows.at(-1)?.level === 0 && measures > 0 ? rows.at(-1) : undefined
  return (
    <>
      <section
        className="report-scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is scrolled by keys
        tabIndex={0}
        aria-label={t('dash.dataOf', { title })}
      >
        <table className="report-table">
          <thead>
            {isTwo && (
              <tr>
                {heads.slice(0, from).map(({ text }) => (
                  <th key={text} scope="col" rowSpan={2}>
                    {text}
                  </th>
                ))}
                {spansOf(heads.slice(from)).map(({ text, span }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns of one result, which never move
                  <th key={at} scope="colgroup" colSpan={span} className="report-over">
                    {text}
                  </th>
                ))}
              </tr>
            )}
            <tr>
              {(isTwo ? heads.slice(from) : heads).map((head, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <th key={at} scope="col" data-numeric={head.numeric || undefined}>
                  {isTwo ? head.text : headText(head, measures)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...shown, ...(last ? [last] : [])].map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <Line key={at} row={row} result={result} number={number} />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > most && (
        <button type="button" className="button" onClick={() => setMost(most + STEP)}>
          {t('report.more', { count: Math.min(STEP, rows.length - most) })}
        </button>
      )}
    </>
  )
}

interface LineProps {
  readonly row: Row
  readonly result: ReportResult
  readonly number: (count: number) => string
}

function Line({ row, result, number }: LineProps) {
  const t = useT()
  const { heads, content } = result
  const from = leading(result)
  const counts = content.measures.length > 0
  const isSum = counts && row.level < content.groups.length
  const name = row.cells.slice(0, from).filter(Boolean).map(String).join(' ')
  return (
    <tr data-sum={isSum || undefined}>
      {heads.map((head, at) => {
        const value = row.cells[at]
        const text = valueText(value, number)
        const key = `${at}`
        // A sum stands behind the name of its group: the heads further in are empty, and head nothing.
        if (counts && at < from)
          return text === '' ? (
            <td key={key} />
          ) : (
            <th key={key} scope="row">
              {text}
            </th>
          )
        const to = cellAddress(result, row, head, value)
        const isCount = head.measure !== null && content.measures[head.measure]?.of === 'count'
        if (value === hiddenMark)
          return (
            <td key={key} data-numeric title={t('report.hiddenCell')}>
              <span aria-hidden="true">{hiddenMark}</span>
              <span className="sr-only">{t('report.hiddenCell')}</span>
            </td>
          )
        return (
          <td key={key} data-numeric={head.numeric || undefined}>
            {to && isCount && value !== 0 ? (
              <Link
                to={to}
                aria-label={t('report.rowsOf', {
                  row: name,
                  column: headText(head, content.measures.length),
                  value: text,
                })}
              >
                {text}
              </Link>
            ) : (
              text
            )}
          </td>
        )
      })}
    </tr>
  )
}
