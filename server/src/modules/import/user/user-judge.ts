import { idNoFacts, tidyText, type Words } from '@data-brain/contract'
import { userForm } from '@data-brain/contract/import/user-form'
import { sql } from '../../../database/statement.ts'
import { checkDraft, type Values } from '../../../entity/check.ts'
import { type ModelField, modelFor } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import { isCovered } from '../../system/index.ts'
import { answersOf, type ImportAnswers } from '../batch/answers.ts'
import type { Batch, StoredRow } from '../batch/batch.ts'
import { readCell } from '../batch/cell.ts'
import { saysNothing, tidyName, wholeNumber } from '../batch/cell-words.ts'
import type { RowVerdict } from '../batch/form.ts'
import { foldWord } from '../batch/lookups.ts'
import { monthOf } from '../batch/prepared-cell.ts'
import { type Fault, leftOut, stateOf } from '../batch/row.ts'
import { customReader, type ReadCustom } from '../custom.ts'
import { loadMany } from '../student/known-students.ts'
import {
  Coverage,
  isLinked,
  linkedTo,
  readUserLookups,
  type UserLookups,
  userModel,
  userReferenceFields,
} from './user-lookups.ts'

export interface UserBench {
  readonly context: Context
  readonly update: boolean
  readonly lookups: UserLookups
  readonly columns: readonly { readonly at: number; readonly key: string; readonly field: ModelField }[]
  /** Where numbers of identity cards stand. */
  readonly idNoAt: number
  readonly coverage: Coverage
  readonly answers: ImportAnswers
  readonly readCustom: ReadCustom
}

/** A row with what it would store. */
export interface JudgedUser extends RowVerdict {
  readonly values: Values
  /** The account as it stands, where one is changed. */
  readonly before: Values | undefined
}

export async function userBenchOf(context: Context, batch: Batch): Promise<UserBench> {
  const byKey = new Map(userForm.map((column) => [column.key, column]))
  return {
    context,
    update: batch.settings.duplicates === 'update',
    lookups: await readUserLookups(context.tx, context.actor.tenantId),
    columns: Object.entries(batch.mapping).flatMap(([at, key]) => {
      const field = userModel.byName.get(byKey.get(key)?.field ?? '')
      return field ? [{ at: Number(at), key, field }] : []
    }),
    idNoAt: Number(Object.entries(batch.mapping).find(([, key]) => key === 'check.idNo')?.[0] ?? -1),
    coverage: new Coverage(context.tx, context.actor),
    answers: answersOf(batch.settings, context),
    readCustom: await customReader(context, batch, 'user', modelFor(userModel.entity, context.actor)),
  }
}

type Add = (field: string, words: Words) => void

/** The ids that the words of a cell mean; what is none, or several, is told. */
function idsOf(
  text: string,
  field: ModelField & { name: (typeof userReferenceFields)[number] },
  bench: UserBench,
  add: Add,
): string[] {
  const { ids } = bench.lookups.named[field.name]
  const { zh, en } = linkedTo[field.name].label
  const found = new Set<string>()
  for (const word of text.split(/[,,、;;\n]/).map((each) => each.trim())) {
    if (!word) continue
    const id = ids.get(foldWord(word))
    if (id) found.add(id)
    else if (id === '')
      add(field.name, {
        zh: `有几个${zh}叫这个名字${field.name === 'deptId' ? '，请写全路径（如 总校/初中部/数学组）' : ''}`,
        en: `fits several${field.name === 'deptId' ? ': write the whole path, as in 总校/初中部/数学组' : ''}`,
      })
    else add(field.name, { zh: `没有这个${zh}`, en: `is no ${en.toLowerCase()}` })
  }
  return [...found]
}

