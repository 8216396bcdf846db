import { entityPaths } from 'virtual:entities'
import type { ComponentType } from 'react'
import HomePage from '../pages/home/page.tsx'
import { allNodes, type MenuNode, menuLabel, menuStore, type TopMenu, topLabel } from '../session/menus.ts'
import { loadIcons } from '../ui/icon.tsx'
import { matchPath } from '../ui/place.ts'
import type { PageLoader, Route } from './page.ts'

export const homePath = '/wel/index'

const entityLoaders = new Map<string, PageLoader>()

/** What stands before the add button on an entity's list; it comes with the page, and is no part of the shell. */
const toolbars: Readonly<Record<string, () => Promise<{ default: ComponentType }>>> = {
  student: () => import('../pages/import/button.tsx'),
}

/** The page that the engine makes of an entity's definition; Ant Design comes with the first of them. */
export function entityRoute(entity: string): PageLoader {
  const known = entityLoaders.get(entity)
  if (known) return known
  let made: ComponentType | undefined
  const load: PageLoader = async () => {
    const [{ AntdRoot }, { default: EntityPage }, bar] = await Promise.all([
      import('../ui/antd.tsx'),
      import('../entity/page.tsx'),
      toolbars[entity]?.(),
      loadIcons(),
    ])
    const Bar = bar?.default
    const toolbar = Bar && <Bar />
    made ??= () => (
      <AntdRoot>
        <EntityPage entity={entity} toolbar={toolbar} />
      </AntdRoot>
    )
    return { default: made }
  }
  entityLoaders.set(entity, load)
  return load
}

const ready =
  (page: ComponentType): PageLoader =>
  () =>
    Promise.resolve({ default: page })

/** A page whose controls are Ant Design's, which comes with it. */
function inAntd(load: PageLoader): PageLoader {
  let made: ComponentType | undefined
  return async () => {
    const [{ AntdRoot }, { default: Page }] = await Promise.all([import('../ui/antd.tsx'), load(), loadIcons()])
    made ??= () => (
      <AntdRoot>
        <Page />
      </AntdRoot>
    )
    return { default: made }
  }
}

const home = ready(HomePage)
const info: PageLoader = () => import('../pages/info/page.tsx')
const lock: PageLoader = () => import('../pages/lock/page.tsx')
const forbidden: PageLoader = () => import('../pages/error/forbidden.tsx')
const missing: PageLoader = () => import('../pages/error/missing.tsx')
const broken: PageLoader = () => import('../pages/error/broken.tsx')

/** Pages with an address of their own, whatever the menus say. */
const fixed: readonly Route[] = [
  { path: homePath, label: 'shell.home', load: home, meta: {} },
  { path: '/info/index', label: 'info.title', load: info, meta: {} },
  { path: '/lock', label: 'lock.title', load: lock, meta: { isAuth: false, isTab: false, fullScreen: 1 } },
  { path: '/403', label: 'error.403', load: forbidden, meta: { isAuth: false, isTab: false } },
  { path: '/404', label: 'error.404', load: missing, meta: { isAuth: false, isTab: false } },
  { path: '/500', label: 'error.500', load: broken, meta: { isAuth: false, isTab: false } },
]

/** Own pages of menu entries, by the entry's code; every other code is looked for among the entities. */
const pages: Readonly<Record<string, PageLoader>> = {
  import: inAntd(() => import('../pages/import/page.tsx')),
  oneroster: () => import('../pages/oneroster/page.tsx'),
}

const loaderOf = (code: string): PageLoader | undefined =>
  pages[code] ?? (Object.hasOwn(entityPaths, code) ? entityRoute(code) : undefined)

export const isExternal = (path: string | undefined): boolean => /^https?:\/\//.test(path ?? '')

/** Whether a menu entry leads anywhere: to a page of this console, or to a new window. */
export const hasPage = (node: Pick<MenuNode, 'code' | 'path' | 'isOpen'>): boolean =>
  isExternal(node.path) ? node.isOpen === 2 : loaderOf(node.code) !== undefined && node.path?.startsWith('/') === true

let menuRoutes: { from: readonly TopMenu[]; routes: readonly Route[] } = { from: [], routes: [] }

/** The routes that the server's menus add. An entry without a page adds none. */
function fromMenus(): readonly Route[] {
  const tops = menuStore.get()
  if (menuRoutes.from === tops) return menuRoutes.routes
  const routeFor = (node: Pick<MenuNode, 'code' | 'path' | 'meta'>, label: string): Route[] => {
    const load = loaderOf(node.code)
    return load && node.path?.startsWith('/')
      ? [{ path: node.path, label, code: node.code, load, meta: node.meta ?? {} }]
      : []
  }
  const routes = [
    ...tops.filter((top) => top.children.length === 0).flatMap((top) => routeFor(top, topLabel(top.code))),
    ...allNodes(tops).flatMap((node) => routeFor(node, menuLabel(node.code))),
  ]
  menuRoutes = { from: tops, routes }
  return routes
}

export interface Found {
  route: Route
  params: Readonly<Record<string, string>>
}

/** The route of a path, or undefined when there is none. */
export function routeOf(path: string): Found | undefined {
  for (const route of [...fixed, ...fromMenus()]) {
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return undefined
}
