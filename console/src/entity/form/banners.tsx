import { isMissing } from '../../http/client.ts'
import { Icon } from '../../ui/icon.tsx'
import { clockOf } from '../../ui/instant.ts'
import { useT } from '../../ui/words.ts'
import './form-words.ts'

/** Says that what was typed earlier is back, and offers to throw it away. */
export function DraftBack({ at, onDiscard }: { readonly at: number; readonly onDiscard: () => void }) {
  const t = useT()
  return (
    <div className="banner banner-warn" role="status">
      <Icon name="history" />
      <div>{t('form.draftBack', { time: clockOf(at) })}</div>
      <button type="button" className="button plain" onClick={onDiscard}>
        {t('form.discardDraft')}
      </button>
    </div>
  )
}

/** What is wrong with the whole form. */
export function Wrong({ text }: { readonly text: string }) {
  return (
    <div className="banner banner-wrong" role="alert">
      <Icon name="triangle-alert" />
      <div>{text}</div>
    </div>
  )
}

interface NotLoadedProps {
  readonly problem: Error
  readonly onBack: () => void
  readonly onAgain: () => void
}

/** Why the row is not there to be changed: tried again, unless it is gone. */
export function NotLoaded({ problem, onBack, onAgain }: NotLoadedProps) {
  const t = useT()
  return (
    <div className="banner banner-wrong" role="alert">
      <div>{problem.message}</div>
      {isMissing(problem) ? (
        <button type="button" className="button" onClick={onBack}>
          {t('entity.backToList')}
        </button>
      ) : (
        <button type="button" className="button" onClick={onAgain}>
          {t('entity.retry')}
        </button>
      )}
    </div>
  )
}
