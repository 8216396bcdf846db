import { subjectEdge } from '../../ui/subject-edge.ts'
import { useT } from '../../ui/words.ts'
import type { CarriedLesson, OwedLesson } from './lesson.ts'

interface Props {
  readonly owed: readonly OwedLesson[]
  /** What the plan has more of than its assignment says. */
  readonly surplus: readonly OwedLesson[]
  readonly hand: CarriedLesson | null
  /** It is dragged out of here. */
  readonly onHand: (hand: CarriedLesson | null) => void
  /** It is pressed, and then put down in the grid. */
  readonly onPress: (hand: CarriedLesson | null) => void
  /** The plan has no lesson either: nobody is assigned to anything yet. */
  readonly isEmpty: boolean
}

const keyOf = ({ classId, teachClassId, subjectId, teacherId }: OwedLesson): string =>
  `${classId ?? teachClassId}|${subjectId}|${teacherId}`

/**
 * Lessons that assignments promise and the plan does not have yet: each is taken in hand by a press or by dragging it. Beneath
 * them those of which the plan has too many.
 */
export function Tray({ owed, surplus, hand, onHand, onPress, isEmpty }: Props) {
  const t = useT()
  const parts = (each: OwedLesson) => (
    <>
      <span>{each.subjectName}</span>
      <span className="muted">
        {each.className} {each.teacherName}
      </span>
      <span className="muted">{t('plan.owedOf', { placed: each.placed, hours: each.hours })}</span>
    </>
  )
  return (
    <section className="plan-tray" aria-labelledby="plan-tray">
      <h2 id="plan-tray">{t('plan.owedTitle')}</h2>
      {owed.length === 0 && <p className="muted">{t(isEmpty ? 'plan.noAssignments' : 'plan.owedNone')}</p>}
      <ul>
        {owed.map((each) => {
          const held = hand?.kind === 'owed' && keyOf(hand.owed) === keyOf(each)
          return (
            <li key={keyOf(each)}>
              <button
                type="button"
                className="button quiet"
                aria-pressed={held}
                draggable
                style={subjectEdge(each.color)}
                onClick={() => onPress(held ? null : { kind: 'owed', owed: each })}
                onDragStart={(event) => {
                  event.dataTransfer.setData('text/plain', each.subjectName)
                  onHand({ kind: 'owed', owed: each })
                }}
              >
                {parts(each)}
              </button>
            </li>
          )
        })}
      </ul>
      {surplus.length > 0 && (
        <>
          <h2 id="plan-surplus">{t('plan.surplusTitle')}</h2>
          <ul aria-labelledby="plan-surplus">
            {surplus.map((each) => (
              <li key={keyOf(each)} className="plan-surplus" style={subjectEdge(each.color)}>
                {parts(each)}
                <span className="plan-wrong">{t('plan.surplusOf', { count: each.placed - each.hours })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
