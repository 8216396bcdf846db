import { substitution, teacherabsence } from '@data-brain/contract'
import type { UncoveredLesson } from '@data-brain/contract/calls/substitution'
import { todayInChina } from '@data-brain/contract/rules/school-year'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useId, useMemo, useRef, useState } from 'react'
import { useEntity } from '../../entity/data/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { useCan } from '../../session/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { Absences } from './absences.tsx'
import { Arranged } from './arranged.tsx'
import { type Days, type Terms, uncoveredIn, useArranging, useDeskNews } from './calls.ts'
import { Candidates } from './candidates.tsx'
import { OtherChoices, TermsLine } from './lesson-choices.tsx'
import { Proposal } from './proposal.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import { SwapDialog } from './swap-dialog.tsx'
import { byTeacher, dayText, keyOf, periodsText, stepTo } from './work.ts'

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))
const NONE: Readonly<Record<string, string>> = {}
const still = () => {}

/** A form that is open over the desk: an absence, or what a lesson is to be instead. */
interface Opened {
  readonly entity: typeof substitution | typeof teacherabsence
  readonly id: string | null
  readonly begin: Readonly<Record<string, string>>
}

const lessonsRoot = 'cover-lessons'
const focusLesson = (key: string | null) =>
  key && document.querySelector<HTMLElement>(`.${lessonsRoot} [data-lesson="${CSS.escape(key)}"]`)?.focus()

/** What some days want: lessons without cover at the left, who could give the chosen one at the right, and what is arranged. */
export function Desk(days: Days) {
  const { schoolId, from, to } = days
  const t = useT()
  const language = useLanguage()
  const can = useCan()
  const found = useQuery(uncoveredIn(days))
  useDeskNews()
  const { renew } = useEntity(substitution)
  const { busy, failure, cover, arrange } = useArranging()
  const [at, setAt] = useState<string | null>(null)
  const [terms, setTerms] = useState<Terms>({ confirmed: false, countsAsExtra: true })
  const [opened, setOpened] = useState<Opened | null>(null)
  const [suspending, setSuspending] = useState(false)
  const [swapped, setSwapped] = useState<UncoveredLesson | null>(null)
  const [proposing, setProposing] = useState<readonly UncoveredLesson[] | null>(null)
  // In the order in which they are shown, so that the next one is the one beneath.
  const lessons = byTeacher(found.data ?? []).flat()
  const lesson = lessons.find((each) => keyOf(each) === at)
  const parts = useMemo(() => ({ draft: 'cover', single: true, begin: opened?.begin ?? {} }), [opened])
  const isToday = from === to && from === todayInChina()
  const open = (entity: Opened['entity'], id: string | null, begin: Opened['begin']) => setOpened({ entity, id, begin })
  const nameOf = ({ day, periodNo, span, className, subjectName }: UncoveredLesson) =>
    [
      from === to ? '' : dayText(day, language),
      t('cover.period', { no: periodsText({ periodNo, span }) }),
      className,
      subjectName,
    ]
      .filter(Boolean)
      .join(' ')
  /** After a lesson was seen to, the next one is worked with. */
  const leave = (done: UncoveredLesson) => {
    const place = lessons.findIndex((each) => keyOf(each) === keyOf(done))
    const next = lessons[place + 1] ?? lessons[place - 1]
    setAt(null)
    focusLesson(next ? keyOf(next) : null)
  }
  return (
    <>
      <div className="cover-top">
        <Absences days={days} onOpen={(id) => open(teacherabsence, id, NONE)} />
        {can('teacherabsence_add') && (
          <button
            type="button"
            className="button"
            onClick={() => open(teacherabsence, null, { schoolId, beginDate: from, endDate: to })}
          >
            {t('cover.absence')}
          </button>
        )}
        {can('substitution_decide') && (
          <button type="button" className="button" onClick={() => setSuspending(true)}>
            {t('cover.suspend')}
          </button>
        )}
        {can('substitution_add') && lessons.length > 0 && (
          <button type="button" className="button primary" onClick={() => setProposing(lessons)}>
            {t('cover.best')}
          </button>
        )}
      </div>
      <QueryStates query={found}>
        {() =>
          lessons.length === 0 ? (
            <p className="cover-none" role="status">
              {isToday ? t('cover.noneToday') : t('cover.none', { days: from === to ? from : `${from} – ${to}` })}
            </p>
          ) : (
            <div className="cover-body">
              <Lessons lessons={lessons} at={at} severalDays={from !== to} onChoose={setAt} />
              {lesson && can('substitution_add') ? (
                <Candidates
                  key={keyOf(lesson)}
                  lesson={lesson}
                  title={nameOf(lesson)}
                  busy={busy}
                  failure={failure}
                  acts={{
                    assign: ({ teacherId, teacherName }) =>
                      void cover(
                        [
                          {
                            scheduleId: lesson.scheduleId,
                            day: lesson.day,
                            teacherId,
                            over: lesson.substitutionId ?? '0',
                          },
                        ],
                        terms,
                        t('cover.assigned', { lesson: nameOf(lesson), name: teacherName }),
                      ).then((done) => done && leave(lesson)),
                    back: () => focusLesson(at),
                  }}
                >
                  <TermsLine terms={terms} onTerms={setTerms} />
                  <OtherChoices
                    lesson={lesson}
                    onOpen={(kind) =>
                      open(substitution, null, { schoolId, scheduleId: lesson.scheduleId, day: lesson.day, kind })
                    }
                    onSwap={() => setSwapped(lesson)}
                  />
                </Candidates>
              ) : (
                <p className="cover-choose muted">
                  {t(can('substitution_add') ? 'cover.choose' : 'cover.openLessons')}
                </p>
              )}
            </div>
          )
        }
      </QueryStates>
      <Arranged days={days} />
      {opened && (
        <Suspense fallback={null}>
          <EntityForm
            key={opened.entity.name}
            entity={opened.entity}
            open
            id={opened.id}
            preset={NONE}
            parts={parts}
            onClose={() => setOpened(null)}
            onSaved={() => void renew()}
            onDirty={still}
          />
        </Suspense>
      )}
      {swapped && (
        <SwapDialog
          lesson={swapped}
          lessons={lessons}
          nameOf={nameOf}
          work={{ busy, failure, arrange }}
          confirmed={terms.confirmed}
          onClose={() => setSwapped(null)}
        />
      )}
      {suspending && <SuspendDialog days={days} onClose={() => setSuspending(false)} />}
      {proposing && (
        <Proposal
          lessons={proposing}
          nameOf={nameOf}
          terms={terms}
          onTerms={setTerms}
          onClose={() => setProposing(null)}
        />
      )}
    </>
  )
}

