import { homeWords } from '../../locales/home.ts'
import { listAddress, pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { clockOf } from '../../ui/instant.ts'
import { useNumber } from '../../ui/number.ts'
import { Link } from '../../ui/place.ts'
import { addWords, type Translate, useT } from '../../ui/words.ts'
import type { Change, Figure, FullClass, GradeFigures } from './summary.ts'
import './parts.css'

addWords(homeWords)

/** A moment as short as it is still clear. */
export const whenOf = (time: string, today: string, t: Translate): string =>
  time.startsWith(today) ? t('home.todayAt', { time: time.slice(11, 16) }) : time.slice(5, 16)

/** What a role begins most, as far as this person may: a permission, the page, what its address asks for, and the words. */
export function QuickStarts({ starts }: { starts: readonly (readonly [string, string, string, string])[] }) {
  const t = useT()
  const can = useCan()
  return (
    <>
      {starts.map(([code, page, query, words]) => {
        const to = pathOf(page)
        return to && can(code) ? (
          <Link key={words} className="button" to={query ? `${to}?${query}` : to}>
            {t(words)}
          </Link>
        ) : null
      })}
    </>
  )
}

/** What is missing, each line the way to the rows that miss it. */
export function MissingFacts({ gaps, at }: { gaps: readonly Figure[]; at: number }) {
  const t = useT()
  const number = useNumber()
  const found = gaps.filter(({ count }) => count > 0)
  return (
    <section className="card" aria-labelledby="home-gaps">
      <div className="card-head">
        <h2 id="home-gaps">{t('home.gaps')}</h2>
        <span className="muted">{t('home.countedAt', { time: clockOf(at) })}</span>
      </div>
      {found.length === 0 && <p className="muted">{t('home.noGaps')}</p>}
      <ul className="facts">
        {found.map(({ key, code, query, count }) => {
          const to = listAddress(code, query)
          return (
            <li key={key}>
              {to ? <Link to={to}>{t(`home.gap.${key}`)}</Link> : t(`home.gap.${key}`)}
              <strong>{number(count)}</strong>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Small figures in lines, each the way to the rows that it counts. */
export function Facts({ id, title, figures }: { id: string; title: string; figures: readonly Figure[] }) {
  const t = useT()
  const number = useNumber()
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{t(title)}</h2>
      </div>
      <ul className="facts">
        {figures.map(({ key, code, query, count }) => {
          const to = listAddress(code, query)
          return (
            <li key={key}>
              {to ? <Link to={to}>{t(`home.figures.${key}`)}</Link> : t(`home.figures.${key}`)}
              <strong>{number(count)}</strong>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const sizeOf = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`

/** Large figures in a row, each the way to the rows that it counts. */
export function Figures({ figures, at }: { figures: readonly Figure[]; at: number }) {
  const t = useT()
  const number = useNumber()
  return (
    <section className="card figures" aria-label={t('home.countedAt', { time: clockOf(at) })}>
      {figures.map(({ key, code, query, count }) => {
        const to = listAddress(code, query)
        const inside = (
          <>
            <span className="muted">{t(`home.figures.${key}`)}</span>
            <strong>{key === 'storage' ? sizeOf(count) : number(count)}</strong>
          </>
        )
        return to ? (
          <Link key={key} to={to}>
            {inside}
          </Link>
        ) : (
          <span key={key}>{inside}</span>
        )
      })}
      <span className="counted muted">{t('home.countedAt', { time: clockOf(at) })}</span>
    </section>
  )
}

interface Bar {
  readonly id: string
  readonly name: string
  readonly parts: readonly number[]
  readonly total: number
  readonly to: string | undefined
}

/** Rows of bars with their figures: read as a table, seen as a chart. */
export function FigureBars({
  id,
  title,
  bars,
  legend,
}: {
  id: string
  title: string
  bars: readonly Bar[]
  legend?: readonly string[]
}) {
  const number = useNumber()
  const most = Math.max(1, ...bars.map(({ total }) => total))
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {legend && (
          <span className="bar-legend muted">
            {legend.map((word, at) => (
              <span key={word} className={`part${at}`}>
                {word}
              </span>
            ))}
          </span>
        )}
      </div>
      <ul className="bars">
        {bars.map(({ id: key, name, parts, total, to }) => (
          <li key={key}>
            <span className="bar-name">{to ? <Link to={to}>{name}</Link> : name}</span>
            <span className="home-bar" aria-hidden="true">
              {parts.map((part, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a bar have no other name
                <span key={at} className={`part${at}`} style={{ width: `${(part / most) * 100}%` }} />
              ))}
            </span>
            <strong>{number(total)}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Pupils by grade, each the way to its pupils. */
export function Grades({ grades }: { grades: readonly GradeFigures[] }) {
  const t = useT()
  if (grades.length === 0) return null
  return (
    <FigureBars
      id="home-grades"
      title={t('home.grades')}
      legend={[t('home.boys'), t('home.girls')]}
      bars={grades.map(({ boys, girls, ...grade }) => ({
        ...grade,
        parts: [boys, girls],
        to: listAddress('student', { status: '1', gradeId: grade.id }),
      }))}
    />
  )
}

/** The classes that are nearest to the most that they may have, or over it. */
export function FullestClasses({ classes, several }: { classes: readonly FullClass[]; several: boolean }) {
  const t = useT()
  if (classes.length === 0) return null
  return (
    <section className="card" aria-labelledby="home-full">
      <div className="card-head">
        <h2 id="home-full">{t('home.full')}</h2>
      </div>
      <ul className="facts">
        {classes.map(({ id, name, schoolName, count, maxSize }) => {
          const to = listAddress('student', { status: '1', classId: id })
          const over = count - maxSize
          return (
            <li key={id}>
              <span>
                {to ? <Link to={to}>{name}</Link> : name} {several && <span className="muted">{schoolName}</span>}
              </span>
              <span className={over > 0 ? 'over' : undefined}>
                {over > 0 ? t('home.over', { count: over }) : t('home.ofLimit', { count, max: maxSize })}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** What was changed last, by whom and when; the first few where there is little room. */
export function Changes({
  changes: all,
  today,
  most,
  title = 'home.changes',
}: {
  changes: readonly Change[]
  today: string
  most?: number
  title?: string
}) {
  const t = useT()
  const to = pathOf('history')
  const changes = all.slice(0, most)
  const gone = new Set(all.flatMap(({ action, rowId }) => (action === 'delete' || action === 'undo' ? [rowId] : [])))
  return (
    <section className="card" aria-labelledby="home-changes">
      <div className="card-head">
        <h2 id="home-changes">{t(title)}</h2>
        {to && <Link to={to}>{t('home.allNotices')}</Link>}
      </div>
      {changes.length === 0 && <p className="muted">{t('home.noChanges')}</p>}
      <ul className="facts">
        {changes.map(({ id, entity, entityName, rowId, rowName, action, userName, time }) => {
          const page = gone.has(rowId) ? undefined : pathOf(entity)
          return (
            <li key={id}>
              <span className="change">
                {t(`home.action.${action}`, { who: userName ?? '', what: entityName })}{' '}
                {page && rowName ? <Link to={`${page}?id=${rowId}`}>{rowName}</Link> : rowName}
              </span>
              <span className="muted">{whenOf(time, today, t)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
