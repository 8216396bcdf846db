import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, Page } from '@data-brain/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { allRoutes } from '../src/app.ts'
import { changeAddress } from '../src/database/address.ts'
import { migrate } from '../src/database/migrate.ts'
import { rolesOf } from '../src/database/roles.ts'
import { platformTables, tenantTables } from '../src/database/tables.ts'
import { readEnvironment } from '../src/environment.ts'
import { Cipher } from '../src/kernel/cipher.ts'
import { wireMd5 } from '../src/kernel/password.ts'
import { type RunningServer, start } from '../src/start.ts'
import type { Row } from './world.ts'

/**
 * Databases as earlier versions left them, each a file named after its newest migration, are brought to the newest one
 * by the product's own start, and serve.
 */

const folder = join(import.meta.dirname, 'upgrade')
const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))

const derived = (name: string): Buffer => createHash('sha256').update(`data-brain upgrade test: ${name}`).digest()
const key = (name: string): string => derived(name).toString('base64')
const word = (name: string): string => derived(name).toString('base64url').slice(0, 32)
/** The keys that the kept databases were written with. */
const secrets = {
  kek: { id: 'upgrade', key: key('kek') },
  pepper: key('pepper'),
  index: key('index'),
  cursor: key('cursor'),
  appPassword: word('appPassword'),
  platformPassword: word('platformPassword'),
  clientId: 'console-upgrade-test',
  clientSecret: word('clientSecret'),
}

/** What each of them tells of the things that the versions between have changed. */
const told: Readonly<Record<string, { client: string; tenant: Record<string, unknown>; roles: readonly string[] }>> = {
  '0003.sql': {
    client: 'refresh_token,password,captcha,social',
    tenant: { tenantName: '实验学校集团', linkman: null, contactNumber: null, accountNumber: -1 },
    roles: ['教务', '任课教师', '校长', '教育局'],
  },
  '0008.sql': {
    client: 'password,refresh_token',
    tenant: { tenantName: '实验学校集团', linkman: '王校长', accountNumber: 50, quotaStorageMb: 100 },
    roles: ['任课教师', '校长', '教育局'],
  },
}

it('has a database of every version that went out', () => {
  expect(files).toEqual(Object.keys(told))
})

/** Columns of rows that a migration puts right where fields disagreed. */
const mended: Readonly<Record<string, readonly string[]>> = {
  school: ['school_type'],
  schoolcampus: ['is_main', 'status'],
  schoolfloor: ['floor_name'],
  schoolyear: ['year_name', 'start_year'],
  schoolsemester: ['first_week_monday', 'week_count'],
  schoolteachclass: ['min_size', 'max_size'],
  schoolclass: ['student_count'],
  student: ['enroll_date', 'remark', 'id_type'],
  sysgrade: ['min_age', 'max_age'],
  session: ['access_hash', 'prev_access_hash', 'access_seal', 'prev_access_seal'],
}

/** Columns that no version has any more. */
const dropped: Readonly<Record<string, readonly string[]>> = { school: ['timezone'], datasource: ['password'] }

