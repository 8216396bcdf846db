import type { GeneratedPlan } from '@data-brain/contract/calls/timetable'
import { planWords } from '../../locales/plan.ts'
import { pathOf } from '../../session/paths.ts'
import { Link } from '../../ui/place.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'

addWords(planWords)

interface Props {
  readonly made: Pick<GeneratedPlan, 'lessons' | 'missing' | 'obstacles' | 'enough'>
  readonly name: string
  /** Somebody goes where one of them leads. */
  readonly onGo: () => void
}

/** Why a timetable lacks lessons, the least to give up for each reason, and the ways to where that is done. */
export function Obstacles({ made, name, onGo }: Props) {
  const t = useT()
  const pick = useWords()
  const { lessons, missing, obstacles, enough } = made
  return (
    <div className="plan-obstacles">
      <p role="status">{t(missing > 0 ? 'plan.madePart' : 'plan.made', { name, lessons, missing })}</p>
      {obstacles.length === 0 ? (
        <p>{t('plan.noReason')}</p>
      ) : (
        <>
          <p>{t(enough ? 'plan.giveUp' : 'plan.giveUpAtLeast')}</p>
          <ul className="plan-conflicts">
            {obstacles.map(({ text, about }) => (
              <li key={text.zh}>
                {pick(text)}
                <span className="plan-about">
                  {about.map(({ entity, id, name: of }) => {
                    const path = pathOf(entity)
                    return path ? (
                      <Link key={`${entity} ${id}`} to={`${path}?id=${id}`} className="link-button" onClick={onGo}>
                        {pick(of)}
                      </Link>
                    ) : null
                  })}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
