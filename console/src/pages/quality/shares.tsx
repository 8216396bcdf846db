import type { Quality, QualityShare } from '@data-brain/contract/calls/quality'
import { useNumber } from '../../ui/number.ts'
import { useT } from '../../ui/words.ts'

/** Whole percents; all only where all are, for 99.6 is not complete. */
const percent = ({ complete, total }: Pick<QualityShare, 'complete' | 'total'>): number =>
  total === 0 ? 0 : Math.floor((100 * complete) / total)

/** How many of the pupils have complete records, by school and class, and how findings went day by day. */
export function Shares({ shown }: { readonly shown: Quality }) {
  const t = useT()
  const number = useNumber()
  const { schools, classes, trend } = shown
  const { total, complete } = shown.pupils
  return (
    <div>
      {total > 0 && (
        <section className="card quality-share" aria-labelledby="quality-share">
          <h2 id="quality-share">{t('quality.shareOf')}</h2>
          <p className="quality-whole">
            <strong>{percent({ complete, total })}%</strong>
            <span>{t('quality.shareNow', { complete: number(complete), total: number(total) })}</span>
          </p>
          <p className="muted quality-help">{t('quality.shareHelp')}</p>
          {schools.length > 1 && <ShareTable title={t('quality.bySchool')} rows={schools} />}
          {classes.length > 0 && <ShareTable title={t('quality.byClass')} rows={classes} />}
        </section>
      )}
      {trend.length > 1 && <Trend trend={trend} />}
    </div>
  )
}

function ShareTable({ title, rows }: { readonly title: string; readonly rows: readonly QualityShare[] }) {
  const t = useT()
  const number = useNumber()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is scrolled by keys
    <section className="quality-scroll" tabIndex={0} aria-label={title}>
      <table className="quality-table">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('quality.name')}</th>
            <th scope="col">{t('quality.pupils')}</th>
            <th scope="col">{t('quality.complete')}</th>
            <th scope="col">{t('quality.share')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.name}</th>
              <td>{number(row.total)}</td>
              <td>{number(row.complete)}</td>
              <td>{percent(row)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const width = 320
const height = 48

/** A line of past days, with its figures as a table behind a key. */
function Trend({ trend }: { readonly trend: Quality['trend'] }) {
  const t = useT()
  const number = useNumber()
  const most = Math.max(1, ...trend.map(({ count }) => count))
  const points = trend.map(({ count }, at) => [
    4 + (at * (width - 8)) / (trend.length - 1),
    height - 4 - (count * (height - 8)) / most,
  ])
  const first = trend[0]!
  const last = trend.at(-1)!
  return (
    <section className="card quality-trend" aria-labelledby="quality-trend">
      <h2 id="quality-trend">{t('quality.trend')}</h2>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('quality.trendOf', {
          from: first.day,
          first: number(first.count),
          to: last.day,
          last: number(last.count),
        })}
      >
        <polyline points={points.map((point) => point.join(',')).join(' ')} />
      </svg>
      <details>
        <summary>{t('quality.trendData')}</summary>
        <table className="quality-table">
          <thead>
            <tr>
              <th scope="col">{t('quality.day')}</th>
              <th scope="col">{t('quality.count')}</th>
            </tr>
          </thead>
          <tbody>
            {trend.map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
