import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ReportContent, ReportResult } from '@data-brain/contract/report'
import type { ReportSource } from '@data-brain/contract/report-source'
import { everyKeys } from '@data-brain/contract/subscription'
import excel from '@zurmokeeper/exceljs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { readEnvironment } from '../src/environment.ts'
import { readSource } from '../src/modules/develop/index.ts'
import { cellOf } from '../src/modules/report/source-tables.ts'
import { deliverReports } from '../src/modules/subscription/index.ts'
import { hasMariaDb, type MariaDb, overTcp, startMariaDb } from './datasource-parts.ts'
import { pagesOf } from './pdf-parts.ts'
import { jobsEnded, makeWorld, type Person, type Row, type World } from './world.ts'

/* Reports of a tenant over tables of others: a PostgreSQL, a MariaDB and a SQLite file, each real. */

let world: World
let platform: Person
let admin: Person
let folder: string
let maria: MariaDb | undefined
const password = `pw-${randomBytes(6).toString('hex')}`
const { owner, template } = inject('database')
const name = `rep_${template}`
const role = `report_reader_${template}`
const foreign = new pg.Client({ connectionString: changeAddress(owner, { database: name }) })
let tcp: Awaited<ReturnType<typeof overTcp>>
const ids: Record<string, string> = {}
const report = 'blade-report/report/rest'
const tables = 'blade-system/tenant/datasource-tables'
const schemas: Record<string, string> = { postgresql: 'Old School', mysql: '', sqlite: '' }

/** The rows of the table `select`: its names are words of SQL, and hold quotes. */
const loans = [
  ['张三', '数学', 3, '12.50', '2026-01-15'],
  ['李四', '数学', 5, '7.25', '2026-01-20'],
  ["x'; drop table a; --", '语文', 2, null, '2026-02-03'],
  ['王五', '语文', 8, '1.00', null],
  ['赵六', '数学', null, '4.00', '2026-02-09'],
] as const

const bind = (who: Person, datasourceId: string | undefined) =>
  platform.post('blade-system/tenant/datasource', undefined, {
    query: { tenantId: who.tenantId, ...(datasourceId ? { datasourceId } : {}) },
  })
const choose = (who: Person, datasourceId: string, chosen: object[], by = platform) =>
  by.post(tables, { tenantId: who.tenantId, datasourceId, tables: chosen })
const sourcesOf = async (who: Person) => (await who.get<ReportSource[]>(`${report}/sources`)).data
const blank: Omit<ReportContent, 'entity'> = {
  ...{ columns: [], filter: null, parameters: [], groups: [], cross: null },
  ...{ measures: [], sort: null, chart: 'none', hideBelow: 0 },
}
const run = (who: Person, content: Partial<ReportContent> & { entity: string }) =>
  who.post<ReportResult>(`${report}/run`, { content: { ...blank, ...content } })

/** Binds the tenant to a source with its loans, and answers the table and its fields by their labels. */
async function bound(kind: string, who = admin) {
  expect(await bind(who, ids[kind])).toMatchObject({ code: 200 })
  expect(await choose(who, ids[kind]!, [{ schema: schemas[kind], name: 'select', label: '借书' }])).toMatchObject({
    code: 200,
  })
  const [table] = await sourcesOf(who)
  const fields = Object.fromEntries(table!.columns.map(({ label, field }) => [label, field]))
  return { entity: `source:${table!.id}`, table: table!, f: (label: string) => fields[label]! }
}

