import { user, type Words } from '@data-brain/contract'
import { exampleMark, type FormColumn } from '@data-brain/contract/import/form'
import { userForm as allColumns } from '@data-brain/contract/import/user-form'
import type { Tx } from '../../../database/transaction.ts'
import type { Context } from '../../../entity/repository.ts'
import { pluralize } from '../../../kernel/pluralize.ts'
import type { Call } from '../../../kernel/route.ts'
import { accountRoom } from '../../tenant/index.ts'
import type { Batch } from '../batch/batch.ts'
import type { CellQuestion, Form, Option, RowJudge } from '../batch/form.ts'
import { foldWord } from '../batch/lookups.ts'
import type { Template } from '../file/output-workbook.ts'
import { judgeUsers, userBenchOf } from './user-judge.ts'
import { Coverage, isLinked, readUserLookups, userModel } from './user-lookups.ts'
import { beginUndo, loggedIn, storeUsers } from './user-store.ts'

/** What is understood where a file has it, and not asked for. */
const understood: ReadonlySet<string> = new Set(['user.teacherCertNo'])
/** The columns of the template. */
const columns = allColumns.filter(({ part, key }) => part === 'user' && !understood.has(key))
const heading = ({ label, starred }: FormColumn): string => `${label.zh} ${label.en}${starred ? '★' : ''}`

const example: Readonly<Record<string, string>> = {
  'user.account': `${exampleMark}（本行不会导入） Example, not imported`,
  'user.realName': '王老师',
  'user.staffNo': 'T2026001',
  'user.phone': '13800000000',
  'user.email': 'wang@example.com',
  'user.birthday': '1990-05-01',
  'user.hireDate': '2026-09-01',
}

/** Longer drop-downs help nobody, and make the file large. */
const offeredMost = 500

const howTo: readonly Words[] = [
  { zh: '每名用户一行；红底的列必须填写。', en: 'One row per user; red columns are required.' },
  {
    zh: '可以删除不用的列，列的次序可以改变。',
    en: 'Columns that are not used may be deleted, and their order may change.',
  },
  {
    zh: '没有账号的，用工号作账号；也没有工号的，用手机号。',
    en: 'Without an account the staff number is the account, and without that the mobile number.',
  },
  {
    zh: '账号已存在时，按上传时的选择跳过或更新；空单元格不改变原值。',
    en: 'Where the account exists, the user is left alone or changed, as chosen with the upload; an empty cell changes nothing.',
  },
  {
    zh: '部门写名称；同名时写全路径，如 总校/初中部/数学组。',
    en: 'A department is written by its name, or by its whole path where several are called so: 总校/初中部/数学组.',
  },
  {
    zh: '部门、角色、岗位可以写几个，用逗号或顿号分开。',
    en: 'Several departments, roles or posts are separated by commas.',
  },
  {
    zh: '只能授予自己拥有的角色权限；没有“角色配置”权限时请留空。',
    en: 'Only roles whose rights you hold yourself can be given; leave them empty without the permission to assign roles.',
  },
  {
    zh: '新用户得到随机的初始密码，导入后可下载一次，首次登录须修改。',
    en: 'New users get random passwords, which can be downloaded once after the import and must be changed at the first log-in.',
  },
  { zh: '日期可写成2026-09-01或2026/9/1。', en: 'A day may be written 2026-09-01 or 2026/9/1.' },
  { zh: '不要使用公式；复制来的公式请选择性粘贴为数值。', en: 'No formulas: paste them as values.' },
]

const fieldOf = (column: FormColumn) => userModel.byName.get(column.field)
const need = (column: FormColumn): 'always' | 'no' => {
  const field = fieldOf(column)
  return field?.required && field.default === undefined ? 'always' : 'no'
}

