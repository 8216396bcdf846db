import { entityPaths, extensionPages } from 'virtual:entities'
import { HomePage } from '../pages/home/index.ts'
import { importLabel, importPath, listKinds } from '../pages/import/index.ts'
import { allNodes, type MenuNode, menuLabel, menuStore, type TopMenu, topLabel } from '../session/menus.ts'
import {
  calendarYearPath,
  coverPath,
  matrixPath,
  ownWeekPath,
  reportEditorPath,
  reportResultPath,
} from '../session/paths.ts'
import { noticesPath } from '../session/unread.ts'
import { matchPath } from '../ui/place.ts'
import type { PageLoader, Route } from './page.ts'

export const homePath = '/wel/index'
export const myJobsPath = '/job/mine'

/** Menu entries with a page of their own, by code; every other code is looked for among the entities. */
const menuPages = [
  'notice',
  'import',
  'oneroster',
  'rosterclient',
  'dept',
  'menu',
  'region',
  'dict',
  'dictbiz',
  'tenant',
  'client',
  'param',
  'session',
  'user',
  'role',
  'topmenu',
  'datascope',
  'apiscope',
  'explain',
  'datasource',
  'code',
  'oss',
  'attach',
  'logusual',
  'logapi',
  'logerror',
  'history',
  'sms',
  'mail',
  'guest',
  'socialprovider',
  'readlog',
  'job',
  'timetableplan',
  'timetablerule',
  'leave',
  'leaveapprovalrule',
  'teacherclass',
  'schooltree',
  'coverdesk',
  'assignmentmatrix',
  'quality',
  'flowmodel',
  'flowprocess',
  'flowinstance',
  'workstart',
  'workclaim',
  'worktodo',
  'worksend',
  'workdone',
  'workcopy',
  'report',
  'reportsubscription',
  'studentmessage',
] as const
const otherPages = [
  'info',
  'dashboard',
  'gate',
  'notices',
  'myJobs',
  'dictHorizontal',
  'entityImport',
  'planBoard',
  'flowDesigner',
  'reportEditor',
  'reportResult',
  'ownWeek',
  'calendarYear',
  'processStart',
  'processDetail',
  'leaveForm',
  'frame',
  'lock',
  'firstPassword',
  'work',
  'forbidden',
  'missing',
  'broken',
] as const
export type PageName = (typeof menuPages)[number] | (typeof otherPages)[number]

/** How every page but home is loaded. */
export const fetchPages = () => import('./pages.tsx')
const load = Object.fromEntries(
  [...menuPages, ...otherPages].map((name): [PageName, PageLoader] => [
    name,
    async () => (await fetchPages()).pages[name](),
  ]),
) as Readonly<Record<PageName, PageLoader>>
const lists = Object.fromEntries(
  [...Object.keys(entityPaths), ...extensionPages].map((entity) => {
    let made: PageLoader | undefined
    return [
      entity,
      async () => {
        made ??= (await fetchPages()).entityRoute(entity)
        return made()
      },
    ]
  }),
) as Readonly<Record<string, PageLoader>>
const home: PageLoader = () => Promise.resolve({ default: HomePage })

export const lockPage = load.lock
export const firstPasswordPage = load.firstPassword
export const workPage = load.work