beforeAll(async () => {
  world = await makeWorld()
  platform = await world.platform()
  admin = await world.tenant()
  folder = mkdtempSync(join(tmpdir(), 'data-brain-report-source-'))
  Object.assign(world.services.environment, { datasourceDir: folder })
  tcp = await overTcp(owner)
  const first = new pg.Client({ connectionString: owner })
  await first.connect()
  await first.query(`create database ${name}`)
  await first.query(`create role ${role} login password '${password}'`)
  await first.end()
  await foreign.connect()
  await foreign.query(`
    create schema "Old School";
    create table "Old School"."select" ("order" varchar(50) primary key, "a""b" varchar(20), "count" integer, price numeric(8,2), "from" date);
    create table "Old School".hidden (secret text);
    create view "Old School".many as select g as n from generate_series(1, 100001) g;
    create view "Old School".slow as select pg_sleep(60)::text as s;
    grant usage on schema "Old School" to ${role}; grant select on all tables in schema "Old School" to ${role};`)
  const sqlite = new DatabaseSync(join(folder, 'loans.db'))
  sqlite.exec(
    'create table "select" ("order" text primary key, "a""b" text, "count" integer, price decimal(8,2), "from" date); create table hidden (secret text)',
  )
  for (const row of loans) {
    await foreign.query('insert into "Old School"."select" values ($1, $2, $3, $4, $5)', [...row])
    sqlite.prepare('insert into "select" values (?, ?, ?, ?, ?)').run(...row)
  }
  sqlite.close()
  const sources: Record<string, string> = {
    postgresql: `postgresql://127.0.0.1:${tcp.port}/${name}`,
    sqlite: 'sqlite:loans.db',
  }
  if (hasMariaDb) {
    maria = await startMariaDb()
    const text = (value: string | number | null): string =>
      value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`
    await maria.run(
      'create database school character set utf8mb4',
      `create user reader@'%' identified by '${password}'`,
      "grant select on school.* to reader@'%'",
      'create table school.`select` (`order` varchar(50) primary key, `a"b` varchar(20), `count` int, price decimal(8,2), `from` date)',
      'create table school.hidden (secret text)',
      ...loans.map((row) => `insert into school.\`select\` values (${row.map(text).join(', ')})`),
    )
    sources.mysql = `jdbc:mysql://127.0.0.1:${maria.port}/school`
  }
  Object.assign(world.services.environment, {
    outboundAllow: readEnvironment({
      OUTBOUND_ALLOW: [tcp.port, maria?.port ?? 1].map((port) => `127.0.0.1:${port}`).join(),
    }).outboundAllow,
  })
  for (const [driverClass, url] of Object.entries(sources)) {
    const login = driverClass === 'sqlite' ? {} : { username: driverClass === 'mysql' ? 'reader' : role, password }
    const made = await platform.post<Row>('blade-develop/datasource/submit', {
      ...{ name: `${driverClass}${randomBytes(4).toString('hex')}`, driverClass, url },
      ...login,
    })
    expect(made).toMatchObject({ code: 200 })
    ids[driverClass] = made.data.id
  }
}, 240_000)

afterAll(async () => {
  await world.close()
  await foreign.end()
  await maria?.close()
  await tcp.close()
  const last = new pg.Client({ connectionString: owner })
  await last.connect()
  await last.query(`drop database ${name} with (force)`)
  await last.query(`drop role ${role}`)
  await last.end()
  rmSync(folder, { recursive: true, force: true })
})