interface LessonsProps {
  readonly lessons: readonly UncoveredLesson[]
  readonly at: string | null
  readonly severalDays: boolean
  readonly onChoose: (key: string) => void
}

/** The lessons that nobody gives, under whoever is away; arrows walk through all of them. */
function Lessons({ lessons, at, severalDays, onChoose }: LessonsProps) {
  const t = useT()
  const language = useLanguage()
  const root = useRef<HTMLElement>(null)
  const titleId = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[data-lesson]') ?? [])]
    const next = stepTo(event.key, all.indexOf(event.target as HTMLElement), all.length)
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }
  return (
    <section ref={root} className={`${lessonsRoot} card`} aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <h2 id={titleId}>
        {t('cover.openLessons')} <span className="pill warn">{t('cover.openCount', { count: lessons.length })}</span>
      </h2>
      <p className="muted cover-keys">{t('cover.keys')}</p>
      {byTeacher(lessons).map((those) => (
        <div key={those[0]!.teacherId}>
          <h3>{t('cover.of', { teacher: those[0]!.teacherName })}</h3>
          <ul>
            {those.map((each) => (
              <li key={keyOf(each)}>
                <button
                  type="button"
                  data-lesson={keyOf(each)}
                  aria-pressed={keyOf(each) === at}
                  onClick={() => onChoose(keyOf(each))}
                >
                  <span>
                    {severalDays && `${dayText(each.date, language)} `}
                    {t('cover.period', { no: periodsText(each) })}
                  </span>
                  <strong>{each.className}</strong>
                  <span>{each.subjectName}</span>
                  {each.classroomName && <span className="muted">{each.classroomName}</span>}
                  {each.declinedBy.length > 0 && (
                    <span className="pill bad">
                      {t('cover.declinedBy', { names: each.declinedBy.join(t('entity.separator')) })}
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
