import path from 'node:path'
import pg from 'pg'
import { backUp, restore } from './backup/index.ts'
import { changeAddress, databaseOf } from './database/address.ts'
import { makePool } from './database/connect.ts'
import { newId } from './database/id.ts'
import { acceptKeys, refuseOtherKeys } from './database/key-check.ts'
import { accessDatabase } from './database/reach.ts'
import { rolesOf } from './database/roles.ts'
import { sql } from './database/statement.ts'
import { inPlatform, inTenant, isTenantCode } from './database/transaction.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { system } from './kernel/actor.ts'
import { Cipher } from './kernel/cipher.ts'
import { hashPassword, randomPassword, wireMd5 } from './kernel/password.ts'
import { parameterOf } from './kernel/setting.ts'
import { accountHash, dropIdentities, setPassword, unlock } from './modules/auth/index.ts'
import { verifyTenant } from './modules/history/index.ts'
import { dropFolder } from './modules/resource/index.ts'
import { exportTenant, importTenant } from './modules/tenant/index.ts'
import { loadSecrets, readSecrets, type Secrets, secretsFile } from './secrets.ts'
import { removeDemo } from './seed/index.ts'
import { inWords, StartError } from './start-error.ts'

/*
 * Help for whoever runs the server, when nobody can log in any more. It works on the database itself, beside a server
 * that runs or without one; whoever may read the data folder may do all of this anyway.
 */

const usage = `npm run admin -- list                                tenants and their administrators / 租户及其管理员
npm run admin -- reset-password <tenant> <account>   a one-time password, shown once / 生成一次性密码
npm run admin -- unlock <tenant> <account>           after too many wrong passwords / 解除登录锁定
npm run admin -- export-tenant <tenant> <file>       all that a tenant owns, sealed / 导出租户的全部数据（加密）
npm run admin -- import-tenant <file> [--as <tenant>]  brings it in, here or elsewhere / 导入租户
                 both ask for TENANT_PASSPHRASE, or --passphrase <text> / 均需口令
npm run backup -- [file] [--without-keys]            the built-in database, the files and the keys / 备份
npm run restore -- <file>                            into an empty data folder / 恢复到空的数据文件夹
npm run admin -- verify-history [tenant]             the chain of hashes over all changes / 校验变更记录的哈希链
npm run admin -- remove-demo                         the demo tenant and all in it / 删除演示租户及其全部数据
npm run admin -- add-demo                            lay the demo at the next start / 下次启动时建立演示租户
npm run admin -- accept-keys                         keys that are lost for good are given up / 原密钥彻底丢失时，改用现有密钥
npm run admin -- client                              id and secret of the console's client / 客户端编号和密钥`

interface Desk {
  readonly environment: Environment
  readonly owner: pg.Pool
  readonly platform: pg.Pool
  readonly secrets: Secrets
  close(): Promise<void>
}

const notYet = (): StartError =>
  new StartError('这里还没有数据：请先启动一次服务。', 'There is no data here yet: start the server once first.')

async function open(environment: Environment): Promise<Desk> {
  const file = secretsFile(environment.dataDir)
  const secrets = await readSecrets(environment.dataDir)
  if (!secrets) throw notYet()
  const { url, release } = await accessDatabase(environment)
  const roles = rolesOf(databaseOf(url))
  const owner = makePool(url, { size: 1 })
  // Row-level security binds the owner too: only this role sees all tenants.
  const platform = makePool(changeAddress(url, { user: roles.platform, password: secrets.platformPassword }), {
    size: 1,
  })
  const close = async (): Promise<void> => {
    await Promise.all([owner.end(), platform.end()])
    await release()
  }
  try {
    const client = await owner.connect()
    // A password set with another pepper would let nobody in.
    await refuseOtherKeys(client, secrets, file).finally(() => client.release())
    await platform.query('select 1 from tenant limit 1')
    return { environment, owner, platform, secrets, close }
  } catch (error) {
    await close()
    throw error instanceof StartError ? error : notYet()
  }
}

interface AdministratorRow {
  account: string
  real_name: string
  status: number
  account_hash?: Buffer
}

