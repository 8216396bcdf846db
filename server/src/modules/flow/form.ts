import { codeOf, student } from '@data-brain/contract'
import type { FormField, ProcessPlan } from '@data-brain/contract/flow/plan'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Repository } from '../../entity/repository.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { type FieldFault, fieldProblem } from '../../kernel/problem.ts'
import { putToUse } from '../resource/index.ts'
import type { FlowContext } from './business.ts'
import type { Variables } from './engine/host.ts'

type Told = readonly [zh: string, en: string]

const longText = 2_000
const idPattern = /^\d{1,19}$/
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

function numberFault(value: unknown, { kind, min, max }: FormField): Told | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ['应为数字', 'must be a number']
  if (kind === 'integer' && !Number.isInteger(value)) return ['应为整数', 'must be a whole number']
  if (min !== undefined && value < min) return [`不能小于${min}`, `must be at least ${min}`]
  if (max !== undefined && value > max) return [`不能大于${max}`, `must be at most ${max}`]
  return undefined
}

function textFault(value: unknown, most: number): Told | undefined {
  if (typeof value !== 'string') return ['应为文字', 'must be a text']
  return value.length > most ? [`不能超过${most}个字`, `must have at most ${most} characters`] : undefined
}

const days = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const moments = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/

/** What is wrong with a value of a field, but for whether what it names is there. */
function faultOf(value: unknown, field: FormField): Told | undefined {
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return numberFault(value, field)
    case 'date':
      return typeof value === 'string' &&
        days.test(value) &&
        new Date(`${value}T00:00:00Z`).toISOString().startsWith(value)
        ? undefined
        : ['应为日期，如2026-09-01', 'must be a day such as 2026-09-01']
    case 'instant':
      return typeof value === 'string' && moments.test(value) && !Number.isNaN(Date.parse(value.replace(' ', 'T')))
        ? undefined
        : ['应为日期和时间', 'must be a day and a time']
    case 'flag':
      return value === true || value === false ? undefined : ['应为是或否', 'must be yes or no']
    case 'choice':
      return field.options?.some(({ key }) => key === value) ? undefined : ['请从列表中选择', 'must be one of the list']
    case 'user':
      return typeof value === 'string' && idPattern.test(value) ? undefined : ['请选择人员', 'must be a person']
    case 'student':
      return typeof value === 'string' && idPattern.test(value) ? undefined : ['请选择学生', 'must be a student']
    case 'files':
      return Array.isArray(value) &&
        value.length <= 20 &&
        value.every((each) => typeof each === 'string' && idPattern.test(each))
        ? undefined
        : ['请上传附件，最多20个', 'must be files, 20 at most']
    default:
      return textFault(value, Math.min(field.max ?? (field.kind === 'text' ? 255 : longText), longText))
  }
}

