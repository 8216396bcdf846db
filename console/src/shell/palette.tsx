import type { AnswerOf } from '@data-brain/contract/call'
import { search } from '@data-brain/contract/calls/desk'
import { type KeyboardEvent, memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { call } from '../http/call.ts'
import { paletteWords } from '../locales/palette.ts'
import { menuWords } from '../session/menus.ts'
import { pathOf } from '../session/paths.ts'
import { announce } from '../ui/announce.tsx'
import { Icon } from '../ui/icon.tsx'
import { go } from '../ui/place.ts'
import { addWords, translate, translateIn, useLanguage, useT } from '../ui/words.ts'
import { shellActions } from './actions.ts'
import { leavesUnder, useMenuTree } from './menu-tree.ts'
import { matchRank, type SearchableText, searchableText, worthAsking } from './palette-match.ts'
import { closePalette } from './palette-store.ts'
import { addressOf, tabStore } from './tabs.ts'
import '../ui/typed-ahead.ts'
import './palette.css'

addWords(paletteWords)

/** What stands beside a name, without what is there already: an account is often the staff number in small letters. */
function once(note: string): string {
  const parts = note.split(' · ').filter((part) => part.trim() !== '')
  return parts
    .filter((part, at) => parts.findIndex((other) => other.toLowerCase() === part.toLowerCase()) === at)
    .join(' · ')
}

interface Hit {
  key: string
  label: string
  note: string
  icon: string
  to: string
  external?: boolean
  /** Does something instead of leading to `to`. */
  run?: () => void
}

interface HitGroup {
  key: string
  label: string
  hits: readonly Hit[]
}

interface PageItem extends Hit {
  text: SearchableText
}

const icons: Readonly<Record<string, string>> = {
  student: 'graduation-cap',
  user: 'user-round',
  schoolclass: 'presentation',
}

function usePages(): readonly PageItem[] {
  const tree = useMenuTree()
  const language = useLanguage()
  return useMemo(() => {
    const leaves = tree.flatMap((top) =>
      top.own ? [{ leaf: top.own, note: '' }] : leavesUnder(top).map((leaf) => ({ leaf, note: top.label })),
    )
    return leaves.map(({ leaf, note }) => {
      const words = menuWords(leaf.label)
      const other = language === 'zh' ? words.en : words.zh
      return {
        key: leaf.path,
        label: words[language],
        note: note ? translate(note) : '',
        icon: leaf.icon,
        to: leaf.path,
        external: leaf.external,
        text: searchableText(words[language], other),
      }
    })
  }, [tree, language])
}

const rowsPerGroup = 5

/** What can be done from anywhere, found by its words in either language. */
function useActions(): readonly PageItem[] {
  const language = useLanguage()
  return useMemo(
    () =>
      shellActions.map(({ key, label, note, icon, run }) => {
        const other = language === 'zh' ? 'en' : 'zh'
        const name = translateIn(language, label)
        return {
          key: `do-${key}`,
          label: name,
          note: note ? translateIn(language, note) : '',
          icon,
          to: '',
          run,
          text: searchableText(name, translateIn(other, label)),
        }
      }),
    [language],
  )
}

const quiet = { groups: [], busy: false, failed: false }

/** What the server finds: asked 150 ms after the last key; only the answer to the last question counts. */
function useRemote(query: string): { groups: readonly HitGroup[]; busy: boolean; failed: boolean } {
  const [state, setState] = useState<{ for: string; groups: readonly HitGroup[]; failed: boolean }>({
    for: '',
    groups: [],
    failed: false,
  })
  const text = query.trim()
  const asks = worthAsking(text)
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language brings other labels
  useEffect(() => {
    if (!asks) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      call(search, { keyword: text }, { signal: stop.signal, silent: true }).then(
        (answer) => setState({ for: text, groups: answer.groups.flatMap(groupOf), failed: false }),
        () => !stop.signal.aborted && setState({ for: text, groups: [], failed: true }),
      )
    }, 150)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text, asks, language])
  if (!asks) return quiet
  return { groups: state.groups, busy: state.for !== text, failed: state.failed && state.for === text }
}

function groupOf(group: AnswerOf<typeof search>['groups'][number]): HitGroup[] {
  const list = pathOf(group.entity)
  if (!list || group.items.length === 0) return []
  const hits = group.items.slice(0, rowsPerGroup).map((item) => ({
    key: `${group.entity} ${item.id}`,
    label: item.name,
    note: once(item.note ?? ''),
    icon: icons[group.entity] ?? '',
    to: `${list}?id=${encodeURIComponent(item.id)}`,
  }))
  return [{ key: group.entity, label: group.label, hits }]
}

