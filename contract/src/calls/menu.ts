import { defineCall } from '../call.ts'
import { menu } from '../entities/system/menu.ts'
import { topmenu } from '../entities/system/topmenu.ts'
import { codeOf } from '../entity.ts'
import {
  emptyAnswer,
  flagValue,
  idOf,
  idsOf,
  integerValue,
  listOf,
  objectOf,
  oneOf,
  tenantValue,
  textValue,
  treeOf,
  truthValue,
} from '../shape.ts'
import { menuTree, moveInput } from './trees.ts'

const of = menu.name
/** Menus are read by those who edit them, and by those who grant them or tie something to them. */
const view = { codes: ['menu_view', 'role_view', 'topmenu_view', 'datascope_view', 'apiscope_view'] } as const
const viewTop = { codes: ['topmenu_view', 'topmenu_setting'] } as const

/** A menu (category 1) or button (2), as it travels; `parentId` of a root is 0. */
const fields = {
  id: idOf(of),
  parentId: textValue(),
  code: textValue(),
  name: textValue(),
  nameEn: textValue(),
  alias: textValue({ nullable: true }),
  path: textValue({ nullable: true }),
  source: textValue({ nullable: true }),
  sort: integerValue(),
  category: oneOf([1, 2]),
  action: integerValue(),
  isOpen: integerValue(),
  remark: textValue({ nullable: true }),
  // 0 hides it, and all below it, from everybody's menus; the rights stay.
  status: integerValue(),
  version: integerValue(),
  platformOnly: flagValue(),
  fullScreen: flagValue(),
  isTab: flagValue(),
  keepAlive: flagValue(),
  // The same three, as the console's router reads them.
  meta: objectOf({ fullScreen: flagValue(), isTab: truthValue(), keepAlive: truthValue() }),
} as const
const forest = listOf(treeOf(fields))
const level = listOf(objectOf({ ...fields, hasChildren: truthValue() }, { name: 'MenuOfLevel' }))

export const myTopMenus = defineCall({
  method: 'GET',
  path: 'blade-system/menu/top-menu',
  of,
  access: 'session',
  summary: { zh: '顶部菜单：本人可用的', en: 'Top menus that the caller may use' },
  answer: listOf(
    objectOf({
      id: idOf(topmenu.name),
      code: textValue(),
      name: textValue(),
      nameEn: textValue(),
      source: textValue({ nullable: true }),
      path: textValue({ nullable: true }),
      sort: integerValue(),
    }),
  ),
})

export const myPages = defineCall({
  method: 'GET',
  path: 'blade-system/menu/routes',
  of,
  access: 'session',
  summary: { zh: '菜单：本人可用的页面', en: 'Pages that the caller may use, as a tree' },
  input: { topMenuId: idOf(topmenu.name) },
  answer: forest,
})

export const myButtons = defineCall({
  method: 'GET',
  path: 'blade-system/menu/buttons',
  of,
  access: 'session',
  summary: { zh: '按钮：本人持有的权限', en: 'Buttons that the caller holds, under their pages' },
  answer: forest,
})

/** Parts of name, code and alias; the whole category. */
const filters = {
  name: textValue({ max: 64 }),
  code: textValue({ max: 64 }),
  alias: textValue({ max: 64 }),
  category: integerValue({ min: 1, max: 2 }),
} as const

/** A category that is none finds nothing. */
const lenient = { ...filters, category: textValue() } as const

export const menuForest = defineCall({
  method: 'GET',
  path: 'blade-system/menu/list',
  of,
  access: view,
  summary: { zh: '菜单：全部', en: 'Menus and buttons as a tree' },
  input: filters,
  answer: forest,
})

export const pageForest = defineCall({
  method: 'GET',
  path: 'blade-system/menu/menu-list',
  of,
  access: view,
  summary: { zh: '菜单：不含按钮', en: 'Menus as a tree, without buttons' },
  input: lenient,
  answer: forest,
})

const under = { parentId: textValue({ max: 19 }), ...lenient } as const

export const menuLevel = defineCall({
  method: 'GET',
  path: 'blade-system/menu/lazy-list',
  of,
  access: view,
  summary: { zh: '菜单：逐级', en: 'Menus and buttons under one of them' },
  input: under,
  answer: level,
})

export const pageLevel = defineCall({
  method: 'GET',
  path: 'blade-system/menu/lazy-menu-list',
  of,
  access: view,
  summary: { zh: '菜单：逐级，不含按钮', en: 'Menus under one of them, without buttons' },
  input: under,
  answer: level,
})

export const pageTree = defineCall({
  method: 'GET',
  path: 'blade-system/menu/tree',
  of,
  access: view,
  summary: { zh: '菜单：选择树', en: 'Menus to choose from' },
  input: { tenantId: tenantValue() },
  answer: menuTree,
})

export const menuDetail = defineCall({
  method: 'GET',
  path: 'blade-system/menu/detail',
  of,
  access: view,
  summary: { zh: '菜单：详情', en: 'One menu' },
  input: { id: idOf(of, { required: true }) },
  answer: objectOf({ ...fields, parentName: textValue(), hasChildren: truthValue() }),
})

export const grantableTrees = defineCall({
  method: 'GET',
  path: 'blade-system/menu/grant-tree',
  of,
  access: { codes: ['role_view'] },
  summary: { zh: '授权树：本人可授出的', en: 'What the caller may grant' },
  answer: objectOf({ menu: menuTree, dataScope: menuTree, apiScope: menuTree }),
})

export const grantedKeys = defineCall({
  method: 'GET',
  path: 'blade-system/menu/role-tree-keys',
  of,
  access: { codes: ['role_view'] },
  summary: { zh: '角色已有的权限', en: 'What roles have been granted' },
  input: { roleIds: idsOf('role', { required: true }) },
  answer: objectOf({
    menu: listOf(idOf(of)),
    dataScope: listOf(idOf('datascope')),
    apiScope: listOf(idOf('apiscope')),
    stamp: textValue(),
  }),
})

export const topMenuTree = defineCall({
  method: 'GET',
  path: 'blade-system/menu/grant-top-tree',
  of,
  access: viewTop,
  summary: { zh: '顶部菜单可选的菜单', en: 'Menus that a top menu may have' },
  answer: objectOf({ menu: menuTree }),
})

export const topMenuKeys = defineCall({
  method: 'GET',
  path: 'blade-system/menu/top-tree-keys',
  of,
  access: viewTop,
  summary: { zh: '顶部菜单已有的菜单', en: 'Menus that top menus have' },
  input: { topMenuIds: idsOf(topmenu.name, { required: true }) },
  answer: objectOf({ menu: listOf(idOf(of)), stamp: textValue() }),
})

export const assignToTopMenus = defineCall({
  method: 'POST',
  path: 'blade-system/topmenu/grant',
  of: topmenu.name,
  access: { codes: ['topmenu_setting'] },
  summary: { zh: '顶部菜单：配置菜单', en: 'Assign menus to top menus' },
  as: 'json',
  // The stamp as `top-tree-keys` told it: where somebody else has changed them since, nothing is replaced.
  input: {
    topMenuIds: idsOf(topmenu.name, { required: true }),
    menuIds: idsOf(of, { max: 5_000 }),
    stamp: textValue({ max: 64 }),
  },
  answer: emptyAnswer,
})

export const moveMenu = defineCall({
  method: 'POST',
  path: 'blade-system/menu/move',
  of,
  access: { codes: [codeOf(menu, 'edit')] },
  summary: { zh: '菜单：移动和排序', en: 'Menu: move among its siblings' },
  as: 'json',
  input: moveInput(of),
  answer: emptyAnswer,
})