/** Reads the cells of a row into a draft. */
function read(row: StoredRow, bench: UserBench): { draft: Values; faults: Fault[] } {
  const draft: Values = {}
  const faults: Fault[] = []
  const add: Add = (field, words) => {
    const key = `user.${field}`
    if (!faults.some((fault) => fault.key === key)) faults.push({ key, zh: words.zh, en: words.en })
  }
  // A list of staff leaves birth and sex to the identity number, or gives the month alone beside it.
  const facts = idNoFacts(tidyText('idNo', row.kept.cells[bench.idNoAt] ?? ''))
  for (const { at, key, field } of bench.columns) {
    const cell = wholeNumber((row.kept.cells[at] ?? '').trim())
    const mark = row.kept.marks?.[at]
    if (cell !== '' && bench.answers.leavesOut(key, cell)) add(field.name, leftOut)
    const said = cell === '' ? '' : (bench.answers.instead(key, cell) ?? cell)
    const text = field.rule === 'personName' ? tidyName(said) : said
    if (!mark && (text === '' || isNothing(text, field, bench))) continue
    if (isLinked(field) && !mark) {
      const ids = idsOf(text, field, bench, add)
      if (ids.length > 0) draft[field.name] = ids
      continue
    }
    const read = isLinked(field)
      ? readCell(text, mark, { ...field, kind: 'text' }, bench.lookups)
      : readCell(text, mark, field, bench.lookups)
    const month = field.name === 'birthday' && !mark ? monthOf(text) : undefined
    if (month && facts && [facts.birthDate, facts.birthDate.slice(2)].some((day) => day.startsWith(month))) continue
    if ('fault' in read) add(field.name, read.fault)
    else draft[field.name] = read.value
  }
  if (facts && !faults.some(({ key }) => key === 'user.birthday')) draft.birthday ??= facts.birthDate
  if (facts && !faults.some(({ key }) => key === 'user.sex')) draft.sex ??= facts.sex
  return { draft, faults }
}

/** Whether a cell says that there is nothing to say; some words for it are values of a dictionary. */
const isNothing = (text: string, field: ModelField, { lookups }: UserBench): boolean =>
  saysNothing(text) && lookups.choices.get(field.dict ?? '')?.get(foldWord(text)) === undefined

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

interface Holder {
  readonly id: string
  readonly account: string
  readonly staff_no: string | null
}

/** The users with these accounts or staff numbers. */
const holdersOf = (
  { tx, actor }: Context,
  accounts: readonly string[],
  numbers: readonly string[],
): Promise<Holder[]> =>
  tx.run<Holder>(
    sql`select id, account, staff_no from app_user where tenant_id = ${actor.tenantId} and (account = any(${[...accounts]}::text[]) or staff_no = any(${[...numbers]}::text[]))`,
  )

/** Users as they stand, with what they are linked to. */
async function beforeOf(context: Context, ids: readonly string[]): Promise<Map<string, Values>> {
  const rows = new Map<string, Values>((await loadMany(userModel, context, 'id', ids)).map((row) => [row.id, row]))
  for (const name of userReferenceFields) {
    for (const row of rows.values()) row[name] = []
    const table = userModel.byName.get(name)?.linkTable ?? ''
    for (const { owner_id: owner, target_id: target } of await context.tx.run<{ owner_id: string; target_id: string }>(
      sql`select owner_id, target_id from ${sql.table(table)} where tenant_id = ${context.actor.tenantId} and owner_id = any(${[...ids]}::bigint[]) order by ord`,
    ))
      (rows.get(owner)?.[name] as string[] | undefined)?.push(target)
  }
  return rows
}

/** Roles are given and taken only by who may, and of those that the actor covers; so is the person they belong to. */
async function judgeRoles(bench: UserBench, values: Values, before: Values | undefined, add: Add): Promise<void> {
  if (!('roleId' in values)) return
  const is = values.roleId as string[]
  const was = (before?.roleId as string[] | undefined) ?? []
  const changed = [...is.filter((id) => !was.includes(id)), ...was.filter((id) => !is.includes(id))]
  if (changed.length === 0) return
  if (!bench.coverage.mayGrant)
    return add('roleId', { zh: '您没有“角色配置”的权限', en: 'needs the permission to assign roles' })
  for (const id of changed)
    if (!(await bench.coverage.covers(id))) {
      const name = bench.lookups.named.roleId.titles.get(id) ?? ''
      return add('roleId', {
        zh: `不能授予自己没有的权限：${name}`,
        en: `You cannot grant what you do not hold: ${name}`,
      })
    }
  if (!before) return
  if (!(await isCovered(bench.context.tx, bench.context.actor, String(before.id))))
    add('roleId', { zh: '该用户的权限超出您的权限范围', en: 'belongs to a user who may do more than you may' })
}

