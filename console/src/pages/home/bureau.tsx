import { bureauHomeWords } from '../../locales/home-bureau.ts'
import { listAddress, pathOf } from '../../session/paths.ts'
import { useNumber } from '../../ui/number.ts'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Changes, Figures, FullestClasses, Grades, MissingFacts, QuickStarts } from './home-parts.tsx'
import type { HomePart, HomeSummary, SchoolFigures } from './summary.ts'

addWords(bureauHomeWords)

const starts = [
  ['notice_add', 'notice', 'edit=new', 'home.start.notice'],
  ['school_add', 'school', 'edit=new', 'home.start.school'],
] as const

/** A number that leads to its rows; none is written as nothing to look at. */
function Count({ count, to }: { count: number | undefined; to: string | undefined }) {
  const number = useNumber()
  if (!count) return <span className="muted">{count === undefined ? '—' : 0}</span>
  return to ? <Link to={to}>{number(count)}</Link> : number(count)
}

/** The schools side by side: how many pupils, drawn as bars, and what is missing where. */
function Schools({ schools }: { schools: readonly SchoolFigures[] }) {
  const t = useT()
  const most = Math.max(1, ...schools.map(({ pupils }) => pupils))
  const withClasses = schools.some(({ classes }) => classes !== undefined)
  return (
    <section className="card" aria-labelledby="home-by-school">
      <div className="card-head">
        <h2 id="home-by-school">{t('home.bySchool')}</h2>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than a phone is moved by keys too */}
      <section className="school-table" tabIndex={0} aria-labelledby="home-by-school">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('home.school')}</th>
              <th scope="col">{t('home.figures.pupils')}</th>
              {withClasses && <th scope="col">{t('home.figures.classes')}</th>}
              <th scope="col">{t('home.col.noClass')}</th>
              <th scope="col">{t('home.noPhoto')}</th>
              {withClasses && <th scope="col">{t('home.col.noTeacher')}</th>}
            </tr>
          </thead>
          <tbody>
            {schools.map(({ id, name, pupils, noClass, noPhoto, classes, noTeacher }) => {
              const list = (code: string, more: object = {}) =>
                listAddress(code, { schoolId: id, status: '1', ...more })
              const school = pathOf('school')
              return (
                <tr key={id}>
                  <th scope="row">{school ? <Link to={`${school}?id=${id}`}>{name}</Link> : name}</th>
                  <td>
                    <div className="school-pupils">
                      <span className="home-bar" aria-hidden="true">
                        <span className="part0" style={{ width: `${(pupils / most) * 100}%` }} />
                      </span>
                      <Count count={pupils} to={list('student')} />
                    </div>
                  </td>
                  {withClasses && (
                    <td>
                      <Count count={classes} to={list('schoolclass')} />
                    </td>
                  )}
                  <td>
                    <Count count={noClass} to={list('student', { classId_null: '1' })} />
                  </td>
                  <td>
                    <Count count={noPhoto} to={list('student', { photo_null: '1' })} />
                  </td>
                  {withClasses && (
                    <td>
                      <Count count={noTeacher} to={list('schoolclass', { headTeacherId_null: '1' })} />
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </section>
  )
}

/** Schools whose current semester is over, or that have none. */
function Overdue({ bureau }: { bureau: NonNullable<HomeSummary['bureau']> }) {
  const t = useT()
  const late = bureau.schools.filter(({ overdue }) => overdue === 1)
  if (late.length === 0) return null
  return (
    <section className="card" aria-labelledby="home-overdue">
      <div className="card-head">
        <h2 id="home-overdue">{t('home.overdue')}</h2>
      </div>
      <ul className="facts">
        {late.map(({ id, name, semesterName, semesterEnd }) => {
          const to = bureau.semesters ? listAddress('schoolsemester', { schoolId: id }) : undefined
          return (
            <li key={id}>
              <span>{to ? <Link to={to}>{name}</Link> : name}</span>
              <span className="over">
                {semesterEnd
                  ? t('home.semesterOver', { name: semesterName ?? '', day: semesterEnd.slice(0, 10) })
                  : t('home.noSemester')}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The newest notices and how many of those they are for have read them. */
function Read({ notices }: { notices: NonNullable<NonNullable<HomeSummary['bureau']>['notices']> }) {
  const t = useT()
  const to = pathOf('notice')
  return (
    <section className="card" aria-labelledby="home-read">
      <div className="card-head">
        <h2 id="home-read">{t('home.read')}</h2>
        {to && <Link to={to}>{t('home.allNotices')}</Link>}
      </div>
      {notices.length === 0 && <p className="muted">{t('home.noNotice')}</p>}
      <ul className="facts">
        {notices.map(({ id, title, read, unread }) => (
          <li key={id}>
            <span>{to ? <Link to={`${to}?id=${id}`}>{title}</Link> : title}</span>
            <span className="muted">{t('home.readBy', { read, all: read + unread })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The first page of whoever looks at several schools: what is late, their figures side by side, who has read what. */
export default function BureauHome({ summary, at, place }: HomePart) {
  const { bureau } = summary
  if (!bureau) return null
  if (place === 'start') return <QuickStarts starts={starts} />
  if (place === 'side')
    return (
      <>
        <MissingFacts gaps={bureau.gaps} at={at} />
        {summary.changes && <Changes changes={summary.changes} today={summary.today} most={5} />}
      </>
    )
  return (
    <>
      <Overdue bureau={bureau} />
      <Figures figures={bureau.figures} at={at} />
      <Schools schools={bureau.schools} />
      <div className="home-pair">
        <Grades grades={bureau.grades} />
        <FullestClasses classes={bureau.full} several />
        {bureau.notices && <Read notices={bureau.notices} />}
      </div>
    </>
  )
}
