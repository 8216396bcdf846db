import type { Obstacle, PlanBoard } from '@data-brain/contract/calls/timetable'
import { type DragEvent, type FocusEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { type Binding, useKeys } from '../../ui/keys.ts'
import { useTab } from '../../ui/place.ts'
import { subjectEdge } from '../../ui/subject-edge.ts'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
import {
  type BoardView,
  besideOf,
  bySlot,
  type CarriedLesson,
  dayName,
  type Lesson,
  type Slot,
  slotKey,
  slotOf,
  slotsShown,
  weeksOfLesson,
} from './lesson.ts'

/** What somebody does in the grid. */
export interface GridActs {
  readonly onPlace: (slot: Slot) => void
  readonly onOpen: (lesson: Lesson) => void
  readonly onAdd: (slot: Slot) => void
  readonly onRemove: (lessons: readonly Lesson[]) => void
  readonly onHand: (hand: CarriedLesson | null) => void
  /** The slot that the focus is in. */
  readonly onAt: (slot: Slot) => void
}

/** A lesson to go to, and what is called when it is reached. */
export interface Destination {
  readonly id: string
  readonly onThere: () => void
}

interface Props {
  readonly board: PlanBoard
  readonly lens: BoardView
  readonly name: string
  readonly hand: CarriedLesson | null
  /** Of the lesson in hand: what stands against each slot. */
  readonly judged: ReadonlyMap<string, readonly Obstacle[]> | undefined
  readonly goTo: Destination | null
  /** Absent where the plan is not changed. */
  readonly acts: GridActs | undefined
}

/** What the grid hears itself, as the pattern of its role wants it, for the sheet of keys. */
const moving: Binding = { keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], label: 'plan.keyMove' }
const told: readonly Binding[] = [
  moving,
  { keys: ['Enter'], label: 'plan.keyOpen' },
  { keys: ['Space'], label: 'plan.keyTake' },
  { keys: ['Shift+ArrowRight'], label: 'plan.keyExtend' },
  { keys: ['Mod+KeyC'], label: 'plan.keyCopy' },
  { keys: ['Mod+KeyV'], label: 'plan.keyPaste' },
  { keys: ['Delete'], label: 'plan.keyRemove' },
  { keys: ['Escape'], label: 'plan.keyLetGo' },
]