for (const kind of ['postgresql', 'sqlite', ...(hasMariaDb ? ['mysql'] : [])])
  describe(`R-DEV-8 a report over a table of a ${kind}`, () => {
    it('counts its groups, sums numbers, crosses them by month, in order and under filters', async () => {
      const { entity, table, f } = await bound(kind)
      expect(table.columns.map(({ label, kind: of }) => [label, of])).toEqual([
        ['order', 'text'],
        ['a"b', 'text'],
        ['count', 'integer'],
        ['price', 'decimal'],
        ['from', 'date'],
      ])
      const answer = await run(admin, {
        entity,
        groups: [{ field: f('a"b'), by: null }],
        measures: [
          { of: 'count', field: null },
          { of: 'sum', field: f('price') },
          { of: 'average', field: f('count') },
        ],
        sort: { by: 0, down: true },
        labels: { [f('a"b')]: '科目', [f('price')]: '押金' },
      })
      expect(answer.msg).toBe('操作成功')
      expect(answer.data.heads.map(({ text }) => text)).toEqual(['科目', '数量', '押金合计', 'count平均'])
      expect(answer.data.rows.map(({ cells }) => cells)).toEqual([
        ['数学', 3, 23.75, 4],
        ['语文', 2, 1, 5],
        ['合计', 5, 24.75, 4.5],
      ])
      expect(answer.data.query).toBeNull()
      const crossed = await run(admin, {
        entity,
        groups: [{ field: f('a"b'), by: null }],
        cross: { field: f('from'), by: 'month' },
        measures: [{ of: 'count', field: null }],
        filter: { all: [{ field: f('count'), op: 'ge', value: 3 }] },
      })
      expect(crossed.data.rows.map(({ cells }) => cells)).toEqual([
        ['数学', 2, null, 2].map((cell) => cell ?? 0),
        ['语文', 0, 1, 1],
        ['合计', 2, 1, 3],
      ])
    })

    it('lists its rows in an order, asked for days, on the screen as in a workbook', async () => {
      const { entity, f } = await bound(kind)
      const content: ReportContent = {
        ...blank,
        ...{ entity, columns: [f('order'), f('price'), f('from')], parameters: [f('from')] },
        sort: { by: 1, down: true },
      }
      const listed = await run(admin, content)
      expect(listed.data.rows.map(({ cells }) => cells)).toEqual([
        ['张三', 12.5, '2026-01-15'],
        ['李四', 7.25, '2026-01-20'],
        ['赵六', 4, '2026-02-09'],
        ['王五', 1, null],
        ["x'; drop table a; --", null, '2026-02-03'],
      ])
      const saved = await admin.post<Row>(`${report}/submit`, { name: `${kind}${Date.now()}`, content })
      expect(saved.msg).toBe('操作成功')
      const file = await world.http.inject({
        method: 'GET',
        url: '/api/blade-report/report/result/export',
        query: { id: saved.data.id, parameters: JSON.stringify({ [`${f('from')}_datege`]: '2026-02-01' }) },
        headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': 'zh' },
      })
      expect(file.statusCode).toBe(200)
      const book = new excel.Workbook()
      await book.xlsx.load(file.rawPayload as never)
      const [sheet] = book.worksheets
      const cells: unknown[][] = []
      sheet!.eachRow((row) => cells.push((row.values as unknown[]).slice(1)))
      expect(JSON.stringify(cells)).toContain('赵六')
      expect(JSON.stringify(cells)).not.toContain('张三')
    })
  })

