import { useT } from '../../ui/words.ts'
import type { Hand, Owed } from './lesson.ts'

interface Props {
  readonly owed: readonly Owed[]
  readonly hand: Hand | null
  readonly onHand: (hand: Hand | null) => void
  /** The plan has no lesson either: nobody is assigned to anything yet. */
  readonly isEmpty: boolean
}

/** Lessons that assignments promise and the plan does not have yet: each is taken in hand by a press or by dragging it. */
export function Tray({ owed, hand, onHand, isEmpty }: Props) {
  const t = useT()
  return (
    <section className="plan-tray" aria-labelledby="plan-tray">
      <h2 id="plan-tray">{t('plan.owedTitle')}</h2>
      {owed.length === 0 && <p className="muted">{t(isEmpty ? 'plan.noAssignments' : 'plan.owedNone')}</p>}
      <ul>
        {owed.map((each) => {
          const held = hand?.kind === 'owed' && hand.owed === each
          return (
            <li key={`${each.classId ?? each.teachClassId}|${each.subjectId}|${each.teacherId}`}>
              <button
                type="button"
                className="button quiet"
                aria-pressed={held}
                draggable
                style={{ borderInlineStartColor: each.color }}
                onClick={() => onHand(held ? null : { kind: 'owed', owed: each })}
                onDragStart={(event) => {
                  event.dataTransfer.setData('text/plain', each.subjectName)
                  onHand({ kind: 'owed', owed: each })
                }}
              >
                <span>{each.subjectName}</span>
                <span className="muted">
                  {each.className} {each.teacherName}
                </span>
                <span className="muted">{t('plan.owedOf', { placed: each.placed, hours: each.hours })}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
