import type { Obstacle } from '@data-brain/contract/calls/timetable'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useT, useWords } from '../../ui/words.ts'
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
  /** What stands against the lesson in hand there; undefined while that is not known. */
  readonly against: readonly Obstacle[] | undefined
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

function AtHand({ hand, at, lessons, against, acts }: PartProps) {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const slot = at && { day: dayName(at.weekday, language), no: at.periodNo }
  if (hand)
    return (
      <>
        <p className="held">
          <span role="status">
            {t('plan.inHand', { name: handName(hand) })} {!against?.length && <Hint of="plan.putDown" />}
          </span>{' '}
          <button type="button" className="link-button" onClick={() => acts.onHand(null)}>
            {t('plan.letGo')}
          </button>
        </p>
        {slot && against && (
          <p className={against.length > 0 ? undefined : 'muted'}>
            {against.map((each) => pick(each.text)).join(t('entity.separator')) || t('plan.openAt', slot)}{' '}
            {against.length > 0 && (
              <button type="button" className="link-button" onClick={() => acts.onPlace(at)}>
                {t('plan.allTheSame')}
              </button>
            )}
          </p>
        )}
      </>
    )
  if (!at)
    return (
      <p className="muted">
        <Hint of="plan.keys" />
      </p>
    )
  if (lessons.length === 0)
    return (
      <p>
        {t('plan.slot', { ...slot })}{' '}
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
          <span className="plan-do">
            <button type="button" className="link-button" onClick={() => acts.onHand({ kind: 'lesson', lesson })}>
              {t('plan.move')}
            </button>{' '}
            <button type="button" className="link-button" onClick={() => acts.onOpen(lesson)}>
              {t('plan.edit')}
            </button>{' '}
            <button type="button" className="link-button" onClick={() => acts.onRemove([lesson])}>
              {t('plan.remove')}
            </button>
          </span>
        </p>
      ))}
    </>
  )
}

/** How it is done: by keys, and where there are none by a finger. */
function Hint({ of }: { readonly of: 'plan.keys' | 'plan.putDown' }) {
  const t = useT()
  return (
    <>
      <span className="plan-by-keys">{t(of)}</span>
      <span className="plan-by-touch">{t(of === 'plan.keys' ? 'plan.keysTouch' : 'plan.putDownTouch')}</span>
    </>
  )
}
