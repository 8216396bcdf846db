import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { noTasks, tasksStore } from '../session/tasks.ts'
import { unreadStore } from '../session/unread.ts'
import { Icon } from '../ui/icon.tsx'
import { useLazyOpen } from '../ui/lazy-open.ts'
import { useStore } from '../ui/store.ts'
import { useT } from '../ui/words.ts'
import { logError } from './log.ts'

const load = () => import('./notices.tsx')
const quietAfter = 1500
const most = 99

/** The bell and how much is unread. The channel and what it opens are fetched once the first page has settled. */
export function NoticeBell() {
  const t = useT()
  const session = useSession()
  const { notices, messages } = useStore(unreadStore)
  const [open, setOpen] = useState(false)
  const bell = useRef<HTMLButtonElement>(null)
  const who = session && !session.mustChange ? session.userId : ''
  const count = notices + messages

  useEffect(() => {
    if (!who) return
    let stop: (() => void) | undefined
    let gone = false
    const timer = setTimeout(
      () =>
        void import('./notices-live.ts').then(
          ({ startNotices }) => {
            if (!gone) stop = startNotices()
          },
          (error: unknown) => logError(error, 'chunk'),
        ),
      quietAfter,
    )
    return () => {
      gone = true
      clearTimeout(timer)
      stop?.()
      unreadStore.set({ notices: 0, messages: 0 })
      tasksStore.set(noTasks)
    }
  }, [who])

  const close = useCallback(() => {
    setOpen(false)
    bell.current?.focus()
  }, [])
  const fail = useCallback(() => setOpen(false), [])
  const Panel = useLazyOpen(load, open, fail)

  if (!who) return null
  const label = count > 0 ? t('shell.noticesUnread', { count }) : t('shell.notices')
  return (
    <span className="notices">
      <button
        ref={bell}
        type="button"
        className="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen((now) => !now)}
      >
        <Icon name="bell" />
        {count > 0 && <span className="notices-count">{count > most ? `${most}+` : count}</span>}
      </button>
      {Panel && <Panel onClose={close} />}
    </span>
  )
}
