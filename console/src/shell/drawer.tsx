import { Icon } from '../ui/icon.tsx'
import { usePlace } from '../ui/place.ts'
import { SidePanel } from '../ui/side-panel.tsx'
import { useT } from '../ui/words.ts'
import { leavesUnder, type MenuTop, menuPathOf, topOf } from './menu-tree.ts'
import { homePath } from './routes.ts'
import { Group } from './sidebar.tsx'
import { MenuLink } from './top-menu.tsx'

/** All menus in one list, for narrow windows. */
function DrawerMenu({ tops, onOpen }: { tops: readonly MenuTop[]; onOpen: () => void }) {
  const t = useT()
  const path = menuPathOf(tops, usePlace().path)
  const active = topOf(tops, path)?.code
  return (
    <nav className="drawer-menu" aria-label={t('shell.topMenu')}>
      <MenuLink
        to={{ path: homePath }}
        className={path === homePath ? 'side-item active' : 'side-item'}
        current={path === homePath ? 'page' : undefined}
        label={t('shell.home')}
        icon="house"
        onOpen={onOpen}
      />
      {tops.map((top) =>
        top.own ? (
          <MenuLink
            key={top.code}
            to={top.own}
            className={path === top.own.path ? 'side-item active' : 'side-item'}
            current={path === top.own.path ? 'page' : undefined}
            label={t(top.label)}
            icon={top.icon}
            onOpen={onOpen}
          />
        ) : (
          <details key={top.code} open={top.code === active || tops.length === 1}>
            <summary className="side-item">
              <Icon name={top.icon} />
              <span className="link-text">{t(top.label)}</span>
              <span className="tab-count">{leavesUnder(top).length}</span>
            </summary>
            {top.groups.map((group) => (
              <Group key={group.code} group={group} path={path} collapsed={false} onOpen={onOpen} />
            ))}
          </details>
        ),
      )}
    </nav>
  )
}

/** The menus in a panel from the left, which the button of a narrow window opens. */
export default function Drawer({ tops, onClose }: { tops: readonly MenuTop[]; onClose: () => void }) {
  const t = useT()
  return (
    <SidePanel label={t('shell.menu')} onClose={onClose}>
      <DrawerMenu tops={tops} onOpen={onClose} />
    </SidePanel>
  )
}
