import { classschedule, timetableplan } from '@data-brain/contract'
import { type Obstacle, type PlanBoard, planBoard, planSlots } from '@data-brain/contract/calls/timetable'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { undoOf, undoOffer, useEntity } from '../../entity/data/index.ts'
import { StatusTag, useCellWords } from '../../entity/display/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { entityWords } from '../../locales/entity.ts'
import { planWords } from '../../locales/plan.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { timetableNewsStore } from '../../session/unread.ts'
import { focusBack } from '../../ui/focus-back.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { go, Link, usePlace, useTab } from '../../ui/place.ts'
import { Segments } from '../../ui/segments.tsx'
import { useStore } from '../../ui/store.ts'
import { toast } from '../../ui/toast.ts'
import { holdTyping } from '../../ui/typed-ahead.ts'
import { asStep } from '../../ui/undo.ts'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { Conflicts } from './conflicts.tsx'
import { GenerateDialog } from './generate-dialog.tsx'
import { type Destination, type GridActs, PlanGrid } from './grid.tsx'
import { HandBar } from './hand-bar.tsx'
import {
  askOf,
  type BoardView,
  bySlot,
  type CarriedLesson,
  dayName,
  type Lesson,
  partsOf,
  type Slot,
  slotKey,
} from './lesson.ts'
import { lessonInputs } from './lesson-inputs.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { SchoolSheet } from './sheet.tsx'
import { Tray } from './tray.tsx'
import { focusCell, gaveWay, planPath, planStates, unlessProblem, usePlanWork } from './work.ts'
import './page.css'

addWords({ ...entityWords, ...planWords })

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))
const lenses: readonly BoardView[] = ['class', 'teacher', 'room', 'school']
const targets = { class: 'schoolclass', teacher: 'user', room: 'schoolclassroom' } as const
const NONE: Readonly<Record<string, string>> = {}
const still = () => {}

/** A timetable: by class, teacher, room or the whole school; lessons are taken in hand and put where they fit. */
export default function PlanPage() {
  const { params, query } = usePlace()
  const id = params.planId ?? ''
  const asked = query.get('by')
  const of = query.get('of')
  // Whoever has chosen nobody's week yet sees the school's.
  const lens = lenses.find((each) => each === asked) ?? (of ? 'class' : 'school')
  const t = useT()
  const { setName } = useTab()
  const board = useQuery({
    queryKey: ['plan', id, 'board', lens, of],
    queryFn: async ({ signal }) => {
      const part = of && lens !== 'school' ? { of } : {}
      return { ...(await call(planBoard, { id, by: lens, ...part }, { signal, silent: true })), lens, of }
    },
    placeholderData: (before) => before,
    retry: false,
    meta: { reads: [classschedule.name, timetableplan.name] },
  })
  const name = board.data?.plan.planName
  useEffect(() => {
    if (name) setName(name)
  }, [name, setName])
  const look = useCallback(
    (by: BoardView, which: string | null) =>
      go(`${planPath(id)}?${new URLSearchParams({ by, ...(which ? { of: which } : {}) })}`, { replace: true }),
    [id],
  )
  if (board.isError) return <LoadFailed problem={board.error} onRetry={() => void board.refetch()} />
  return (
    <div className="page plan-page">
      {board.data ? (
        <PlanView key={id} board={board.data} asked={{ lens, of }} look={look} />
      ) : (
        <p className="muted" aria-busy>
          {t('entity.searching')}
        </p>
      )}
    </div>
  )
}

type Note = 'plan.readOnly' | 'plan.readOnlyLook' | 'plan.archivedLook' | 'plan.draftLook'

/** What is said of a plan that is not worked on, by what whoever looks at it may do. */
function noteOf(status: number, can: (code: string) => boolean): Note | undefined {
  const makes = ['add', 'edit', 'delete'].some((verb) => can(`${classschedule.name}_${verb}`))
  if (status < planStates.published) return makes ? undefined : 'plan.draftLook'
  if (can('timetableplan_add')) return 'plan.readOnly'
  return status === planStates.published ? 'plan.readOnlyLook' : 'plan.archivedLook'
}

/** Whose week it is: that of a class, a teacher, a room, or the sheet of the school. */
interface Looked {
  readonly lens: BoardView
  readonly of: string | null
}

interface ViewProps {
  /** What came, with whose week it is: the former one stands, and is called so, until the one asked for is there. */
  readonly board: PlanBoard & Looked
  readonly asked: Looked
  readonly look: (lens: BoardView, of: string | null) => void
}