/** Whether one of these is nobody of the tenant. */
export async function someUnknown(tx: Tx, tenantId: string, userIds: readonly string[]): Promise<boolean> {
  const row = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from app_user where tenant_id = ${tenantId} and status = 1 and id = any(${[...userIds]}::bigint[])`,
  )
  return row?.n !== new Set(userIds).size
}

/** Whether whoever acts may name a pupil: one whom they may look at, or themself. */
async function mayName(context: FlowContext, id: string): Promise<boolean> {
  const { tx, actor } = context
  const own = await tx.one(
    sql`select 1 from student where tenant_id = ${actor.tenantId} and id = ${id} and user_id = ${actor.userId}::bigint`,
  )
  const view = codeOf(student, 'view')
  if (own || !holdsCode(actor, view)) return own !== undefined
  const rows = new Repository(student, context)
  return (await rows.rows([id], [], { codes: [view] })).length === 1
}

/**
 * Whether one of these files may not be shown by whoever acts: an instance shows its own files, those that it had, and no
 * stranger’s. What is used is not swept.
 */
async function someForeign(
  { tx, actor }: FlowContext,
  ids: readonly string[],
  had: readonly string[],
): Promise<boolean> {
  const given = ids.filter((id) => !had.includes(id))
  if (given.length === 0) return false
  const row = await tx.one<{ n: number }>(
    sql`select count(*)::int as n from attach where tenant_id = ${actor.tenantId} and id = any(${given}::bigint[]) and create_user = ${actor.userId}::bigint`,
  )
  return row?.n !== new Set(given).size
}

/** Lets an instance show files: those of its form, or those that came with a decision. */
export async function showFiles(
  { tx, actor }: FlowContext,
  instanceId: string,
  ids: readonly string[],
  taskId: string | null = null,
): Promise<void> {
  if (ids.length === 0) return
  await putToUse({ tx, actor }, ids)
  await tx.run(
    sql`insert into flow_file (tenant_id, instance_id, attach_id, task_id)
        select ${actor.tenantId}, ${instanceId}, x.id, ${taskId}::bigint from unnest(${[...ids]}::bigint[]) x(id) on conflict do nothing`,
  )
}

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Refuses files that whoever acts may not show. */
export async function mustBeOwnFiles(context: FlowContext, ids: readonly string[]): Promise<void> {
  if (await someForeign(context, ids, []))
    throw fieldProblem(
      [{ field: 'fileIds', label: { zh: '附件', en: 'Files' }, reason: { zh: notOwn[0], en: notOwn[1] } }],
      context.circumstance.language,
    )
}

const notOwn: Told = ['含有不是您上传的文件，请重新上传', 'contains a file that you did not upload: upload it again']

/** The files that a form holds. */
export const filesOf = (plan: ProcessPlan, values: Variables): string[] =>
  plan.form.flatMap(({ kind, name }) => (kind === 'files' ? idsOf(values[name]) : []))

/** Which fields a step may write: those that its model says; when a process is started, all. */
export const mayWrite = (plan: ProcessPlan, node: string | undefined, name: string): boolean =>
  node === undefined ? true : plan.nodes[node]?.task?.fields[name] === 'write'

/**
 * The fields of a form as somebody gives them at a step, checked: an unknown one, one that the step may not write and one
 * that does not fit are refused by name. Nothing else gets into an instance from outside.
 */
export async function readForm(
  context: FlowContext,
  plan: ProcessPlan,
  node: string | undefined,
  given: unknown,
  before: Variables,
): Promise<Variables> {
  const { tx, actor, circumstance } = context
  const refuse = (field: string, label: string, [zh, en]: Told): FieldFault => ({
    field,
    label: { zh: label, en: label },
    reason: { zh, en },
  })
  const faults: FieldFault[] = []
  const values: Record<string, unknown> = {}
  const sent =
    typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : {}
  for (const name of Object.keys(sent)) {
    const field = plan.form.find((each) => each.name === name)
    if (!field) faults.push(refuse(name, name, ['表单没有这个字段', 'is no field of the form']))
    else if (!mayWrite(plan, node, name))
      faults.push(refuse(name, field.label, ['本步骤不能修改', 'cannot be changed at this step']))
  }
  for (const field of plan.form) {
    const { name, label } = field
    if (!mayWrite(plan, node, name)) continue
    const value = Object.hasOwn(sent, name) ? sent[name] : before[name]
    if (isEmpty(value)) {
      if (field.required) faults.push(refuse(name, label, ['必填', 'is required']))
      else values[name] = null
      continue
    }
    const fault = faultOf(value, field)
    if (fault) faults.push(refuse(name, label, fault))
    else if (field.kind === 'user' && (await someUnknown(tx, actor.tenantId, [value as string])))
      faults.push(refuse(name, label, ['所选人员不存在', 'names somebody who is not there']))
    else if (field.kind === 'student' && value !== before[name] && !(await mayName(context, value as string)))
      faults.push(refuse(name, label, ['所选学生不存在或不在您的数据范围内', 'names no student whom you work with']))
    else if (field.kind === 'files' && (await someForeign(context, value as string[], idsOf(before[name]))))
      faults.push(refuse(name, label, notOwn))
    else values[name] = value
  }
  if (faults.length > 0) throw fieldProblem(faults, circumstance.language)
  return values
}

/** By which column of which table what a kind of field names is known. */
const shownTables: Partial<Readonly<Record<FormField['kind'], readonly [table: string, column: string]>>> = {
  user: ['app_user', 'real_name'],
  student: ['student', 'name'],
  files: ['attach', 'original_name'],
}

/** What is shown of a value in place of ids. */
export async function shownOf(
  tx: Tx,
  tenantId: string,
  { kind, options }: FormField,
  value: unknown,
): Promise<string | null> {
  if (isEmpty(value)) return null
  if (kind === 'choice') return options?.find(({ key }) => key === value)?.label ?? null
  const [table, column] = shownTables[kind] ?? []
  if (!table || !column) return null
  const ids = (Array.isArray(value) ? value : [value]) as string[]
  const rows = await tx.run<{ name: string }>(
    sql`select ${sql.ref(column)} as name from ${sql.table(table)} where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) order by array_position(${ids}::bigint[], id)`,
  )
  return rows.map(({ name }) => name).join('、')
}
