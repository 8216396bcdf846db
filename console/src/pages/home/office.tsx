import { clockOf } from '../../ui/instant.ts'
import { Link } from '../../ui/place.ts'
import { useT } from '../../ui/words.ts'
import { Bars, Changes, Figures, listOf, useNumber } from './parts.tsx'
import type { HomePart } from './summary.ts'

/** The first page of whoever keeps the pupils of schools: figures, grades, schools, the fullest classes, missing data. */
export default function OfficeHome({ summary, at, side }: HomePart) {
  const t = useT()
  const number = useNumber()
  const { office } = summary
  if (!office) return null
  const gaps = office.gaps.filter(({ count }) => count > 0)
  const pupils = { status: '1' }
  if (side)
    return (
      <section className="card" aria-labelledby="home-gaps">
        <div className="card-head">
          <h2 id="home-gaps">{t('home.gaps')}</h2>
          <span className="muted">{t('home.countedAt', { time: clockOf(at) })}</span>
        </div>
        {gaps.length === 0 && <p className="muted">{t('home.noGaps')}</p>}
        <ul className="facts">
          {gaps.map(({ key, code, query, count }) => {
            const to = listOf(code, query)
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
        {office.schools.length > 1 && (
          <Bars
            id="home-schools"
            title={t('home.schools')}
            bars={office.schools.map((school) => ({
              ...school,
              parts: [school.total],
              to: listOf('student', { ...pupils, schoolId: school.id }),
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
        {summary.changes && <Changes changes={summary.changes} />}
      </div>
    </>
  )
}
