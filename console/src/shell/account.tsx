import { useCallback, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { workName } from '../session/working-as.ts'
import { defaultFace } from '../ui/default-avatar.ts'
import { useLazyOpen } from '../ui/lazy-open.ts'
import type { MenuSpot } from '../ui/menu-button.tsx'
import { prefetch } from '../ui/prefetch.ts'
import { useScreenClass } from '../ui/screen.ts'
import { useStore } from '../ui/store.ts'
import { useT } from '../ui/words.ts'
import { logStore } from './log.ts'

const load = () => import('./account-menu.tsx')

/** The user's picture, or the one that ships with the console: also when theirs cannot be fetched. */
export function Avatar({ src, size = 28 }: { src: string | undefined; size?: number }) {
  const [broken, setBroken] = useState('')
  return (
    <img
      className="avatar"
      src={src && broken !== src ? src : defaultFace}
      alt=""
      width={size}
      height={size}
      onError={() => src && setBroken(src)}
    />
  )
}

/** The avatar, and where the window is wide the name: what it opens is fetched as soon as somebody reaches for it. */
export function Account() {
  const t = useT()
  const session = useSession()
  const wide = useScreenClass() === 3
  const errors = useStore(logStore, (entries) => entries.length)
  const button = useRef<HTMLButtonElement>(null)
  const [spot, setSpot] = useState<MenuSpot>()
  const close = useCallback(() => setSpot(undefined), [])
  const Menu = useLazyOpen(load, spot !== undefined, close)
  const name = session?.realName || session?.nickName || session?.account || ''
  const work = workName(session?.switching)
  const label = t('shell.account', { name })
  const open = () => {
    const box = button.current?.getBoundingClientRect()
    if (box) setSpot({ x: box.right, y: box.bottom + 4, right: true })
  }
  const fetchAhead = () => prefetch(load)
  return (
    <>
      <button
        ref={button}
        type="button"
        className="account"
        aria-label={label}
        aria-description={errors > 0 ? t('shell.logsCount', { count: errors }) : undefined}
        title={label}
        aria-haspopup="menu"
        aria-expanded={spot !== undefined}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          open()
        }}
      >
        <span className="account-face">
          <Avatar src={session?.avatar} />
          {errors > 0 && <span className="account-dot" />}
        </span>
        {wide && (
          <span className="account-name">
            {name}
            {work && <small className="account-work">{work}</small>}
          </span>
        )}
      </button>
      {spot && Menu && <Menu label={label} name={name} spot={spot} onClose={close} />}
    </>
  )
}