type Dialogs = 'publish' | 'generate' | null

function PlanView({ board, asked, look }: ViewProps) {
  const t = useT()
  const words = useCellWords(timetableplan)
  const can = useCan()
  const { check, copy, again, saveFet } = usePlanWork()
  const { plan, lens, of } = board
  const status = Number(plan.status)
  const isDraft = status < planStates.published
  const [dialog, setDialog] = useState<Dialogs>(null)
  /** The conflicts that are listed: those of what is looked at, or of the whole plan. */
  const [found, setFound] = useState<readonly Obstacle[] | null>(null)
  const owed = board.owed.reduce((sum, { hours, placed }) => sum + hours - placed, 0)
  const surplus = board.surplus.reduce((sum, { hours, placed }) => sum + placed - hours, 0)
  const [goTo, setGoTo] = useState<Destination | null>(null)
  const work = useLessonWork(board, lens, of, isDraft)
  // Whoever came before there was a heading begins at it.
  useEffect(() => focusBack(null), [])
  const list = pathOf('timetableplan')
  const rules = pathOf('timetablerule')
  const further = [
    { key: 'print', label: t('plan.print'), icon: 'printer', run: () => window.print() },
    ...(can('classschedule_edit')
      ? [{ key: 'fet', label: t('plan.fet'), icon: 'download', run: () => void saveFet(plan.id, isDraft) }]
      : []),
  ]
  const note = noteOf(status, can)
  const choose = async (obstacle: Obstacle) => {
    const named = ({ id }: Lesson) => obstacle.lessonIds.includes(id)
    setFound(null)
    const here = board.lessons.find(named)
    // A check of the whole plan names lessons of weeks that are not looked at.
    const lesson =
      here ?? (await call(planBoard, { id: plan.id, by: 'school' }).catch(unlessProblem))?.lessons.find(named)
    if (!lesson) return
    // A teaching class has no week of its own to look at: its pupils' classes have it, and its teacher.
    if (lens === 'school' || !here) look(lesson.classId ? 'class' : 'teacher', lesson.classId ?? lesson.teacherId)
    setGoTo({ id: lesson.id, onThere: () => setGoTo(null) })
  }
  const isChosen = lens === 'school' || of !== null
  // A class also has lessons of teaching classes, by another name.
  const names = board.lessons.find(({ classId }) => lens !== 'class' || classId === of) ?? board.lessons[0]
  const shown = {
    class: names?.className,
    teacher: names?.teacherName,
    room: names?.classroomName,
    school: plan.planName,
  }
  return (
    <>
      <div className="page-head">
        <h1 tabIndex={-1}>{plan.planName}</h1>
        <p className="plan-printed">
          {[plan.schoolName, plan.semesterName, lens === 'school' ? null : shown[lens]].filter(Boolean).join(' · ')}
        </p>
        {timetableplan.status && <StatusTag value={plan.status} status={timetableplan.status} words={words} />}
        <div className="plan-acts">
          {board.obstacles.length > 0 && (
            <button type="button" className="button quiet plan-count" onClick={() => setFound(board.obstacles)}>
              {t('plan.conflicts', { count: board.obstacles.length })}
            </button>
          )}
          {isDraft && owed > 0 && <span className="muted">{t('plan.owed', { count: owed })}</span>}
          {isDraft && surplus > 0 && <span className="plan-count">{t('plan.surplus', { count: surplus })}</span>}
          {isDraft && (
            <button
              type="button"
              className="button"
              onClick={() => void check(plan.id, plan.planName).then((all) => all && all.length > 0 && setFound(all))}
            >
              {t('plan.check')}
            </button>
          )}
          <MenuButton label={t('plan.further')} className="button" align="right" entries={further}>
            <Icon name="ellipsis" size={16} />
          </MenuButton>
          {can('timetableplan_add') && (
            <button
              type="button"
              className={isDraft ? 'button' : 'button primary'}
              onClick={() => void copy(plan.id).then((made) => made && go(planPath(made)))}
            >
              {t('plan.copy')}
            </button>
          )}
          {isDraft && can('classschedule_edit') && (
            <button type="button" className="button" onClick={() => setDialog('generate')}>
              {t('plan.generate')}
            </button>
          )}
          {isDraft && can('timetableplan_publish') && (
            <button type="button" className="button primary" onClick={() => setDialog('publish')}>
              {t('plan.publish')}
            </button>
          )}
        </div>
      </div>
      {note && <p className="alert plan-note">{t(note)}</p>}
      <div className="plan-line">
        <Segments
          label={t('plan.lens')}
          options={lenses.map((key) => ({ key, label: t(`plan.${key}`) }))}
          value={asked.lens}
          onChange={(key) => look(key, null)}
        />
        {asked.lens !== 'school' && (
          <ReferenceSelect
            key={asked.lens}
            className="plan-of"
            to={targets[asked.lens]}
            label={t(`plan.${asked.lens}`)}
            placeholder={t(`plan.${asked.lens}`)}
            value={asked.of}
            names={NONE}
            scope={asked.lens === 'teacher' ? { near: plan.schoolId } : { within: { schoolId: plan.schoolId } }}
            onChange={(next) => look(asked.lens, typeof next === 'string' ? next : null)}
          />
        )}
        {rules && can('timetablerule_view') && (
          <Link to={`${rules}?${new URLSearchParams({ schoolId: plan.schoolId, semesterId: plan.semesterId })}`}>
            {t('plan.rules')}
          </Link>
        )}
        {list && <Link to={list}>{t('plan.back')}</Link>}
      </div>
      {work.acts && lens !== 'school' && isChosen && (
        <HandBar hand={work.hand} at={work.at} lessons={lessonsAt(board.lessons, work.at)} acts={toGrid(work.acts)} />
      )}
      {lens === 'school' && (
        <SchoolSheet board={board} isArranged={work.acts !== undefined} onClass={(id) => look('class', id)} />
      )}
      {lens !== 'school' && !isChosen && <p className="plan-choose muted">{t('plan.choose')}</p>}
      {lens !== 'school' && isChosen && (
        <div className="plan-body">
          <div>
            <PlanGrid
              board={board}
              lens={lens}
              name={shown[lens] ?? plan.planName}
              hand={work.hand}
              judged={work.judged}
              goTo={goTo}
              acts={work.acts}
            />
          </div>
          {work.acts && lens !== 'room' && (
            <Tray
              owed={board.owed}
              surplus={board.surplus}
              hand={work.hand}
              onHand={work.setHand}
              onPress={toGrid(work.acts).onHand}
              isEmpty={board.owed.length + board.surplus.length + board.lessons.length === 0}
            />
          )}
        </div>
      )}
      {dialog === 'publish' && <PublishDialog id={plan.id} name={plan.planName} onClose={() => setDialog(null)} />}
      {dialog === 'generate' && (
        <GenerateDialog
          id={plan.id}
          name={plan.planName}
          replaces={board.lessons.length > 0}
          onDone={() => void again(classschedule)}
          onClose={() => setDialog(null)}
        />
      )}
      {found && (
        <Conflicts
          name={plan.planName}
          obstacles={found}
          onChoose={(each) => void choose(each)}
          onClose={() => setFound(null)}
        />
      )}
      {work.form}
    </>
  )
}

