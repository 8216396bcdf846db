import { useLanguage, useT } from '../../ui/words.ts'
import type { GridActs } from './grid.tsx'
import { type CarriedLesson, dayName, handName, type Lesson, type Slot } from './lesson.ts'

interface Props {
  readonly hand: CarriedLesson | null
  /** Where the focus is, and the lessons there. */
  readonly at: Slot | null
  readonly lessons: readonly Lesson[]
  readonly acts: GridActs
}

/** What is in hand, or what can be done with what is looked at: all that keys do, for a finger. It is always as high. */
export function HandBar({ hand, at, lessons, acts }: Props) {
  const t = useT()
  const language = useLanguage()
  if (hand)
    return (
      <p className="plan-hand held" role="status">
        {t('plan.inHand', { name: handName(hand) })}{' '}
        <button type="button" className="link-button" onClick={() => acts.onHand(null)}>
          {t('plan.letGo')}
        </button>
      </p>
    )
  if (!at) return <p className="plan-hand muted">{t('plan.keys')}</p>
  if (lessons.length === 0)
    return (
      <p className="plan-hand">
        {t('plan.slot', { day: dayName(at.weekday, language), no: at.periodNo })}{' '}
        <button type="button" className="link-button" onClick={() => acts.onAdd(at)}>
          {t('plan.add')}
        </button>
      </p>
    )
  return (
    <div className="plan-hand">
      {lessons.map((lesson) => (
        <p key={lesson.id}>
          {lesson.className} {lesson.subjectName} {lesson.teacherName}{' '}
          <button type="button" className="link-button" onClick={() => acts.onHand({ kind: 'lesson', lesson })}>
            {t('plan.move')}
          </button>{' '}
          <button type="button" className="link-button" onClick={() => acts.onOpen(lesson)}>
            {t('plan.edit')}
          </button>{' '}
          <button type="button" className="link-button" onClick={() => acts.onRemove([lesson])}>
            {t('plan.remove')}
          </button>
        </p>
      ))}
    </div>
  )
}