async function list({ owner, platform, secrets }: Desk): Promise<string[]> {
  const cipher = new Cipher(secrets)
  const tenants = await inPlatform(platform, (tx) =>
    tx.run<{ tenant_id: string; tenant_name: string; status: number }>(
      sql`select tenant_id, tenant_name, status from tenant order by tenant_id`,
    ),
  )
  const lines: string[] = []
  for (const { tenant_id: tenantId, tenant_name: name, status } of tenants) {
    lines.push(`${tenantId}  ${name}${status === 1 ? '' : '  disabled 已停用'}`)
    await inTenant(owner, tenantId, async (tx) => {
      const administrators = await tx.run<AdministratorRow>(
        sql`select distinct u.account, u.real_name, u.status from app_user u
            join app_user_role l on l.tenant_id = u.tenant_id and l.owner_id = u.id
            join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
            where u.tenant_id = ${tenantId} and r.is_admin = 1 order by u.account`,
      )
      for (const each of administrators) {
        const locked = await tx.one(
          sql`select 1 from login_failure where tenant_id = ${tenantId} and account_hash = ${accountHash(cipher, each.account, tenantId)} and locked_until > now()`,
        )
        const states = [each.status === 1 ? '' : '  disabled 已停用', locked ? '  locked 已锁定' : '']
        lines.push(`        ${each.account}  ${each.real_name}${states.join('')}`)
      }
    })
  }
  return lines
}

function named([tenantId = '', account = '']: readonly string[]): { tenantId: string; account: string } {
  if (!isTenantCode(tenantId) || !account)
    throw new StartError('请给出租户编号和账号。', `Name a tenant and an account.\n${usage}`)
  return { tenantId, account }
}

const unknown = (): StartError => new StartError('该租户没有这个账号。', 'There is no such account in this tenant.')

async function resetPassword({ owner, secrets }: Desk, args: readonly string[]): Promise<string[]> {
  const { tenantId, account } = named(args)
  const password = randomPassword()
  const hash = await hashPassword(wireMd5(password), secrets.pepper)
  const hours = await inTenant(owner, tenantId, async (tx) => {
    const user = await tx.one<{ id: string }>(
      sql`select id from app_user where tenant_id = ${tenantId} and account = ${account}`,
    )
    if (!user) throw unknown()
    await dropIdentities(
      { tx, actor: system('运维命令', tenantId), circumstance: { requestId: newId(), language: 'zh' } },
      user.id,
    )
    await setPassword(tx, { tenantId, userId: user.id, hash, oneTime: true })
    await unlock(tx, { tenantId, hash: accountHash(new Cipher(secrets), account, tenantId) })
    return parameterOf(tx, tenantId, 'account.oneTimeHours')
  })
  return [
    `password 密码 ${password}`,
    `valid for ${hours} hours, to be changed at the next log-in / ${hours}小时内有效，下次登录须修改`,
  ]
}

async function unlockAccount({ owner, secrets }: Desk, args: readonly string[]): Promise<string[]> {
  const { tenantId, account } = named(args)
  const opened = await inTenant(owner, tenantId, (tx) =>
    unlock(tx, { tenantId, hash: accountHash(new Cipher(secrets), account, tenantId) }),
  )
  return [opened ? 'unlocked / 已解锁' : 'was not locked / 未被锁定']
}

/** The passphrase of an exported file, and what else was given. */
function withPassphrase(args: readonly string[]): { passphrase: string; as: string | undefined; rest: string[] } {
  const rest = [...args]
  const option = (name: string): string | undefined => {
    const at = rest.indexOf(name)
    return at < 0 ? undefined : rest.splice(at, 2)[1]
  }
  const passphrase = option('--passphrase') ?? process.env.TENANT_PASSPHRASE
  const as = option('--as')
  if (!passphrase)
    throw new StartError(
      '请用 TENANT_PASSPHRASE 或 --passphrase 给出口令。',
      'Give a passphrase by TENANT_PASSPHRASE or --passphrase.',
    )
  return { passphrase, as, rest }
}

