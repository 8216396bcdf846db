import type { UncoveredLesson } from '@data-brain/contract/calls/substitution'
import { useCan } from '../../session/session.ts'
import { useT } from '../../ui/words.ts'
import type { Terms } from './calls.ts'

interface TermsProps {
  readonly terms: Terms
  readonly onTerms: (terms: Terms) => void
}

/** How covers are given: asked first or not, for pay or not. */
export function TermsLine({ terms, onTerms }: TermsProps) {
  const t = useT()
  const can = useCan()
  return (
    <div className="cover-terms">
      {can('substitution_decide') && (
        <label>
          <input
            type="checkbox"
            checked={terms.confirmed}
            onChange={({ target }) => onTerms({ ...terms, confirmed: target.checked })}
          />
          {t('cover.confirmed')}
        </label>
      )}
      <label>
        <input
          type="checkbox"
          checked={terms.countsAsExtra}
          onChange={({ target }) => onTerms({ ...terms, countsAsExtra: target.checked })}
        />
        {t('cover.extra')}
      </label>
    </div>
  )
}

interface InsteadProps {
  readonly lesson: UncoveredLesson
  readonly onOpen: (kind: '2' | '3' | '4') => void
  readonly onSwap: () => void
}

/** Alternatives to a substitute for a lesson whose teacher is away. */
export function OtherChoices({ lesson, onOpen, onSwap }: InsteadProps) {
  const t = useT()
  return (
    <fieldset className="cover-instead">
      <legend>{t('cover.instead')}</legend>
      <button type="button" className="button small" onClick={() => onOpen('3')}>
        {t('cover.out')}
      </button>
      <button type="button" className="button small" onClick={() => onOpen('2')}>
        {t('cover.move')}
      </button>
      {lesson.substitutionId === null && (
        <button type="button" className="button small" onClick={onSwap}>
          {t('cover.swap')}
        </button>
      )}
      <button type="button" className="button small" onClick={() => onOpen('4')}>
        {t('cover.room')}
      </button>
    </fieldset>
  )
}
