import { createReadStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { tenant } from '@data-brain/contract'
import { newId } from '../../../database/id.ts'
import { sql } from '../../../database/statement.ts'
import { inTenant, isTenantCode, type Tx } from '../../../database/transaction.ts'
import { insertMany } from '../../../entity/bulk.ts'
import { keysOfRow } from '../../../entity/find.ts'
import { modelOf, platformTenant } from '../../../entity/model.ts'
import { nameRef } from '../../../entity/select.ts'
import { holdOwn } from '../../../entity/shared.ts'
import { writeNew } from '../../../entity/write.ts'
import { system } from '../../../kernel/actor.ts'
import { hashPassword, randomPassword, wireMd5 } from '../../../kernel/password.ts'
import { StartError } from '../../../start-error.ts'
import { setPassword } from '../../auth/index.ts'
import { folderOf } from '../../resource/index.ts'
import { holdGrants } from '../../system/index.ts'
import { makeTenant } from '../make.ts'
import { cutOff, damagedFile, unseal } from './envelope.ts'
import { readExact, textOf } from './exact.ts'
import { type CarryContext, type EndPart, type Manifest, newestMigration, sharedNames } from './export.ts'
import { carriedTables, laterColumns, modelByTable } from './plan.ts'
import { type Row, storedRow, translate } from './row.ts'
import { type Entry, untar } from './tar.ts'

/** What an import has brought. */
export interface ImportSummary {
  readonly tenantId: string
  readonly name: string
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** The administrator who can log in, with a password that is told once; null where there is none. */
  readonly administrator: { readonly account: string; readonly password: string } | null
  /** What this installation does not have, and rows therefore do not name any more. */
  readonly unknown: readonly string[]
  /** The domain, where another tenant has it here. */
  readonly domainTaken: string | null
  readonly lost: readonly string[]
}

/** Reads an exported file as it comes; whatever is wrong with it is said in words. */
async function* entriesOf(file: string, passphrase: string): AsyncGenerator<Entry> {
  const opened = createGunzip()
  const whole = pipeline(Readable.from(unseal(createReadStream(file), passphrase)), opened)
  // Asked for below, once what it brings is read; until then a failure is nobody's.
  whole.catch(() => {})
  try {
    yield* untar(opened)
    // The archive may be at its end while the file is not.
    await whole
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new StartError(`没有文件 ${file}。`, `There is no file ${file}.`)
    throw code === 'Z_BUF_ERROR' ? cutOff() : code.startsWith('Z_') ? damagedFile() : error
  }
}

function manifestOf(entry: Entry | undefined): Manifest {
  if (entry?.name !== 'tenant.json') throw damagedFile()
  const manifest = readExact(entry.bytes.toString('utf8')) as unknown as Manifest
  if (manifest.format !== 1) throw newer()
  return manifest
}

const newer = (): StartError =>
  new StartError(
    '文件由更新的版本导出：请先升级本系统。没有导入任何内容。',
    'The file was written by a newer version: upgrade this one first. Nothing was imported.',
  )

/** The columns of the tables that are carried, as this database has them. */
async function columnsOf(tx: Tx): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await tx.run<{ table_name: string; column_name: string }>(
    sql`select table_name, column_name from information_schema.columns where table_schema = 'public' and table_name = any(${carriedTables()}::text[])`,
  )
  return new Map(
    [...Map.groupBy(rows, (row) => row.table_name)].map(([table, columns]) => [
      table,
      new Set(columns.map((row) => row.column_name)),
    ]),
  )
}

/** Columns that files of earlier versions may hold and no table has any more. */
const dropped: Readonly<Record<string, readonly string[]>> = { school: ['timezone'], datasource: ['password'] }

const fileName = /^files\/([0-9]{4}\/[0-9]{2}\/[0-9a-f]{32}\.[a-z0-9]{1,10})$/
const rowsName = /^rows\/([a-z_0-9]{1,63})\/[0-9]{6}\.ndjson$/

/** What this database has, which the rows must fit into. */
interface Known {
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  readonly shared: ReadonlyMap<string, string>
  readonly later: ReadonlyMap<string, readonly string[]>
}

/** Stores what comes, in the tenant's own transaction. */
class Intake {
  readonly rows: Record<string, number> = {}
  readonly unknown = new Set<string>()
  files = 0
  ending: EndPart | undefined
  readonly #later = new Map<string, { table: string; column: string; ids: string[]; values: string[] }>()
  readonly #carrier: CarryContext
  readonly #tx: Tx
  readonly #tenantId: string
  readonly #from: string
  readonly #known: Known

  constructor(carrier: CarryContext, tx: Tx, to: { tenantId: string; from: string }, known: Known) {
    this.#carrier = carrier
    this.#tx = tx
    this.#tenantId = to.tenantId
    this.#from = to.from
    this.#known = known
  }

