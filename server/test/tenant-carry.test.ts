import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entities } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../src/database/id.ts'
import { tenantTables } from '../src/database/tables.ts'
import { modelOf } from '../src/entity/model.ts'
import { Cipher } from '../src/kernel/cipher.ts'
import { type CarryContext, exportTenant } from '../src/modules/tenant/carry/export.ts'
import { importTenant } from '../src/modules/tenant/carry/import.ts'
import { notCarried } from '../src/modules/tenant/carry/plan.ts'
import { makeDoor } from './auth-door.ts'
import { carrierOf, furnish, passphrase } from './carry-parts.ts'
import { countRows } from './tenant-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'data-brain-carry-'))
const files = { whole: join(folder, 'tenant.dbt') }

let world: World
let admin: Person
let door: ReturnType<typeof makeDoor>
let carrier: CarryContext & { pepper: Buffer }
/** The same database as another installation sees it: with keys of its own. */
let elsewhere: CarryContext & { pepper: Buffer }
let student: Row

const models = entities.map(modelOf).filter((model) => !model.platform)

beforeAll(async () => {
  world = await makeWorld()
  door = makeDoor(world)
  carrier = carrierOf(world)
  elsewhere = {
    ...carrier,
    cipher: new Cipher({ kek: { id: 'elsewhere', key: randomBytes(32) }, index: randomBytes(32) }),
    pepper: randomBytes(32),
    clientId: 'console-elsewhere',
  }
  await world.owner.query(
    `insert into client (id, client_id, client_secret_hash) values (${newId()}, 'console-elsewhere', ''), (${newId()}, 'kiosk', '')`,
  )
  ;({ admin, student } = await furnish(world))
  await exportTenant(carrier, { tenantId: admin.tenantId, file: files.whole, passphrase })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Plain {
  /** The row without its tenant and without sealed values, as the database writes it, digit for digit. */
  readonly rest: string
  readonly sealed: Record<string, string | null>
}

/** What is not carried of tables that are: what somebody is still at. */
const waiting: Record<string, string> = {
  import_batch: `state in ('done', 'undone')`,
  sms_log: 'payload is null',
  mail_log: 'payload is null',
}

/** The rows of a table, each told apart from where it is stored: what is sealed is opened with the keys of its place. */
async function plainRows(table: string, tenantId: string, cipher: Cipher): Promise<Plain[]> {
  const model = models.find((each) => each.table === table)
  const own = model?.fields.filter((field) => field.kind === 'personal' || field.kind === 'secret') ?? []
  const columns = own.flatMap((field) => [field.column, `${field.column}_hash`, `${field.column}_tail`])
  const { rows } = await world.owner.query<{ rest: string; row: Record<string, unknown>; id: string }>(
    `select replace((to_jsonb(t) - 'tenant_id' - $2::text[])::text, '"' || t.tenant_id || '/', '"') as rest, to_jsonb(t) as row, ${model ? 't.id::text' : `''`} as id
     from ${table} t where t.tenant_id = $1 and ${waiting[table] ?? 'true'}`,
    [tenantId, [...columns, ...(table === 'history' ? ['before', 'xid'] : [])]],
  )
  const plain = rows.map(({ rest, row, id }) => ({ rest, sealed: openAll(own, row, id) }))
  return plain.sort((a, b) => (a.rest < b.rest ? -1 : 1))

  function openAll(fields: typeof own, row: Record<string, unknown>, id: string): Plain['sealed'] {
    return Object.fromEntries(
      fields.map((field) => {
        const text = row[field.column]
        if (typeof text !== 'string') return [field.column, null]
        const at = { table, column: field.column, tenantId, id }
        const opened = cipher.open(Buffer.from(text.slice(2), 'hex'), at)
        // What a value is found by is made with the keys of its place.
        if (field.kind === 'personal')
          expect([row[`${field.column}_hash`], row[`${field.column}_tail`] ?? null]).toEqual([
            `\\x${cipher.hash(opened, tenantId).toString('hex')}`,
            cipher.tail(opened, tenantId) && `\\x${cipher.tail(opened, tenantId)!.toString('hex')}`,
          ])
        return [field.column, opened]
      }),
    )
  }
}

/** The rows that history keeps, opened likewise. */
async function keptRows(tenantId: string, cipher: Cipher): Promise<Plain[]> {
  const { rows } = await world.owner.query<{ id: string; entity: string; row_id: string; before: string | null }>(
    'select id::text, entity, row_id::text, before::text from history where tenant_id = $1 order by id',
    [tenantId],
  )
  const told: Plain[] = []
  for (const { id, entity, row_id: rowId, before } of rows) {
    const model = models.find((each) => each.entity.name === entity)!
    const own = model.fields.filter((field) => field.kind === 'personal' || field.kind === 'secret')
    const columns = own.flatMap((field) => [field.column, `${field.column}_hash`, `${field.column}_tail`])
    const { rows: rest } = await world.owner.query<{ rest: string; tenant: string | null }>(
      `select replace((before - 'tenant_id' - $2::text[])::text, '"' || tenant_id || '/', '"') as rest, before ->> 'tenant_id' as tenant from history where tenant_id = $3 and id = $1`,
      [id, columns, tenantId],
    )
    if (before) expect(rest[0]!.tenant).toBe(tenantId)
    const row = JSON.parse(before ?? '{}') as Record<string, unknown>
    const sealed = Object.fromEntries(
      own.map((field) => {
        const text = row[field.column]
        if (typeof text !== 'string') return [field.column, null]
        const at = { table: model.table, column: field.column, tenantId, id: rowId }
        return [field.column, cipher.open(Buffer.from(text.slice(2), 'hex'), at)]
      }),
    )
    told.push({ rest: `${id} ${rest[0]!.rest}`, sealed })
  }
  return told
}

const counts = (tenantId: string) => countRows(world, tenantId)

describe('R-SYS-10 what a tenant owns, out and in again', () => {
  it('is the same in every row of every table, sealed with the keys of the new place', async () => {
    const to = '700001'
    const done = await importTenant(elsewhere, { file: files.whole, passphrase, as: to })
    const carried = Object.keys(tenantTables).filter((table) => !notCarried.includes(table))
    const filled: string[] = []
    const clientIds = Object.fromEntries(
      (await world.owner.query('select client_id, id::text from client')).rows.map((row) => [row.client_id, row.id]),
    )
    for (const table of carried) {
      const from = await plainRows(table, admin.tenantId, world.services.cipher)
      const wanted = from.map(({ rest, sealed }) => ({
        // The console's own client is another one there: who was named the one is named the other.
        rest: table.endsWith('_client')
          ? rest.replace(clientIds[carrier.clientId]!, clientIds[elsewhere.clientId]!)
          : rest,
        sealed,
      }))
      expect(await plainRows(table, to, elsewhere.cipher), table).toEqual(wanted)
      expect(done.rows[table] ?? 0, table).toBe(from.length)
      if (from.length > 0) filled.push(table)
    }
    expect(await keptRows(to, elsewhere.cipher)).toEqual(await keptRows(admin.tenantId, world.services.cipher))
    // A test that compares nothing proves nothing.
    expect(filled.length).toBeGreaterThan(38)
    for (const table of ['history', 'student', 'role_menu', 'role_data_scope', 'tenant_client', 'datasource', 'attach'])
      expect(filled).toContain(table)
    expect((await plainRows('student', to, elsewhere.cipher))[0]?.sealed.phone).toBe('13912345678')
    expect((await plainRows('sms', to, elsewhere.cipher)).map(({ sealed }) => sealed.secret_key)).toContain(
      'sealed-anew',
    )
    await expect(plainRows('student', to, world.services.cipher)).rejects.toThrow()
    // The picture, and the workbook of a form.
    expect(done).toMatchObject({ tenantId: to, unknown: [], lost: [], files: 2, domainTaken: null })
  })

  it('comes with its own row and files, without passwords and sessions, and with search keys made anew', async () => {
    const to = '700002'
    const done = await importTenant(carrier, { file: files.whole, passphrase, as: to })
    const own = async (tenantId: string) =>
      (
        await world.owner.query(
          'select tenant_name, linkman, contact_number, account_number, expire_time, status from tenant where tenant_id = $1',
          [tenantId],
        )
      ).rows
    expect(await own(to)).toEqual(await own(admin.tenantId))
    const { rows } = await world.owner.query('select name from attach where tenant_id = $1', [to])
    expect(rows[0].name.startsWith(`${to}/`)).toBe(true)
    expect(readFileSync(join(world.services.environment.dataDir, 'files', rows[0].name))).toEqual(
      readFileSync(join(world.services.environment.dataDir, 'files', rows[0].name.replace(to, admin.tenantId))),
    )
    expect(await counts(to)).toMatchObject({ credential: 1 })
    for (const table of ['session', 'refresh_token', 'login_failure', 'import_row'])
      expect((await counts(to))[table], table).toBeUndefined()
    const keys = async (tenantId: string) =>
      (
        await world.owner.query(
          `select entity, case when key like '#%' then '#' else key end as key, row_id, source_id from search_key where tenant_id = $1 order by 1, 2, 3, 4`,
          [tenantId],
        )
      ).rows
    expect(await keys(to)).toEqual(await keys(admin.tenantId))

    // And it works: the administrator comes in with the password that was told, and finds and reads what was brought.
    const { account, password } = done.administrator!
    const logged = await door.logIn(to, account, password)
    expect([logged.status, logged.must_change]).toEqual([200, true])
    await world.owner.query('update credential set must_change = 0 where tenant_id = $1', [to])
    const { access_token: token } = await door.logIn(to, account, password)
    const parents = await admin.get<{ records: Row[] }>('blade-user/studentparents/list', { studentId: student.id })
    const { data: parent } = await admin.get<{ mobile: string }>('blade-user/studentparents/personal', {
      id: parents.data.records[0]!.id,
    })
    for (const keyword of ['oyjy', '欧阳', parent.mobile, parent.mobile.slice(-4)]) {
      const { data } = await world.call<{ records: Row[] }>('GET', 'blade-user/student/list', token, {
        query: { keyword },
      })
      expect(
        data.records.map((row) => row.id),
        keyword,
      ).toContain(student.id)
    }
    const call = (name: string) =>
      world.call<unknown>('GET', `blade-user/student/${name}`, token, { query: { id: student.id } })
    expect((await call('personal')).data).toMatchObject({ phone: '13912345678' })
    expect(JSON.stringify((await call('history')).data)).toContain('13912345678')
    const { data: links } = await world.call<Record<string, string>>('GET', 'blade-resource/attach/link', token, {
      query: { ids: String(student.photo) },
    })
    const picture = await world.http.inject({ method: 'GET', url: Object.values(links)[0]! })
    expect([picture.statusCode, picture.rawPayload.subarray(1, 4).toString()]).toEqual([200, 'PNG'])
    // What the new tenant writes goes on where the old one stood.
    expect(
      (
        await world.call('POST', 'blade-user/student/submit', token, {
          body: { id: student.id, version: student.version, remark: '新' },
        })
      ).status,
    ).toBe(200)
  })

  it('leaves out, and tells, what this installation does not know or has given to another', async () => {
    const codes = ['student_view', 'student_edit']
    await world.owner.query(`update menu set code = code || '.gone' where code = any($1)`, [codes])
    await world.owner.query(`update tenant set domain = 'carried.example.cn' where tenant_id = $1`, [admin.tenantId])
    const file = join(folder, 'domain.dbt')
    await world.owner.query(`update menu set code = replace(code, '.gone', '')`)
    await exportTenant(carrier, { tenantId: admin.tenantId, file, passphrase })
    await world.owner.query(`update menu set code = code || '.gone' where code = any($1)`, [codes])
    try {
      const done = await importTenant(carrier, { file, passphrase, as: '700003' })
      expect(done.unknown).toEqual(['menu student_edit', 'menu student_view'])
      expect(done.domainTaken).toBe('carried.example.cn')
      const { rows } = await world.owner.query('select domain from tenant where tenant_id = $1', ['700003'])
      expect(rows).toEqual([{ domain: null }])
      expect(await plainRows('role_menu', '700003', carrier.cipher)).toEqual([])
    } finally {
      await world.owner.query(`update menu set code = replace(code, '.gone', '')`)
    }
  })

  it('opens to nobody without the passphrase, and shows nothing of what it holds', () => {
    const bytes = readFileSync(files.whole)
    for (const text of ['13912345678', '欧阳静怡', admin.tenantId, 'student', 'tenant.json'])
      expect(bytes.includes(Buffer.from(text)), text).toBe(false)
  })
})
