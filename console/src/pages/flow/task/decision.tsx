import { type RefObject, useId, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { useKeyHint } from '../../../ui/keymap.ts'
import { MenuButton, type MenuEntry } from '../../../ui/menu-button.tsx'
import { useT } from '../../../ui/words.ts'
import { FilesInput } from '../form/inputs.tsx'
import type { ProcessDetail } from '../queries.ts'
import type { ActKind } from './actions.tsx'
import { dropPhrase, keepPhrase, ownPhrases } from './phrases.ts'
import './decision.css'

/** What is typed for a decision that is not made yet. */
export interface Opinion {
  readonly comment: string
  readonly fileIds: readonly string[]
  /** What is missing: a refusal says why. */
  readonly wrong: string
}

export const noOpinion: Opinion = { comment: '', fileIds: [], wrong: '' }

interface DecisionProps {
  readonly detail: ProcessDetail
  readonly opinion: Opinion
  readonly onOpinion: (patch: Partial<Opinion>) => void
  readonly commentBox: RefObject<HTMLTextAreaElement | null>
  readonly onDecide: (flag: 'ok' | 'no') => void
  readonly onAct: (kind: ActKind) => void
  readonly onClaim: () => void
  readonly onRelease: () => void
}

/** The answer to a task, always in reach at the foot: phrases, comment, files, and what can be done. */
export function Decision(props: DecisionProps) {
  const { detail, opinion, onOpinion, commentBox, onDecide, onAct, onClaim, onRelease } = props
  const t = useT()
  const id = useId()
  const { may, returnTo } = detail
  const approve = useKeyHint('KeyA', 'keys.approve')
  const refuse = useKeyHint('KeyR', 'keys.refuse')
  const acts: MenuEntry[] = [
    ...(may.delegate ? [{ key: 'delegate', label: t('flow.delegate'), run: () => onAct('delegate') }] : []),
    ...(may.addSigner ? [{ key: 'signer', label: t('flow.signer'), run: () => onAct('signer') }] : []),
    ...(returnTo.length > 0 ? [{ key: 'return', label: t('flow.return'), run: () => onAct('return') }] : []),
    ...(may.copy ? [{ key: 'copy', label: t('flow.copy'), run: () => onAct('copy') }] : []),
    ...(may.release ? [{ key: 'release', label: t('flow.release'), run: onRelease }] : []),
  ]
  // Whoever has no task here informs others from the head of the page.
  if (!may.decide && !may.claim && !may.release && !may.transfer) return null
  return (
    <section className="flow-decide" aria-label={t('flow.decideTask')}>
      {may.decide && (
        <>
          <Phrases comment={opinion.comment} onPhrase={(comment) => onOpinion({ comment, wrong: '' })} />
          <textarea
            ref={commentBox}
            className="flow-comment"
            rows={1}
            maxLength={2000}
            aria-label={t('flow.comment')}
            aria-invalid={opinion.wrong ? true : undefined}
            aria-describedby={opinion.wrong ? `${id}-wrong` : undefined}
            placeholder={t('flow.commentHint')}
            value={opinion.comment}
            onChange={({ target }) => onOpinion({ comment: target.value, wrong: '' })}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return
              // Back to the keys of the page, with what was typed.
              if (event.key === 'Escape') {
                event.stopPropagation()
                event.currentTarget.blur()
              } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onDecide('ok')
            }}
          />
          {opinion.wrong && (
            <p id={`${id}-wrong`} className="field-error" role="alert">
              {opinion.wrong}
            </p>
          )}
          {opinion.fileIds.length > 0 && (
            <FilesInput ids={opinion.fileIds} onIds={(fileIds) => onOpinion({ fileIds })} />
          )}
        </>
      )}
      <div className="flow-acts">
        {may.decide && opinion.fileIds.length === 0 && (
          <FilesInput ids={opinion.fileIds} onIds={(fileIds) => onOpinion({ fileIds })} />
        )}
        {may.transfer && (
          <button type="button" className="button quiet" onClick={() => onAct('transfer')}>
            {t('flow.transfer')}
          </button>
        )}
        {acts.length > 0 && (
          <MenuButton label={t('flow.more')} className="button quiet" entries={acts}>
            {t('flow.more')} <Icon name="chevron-down" size={14} />
          </MenuButton>
        )}
        <span className="flow-grow" />
        {may.claim && (
          <button type="button" className="button primary" onClick={onClaim}>
            {t('flow.claim')}
          </button>
        )}
        {may.decide && (
          <span className="flow-answer">
            <button
              type="button"
              className="button flow-refuse"
              data-key={refuse.text}
              aria-keyshortcuts={refuse.aria}
              onClick={() => onDecide('no')}
            >
              {t('flow.refuse')}
            </button>
            <button
              type="button"
              className="button primary"
              data-key={approve.text}
              aria-keyshortcuts={approve.aria}
              onClick={() => onDecide('ok')}
            >
              {t('flow.approve')}
            </button>
          </span>
        )}
      </div>
    </section>
  )
}

interface PhrasesProps {
  readonly comment: string
  readonly onPhrase: (comment: string) => void
}

/** What is said often: two that come with the console, and those that this person keeps. */
function Phrases({ comment, onPhrase }: PhrasesProps) {
  const t = useT()
  const [own, setOwn] = useState(ownPhrases)
  const typed = comment.trim()
  const usual = [t('flow.phraseOk'), t('flow.phraseMore')]
  return (
    <fieldset className="flow-phrases">
      <legend className="sr-only">{t('flow.phrases')}</legend>
      {usual.map((phrase) => (
        <button key={phrase} type="button" className="flow-phrase" onClick={() => onPhrase(phrase)}>
          {phrase}
        </button>
      ))}
      {own.map((phrase) => (
        <span key={phrase} className="flow-phrase-own">
          <button type="button" className="flow-phrase" onClick={() => onPhrase(phrase)}>
            {phrase}
          </button>
          <button
            type="button"
            className="flow-phrase-drop"
            aria-label={t('flow.dropPhrase', { phrase })}
            onClick={() => setOwn(dropPhrase(phrase))}
          >
            <Icon name="x" size={12} />
          </button>
        </span>
      ))}
      {typed !== '' && !usual.includes(typed) && !own.includes(typed) && (
        <button type="button" className="link-button" onClick={() => setOwn(keepPhrase(typed))}>
          {t('flow.keepPhrase')}
        </button>
      )}
    </fieldset>
  )
}
