import type { Changed, Shown } from '../../entity/calls.ts'
import { get, post } from '../../http/client.ts'
import type { TreeNode } from '../../ui/tree/flat.ts'

/** What is granted to roles, by kind; in the order of the tabs. */
export const kinds = ['menu', 'dataScope', 'apiScope'] as const
export type Kind = (typeof kinds)[number]

/** A menu or button (category), or a scope under its menu. */
export interface GrantNode extends TreeNode {
  readonly parentId: string
  readonly category?: 1 | 2
  readonly isScope?: boolean
  readonly children?: readonly GrantNode[]
}

export type GrantTrees = Readonly<Record<Kind, readonly GrantNode[]>>
export type GrantKeys = Readonly<Record<Kind, readonly string[]>>

export interface GrantWish {
  readonly roleIds: readonly string[]
  readonly menuIds: readonly string[]
  readonly dataScopeIds: readonly string[]
  readonly apiScopeIds: readonly string[]
}

export interface GrantChange {
  readonly kind: Kind
  readonly id: string
  readonly title: string
}

/** What a grant would change. */
export interface GrantPreview {
  readonly added: readonly GrantChange[]
  readonly removed: readonly GrantChange[]
  readonly users: number
  readonly roles: readonly { readonly id: string; readonly roleName: string }[]
}

const menu = 'blade-system/menu'
const silent = true

/** The calls about what roles and top menus are given. Failures are thrown and shown where they belong. */
export const grantCalls = {
  trees: (signal?: AbortSignal) => get<GrantTrees>(`${menu}/grant-tree`, undefined, { signal, silent }),
  keys: (roleIds: readonly string[], signal?: AbortSignal) =>
    get<GrantKeys>(`${menu}/role-tree-keys`, { roleIds }, { signal, silent }),
  preview: (wish: GrantWish, signal?: AbortSignal) =>
    post<GrantPreview>('blade-system/role/grant-preview', { body: wish, signal, silent }),
  copy: async (id: string, roleName: string): Promise<Changed> => {
    let requestId: string | undefined
    const numbered = (number: string) => {
      requestId = number
    }
    const row = await post<Shown>('blade-system/role/copy', { body: { id, roleName }, silent, numbered })
    return { row, requestId }
  },
  userCounts: (signal?: AbortSignal) =>
    get<Readonly<Record<string, number>>>('blade-system/role/user-counts', undefined, { signal, silent }),
  grant: (wish: GrantWish) => post<null>('blade-system/role/grant', { body: wish, silent }),
  topTree: (signal?: AbortSignal) =>
    get<{ menu: readonly GrantNode[] }>(`${menu}/grant-top-tree`, undefined, { signal, silent }),
  topKeys: (topMenuIds: readonly string[], signal?: AbortSignal) =>
    get<{ menu: readonly string[] }>(`${menu}/top-tree-keys`, { topMenuIds }, { signal, silent }),
  grantTop: (topMenuIds: readonly string[], menuIds: readonly string[]) =>
    post<null>('blade-system/topmenu/grant', { body: { topMenuIds, menuIds }, silent }),
}
