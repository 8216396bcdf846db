import { useKeyHint } from '../../ui/keymap.ts'
import { useT } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import type { FormFinish } from './form-fields.tsx'

/** How a form is left: the row is kept, kept before the next new one, or finished in the same step. */
export type FinishMode = 'keep' | 'more' | 'finish'

interface FooterProps {
  readonly mayMore: boolean
  /** What may be done with the row in the same step as saving it. */
  readonly finish: FormFinish | undefined
  readonly form: Parameters<FormFinish['Note']>[0]['form']
  readonly busy: boolean
  readonly waiting: boolean
  readonly onCancel: () => void
  readonly onSave: (how: FinishMode) => void
}

/** What the form offers of finishing this row, if anything. */
export const finishOf = (
  finish: FormFinish | undefined,
  row: ShownRow | null,
  can: (code: string) => boolean,
): FormFinish | undefined => (finish && can(finish.code) && finish.offered(row) ? finish : undefined)

/** The buttons of a form: the main one is the last, and what else saves stands before it. */
export function FormFooter({ mayMore, finish, form, busy, waiting, onCancel, onSave }: FooterProps) {
  const t = useT()
  const hint = useKeyHint('Mod+KeyS', 'keys.save')
  return (
    <div className="drawer-foot">
      {finish ? (
        <finish.Note form={form} />
      ) : (
        mayMore && (
          <button
            type="button"
            className="button quiet"
            disabled={busy}
            onClick={() => onSave('more')}
            aria-keyshortcuts="Control+Enter"
          >
            {t('form.saveMore')}
          </button>
        )
      )}
      <span className="drawer-foot-end">
        <button type="button" className="button" onClick={onCancel}>
          {t('form.cancel')}
        </button>
        <button
          type="button"
          className={finish ? 'button' : 'button primary'}
          aria-busy={busy}
          disabled={waiting}
          onClick={() => onSave('keep')}
          aria-keyshortcuts="Control+S"
        >
          {t(finish?.keep ?? 'form.save')}
          {!finish && (
            <span className="keycap" aria-hidden="true">
              {hint.text}
            </span>
          )}
        </button>
        {finish && (
          <button
            type="button"
            className="button primary"
            aria-busy={busy}
            disabled={waiting}
            onClick={() => onSave('finish')}
            aria-keyshortcuts="Control+Enter"
          >
            {t(finish.label)}
          </button>
        )}
      </span>
    </div>
  )
}
