import { codeOf, dept } from '@data-brain/contract'
import { deptLazyTree, deptTree } from '@data-brain/contract/calls/dept'
import { sql } from '../../database/statement.ts'
import { personalScopeIds } from '../../entity/personal-scope.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { draftSchema, listParameters, rowSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem, valueTaken } from '../../kernel/problem.ts'
import { code, type Route, route } from '../../kernel/route.ts'
import { standingsOfActor } from './held-rights.ts'
import {
  familyLazyList,
  familyLazyTree,
  familyLevelSchema,
  familyList,
  familySchema,
  familySubmit,
  familyTree,
  refuseCircle,
} from './tree-lists.ts'

/** Ids from the root down to the parent: `0,1,12`. */
async function ancestorsUnder(saving: Saving<typeof dept>, parentId: string | null): Promise<string> {
  if (parentId === null) return '0'
  const { tx, actor } = saving.context
  const parent = await tx.one<{ ancestors: string | null }>(
    sql`select ancestors from dept where tenant_id = ${actor.tenantId} and id = ${parentId} for update`,
  )
  if (!parent)
    throw new Problem('reference_unknown', { label: dept.fields.parentId.label }, { field: 'parentId', fields: [] })
  return `${parent.ancestors ?? '0'},${parentId}`
}

async function place(saving: Saving<typeof dept>): Promise<void> {
  const { before, values, whole, context, id } = saving
  const parentId = whole.parentId ?? null
  if (!before || 'parentId' in values) {
    if (before && parentId !== null) await refuseCircle(dept, context, id, parentId)
    values.ancestors = await ancestorsUnder(saving, parentId)
    whole.ancestors = values.ancestors
  }
  // A key with an empty part judges nothing, so the names at the top are judged here.
  if (parentId === null && ('parentId' in values || 'deptName' in values)) {
    const { tx, actor } = context
    const taken = await tx.one(
      sql`select 1 from dept where tenant_id = ${actor.tenantId} and parent_id is null and dept_name = ${whole.deptName} and id <> ${id}`,
    )
    if (taken) throw valueTaken(dept.fields.deptName.label, whole.deptName, 'deptName')
  }
}

/**
 * Departments decide which rows people work with. Whoever is narrowed by them moves only those of the own branch, within
 * it, and to no school but the own: else a move would bring the mover, or somebody else, to rows that the mover lacks.
 */
async function mustStayWithin({ before, values, whole, context, id }: Saving<typeof dept>): Promise<void> {
  if (!before || !('parentId' in values || 'schoolId' in values)) return
  const { tx, actor } = context
  const kinds = standingsOfActor(actor)
  if (!kinds.has('depts') && !kinds.has('below') && !kinds.has('schools')) return
  const branch = new Set(await personalScopeIds('below', tx, actor))
  const [parentId, schoolId] = [whole.parentId, whole.schoolId] as (string | null | undefined)[]
  if (!branch.has(id) || ('parentId' in values && !(parentId && branch.has(parentId))))
    throw new Problem('out_of_scope')
  if (!kinds.has('schools')) return
  const at = (deptId: string): Promise<readonly string[]> =>
    personalScopeIds('schools', tx, { tenantId: actor.tenantId, userId: null, deptIds: [deptId] })
  const own = new Set([...(await personalScopeIds('schools', tx, actor)), ...(await at(id))])
  const after = schoolId ? [schoolId] : parentId ? await at(parentId) : []
  if (after.some((school) => !own.has(school))) throw new Problem('out_of_scope')
}

/** What stands under a department moves with it. The path is derived, so it is no change of those rows. */
async function moveSubtree(saving: Saving<typeof dept>): Promise<void> {
  const { before, values, context, id } = saving
  if (!before || !('ancestors' in values)) return
  const was = `${before.ancestors ?? '0'},${id}`
  const is = `${values.ancestors},${id}`
  if (was === is) return
  await context.tx.run(
    sql`update dept set ancestors = ${is} || substr(ancestors, char_length(${was}::text) + 1)
        where tenant_id = ${context.actor.tenantId} and (ancestors = ${was} or ancestors like ${`${was},%`})`,
  )
}

export function addDeptRules(): void {
  addRules(dept, {
    beforeSave: async (saving) => {
      await mustStayWithin(saving)
      await place(saving)
    },
    afterSave: moveSubtree,
  })
}

const tag = 'dept'
const view = code(codeOf(dept, 'view'))

export const deptRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/blade-system/dept/list',
    tag,
    access: view,
    stampOf: dept.name,
    parameters: listParameters(dept),
    dataSchema: familySchema(dept),
    summary: {
      zh: '部门：树；给出 current 或 size 时分页',
      en: 'Departments as a tree; a page where current or size is given',
    },
    handler: (call) => familyList(dept, call),
  }),
  route({
    method: 'GET',
    path: '/blade-system/dept/lazy-list',
    tag,
    access: view,
    summary: { zh: '部门：逐级', en: 'Departments under one of them' },
    parameters: {
      parentId: { kind: 'text', max: 19 },
      deptName: { kind: 'text', max: 60 },
      fullName: { kind: 'text', max: 120 },
    },
    dataSchema: familyLevelSchema(dept),
    handler: (call) => familyLazyList(dept, call),
  }),
  on(deptTree, ({ tenantId }, call) => familyTree(dept, call, tenantId)),
  on(deptLazyTree, ({ parentId }, call) => familyLazyTree(dept, call, parentId)),
  route({
    method: 'POST',
    path: '/blade-system/dept/submit',
    tag,
    access: code(codeOf(dept, 'add'), codeOf(dept, 'edit')),
    summary: { zh: '部门：新增或修改', en: 'Department: add or change' },
    bodySchema: draftSchema(dept),
    dataSchema: rowSchema(dept),
    handler: (call) => familySubmit(dept, call),
  }),
]
