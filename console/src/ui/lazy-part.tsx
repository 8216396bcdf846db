import { type ComponentType, lazy, useState } from 'react'
import { tellUnloaded } from './unloaded.ts'
import { useT } from './words.ts'

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

interface PartOptions {
  /** Whether the page is whole without it: then nothing is said where it cannot be fetched. */
  readonly optional?: boolean
}

/**
 * A part of a page that is fetched when it is first drawn. Where it cannot be, the page stays as it is, and in the place
 * of the part stands a way to try again: what was typed beside it is not lost.
 */
export const lazyPart = <Props extends object>(load: Load<Props>, { optional = false }: PartOptions = {}) =>
  lazy<ComponentType<Props>>(() =>
    load().catch(() => ({ default: optional ? () => null : missing(load) }) as { default: ComponentType<Props> }),
  )

/** What stands in the place of a part that could not be fetched, and becomes the part once it can. */
function missing<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return function MissingPart(props: Props) {
    const t = useT()
    const [Part, setPart] = useState<ComponentType<Props>>()
    const [isBusy, setBusy] = useState(false)
    if (Part) return <Part {...props} />
    const again = () => {
      setBusy(true)
      load().then(
        (module) => setPart(() => module.default),
        (error: unknown) => {
          setBusy(false)
          // What fails twice may be of a version that the server has no more: then only the page anew helps.
          tellUnloaded(error)
        },
      )
    }
    return (
      <span role="alert">
        {t('common.notLoaded')}{' '}
        <button type="button" className="link-button" disabled={isBusy} onClick={again}>
          {t('common.retry')}
        </button>
      </span>
    )
  }
}
