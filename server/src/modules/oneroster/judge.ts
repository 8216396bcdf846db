import type { Entity, Words } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import { checkDraft, type Values } from '../../entity/check.ts'
import type { ModelField } from '../../entity/model.ts'
import type { Context } from '../../entity/repository.ts'
import { isOver, yieldTurn } from '../../kernel/cooperative.ts'
import { isCovered } from '../system/index.ts'
import { type CarriedEntity, carriers } from './carried-entities.ts'
import { isExported, type State, type StateRow } from './current-state.ts'
import type { Faults } from './fault.ts'
import { type PassProgress, portions, sizeOf } from './pass-progress.ts'
import { keyOf, originOf, type Plan, type WantedRow } from './plan.ts'

/** What becomes of a wanted row. */
export interface RosterVerdict {
  readonly wanted: WantedRow
  readonly what: 'add' | 'update' | 'unchanged'
  /** All values of a new row; of a standing one, those that change. */
  readonly values: Values
  readonly status: number | undefined
  readonly extId: string | undefined
}

export interface JudgedRows {
  readonly verdicts: ReadonlyMap<string, readonly RosterVerdict[]>
  /** Rows that came by an earlier import and that the archive no longer knows. */
  readonly missing: ReadonlyMap<string, readonly StateRow[]>
}

/** Judges every wanted row by its definition, against the others, and against what stands. */
export async function judgeRoster(
  plan: Plan,
  context: Context,
  faults: Faults,
  pace: PassProgress,
): Promise<JudgedRows> {
  const offered = await readOffered(plan, context)
  const verdicts = new Map<string, RosterVerdict[]>()
  const missing = new Map<string, StateRow[]>()
  const administers = context.actor.roles.some((role) => role.admin)
  const step = pace.begin('judge', sizeOf(plan.wanted.values()))
  for (const [entity, carrier] of carriers) {
    const list: RosterVerdict[] = []
    for (const portion of portions(plan.wanted.get(entity) ?? [])) {
      for (const wanted of portion) {
        const verdict = judgeOne(wanted, plan, offered, faults)
        if (verdict.what === 'update' && entity === 'user' && plan.state.administrators.has(wanted.id) && !administers)
          tell(faults, plan, wanted, 'account', {
            zh: '是管理员的账号，只有管理员可以导入',
            en: 'is an administrator: only an administrator may import it',
          })
        list.push(verdict)
      }
      await step(portion.length)
    }
    if (entity === 'user' && !administers) await refuseStronger(list, plan, context, faults)
    verdicts.set(entity, list)
    await checkUnique(carrier, plan, list, faults)
    missing.set(
      entity,
      entity === 'dept' || !plan.sorted.files.includes(carrier.file) ? [] : missingOf(entity, carrier, plan, context),
    )
  }
  return { verdicts, missing }
}

/** Whoever may do more than the caller is given no other account by an import, and no phone to which codes to log in go. */
async function refuseStronger(
  list: readonly RosterVerdict[],
  plan: Plan,
  { tx, actor }: Context,
  faults: Faults,
): Promise<void> {
  for (const { wanted, what, values } of list) {
    const field = what === 'update' && ['account', 'phone'].find((name) => name in values)
    if (field && !(await isCovered(tx, actor, wanted.id)))
      tell(faults, plan, wanted, field, {
        zh: '该用户的权限超出您的权限范围',
        en: 'belongs to a user who may do more than you may',
      })
  }
}

function tell(faults: Faults, { sorted }: Plan, wanted: WantedRow, field: string, reason: Words): void {
  const origin = originOf(wanted, field, sorted)
  faults.add(origin.file, origin.line, origin.column, reason.zh, reason.en)
}

