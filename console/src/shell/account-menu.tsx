import { themeWords } from '../locales/theme.ts'
import { logout } from '../session/end.ts'
import { useCan, useSession } from '../session/session.ts'
import { workName } from '../session/working-as.ts'
import { askConfirmation } from '../ui/confirm.tsx'
import { toggleFullScreen, useFullScreen } from '../ui/full-screen.ts'
import { useKeyHint } from '../ui/keymap.ts'
import { MenuAt } from '../ui/menu.tsx'
import type { MenuEntry, MenuSpot } from '../ui/menu-button.tsx'
import { go } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { lookWish } from '../ui/theme.ts'
import { addWords, setLanguage, translate, useLanguage, useT } from '../ui/words.ts'
import { Avatar } from './account.tsx'
import { openDialog } from './dialogs.tsx'
import { logStore } from './log.ts'
import { myJobsPath, routeOf } from './routes.ts'
import '../ui/later-words.ts'
import './account-menu.css'

addWords(themeWords)

/** The badge counts no further. */
const badgeMost = 99

async function askLogout(): Promise<void> {
  if (await askConfirmation({ title: translate('shell.logoutConfirm'), okText: translate('shell.logout') }))
    await logout()
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

/** What the shell offers beside the menus, each with what holds now and the key that does the same. */
function useTools(): MenuEntry[] {
  const t = useT()
  const can = useCan()
  const count = useStore(logStore, (entries) => entries.length)
  const { theme, scheme } = useStore(lookWish)
  const [themeKey, lockKey] = [useKeyHint('Alt+KeyT', 'keys.theme'), useKeyHint('Alt+KeyL', 'keys.lock')]
  const [languageKey, sheetKey] = [useKeyHint('Alt+KeyG', 'keys.language'), useKeyHint('?', 'keys.sheet')]
  const full = useFullScreen()
  const languages = useLanguageEntries()
  return [
    {
      key: 'language',
      label: t('shell.language'),
      icon: 'languages',
      line: true,
      value: [languages.find((entry) => entry.checked)?.label ?? ''],
      keys: languageKey,
      sub: languages,
      run: () => undefined,
    },
    {
      key: 'theme',
      label: t('shell.theme'),
      icon: 'palette',
      value: [t(`theme.${theme}`), t(`theme.${scheme}`)],
      keys: themeKey,
      run: () => openDialog('themes'),
    },
    {
      key: 'full',
      label: t(full ? 'shell.exitFull' : 'shell.full'),
      icon: full ? 'minimize' : 'maximize',
      run: toggleFullScreen,
    },
    { key: 'lock', label: t('shell.lock'), icon: 'lock', keys: lockKey, run: () => openDialog('lock') },
    // Nobody is bothered with a log that is empty, but for those who look after the product.
    ...(count > 0 || can('logerror_view')
      ? [
          {
            key: 'logs',
            label: t('shell.logs'),
            icon: 'bug',
            badge: count > badgeMost ? `${badgeMost}+` : count > 0 ? String(count) : undefined,
            run: () => openDialog('logs'),
          },
        ]
      : []),
    { key: 'keys', label: t('shell.keys'), icon: 'keyboard', keys: sheetKey, run: () => openDialog('keys') },
  ]
}

/** The menu of the avatar: who one is, one's own pages, what the console is set to, and the way out. */
export default function AccountMenu({
  label,
  name,
  spot,
  onClose,
}: {
  label: string
  name: string
  spot: MenuSpot
  onClose: () => void
}) {
  const t = useT()
  const session = useSession()
  const tools = useTools()
  const work = workName(session?.switching)
  const facts = [session?.roleName, session?.tenantName].filter(Boolean)
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
    ...tools,
    { key: 'logout', label: t('shell.logout'), icon: 'log-out', line: true, run: () => void askLogout() },
  ]
  return (
    <MenuAt label={label} entries={entries} spot={spot} onClose={onClose} className="account-menu">
      <div className="account-head" aria-hidden="true">
        <Avatar src={session?.avatar} size={36} />
        <span>
          <b>{name}</b>
          <small>
            {facts.map((fact, at) => (
              <span key={fact}>
                {at > 0 && <i className="between" />}
                {fact}
              </span>
            ))}
          </small>
        </span>
      </div>
    </MenuAt>
  )
}
