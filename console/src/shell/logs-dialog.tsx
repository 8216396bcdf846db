import { useState } from 'react'
import { HttpProblem } from '../http/client.ts'
import { logsWords } from '../locales/logs.ts'
import { askConfirmation } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { momentOf } from '../ui/instant.ts'
import { Modal } from '../ui/modal.tsx'
import { useStore } from '../ui/store.ts'
import { toast } from '../ui/toast.ts'
import { addWords, useT } from '../ui/words.ts'
import { closeDialog } from './dialogs.tsx'
import { clearLogs, type LogEntry, logStore, uploadLogs } from './log.ts'
import './logs-dialog.css'
import '../ui/later-words.ts'

addWords(logsWords)

interface Group {
  readonly last: LogEntry
  readonly count: number
}

/** The newest first; errors that say the same at the same place stand once, with how often. */
export function groupLogs(entries: readonly LogEntry[]): Group[] {
  const groups = new Map<string, Group>()
  for (const entry of entries.toReversed()) {
    const key = [entry.type, entry.url, entry.message, entry.stack].join('\n')
    const known = groups.get(key)
    groups.set(key, { last: known?.last ?? entry, count: (known?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}

/** A stack on two lines, until it is asked for whole. */
function Stack({ text }: { text: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  if (text.split('\n').length <= 2) return <pre className="logs-stack">{text}</pre>
  return (
    <>
      <pre className={open ? 'logs-stack' : 'logs-stack short'}>{text}</pre>
      <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'logs.less' : 'logs.more')}
      </button>
    </>
  )
}

function Rows({ entries }: { entries: readonly LogEntry[] }) {
  const t = useT()
  return (
    <table className="logs-table">
      <thead>
        <tr>
          {['type', 'url', 'message', 'stack', 'time'].map((name) => (
            <th key={name} scope="col">
              {t(`logs.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groupLogs(entries).map(({ last, count }) => (
          <tr key={`${last.time} ${last.message}`}>
            <td data-name={t('logs.type')}>{last.type}</td>
            <td data-name={t('logs.url')}>{last.url}</td>
            <td data-name={t('logs.message')}>
              {last.message} {count > 1 && <b className="tab-count">{t('logs.times', { count })}</b>}
            </td>
            <td data-name={t('logs.stack')}>
              <Stack text={last.stack} />
            </td>
            <td data-name={t('logs.time')}>{momentOf(Date.parse(last.time))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The errors that this browser keeps, on the whole screen; they can be sent to the server, or thrown away. */
export default function LogsDialog() {
  const t = useT()
  const entries = useStore(logStore)
  const [busy, setBusy] = useState(false)
  const count = entries.length

  const upload = async () => {
    if (
      !(await askConfirmation({
        title: t('logs.upload', { count }),
        body: t('logs.uploadText'),
        okText: t('spec.uploadLogs'),
      }))
    )
      return
    setBusy(true)
    try {
      await uploadLogs()
      toast.success(t('spec.sent'))
    } catch (error) {
      // The call has said what failed; what was sent before it is gone from the list.
      if (!(error instanceof HttpProblem)) throw error
    } finally {
      setBusy(false)
    }
  }
  const clear = async () => {
    if (!(await askConfirmation({ title: t('logs.clear', { count }), danger: true, okText: t('spec.clearLogs') })))
      return
    clearLogs()
    toast.success(t('spec.cleared'))
  }

  return (
    <Modal title={t('logs.title')} className="logs" onClose={closeDialog}>
      <div className="logs-bar">
        <span className="muted">{t('logs.count', { count })}</span>
        <button
          type="button"
          className="button"
          disabled={count === 0 || busy}
          aria-busy={busy}
          onClick={() => void upload()}
        >
          {t('spec.uploadLogs')}
        </button>
        <button type="button" className="button" disabled={count === 0 || busy} onClick={() => void clear()}>
          {t('spec.clearLogs')}
        </button>
      </div>
      {count > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        <section className="logs-scroll" aria-label={t('logs.title')} tabIndex={0}>
          <Rows entries={entries} />
        </section>
      ) : (
        <div className="notice-page">
          <Icon name="circle-check" size={32} />
          <p>{t('logs.none')}</p>
          <p>{t('logs.noneText')}</p>
        </div>
      )}
    </Modal>
  )
}
