import {
  apiscope,
  datascope,
  type Entity,
  entities,
  isNarrowable,
  nameOf,
  role as roleEntity,
  type Words,
} from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { narrowedEntities, scopeOptions } from '@data-brain/contract/calls/scope'
import { isGroup, opsOf } from '@data-brain/contract/rules/condition'
import { sql } from '../../database/statement.ts'
import { conditionsFault } from '../../entity/conditions.ts'
import { modelOf } from '../../entity/model.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { ruleApplies, words } from '../../entity/scope.ts'
import { on } from '../../entity/serve-call.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { raiseGrants } from '../../kernel/authenticate.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'
import { routesOf } from '../../kernel/route-path.ts'

/*
 * What data scopes and API scopes may say. Whoever may write them decides what others may do, so only administrators
 * write them, whatever codes somebody holds.
 */

const types = ['1', '2', '3', '4', '5', '6', '7', '8'] as const

/** Entities whose rows can be narrowed. */
const narrowed = entities.filter(isNarrowable)

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

async function judgeDataScope(saving: Saving<typeof datascope>): Promise<void> {
  mustBeAdmin(saving)
  const { whole, values } = saving
  const { fields } = datascope
  const entity = narrowed.find((each) => each.name === whole.scopeClass)
  if (!entity)
    return refuse(saving, fields.scopeClass.label, 'scopeClass', '没有这个数据对象', 'is nothing that can be narrowed')
  const type = whole.scopeType
  const column = whole.scopeColumn || null
  if (!ruleApplies(entity, type, null) && !ruleApplies(entity, type, column))
    refuse(saving, fields.scopeType.label, 'scopeType', `不适用于${entity.label.zh}`, `does not fit ${entity.label.en}`)
  if (column !== null && !ruleApplies(entity, type, column))
    refuse(
      saving,
      fields.scopeColumn.label,
      'scopeColumn',
      '该规则不能依据这个字段',
      'is no field that this rule can look at',
    )
  if (type === '5') {
    const { scopeValue } = whole
    const fault = isGroup(scopeValue)
      ? conditionsFault({ model: modelOf(entity), context: saving.context, own: true }, scopeValue)
      : { zh: '至少要有一个条件', en: 'needs at least one condition' }
    if (fault) refuse(saving, fields.scopeValue.label, 'scopeValue', fault.zh, fault.en)
  } else if (whole.scopeValue !== null && whole.scopeValue !== undefined) values.scopeValue = null
  await placeUnderMenu(saving, entity.name)
}

async function judgeApiScope(saving: Saving<typeof apiscope>): Promise<void> {
  mustBeAdmin(saving)
  const path = saving.whole.scopePath
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
        en: `it still narrows ${pluralize(roles.length, 'role')} (${sample.join(', ')})`,
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
  dept: [{ name: 'create_dept', label: { zh: '创建部门', en: 'Creator’s department' } }],
}

/** What a data scope on an entity can be made of, for the form. */
function options(entity: Entity): AnswerOf<typeof scopeOptions> {
  const model = modelOf(entity)
  const columns = (type: string, to: string): { name: string; label: Words }[] => [
    ...(own[to] ?? []),
    ...model.fields
      .filter((field) => field.to === to && ruleApplies(entity, type, field.name))
      .map(({ name, label }) => ({ name, label })),
  ]
  return {
    types: types.filter((type) => ruleApplies(entity, type, null)),
    columns: { 2: columns('2', 'user'), 3: columns('3', 'dept'), 4: columns('4', 'dept') },
    fields: model.fields.flatMap((field) => {
      const ops = opsOf(field.kind)
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

export const scopeRoutes: readonly Route[] = [
  on(narrowedEntities, async () => narrowed.map(({ name, label }) => ({ name, label }))),
  on(scopeOptions, async ({ entity: name }) => {
    const entity = narrowed.find((each) => each.name === name)
    if (!entity) throw new Problem('not_found')
    return options(entity)
  }),
]
