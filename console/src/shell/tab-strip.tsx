import './tabs.css'
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useLazyOpen } from '../ui/lazy-open.ts'
import type { MenuSpot } from '../ui/menu-button.tsx'
import { go, usePlace } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { useT } from '../ui/words.ts'
import { PagesButton } from './pages-button.tsx'
import { tabId } from './panels.tsx'
import { closeAsking } from './tab-close.ts'
import { addressOf, closeTab, isClosable, type Tab, tabStore, useTabName } from './tabs.ts'

const loadMenu = () => import('./tab-menu.tsx')

/** The open pages as a row of tabs. */
export default function TabStrip() {
  const t = useT()
  const tabs = useStore(tabStore)
  const name = useTabName()
  const { path } = usePlace()
  const [menu, setMenu] = useState<{ value: string; spot: MenuSpot }>()
  const strip = useRef<HTMLDivElement>(null)
  const closeMenu = useCallback(() => setMenu(undefined), [])
  const Menu = useLazyOpen(loadMenu, menu !== undefined, closeMenu)

  useEffect(() => {
    const show = () =>
      document.getElementById(tabId(tabs.active))?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    show()
    window.addEventListener('resize', show)
    return () => window.removeEventListener('resize', show)
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
    else if (event.key === 'Delete' && isClosable(tabs, tab.value))
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
                  if (event.button === 1 && isClosable(tabs, tab.value))
                    void closeAsking([tab.value], () => closeTab(tab.value))
                }}
                onContextMenu={(event) => onContext(event, tab)}
                onKeyDown={(event) => onKey(event, tab, at)}
              >
                {tab.pinned && <Icon name="pin" size={12} />}
                <span className="tab-text">{text}</span>
                {dirty && <span className="tab-dot" aria-hidden="true" />}
              </button>
              {isClosable(tabs, tab.value) && (
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
      <PagesButton />
      {menu && Menu && <Menu value={menu.value} spot={menu.spot} onClose={closeMenu} />}
    </nav>
  )
}
