import { Modal, type ModalProps } from 'antd'
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { dialogWords } from '../../locales/dialog.ts'
import { askConfirmation } from '../confirm.tsx'
import { focusBack } from '../focus-back.ts'
import { useKeys } from '../keys.ts'
import { addWords, useT } from '../words.ts'
import './dialog.css'

addWords(dialogWords)

/** What was typed and not saved. */
export interface UnsavedWork {
  readonly dirty: boolean
  /** It was typed before the dialog was opened. */
  readonly restored: boolean
  readonly discard: () => void
}

type Shown = Required<Pick<ModalProps, 'title'>> & Pick<ModalProps, 'okText' | 'cancelText' | 'width' | 'children'>

interface DialogProps extends Shown {
  readonly onClose: () => void
  /** What the main button, and Enter in a field, do; without it the dialog only shows something. */
  readonly onOk?: () => void
  /** What is done cannot be taken back. */
  readonly danger?: boolean
  readonly busy?: boolean
  /** What went wrong: stands above the rest until it is mended. */
  readonly failure?: string
  /** Only the buttons close it: what it shows is not shown again. */
  readonly firm?: boolean
  /** Closing asks before it throws away what was typed. */
  readonly unsaved?: UnsavedWork
  /** More buttons, at the other end of the foot. */
  readonly more?: ReactNode
}

/** A question with fields, or something to see, over the page; focus goes back to where it came from. */
export function Dialog(props: DialogProps) {
  const {
    title,
    children,
    onClose,
    onOk,
    okText,
    cancelText,
    danger,
    busy,
    failure,
    firm,
    width = 520,
    more,
    unsaved,
  } = props
  const t = useT()
  const formId = useId()
  const opener = useRef(document.activeElement)
  useEffect(() => {
    const before = opener.current
    return () => focusBack(before)
  }, [])
  const close = async () => {
    if (unsaved?.dirty) {
      // The Esc that brought us here would close the question as well.
      await new Promise((resolve) => setTimeout(resolve))
      const yes = await askConfirmation({
        title: t('dialog.discard'),
        danger: true,
        okText: t('dialog.discardOk'),
        cancelText: t('dialog.keepEditing'),
      })
      if (!yes) return
      unsaved.discard()
    }
    onClose()
  }
  const body = useRef<HTMLFormElement>(null)
  /** Who opens a question with fields answers it: the first field has the focus, and what it proposes is typed over. */
  const begin = () => {
    if (!onOk || body.current?.contains(document.activeElement)) return
    const field = body.current?.querySelector<HTMLElement>('input:enabled, textarea:enabled, select:enabled')
    field?.focus()
    if (field instanceof HTMLInputElement && field.type === 'text') field.select()
  }
  useEffect(() => {
    // The button that was pressed cannot be while it works, and loses the focus: it stays in the dialog, on no button
    // that a key held down would press.
    if (!busy && document.activeElement === document.body) body.current?.focus()
  }, [busy])
  const saves = onOk !== undefined && !danger
  // What is saved by keys in a form is so in a dialog; it is never the form beneath that is meant.
  useKeys(true, {
    name: 'keys.form',
    over: true,
    bindings: [
      {
        keys: ['Mod+KeyS'],
        ...(saves ? { label: 'keys.save' } : {}),
        typing: true,
        // A question over it waits for its own answer.
        run: () => void (saves && !busy && !document.querySelector('dialog[open]') && body.current?.requestSubmit()),
      },
    ],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A drawer's form around it, if any, is not meant.
    event.stopPropagation()
    if (!busy) onOk?.()
  }
  return (
    <Modal
      open
      title={title}
      width={width}
      onCancel={() => void close()}
      mask={{ closable: !firm && !onOk }}
      keyboard={!firm}
      closable={!firm}
      footer={
        <div className="dlg-foot">
          {more && <span className="dlg-more">{more}</span>}
          {!firm && (
            <button type="button" className="button" onClick={() => void close()}>
              {cancelText ?? t(onOk ? 'common.cancel' : 'common.close')}
            </button>
          )}
          {onOk && (
            <button
              type="submit"
              form={formId}
              className={danger ? 'button danger' : 'button primary'}
              aria-busy={busy}
              disabled={busy}
            >
              {okText ?? t('common.ok')}
            </button>
          )}
        </div>
      }
    >
      <form ref={body} id={formId} className="dlg" tabIndex={-1} noValidate onSubmit={submit}>
        {failure && (
          <div className="alert alert-wrong" role="alert">
            {failure}
          </div>
        )}
        {unsaved?.restored && (
          <p className="dlg-note" role="status">
            {t('dialog.restored')}{' '}
            <button type="button" className="link-button" onClick={unsaved.discard}>
              {t('dialog.drop')}
            </button>
          </p>
        )}
        {children}
        <Begun onBegin={begin} />
      </form>
    </Modal>
  )
}

/**
 * Begins when the fields are there, and not when the dialog has come to rest: the Enter that answers it may be on its
 * way, and Ant Design gives the focus to the closing cross until somebody takes it.
 */
function Begun({ onBegin }: { readonly onBegin: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(onBegin, [])
  return null
}
