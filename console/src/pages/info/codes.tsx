import { useRef } from 'react'
import { createPortal } from 'react-dom'
import { copyText } from '../../ui/dialog/copy.ts'
import { Modal } from '../../ui/modal.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useT } from '../../ui/words.ts'

interface CodesProps {
  readonly codes: readonly string[]
  readonly account: string
  readonly onClose: () => void
}

/** Prints what this dialog shows and nothing of the page around it. */
function printCodes(): void {
  const { dataset } = document.documentElement
  dataset.print = 'codes'
  window.addEventListener('afterprint', () => delete dataset.print, { once: true })
  window.print()
}

/** Recovery codes, which the server tells once: to be copied, printed or kept as a file. Only its button closes it. */
export function Codes({ codes, account, onClose }: CodesProps) {
  const t = useT()
  const list = useRef<HTMLOListElement>(null)
  const text = [t('security.codesName', { account }), ...codes].join('\n')
  const download = () =>
    saveFile({
      blob: new Blob([`${text}\n`], { type: 'text/plain;charset=utf-8' }),
      name: `recovery-codes-${account}.txt`,
    })
  return createPortal(
    <Modal title={t('security.codes')} firm onClose={onClose}>
      <p className="alert" role="status">
        {t('security.codesOnce')}
      </p>
      <p>{t('security.codesText')}</p>
      <div className="codes">
        <p className="codes-name">{t('security.codesName', { account })}</p>
        <ol ref={list}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="info-acts">
        <button type="button" className="button" data-focus onClick={() => void copyText(text, list.current)}>
          {t('security.copy')}
        </button>
        <button type="button" className="button" onClick={download}>
          {t('security.download')}
        </button>
        <button type="button" className="button" onClick={printCodes}>
          {t('security.print')}
        </button>
      </div>
      <div className="dialog-foot">
        <button type="button" className="button primary" onClick={onClose}>
          {t('security.codesKept')}
        </button>
      </div>
    </Modal>,
    document.body,
  )
}
