import {
  apiscope,
  codeOf,
  datascope,
  type Entity,
  entities,
  nameOf,
  role as roleEntity,
  type Words,
} from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { type Model, modelOf } from '../../entity/model.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { comparisons, customCondition, fits, isGroup, words } from '../../entity/scope.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { counted } from '../../kernel/counted.ts'
import { idsMax } from '../../kernel/parameter.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { code, type Route, route } from '../../kernel/route.ts'
import { routesOf } from '../../kernel/route-path.ts'

/*
 * What data scopes and API scopes may say. Whoever may write them decides what others may do, so only administrators
 * write them, whatever codes somebody holds.
 */

const types = ['1', '2', '3', '4', '5', '6', '7', '8'] as const

/** Entities whose rows can be narrowed: those of tenants. */
const narrowed = entities.filter((entity) => entity.ownership !== 'platform')

const mustBeAdmin = ({ context }: Pick<Saving, 'context'>): void => {
  if (!isAdmin(context.actor))
    throw new Problem('rule_broken', {
      reason: { zh: '只有管理员可以维护权限范围', en: 'Only administrators may write scopes' },
    })
}

function refuse(saving: Saving, label: Words, field: string, zh: string, en: string): never {
  throw fieldProblem([{ field, label, reason: { zh, en } }], saving.context.circumstance.language)
}

/** The menu that a scope hangs under where none is named: the page of its entity. */
async function placeUnderMenu(saving: Saving, menuCode: string): Promise<void> {
  const { menuId } = saving.whole
  if (menuId) {
    const { tx, actor } = saving.context
    const known = await tx.one(
      sql`select 1 from menu where id = ${String(menuId)} and category = '1' and (platform_only = 0 or ${actor.platform})`,
    )
    if (!known)
      throw new Problem('reference_unknown', { label: datascope.fields.menuId.label }, { field: 'menuId', fields: [] })
    return
  }
  const menu = await saving.context.tx.one<{ id: string }>(sql`select id from menu where code = ${menuCode}`)
  if (menu) saving.values.menuId = menu.id
}

const mostConditions = 20
const deepest = 3

/** What is wrong with a custom rule, or undefined: groups of conditions on the entity's own fields. */
function faultOf(model: Model, saving: Saving, value: unknown, depth = 1): Words | undefined {
  if (!isGroup(value) || Object.keys(value).length !== 1)
    return { zh: '应为条件组', en: 'must be a group of conditions' }
  const members = 'all' in value ? value.all : value.any
  if (members.length === 0) return { zh: '至少要有一个条件', en: 'needs at least one condition' }
  if (depth > deepest) return { zh: `条件组最多嵌套${deepest}层`, en: `groups may stand ${deepest} deep at most` }
  for (const member of members) {
    const fault = isGroup(member) ? faultOf(model, saving, member, depth + 1) : conditionFault(model, saving, member)
    if (fault) return fault
  }
  return undefined
}

function conditionFault(model: Model, saving: Saving, member: unknown): Words | undefined {
  if (typeof member !== 'object' || member === null) return { zh: '条件不完整', en: 'holds an incomplete condition' }
  const { field, op, value, ...others } = member as Record<string, unknown>
  const name = String(field ?? '')
  const known = model.byName.get(name)
  const label: Words = known?.label ?? { zh: name, en: name }
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) return { zh: `不认识“${unknown}”`, en: `does not know "${unknown}"` }
  if (typeof value === 'string' && (words as readonly string[]).includes(value)) {
    const fitting = {
      $me: 'user',
      $myDepts: 'dept',
      $myDeptsBelow: 'dept',
      $mySchools: 'school',
      $myClasses: 'schoolclass',
    }
    const to = name === 'id' ? model.entity.name : (known?.to ?? (name === 'createUser' ? 'user' : undefined))
    return to === fitting[value as keyof typeof fitting] && (op === 'equal' || op === 'in')
      ? undefined
      : { zh: `“${label.zh}”不能用${value}判断`, en: `cannot compare "${label.en}" with ${value}` }
  }
  const given = Array.isArray(value) ? value : [value]
  if (given.length > idsMax)
    return { zh: `“${label.zh}”最多${idsMax}个值`, en: `compares "${label.en}" with more than ${idsMax} values` }
  if (op !== 'null' && op !== 'notnull' && given.some((each) => each === undefined || each === null || each === ''))
    return { zh: `“${label.zh}”缺少比较的值`, en: `lacks a value to compare "${label.en}" with` }
  try {
    const made = customCondition(model, name, String(op), value, {
      cipher: saving.context.cipher,
      actor: saving.context.actor,
    })
    return made ? undefined : { zh: `“${label.zh}”不能这样判断`, en: `cannot judge "${label.en}" in this way` }
  } catch (error) {
    if (error instanceof Problem) return { zh: error.words('zh'), en: error.words('en') }
    throw error
  }
}

function count(value: unknown): number {
  if (!isGroup(value)) return 1
  return ('all' in value ? value.all : value.any).reduce((sum: number, member) => sum + count(member), 0)
}

