import { type ReactNode, useEffect, useId, useRef } from 'react'
import { focusBack } from './focus-back.ts'
import { createStore, useStore } from './store.ts'
import { useT } from './words.ts'

export interface Question {
  title: string
  body?: ReactNode
  /** What is confirmed cannot be undone: the button says so by its colour, and focus starts on cancel. */
  danger?: boolean
  okText?: string
  cancelText?: string
  /** Another way out, between the two; the question is then answered no. */
  other?: { readonly text: string; readonly run: () => void } | undefined
}

interface Asked extends Question {
  answer: (yes: boolean) => void
}

const asked = createStore<Asked | null>(null)

/** Asks, and resolves to true only when the person says yes. A question asked over another one answers that no. */
export function askConfirmation(question: Question): Promise<boolean> {
  asked.get()?.answer(false)
  return new Promise((resolve) => {
    asked.set({
      ...question,
      answer: (yes) => {
        asked.set(null)
        resolve(yes)
      },
    })
  })
}

/** Answers no to a question that nobody can see any more. */
export const dismissQuestion = (): void => asked.get()?.answer(false)

/** Where `confirm` appears; once in the page. */
export function ConfirmHost() {
  const question = useStore(asked)
  return question ? <ConfirmDialog key={question.title} {...question} /> : null
}

function ConfirmDialog({ title, body, danger, okText, cancelText, other, answer }: Asked) {
  const t = useT()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const bodyId = useId()
  useEffect(() => {
    const opener = document.activeElement
    const dialog = ref.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      focusBack(opener)
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className="dialog"
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={body ? bodyId : undefined}
      onCancel={(event) => {
        event.preventDefault()
        answer(false)
      }}
      // The drawer below hears every Esc as well: it would ask the same question again, for ever.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      <h2 id={titleId}>{title}</h2>
      {body && (
        <div id={bodyId} className="dialog-body">
          {body}
        </div>
      )}
      <div className="dialog-foot">
        {/* biome-ignore lint/a11y/noAutofocus: a modal question takes the focus; on danger it rests on the safe answer */}
        <button type="button" className="button" autoFocus={danger} onClick={() => answer(false)}>
          {cancelText ?? t('common.cancel')}
        </button>
        {other && (
          <button
            type="button"
            className="button"
            onClick={() => {
              answer(false)
              other.run()
            }}
          >
            {other.text}
          </button>
        )}
        <button
          type="button"
          className={danger ? 'button danger' : 'button primary'}
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus={!danger}
          onClick={() => answer(true)}
        >
          {okText ?? t('common.ok')}
        </button>
      </div>
    </dialog>
  )
}
