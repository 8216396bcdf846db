import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Circumstance } from '../../kernel/actor.ts'
import { type Actor, holds } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { below, type Node, nest, parentOf, rootId, treeOf, withAncestors } from './tree.ts'

/** A menu (category 1) or button (category 2), as it travels. */
export interface Menu extends Node {
  readonly id: string
  readonly parentId: string | null
  readonly code: string
  readonly name: string
  readonly nameEn: string
  readonly alias: string | null
  readonly path: string | null
  readonly source: string | null
  readonly sort: number
  readonly category: number
  readonly action: number
  readonly isOpen: number
  readonly remark: string | null
  /** 0 hides it, and all below it, from everybody's menus; the rights stay. */
  readonly status: number
  readonly version: number
  readonly platformOnly: number
  readonly fullScreen: number
  readonly isTab: number
  readonly keepAlive: number
  /** The same three, as the console's router reads them. */
  readonly meta: { readonly fullScreen: number; readonly isTab: boolean; readonly keepAlive: boolean }
}

const columns = sql.raw(
  'm.id, m.parent_id as "parentId", m.code, m.name, m.name_en as "nameEn", m.alias, m.path, m.source, m.sort, m.category::int as category, coalesce(m.action, \'0\')::int as action, m.is_open::int as "isOpen", m.remark, m.status, m.version, m.platform_only as "platformOnly", m.full_screen as "fullScreen", m.is_tab as "isTab", m.keep_alive as "keepAlive", jsonb_build_object(\'fullScreen\', m.full_screen, \'isTab\', m.is_tab = 1, \'keepAlive\', m.keep_alive = 1) as meta',
)

/** Every menu that exists for an actor: those of the platform's administrators for them alone. */
async function allMenus(tx: Tx, actor: Actor): Promise<Menu[]> {
  return tx.run<Menu>(
    sql`select ${columns} from menu m where m.platform_only = 0 or ${actor.platform} order by m.sort, m.id`,
  )
}

/** The menus and buttons that an actor holds, with what they stand on. */
export async function heldMenus(tx: Tx, actor: Actor): Promise<Menu[]> {
  return withAncestors(await allMenus(tx, actor), (menu) => holds(actor, menu.code))
}

/** Pages that are not hidden, and the groups that lead to one: without a path or entries below an entry leads nowhere. */
function pagesOf(menus: readonly Menu[]): Menu[] {
  const hidden = new Set(
    menus.filter((menu) => menu.status !== 1).flatMap(({ id }) => [id, ...below(menus, id).map((menu) => menu.id)]),
  )
  const pages = menus.filter((menu) => menu.category === 1 && !hidden.has(menu.id))
  return withAncestors(pages, (page) => page.path !== null && page.path !== '')
}

const onWire = (menu: Menu): Menu => ({ ...menu, parentId: menu.parentId ?? rootId })

/** The forest of rows on the wire: roots have the parent 0. */
const forest = (menus: readonly Menu[]): (Menu & { children?: Menu[] })[] => nest(menus.map(onWire))

/** Menus with their title in the caller's language. */
export const titled = (menus: readonly Menu[], { language }: Circumstance): (Menu & { title: string })[] =>
  menus.map((menu) => ({ ...menu, title: language === 'en' ? menu.nameEn : menu.name }))

async function settingOf(
  call: Pick<Call, 'tx' | 'actor'>,
  topMenuIds?: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await call.tx.run<{ top: string; menu: string }>(
    sql`select s.top_menu_id as top, s.menu_id as menu from top_menu_setting_seen s
        where s.tenant_id = ${call.actor.tenantId} and (${topMenuIds === undefined} or s.top_menu_id = any(${topMenuIds ?? []}::bigint[]))`,
  )
  const setting = new Map<string, Set<string>>()
  for (const { top, menu } of rows) setting.set(top, (setting.get(top) ?? new Set()).add(menu))
  return setting
}

async function topMenus(call: Call): Promise<unknown[]> {
  const pages = pagesOf(await heldMenus(call.tx, call.actor)).filter((menu) => menu.path)
  const setting = await settingOf(call)
  const tops = await call.tx.run<{ id: string; path: string | null }>(
    sql`select t.id, t.code, t.name, t.name_en as "nameEn", t.source, t.path, t.sort from top_menu_seen t
        where t.tenant_id = ${call.actor.tenantId} and t.status = 1 order by t.sort, t.id`,
  )
  return tops.filter((top) => pages.some((page) => setting.get(top.id)?.has(page.id)))
}

async function routes(call: Call, topMenuId: string | undefined): Promise<unknown[]> {
  const pages = pagesOf(await heldMenus(call.tx, call.actor))
  if (topMenuId === undefined) return forest(pages)
  const set = (await settingOf(call, [topMenuId])).get(topMenuId) ?? new Set()
  return forest(withAncestors(pages, (page) => set.has(page.id) && Boolean(page.path)))
}

/** What a list of menus is filtered by: parts of name, code and alias, whole category. */
function matches(menu: Menu, query: Readonly<Record<string, string>>): boolean {
  const part = (value: string | null, wanted: string | undefined): boolean =>
    !wanted || (value ?? '').toLowerCase().includes(wanted.toLowerCase())
  return (
    (part(menu.name, query.name) || part(menu.nameEn, query.name)) &&
    part(menu.code, query.code) &&
    part(menu.alias, query.alias) &&
    (!query.category || String(menu.category) === query.category)
  )
}