type Stored = Readonly<Record<string, unknown>>
const apart = (from: unknown, to: unknown): number => (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000

/** When a row of such a table is in order. */
const right: Readonly<Record<string, (row: Stored, all: readonly Stored[]) => boolean>> = {
  schoolcampus: (row, all) => all.filter((each) => each.school_id === row.school_id && each.is_main === 1).length === 1,
  schoolfloor: ({ floor_name }) => Boolean(floor_name),
  schoolyear: ({ year_name, start_year }) =>
    !/20\d\d/.test(String(year_name)) || String(year_name).includes(String(start_year)),
  schoolsemester: (row) =>
    new Date(String(row.first_week_monday)).getUTCDay() === 1 &&
    Math.abs(apart(row.begin_date, row.first_week_monday)) <= 7 &&
    apart(row.first_week_monday, row.end_date) >= 7 * (Number(row.week_count) - 1),
  student: ({ birth_date, enroll_date }) => !enroll_date || String(birth_date) <= String(enroll_date),
}

describe.each(files)('a database of %s', (file) => {
  const { owner, template } = inject('database')
  const name = `up${file.slice(0, 4)}_${template}`
  const superUrl = changeAddress(owner, { database: name })
  // As most servers have it: the owner of the database is no superuser, and forced row-level security binds it.
  const ordinary = `${name}_owner`
  const url = changeAddress(superUrl, { user: ordinary, password: 'only-for-a-test' })
  const tenantId = '200001'
  let keys: string
  let look: pg.Client
  let running: RunningServer
  const standing = `bsa_${tenantId}_${'k'.repeat(43)}0000`
  let before: Map<string, Record<string, unknown>[]>

  const ofOwner = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = new pg.Client({ connectionString: owner })
    await client.connect()
    await work(client).finally(() => client.end())
  }

  /** Every row of every table that there is; ids as texts, for they are longer than numbers are exact. */
  async function everything(): Promise<Map<string, Record<string, unknown>[]>> {
    const { rows: tables } = await look.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    )
    const all = new Map<string, Record<string, unknown>[]>()
    for (const { name: table } of tables)
      all.set(
        table,
        (await look.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`)).rows.map(({ row }) =>
          JSON.parse(row.replace(/(?<=[:[,] ?)([0-9]{16,})(?=[,}\]])/g, '"$1"')),
        ),
      )
    return all
  }

  beforeAll(async () => {
    keys = mkdtempSync(join(tmpdir(), 'data-brain-upgrade-'))
    writeFileSync(join(keys, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
    await ofOwner(async (client) => {
      await client.query(`create role ${ordinary} login createrole password 'only-for-a-test'`)
      await client.query(`create database ${name} owner ${ordinary}`)
    })
    const first = new pg.Client({ connectionString: url })
    await first.connect()
    await migrate(first, Number(file.slice(0, 4)))
    await first.end()
    look = new pg.Client({ connectionString: superUrl })
    await look.connect()
    await look.query(`begin; ${readFileSync(join(folder, file), 'utf8')} commit`)
    // Somebody is logged in: a version before keyed hashes has kept the plain ones.
    await look.query(
      `insert into session (tenant_id, id, user_id, client_id, access_hash, access_expires, absolute_expires)
       select $1, 4711, id, $2, $3, now() + interval '1 hour', now() + interval '1 day' from app_user where tenant_id = $1 and account = 'teacher'`,
      [tenantId, secrets.clientId, createHash('sha256').update(standing).digest()],
    )
    before = await everything()
    for (const [table, columns] of Object.entries(dropped))
      for (const row of before.get(table) ?? []) for (const column of columns) delete row[column]
    running = await start(
      readEnvironment({ DATABASE_URL: url, DATA_DIR: keys, DEMO: 'off', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' }),
    )
  })
  afterAll(async () => {
    await running?.stop()
    await look?.end()
    await ofOwner(async (client) => {
      await client.query(`drop database if exists ${name} with (force)`)
      for (const role of [...Object.values(rolesOf(name)), ordinary]) await client.query(`drop role if exists ${role}`)
    })
    rmSync(keys, { recursive: true, force: true })
  })

  async function call<T>(path: string, token: string, query: Record<string, string> = {}): Promise<T> {
    const answer = await running.http.inject({
      method: 'GET',
      url: `/api/${path}`,
      query,
      headers: { 'blade-auth': `bearer ${token}` },
    })
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.payload.slice(0, 200)}`)
    return (JSON.parse(answer.payload) as Envelope<T>).data
  }

  async function logIn(tenant: string, account: string): Promise<string> {
    const { clientId, clientSecret } = secrets
    const answer = await running.http.inject({
      method: 'POST',
      url: '/api/blade-auth/oauth/token',
      query: {
        grant_type: 'password',
        tenantId: tenant,
        username: account,
        password: wireMd5('Correct-Horse-9'),
        scope: 'all',
        type: 'account',
      },
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    })
    const token = (JSON.parse(answer.payload) as { access_token?: string }).access_token
    if (!token) throw new Error(`${account} cannot log in: ${answer.payload}`)
    return token
  }

  it('loses no row, and changes none of a tenant’s', async () => {
    const after = await everything()
    expect([...before.values()].flat().length).toBeGreaterThan(500)
    const nameOf = (row: Record<string, unknown>): unknown => row.id ?? row.name ?? row.code ?? row.tenant_id
    for (const [table, rows] of before) {
      if (table === 'migration') continue
      const kept = after.get(table) ?? []
      expect(kept.length, `rows of ${table}`).toBeGreaterThanOrEqual(rows.length)
      expect(table in tenantTables || table in platformTables, table).toBe(true)
      // What all tenants share is laid anew where a newer version brings more; what tells of changes is raised.
      if (table in platformTables || table.endsWith('_stamp')) {
        const names = new Set(kept.map(nameOf))
        expect(
          rows.map(nameOf).filter((name) => !names.has(name)),
          `gone from ${table}`,
        ).toEqual([])
        continue
      }
      const judged = Object.fromEntries(
        Object.entries(rows[0] ?? {}).filter(([column]) => !mended[table]?.includes(column)),
      )
      const standing = new Set(kept.map((row) => JSON.stringify(only(row, judged))))
      for (const row of rows)
        expect(standing.has(JSON.stringify(only(row, judged))), `${table} ${JSON.stringify(row)}`).toBe(true)
    }
  })

  it('puts right what was allowed and cannot be, and nothing that was right', async () => {
    const after = await everything()
    let judgedRows = 0
    const of = (rows: Map<string, Record<string, unknown>[]>, table: string) =>
      new Map((rows.get(table) ?? []).map((row) => [row.id, row]))
    for (const [table, isRight] of Object.entries(right)) {
      const stood = of(before, table)
      const now = of(after, table)
      judgedRows += stood.size
      for (const [id, row] of stood) {
        expect(isRight(now.get(id)!, [...now.values()]), `${table} ${JSON.stringify(now.get(id))}`).toBe(true)
        if (isRight(row, [...stood.values()])) expect(only(now.get(id)!, row), `${table} was right`).toEqual(row)
      }
    }
    expect(judgedRows).toBeGreaterThan(0)
  })

  const only = (row: Record<string, unknown>, like: Record<string, unknown> = {}): Record<string, unknown> =>
    Object.fromEntries(Object.keys(like).map((column) => [column, row[column]]))

  it('lets everybody log in as before, and see what they could', async () => {
    const teacher = await logIn(tenantId, 'teacher')
    const tops = await call<{ name: string }[]>('blade-system/menu/top-menu', teacher)
    expect(tops.map((top) => top.name)).toEqual(['教与学', '学生'])
    const codes = (await call<{ permissions: string[] }>('blade-auth/oauth/user-info', teacher)).permissions
    expect(codes.filter((code) => code.includes('_')).sort()).toEqual([
      'schoolclass_view',
      'student_edit',
      'student_view',
    ])
    expect((await call<Page<Row>>('blade-user/student/list', teacher)).total).toBe(1)
  })

  it('R-AUTH-6 leaves everybody logged in, and keeps no hash as it was', async () => {
    expect((await call<{ account: string }>('blade-auth/oauth/user-info', standing)).account).toBe('teacher')
    const { rows } = await look.query<{ access_hash: Buffer }>('select access_hash from session where id = 4711')
    expect(rows[0]!.access_hash.equals(createHash('sha256').update(standing).digest())).toBe(false)
  })

  it('gives administrators what the newer version brought, and the platform’s alone what is theirs', async () => {
    const held = async (token: string): Promise<string[]> =>
      (await call<{ permissions: string[] }>('blade-auth/oauth/user-info', token)).permissions
    const head = await held(await logIn(tenantId, 'head'))
    expect(head).toEqual(expect.arrayContaining(['student_view', 'datascope_add', 'topmenu_setting', 'session_end']))
    expect(head).not.toContain('tenant_add')
    expect(head).not.toContain('menu_edit')
    expect(await held(await logIn('000000', 'admin'))).toEqual(expect.arrayContaining(['tenant_add', 'menu_edit']))
  })

  it('R-ROUTE-4 brings a kindergarten’s grades and the usual roles that the tenant lacks, held by nobody', async () => {
    const head = await logIn(tenantId, 'head')
    const grades = (await call<Page<Row>>('blade-user/sysgrade/list', head, { size: '50' })).records
    const first = grades.find(({ gradeCode }) => gradeCode === '11')!
    expect(grades.slice(0, 4).map(({ gradeName, stage }) => [gradeName, stage])).toEqual([
      ['小班', '1'],
      ['中班', '1'],
      ['大班', '1'],
      ['一年级', '2'],
    ])
    expect(grades[2]!.nextGradeId).toBe(first.id)
    const had = before.get('role')!.filter((row) => row.tenant_id === tenantId)
    const roles = (await call<Page<Row>>('blade-system/role/list', head, { size: '50' })).records
    const isNew = ({ id }: Row): boolean => !had.some((row) => String(row.id) === id)
    // Its own 班主任, and in the later version its own 教务, are the tenant's, whatever their alias is.
    expect(roles.filter(isNew).map(({ roleName }) => roleName)).toEqual(told[file]!.roles)
    const { rows } = await look.query<{ held: number }>(
      'select count(*)::int as held from app_user_role where tenant_id = $1 and target_id = any($2)',
      [tenantId, roles.filter(isNew).map(({ id }) => id)],
    )
    expect(rows[0]!.held).toBe(0)
    // The platform's own tenant is no school's.
    const platform = await call<Page<Row>>('blade-system/role/list', await logIn('000000', 'admin'), { size: '50' })
    expect(platform.records).toHaveLength(before.get('role')!.filter((row) => row.tenant_id === '000000').length)
  })

  it('keeps the choices that were changed from numbers and texts', async () => {
    const admin = await logIn('000000', 'admin')
    const flat = (nodes: (Row & { children?: Row[] })[]): Row[] =>
      nodes.flatMap((node) => [node, ...flat((node.children ?? []) as Row[])])
    const menus = flat(await call<Row[]>('blade-system/menu/list', admin))
    const old = before.get('menu')!
    expect(old.length).toBeGreaterThan(100)
    for (const row of old) {
      const now = menus.find((menu) => menu.id === String(row.id))
      expect([row.code, now?.category, now?.isOpen]).toEqual([row.code, Number(row.category), Number(row.is_open)])
    }
    const clients = (await call<Page<Row>>('blade-system/client/list', admin)).records
    expect(clients.find(({ clientId }) => clientId === secrets.clientId)?.authorizedGrantTypes).toBe(told[file]!.client)
    const tenant = (await call<Page<Row>>('blade-system/tenant/list', admin, { tenantId })).records[0]!
    expect(tenant).toMatchObject(told[file]!.tenant)
  })

  it('shows personal values, history and its own dictionary entry', async () => {
    const head = await logIn(tenantId, 'head')
    const student = (await call<Page<Row>>('blade-user/student/list', head)).records[0]!
    expect(await call('blade-user/student/personal', head, { id: student.id })).toMatchObject({ phone: '13800001234' })
    const history = await call<{ action: string; userName: string; changes: { field: string }[] }[]>(
      'blade-user/student/history',
      head,
      { id: student.id },
    )
    expect(history.map(({ action, userName }) => [action, userName])).toEqual([
      ['edit', '王校长'],
      ['add', '王校长'],
    ])
    expect(history[0]!.changes.map((change) => change.field).sort()).toEqual(['name', 'phone'])
    expect((await call<Page<Row>>('blade-user/student/list', head, { keyword: 'wxm' })).total).toBe(1)
    const titles = await call<{ dictKey: string }[]>('blade-system/dict-biz/dictionary', head, { code: 'staff_title' })
    expect(titles.map((entry) => entry.dictKey)).toContain('own')
  })

  if (file === '0008.sql') {
    it('narrows whom it narrowed, by rows and by calls', async () => {
      const clerk = await logIn(tenantId, 'clerk')
      // The clerk's office belongs to no school, so the school's pupils are not the clerk's.
      expect((await call<Page<Row>>('blade-user/student/list', clerk)).total).toBe(0)
      const head = await logIn(tenantId, 'head')
      const guardian = (await call<Page<Row>>('blade-user/studentparents/list', head)).records[0]!
      expect(await call('blade-user/studentparents/personal', head, { id: guardian.id })).toMatchObject({
        mobile: '13800005678',
      })
      const clients = await call<Row[]>('blade-system/client/selectClientByTenantId', head, { tenantId })
      expect(clients.filter(({ granted }) => granted === 1).map(({ clientId }) => clientId)).toEqual([
        secrets.clientId,
        'tablet',
      ])
    })

    it('brings back neither a top menu that was removed nor a menu that was taken out of one', async () => {
      const head = await logIn(tenantId, 'head')
      const tops = (await call<Page<Row>>('blade-system/topmenu/list', head, { size: '50' })).records
      expect(tops.map(({ code }) => code)).toEqual([
        'top-school',
        'top-teaching',
        'top-student',
        'top-system',
        // It came later, and nobody had removed it.
        'top-flow',
        'top-resource',
      ])
      const { rows } = await look.query<{ code: string }>(
        `select m.code from top_menu_setting s join menu m on m.id = s.menu_id join top_menu t on t.tenant_id = s.tenant_id and t.id = s.top_menu_id
         where s.tenant_id = $1 and t.code = 'top-resource'`,
        [tenantId],
      )
      const resources = rows.map(({ code }) => code)
      expect(resources).toContain('oss')
      expect(resources).not.toContain('attach')
    })

    it('opens what was sealed, shows its notice, and no picture of another host', async () => {
      const head = await logIn(tenantId, 'head')
      for (const path of ['blade-resource/oss', 'blade-resource/sms']) {
        const row = (await call<Page<Row>>(`${path}/list`, head)).records[0]!
        expect((await call<Row>(`${path}/detail`, head, { id: row.id })).secretKey).toBe('******')
      }
      const cipher = new Cipher({
        kek: { id: secrets.kek.id, key: Buffer.from(secrets.kek.key, 'base64') },
        index: Buffer.from(secrets.index, 'base64'),
      })
      const { rows } = await look.query<{ id: string; key: Buffer }>(
        'select id::text as id, secret_key as key from oss where tenant_id = $1',
        [tenantId],
      )
      const place = { table: 'oss', column: 'secret_key', tenantId, id: rows[0]!.id }
      expect(cipher.open(rows[0]!.key, place)).toBe('the-oss-secret-0008')
      expect((await call<Page<Row>>('blade-desk/notice/list', head)).records[0]).toMatchObject({ title: '开学典礼' })
      const shown = await running.http.inject({
        method: 'GET',
        url: '/api/blade-system/tenant/info',
        query: { domain: 'sy.example.cn' },
      })
      expect((JSON.parse(shown.payload) as Envelope<Row>).data).toMatchObject({ tenantId, logo: null })
      const stored = (await call<Page<Row>>('blade-system/tenant/list', await logIn('000000', 'admin'), { tenantId }))
        .records[0]!
      expect(stored.domain).toBe('sy.example.cn')
    })
  }

  it('answers every list', async () => {
    const admin = await logIn('000000', 'admin')
    const head = await logIn(tenantId, 'head')
    const codes = new Set((await call<{ permissions: string[] }>('blade-auth/oauth/user-info', head)).permissions)
    const lists = allRoutes().filter(({ method, path }) => method === 'GET' && path.endsWith('/list'))
    expect(lists.length).toBeGreaterThan(30)
    for (const { path, access, parameters = {} } of lists) {
      const mayHead = typeof access === 'string' || access.codes.some((code) => codes.has(code))
      // What a list cannot do without is given.
      const needed = Object.entries(parameters).flatMap(([name, { required }]) => (required ? [[name, 'student']] : []))
      await call(path.slice(1), mayHead ? head : admin, Object.fromEntries(needed))
      await call(path.slice(1), admin, Object.fromEntries(needed))
    }
  })
})
