import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'
import type { Fault } from './work.ts'

interface FaultsProps {
  readonly faults: readonly Fault[]
  /** What an element is called; undefined where it cannot be led to. */
  readonly nameOf: (fault: Fault) => string | undefined
  readonly onGo: (fault: Fault) => void
  readonly onClose: () => void
}

/** What the check has found; each leads to where it is. */
export function Faults({ faults, nameOf, onGo, onClose }: FaultsProps) {
  const t = useT()
  return (
    <section className="design-faults" aria-label={t('design.faults')}>
      <div className="design-faults-head">
        <h2>{t('design.faultsCount', { count: faults.length })}</h2>
        <button type="button" className="icon-button small" aria-label={t('common.close')} onClick={onClose}>
          <Icon name="x" size={16} />
        </button>
      </div>
      <ol>
        {faults.map((fault, at) => {
          const name = nameOf(fault)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an element may be found fault with twice in the same words
            <li key={at}>
              {fault.message}{' '}
              {name !== undefined && (
                <button type="button" className="link-button" onClick={() => onGo(fault)}>
                  {t('design.goTo', { name })}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