/** The week as a grid: periods down, days across. Arrows move, and all that the mouse does has a key. */
export function PlanGrid({ board, lens, name, hand, judged, goTo, acts }: Props) {
  const t = useT()
  const language = useLanguage()
  const { days, periods } = useMemo(() => slotsShown(board), [board])
  useKeys(useTab().active, { name: 'plan.gridKeys', bindings: acts ? told : [moving] })
  const slots = useMemo(() => bySlot(board.lessons), [board.lessons])
  const wrong = useMemo(() => {
    const found = new Map<string, Obstacle[]>()
    for (const obstacle of board.obstacles)
      for (const id of obstacle.lessonIds) found.set(id, [...(found.get(id) ?? []), obstacle])
    return found
  }, [board.obstacles])
  const [at, setAt] = useState<Slot>({ weekday: days[0] ?? 1, periodNo: periods[0]?.no ?? 1 })
  const root = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  const copied = useRef<Lesson | null>(null)
  /** Where Shift and the arrows began. */
  const [anchor, setAnchor] = useState<Slot | null>(null)
  useEffect(() => {
    const lesson = goTo && board.lessons.find(({ id }) => id === goTo.id)
    if (!lesson) return
    moved.current = true
    setAnchor(null)
    setAt({ weekday: lesson.weekday, periodNo: lesson.periodNo })
    goTo.onThere()
  }, [goTo, board.lessons])
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    root.current?.querySelector<HTMLElement>(`[data-slot="${slotKey(at)}"]`)?.focus()
  }, [at])

  const isChosen = ({ weekday, periodNo }: Slot): boolean =>
    anchor !== null &&
    isBetween(weekday, anchor.weekday, at.weekday) &&
    isBetween(periodNo, anchor.periodNo, at.periodNo)
  const step = (across: number, rows: number, isExtending: boolean) => {
    const day = days.indexOf(at.weekday) + across
    const row = periods.findIndex(({ no }) => no === at.periodNo) + rows
    const [weekday, period] = [days[day], periods[row]]
    if (weekday === undefined || period === undefined) return
    moved.current = true
    setAnchor(isExtending ? (anchor ?? at) : null)
    setAt({ weekday, periodNo: period.no })
  }
  const here = slots.get(slotKey(at)) ?? []
  /** The one lesson of the cell; where there are several, the bar above has buttons for each. */
  const only = (): Lesson | undefined => {
    if (here.length > 1) root.current?.closest('.page')?.querySelector<HTMLElement>('.plan-hand button')?.focus()
    return here.length === 1 ? here[0] : undefined
  }
  const arrows: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  }
  const keysOf = (act: GridActs): Readonly<Record<string, () => void>> => ({
    Enter: () => {
      if (hand) return act.onPlace(at)
      if (here.length === 0) return act.onAdd(at)
      const lesson = only()
      if (lesson) act.onOpen(lesson)
    },
    ' ': () => {
      if (hand) return act.onPlace(at)
      const lesson = only()
      if (lesson) act.onHand({ kind: 'lesson', lesson })
    },
    Delete: () => {
      if (hand) return
      const lessons = anchor ? [...slots].flatMap(([key, those]) => (isChosen(slotOf(key)) ? those : [])) : [only()]
      const gone = [...new Set(lessons.filter((each) => each !== undefined))]
      if (gone.length > 0) act.onRemove(gone)
      setAnchor(null)
    },
    Escape: () => {
      setAnchor(null)
      act.onHand(null)
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || (event.target as Element).closest('button')) return
    const arrow = arrows[event.key]
    if (event.ctrlKey || event.metaKey) {
      if (acts && event.key === 'c' && here[0]) copied.current = only() ?? copied.current
      else if (acts && event.key === 'v' && copied.current) acts.onHand({ kind: 'copy', lesson: copied.current })
      else return
    } else if (arrow) step(...arrow, event.shiftKey && !hand)
    else {
      const act = acts && keysOf(acts)[event.key]
      if (!act || (event.key === 'Escape' && !hand && !anchor)) return
      act()
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const onFocus = (event: FocusEvent) => {
    const key = (event.target as HTMLElement).dataset.slot
    if (!key) return
    setAt(slotOf(key))
    acts?.onAt(slotOf(key))
  }
  return (
    <div className="plan-scroll">
      <table
        ref={root}
        className="plan-grid"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of cells that are worked in is a grid
        role="grid"
        aria-label={t('plan.grid', { name })}
        aria-multiselectable={acts !== undefined}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onMouseDown={() => setAnchor(null)}
      >
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t('plan.period')}</span>
            </th>
            {days.map((day) => (
              <th key={day} scope="col">
                {dayName(day, language)}
                {!board.teachDays.includes(day) && <span className="plan-beyond">{t('plan.noDay')}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.map(({ no, beginTime, isGiven }) => (
            <tr key={no}>
              <th scope="row">
                {no}
                {beginTime && <span className="muted">{beginTime}</span>}
                {!isGiven && <span className="plan-beyond">{t('plan.noPeriod')}</span>}
              </th>
              {days.map((weekday) => {
                const slot = { weekday, periodNo: no }
                return (
                  <PlanCell
                    key={weekday}
                    slot={slot}
                    lessons={slots.get(slotKey(slot)) ?? []}
                    lens={lens}
                    wrong={wrong}
                    against={hand ? judged?.get(slotKey(slot)) : undefined}
                    hold={hand ? 'held' : isChosen(slot) ? 'chosen' : 'free'}
                    isAt={slotKey(at) === slotKey(slot)}
                    acts={acts}
                  />
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isBetween = (value: number, a: number, b: number): boolean => value >= Math.min(a, b) && value <= Math.max(a, b)

/** Whether there is something in hand, or the cell is one of several that are chosen. */
type Hold = 'held' | 'chosen' | 'free'

interface CellProps {
  readonly slot: Slot
  readonly lessons: readonly Lesson[]
  readonly lens: BoardView
  readonly wrong: ReadonlyMap<string, readonly Obstacle[]>
  readonly against: readonly Obstacle[] | undefined
  readonly isAt: boolean
  readonly hold: Hold
  readonly acts: GridActs | undefined
}

function PlanCell({ slot, lessons, lens, wrong, against, isAt, hold, acts }: CellProps) {
  const isHolding = hold === 'held'
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const reason = against?.[0] ? pick(against[0].text) : against ? t('plan.free') : undefined
  const told = `${dayName(slot.weekday, language)} ${slot.periodNo}`
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    acts?.onPlace(slot)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the grid's
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cell of a grid
      role="gridcell"
      data-slot={slotKey(slot)}
      tabIndex={isAt ? 0 : -1}
      aria-label={lessons.length === 0 ? `${told} ${t('plan.empty')}` : undefined}
      aria-description={reason}
      aria-selected={hold === 'chosen' || undefined}
      title={against ? reason : undefined}
      className={against ? (against.length > 0 ? 'blocked' : 'open') : undefined}
      onClick={({ nativeEvent }) => {
        // A finger cannot ask why by hovering: what stands against the slot is told first, with a button to go on.
        const isAsking =
          (nativeEvent as PointerEvent).pointerType === 'touch' && against !== undefined && against.length > 0
        if (isHolding && !isAsking) acts?.onPlace(slot)
      }}
      onDoubleClick={() => {
        if (isHolding) return
        if (lessons[0]) acts?.onOpen(lessons[0])
        else acts?.onAdd(slot)
      }}
      onDragOver={(event) => isHolding && event.preventDefault()}
      onDrop={onDrop}
    >
      {lessons.map((lesson) => (
        <PlanLesson key={lesson.id} lesson={lesson} lens={lens} obstacles={wrong.get(lesson.id) ?? []} acts={acts} />
      ))}
      {/* A cell with a lesson shows its reason by itself. */}
      {against && against.length > 0 && lessons.length === 0 && <span className="plan-why">{reason}</span>}
    </td>
  )
}

interface LessonProps {
  readonly lesson: Lesson
  readonly lens: BoardView
  readonly obstacles: readonly Obstacle[]
  readonly acts: GridActs | undefined
}

/** A lesson in its cell: the subject with its colour at the edge, and, where it collides, with what. */
function PlanLesson({ lesson, lens, obstacles, acts }: LessonProps) {
  const t = useT()
  const pick = useWords()
  const weeks = weeksOfLesson(lesson, t)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is dragged; keys do the same on its cell
    <div
      className={obstacles.length > 0 ? 'plan-lesson wrong' : 'plan-lesson'}
      style={obstacles.length > 0 ? undefined : subjectEdge(lesson.color)}
      draggable={acts !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', lesson.subjectName)
        acts?.onHand({ kind: 'lesson', lesson })
      }}
      onDragEnd={() => acts?.onHand(null)}
    >
      <span>
        {lesson.subjectName}
        {weeks && <span className="muted"> {weeks}</span>}
        {lesson.isLocked && <span className="muted"> {t('plan.locked')}</span>}
      </span>
      {besideOf(lesson, lens).map((text) => (
        <span key={text} className="muted">
          {text}
        </span>
      ))}
      {obstacles.map((obstacle) => (
        <span key={obstacle.text.zh} className="plan-wrong">
          <span aria-hidden>⚠ </span>
          {pick(obstacle.text)}
        </span>
      ))}
    </div>
  )
}
