import { useCallback, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useKeyHint } from '../ui/keymap.ts'
import { useLazyOpen } from '../ui/lazy-open.ts'
import { Link } from '../ui/place.ts'
import { prefetch } from '../ui/prefetch.ts'
import { useScreenClass } from '../ui/screen.ts'
import { useStore } from '../ui/store.ts'
import { useT } from '../ui/words.ts'
import { Account } from './account.tsx'
import type { MenuTop } from './menu-tree.ts'
import { NoticeBell } from './notices-bell.tsx'
import { PagesButton } from './pages-button.tsx'
import { openPalette } from './palette-store.ts'
import { homePath } from './routes.ts'
import { stripStore } from './tabs.ts'
import { TopMenu } from './top-menu.tsx'

const loadDrawer = () => import('./drawer.tsx')
const fetchDrawer = () => prefetch(loadDrawer)

/** The bar at the top: brand, top menu, search, bell, account. A narrow window has the open pages in place of the menus. */
export function Header({ tops }: { tops: readonly MenuTop[] }) {
  const t = useT()
  const width = useScreenClass()
  const strip = useStore(stripStore)
  const [drawer, setDrawer] = useState(false)
  const close = useCallback(() => setDrawer(false), [])
  const Drawer = useLazyOpen(loadDrawer, drawer, close)
  const hint = useKeyHint('Mod+KeyK', 'keys.palette')
  return (
    <header className="header">
      {width <= 1 && (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label={t('shell.menu')}
            aria-expanded={drawer}
            onPointerEnter={fetchDrawer}
            onFocus={fetchDrawer}
            onClick={() => setDrawer(true)}
          >
            <Icon name="menu" />
          </button>
          <PagesButton named />
        </>
      )}
      {width >= 2 && (
        <>
          <Link className="brand" to={homePath}>
            <img src="/logo.svg" alt="" width={24} height={24} />
            <span>{t('common.product')}</span>
          </Link>
          <TopMenu tops={tops} icons={width === 2} />
        </>
      )}
      <div className="header-actions">
        <button
          type="button"
          className={width === 3 ? 'find' : 'icon-button'}
          aria-label={width === 3 ? undefined : t('palette.title')}
          aria-keyshortcuts={hint.aria}
          title={`${t('palette.title')} (${hint.text})`}
          onClick={openPalette}
        >
          <Icon name="search" size={width === 3 ? 16 : 18} />
          {width === 3 && <span>{t('shell.search')}</span>}
          {width === 3 && <kbd>{hint.text}</kbd>}
        </button>
        {width >= 2 && strip === 'hidden' && <PagesButton />}
        <NoticeBell />
        <Account />
      </div>
      {Drawer && <Drawer tops={tops} onClose={close} />}
    </header>
  )
}
