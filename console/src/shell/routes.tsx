import { entityPaths } from 'virtual:entities'
import { type ComponentType, lazy } from 'react'
import type { RecordTop } from '../entity/detail.tsx'
import HomePage from '../pages/home/page.tsx'
import { entityImportPath, entityKinds, userImportPath } from '../pages/import/place.ts'
import { allNodes, type MenuNode, menuLabel, menuStore, type TopMenu, topLabel } from '../session/menus.ts'
import { noticesPath } from '../session/unread.ts'
import { loadIcons } from '../ui/icon.tsx'
import { matchPath } from '../ui/place.ts'
import type { PageLoader, Route } from './page.ts'

export const homePath = '/wel/index'
export const myJobsPath = '/job/mine'

const entityLoaders = new Map<string, PageLoader>()

/** What stands before the add button on an entity's list; it comes with the page, and is no part of the shell. */
const importButton = () => import('../pages/import/button.tsx')
const toolbars: Readonly<Record<string, typeof importButton>> = {
  ...Object.fromEntries(['student', ...entityKinds].map((entity) => [entity, importButton])),
  schoolclass: () => import('../pages/setup/classes-bar.tsx'),
}

/** What a record of an entity shows under its name; it comes with the first record. */
const recordTops: Readonly<Record<string, RecordTop>> = {
  student: lazy(() => import('../pages/student/top.tsx')),
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
    const toolbar = Bar && <Bar entity={entity} />
    made ??= () => (
      <AntdRoot>
        <EntityPage entity={entity} toolbar={toolbar} recordTop={recordTops[entity]} />
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
export const lockPage: PageLoader = () => import('../pages/lock/page.tsx')
export const firstPasswordPage: PageLoader = () => import('../pages/lock/first.tsx')
export const workPage: PageLoader = () => import('../pages/work/page.tsx')
const forbidden: PageLoader = () => import('../pages/error/forbidden.tsx')
const missing: PageLoader = () => import('../pages/error/missing.tsx')
const broken: PageLoader = () => import('../pages/error/broken.tsx')

const dictVertical = inAntd(() => import('../pages/dict/vertical.tsx'))
const dictHorizontal = inAntd(() => import('../pages/dict/horizontal.tsx'))

const entityImport = inAntd(() => import('../pages/import/entity.tsx'))

/** Pages with an address of their own, whatever the menus say. */
const fixed: readonly Route[] = [
  { path: homePath, label: 'shell.home', load: home, meta: {} },
  { path: noticesPath, label: 'shell.noticesPage', load: () => import('../pages/wel/page.tsx'), meta: {} },
  { path: '/info/index', label: 'info.title', load: info, meta: {} },
  // Everybody's own jobs: the messages about finished exports lead here.
  { path: myJobsPath, label: 'shell.myJobs', load: () => import('../pages/job/mine.tsx'), meta: {} },
  // Both layouts of the system dictionary exist by their address (R-ROUTE-4); the page itself asks for the right.
  { path: '/dict-vertical/index', label: 'shell.dict', code: 'dict', load: dictVertical, meta: {} },
  { path: '/dict-horizontal/index', label: 'shell.dictHorizontal', code: 'dict', load: dictHorizontal, meta: {} },
  // Reached from the list of users; the page itself asks for the right.
  {
    path: userImportPath,
    label: 'shell.userImport',
    code: 'user',
    load: inAntd(() => import('../pages/import/users.tsx')),
    meta: {},
  },
  ...entityKinds.map((kind) => ({
    path: entityImportPath(kind),
    label: `shell.import.${kind}`,
    code: kind,
    load: entityImport,
    meta: {},
  })),
  ...(import.meta.env.DEV
    ? [{ path: '/test/index', label: 'shell.test', load: () => import('../pages/test/page.tsx'), meta: {} }]
    : []),
  { path: '/lock', label: 'lock.title', load: lockPage, meta: { isAuth: false, isTab: false, fullScreen: 1 } },
  { path: '/403', label: 'error.403', load: forbidden, meta: { isAuth: false, isTab: false } },
  { path: '/404', label: 'error.404', load: missing, meta: { isAuth: false, isTab: false } },
  { path: '/500', label: 'error.500', load: broken, meta: { isAuth: false, isTab: false } },
]

/** Own pages of menu entries, by the entry's code; every other code is looked for among the entities. */
const pages: Readonly<Record<string, PageLoader>> = {
  notice: inAntd(() => import('../pages/notice/page.tsx')),
  import: inAntd(() => import('../pages/import/page.tsx')),
  oneroster: () => import('../pages/oneroster/page.tsx'),
  dept: inAntd(() => import('../pages/dept/page.tsx')),
  menu: inAntd(() => import('../pages/menu/page.tsx')),
  region: inAntd(() => import('../pages/region/page.tsx')),
  dict: dictVertical,
  dictbiz: inAntd(() => import('../pages/dict/business.tsx')),
  tenant: inAntd(() => import('../pages/tenant/page.tsx')),
  client: inAntd(() => import('../pages/client/page.tsx')),
  param: inAntd(() => import('../pages/param/page.tsx')),
  session: () => import('../pages/session/page.tsx'),
  user: inAntd(() => import('../pages/user/page.tsx')),
  role: inAntd(() => import('../pages/role/page.tsx')),
  topmenu: inAntd(() => import('../pages/topmenu/page.tsx')),
  datascope: inAntd(() => import('../pages/datascope/page.tsx')),
  apiscope: inAntd(() => import('../pages/apiscope/page.tsx')),
  explain: inAntd(() => import('../pages/explain/page.tsx')),
  oss: inAntd(() => import('../pages/oss/page.tsx')),
  attach: inAntd(() => import('../pages/attach/page.tsx')),
  logusual: inAntd(() => import('../pages/log/usual.tsx')),
  logapi: inAntd(() => import('../pages/log/api.tsx')),
  logerror: inAntd(() => import('../pages/log/error.tsx')),
  history: inAntd(() => import('../pages/history/page.tsx')),
  sms: inAntd(() => import('../pages/sms/page.tsx')),
  guest: inAntd(() => import('../pages/guest/page.tsx')),
  socialprovider: inAntd(() => import('../pages/social/page.tsx')),
  readlog: inAntd(() => import('../pages/readlog/page.tsx')),
  job: inAntd(() => import('../pages/job/page.tsx')),
}

const loaderOf = (code: string): PageLoader | undefined =>
  pages[code] ?? (Object.hasOwn(entityPaths, code) ? entityRoute(code) : undefined)

export const isExternal = (path: string | undefined): boolean => /^https?:\/\//.test(path ?? '')

type Leading = Pick<MenuNode, 'code' | 'path' | 'isOpen'>

/** Whether a menu entry opens a new window: an external address with open mode 2. */
export const opensWindow = (node: Leading): boolean => isExternal(node.path) && node.isOpen === 2

/** Whether what a menu entry leads to is shown in a frame: any other external address, and what ends in html. */
const isFramed = (node: Leading): boolean =>
  !opensWindow(node) && (isExternal(node.path) || (node.path?.startsWith('/') === true && /html$/i.test(node.path)))

/** Where the console goes for a menu entry: its path, or the address of the page that frames it. */
export const addressOfEntry = (node: Leading): string =>
  isFramed(node) ? `/myiframe/${encodeURIComponent(node.code)}` : (node.path ?? '')

/** Whether a menu entry leads anywhere: to a page of this console, a framed one, or a new window. */
export const hasPage = (node: Leading): boolean =>
  opensWindow(node) || isFramed(node) || (loaderOf(node.code) !== undefined && node.path?.startsWith('/') === true)

const framed: PageLoader = () => import('../pages/frame/page.tsx')
/** A frame that no menu entry of this person leads to shows nothing but that (R-ROUTE-3). */
const unframed: Route = { path: '/myiframe/:routerPath', label: '', load: forbidden, meta: { isTab: false } }

let menuRoutes: { from: readonly TopMenu[]; routes: readonly Route[] } = { from: [], routes: [] }

/** The routes that the server's menus add. An entry without a page adds none. */
function fromMenus(): readonly Route[] {
  const tops = menuStore.get()
  if (menuRoutes.from === tops) return menuRoutes.routes
  const routeFor = (node: Leading & Pick<MenuNode, 'meta'>, label: string): Route[] => {
    const load = isFramed(node) ? framed : loaderOf(node.code)
    const path = addressOfEntry(node)
    return load && path.startsWith('/') ? [{ path, label, code: node.code, load, meta: node.meta ?? {} }] : []
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
  for (const route of [...fixed, ...fromMenus(), unframed]) {
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return undefined
}