describe('R-DEV-8 a report over a data source comes in every way that others do', () => {
  const grouped = (entity: string, f: (label: string) => string): ReportContent => ({
    ...blank,
    ...{ entity, groups: [{ field: f('a"b'), by: null }], chart: 'bars', sort: { by: 0, down: true } },
    measures: [
      { of: 'count', field: null },
      { of: 'sum', field: f('price') },
    ],
    labels: { [f('a"b')]: '科目', [f('price')]: '押金' },
  })
  const saved = async (content: ReportContent, title: string): Promise<string> => {
    const made = await admin.post<Row>(`${report}/submit`, { name: title, content })
    expect(made.msg).toBe('操作成功')
    return made.data.id
  }
  const taken = async (id: string, format: string, language: string) => {
    const answer = await world.http.inject({
      ...{ method: 'GET', url: '/api/blade-report/report/result/export', query: { id, format } },
      headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': language },
    })
    expect(answer.statusCode).toBe(200)
    return answer
  }

  it('R-DEV-6 as CSV, as workbook and as PDF, in Chinese and in English', async () => {
    const { entity, f } = await bound('sqlite')
    const id = await saved(grouped(entity, f), '借书统计')
    for (const [language, count, sum, total] of [
      ['zh', '数量', '押金合计', '合计'],
      ['en', 'Count', 'Sum of 押金', 'Total'],
    ] as const) {
      const shown = await world.http.inject({
        ...{ method: 'POST', url: `/api/${report}/run`, payload: { id } },
        headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': language },
      })
      const { heads, rows } = shown.json().data as ReportResult
      const texts = heads.map(({ text }) => text)
      expect(texts).toEqual(['科目', count, sum])
      const cells = [texts, ...rows.map((row) => row.cells.map((cell) => String(cell ?? '')))]
      expect(cells.slice(1)).toEqual([
        ['数学', '3', '23.75'],
        ['语文', '2', '1'],
        [total, '5', '24.75'],
      ])
      const csv = (await taken(id, 'csv', language)).payload
      for (const line of cells) expect(csv.replaceAll('"', '')).toContain(line.join())
      const [page] = await pagesOf((await taken(id, 'pdf', language)).rawPayload)
      for (const cell of cells.flat()) expect(page!.join('|')).toContain(cell)
    }
  })

  it('R-DEV-7 by the clock, and is paused, told why, where the platform takes the table away', async () => {
    const { entity, f } = await bound('sqlite')
    const reportId = await saved(grouped(entity, f), '借书订阅')
    const asked = await admin.post<Row>(`${report}/subscribe`, {
      ...{ reportId, every: everyKeys.day, hour: 7, format: 'csv', way: '1' },
    })
    expect(asked.msg).toBe('操作成功')
    const at = (moment: unknown): Date => new Date(`${String(moment).replace(' ', 'T')}+08:00`)
    const due = async () => {
      const { nextRun } = (await admin.get<Row>('blade-report/subscription/detail', { id: asked.data.id })).data
      const answer = await deliverReports(world.services, admin.tenantId, at(nextRun))
      await jobsEnded()
      return answer
    }
    expect(await due()).toEqual({ asked: 1, paused: 0 })
    const [job] = (await admin.get<Row[]>('blade-system/job/mine')).data
    const file = await world.http.inject({
      ...{ method: 'GET', url: `/api/blade-system/job/file?id=${job!.id}` },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    expect(file.payload.replaceAll('"', '')).toContain('数学,3,23.75')
    await bind(admin, undefined)
    await due()
    const { records } = (await admin.get<{ records: Row[] }>('blade-desk/inbox/list')).data
    expect(JSON.stringify(records)).toMatch(/不再提供给本单位/)
  })
})

describe('R-DEV-8 what a report over a data source may not read', () => {
  const content = (entity: string, field: string) => ({ entity, columns: [field] })

  it('is every table that is not chosen, and every one of another tenant, told alike', async () => {
    const other = await world.tenant()
    const { entity, f } = await bound('sqlite')
    const strange = await run(other, content(entity, f('order')))
    const none = await run(other, content('source:1', f('order')))
    expect([strange.code, strange.msg]).toEqual([none.code, none.msg])
    expect(strange.msg).toMatch(/数据源表不存在/)
    expect(await sourcesOf(other)).toEqual([])
    expect(JSON.stringify(await sourcesOf(admin))).not.toMatch(/hidden|secret|loans/)
    expect((await run(admin, content(entity, 'secret'))).msg).toMatch(/没有名为“secret”的字段/)
  })

  it('is anything without the right, and nobody but the platform chooses', async () => {
    const { entity, f } = await bound('sqlite')
    const reader = await world.colleague(admin, ['report_view', 'report_add', 'report_export'])
    expect(await run(reader, content(entity, f('order')))).toMatchObject({ code: 403 })
    expect(await reader.get(`${report}/sources`)).toMatchObject({ code: 403 })
    const saving = { name: '不可读取', content: { ...blank, ...content(entity, f('order')) } }
    expect(await reader.post(`${report}/submit`, saving)).toMatchObject({ code: 403 })
    const allowed = await world.colleague(admin, ['report_view', 'report_add', 'report_source'])
    expect((await run(allowed, content(entity, f('order')))).msg).toBe('操作成功')
    expect(await choose(admin, ids.sqlite!, [], admin)).toMatchObject({ code: 403 })
    expect(await admin.get(tables, { tenantId: admin.tenantId })).toMatchObject({ code: 403 })
    expect((await run(admin, content(entity, f('order')))).code).toBe(200)
  })

  it('is a source that is unbound, another source’s tables, a table or a column that is gone, each in its words', async () => {
    const { entity, f } = await bound('sqlite')
    const file = new DatabaseSync(join(folder, 'loans.db'))
    try {
      file.exec('alter table "select" rename column "a""b" to gone')
      expect((await run(admin, content(entity, f('a"b')))).msg).toBe('表“借书”中的列“a"b”已不存在')
      expect((await run(admin, content(entity, f('order')))).code).toBe(200)
      file.exec('alter table "select" rename to elsewhere')
      expect((await run(admin, content(entity, f('order')))).msg).toBe('数据源中的表“借书”已不存在或不可读取')
      expect((await choose(admin, ids.sqlite!, [{ name: 'select', label: '借书' }])).msg).toBe(
        '表“select”已不存在或不可读取',
      )
    } finally {
      file.exec('alter table elsewhere rename to "select"')
      file.exec('alter table "select" rename column gone to "a""b"')
      file.close()
    }
    expect((await run(admin, content(entity, f('order')))).code).toBe(200)
    expect((await choose(admin, ids.postgresql!, [])).msg).toMatch(/不再绑定该数据源/)
    await bind(admin, undefined)
    expect((await run(admin, content(entity, f('order')))).msg).toMatch(/不再提供给本单位/)
    expect(await sourcesOf(admin)).toEqual([])
  })

  it('is too many rows, a statement without an end and a wrong password; nothing inner is told', async () => {
    const chosen = [
      { schema: 'Old School', name: 'many', label: '很多' },
      { schema: 'Old School', name: 'slow', label: '很慢' },
    ]
    await bind(admin, ids.postgresql)
    expect(await choose(admin, ids.postgresql!, chosen)).toMatchObject({ code: 200 })
    const [many, slow] = await sourcesOf(admin)
    const of = (table: ReportSource) => run(admin, content(`source:${table.id}`, table.columns[0]!.field))
    expect((await of(many!)).msg).toMatch(/“很多”超过100000行/)
    expect((await of(slow!)).msg).toBe('无法读取表“很慢”：数据源没有按时回答')
    await foreign.query(`alter role ${role} password 'another'`)
    try {
      expect((await of(many!)).msg).toMatch(/无法读取表“很多”：用户名或密码错误/)
    } finally {
      await foreign.query(`alter role ${role} password '${password}'`)
    }
    const { outboundAllow } = world.services.environment
    Object.assign(world.services.environment, { outboundAllow: readEnvironment({}).outboundAllow })
    try {
      const shut = (await of(many!)).msg
      expect(shut).toMatch(/请联系平台管理员/)
      expect(shut).not.toMatch(/127|5432/)
    } finally {
      Object.assign(world.services.environment, { outboundAllow })
    }
  }, 40_000)

  it('is a table that is taken away while a report runs, and one that nobody waits for any more', async () => {
    const chosen = [{ schema: 'Old School', name: 'late', label: '较慢' }]
    await foreign.query(`create view "Old School".late as select 'geheim'::text || pg_sleep(3)::text as s;
      grant select on "Old School".late to ${role}`)
    await bind(admin, ids.postgresql)
    expect(await choose(admin, ids.postgresql!, chosen)).toMatchObject({ code: 200 })
    const [late] = await sourcesOf(admin)
    const asked = content(`source:${late!.id}`, late!.columns[0]!.field)
    const working = async (): Promise<number> =>
      (
        await foreign.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where usename = '${role}' and query like '%"late"%' and state = 'active'`,
        )
      ).rows[0]!.n
    const first = run(admin, asked)
    await expect.poll(working, { timeout: 10_000 }).toBe(1)
    await bind(admin, undefined)
    const told = await first
    expect(told.msg).toMatch(/不再提供给本单位/)
    expect(JSON.stringify(told)).not.toContain('geheim')

    const leaving = new AbortController()
    const { services } = world
    await bind(admin, ids.postgresql)
    const reading = readSource(
      services,
      { tenantId: '000000', id: ids.postgresql! },
      async (reader) =>
        reader.rows(
          { schema: 'Old School', name: 'late' },
          await reader.columns({ schema: 'Old School', name: 'late' }),
          5,
        ),
      leaving.signal,
    )
    const refused = expect(reading).rejects.toThrow('left')
    await expect.poll(working, { timeout: 10_000 }).toBe(1)
    const began = performance.now()
    leaving.abort(new Error('left'))
    await refused
    // It does not wait for the statement: its connection is ended.
    expect(performance.now() - began).toBeLessThan(2_000)
  }, 30_000)

  it('is a cell that is none of its kind: it counts as empty', () => {
    expect(cellOf('integer', 'x')).toBeNull()
    expect(cellOf('date', '0000-00-00')).toBeNull()
    expect(cellOf('date', '2026-02-30')).toBeNull()
    expect(cellOf('instant', '2026-02-03 04:05:06.7+08')).toBe('2026-02-03 04:05:06.7+08')
    expect(cellOf('instant', '2026-02-03 24:99')).toBeNull()
    expect(cellOf('decimal', '1e5')).toBe('1e5')
    expect(cellOf('decimal', 'NaN')).toBeNull()
    expect(cellOf('flag', 't')).toBe(1)
    expect(cellOf('text', 'a\0\ud800')).toBe('a\ufffd')
  })
})
