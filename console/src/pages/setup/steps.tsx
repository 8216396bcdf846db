import type { SchoolSetUp } from '@data-brain/contract/calls/school'
import { type ReactNode, Suspense, useState } from 'react'
import { setUpWords } from '../../locales/set-up.ts'
import { pathOf } from '../../session/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { addWords, useT } from '../../ui/words.ts'
import './steps.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords(setUpWords)

const YearDialog = lazyPart(() => import('./year-dialog.tsx'))
const ClassesDialog = lazyPart(() => import('./classes-dialog.tsx'))

type StepKey = 'school' | 'year' | 'grades' | 'classes' | 'students'
const order: readonly StepKey[] = ['school', 'year', 'grades', 'classes', 'students']

/** The steps of setting up a school, from its registration to its pupils; without one, of the first school. */
export default function Steps({ school, several }: { school: SchoolSetUp | undefined; several: boolean }) {
  const t = useT()
  const [open, setOpen] = useState<'year' | 'classes' | null>(null)
  const done = (step: StepKey): boolean => school?.[step === 'school' ? 'campus' : step] ?? false
  // A school comes with its main campus; one that has lost it is registered and needs a campus again.
  const noCampus = school !== undefined && !school.campus
  /** What is said of a step, by which the place where it is gone on with is another one. */
  const caseOf = (step: StepKey): string => {
    if (step === 'school' && noCampus) return 'campus'
    if (step !== 'year' || !school?.hasYears || done('year')) return step
    // Some of it is there already, and would be refused a second time.
    return school.yearId === null ? 'current' : 'semester'
  }
  const next = order.find((step) => !done(step))
  const close = () => setOpen(null)
  const act = (step: StepKey): ReactNode => {
    const className = step === next ? 'button primary' : 'button'
    const label = t(`setUp.${caseOf(step)}Act`)
    const link = (code: string, query = '') => {
      const to = pathOf(code)
      return to ? (
        <Link className={className} to={`${to}${query}`}>
          {label}
        </Link>
      ) : null
    }
    if (step === 'school')
      return noCampus ? link('schoolcampus', '?edit=new') : link('school', school ? '' : '?edit=new')
    if (caseOf(step) === 'current') return link('schoolyear')
    if (caseOf(step) === 'semester') return link('schoolsemester', school?.hasSemesters ? '' : '?edit=new')
    if (step === 'grades') return link('sysgrade')
    if (step === 'students') return link(pathOf('import') ? 'import' : 'student')
    if (done(step)) return link(step === 'year' ? 'schoolyear' : 'schoolclass')
    const ready = order.slice(0, order.indexOf(step)).every(done)
    return (
      <button
        type="button"
        className={className}
        disabled={!ready}
        title={ready ? undefined : t('setUp.first')}
        onClick={() => setOpen(step)}
      >
        {label}
      </button>
    )
  }
  return (
    <section className="card" aria-labelledby="set-up">
      <div className="card-head">
        <h2 id="set-up">{school && several ? t('setUp.ofSchool', { name: school.name }) : t('setUp.title')}</h2>
        <span className="muted">{t('setUp.done', { done: order.filter(done).length, all: order.length })}</span>
      </div>
      <ol className="steps">
        {order.map((step, at) => (
          <li
            key={step}
            className={done(step) ? 'step done' : step === next ? 'step next' : 'step'}
            aria-current={step === next ? 'step' : undefined}
          >
            <span className="step-mark">{done(step) ? <Icon name="check" size={16} /> : at + 1}</span>
            <span className="step-words">
              <strong>{t(`setUp.${step}`)}</strong>
              <span className="muted">{t(`setUp.${caseOf(step)}Text`)}</span>
              {done(step) && <span className="sr-only">{t('setUp.stepDone')}</span>}
            </span>
            <span className="step-links">{act(step)}</span>
          </li>
        ))}
      </ol>
      {school && open && (
        <Suspense fallback={null}>
          {open === 'year' ? (
            <YearDialog school={school} onClose={close} />
          ) : (
            <ClassesDialog schools={[school]} onClose={close} />
          )}
        </Suspense>
      )}
    </section>
  )
}
