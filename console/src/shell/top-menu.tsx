import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { go, Link, onPlace, place, usePlace } from '../ui/place.ts'
import { useLanguage, useT } from '../ui/words.ts'
import { leavesUnder, type MenuTop, menuPathOf, topOf } from './menu-tree.ts'
import { homePath } from './routes.ts'
import { addressOf } from './tabs.ts'

/** Where each top menu was last used, so that a click on it leads back there. */
const lastUsed = new Map<string, string>()

/** Remembers, as the person goes about, which entry of which top menu was used last. */
export function useLastUsed(tops: readonly MenuTop[]): void {
  useEffect(() => {
    const remember = () => {
      const top = topOf(tops, place().path)
      if (top) lastUsed.set(top.code, place().path)
    }
    remember()
    return onPlace(remember)
  }, [tops])
}

/** Where a click on a top menu leads: its own page, the entry last used below it, or the first. */
export function entranceOf(top: MenuTop): string {
  if (top.own) return top.own.path
  const leaves = leavesUnder(top)
  const used = lastUsed.get(top.code)
  const known = leaves.find((leaf) => leaf.path === used) ?? leaves.find((leaf) => !leaf.external) ?? leaves[0]
  return known?.path ?? homePath
}

/** Larger counts say no more. */
const most = 99

/** A link to a menu entry; an external one opens a new window and says so. */
export function MenuLink({
  to: { path, external },
  className,
  current,
  label,
  icon,
  count = 0,
  title,
  onOpen,
}: {
  to: { path: string; external?: boolean | undefined }
  className: string
  current?: 'page' | 'true'
  label: string
  icon?: string
  /** How much waits there. */
  count?: number
  title?: string
  onOpen?: () => void
}) {
  const t = useT()
  const inside = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      <span className="link-text">{label}</span>
      {count > 0 && (
        <span className="link-count">
          <span aria-hidden="true">{count > most ? `${most}+` : count}</span>
          <span className="sr-only">{t('shell.waiting', { count })}</span>
        </span>
      )}
      {external && <Icon name="external-link" size={14} />}
      {external && <span className="sr-only">{t('common.newWindow')}</span>}
    </>
  )
  if (external) {
    return (
      <a className={className} href={path} target="_blank" rel="noopener noreferrer" title={title}>
        {inside}
      </a>
    )
  }
  return (
    <Link className={className} to={addressOf(path)} aria-current={current} title={title} onClick={onOpen}>
      {inside}
    </Link>
  )
}

/** How many of the children of a row fit before the place kept for "more". */
function useFitting(count: number, again: string): { ref: React.RefObject<HTMLDivElement | null>; fitting: number } {
  const ref = useRef<HTMLDivElement>(null)
  const widths = useRef<number[]>([])
  const [fitting, setFitting] = useState(count)

  // Widths change only with the words and the icons: they are taken once, with everything shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` names what the widths depend on
  useLayoutEffect(() => {
    widths.current = []
    setFitting(count)
  }, [count, again])

  useLayoutEffect(() => {
    const row = ref.current
    if (!row || typeof ResizeObserver === 'undefined') return
    const fit = () => {
      if (widths.current.length === 0) {
        widths.current = [...row.children].slice(0, count).map((child) => (child as HTMLElement).offsetWidth + 4)
      }
      const room = row.clientWidth
      const all = widths.current.reduce((sum, width) => sum + width, 0)
      if (all <= room) return setFitting(count)
      const keptForMore = 48
      let used = keptForMore
      const fits = widths.current.findIndex((width) => {
        used += width
        return used > room
      })
      setFitting(Math.max(1, fits))
    }
    const observer = new ResizeObserver(fit)
    observer.observe(row)
    return () => observer.disconnect()
  }, [count])

  return { ref, fitting }
}

/** The top menu of the header: home first, then what the roles may see; what does not fit is under ⋯. */
export function TopMenu({ tops, icons }: { tops: readonly MenuTop[]; icons: boolean }) {
  const t = useT()
  const language = useLanguage()
  const path = menuPathOf(tops, usePlace().path)
  const active = path === homePath ? 'home' : topOf(tops, path)?.code
  const { ref, fitting } = useFitting(tops.length + 1, `${language} ${icons} ${tops.map((top) => top.code).join()}`)
  const shown = tops.slice(0, fitting - 1)
  const more = tops.slice(fitting - 1)
  return (
    <nav className="top-menu" aria-label={t('shell.topMenu')}>
      <div className="top-row" ref={ref}>
        <MenuLink
          to={{ path: homePath }}
          className={active === 'home' ? 'top-item active' : 'top-item'}
          current={active === 'home' ? 'page' : undefined}
          label={t('shell.home')}
          icon={icons ? 'house' : undefined}
        />
        {shown.map((top) => (
          <MenuLink
            key={top.code}
            to={{ path: entranceOf(top), external: top.own?.external }}
            className={active === top.code ? 'top-item active' : 'top-item'}
            current={active === top.code ? (top.own ? 'page' : 'true') : undefined}
            label={t(top.label)}
            icon={icons ? top.icon : undefined}
          />
        ))}
        {more.length > 0 && (
          <MenuButton
            label={t('shell.moreMenus')}
            className={more.some((top) => top.code === active) ? 'top-item active' : 'top-item'}
            entries={more.map((top) => ({
              key: top.code,
              label: t(top.label),
              icon: top.icon,
              run: () =>
                top.own?.external ? window.open(top.own.path, '_blank', 'noopener') : go(addressOf(entranceOf(top))),
            }))}
          >
            <Icon name="ellipsis" />
          </MenuButton>
        )}
      </div>
    </nav>
  )
}