function judgeOne(wanted: WantedRow, plan: Plan, offered: Offered, faults: Faults): RosterVerdict {
  const { model } = wanted.carrier
  const { kept, draft } = wanted
  const before = faults.count
  const given: Values = {}
  for (const field of model.fields)
    if (!field.computed && draft[field.name] !== undefined) given[field.name] = draft[field.name]
  const { values, faults: found } = checkDraft(model, given, kept?.values)
  for (const { field, label, reason } of found)
    tell(faults, plan, wanted, field, { zh: `${label.zh}：${reason.zh}`, en: `${label.en}: ${reason.en}` })
  for (const field of model.fields) {
    const value = draft[field.name]
    // A default fills what nobody spoke of; what was said to be empty stays empty.
    if (
      !kept &&
      value === null &&
      !field.required &&
      field.default !== undefined &&
      (field.kind !== 'flag' || field.national)
    )
      values[field.name] = null
    if (field.computed && value !== undefined && !kept) values[field.name] = value
  }
  if (!kept && model.entity.name === 'user') values.deptId = deptsOf(wanted, plan)
  const changed = kept
    ? Object.fromEntries(
        Object.entries(values).filter(([name, value]) => changes(model.byName.get(name)!, value, kept, plan.state)),
      )
    : values
  for (const [name, value] of Object.entries(changed)) {
    const field = model.byName.get(name)!
    if (kept && field.fixed)
      tell(faults, plan, wanted, name, { zh: `${field.label.zh}不能修改`, en: `${field.label.en} cannot be changed` })
    for (const key of field.dict ? [value ?? []].flat() : [])
      if (!offered.choices.has(`${field.dict}|${key}`))
        tell(faults, plan, wanted, name, {
          zh: `${field.label.zh}：“${key}”不是可选的值`,
          en: `${field.label.en}: "${key}" is not one of the choices`,
        })
    if (field.kind === 'region' && value && !offered.regions.has(String(value)))
      tell(faults, plan, wanted, name, {
        zh: `${field.label.zh}：没有行政区划“${value}”`,
        en: `${field.label.en}: there is no region "${value}"`,
      })
  }
  if (faults.count === before) checkEntity(model.entity, { ...kept?.values, ...values }, wanted, plan, faults)
  const extId =
    kept === undefined || (kept.extId === null && kept.id !== wanted.item.sourcedId) ? wanted.item.sourcedId : undefined
  const status =
    wanted.status !== undefined && wanted.status !== kept?.status && model.entity.name !== 'dept'
      ? wanted.status
      : undefined
  const what = !kept
    ? 'add'
    : Object.keys(changed).length > 0 || extId !== undefined || status !== undefined
      ? 'update'
      : 'unchanged'
  return { wanted, what, values: changed, status, extId }
}

/** What the database would refuse without naming the line. */
function checkEntity(entity: Entity, whole: Values, wanted: WantedRow, plan: Plan, faults: Faults): void {
  if (entity.name === 'schoolyear') {
    const days = (Date.parse(String(whole.endDate)) - Date.parse(String(whole.beginDate))) / 86_400_000 + 1
    if (days < 240 || days > 400)
      tell(faults, plan, wanted, 'endDate', { zh: '一个学年应有240至400天', en: 'a school year has 240 to 400 days' })
  }
  for (const field of wanted.carrier.model.fields)
    if (field.required && field.computed && field.kind === 'reference' && field.name !== 'deptId' && !whole[field.name])
      tell(faults, plan, wanted, field.name, {
        zh: `${field.label.zh}：不能为空`,
        en: `${field.label.en}: is required`,
      })
}

/** New staff belong to the departments of their schools; who has none, to the district. */
function deptsOf(wanted: WantedRow, plan: Plan): string[] {
  const orgs = plan.sorted.orgsOfUser.get(wanted.item.sourcedId) ?? []
  const schools = (plan.wanted.get('school') ?? []).filter((each) => orgs.includes(each.item.sourcedId))
  const ordered = orgs.flatMap((org) => schools.find((each) => each.item.sourcedId === org) ?? [])
  // A new school's department is made at the commit; until then the school's own id stands for it.
  const depts = ordered.map((each) => String(each.kept?.values.deptId ?? each.id))
  return depts.length > 0 ? [...new Set(depts)] : plan.state.rootDept ? [plan.state.rootDept] : []
}

function changes(field: ModelField, value: unknown, kept: StateRow, state: State): boolean {
  const now = kept.values[field.name]
  if (field.kind === 'references') {
    const members = (list: unknown): string => [...((list as string[] | null) ?? [])].sort().join()
    return members(value) !== members(now)
  }
  // Somebody who never leaves cannot come back: an empty cell does not mean that nobody is meant.
  if (field.to === 'user' && !value && now) {
    const person = state.rows.get('user').get(String(now))
    if (person && !isExported(state, 'user', person)) return false
  }
  if (field.kind === 'json') return ordered(value) !== ordered(now)
  if (typeof value === 'object' || typeof now === 'object')
    return JSON.stringify(value ?? []) !== JSON.stringify(now ?? [])
  if (field.kind === 'flag' && field.default !== undefined) return (value ?? 0) !== (now ?? 0)
  return (value ?? null) !== (now ?? null)
}

