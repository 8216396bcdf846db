import { Link } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import { Bars, Changes, Figures, Gaps, listOf, Starts } from './parts.tsx'
import type { HomePart } from './summary.ts'

const starts = [
  ['student_add', 'student', 'edit=new', 'home.start.student'],
  ['student_import', 'import', '', 'home.start.import'],
  ['notice_add', 'notice', 'edit=new', 'home.start.notice'],
] as const

/** The first page of whoever keeps the pupils of schools: figures, grades, schools, the fullest classes, missing data. */
export default function OfficeHome({ summary, at, place }: HomePart) {
  const t = useT()
  const { office } = summary
  if (!office) return null
  if (place === 'start') return <Starts starts={starts} />
  const pupils = { status: '1' }
  const schools = office.schools.length > 1 && (
    <Bars
      id="home-schools"
      title={t('home.schools')}
      bars={office.schools.map((school) => ({
        ...school,
        parts: [school.total],
        to: listOf('student', { ...pupils, schoolId: school.id }),
      }))}
    />
  )
  // Both columns end at about the same height: the newest changes stand beside, and the schools for who may not see these.
  if (place === 'side')
    return (
      <>
        <Gaps gaps={office.gaps} at={at} />
        {summary.changes ? <Changes changes={summary.changes} today={summary.today} /> : schools}
      </>
    )
  return (
    <>
      <Figures figures={office.figures} at={at} />
      <div className="home-pair">
        {office.grades.length > 0 && (
          <Bars
            id="home-grades"
            title={t('home.grades')}
            legend={[t('home.boys'), t('home.girls')]}
            bars={office.grades.map(({ boys, girls, ...grade }) => ({
              ...grade,
              parts: [boys, girls],
              to: listOf('student', { ...pupils, gradeId: grade.id }),
            }))}
          />
        )}
        {office.full.length > 0 && (
          <section className="card" aria-labelledby="home-full">
            <div className="card-head">
              <h2 id="home-full">{t('home.full')}</h2>
            </div>
            <ul className="facts">
              {office.full.map(({ id, name, schoolName, count, maxSize }) => {
                const to = listOf('student', { ...pupils, classId: id })
                const over = count - maxSize
                return (
                  <li key={id}>
                    <span>
                      {to ? <Link to={to}>{name}</Link> : name}{' '}
                      {office.schools.length > 1 && <span className="muted">{schoolName}</span>}
                    </span>
                    <span className={over > 0 ? 'over' : undefined}>
                      {over > 0 ? t('home.over', { count: over }) : t('home.ofLimit', { count, max: maxSize })}
                    </span>
                  </li>
                )
              })}
            </ul>
          </section>
        )}
        {summary.changes && schools}
      </div>
    </>
  )
}
