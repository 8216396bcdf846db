import { codeOf, menu, type Words } from '@data-brain/contract'
import { buttonsOf, type MenuSeed, topMenus } from '@data-brain/contract/menus'
import { sql } from '../../database/statement.ts'
import type { Values } from '../../entity/check.ts'
import type { Context } from '../../entity/repository.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { raiseAllGrants } from '../../kernel/authenticate.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { code, type Route, route } from '../../kernel/route.ts'
import { wrongPath } from './path-rule.ts'
import { familySubmit, refuseCircle } from './tree-lists.ts'

const codesOf = (seed: MenuSeed): string[] => [
  seed.code,
  ...buttonsOf(seed).map((button) => button.code),
  ...(seed.children ?? []).flatMap(codesOf),
]
/** The menus and buttons that the product itself brings: the server and the console ask for their codes. */
const seeded: ReadonlySet<string> = new Set(topMenus.flatMap((top) => top.groups).flatMap(codesOf))

/** What belongs to the product in a menu that it brings; the rest is the administrator's: name, place, icon, hidden or not. */
const productOwns = ['code', 'path', 'category', 'platformOnly'] as const

type FieldName = keyof typeof menu.fields

const refuse = (context: Context, field: FieldName, reason: Words): never => {
  throw fieldProblem([{ field, label: menu.fields[field].label, reason }], context.circumstance.language)
}

interface Around {
  category: string
  platform_only: number
}

async function parentOf({ context, whole }: Saving<typeof menu>): Promise<Around | undefined> {
  const parentId = whole.parentId ?? null
  if (parentId === null) return undefined
  return (
    (await context.tx.one<Around>(
      sql`select category, platform_only from menu where id = ${parentId} for no key update`,
    )) ?? refuse(context, 'parentId', { zh: '所选数据不存在', en: 'the chosen menu does not exist' })
  )
}

/** A menu stands under menus, a button under a menu; what is the platform's alone keeps everything below it so. */
async function checkPlace(saving: Saving<typeof menu>): Promise<void> {
  const { before, values, whole, context, id } = saving
  if (before && values.parentId) await refuseCircle(menu, context, id, values.parentId)
  const parent = await parentOf(saving)
  const isButton = whole.category === '2'
  if (isButton && !parent) refuse(context, 'parentId', { zh: '按钮须放在菜单下', en: 'a button must be under a menu' })
  if (parent?.category === '2')
    refuse(context, 'parentId', { zh: '不能放在按钮下', en: 'nothing can be under a button' })
  if (parent?.platform_only === 1 && whole.platformOnly !== 1)
    refuse(context, 'platformOnly', {
      zh: '上级菜单仅平台可用，本菜单也须仅平台可用',
      en: 'must be set: the parent is for the platform only',
    })
  if (!before || !('category' in values || 'platformOnly' in values)) return
  const below = await context.tx.run<Around>(sql`select category, platform_only from menu where parent_id = ${id}`)
  if (isButton && below.length > 0)
    refuse(context, 'category', { zh: '有下级的菜单不能改为按钮', en: 'a menu with entries below is no button' })
  if (whole.platformOnly === 1 && below.some((each) => each.platform_only === 0))
    refuse(context, 'platformOnly', {
      zh: '请先将下级设为仅平台可用',
      en: 'set it for the entries below first',
    })
}

function checkOwn({ before, values, whole, context }: Saving<typeof menu>): void {
  if (before && seeded.has(before.code))
    for (const field of productOwns)
      if (field in values)
        refuse(context, field, { zh: '系统自带的菜单不能修改此项', en: 'belongs to the product and cannot be changed' })
  if (values.code !== undefined && !/^[A-Za-z0-9_:.-]+$/.test(values.code))
    refuse(context, 'code', {
      zh: '只能包含字母、数字和 _ - : .',
      en: 'may contain only letters, digits and _ - : .',
    })
  const path = whole.path
  if (!path) return
  if (whole.category === '2') refuse(context, 'path', { zh: '按钮没有路由地址', en: 'a button has no path' })
  const wrong = 'path' in values ? wrongPath(path) : null
  if (wrong) refuse(context, 'path', wrong)
}

/** Fields by which somebody's rights change: administrators hold every code that there is. */
const rightsIn = (values: Values): boolean => ['code', 'platformOnly'].some((field) => field in values)

async function mayGo({ before }: Removing<typeof menu>): Promise<void> {
  if (seeded.has(before.code))
    throw new Problem('rule_broken', {
      reason: {
        zh: '系统自带的菜单不能删除，可以停用使其隐藏',
        en: 'A menu of the product cannot be removed: disable it to hide it',
      },
    })
}

export function addMenuRules(): void {
  addRules(menu, {
    beforeSave: async (saving) => {
      checkOwn(saving)
      await checkPlace(saving)
    },
    // Names and places are read with every request; what somebody may do is remembered, and must be read anew.
    afterSave: async ({ context, values, before }) => {
      if (!before || rightsIn(values)) await raiseAllGrants(context.tx, context.actor.tenantId)
    },
    beforeRemove: mayGo,
    afterRemove: ({ context }) => raiseAllGrants(context.tx, context.actor.tenantId),
  })
}

/** A draft as the family's clients send it: 0 for a button that stands nowhere in particular. */
function withoutZeros(draft: unknown): unknown {
  if (typeof draft !== 'object' || draft === null || Array.isArray(draft)) return draft
  const { action } = draft as { action?: unknown }
  return action === 0 || action === '0' ? { ...draft, action: null } : draft
}

export const menuEditRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/blade-system/menu/submit',
    tag: menu.name,
    platform: true,
    access: code(codeOf(menu, 'add'), codeOf(menu, 'edit')),
    summary: { zh: '菜单：新增或修改', en: 'Menu: add or change' },
    bodySchema: draftSchema(menu),
    dataSchema: rowSchema(menu),
    handler: (call) => familySubmit(menu, call, withoutZeros(call.body)),
  }),
]
