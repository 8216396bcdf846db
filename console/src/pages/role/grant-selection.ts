import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import type { grantableTrees, grantedKeys } from '@data-brain/contract/calls/menu'
import type { previewGrant } from '@data-brain/contract/calls/role'
import type { MenuTreeNode } from '@data-brain/contract/calls/trees'
import { metTicks } from '../../session/dialog-draft.ts'
import { allIds } from '../../ui/tree/check-tree.tsx'

/** What is granted to roles, by kind; in the order of the tabs. */
export const grantKinds = ['menu', 'dataScope', 'apiScope'] as const
export type Kind = (typeof grantKinds)[number]

export type GrantTrees = AnswerOf<typeof grantableTrees>
export type GrantKeys = AnswerOf<typeof grantedKeys>

/** What is ticked, by kind. */
export type TickedGrants = Readonly<Record<Kind, ReadonlySet<string>>>

const any = () => true
const isScope = (node: MenuTreeNode) => node.isScope === true

/** Which nodes of a tree are granted: menus and buttons all, of the others only the scopes under them. */
export const itemOf: Readonly<Record<Kind, (node: MenuTreeNode) => boolean>> = {
  menu: any,
  dataScope: isScope,
  apiScope: isScope,
}

const each = <T>(of: (kind: Kind) => T): Record<Kind, T> => ({
  menu: of('menu'),
  dataScope: of('dataScope'),
  apiScope: of('apiScope'),
})

/** What roles have, as far as the caller may hand it on: the rest is neither shown nor touched. */
export const tickedOf = (trees: GrantTrees, keys: GrantKeys): TickedGrants =>
  each((kind) => {
    const own = allIds(trees[kind], itemOf[kind])
    return new Set(keys[kind].filter((id) => own.has(id)))
  })

/** Ticks as plain data, in an order of their own. */
export const listedGrants = (ticked: TickedGrants): Record<Kind, readonly string[]> =>
  each((kind) => [...ticked[kind]].sort())
export const tickedIn = (lists: Readonly<Record<Kind, readonly string[]>>): TickedGrants =>
  each((kind) => new Set(lists[kind]))

/** What was ticked here, over what somebody else has made of it meanwhile. */
export const metGrants = (first: TickedGrants, ticked: TickedGrants, now: TickedGrants): TickedGrants =>
  each((kind) => metTicks(first[kind], ticked[kind], now[kind]))

/** What is asked of the server. */
export const wishOf = (roleIds: readonly string[], ticked: TickedGrants): InputOf<typeof previewGrant> => ({
  roleIds,
  menuIds: [...ticked.menu].sort(),
  dataScopeIds: [...ticked.dataScope].sort(),
  apiScopeIds: [...ticked.apiScope].sort(),
})

export const sameTicks = (one: TickedGrants, other: TickedGrants): boolean =>
  grantKinds.every((kind) => one[kind].size === other[kind].size && [...one[kind]].every((id) => other[kind].has(id)))