const carrierOf = ({ environment, owner, platform, secrets }: Desk) => ({
  environment,
  platform,
  pool: owner,
  cipher: new Cipher(secrets),
  pepper: secrets.pepper,
  clientId: secrets.clientId,
})

const total = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0)

const lostLines = (lost: readonly string[]): string[] => lost.map((name) => `missing file 缺失的文件 ${name}`)

async function takeOut(desk: Desk, args: readonly string[]): Promise<string[]> {
  const { passphrase, rest } = withPassphrase(args)
  const [tenantId = '', file = ''] = rest
  if (!isTenantCode(tenantId) || !file)
    throw new StartError('请给出租户编号和文件。', `Name a tenant and a file.\n${usage}`)
  const { rows, files, lost } = await exportTenant(carrierOf(desk), { tenantId, file, passphrase })
  return [
    `${total(rows)} rows and ${files} files written to ${file} / 已导出 ${total(rows)} 行、${files} 个文件`,
    ...lostLines(lost),
    'passwords are not in it / 不含密码',
  ]
}

async function bringIn(desk: Desk, args: readonly string[]): Promise<string[]> {
  const { passphrase, as, rest } = withPassphrase(args)
  const [file = ''] = rest
  if (!file) throw new StartError('请给出文件。', `Name a file.\n${usage}`)
  const done = await importTenant(carrierOf(desk), { file, passphrase, as })
  const { administrator } = done
  const hours = await inTenant(desk.owner, done.tenantId, (tx) =>
    parameterOf(tx, done.tenantId, 'account.oneTimeHours'),
  )
  return [
    `tenant 租户   ${done.tenantId}  ${done.name}`,
    `${total(done.rows)} rows and ${done.files} files / ${total(done.rows)} 行、${done.files} 个文件`,
    ...lostLines(done.lost),
    ...done.unknown.map((name) => `not known here 本系统没有 ${name}`),
    ...(done.domainTaken ? [`domain taken 域名已被使用 ${done.domainTaken}`] : []),
    ...(administrator
      ? [
          `account 账号  ${administrator.account}`,
          `password 密码 ${administrator.password}`,
          `valid for ${hours} hours, to be changed at the first log-in; all others need a reset / ${hours}小时内有效，首次登录须修改；其他用户须重置密码`,
        ]
      : ['no administrator can log in: use reset-password / 没有可登录的管理员，请使用 reset-password']),
  ]
}

const faultWords: Record<string, string> = {
  changed: 'changed 被修改',
  missing: 'missing 缺失',
  added: 'slipped in 被插入',
  seal: 'seal does not fit 封签不符',
}

/** Computes the chain of one tenant's history, or of all, anew; anything broken makes the command fail. */
async function verifyHistory({ owner, platform }: Desk, [only]: readonly string[]): Promise<string[]> {
  if (only !== undefined && !isTenantCode(only)) throw new StartError('请给出租户编号。', `Name a tenant.\n${usage}`)
  const tenants = only
    ? [only]
    : (
        await inPlatform(platform, (tx) =>
          tx.run<{ tenant_id: string }>(sql`select tenant_id from tenant order by tenant_id`),
        )
      ).map((row) => row.tenant_id)
  const { rows: anchors } = await owner.query<{ at: string; newest: string }>(
    'select at, newest::text as newest from history_anchor order by at',
  )
  const lines = anchors.map(
    ({ at, newest }) =>
      `anchored anew 重新锚定 ${at}  brought back into another cluster; the chains go on after 数据已恢复到另一数据库集群，哈希链在此之后继续 ${newest}`,
  )
  for (const tenantId of tenants) {
    const { sealed, unsealed, broken, first, head } = await inTenant(owner, tenantId, (tx) =>
      verifyTenant(tx, tenantId),
    )
    lines.push(
      `${tenantId}  sealed 已封存 ${sealed}  not yet 未封存 ${unsealed}  broken 异常 ${broken}  head ${head ?? '-'}`,
    )
    if (!first) continue
    process.exitCode = 1
    const row = first.historyId ? `  ${first.entity ?? '?'} ${first.rowId ?? '?'}  history ${first.historyId}` : ''
    lines.push(
      `        first 首个：${faultWords[first.fault]}  seal 封签 ${first.seq}${row}  ${first.at ?? ''} ${first.userName ?? ''}`,
    )
  }
  return lines
}