/** The template, with the departments, posts and dictionaries of the tenant, and the roles that the caller may give. */
async function blank({ tx, actor }: Call): Promise<Template> {
  const lookups = await readUserLookups(tx, actor.tenantId)
  const coverage = new Coverage(tx, actor)
  const roles: string[] = []
  if (coverage.mayGrant)
    for (const [id, name] of lookups.named.roleId.titles) if (await coverage.covers(id)) roles.push(name)
  const offers = (column: FormColumn): string[] => {
    const field = fieldOf(column)
    if (!field) return []
    if (field.name === 'roleId') return roles
    if (isLinked(field)) return [...lookups.named[field.name].titles.values()].slice(0, offeredMost)
    return field.dict ? (lookups.offers.get(field.dict) ?? []).map((offer) => offer.zh) : []
  }
  return {
    name: '用户 Users',
    columns,
    heading,
    offers,
    isNeeded: (column) => column.starred,
    example: (column) => example[column.key] ?? (column.field === 'roleId' ? '' : (offers(column)[0] ?? '')),
    howTo,
  }
}

async function judgeOf(context: Context, batch: Batch): Promise<RowJudge> {
  const bench = await userBenchOf(context, batch)
  return async (rows) => (await judgeUsers(bench, rows)).map(({ values: _, before: __, ...verdict }) => verdict)
}

/** Titles with those in front whose own name is the word, 总校/教务处 of 教务处, or has its beginning, 语文教研组 of 语文组. */
function nearestFirst(text: string, titles: readonly string[]): string[] {
  const word = foldWord(text)
  const stem = word.replace(/(教研)?[组室处部科]$/, '')
  const rank = (title: string): number => {
    const own = foldWord(title.split('/').at(-1) ?? '')
    return own === word ? 0 : stem !== '' && own.includes(stem) ? 1 : 2
  }
  return titles.toSorted((a, b) => rank(a) - rank(b))
}

/** What can be said of words that name no department, role or post, or no entry of a dictionary. */
async function asks({ tx, actor, circumstance }: Context): Promise<CellQuestion> {
  const lookups = await readUserLookups(tx, actor.tenantId)
  const coverage = new Coverage(tx, actor)
  const roles: Option[] = []
  if (coverage.mayGrant)
    for (const [id, name] of lookups.named.roleId.titles)
      if (await coverage.covers(id)) roles.push({ value: name, label: name })
  return {
    isWord: (key) => {
      const field = userModel.byName.get(key.slice('user.'.length))
      return field !== undefined && isLinked(field)
    },
    made: () => undefined,
    plan: () => undefined,
    options: (key, text) => {
      const field = userModel.byName.get(key.slice('user.'.length))
      if (!field) return []
      if (field.name === 'roleId') return roles
      if (isLinked(field))
        return nearestFirst(text, [...lookups.named[field.name].titles.values()])
          .slice(0, offeredMost)
          .map((title) => ({ value: title, label: title }))
      return (lookups.offers.get(field.dict ?? '') ?? []).map((offer) => ({
        value: offer.zh,
        label: offer[circumstance.language],
      }))
    },
  }
}

/** More new accounts than the tenant’s quota leaves: told before anybody waits for their passwords. */
async function beyondQuota(tx: Tx, tenantId: string, adding: number): Promise<Words | undefined> {
  const room = await accountRoom(tx, tenantId)
  if (!room || adding <= room.left) return undefined
  const { quota, left } = room
  return {
    zh: `文件中有${adding}个新账号，超出租户额度：额度${quota}个，还可新增${left}个。请减少${adding - left}个，或请平台管理员提高额度`,
    en: `The file has ${pluralize(adding, 'new account')}, more than the tenant’s quota of ${quota} leaves room for (${left}): leave ${adding - left} out, or ask the platform’s administrator for more`,
  }
}

/** Accounts, one on each line. */
export const userForm: Form = {
  kind: 'user',
  title: { zh: '用户导入', en: 'User import' },
  code: 'user_import',
  personal: 'user_personal',
  entities: [user],
  template: 'user',
  templateName: { zh: '用户导入模板', en: 'users' },
  columns: allColumns,
  models: { user: userModel },
  main: 'user',
  need,
  derived: (mapped) => (mapped.has('user.staffNo') || mapped.has('user.phone') ? ['user.account'] : []),
  settings: async () => ({}),
  blank,
  judge: judgeOf,
  asks,
  refuses: beyondQuota,
  store: storeUsers,
  undo: { order: [userModel], usedSince: loggedIn, begin: beginUndo },
}
