import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import type { GridActs } from './grid.tsx'
import { type CarriedLesson, dayName, handName, type Lesson, type Slot } from './lesson.ts'
import type { Turning } from './turning.ts'

interface Props extends PartProps {
  readonly turning: Turning
}

interface PartProps {
  readonly hand: CarriedLesson | null
  /** Where the focus is, and the lessons there. */
  readonly at: Slot | null
  readonly lessons: readonly Lesson[]
  readonly acts: GridActs
}

/** What is in hand, or what can be done with what is looked at, and the steps back and forth: all that keys do, for a finger. */
export function HandBar({ turning, ...parts }: Props) {
  const t = useT()
  const step = (name: 'undo' | 'redo', can: boolean, run: () => void) => (
    <button
      type="button"
      className="icon-button"
      aria-label={t(`plan.${name}`)}
      title={t(`plan.${name}Keys`)}
      // It keeps the focus when the last step is taken.
      aria-disabled={!can || undefined}
      onClick={() => can && run()}
    >
      <Icon name={`${name}-2`} size={16} />
    </button>
  )
  return (
    <div className="plan-hand">
      <div className="plan-at">
        <AtHand {...parts} />
      </div>
      <div className="plan-steps">
        {step('undo', turning.canBack, turning.back)}
        {step('redo', turning.canForth, turning.forth)}
      </div>
    </div>
  )
}

function AtHand({ hand, at, lessons, acts }: PartProps) {
  const t = useT()
  const language = useLanguage()
  if (hand)
    return (
      <p className="held" role="status">
        {t('plan.inHand', { name: handName(hand) })}{' '}
        <button type="button" className="link-button" onClick={() => acts.onHand(null)}>
          {t('plan.letGo')}
        </button>
      </p>
    )
  if (!at) return <p className="muted">{t('plan.keys')}</p>
  if (lessons.length === 0)
    return (
      <p>
        {t('plan.slot', { day: dayName(at.weekday, language), no: at.periodNo })}{' '}
        <button type="button" className="link-button" onClick={() => acts.onAdd(at)}>
          {t('plan.add')}
        </button>
      </p>
    )
  return (
    <>
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
    </>
  )
}