const commands: Record<string, (desk: Desk, args: readonly string[]) => Promise<string[]>> = {
  list,
  'reset-password': resetPassword,
  unlock: unlockAccount,
  'export-tenant': takeOut,
  'import-tenant': bringIn,
  'verify-history': verifyHistory,
  'remove-demo': async ({ environment, platform }) => {
    const removed = await removeDemo(platform)
    if (removed !== null) await dropFolder({ environment }, '000001')
    return [
      removed === null ? 'there is no demo tenant / 没有演示租户' : `${removed} rows removed / 已删除 ${removed} 行`,
    ]
  },
  'add-demo': async ({ platform }) => {
    await inPlatform(platform, (tx) => tx.run(sql`delete from seed_mark where name = 'demo' and value <> 'laid'`))
    return ['the next start lays the demo / 下次启动时建立']
  },
  client: async ({ secrets }) => [`client id     ${secrets.clientId}`, `client secret ${secrets.clientSecret}`],
}

/** A path as whoever typed it meant it: npm, and the script of a release, run in the product's folder. */
const typedPath = (file: string): string =>
  path.resolve(process.env.TYPED_IN ?? process.env.INIT_CWD ?? process.cwd(), file)

/** Takes the keys of the file, made where there is none, for those of the database: the former are lost for good. */
async function takeKeys(environment: Environment): Promise<string[]> {
  const { url, release } = await accessDatabase(environment)
  const owner = new pg.Client({ connectionString: url })
  try {
    await owner.connect()
    await acceptKeys(owner, await loadSecrets(environment.dataDir))
  } finally {
    await owner.end()
    await release()
  }
  return [
    `the next start uses ${secretsFile(environment.dataDir)}; what other keys encrypted stays unreadable, and passwords must be reset`,
    '下次启动将使用该密钥文件；用原密钥加密的号码无法再读取，密码需要重置',
  ]
}

/** What needs no server to have run here, or no database of ours. */
const apart: Record<string, (environment: Environment, args: readonly string[]) => Promise<string[]>> = {
  'accept-keys': takeKeys,
  backup: async (environment, args) => {
    const withoutKeys = args.includes('--without-keys')
    const day = new Date()
      .toISOString()
      .slice(0, 16)
      .replace(/[^0-9]/g, '')
    const file = typedPath(args.find((each) => !each.startsWith('--')) ?? `data-brain-${day}.tar.gz`)
    const { files, bytes } = await backUp(environment, file, { keys: !withoutKeys })
    return [
      `${file}  ${Math.ceil(bytes / 1_048_576)} MB, with ${files} uploaded files / 含 ${files} 个上传文件`,
      withoutKeys
        ? 'the keys are not in it: keep secrets.json apart / 不含密钥，请另行保存 secrets.json'
        : 'the keys are in it: whoever has it can read everything / 含密钥，请妥善保管',
    ]
  },
  restore: async (environment, [file]) => {
    if (!file) throw new StartError('请给出备份文件。', `Name the backup.\n${usage}`)
    const { at, tenants, files, lost } = await restore(environment, typedPath(file), (line) => console.log(line))
    return [
      `restored as of ${at}: ${tenants} tenants, ${files} uploaded files / 已恢复到 ${at}：租户 ${tenants} 个，上传文件 ${files} 个`,
      ...lostLines(lost),
    ]
  },
}

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  if (Object.hasOwn(apart, name)) {
    for (const line of await apart[name]!(readEnvironment(), args)) console.log(line)
    return
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new StartError('请指定命令。', usage)
  const desk = await open(readEnvironment())
  try {
    for (const line of await command(desk, args)) console.log(line)
  } finally {
    await desk.close()
  }
}

main().catch((failure: Error) => {
  const error = inWords(failure)
  console.error(error instanceof StartError || !error.stack ? error.message : error.stack)
  process.exitCode = 1
})
