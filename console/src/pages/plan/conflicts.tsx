import type { Obstacle } from '@data-brain/contract/calls/timetable'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT, useWords } from '../../ui/words.ts'

/** As many as anybody reads before solving some. */
const most = 100

interface Props {
  readonly name: string
  readonly obstacles: readonly Obstacle[]
  /** Goes to the first of its lessons. */
  readonly onChoose?: (obstacle: Obstacle) => void
  readonly onClose: () => void
}

/** All that stands against publishing a plan, each with the way to its lesson. */
export function Conflicts({ name, obstacles, onChoose, onClose }: Props) {
  const t = useT()
  const pick = useWords()
  return (
    <Dialog title={t('plan.conflictsOf', { name, count: obstacles.length })} width={640} onClose={onClose}>
      <ul className="plan-conflicts">
        {obstacles.slice(0, most).map((obstacle) => (
          <li key={`${obstacle.kind}|${obstacle.text.zh}|${obstacle.lessonIds.join()}`}>
            {onChoose && obstacle.lessonIds.length > 0 ? (
              <button type="button" className="link-button" onClick={() => onChoose(obstacle)}>
                {pick(obstacle.text)}
              </button>
            ) : (
              pick(obstacle.text)
            )}
          </li>
        ))}
      </ul>
      {obstacles.length > most && <p className="muted">{t('plan.more', { count: obstacles.length - most })}</p>}
    </Dialog>
  )
}
