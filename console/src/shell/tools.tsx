import { useSyncExternalStore } from 'react'
import { useCan } from '../session/session.ts'
import { Icon } from '../ui/icon.tsx'
import { type KeyHint, useKeyHint } from '../ui/keymap.ts'
import type { MenuEntry } from '../ui/overlay.tsx'
import { useStore } from '../ui/store.ts'
import { useT } from '../ui/words.ts'
import { openDialog } from './dialogs.tsx'
import { logStore } from './log.ts'

/** The badge counts no further. */
export const badgeMost = 99

function onFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
const isFullScreen = (): boolean => document.fullscreenElement != null

/** Fills the screen with the console, or gives it back. A browser that will not says so itself. */
export function toggleFullScreen(): void {
  const turned = isFullScreen() ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()
  turned?.catch(() => undefined)
}

/** What the shell offers beside the menus: errors kept here, theme, lock, full screen. */
export function useTools(): (MenuEntry & { badge?: string; keys?: KeyHint })[] {
  const t = useT()
  const can = useCan()
  const count = useStore(logStore, (entries) => entries.length)
  const [theme, lock] = [useKeyHint('Alt+KeyT', 'keys.theme'), useKeyHint('Alt+KeyL', 'keys.lock')]
  const full = useSyncExternalStore(onFullScreen, isFullScreen)
  return [
    // Nobody is bothered with a log that is empty, but for those who look after the product.
    ...(count > 0 || can('logerror_view')
      ? [
          {
            key: 'logs',
            label: count > 0 ? t('shell.logsCount', { count }) : t('shell.logs'),
            icon: 'bug',
            badge: count > badgeMost ? `${badgeMost}+` : count > 0 ? String(count) : undefined,
            run: () => openDialog('logs'),
          },
        ]
      : []),
    { key: 'theme', label: t('shell.theme'), icon: 'palette', keys: theme, run: () => openDialog('themes') },
    { key: 'lock', label: t('shell.lock'), icon: 'lock', keys: lock, run: () => openDialog('lock') },
    {
      key: 'full',
      label: t(full ? 'shell.exitFull' : 'shell.full'),
      icon: full ? 'minimize' : 'maximize',
      run: toggleFullScreen,
    },
  ]
}

/** One tool as a button of the header. */
export function ToolButton({ tool }: { tool: ReturnType<typeof useTools>[number] }) {
  return (
    <button
      type="button"
      className="icon-button header-tool"
      aria-label={tool.label}
      aria-keyshortcuts={tool.keys?.aria}
      title={tool.keys ? `${tool.label} (${tool.keys.text})` : tool.label}
      onClick={tool.run}
    >
      <Icon name={tool.icon ?? ''} />
      {tool.badge && (
        <span className="badge" aria-hidden="true">
          {tool.badge}
        </span>
      )}
    </button>
  )
}
