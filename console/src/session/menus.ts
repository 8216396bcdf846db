import { createStore } from '../ui/store.ts'
import { readStored, writeStored } from '../ui/stored.ts'
import { addWords, type Language, translateIn } from '../ui/words.ts'

/** A menu entry as the server sends it. */
export interface MenuNode {
  id: string
  parentId?: string
  code: string
  name: string
  nameEn?: string
  path?: string | null
  source?: string | null
  sort?: number
  /** 1 menu, 2 button. */
  category?: number
  /** 2 opens an external address in a new window. */
  isOpen?: number
  meta?: { roles?: readonly string[]; fullScreen?: number; isTab?: boolean; keepAlive?: boolean }
  children?: readonly MenuNode[]
}

/** A top menu with the tree below it. */
export interface TopMenu {
  id: string
  code: string
  name: string
  nameEn?: string
  path?: string | null
  source?: string | null
  meta?: MenuNode['meta']
  children: readonly MenuNode[]
}

export const menuStore = createStore<readonly TopMenu[]>(readStored<TopMenu[]>('menus') ?? [])

/** The key under which the words for a menu entry are found: labels are keys, so a change of language reaches them. */
export const menuLabel = (code: string): string => `menu.${code}`
/** As `menuLabel`, for a top menu, which may have the code of an entry below it. */
export const topLabel = (code: string): string => `top.${code}`

function nodes(list: readonly MenuNode[]): MenuNode[] {
  return list.flatMap((node) => [node, ...nodes(node.children ?? [])])
}

/** Every entry below the top menus. */
export const allNodes = (tops: readonly TopMenu[]): MenuNode[] => tops.flatMap((top) => nodes(top.children))

function addMenuWords(tops: readonly TopMenu[]): void {
  const phrase = (node: Pick<MenuNode, 'name' | 'nameEn'>) => ({ zh: node.name, en: node.nameEn || node.name })
  addWords({
    ...Object.fromEntries(tops.map((top) => [topLabel(top.code), phrase(top)])),
    ...Object.fromEntries(allNodes(tops).map((node) => [menuLabel(node.code), phrase(node)])),
  })
}
addMenuWords(menuStore.get())

export function keepMenus(tops: readonly TopMenu[]): void {
  writeStored('menus', tops)
  addMenuWords(tops)
  menuStore.set(tops)
}

/** Without meta roles an entry is for everybody; with them, for those roles only. */
export const forRoles = (meta: MenuNode['meta'], roles: readonly string[]): boolean =>
  !meta?.roles?.length || meta.roles.some((role) => roles.includes(role))

/** The codes at the leaves of the buttons tree. */
export function flattenCodes(tree: readonly MenuNode[]): string[] {
  const found = nodes(tree).filter((node) => !node.children?.length)
  return [...new Set(found.map((node) => node.code))]
}

/** Both languages of a menu label, for a search that also knows the other one. */
export const menuWords = (label: string): Record<Language, string> => ({
  zh: translateIn('zh', label),
  en: translateIn('en', label),
})