async function judgeDataScope(saving: Saving): Promise<void> {
  mustBeAdmin(saving)
  const { whole, values } = saving
  const { fields } = datascope
  const entity = narrowed.find((each) => each.name === whole.scopeClass)
  if (!entity)
    return refuse(saving, fields.scopeClass.label, 'scopeClass', '没有这个数据对象', 'is nothing that can be narrowed')
  const type = String(whole.scopeType)
  const column = (whole.scopeColumn as string | null | undefined) || null
  if (!fits(entity, type, null) && !fits(entity, type, column))
    refuse(saving, fields.scopeType.label, 'scopeType', `不适用于${entity.label.zh}`, `does not fit ${entity.label.en}`)
  if (column !== null && !fits(entity, type, column))
    refuse(
      saving,
      fields.scopeColumn.label,
      'scopeColumn',
      '该规则不能依据这个字段',
      'is no field that this rule can look at',
    )
  if (type === '5') {
    const fault =
      count(whole.scopeValue) > mostConditions
        ? { zh: `最多${mostConditions}个条件`, en: `has more than ${mostConditions} conditions` }
        : faultOf(modelOf(entity), saving, whole.scopeValue)
    if (fault) refuse(saving, fields.scopeValue.label, 'scopeValue', fault.zh, fault.en)
  } else if (whole.scopeValue !== null && whole.scopeValue !== undefined) values.scopeValue = null
  await placeUnderMenu(saving, entity.name)
}

async function judgeApiScope(saving: Saving): Promise<void> {
  mustBeAdmin(saving)
  const path = String(saving.whole.scopePath)
  const calls = routesOf(path)
  if (calls.length === 0)
    refuse(
      saving,
      apiscope.fields.scopePath.label,
      'scopePath',
      '不是本系统可以限制的接口',
      'is no call that can be kept',
    )
  const part = calls[0]!.split('/')[2] ?? ''
  await placeUnderMenu(saving, part)
}

/**
 * Refuses to remove a data scope that roles are narrowed by: they would work with all rows at once, and nobody who
 * removes a narrowing expects that.
 */
async function mustBeUnused({ context: { tx, actor, circumstance }, id }: Removing): Promise<void> {
  const roles = await tx.run<{ name: string }>(
    sql`select r.role_name as name from role_data_scope g join role r on r.tenant_id = g.tenant_id and r.id = g.role_id
        where g.tenant_id = ${actor.tenantId} and g.scope_id = ${id} order by r.sort, r.id`,
  )
  if (roles.length === 0) return
  const label = roleEntity.label[circumstance.language]
  const sample = roles.slice(0, 5).map(({ name }) => name)
  throw new Problem(
    'blocked',
    {
      reason: {
        zh: `仍限定着${roles.length}个角色的数据（${sample.join('、')}）`,
        en: `it still narrows ${counted(roles.length, 'role')} (${sample.join(', ')})`,
      },
    },
    { id, blockers: [{ entity: roleEntity.name, label, count: roles.length, sample }] },
  )
}

export function addScopeRules(): void {
  for (const [entity, judge] of [
    [datascope, judgeDataScope],
    [apiscope, judgeApiScope],
  ] as const)
    addRules(entity, {
      beforeSave: judge,
      afterSave: ({ context }) => raiseGrants(context.tx, context.actor.tenantId),
      beforeRemove: async (removing) => {
        mustBeAdmin(removing)
        if (entity === datascope) await mustBeUnused(removing)
        await raiseGrants(removing.context.tx, removing.context.actor.tenantId)
      },
    })
}

const own: Readonly<Record<string, { name: string; label: Words }[]>> = {
  user: [{ name: 'create_user', label: { zh: '创建人', en: 'Created by' } }],
  dept: [{ name: 'create_dept', label: { zh: '创建部门', en: "Creator's department" } }],
}

/** What a data scope on an entity can be made of, for the form. */
function options(entity: Entity): unknown {
  const model = modelOf(entity)
  const columns = (type: string, to: string): { name: string; label: Words }[] => [
    ...(own[to] ?? []),
    ...model.fields
      .filter((field) => field.to === to && fits(entity, type, field.name))
      .map(({ name, label }) => ({ name, label })),
  ]
  const ground = { cipher: undefined as never, actor: { tenantId: '000000' } as never }
  const samples: Record<string, string> = {
    reference: '1',
    references: '1',
    date: '2026-01-01',
    instant: '2026-01-01',
    time: '08:00',
  }
  return {
    types: types.filter((type) => fits(entity, type, null)),
    columns: { 2: columns('2', 'user'), 3: columns('3', 'dept'), 4: columns('4', 'dept') },
    fields: model.fields.flatMap((field) => {
      const ops = comparisons.filter(
        (op) => customCondition(model, field.name, op, samples[field.kind] ?? '1', ground) !== undefined,
      )
      return ops.length === 0
        ? []
        : [
            {
              name: field.name,
              label: field.label,
              kind: field.kind,
              dict: field.dict,
              to: field.to,
              shown: nameOf(field.name),
              ops,
            },
          ]
    }),
    words,
  }
}

const view = code(codeOf(datascope, 'view'))

export const scopeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/data-scope/entities',
    tag: datascope.name,
    access: view,
    summary: { zh: '数据权限：可限定的数据对象', en: 'What data scopes can narrow' },
    handler: async () => narrowed.map(({ name, label }) => ({ name, label })),
  }),
  route({
    method: 'GET',
    path: '/blade-system/data-scope/options',
    tag: datascope.name,
    access: view,
    summary: { zh: '数据权限：可用的规则、字段与条件', en: 'The rules, fields and comparisons that fit an entity' },
    parameters: { entity: { kind: 'text', max: 64, required: true } },
    handler: async (call) => {
      const entity = narrowed.find((each) => each.name === call.parameters.entity)
      if (!entity) throw new Problem('not_found')
      return options(entity)
    },
  }),
]