async function lazy(call: Call, category?: number): Promise<unknown[]> {
  const parent = parentOf(call.query.parentId || undefined)
  const menus = (await allMenus(call.tx, call.actor)).filter(
    (menu) => category === undefined || menu.category === category,
  )
  const parents = new Set(menus.map((menu) => menu.parentId))
  return menus
    .filter((menu) => (parent === undefined || menu.parentId === parent) && matches(menu, call.query))
    .map((menu) => ({ ...onWire(menu), hasChildren: parents.has(menu.id) }))
}

async function detail(call: Call, id: string): Promise<unknown> {
  const menus = await allMenus(call.tx, call.actor)
  const menu = menus.find((each) => each.id === id)
  if (!menu) throw new Problem('not_found')
  const parent = menus.find((each) => each.id === menu.parentId)
  return {
    ...onWire(menu),
    parentName:
      (parent && titled([parent], call.circumstance)[0]!.title) ??
      { zh: '顶级', en: 'Top' }[call.circumstance.language],
    hasChildren: menus.some((each) => each.parentId === id),
  }
}

const tag = 'menu'
/** Menus are read by those who edit them, and by those who grant them or tie something to them. */
const view = code('menu_view', 'role_view', 'topmenu_view', 'datascope_view', 'apiscope_view')
const viewTop = code('topmenu_view', 'topmenu_setting')

export const menuRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/menu/top-menu',
    always: true,
    tag,
    access: 'session',
    summary: { zh: '顶部菜单：本人可用的', en: 'Top menus that the caller may use' },
    handler: topMenus,
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/routes',
    always: true,
    tag,
    access: 'session',
    summary: { zh: '菜单：本人可用的页面', en: 'Pages that the caller may use, as a tree' },
    parameters: { topMenuId: { kind: 'id' } },
    handler: (call) => routes(call, call.parameters.topMenuId),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/buttons',
    always: true,
    tag,
    access: 'session',
    summary: { zh: '按钮：本人持有的权限', en: 'Buttons that the caller holds, under their pages' },
    handler: async (call) => {
      const held = await heldMenus(call.tx, call.actor)
      return forest(withAncestors(held, (menu) => menu.category === 2))
    },
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/list',
    tag,
    access: view,
    summary: { zh: '菜单：全部', en: 'Menus and buttons as a tree' },
    parameters: {
      name: { kind: 'text', max: 64 },
      code: { kind: 'text', max: 64 },
      alias: { kind: 'text', max: 64 },
      category: { kind: 'integer', min: 1, max: 2 },
    },
    handler: async (call) => forest((await allMenus(call.tx, call.actor)).filter((menu) => matches(menu, call.query))),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/menu-list',
    tag,
    access: view,
    summary: { zh: '菜单：不含按钮', en: 'Menus as a tree, without buttons' },
    parameters: { name: { kind: 'text', max: 64 }, code: { kind: 'text', max: 64 }, alias: { kind: 'text', max: 64 } },
    handler: async (call) =>
      forest((await allMenus(call.tx, call.actor)).filter((menu) => menu.category === 1 && matches(menu, call.query))),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/lazy-list',
    tag,
    access: view,
    summary: { zh: '菜单：逐级', en: 'Menus and buttons under one of them' },
    parameters: {
      parentId: { kind: 'text', max: 19 },
      name: { kind: 'text', max: 64 },
      code: { kind: 'text', max: 64 },
      alias: { kind: 'text', max: 64 },
    },
    handler: (call) => lazy(call),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/lazy-menu-list',
    tag,
    access: view,
    summary: { zh: '菜单：逐级，不含按钮', en: 'Menus under one of them, without buttons' },
    parameters: {
      parentId: { kind: 'text', max: 19 },
      name: { kind: 'text', max: 64 },
      code: { kind: 'text', max: 64 },
      alias: { kind: 'text', max: 64 },
    },
    handler: (call) => lazy(call, 1),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/tree',
    tag,
    access: view,
    summary: { zh: '菜单：选择树', en: 'Menus to choose from' },
    parameters: { tenantId: { kind: 'tenant' } },
    handler: async (call) =>
      treeOf(
        titled(
          (await allMenus(call.tx, call.actor)).filter((menu) => menu.category === 1),
          call.circumstance,
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/detail',
    tag,
    access: view,
    summary: { zh: '菜单：详情', en: 'One menu' },
    parameters: { id: { kind: 'id', required: true } },
    handler: (call) => detail(call, call.parameters.id),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/grant-top-tree',
    tag,
    access: viewTop,
    summary: { zh: '顶部菜单可选的菜单', en: 'Menus that a top menu may have' },
    handler: async (call) => ({
      menu: treeOf(
        titled(
          (await heldMenus(call.tx, call.actor)).filter((menu) => menu.category === 1),
          call.circumstance,
        ),
      ),
    }),
  }),
  route({
    method: 'GET',
    path: '/blade-system/menu/top-tree-keys',
    tag,
    access: viewTop,
    summary: { zh: '顶部菜单已有的菜单', en: 'Menus that top menus have' },
    parameters: { topMenuIds: { kind: 'ids', required: true } },
    handler: async (call) => {
      const setting = await settingOf(call, call.parameters.topMenuIds)
      return { menu: [...new Set([...setting.values()].flatMap((menus) => [...menus]))].sort() }
    },
  }),
]
