import { taskCounts, tasksStore } from '../session/tasks.ts'
import { Icon } from '../ui/icon.tsx'
import { useKeyHint } from '../ui/keymap.ts'
import { usePlace } from '../ui/place.ts'
import { useStore } from '../ui/store.ts'
import { useT } from '../ui/words.ts'
import { type MenuGroup, type MenuTop, menuPathOf } from './menu-tree.ts'
import { MenuLink } from './top-menu.tsx'

/** A group of entries of a sub-menu. */
export function Group({
  group,
  path,
  collapsed,
  onOpen,
}: {
  group: MenuGroup
  path: string
  collapsed: boolean
  onOpen?: () => void
}) {
  const t = useT()
  const id = `side-${group.code}`
  const counts = useStore(tasksStore)
  const countOf = (code: string): number => (code in taskCounts ? counts[taskCounts[code]!] : 0)
  return (
    <div className="side-group">
      {group.label && (
        <div className={collapsed ? 'side-heading sr-only' : 'side-heading'} id={id}>
          {t(group.label)}
        </div>
      )}
      <ul aria-labelledby={group.label ? id : undefined}>
        {group.leaves.map((leaf) => (
          <li key={leaf.code}>
            <MenuLink
              to={leaf}
              className={leaf.path === path ? 'side-item active' : 'side-item'}
              current={leaf.path === path ? 'page' : undefined}
              label={t(leaf.label)}
              icon={leaf.icon}
              count={countOf(leaf.code)}
              title={collapsed ? t(leaf.label) : undefined}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The sub-menu of the active top menu; the caller draws it only when there is one. */
export function Sidebar({ top, collapsed, onToggle }: { top: MenuTop; collapsed: boolean; onToggle: () => void }) {
  const t = useT()
  const path = menuPathOf([top], usePlace().path)
  const label = t(collapsed ? 'shell.expand' : 'shell.collapse')
  const hint = useKeyHint('Alt+KeyS', 'keys.sidebar')
  return (
    <nav className={collapsed ? 'sidebar collapsed' : 'sidebar'} aria-label={t('shell.sideMenu')}>
      <div className="side-scroll">
        {top.groups.map((group) => (
          <Group key={group.code} group={group} path={path} collapsed={collapsed} />
        ))}
      </div>
      <button
        type="button"
        className="side-toggle"
        aria-expanded={!collapsed}
        aria-keyshortcuts={hint.aria}
        title={`${label} (${hint.text})`}
        onClick={onToggle}
      >
        <Icon name={collapsed ? 'chevrons-right' : 'chevrons-left'} />
        <span className={collapsed ? 'sr-only' : 'link-text'}>{label}</span>
      </button>
    </nav>
  )
}