  async take({ name, bytes }: Entry): Promise<void> {
    if (this.ending) throw damagedFile()
    const table = rowsName.exec(name)?.[1]
    const file = fileName.exec(name)?.[1]
    if (table) return this.#takeRows(table, bytes.toString('utf8'))
    if (file) return this.#takeFile(file, bytes)
    if (name !== 'end.json') throw damagedFile()
    this.ending = JSON.parse(bytes.toString('utf8')) as EndPart
  }

  async #takeFile(name: string, bytes: Buffer): Promise<void> {
    const path = join(folderOf(this.#carrier, this.#tenantId), name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx', flush: true })
    this.files += 1
  }

  async #takeRows(table: string, text: string): Promise<void> {
    const columns = this.#known.columns.get(table)
    if (!columns) throw newer()
    const place = { cipher: this.#carrier.cipher, tenantId: this.#tenantId }
    const later = this.#known.later.get(table) ?? []
    const kept: Row[] = []
    const keys: Record<string, unknown>[] = []
    for (const line of text.split('\n')) {
      const row = readExact(line)
      for (const column of dropped[table] ?? []) delete row[column]
      this.rows[table] = (this.rows[table] ?? 0) + 1
      const unknown = translate(table, row, this.#known.shared)
      if (unknown !== undefined) {
        this.unknown.add(unknown)
        continue
      }
      keys.push(...this.#keysOf(table, row))
      const stored = storedRow(table, row, this.#from, place)
      for (const column of later) {
        if (stored[column] === null || stored[column] === undefined) continue
        this.#set(table, column, textOf(stored.id), textOf(stored[column]))
        stored[column] = null
      }
      kept.push(stored)
    }
    // Names of columns come out of a file: only those that the table has are ever put into a statement.
    for (const row of kept) for (const column of Object.keys(row)) if (!columns.has(column)) throw newer()
    await this.#needRegions(table, kept)
    await insertMany(this.#tx, table, kept)
    await insertMany(this.#tx, 'search_key', keys)
  }

  /** Refuses regions that this installation lacks, by their codes. */
  async #needRegions(table: string, rows: readonly Row[]): Promise<void> {
    const columns = (modelByTable().get(table)?.fields ?? [])
      .filter((field) => field.kind === 'region')
      .map((field) => field.column)
    const codes = [...new Set(rows.flatMap((row) => columns.flatMap((column) => row[column] ?? [])))].map(String)
    if (codes.length === 0) return
    const lacking = await this.#tx.run<{ code: string }>(
      sql`select u.code from unnest(${codes}::text[]) as u(code) where not exists (select 1 from region r where r.code = u.code) order by 1 limit 10`,
    )
    if (lacking.length === 0) return
    const list = lacking.map((row) => row.code).join(', ')
    throw new StartError(
      `本系统没有文件中用到的行政区划：${list}。请先补充或导入街道。没有导入任何内容。`,
      `This installation lacks regions that the file uses: ${list}. Add them, or load the streets. Nothing was imported.`,
    )
  }

  #set(table: string, column: string, id: string, value: string): void {
    const key = `${table}.${column}`
    const all = this.#later.get(key) ?? { table, column, ids: [], values: [] }
    all.ids.push(id)
    all.values.push(value)
    this.#later.set(key, all)
  }

  /** What a row is found by, made anew: with this installation's key, and as this version makes it. */
  #keysOf(table: string, row: Row): Record<string, unknown>[] {
    const model = modelByTable().get(table)
    if (!model || model.find.length === 0) return []
    const values = Object.fromEntries(model.find.map((field) => [field.name, row[field.column]]))
    const id = textOf(row.id)
    const finds = model.entity.finds ? model.byName.get(model.entity.finds)?.column : undefined
    return keysOfRow(model, values, this.#carrier.cipher, this.#tenantId).map((key) => ({
      tenant_id: this.#tenantId,
      entity: model.findsEntity,
      key,
      row_id: finds ? textOf(row[finds]) : id,
      source_id: id,
    }))
  }

  /** Sets what points forward, and holds what came against what the file says it holds. */
  async finish(): Promise<EndPart> {
    if (!this.ending) throw cutOff()
    for (const { table, column, ids, values } of this.#later.values())
      for (let at = 0; at < ids.length; at += 5_000)
        await this.#tx.run(
          sql`update ${nameRef(table)} t set ${nameRef(column)} = u.value
              from unnest(${ids.slice(at, at + 5_000)}::bigint[], ${values.slice(at, at + 5_000)}::bigint[]) as u(id, value)
              where t.tenant_id = ${this.#tenantId} and t.id = u.id`,
        )
    for (const [table, count] of Object.entries(this.ending.rows))
      if ((this.rows[table] ?? 0) !== count) throw damagedFile()
    if (this.ending.files !== this.files) throw damagedFile()
    return this.ending
  }
}

