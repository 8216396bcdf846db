import { Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useSession } from '../session/session.ts'
import { Icon } from '../ui/icon.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { go, usePlace } from '../ui/place.ts'
import { useScreenClass } from '../ui/screen.ts'
import { useStore } from '../ui/store.ts'
import { readStored, writeStored } from '../ui/stored.ts'
import { useT } from '../ui/words.ts'
import { newBuildStore } from './build.ts'
import { DialogHost } from './dialogs.tsx'
import { Header } from './header.tsx'
import { Idle } from './idle.tsx'
import { useShellKeys } from './keys.ts'
import { menuPathOf, topOf, useMenuTree } from './menu-tree.ts'
import { PaletteHost } from './palette-host.tsx'
import { Panels } from './panels.tsx'
import { homePath, routeOf } from './routes.ts'
import { Sidebar } from './sidebar.tsx'
import { stripStore, tabStore } from './tabs.ts'
import { useLastUsed } from './top-menu.tsx'

// Not needed at home alone, which is what comes first.
const TabStrip = lazyPart(() => import('./tab-strip.tsx'))

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
}

/** Thin bars under the header: the network is down, the server has been upgraded. */
function Bars() {
  const t = useT()
  const online = useOnline()
  const newBuild = useStore(newBuildStore)
  return (
    <>
      {!online && (
        <div className="bar warning" role="status">
          {t('shell.offlineBar')}
        </div>
      )}
      {newBuild && (
        <div className="bar" role="status">
          {t('shell.newBuild')}
          <button type="button" className="link-button" onClick={() => window.location.reload()}>
            {t('common.reload')}
          </button>
        </div>
      )}
    </>
  )
}

function useSidebar(): { collapsed: boolean; toggle: () => void } {
  const width = useScreenClass()
  const user = useSession()?.userId ?? ''
  const name = `sidebar:${user}:${width}`
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({})
  const collapsed = choices[name] ?? readStored<boolean>(name) ?? width <= 2
  const toggle = useCallback(() => {
    writeStored(name, !collapsed)
    setChoices((now) => ({ ...now, [name]: !collapsed }))
  }, [name, collapsed])
  return { collapsed, toggle }
}

/** A page alone on the screen, with a thin bar that leads out of it. */
function FullScreen() {
  const t = useT()
  return (
    <>
      <main id="main" className="main" tabIndex={-1}>
        <Panels />
      </main>
      <button type="button" className="full-exit" onClick={() => go(homePath)}>
        <Icon name="x" size={16} />
        {t('shell.exitFull')}
      </button>
      <DialogHost />
      <Idle />
    </>
  )
}

/** The layout: header, sidebar where there is a sub-menu, tabs, main view. */
export function Frame() {
  const t = useT()
  const tops = useMenuTree()
  const width = useScreenClass()
  const { path } = usePlace()
  const { collapsed, toggle } = useSidebar()
  const top = useMemo(() => topOf(tops, menuPathOf(tops, path)), [tops, path])
  useLastUsed(tops)
  useShellKeys(toggle)
  const many = useStore(tabStore, ({ list }) => list.length > 1)
  // Home alone needs no row of its own; a narrow window has the list of pages in its header.
  const hasStrip = useStore(stripStore) === 'shown' && many && width >= 2
  const full = routeOf(path)?.route.meta.fullScreen === 1

  useEffect(() => {
    if (!full) return
    const out = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && go(homePath)
    window.addEventListener('keydown', out)
    return () => window.removeEventListener('keydown', out)
  }, [full])

  if (full) return <FullScreen />
  const sidebar = top && !top.own && width >= 2 ? top : undefined
  return (
    <div
      className="frame"
      data-class={width}
      data-side={sidebar ? (collapsed ? 'collapsed' : 'open') : 'none'}
      data-strip={hasStrip ? 'shown' : 'none'}
    >
      <a className="skip" href="#main">
        {t('shell.skip')}
      </a>
      <Header tops={tops} />
      <Bars />
      <div className="body">
        {sidebar && <Sidebar top={sidebar} collapsed={collapsed} onToggle={toggle} />}
        <div className="view">
          {hasStrip && (
            // Its room is kept while it comes: the sheet below does not jump.
            <Suspense fallback={<div className="tab-strip" />}>
              <TabStrip />
            </Suspense>
          )}
          <main id="main" className="main" tabIndex={-1}>
            <Panels />
          </main>
        </div>
      </div>
      <PaletteHost />
      <DialogHost />
      <Idle />
    </div>
  )
}
