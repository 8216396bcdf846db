import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { changeAddress, databaseOf } from './database/address.ts'
import { makePool } from './database/connect.ts'
import { rolesOf } from './database/migrate.ts'
import { sql } from './database/statement.ts'
import { inPlatform, inTenant, isTenantCode } from './database/transaction.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { Cipher } from './kernel/cipher.ts'
import { hashPassword, randomPassword, wireMd5 } from './kernel/password.ts'
import { accountHash, setPassword, unlock } from './modules/auth/index.ts'
import { loadSecrets, type Secrets, secretsFile } from './secrets.ts'
import { removeDemo } from './seed/index.ts'
import { StartError } from './start-error.ts'

/*
 * Help for whoever runs the server, when nobody can log in any more. It works on the database itself, beside a server
 * that runs or without one; whoever may read the data folder may do all of this anyway.
 */

const usage = `npm run admin -- list                                tenants and their administrators / 租户及其管理员
npm run admin -- reset-password <tenant> <account>   a one-time password, shown once / 生成一次性密码
npm run admin -- unlock <tenant> <account>           after too many wrong passwords / 解除登录锁定
npm run admin -- remove-demo                         the demo tenant and all in it / 删除演示租户及其全部数据
npm run admin -- add-demo                            lay the demo at the next start / 下次启动时建立演示租户
npm run admin -- client                              id and secret of the console's client / 客户端编号和密钥`

interface Desk {
  readonly owner: pg.Pool
  readonly platform: pg.Pool
  readonly secrets: Secrets
  close(): Promise<void>
}

/** The owner's address of the database, and how to let go of it. */
async function reach(environment: Environment): Promise<{ url: string; release(): Promise<void> }> {
  if (environment.databaseUrl) return { url: environment.databaseUrl, release: async () => {} }
  const { startEmbedded } = await import('./database/embedded.ts')
  try {
    const { url, stop } = await startEmbedded({ dataDir: environment.dataDir, log: () => {} })
    return { url, release: stop }
  } catch (error) {
    // Somebody holds the folder: then its PostgreSQL runs, and takes another connection.
    const url = error instanceof StartError ? await runningAddress(environment.dataDir) : undefined
    if (url) return { url, release: async () => {} }
    throw error
  }
}

/** The address of the PostgreSQL that a running server has started on a data folder; undefined where none answers. */
async function runningAddress(dataDir: string): Promise<string | undefined> {
  const place = (await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => dataDir)).trim()
  const password = (await readFile(join(place, 'postgres.password'), 'utf8').catch(() => '')).trim()
  const [, , , port = '', socket = '', host = ''] = (
    await readFile(join(place, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  )
    .split('\n')
    .map((line) => line.trim())
  if (!password || !port) return undefined
  const user = 'data_brain'
  const url = socket
    ? `postgres://${user}:${password}@/${user}?host=${encodeURIComponent(socket)}&port=${port}`
    : `postgres://${user}:${password}@${host || '127.0.0.1'}:${port}/${user}`
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return url
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

const notYet = (): StartError =>
  new StartError('这里还没有数据:请先启动一次服务。', 'There is no data here yet: start the server once first.')

async function open(environment: Environment): Promise<Desk> {
  if (!existsSync(secretsFile(environment.dataDir))) throw notYet()
  const secrets = await loadSecrets(environment.dataDir)
  const { url, release } = await reach(environment)
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
    await platform.query('select 1 from tenant limit 1')
    return { owner, platform, secrets, close }
  } catch {
    await close()
    throw notYet()
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
  await inTenant(owner, tenantId, async (tx) => {
    const user = await tx.one<{ id: string }>(
      sql`select id from app_user where tenant_id = ${tenantId} and account = ${account}`,
    )
    if (!user) throw unknown()
    await setPassword(tx, { tenantId, userId: user.id, hash, oneTime: true })
    await unlock(tx, { tenantId, hash: accountHash(new Cipher(secrets), account, tenantId) })
  })
  return [
    `password 密码 ${password}`,
    'valid for 24 hours, to be changed at the next log-in / 24小时内有效,下次登录须修改',
  ]
}

async function unlockAccount({ owner, secrets }: Desk, args: readonly string[]): Promise<string[]> {
  const { tenantId, account } = named(args)
  const opened = await inTenant(owner, tenantId, (tx) =>
    unlock(tx, { tenantId, hash: accountHash(new Cipher(secrets), account, tenantId) }),
  )
  return [opened ? 'unlocked / 已解锁' : 'was not locked / 未被锁定']
}

const commands: Record<string, (desk: Desk, args: readonly string[]) => Promise<string[]>> = {
  list,
  'reset-password': resetPassword,
  unlock: unlockAccount,
  'remove-demo': async ({ owner }) => {
    const removed = await removeDemo(owner)
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

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new StartError('请指定命令。', usage)
  const desk = await open(readEnvironment())
  try {
    for (const line of await command(desk, args)) console.log(line)
  } finally {
    await desk.close()
  }
}

main().catch((error: Error) => {
  console.error(error instanceof StartError || !error.stack ? error.message : error.stack)
  process.exitCode = 1
})
