import { officeHomeWords } from '../../locales/home-office.ts'
import { listAddress, pathOf } from '../../session/paths.ts'
import { useNumber } from '../../ui/number.ts'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { whenOf } from './home-parts.tsx'
import type { GradeSizes, ImportLine } from './summary.ts'
import './office.css'

addWords(officeHomeWords)

/** States in which an import waits for a person. */
const waiting: readonly string[] = ['mapping', 'checked']

/** How the newest imports of students ended, each the way to what it brought in or to where it stopped. */
export function Imports({ imports, today }: { imports: readonly ImportLine[]; today: string }) {
  const t = useT()
  const number = useNumber()
  const to = pathOf('import')
  const outcome = ({ state, added, updated, bad }: ImportLine): string => {
    if (state === 'done') return t('home.import.done', { added: number(added), updated: number(updated) })
    if (waiting.includes(state)) return bad > 0 ? t('home.import.bad', { count: bad }) : t('home.import.waits')
    return state === 'undone'
      ? t('home.import.undone')
      : state === 'failed'
        ? t('home.import.failed')
        : t('home.import.works')
  }
  return (
    <section className="card" aria-labelledby="home-imports">
      <div className="card-head">
        <h2 id="home-imports">{t('home.imports')}</h2>
        {to && <Link to={to}>{t('home.start.import')}</Link>}
      </div>
      {imports.length === 0 && <p className="muted">{t('home.import.none')}</p>}
      <ul className="facts">
        {imports.map((each) => (
          <li key={each.id}>
            <span className="import-line">
              {to ? <Link to={`${to}?batch=${each.id}`}>{each.fileName}</Link> : each.fileName}
              <span className="muted">{[each.userName, whenOf(each.time, today, t)].filter(Boolean).join(' ')}</span>
            </span>
            <span className={waiting.includes(each.state) || each.state === 'failed' ? 'over' : 'muted'}>
              {outcome(each)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The classes of each grade with their pupils; those over the most that they may have say by how many. */
export function Sizes({ grades }: { grades: readonly GradeSizes[] }) {
  const t = useT()
  return (
    <section className="card" aria-labelledby="home-sizes">
      <div className="card-head">
        <h2 id="home-sizes">{t('home.sizes')}</h2>
      </div>
      <ul className="sizes">
        {grades.map(({ id, name, classes }) => (
          <li key={id}>
            <span>{name}</span>
            <ul>
              {classes.map(({ id: classId, name: className, no, count, maxSize }) => {
                const to = listAddress('student', { status: '1', classId })
                const inside = (
                  <>
                    <span className="muted">{t('home.classNo', { no })}</span> <strong>{count}</strong>
                    {count > maxSize && <span className="over">{t('home.sizeOver', { count: count - maxSize })}</span>}
                  </>
                )
                return (
                  <li key={classId} title={`${className} ${t('home.ofLimit', { count, max: maxSize })}`}>
                    {to ? <Link to={to}>{inside}</Link> : <span>{inside}</span>}
                  </li>
                )
              })}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}