/** Gives the first administrator who is enabled a one-time password. */
async function admit(tx: Tx, tenantId: string, pepper: Buffer): Promise<ImportSummary['administrator']> {
  const user = await tx.one<{ id: string; account: string }>(
    sql`select u.id, u.account from app_user u join app_user_role l on l.tenant_id = u.tenant_id and l.owner_id = u.id
        join role r on r.tenant_id = l.tenant_id and r.id = l.target_id
        where u.tenant_id = ${tenantId} and u.status = 1 and r.is_admin = 1 order by u.id limit 1`,
  )
  if (!user) return null
  const password = randomPassword()
  const hash = await hashPassword(wireMd5(password), pepper)
  await setPassword(tx, { tenantId, userId: user.id, hash, oneTime: true })
  return { account: user.account, password }
}

/** What the database refuses of a file's rows, in words. */
function explain(error: unknown): unknown {
  const { code, table, constraint } = error as Record<string, string | undefined>
  if (!/^(22|23)/.test(code ?? '')) return error
  return new StartError(
    `文件内容不能存入 ${table ?? ''}(${constraint ?? code})。没有导入任何内容。`,
    `The file holds what ${table ?? 'the database'} cannot take (${constraint ?? code}). Nothing was imported.`,
    { cause: error },
  )
}

/**
 * Brings an exported tenant in, under its own code or another: all of it, or nothing. Everything is sealed with this
 * installation's keys. Nobody's password is brought; an administrator gets one that is told once.
 */
export async function importTenant(
  carrier: CarryContext & { readonly pepper: Buffer },
  { file, passphrase, as }: { file: string; passphrase: string; as: string | undefined },
): Promise<ImportSummary> {
  const entries = entriesOf(file, passphrase)
  const first = await entries.next()
  const manifest = manifestOf(first.done ? undefined : first.value)
  const from = manifest.tenant.tenant_id
  const tenantId = as ?? from
  if (manifest.migration > (await newestMigration())) throw newer()
  if (!isTenantCode(tenantId)) throw new StartError('租户编号为6位数字。', 'A tenant code has six digits.')
  const act = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTenant(carrier.platform, platformTenant, work)
  const known = await act(async (tx) => {
    const taken = await tx.one(sql`select 1 from tenant where tenant_id = ${tenantId}`)
    if (taken)
      throw new StartError(
        `租户编号 ${tenantId} 已被使用：请用 --as 指定其他编号。`,
        `The code ${tenantId} is taken: name another with --as.`,
      )
    const domain = manifest.tenant.domain
    const domainTaken = domain ? await tx.one(sql`select 1 from tenant where domain = ${String(domain)}`) : undefined
    return {
      columns: await columnsOf(tx),
      shared: await sharedNames(tx, 'in', carrier.clientId),
      later: await laterColumns(tx),
      domainTaken: domainTaken !== undefined,
    }
  })
  const folder = folderOf(carrier, tenantId)
  await rm(folder, { recursive: true, force: true })
  try {
    const { filled } = await makeTenant(carrier, {
      tenantId,
      act,
      place: (tx) => place(carrier, tx, tenantId, manifest, known.domainTaken),
      fill: async (tx) => {
        await tx.allow({ statement: 0, idle: 0 })
        const intake = new Intake(carrier, tx, { tenantId, from }, known)
        for await (const entry of entries) await intake.take(entry)
        const ending = await intake.finish()
        await holdOwn(tx, tenantId)
        await holdGrants(tx, tenantId)
        return { intake, ending, administrator: await admit(tx, tenantId, carrier.pepper) }
      },
    })
    return {
      tenantId,
      name: manifest.tenant.tenant_name,
      rows: filled.intake.rows,
      files: filled.intake.files,
      administrator: filled.administrator,
      unknown: [...filled.intake.unknown].sort(),
      domainTaken: known.domainTaken ? String(manifest.tenant.domain) : null,
      lost: filled.ending.lost,
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw explain(error)
  }
}

/** The tenant's own row. What it points at elsewhere stays there; one that was about to be purged is whole again. */
async function place(
  { cipher }: CarryContext,
  tx: Tx,
  tenantId: string,
  { tenant: row }: Manifest,
  domainTaken: boolean,
): Promise<void> {
  const model = modelOf(tenant)
  const values = Object.fromEntries(
    model.fields
      .filter(
        (field) =>
          !['tenantId', 'datasourceId', 'sourceTables', 'purgeAfter'].includes(field.name) && field.column in row,
      )
      .map((field) => [field.name, row[field.column]]),
  )
  const status = Number(row.status)
  await writeNew(
    model,
    {
      tx,
      actor: system('import-tenant', platformTenant),
      circumstance: { requestId: 'import-tenant', language: 'zh' },
      cipher,
    },
    newId(),
    { ...values, tenantId, ...(domainTaken ? { domain: null } : {}) },
    { status: status === 9 ? 1 : status },
  )
}
