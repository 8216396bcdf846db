import { useState } from 'react'
import { logout } from '../session/end.ts'
import { useSession } from '../session/session.ts'
import { workName } from '../session/working.ts'
import { confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { useKeyHint } from '../ui/keymap.ts'
import { MenuButton, type MenuEntry, SidePanel } from '../ui/overlay.tsx'
import { go, Link } from '../ui/place.ts'
import { useScreenClass } from '../ui/screen.ts'
import { setLanguage, translate, useLanguage, useT } from '../ui/words.ts'
import { openDialog } from './dialogs.tsx'
import type { MenuTop } from './menu-tree.ts'
import { NoticeBell } from './notices-bell.tsx'
import { openPalette } from './palette-store.ts'
import { homePath, myJobsPath, routeOf } from './routes.tsx'
import { DrawerMenu } from './sidebar.tsx'
import { ToolButton, useTools } from './tools.tsx'
import { TopMenu } from './top-menu.tsx'

export const defaultAvatar = '/avatar.svg'

async function askLogout(): Promise<void> {
  if (await confirm({ title: translate('shell.logoutConfirm'), okText: translate('shell.logout') })) await logout()
}

function useLanguageEntries(): MenuEntry[] {
  const t = useT()
  const now = useLanguage()
  return (['zh', 'en'] as const).map((code) => ({
    key: code,
    label: t(code === 'zh' ? 'common.chinese' : 'common.english'),
    lang: code,
    checked: now === code,
    disabled: now === code,
    run: () => void setLanguage(code),
  }))
}

function AccountMenu({ wide, tools }: { wide: boolean; tools: readonly MenuEntry[] }) {
  const t = useT()
  const session = useSession()
  const languages = useLanguageEntries()
  const name = session?.realName || session?.nickName || session?.account || ''
  const work = workName(session?.switching)
  const entries: MenuEntry[] = [
    ...(work
      ? [{ key: 'work', label: t('shell.work', { work }), icon: 'arrow-left-right', run: () => openDialog('work') }]
      : []),
    // Drawn once the page is there.
    ...(routeOf('/wel/dashboard')
      ? [{ key: 'dashboard', label: t('shell.dashboard'), icon: 'chart-column', run: () => go('/wel/dashboard') }]
      : []),
    { key: 'info', label: t('shell.userInfo'), icon: 'user-round', line: work !== '', run: () => go('/info/index') },
    { key: 'jobs', label: t('shell.myJobs'), icon: 'history', run: () => go(myJobsPath) },
    ...tools.map((tool, at) => ({ ...tool, line: at === 0 })),
    ...(wide ? [] : languages.map((entry, at) => ({ ...entry, line: at === 0 }))),
    { key: 'logout', label: t('shell.logout'), icon: 'log-out', line: true, run: () => void askLogout() },
  ]
  return (
    <MenuButton label={t('shell.account', { name })} className="account" align="right" entries={entries}>
      <Avatar src={session?.avatar} />
      {wide && (
        <span className="account-name">
          {name}
          {work && <small className="account-work">{work}</small>}
        </span>
      )}
      {wide && <Icon name="chevron-down" size={16} />}
    </MenuButton>
  )
}

/** The user's picture, or the one that ships with the console: also when theirs cannot be fetched. */
export function Avatar({ src, size = 28 }: { src: string | undefined; size?: number }) {
  const [broken, setBroken] = useState('')
  return (
    <img
      className="avatar"
      src={src && broken !== src ? src : defaultAvatar}
      alt=""
      width={size}
      height={size}
      onError={() => src && setBroken(src)}
    />
  )
}

/** The bar at the top: brand, top menu, search, language, account. */
export function Header({ tops }: { tops: readonly MenuTop[] }) {
  const t = useT()
  const width = useScreenClass()
  const languages = useLanguageEntries()
  const tools = useTools()
  const [drawer, setDrawer] = useState(false)
  const hint = useKeyHint('Mod+KeyK', 'keys.palette')
  return (
    <header className="header">
      {width <= 1 && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('shell.menu')}
          aria-expanded={drawer}
          onClick={() => setDrawer(true)}
        >
          <Icon name="menu" />
        </button>
      )}
      <Link className="brand" to={homePath}>
        <img src="/logo.svg" alt="" width={28} height={28} />
        <span>{t('common.product')}</span>
      </Link>
      {width >= 2 ? <TopMenu tops={tops} icons={width === 2} /> : <span className="top-menu" />}
      <div className="header-actions">
        <button
          type="button"
          className={width === 3 ? 'search-pill' : 'icon-button'}
          aria-label={width === 3 ? undefined : t('palette.title')}
          aria-keyshortcuts={hint.aria}
          title={`${t('palette.title')} (${hint.text})`}
          onClick={openPalette}
        >
          <Icon name="search" size={width === 3 ? 16 : 18} />
          {width === 3 && <span>{t('shell.search')}</span>}
          {width === 3 && <kbd>{hint.text}</kbd>}
        </button>
        <NoticeBell />
        {width === 3 && tools.slice(0, -3).map((tool) => <ToolButton key={tool.key} tool={tool} />)}
        {width >= 2 && (
          <MenuButton label={t('shell.language')} className="icon-button" align="right" entries={languages}>
            <Icon name="languages" />
          </MenuButton>
        )}
        {width === 3 && tools.slice(-3).map((tool) => <ToolButton key={tool.key} tool={tool} />)}
        <AccountMenu wide={width >= 2} tools={width === 3 ? [] : tools} />
      </div>
      {drawer && (
        <SidePanel label={t('shell.menu')} onClose={() => setDrawer(false)}>
          <DrawerMenu tops={tops} onOpen={() => setDrawer(false)} />
        </SidePanel>
      )}
    </header>
  )
}
