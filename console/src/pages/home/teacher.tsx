import { Fragment, Suspense, useState } from 'react'
import { teacherHomeWords } from '../../locales/home-teacher.ts'
import { listAddress, pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { clockOf } from '../../ui/instant.ts'
import { useNumber } from '../../ui/number.ts'
import { Link } from '../../ui/place.ts'
import { tintOf } from '../../ui/tint.ts'
import { addWords, useT } from '../../ui/words.ts'
import { MissingFacts, QuickStarts } from './home-parts.tsx'
import { Lessons, Week } from './lessons.tsx'
import type { HomePart, Pupil, TaughtClass } from './summary.ts'
import './teacher.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords(teacherHomeWords)

const CallLine = lazyPart(() => import('../student/call-line.tsx'))
/** How far ahead birthdays are named. */
const birthdayDays = 30

const starts = [['studentmessage_add', 'studentmessage', 'edit=new', 'home.start.message']] as const
/** Names that stand before the rest is asked for, where there is little room. */
const firstNames = 8

/** Days from `today` to the next birthday. */
function daysTo(birthday: string, today: string): number {
  const year = Number(today.slice(0, 4))
  const [now, ...next] = [today, `${year}-${birthday}`, `${year + 1}-${birthday}`].map((day) =>
    Date.parse(`${day}T00:00:00Z`),
  )
  const left = next.map((at) => Math.round((at - now!) / 86_400_000)).filter((days) => days >= 0)
  return Math.min(...left)
}

const recordOf = (pupil: Pupil): string | undefined => {
  const to = pathOf('student')
  return to && `${to}?id=${pupil.id}`
}

function Name({ pupil }: { pupil: Pupil }) {
  const to = recordOf(pupil)
  return to ? <Link to={to}>{pupil.name}</Link> : <span>{pupil.name}</span>
}

/** Every name of the class, each with its parents' number one press away. */
function Roster({ pupils }: { pupils: readonly Pupil[] }) {
  const t = useT()
  const may = useCan()('studentparents_view')
  const [called, setCalled] = useState<string | null>(null)
  const [whole, setWhole] = useState(false)
  return (
    <>
      <ul className={whole ? 'roster whole' : 'roster'}>
        {pupils.map((pupil, at) => (
          <Fragment key={pupil.id}>
            <li className={at >= firstNames ? 'late' : undefined}>
              <span className={`disc s${tintOf(pupil.name)}`} aria-hidden="true">
                {pupil.name.slice(0, 1)}
              </span>
              <Name pupil={pupil} />
              {pupil.alone === 1 ? (
                <span className="alone">{t('home.alone')}</span>
              ) : (
                may && (
                  <button
                    type="button"
                    className="ring"
                    aria-expanded={called === pupil.id}
                    aria-label={t('home.ring', { name: pupil.name })}
                    title={t('home.ring', { name: pupil.name })}
                    onClick={() => setCalled(called === pupil.id ? null : pupil.id)}
                  >
                    <Icon name="phone" size={16} />
                  </button>
                )
              )}
            </li>
            {called === pupil.id && (
              <li className="ring-line">
                <div role="status">
                  <p className="muted">{t('home.parentsOf', { name: pupil.name })}</p>
                  <Suspense fallback={null}>
                    <CallLine childId={pupil.id} asked />
                  </Suspense>
                </div>
              </li>
            )}
          </Fragment>
        ))}
      </ul>
      {!whole && pupils.length > firstNames && (
        <button type="button" className="link-button roster-more" onClick={() => setWhole(true)}>
          {t('home.wholeClass', { count: pupils.length })}
        </button>
      )}
    </>
  )
}

/** The classes that somebody teaches, each the way to its record. */
function TaughtClasses({ taught }: { taught: readonly TaughtClass[] }) {
  const t = useT()
  return (
    <section className="card" aria-labelledby="home-taught">
      <div className="card-head">
        <h2 id="home-taught">{t('home.taught')}</h2>
      </div>
      {taught.length === 0 && <p className="muted">{t('home.noTaught')}</p>}
      <ul className="facts">
        {taught.map(({ id, grouped, name, subjects, hours }) => {
          const to = pathOf(grouped ? 'schoolteachclass' : 'schoolclass')
          return (
            <li key={id}>
              <span>
                {to ? <Link to={`${to}?id=${id}`}>{name}</Link> : name} <span className="muted">{subjects}</span>
              </span>
              <span className="muted">{t('home.weekHours', { hours })}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** A class teacher's first page: lessons of the day, the class with every name and what is missing of whom, birthdays. */
export default function TeacherHome({ summary, at, place, onClass }: HomePart) {
  const t = useT()
  const number = useNumber()
  const { teacher, week, today } = summary
  if (!teacher) {
    const { taught } = summary
    // A guard, or who is new: that nothing is taught is said once, and not by three cards.
    const isIdle = week?.length === 0 && taught?.length === 0
    if (place === 'side') return taught && !isIdle && <TaughtClasses taught={taught} />
    if (isIdle) return place === 'main' && <TaughtClasses taught={taught} />
    return (
      place === 'main' &&
      week && (
        <>
          <Lessons week={week} today={today} />
          <Week own={week} today={today} />
        </>
      )
    )
  }
  if (place === 'start') return <QuickStarts starts={starts} />
  const { id, name, classes, pupils, gaps } = teacher
  const roster = listAddress('student', { classId: id, status: '1' })
  const boys = pupils.filter(({ sex }) => sex === '1').length
  const girls = pupils.filter(({ sex }) => sex === '2').length
  const near = pupils
    .flatMap((pupil) => (pupil.birthday ? [{ pupil, days: daysTo(pupil.birthday, today) }] : []))
    .filter(({ days }) => days < birthdayDays)
    .sort((a, b) => a.days - b.days)
  if (place === 'side')
    return (
      <>
        <MissingFacts gaps={gaps} at={at} />
        <section className="card" aria-labelledby="home-birthdays">
          <div className="card-head">
            <h2 id="home-birthdays">{t('home.birthdays')}</h2>
          </div>
          {near.length === 0 ? (
            <p className="muted">{t('home.noBirthdays')}</p>
          ) : (
            <ul className="roster">
              {near.map(({ pupil, days }) => (
                <li key={pupil.id}>
                  <Name pupil={pupil} />
                  <span className="muted">{days === 0 ? t('home.today.day') : pupil.birthday}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
      </>
    )
  return (
    <>
      {week && <Lessons week={week} today={today} />}
      <section className="card" aria-labelledby="home-class">
        <div className="card-head">
          <h2 id="home-class">{name}</h2>
          <span className="muted">{t('home.countedAt', { time: clockOf(at) })}</span>
          {roster && <Link to={roster}>{t('home.roster')}</Link>}
        </div>
        {classes.length > 1 && (
          <fieldset className="home-kinds">
            <legend className="sr-only">{t('home.myClasses')}</legend>
            {classes.map((each) => (
              <button
                key={each.id}
                type="button"
                className="button"
                aria-pressed={each.id === id}
                onClick={() => onClass(each.id)}
              >
                {each.name}
              </button>
            ))}
          </fieldset>
        )}
        {pupils.length === 0 ? (
          <p className="muted">{t('home.noPupils')}</p>
        ) : (
          <>
            <p className="class-facts">
              <strong>{number(pupils.length)}</strong> {t('home.pupils')}
              <span className="muted">{t('home.sexes', { boys, girls })}</span>
            </p>
            <Roster key={id} pupils={pupils} />
          </>
        )}
      </section>
      {week && <Week own={week} ofClass={teacher.week} today={today} />}
    </>
  )
}
