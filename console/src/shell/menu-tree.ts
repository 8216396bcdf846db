import { useMemo } from 'react'
import { forRoles, type MenuNode, menuLabel, menuStore, type TopMenu, topLabel } from '../session/menus.ts'
import { useSession } from '../session/session.ts'
import { useStore } from '../ui/store.ts'
import { addressOfEntry, hasPage, opensWindow, routeOf } from './routes.ts'

/** A leaf of the menus: it leads somewhere. */
export interface MenuLeaf {
  code: string
  /** Key of its words. */
  label: string
  path: string
  icon: string
  external: boolean
}

export interface MenuGroup {
  code: string
  label: string
  leaves: readonly MenuLeaf[]
}

/** A top menu with the groups of its sidebar; a group with the empty code has no heading. */
export interface MenuTop {
  code: string
  label: string
  icon: string
  /** Where a click leads when there is nothing below it. */
  own: MenuLeaf | undefined
  groups: readonly MenuGroup[]
}

const leafOf = (node: Pick<MenuNode, 'code' | 'path' | 'source' | 'isOpen'>, label: string): MenuLeaf => ({
  code: node.code,
  label,
  path: addressOfEntry(node),
  icon: node.source ?? '',
  external: opensWindow(node),
})

function leavesOf(nodes: readonly MenuNode[], roles: readonly string[]): MenuLeaf[] {
  return nodes
    .filter((node) => forRoles(node.meta, roles))
    .flatMap((node) => (hasPage(node) ? [leafOf(node, menuLabel(node.code))] : leavesOf(node.children ?? [], roles)))
}

const fewLeaves = 7

/** The menus as they are drawn: only what the roles may see and what has a page, groups without leaves left out. */
export function menuTree(tops: readonly TopMenu[], roles: readonly string[]): MenuTop[] {
  const drawn = tops
    .filter((top) => forRoles(top.meta, roles))
    .map((top): MenuTop => {
      const loose = leavesOf(
        top.children.filter((node) => hasPage(node)),
        roles,
      )
      const groups = top.children
        .filter((node) => !hasPage(node) && forRoles(node.meta, roles))
        .map((node) => ({ code: node.code, label: menuLabel(node.code), leaves: leavesOf(node.children ?? [], roles) }))
        .filter((group) => group.leaves.length > 0)
      return {
        code: top.code,
        label: topLabel(top.code),
        icon: top.source ?? '',
        own: top.children.length === 0 && hasPage(top) ? leafOf(top, topLabel(top.code)) : undefined,
        groups: loose.length > 0 ? [{ code: '', label: '', leaves: loose }, ...groups] : groups,
      }
    })
    .filter((top) => top.own || top.groups.length > 0)
  const all = drawn.flatMap((top) => top.groups.flatMap((group) => group.leaves))
  if (all.length > fewLeaves) return drawn
  // Headings over so few entries are more to read than the entries.
  return drawn.map((top) => {
    const leaves = top.groups.flatMap((group) => group.leaves)
    return { ...top, groups: leaves.length > 0 ? [{ code: '', label: '', leaves }] : [] }
  })
}

export const leavesUnder = (top: MenuTop): readonly MenuLeaf[] => top.groups.flatMap((group) => group.leaves)

/** The menu path that a page stands for: its own, or that of the entry it is another view of (same code). */
export function menuPathOf(tops: readonly MenuTop[], path: string): string {
  const leaves = tops.flatMap((top) => leavesUnder(top))
  if (leaves.some((leaf) => leaf.path === path)) return path
  const code = routeOf(path)?.route.code
  return (code && leaves.find((leaf) => leaf.code === code)?.path) || path
}

/** The top menu whose subtree holds the path. */
export const topOf = (tops: readonly MenuTop[], path: string): MenuTop | undefined =>
  tops.find((top) => top.own?.path === path || leavesUnder(top).some((leaf) => leaf.path === path))

export function useMenuTree(): readonly MenuTop[] {
  const tops = useStore(menuStore)
  const roles = useSession()?.roles
  return useMemo(() => menuTree(tops, roles ?? []), [tops, roles])
}