/** JSON whose keys stand in one order, whatever the database made of them. */
const ordered = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, each: unknown) =>
    each && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

interface Offered {
  readonly choices: ReadonlySet<string>
  readonly regions: ReadonlySet<string>
}

async function readOffered(plan: Plan, { tx, actor }: Context): Promise<Offered> {
  const keys = await tx.run<{ key: string }>(
    sql`select code || '|' || dict_key as key from dict_biz_seen where tenant_id = ${actor.tenantId} and is_sealed = 0
        union all select code || '|' || dict_key from dict where is_sealed = 0 and parent_id is not null`,
  )
  const named = new Set<string>()
  for (const [entity, list] of plan.wanted)
    for (const field of carriers.get(entity)!.model.fields)
      if (field.kind === 'region')
        for (const wanted of list) if (wanted.draft[field.name]) named.add(String(wanted.draft[field.name]))
  const regions =
    named.size === 0
      ? []
      : await tx.run<{ code: string }>(sql`select code from region where code = any(${[...named]}::text[])`)
  return { choices: new Set(keys.map((row) => row.key)), regions: new Set(regions.map((row) => row.code)) }
}

/** Keys that the database would find broken are told by the line that breaks them. */
async function checkUnique(
  carrier: CarriedEntity,
  plan: Plan,
  verdicts: readonly RosterVerdict[],
  faults: Faults,
): Promise<void> {
  const { model } = carrier
  const rows = plan.state.rows.get(model.entity.name)!
  const judged = new Set(verdicts.map((verdict) => verdict.wanted.id))
  const keys = [
    ...(model.entity.unique ?? []).map((fields) => ({ fields, of: [], where: undefined })),
    ...(model.entity.single ?? []).map(({ flag, per }) => ({
      fields: per,
      of: [flag],
      where: (values: Values) => values[flag] === 1,
    })),
    ...(model.entity.name === 'studentparents'
      ? [
          {
            fields: ['studentId', 'relation'],
            of: [],
            where: (values: Values) => values.relation === '51' || values.relation === '52',
          },
        ]
      : []),
  ]
  for (const { fields, of, where } of keys) {
    const asked: readonly string[] = [...fields, ...of]
    const held = new Set<string>()
    for (const row of rows.values()) {
      if (isOver()) await yieldTurn()
      const key = judged.has(row.id) || (where && !where(row.values)) ? null : keyOf(fields, row.values)
      if (key) held.add(key)
    }
    for (const { wanted, what, values } of verdicts) {
      if (isOver()) await yieldTurn()
      const whole: Values = {}
      for (const name of asked) whole[name] = name in values ? values[name] : wanted.kept?.values[name]
      const key = where && !where(whole) ? null : keyOf(fields, whole)
      if (!key) continue
      if (held.has(key) && what !== 'unchanged') {
        const labels = fields
          .filter((name) => name !== 'schoolId' || fields.length === 1)
          .map((name) => model.byName.get(name)!.label)
        tell(faults, plan, wanted, fields.at(-1)!, {
          zh: `${labels.map((label) => label.zh).join('、')}与其他${model.entity.label.zh}重复`,
          en: `${labels.map((label) => label.en).join(', ')}: the same as of another ${model.entity.label.en.toLowerCase()}`,
        })
      }
      held.add(key)
    }
  }
}

function missingOf(entity: string, carrier: CarriedEntity, plan: Plan, context: Context): StateRow[] {
  const here = new Set((plan.wanted.get(entity) ?? []).map((wanted) => wanted.id))
  const spared = (row: StateRow): boolean =>
    entity === 'user' && (plan.state.administrators.has(row.id) || row.id === context.actor.userId)
  return [...plan.state.rows.get(entity)!.values()].filter(
    (row) => row.extId !== null && !here.has(row.id) && row.status !== carrier.retired && !spared(row),
  )
}
