import { classschedule } from '@data-brain/contract'
import { type PlanBoard, planSlots } from '@data-brain/contract/calls/timetable'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { undoOf, undoOffer, useEntity } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { useCan } from '../../session/session.ts'
import { timetableNewsStore } from '../../session/unread.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useStore } from '../../ui/store.ts'
import { toast } from '../../ui/toast.ts'
import { holdTyping } from '../../ui/typed-ahead.ts'
import { asStep } from '../../ui/undo.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import type { GridActs } from './grid.tsx'
import {
  askOf,
  type BoardView,
  type CarriedLesson,
  dayName,
  type Lesson,
  partsOf,
  type Slot,
  slotKey,
} from './lesson.ts'
import { lessonInputs } from './lesson-inputs.tsx'
import { useTurning } from './turning.ts'
import { focusCell, gaveWay, usePlanWork } from './work.ts'

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))
const NONE: Readonly<Record<string, string>> = {}
const still = () => {}

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
export function useLessonWork(board: PlanBoard, lens: BoardView, of: string | null, isDraft: boolean) {
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
      const stands = hand.kind === 'lesson' && board.lessons.find(({ id }) => id === hand.lesson.id)
      // Put down where it stands, it has not been moved.
      if (stands && stands.version === hand.lesson.version && slotKey(stands) === slotKey(slot)) return setHand(null)
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
    [hand, plan, board.lessons, change, again, undo, t, language, refused],
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
  const turning = useTurning(plan.id, acts !== undefined, () => setHand(null))
  return { hand, setHand, at, judged, acts, form, turning }
}
