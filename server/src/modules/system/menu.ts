import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import {
  menuDetail,
  menuForest,
  menuLevel,
  myButtons,
  myPages,
  myTopMenus,
  pageForest,
  pageLevel,
  pageTree,
  topMenuKeys,
  topMenuTree,
} from '@data-brain/contract/calls/menu'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { on } from '../../entity/serve-call.ts'
import type { Circumstance } from '../../kernel/actor.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { pairsIn, stampOf } from './given-stamp.ts'
import { nestRows, parentOf, rootId, rowsBelow, treeOf, withAncestors } from './tree.ts'

type OnWire = Omit<AnswerOf<typeof menuForest>[number], 'children'>

/** A menu (category 1) or button (category 2) as it is read: a root has no parent. */
export type Menu = Omit<OnWire, 'parentId'> & { readonly parentId: string | null }

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
  return withAncestors(await allMenus(tx, actor), (menu) => holdsCode(actor, menu.code))
}

/** Pages that are not hidden, and the groups that lead to one: without a path or entries below an entry leads nowhere. */
function pagesOf(menus: readonly Menu[]): Menu[] {
  const hidden = new Set(
    menus.filter((menu) => menu.status !== 1).flatMap(({ id }) => [id, ...rowsBelow(menus, id).map((menu) => menu.id)]),
  )
  const pages = menus.filter((menu) => menu.category === 1 && !hidden.has(menu.id))
  return withAncestors(pages, (page) => page.path !== null && page.path !== '')
}

const onWire = (menu: Menu): OnWire => ({ ...menu, parentId: menu.parentId ?? rootId })

/** The forest of rows on the wire: roots have the parent 0. */
const forest = (menus: readonly Menu[]): AnswerOf<typeof menuForest> => nestRows(menus.map(onWire))

/** Menus with their title in the caller's language. */
export const titledMenus = (menus: readonly Menu[], { language }: Circumstance): (Menu & { title: string })[] =>
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

async function topMenus(call: Call): Promise<AnswerOf<typeof myTopMenus>> {
  const pages = pagesOf(await heldMenus(call.tx, call.actor)).filter((menu) => menu.path)
  const setting = await settingOf(call)
  const tops = await call.tx.run<AnswerOf<typeof myTopMenus>[number]>(
    sql`select t.id, t.code, t.name, t.name_en as "nameEn", t.source, t.path, t.sort from top_menu_seen t
        where t.tenant_id = ${call.actor.tenantId} and t.status = 1 order by t.sort, t.id`,
  )
  return tops.filter((top) => pages.some((page) => setting.get(top.id)?.has(page.id)))
}

async function routes(call: Call, topMenuId: string | undefined): Promise<AnswerOf<typeof myPages>> {
  const pages = pagesOf(await heldMenus(call.tx, call.actor))
  if (topMenuId === undefined) return forest(pages)
  const set = (await settingOf(call, [topMenuId])).get(topMenuId) ?? new Set()
  return forest(withAncestors(pages, (page) => set.has(page.id) && Boolean(page.path)))
}

/** What a list of menus is filtered by: parts of name, code and alias, whole category. */
function matches(menu: Menu, wanted: InputOf<typeof menuForest | typeof menuLevel>): boolean {
  const part = (value: string | null, text: string | undefined): boolean =>
    !text || (value ?? '').toLowerCase().includes(text.toLowerCase())
  return (
    (part(menu.name, wanted.name) || part(menu.nameEn, wanted.name)) &&
    part(menu.code, wanted.code) &&
    part(menu.alias, wanted.alias) &&
    (wanted.category === undefined || menu.category === wanted.category)
  )
}

async function lazy(
  { parentId, ...wanted }: InputOf<typeof menuLevel>,
  call: Call,
  category?: number,
): Promise<AnswerOf<typeof menuLevel>> {
  const parent = parentOf(parentId)
  const menus = (await allMenus(call.tx, call.actor)).filter(
    (menu) => category === undefined || menu.category === category,
  )
  const parents = new Set(menus.map((menu) => menu.parentId))
  return menus
    .filter((menu) => (parent === undefined || menu.parentId === parent) && matches(menu, wanted))
    .map((menu) => ({ ...onWire(menu), hasChildren: parents.has(menu.id) }))
}

async function detail({ id }: InputOf<typeof menuDetail>, call: Call): Promise<AnswerOf<typeof menuDetail>> {
  const menus = await allMenus(call.tx, call.actor)
  const menu = menus.find((each) => each.id === id)
  if (!menu) throw new Problem('not_found')
  const parent = menus.find((each) => each.id === menu.parentId)
  return {
    ...onWire(menu),
    parentName:
      (parent && titledMenus([parent], call.circumstance)[0]!.title) ??
      { zh: '顶级', en: 'Top' }[call.circumstance.language],
    hasChildren: menus.some((each) => each.parentId === id),
  }
}

const always = { always: true }
const pages = (menus: readonly Menu[]): Menu[] => menus.filter((menu) => menu.category === 1)

export const menuRoutes: readonly Route[] = [
  on(myTopMenus, (_, call) => topMenus(call), always),
  on(myPages, ({ topMenuId }, call) => routes(call, topMenuId), always),
  on(
    myButtons,
    async (_, { tx, actor }) => {
      const held = await heldMenus(tx, actor)
      return forest(withAncestors(held, (menu) => menu.category === 2))
    },
    always,
  ),
  on(menuForest, async (wanted, { tx, actor }) =>
    forest((await allMenus(tx, actor)).filter((menu) => matches(menu, wanted))),
  ),
  on(pageForest, async (wanted, { tx, actor }) =>
    forest(pages(await allMenus(tx, actor)).filter((menu) => matches(menu, wanted))),
  ),
  on(menuLevel, (wanted, call) => lazy(wanted, call)),
  on(pageLevel, (wanted, call) => lazy(wanted, call, 1)),
  on(pageTree, async (_, { tx, actor, circumstance }) =>
    treeOf(titledMenus(pages(await allMenus(tx, actor)), circumstance)),
  ),
  on(menuDetail, detail),
  on(topMenuTree, async (_, { tx, actor, circumstance }) => ({
    menu: treeOf(titledMenus(pages(await heldMenus(tx, actor)), circumstance)),
  })),
  on(topMenuKeys, async ({ topMenuIds }, call) => {
    const setting = await settingOf(call, topMenuIds)
    const menu = [...new Set([...setting.values()].flatMap((menus) => [...menus]))].sort()
    return { menu, stamp: stampOf(pairsIn(setting)) }
  }),
]
