import { entityPaths } from 'virtual:entities'
import { allNodes, forRoles, menuStore } from './menus.ts'
import { sessionStore } from './session.ts'

/** Where the menus of this user lead for a code; undefined when it is not among them. */
export function pathOf(code: string): string | undefined {
  const roles = sessionStore.get()?.roles ?? []
  return allNodes(menuStore.get()).find(
    (node) => node.code === code && node.path?.startsWith('/') && forRoles(node.meta, roles),
  )?.path
}

/** The path of an entity's calls under /api. */
export const callsOf = (entity: string): string | undefined => entityPaths[entity]
