import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { get } from '../http/client.ts'
import { confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { MenuAt, MenuButton, type MenuEntry, type Spot } from '../ui/overlay.tsx'
import { go, usePlace } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { toast } from '../ui/toast.ts'
import { translate, useT } from '../ui/words.ts'
import { openPalette } from './palette-store.ts'
import { tabId } from './panels.tsx'
import {
  addressOf,
  closable,
  closeAll,
  closeOthers,
  closeRight,
  closeTab,
  dirtyAmong,
  moveTab,
  pinTab,
  refreshTab,
  type Tab,
  type Tabs,
  tabStore,
} from './tabs.ts'

/** Closes tabs; asks first when one of them holds unsaved changes. */
export async function closeAsking(values: readonly string[], close: () => string): Promise<void> {
  if (dirtyAmong(values).length > 0) {
    const yes = await confirm({
      title: translate('tabs.discard'),
      danger: true,
      okText: translate('tabs.discardOk'),
      cancelText: translate('tabs.keepEditing'),
    })
    if (!yes) return
  }
  const before = tabStore.get().active
  const next = close()
  if (tabStore.get().active !== before || next.split('?')[0] !== window.location.pathname) go(next)
}

const rest = (tabs: Tabs, keep: (tab: Tab, at: number) => boolean): string[] =>
  tabs.list.filter((tab, at) => at > 0 && !keep(tab, at)).map((tab) => tab.value)

function useTabEntries(value: string): MenuEntry[] {
  const t = useT()
  const tabs = useStore(tabStore)
  const client = useQueryClient()
  const at = tabs.list.findIndex((tab) => tab.value === value)
  const pinned = tabs.list[at]?.pinned === true
  const refresh = () => {
    refreshTab(value)
    void client.invalidateQueries()
  }
  const clearCache = async () => {
    if (!(await confirm({ title: t('spec.clearCacheConfirm') }))) return
    await get('blade-auth/oauth/clear-cache')
    client.clear()
    for (const tab of tabs.alive) refreshTab(tab)
    toast.success(t('tabs.cacheCleared'))
  }
  return [
    { key: 'refresh', label: t('tabs.refresh'), icon: 'refresh-cw', run: refresh },
    {
      key: 'pin',
      label: t(pinned ? 'tabs.unpin' : 'tabs.pin'),
      icon: 'pin',
      disabled: at < 1,
      run: () => pinTab(value, !pinned),
    },
    { key: 'left', label: t('tabs.left'), icon: 'arrow-left', disabled: at < 2, run: () => moveTab(value, -1) },
    {
      key: 'right',
      label: t('tabs.right'),
      icon: 'arrow-right',
      disabled: at < 1 || at === tabs.list.length - 1,
      run: () => moveTab(value, 1),
    },
    {
      key: 'close',
      label: t('tabs.close'),
      icon: 'x',
      line: true,
      disabled: !closable(tabs, value),
      run: () => void closeAsking([value], () => closeTab(value)),
    },
    {
      key: 'others',
      label: t('tabs.closeOthers'),
      disabled: rest(tabs, (tab) => tab.value === value).length === 0,
      run: () =>
        void closeAsking(
          rest(tabs, (tab) => tab.value === value || tab.pinned === true),
          () => closeOthers(value),
        ),
    },
    {
      key: 'toRight',
      label: t('tabs.closeRight'),
      disabled: at === tabs.list.length - 1,
      run: () =>
        void closeAsking(
          rest(tabs, (tab, other) => other <= at || tab.pinned === true),
          () => closeRight(value),
        ),
    },
    {
      key: 'all',
      label: t('tabs.closeAll'),
      run: () =>
        void closeAsking(
          rest(tabs, (tab) => tab.pinned === true),
          closeAll,
        ),
    },
    { key: 'cache', label: t('tabs.clearCache'), line: true, run: () => void clearCache() },
    { key: 'search', label: t('tabs.menuSearch'), icon: 'search', run: openPalette },
  ]
}

function TabMenu({ value, spot, onClose }: { value: string; spot: Spot; onClose: () => void }) {
  const t = useT()
  return <MenuAt label={t('tabs.menu')} entries={useTabEntries(value)} spot={spot} onClose={onClose} />
}

/** The words of a tab: its page's label, or the name of the record it shows. */
export function useTabName(): (tab: Tab) => string {
  const t = useT()
  const { states } = useStore(tabStore)
  return (tab) => states[tab.value]?.name ?? t(tab.label)
}

/** The open pages as a row of tabs. */
export function TabStrip() {
  const t = useT()
  const tabs = useStore(tabStore)
  const name = useTabName()
  const { path } = usePlace()
  const [menu, setMenu] = useState<{ value: string; spot: Spot }>()
  const strip = useRef<HTMLDivElement>(null)
  const entries = useTabEntries(tabs.active)

  useEffect(() => {
    document.getElementById(tabId(tabs.active))?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [tabs.active])

  const onKey = (event: KeyboardEvent, tab: Tab, at: number) => {
    const focus = (index: number) => {
      const next = tabs.list[(index + tabs.list.length) % tabs.list.length]
      if (next) document.getElementById(tabId(next.value))?.focus()
    }
    if (event.key === 'ArrowRight') focus(at + 1)
    else if (event.key === 'ArrowLeft') focus(at - 1)
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(-1)
    else if (event.key === 'Delete' && closable(tabs, tab.value))
      void closeAsking([tab.value], () => closeTab(tab.value))
    else return
    event.preventDefault()
  }

  const onContext = (event: MouseEvent<HTMLElement>, tab: Tab) => {
    event.preventDefault()
    const box = event.currentTarget.getBoundingClientRect()
    const byKey = event.clientX === 0 && event.clientY === 0
    setMenu({ value: tab.value, spot: byKey ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY } })
  }

  return (
    <nav className="tab-strip" aria-label={t('tabs.list')}>
      <div
        ref={strip}
        className="tabs"
        role="tablist"
        aria-label={t('tabs.list')}
        onWheel={(event) => strip.current?.scrollBy({ left: event.deltaY })}
      >
        {tabs.list.map((tab, at) => {
          // A page that is no tab, such as /404, leaves every tab unselected; the last one stays the way in for the keyboard.
          const active = tab.value === path
          const dirty = tabs.states[tab.value]?.dirty === true
          const text = name(tab)
          return (
            <div key={tab.value} role="presentation" className={active ? 'tab active' : 'tab'}>
              <button
                type="button"
                role="tab"
                id={tabId(tab.value)}
                aria-selected={active}
                aria-label={dirty ? `${text} (${t('tabs.dirty')})` : undefined}
                aria-keyshortcuts={at > 0 ? 'Delete' : undefined}
                tabIndex={tab.value === tabs.active ? 0 : -1}
                title={text}
                onClick={() => go(addressOf(tab.value))}
                onAuxClick={(event) => {
                  if (event.button === 1 && closable(tabs, tab.value))
                    void closeAsking([tab.value], () => closeTab(tab.value))
                }}
                onContextMenu={(event) => onContext(event, tab)}
                onKeyDown={(event) => onKey(event, tab, at)}
              >
                {tab.pinned && <Icon name="pin" size={12} />}
                <span className="tab-text">{text}</span>
                {dirty && <span className="tab-dot" aria-hidden="true" />}
              </button>
              {closable(tabs, tab.value) && (
                // For the mouse. A tab list may own nothing but tabs; keys close with Delete or through the menu beside it.
                <span
                  className="tab-close"
                  aria-hidden="true"
                  title={t('tabs.close')}
                  onClick={() => void closeAsking([tab.value], () => closeTab(tab.value))}
                >
                  <Icon name="x" size={14} />
                </span>
              )}
            </div>
          )
        })}
      </div>
      <MenuButton label={t('tabs.menu')} className="icon-button" align="right" entries={entries}>
        <Icon name="ellipsis" />
      </MenuButton>
      {menu && <TabMenu value={menu.value} spot={menu.spot} onClose={() => setMenu(undefined)} />}
    </nav>
  )
}

/** The open pages as one button, where the window is narrow. */
export function TabDropdown() {
  const t = useT()
  const tabs = useStore(tabStore)
  const name = useTabName()
  const entries = useTabEntries(tabs.active)
  const open = tabs.list.map(
    (tab): MenuEntry => ({
      key: tab.value,
      label: name(tab),
      checked: tab.value === tabs.active,
      run: () => go(addressOf(tab.value)),
    }),
  )
  const active = tabs.list.find((tab) => tab.value === tabs.active)
  const opened = t('tabs.open', { count: tabs.list.length })
  // The name that is read begins with the words that are seen.
  const seen = `${active ? name(active) : opened} ${tabs.list.length}`
  return (
    <nav className="tab-strip" aria-label={t('tabs.list')}>
      <MenuButton label={`${seen}, ${opened}`} className="tab-dropdown" entries={open}>
        <span className="tab-text">{active ? name(active) : opened}</span>{' '}
        <span className="tab-count">{tabs.list.length}</span>
        <Icon name="chevron-down" size={16} />
      </MenuButton>
      <MenuButton label={t('tabs.menu')} className="icon-button" align="right" entries={entries}>
        <Icon name="ellipsis" />
      </MenuButton>
    </nav>
  )
}