/** Pages with an address of their own, whatever the menus say. */
const fixed: readonly Route[] = [
  { path: homePath, label: 'shell.home', load: home, meta: {} },
  // Hidden from the menus: the avatar’s menu and two keys lead here.
  { path: '/wel/dashboard', label: 'shell.dashboard', load: load.dashboard, meta: {} },
  // Messages to the gate lead here; the call asks who may look at a pass.
  { path: '/work/gate', label: 'shell.gate', load: load.gate, meta: {} },
  { path: noticesPath, label: 'shell.noticesPage', load: load.notices, meta: {} },
  { path: '/info/index', label: 'info.title', load: load.info, meta: {} },
  // Everybody's own jobs: the messages about finished exports lead here.
  { path: myJobsPath, label: 'shell.myJobs', load: load.myJobs, meta: {} },
  // Both layouts of the system dictionary exist by their address (R-ROUTE-4); the page itself asks for the right.
  { path: '/dict-vertical/index', label: 'shell.dict', code: 'dict', load: load.dict, meta: {} },
  { path: '/dict-horizontal/index', label: 'shell.dictHorizontal', code: 'dict', load: load.dictHorizontal, meta: {} },
  // Everybody's own week: home leads here.
  { path: ownWeekPath, label: 'shell.ownWeek', load: load.ownWeek, meta: {} },
  // Reached from the list of the calendar's days.
  {
    path: calendarYearPath,
    label: 'shell.calendarYear',
    code: 'schoolcalendarday',
    load: load.calendarYear,
    meta: {},
  },
  // Reached from the lists of substitutions and absences too; the page itself asks for the right.
  { path: coverPath, label: 'shell.cover', code: 'coverdesk', load: load.coverdesk, meta: {} },
  // Reached from the list of teaching assignments too.
  { path: matrixPath, label: 'shell.matrix', code: 'assignmentmatrix', load: load.assignmentmatrix, meta: {} },
  // Reached from the list of timetable plans.
  {
    path: '/school/timetable/:planId',
    label: 'shell.planBoard',
    code: 'timetableplan',
    load: load.planBoard,
    meta: {},
  },
  // Reached from the list of process models; the page itself asks for the right.
  {
    path: '/flow/designer/:modelId',
    label: 'shell.flowDesigner',
    code: 'flowmodel',
    load: load.flowDesigner,
    meta: {},
  },
  // Reached from the list of reports.
  { path: reportEditorPath, label: 'shell.reportEditor', code: 'report', load: load.reportEditor, meta: {} },
  { path: reportResultPath, label: 'shell.reportResult', code: 'report', load: load.reportResult, meta: {} },
  // Reached from the lists of the workflow, from messages about its tasks, and from the pages of a process’s own.
  {
    path: '/work/process/form/:processDefinitionId',
    label: 'shell.processStart',
    code: 'workstart',
    load: load.processStart,
    meta: {},
  },
  // Leave is asked for on a page of its own, and decided and looked at on those of every process (R-ROUTE-4).
  {
    path: '/work/process/leave/form/:processDefinitionId',
    label: 'shell.leaveForm',
    code: 'workstart',
    load: load.leaveForm,
    meta: {},
  },
  {
    path: '/work/process/leave/handle/:taskId/:processInstanceId/:businessId',
    label: 'shell.leave',
    code: 'worktodo',
    load: load.processDetail,
    meta: {},
  },
  {
    path: '/work/process/leave/detail/:processInstanceId/:businessId',
    label: 'shell.leave',
    code: 'worksend',
    load: load.processDetail,
    meta: {},
  },
  {
    path: '/work/process/detail/:processInstanceId',
    label: 'shell.process',
    code: 'worksend',
    load: load.processDetail,
    meta: {},
  },
  {
    path: '/work/process/handle/:taskId/:processInstanceId',
    label: 'shell.process',
    code: 'worktodo',
    load: load.processDetail,
    meta: {},
  },
  // Reached from the list of their rows; the page itself asks for the right.
  ...listKinds.map((kind) => ({
    path: importPath(kind),
    label: importLabel(kind),
    code: kind,
    load: load.entityImport,
    meta: {},
  })),
  ...(import.meta.env.DEV
    ? [{ path: '/test/index', label: 'shell.test', load: () => import('../pages/test/page.tsx'), meta: {} }]
    : []),
  { path: '/lock', label: 'lock.title', load: load.lock, meta: { isAuth: false, isTab: false, fullScreen: 1 } },
  { path: '/403', label: 'error.403', load: load.forbidden, meta: { isAuth: false, isTab: false } },
  { path: '/404', label: 'error.404', load: load.missing, meta: { isAuth: false, isTab: false } },
  { path: '/500', label: 'error.500', load: load.broken, meta: { isAuth: false, isTab: false } },
]

const menuCodes: ReadonlySet<string> = new Set(menuPages)
const loaderOf = (code: string): PageLoader | undefined =>
  menuCodes.has(code) ? load[code as PageName] : Object.hasOwn(lists, code) ? lists[code] : undefined

export const isExternal = (path: string | null | undefined): boolean => /^https?:\/\//.test(path ?? '')

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

/** A frame that no menu entry of this person leads to shows nothing but that (R-ROUTE-3). */
const unframed: Route = { path: '/myiframe/:routerPath', label: '', load: load.forbidden, meta: { isTab: false } }

let menuRoutes: { from: readonly TopMenu[]; routes: readonly Route[] } = { from: [], routes: [] }

/** The routes that the server's menus add. An entry without a page adds none. */
function fromMenus(): readonly Route[] {
  const tops = menuStore.get()
  if (menuRoutes.from === tops) return menuRoutes.routes
  const routeFor = (node: Leading & Pick<MenuNode, 'meta'>, label: string): Route[] => {
    const loader = isFramed(node) ? load.frame : loaderOf(node.code)
    const path = addressOfEntry(node)
    return loader && path.startsWith('/') ? [{ path, label, code: node.code, load: loader, meta: node.meta ?? {} }] : []
  }
  const routes = [
    ...tops.filter((top) => top.children.length === 0).flatMap((top) => routeFor(top, topLabel(top.code))),
    ...allNodes(tops).flatMap((node) => routeFor(node, menuLabel(node.code))),
  ]
  menuRoutes = { from: tops, routes }
  return routes
}

export interface FoundRoute {
  route: Route
  params: Readonly<Record<string, string>>
}

/** The route of a path, or undefined when there is none. */
export function routeOf(path: string): FoundRoute | undefined {
  for (const route of [...fixed, ...fromMenus(), unframed]) {
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return undefined
}