function useLocal(query: string): readonly HitGroup[] {
  const t = useT()
  const pages = usePages()
  const doable = useActions()
  return useMemo(() => {
    if (query.trim() === '') {
      const recent = tabStore.get().alive.slice(0, 6)
      const hits = recent.map((path): Hit => {
        const tab = tabStore.get().list.find((one) => one.value === path)
        const name = tabStore.get().states[path]?.name
        return { key: path, label: tab ? t(tab.label) : path, note: name ?? '', icon: 'history', to: addressOf(path) }
      })
      return hits.length > 0 ? [{ key: 'recent', label: t('palette.recent'), hits }] : []
    }
    const ranked = pages.map((page) => ({ page, rank: matchRank(query, page.text) }))
    const of = (rank: number) => ranked.filter((one) => one.rank === rank).map((one) => one.page)
    const groups = [
      { key: 'pages', label: t('palette.pages'), hits: of(2) },
      { key: 'also', label: t('palette.also'), hits: of(1).slice(0, rowsPerGroup) },
      {
        key: 'actions',
        label: t('palette.actions'),
        hits: doable.filter((one) => matchRank(query, one.text) > 0).slice(0, rowsPerGroup),
      },
    ]
    return groups.filter((group) => group.hits.length > 0)
  }, [query, pages, doable, t])
}

interface HitListProps {
  readonly id: string
  readonly groups: readonly HitGroup[]
  /** The key of the hit that Enter opens. */
  readonly chosen: string | undefined
  readonly onPoint: (hit: Hit) => void
  readonly onOpen: (hit: Hit, inNew: boolean) => void
}

/** What was found; drawn for other hits or another choice, and not for a key that changes neither. */
const HitList = memo(function HitList({ id, groups, chosen, onPoint, onOpen }: HitListProps) {
  const t = useT()
  return (
    <div className="palette-list" id={`${id}-list`} role="listbox" aria-label={t('palette.title')}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box groups its options by role
        <div key={group.key} role="group" aria-labelledby={`${id}-g-${group.key}`}>
          <div className="palette-group" id={`${id}-g-${group.key}`} role="presentation">
            {group.label}
          </div>
          {group.hits.map((hit) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, which takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={hit.key}
              id={`${id}-${hit.key}`}
              role="option"
              aria-selected={hit.key === chosen}
              className={hit.key === chosen ? 'palette-hit chosen' : 'palette-hit'}
              onPointerMove={() => onPoint(hit)}
              onClick={(event) => onOpen(hit, event.ctrlKey || event.metaKey)}
            >
              <Icon name={hit.icon} size={16} />
              <span className="palette-name">{hit.label}</span>
              <span className="palette-note">{hit.note}</span>
              {hit.external && <Icon name="external-link" size={14} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
})

/** Menu search and search for people in one overlay; Esc closes it. */
export default function Overlay() {
  const t = useT()
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const local = useLocal(query)
  const remote = useRemote(query)
  // People and classes stand between the pages and what can be done.
  const groups = useMemo(
    () => [
      ...local.filter((group) => group.key !== 'actions'),
      ...remote.groups,
      ...local.filter((group) => group.key === 'actions'),
    ],
    [local, remote.groups],
  )
  const hits = useMemo(() => groups.flatMap((group) => group.hits), [groups])
  const chosen = hits[Math.min(at, hits.length - 1)]
  const settled = query.trim() !== '' && !remote.busy

  useEffect(() => {
    const opener = document.activeElement
    const dialog = ref.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  useEffect(() => {
    if (settled) announce(translate('palette.count', { count: hits.length }))
  }, [settled, hits.length])

  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.key}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [chosen, id])

  const point = useCallback((hit: Hit) => setAt(hits.indexOf(hit)), [hits])
  const openHit = useCallback((hit: Hit, inNew: boolean) => {
    closePalette()
    if (hit.run) hit.run()
    else if (hit.external) window.open(hit.to, '_blank', 'noopener')
    else go(inNew ? `${hit.to}${hit.to.includes('?') ? '&' : '?'}target=_blank` : hit.to)
  }, [])

  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'ArrowDown')
      setAt((now) => (hits.length ? (Math.min(now, hits.length - 1) + 1) % hits.length : 0))
    else if (event.key === 'ArrowUp') setAt((now) => (hits.length ? (now - 1 + hits.length) % hits.length : 0))
    else if (event.key === 'Enter' && chosen) openHit(chosen, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={ref}
      className="palette"
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault()
        closePalette()
      }}
      onClick={(event) => event.target === ref.current && closePalette()}
      // A form beneath hears every Esc as well: one closes what is uppermost alone.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      <div className="palette-box">
        <div className="palette-field">
          <Icon name="search" />
          <input
            autoFocus
            type="text"
            role="combobox"
            aria-expanded={hits.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={chosen ? `${id}-${chosen.key}` : undefined}
            aria-label={t('palette.title')}
            placeholder={t('palette.placeholder')}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKey}
          />
        </div>
        <HitList id={id} groups={groups} chosen={chosen?.key} onPoint={point} onOpen={openHit} />
        <p
          className={
            remote.busy || remote.failed || (settled && hits.length === 0) ? 'palette-foot news' : 'palette-foot'
          }
        >
          {remote.busy
            ? t('palette.searching')
            : remote.failed
              ? t('palette.failed')
              : settled && hits.length === 0
                ? t('palette.none', { text: query.trim() })
                : t('palette.keys')}
        </p>
      </div>
    </dialog>
  )
}