/** The phone of an account, to which codes to log in with are sent, is changed by whoever may do as much as its holder. */
async function judgePhone({ context: { tx, actor } }: UserBench, values: Values, old: Values, add: Add): Promise<void> {
  if (!('phone' in values) || (values.phone ?? null) === (old.phone ?? null)) return
  if (!(await isCovered(tx, actor, String(old.id))))
    add('phone', { zh: '该用户的权限超出您的权限范围', en: 'belongs to a user who may do more than you may' })
}

/** Judges rows: reads their cells, finds whom they are about, and checks what would be stored. */
export async function judgeUsers(bench: UserBench, rows: readonly StoredRow[]): Promise<JudgedUser[]> {
  const { context, update, lookups } = bench
  const drafts = rows.map((row) => read(row, bench))
  const numberOf = ({ draft }: { draft: Values }): string => tidyText('code', textOf(draft.staffNo))
  // Schools list teachers without accounts: the staff number is one, or the telephone that they log in with.
  const accountOf = ({ draft }: { draft: Values }): string =>
    tidyText('account', textOf(draft.account ?? draft.staffNo ?? draft.phone))
  const holders = await holdersOf(context, drafts.map(accountOf).filter(Boolean), drafts.map(numberOf).filter(Boolean))
  const byAccount = new Map(holders.map((holder) => [holder.account, holder]))
  const byNumber = new Map(holders.flatMap((holder) => (holder.staff_no ? [[holder.staff_no, holder] as const] : [])))
  for (const each of drafts)
    each.draft.account ??= byNumber.get(numberOf(each))?.account ?? (accountOf(each) || undefined)
  const before = update
    ? await beforeOf(
        context,
        drafts.flatMap((each) => byAccount.get(accountOf(each))?.id ?? []),
      )
    : new Map<string, Values>()
  const judged: JudgedUser[] = []
  for (const [index, row] of rows.entries()) {
    const { draft, faults } = drafts[index]!
    const [account, number] = [accountOf(drafts[index]!), numberOf(drafts[index]!)]
    const id = byAccount.get(account)?.id ?? null
    const keys = [...(account ? [`account:${account}`] : []), ...(number ? [`staffNo:${number}`] : [])]
    const told = { no: row.no, keys, row_id: id }
    // A row that is left alone need not be right.
    if (id && !update) {
      judged.push({ ...told, state: 'duplicate', faults: [], values: {}, before: undefined })
      continue
    }
    const old = id ? before.get(id) : undefined
    const add: Add = (field, words) => {
      const key = `user.${field}`
      if (!faults.some((fault) => fault.key === key)) faults.push({ key, zh: words.zh, en: words.en })
    }
    const checked = checkDraft(userModel, draft, old)
    for (const fault of checked.faults) add(fault.field, fault.reason)
    for (const field of userModel.fields) {
      const value = checked.values[field.name]
      if (field.dict && typeof value === 'string' && !lookups.keys.get(field.dict)?.has(value))
        add(field.name, { zh: '不是可选的值', en: 'is not one of the choices' })
    }
    const other = number ? byNumber.get(number) : undefined
    if (other && other.id !== id) add('staffNo', { zh: '已属于另一名用户', en: 'belongs to another user' })
    await judgeRoles(bench, checked.values, old, add)
    if (old) await judgePhone(bench, checked.values, old, add)
    const own = bench.readCustom(row.kept)
    faults.push(...own.faults)
    const state = stateOf(faults, Boolean(id))
    judged.push({ ...told, state, faults, values: { ...checked.values, ...own.values }, before: old })
  }
  return judged
}
