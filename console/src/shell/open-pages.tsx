import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { allNodes, menuStore } from '../session/menus.ts'
import { Icon } from '../ui/icon.tsx'
import { go } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { language, translateIn, useT } from '../ui/words.ts'
import { matchRank, searchableText } from './palette-match.ts'
import { closeAsking } from './tab-close.ts'
import { useTabEntries } from './tab-menu.tsx'
import { addressOf, closeTab, isClosable, setStrip, stripStore, tabStore, useTabName } from './tabs.ts'
import './open-pages.css'
import '../ui/later-words.ts'

/** In a list longer than this one looks for a page by its name. */
const FEW = 8
const kept = new Set(['others', 'all', 'cache', 'search'])

/** The open pages: found by name or initials, left by ✕ or Delete; and what is done with all of them. */
export default function OpenPages({ narrow, onClose }: { narrow: boolean; onClose: () => void }) {
  const t = useT()
  const tabs = useStore(tabStore)
  const menus = useStore(menuStore)
  const strip = useStore(stripStore)
  const name = useTabName()
  const box = useRef<HTMLDivElement>(null)
  const [words, setWords] = useState('')
  // An input method begins to compose in the box alone. On a phone its keyboard would hide the list.
  const [searches] = useState(() => !narrow && tabs.list.length > FEW)
  const commands = useTabEntries(tabs.active).filter(({ key }) => kept.has(key))
  const other = language() === 'zh' ? 'en' : 'zh'
  const icons = new Map(allNodes(menus).map((node) => [node.path, node.source]))
  const found = tabs.list.filter(
    (tab) => words.trim() === '' || matchRank(words, searchableText(name(tab), translateIn(other, tab.label))) > 0,
  )

  useEffect(() => {
    const inside = box.current
    const current = inside?.querySelector<HTMLElement>('[aria-current]')
    const search = inside?.querySelector('input')
    current?.scrollIntoView?.({ block: 'nearest' })
    ;((!searches && current) || search)?.focus()
    const outside = (event: PointerEvent) => {
      // The button closes by itself; a question about what is not saved stands over the list.
      const target = event.target as Element | null
      if (!target?.closest('.pages, dialog')) onClose()
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [onClose, searches])

  const show = (value: string) => {
    onClose()
    go(addressOf(value))
  }
  const close = async (value: string) => {
    const at = found.findIndex((tab) => tab.value === value)
    await closeAsking([value], () => closeTab(value))
    const rows = box.current?.querySelectorAll<HTMLElement>('.pages-row')
    rows?.[Math.min(at, rows.length - 1)]?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.key === 'Tab') return
    // Keys of the page below are not meant here.
    event.stopPropagation()
    const rows = [...(box.current?.querySelectorAll<HTMLElement>('.pages-row, .pages-commands button') ?? [])]
    const typing = event.target instanceof HTMLInputElement
    const at = rows.indexOf(document.activeElement as HTMLElement)
    const here = rows.find((row) => row.ariaCurrent !== null)
    const value = (event.target as HTMLElement).dataset.page
    if (event.key === 'Escape') onClose()
    else if (event.key === 'ArrowDown') (typing && words === '' ? (here ?? rows[0]) : rows[at + 1])?.focus()
    else if (event.key === 'ArrowUp') (rows[at - 1] ?? box.current?.querySelector('input'))?.focus()
    else if (event.key === 'Enter' && typing && words.trim() !== '' && found[0]) show(found[0].value)
    else if (event.key === 'Delete' && value && isClosable(tabs, value)) void close(value)
    else if (!typing && event.key.length === 1 && event.key !== ' ') return box.current?.querySelector('input')?.focus()
    else return
    event.preventDefault()
  }

  return (
    <div ref={box} className="pages-list" role="dialog" aria-label={t('tabs.list')} onKeyDown={onKey}>
      <input
        className="input"
        type="search"
        aria-label={t('tabs.find')}
        placeholder={t('tabs.find')}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <ul>
        {found.map((tab) => {
          const dirty = tabs.states[tab.value]?.dirty === true
          const text = name(tab)
          return (
            <li key={tab.value}>
              <button
                type="button"
                className="pages-row"
                data-page={tab.value}
                aria-current={tab.value === tabs.active ? 'page' : undefined}
                aria-keyshortcuts={isClosable(tabs, tab.value) ? 'Delete' : undefined}
                title={text}
                onClick={() => show(tab.value)}
              >
                <Icon name={icons.get(tab.value) ?? (tab === tabs.list[0] ? 'house' : 'circle')} size={16} />
                <span className="tab-text">{text}</span>
                {dirty && <span className="pill warn">{t('tabs.unsaved')}</span>}
                {tab.pinned && <Icon name="pin" size={12} />}
              </button>
              {isClosable(tabs, tab.value) && (
                <button
                  type="button"
                  className="icon-button small"
                  aria-label={t('tabs.closeOne', { name: text })}
                  title={t('tabs.close')}
                  onClick={() => void close(tab.value)}
                >
                  <Icon name="x" size={14} />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {found.length === 0 && <p className="muted pages-none">{t('tabs.none')}</p>}
      <div className="pages-commands">
        {commands.map((entry) => (
          <button
            key={entry.key}
            type="button"
            className="menu-item"
            disabled={entry.disabled}
            onClick={() => {
              onClose()
              entry.run()
            }}
          >
            {entry.label}
          </button>
        ))}
        {!narrow && (
          <button
            type="button"
            className="menu-item"
            onClick={() => {
              onClose()
              setStrip(strip === 'shown' ? 'hidden' : 'shown')
            }}
          >
            {t(strip === 'shown' ? 'tabs.hideStrip' : 'tabs.showStrip')}
          </button>
        )}
      </div>
    </div>
  )
}