/** The lesson that is edited, or what a new one begins with. */
interface Editing {
  readonly id: string | null
  readonly begin: Readonly<Record<string, string | number>>
}

const { fields, groups = [] } = classschedule
/** Lessons as they are typed here: what, who and where first; where the plan stands is known and comes last. */
const typed = {
  ...classschedule,
  groups: [
    { label: groups[0]!.label, fields: ['subjectId', 'teacherId', 'classId', 'teachClassId', 'classroomId'] as const },
    ...groups.slice(1, 2),
    {
      label: groups.at(-1)!.label,
      fields: [...groups.at(-1)!.fields, 'schoolId', 'semesterId', 'planId'] as readonly (keyof typeof fields)[],
      folded: true,
    },
  ],
}
const asTyped = () => typed

/** What is done with the lessons of a draft: taken in hand, put down, added, edited, removed, and all of it taken back. */
function useLessonWork(board: PlanBoard, lens: BoardView, of: string | null, isDraft: boolean) {
  const t = useT()
  const language = useLanguage()
  const can = useCan()
  const { again } = usePlanWork()
  const { change, remove, undo } = useEntity(classschedule)
  const { plan } = board
  const [hand, setHand] = useState<CarriedLesson | null>(null)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [at, setAt] = useState<Slot | null>(null)
  const news = useStore(timetableNewsStore)
  const seen = useRef(news)
  useEffect(() => {
    if (seen.current === news) return
    seen.current = news
    void again(classschedule)
  }, [news, again])
  const found = useQuery({
    queryKey: ['plan', plan.id, 'slots', hand && askOf(hand)],
    queryFn: ({ signal }) => call(planSlots, { id: plan.id, ...(hand && askOf(hand)) }, { signal, silent: true }),
    enabled: hand !== null,
    retry: false,
  })
  const judged = useMemo(
    () => found.data && new Map(found.data.map((slot) => [slotKey(slot), slot.obstacles])),
    [found.data],
  )
  const refused = useCallback(
    (problem: unknown, lesson?: Lesson) => {
      if (!(problem instanceof HttpProblem)) throw problem
      toast.error(gaveWay(problem, lesson, t, language) ?? (problem.message || t('spec.unknownError')))
      // What is shown is what somebody else has left of it.
      void again(classschedule)
    },
    [t, language, again],
  )
  const place = useCallback(
    async (slot: Slot) => {
      if (!hand) return
      const at = { weekday: String(slot.weekday), periodNo: slot.periodNo }
      const common = { schoolId: plan.schoolId, semesterId: plan.semesterId, planId: plan.id, ...at }
      const draft =
        hand.kind === 'lesson'
          ? { id: hand.lesson.id, version: hand.lesson.version, ...at }
          : { ...common, ...partsOf(hand) }
      setHand(null)
      try {
        const saved = await change(draft)
        await again(classschedule)
        toast.success(
          t('plan.placed', { day: dayName(slot.weekday, language), no: slot.periodNo }),
          undefined,
          undoOf(classschedule, saved, undo, t),
        )
      } catch (problem) {
        refused(problem, hand.kind === 'lesson' ? hand.lesson : undefined)
      }
    },
    [hand, plan, change, again, undo, t, language, refused],
  )
  const acts: GridActs | undefined = useMemo(
    () =>
      isDraft && can('classschedule_edit')
        ? {
            onPlace: (slot) => void asStep(place(slot)),
            onOpen: (lesson) => {
              holdTyping(() => setEditing(null))
              setEditing({ id: lesson.id, begin: {} })
            },
            onAdd: (slot) => {
              holdTyping(() => setEditing(null))
              setEditing({
                id: null,
                begin: {
                  ...{ schoolId: plan.schoolId, semesterId: plan.semesterId, planId: plan.id },
                  ...{ weekday: String(slot.weekday), periodNo: slot.periodNo },
                  ...(of && lens === 'class' ? { classId: of } : {}),
                  ...(of && lens === 'teacher' ? { teacherId: of } : {}),
                  ...(of && lens === 'room' ? { classroomId: of } : {}),
                },
              })
            },
            onRemove: (lessons) => {
              const removed = remove(lessons.map(({ id }) => id)).then(
                async (requestId) => {
                  await again(classschedule)
                  const offer = requestId ? undoOffer(requestId, undo, t) : undefined
                  const [first] = lessons
                  toast.success(
                    lessons.length > 1
                      ? t('plan.removedSeveral', { count: lessons.length })
                      : t('plan.removed', { name: `${first?.className} ${first?.subjectName}` }),
                    undefined,
                    offer,
                  )
                },
                (problem: unknown) => refused(problem, lessons[0]),
              )
              void asStep(removed)
            },
            onHand: setHand,
            onAt: setAt,
          }
        : undefined,
    [isDraft, can, place, plan, of, lens, remove, again, undo, t, refused],
  )
  // What is worked with is the grid: the focus goes back to the cell, which another lesson may stand in by now.
  const close = () => {
    setEditing(null)
    focusCell()
  }
  const parts = useMemo(
    () => ({
      ...{ of: asTyped, draft: 'plan', single: true, begin: editing?.begin ?? {} },
      inputs: lessonInputs(plan.id, editing?.id ?? null),
    }),
    [editing, plan.id],
  )
  const form = editing && (
    <Suspense fallback={null}>
      <EntityForm
        entity={classschedule}
        open
        id={editing.id}
        preset={NONE}
        parts={parts}
        onClose={close}
        onSaved={() => void again(classschedule)}
        onDirty={still}
      />
    </Suspense>
  )
  return { hand, setHand, at, judged, acts, form }
}

/** What is done from beside the grid: the button may go with it, and keys go on in the grid. */
const toGrid = (acts: GridActs): GridActs => ({
  ...acts,
  onHand: (hand) => {
    acts.onHand(hand)
    focusCell()
  },
  onRemove: (lessons) => {
    acts.onRemove(lessons)
    focusCell()
  },
})

const lessonsAt = (lessons: readonly Lesson[], at: Slot | null): readonly Lesson[] =>
  at ? (bySlot(lessons).get(slotKey(at)) ?? []) : []
