import { type ComponentType, useEffect, useState } from 'react'
import { useT } from '../../ui/words.ts'

export interface PartProps {
  /** The part that the address asks for. */
  readonly part: string
}

/** A tab whose code comes when it is first shown; one that does not arrive can be asked for again. */
export function lazyTab(load: () => Promise<{ default: ComponentType<PartProps> }>): ComponentType<PartProps> {
  let made: ComponentType<PartProps> | undefined
  return function Later(props: PartProps) {
    const t = useT()
    const [Tab, setTab] = useState<ComponentType<PartProps> | undefined>(() => made)
    const [turn, setTurn] = useState(0)
    const [failed, setFailed] = useState(false)
    // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` is the retry
    useEffect(() => {
      let wanted = true
      setFailed(false)
      load().then(
        (module) => {
          made = module.default
          if (wanted) setTab(() => module.default)
        },
        () => wanted && setFailed(true),
      )
      return () => {
        wanted = false
      }
    }, [turn])
    if (Tab) return <Tab {...props} />
    if (!failed) return <p aria-busy="true">{t('common.loading')}</p>
    return (
      <p role="alert">
        {t('error.chunk')}{' '}
        <button type="button" className="link-button" onClick={() => setTurn((now) => now + 1)}>
          {t('common.retry')}
        </button>
      </p>
    )
  }
}
