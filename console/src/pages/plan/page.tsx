import { classschedule, timetableplan } from '@data-brain/contract'
import { type Obstacle, type PlanBoard, planBoard } from '@data-brain/contract/calls/timetable'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { CallsContext } from '../../entity/data/index.ts'
import { StatusTag, useCellWords } from '../../entity/display/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { planWords } from '../../locales/plan.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { focusBack } from '../../ui/focus-back.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { go, Link, usePlace, useTab } from '../../ui/place.ts'
import { Segments } from '../../ui/segments.tsx'
import { addWords, useT } from '../../ui/words.ts'
import { Conflicts } from './conflicts.tsx'
import { GenerateDialog } from './generate-dialog.tsx'
import { type Destination, type GridActs, PlanGrid } from './grid.tsx'
import { HandBar } from './hand-bar.tsx'
import { type BoardView, bySlot, type Lesson, type Slot, slotKey } from './lesson.ts'
import { useLessonWork } from './lesson-work.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { SchoolSheet } from './sheet.tsx'
import { Tray } from './tray.tsx'
import { useCallsOfDraft } from './turning.ts'
import { focusCell, planPath, planStates, unlessProblem, usePlanWork } from './work.ts'
import './page.css'

addWords({ ...entityWords, ...planWords })

const lenses: readonly BoardView[] = ['class', 'teacher', 'room', 'school']
const targets = { class: 'schoolclass', teacher: 'user', room: 'schoolclassroom' } as const
const NONE: Readonly<Record<string, string>> = {}

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
  const calls = useCallsOfDraft(id, board.data?.lessons)
  if (board.isError) return <LoadFailed problem={board.error} onRetry={() => void board.refetch()} />
  return (
    <div className="page plan-page">
      {board.data ? (
        <CallsContext value={calls}>
          <PlanView key={id} board={board.data} asked={{ lens, of }} look={look} />
        </CallsContext>
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
        <HandBar
          hand={work.hand}
          at={work.at}
          lessons={lessonsAt(board.lessons, work.at)}
          against={work.at ? work.judged?.get(slotKey(work.at)) : undefined}
          acts={toGrid(work.acts)}
          turning={work.turning}
        />
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
