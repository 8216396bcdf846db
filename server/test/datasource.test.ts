import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { readEnvironment } from '../src/environment.ts'
import { readAddress } from '../src/modules/develop/address.ts'
import { openPostgres } from '../src/modules/develop/postgres.ts'
import { hasMariaDb, type MariaDb, overTcp, startMariaDb } from './datasource-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* Databases of others: a PostgreSQL, a MariaDB and a SQLite file, each real. */

let world: World
let platform: Person
let folder: string
let maria: MariaDb | undefined
const path = 'blade-develop/datasource'
const password = `pw-${randomBytes(6).toString('hex')}`
const { owner, template } = inject('database')
const name = `src_${template}`
const role = `reader_${template}`
const foreign = new pg.Client({ connectionString: changeAddress(owner, { database: name }) })
let tcp: Awaited<ReturnType<typeof overTcp>>
let postgres: string

interface Column {
  readonly name: string
  readonly type: string
  readonly length: number | null
  readonly nullable: number
  readonly primary: number
  readonly single: number
  readonly refersTo: string | null
  readonly comment: string | null
}
type Table = { schema: string; name: string; kind: string; comment: string | null }

const allow = (hosts: string): void => {
  Object.assign(world.services.environment, { outboundAllow: readEnvironment({ OUTBOUND_ALLOW: hosts }).outboundAllow })
}
const draftOf = (url: string, driverClass = 'postgresql') => ({
  name: `源${randomBytes(4).toString('hex')}`,
  driverClass,
  url,
  ...(driverClass === 'sqlite' ? {} : { username: driverClass === 'mysql' ? 'reader' : role, password }),
})
const add = async (draft: object): Promise<string> => {
  const answer = await platform.post<{ id: string }>(`${path}/submit`, draft)
  expect(answer.msg).toBe('操作成功')
  return answer.data.id
}
const tried = async (id: string, language: 'zh' | 'en' = 'zh') =>
  (await platform.post<{ ok: number; message: string }>(`${path}/test`, undefined, { query: { id }, language })).data
const tables = (id: string) => platform.get<Table[]>(`${path}/tables`, { id })
const columns = (id: string, schema: string, table: string) =>
  platform.get<Column[]>(`${path}/columns`, { id, schema, table })
const rows = (id: string, schema: string, table: string) =>
  platform.get<{ columns: string[]; rows: (string | null)[][] }>(`${path}/rows`, { id, schema, table })

/** Rows that a test has made up, and what they are told as. */
const people = Array.from({ length: 60 }, (_, at) => ({
  id: at + 1,
  name: `人${randomInt(1e9)}`,
  score: randomInt(100),
}))

beforeAll(async () => {
  world = await makeWorld()
  platform = await world.platform()
  folder = mkdtempSync(join(tmpdir(), 'data-brain-sqlite-'))
  tcp = await overTcp(owner)
  postgres = `postgresql://127.0.0.1:${tcp.port}/${name}`
  const admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.query(`create role ${role} login password '${password}'`)
  await admin.end()
  await foreign.connect()
  await foreign.query(`
    create schema "Old School";
    create table "Old School"."select" ("from" integer primary key, "Order by" varchar(20) not null unique, "a""b" numeric(8,2));
    comment on column "Old School"."select"."Order by" is '排序';
    create table person (id integer primary key, name varchar(50) not null, score integer, klass integer references "Old School"."select");
    comment on table person is '人员';
    create table hidden (secret text);
    create view many as select g as n from generate_series(1, 100001) g;
    create view slow as select pg_sleep(60)::text as s;
    create table written (n integer);
    create function write() returns integer language sql as 'insert into written values (1) returning n';
    create view writing as select write() as n;
    grant insert, select on written to ${role}; grant select on writing to ${role};
    grant usage on schema "Old School" to ${role}; grant select on "Old School"."select", person, many, slow to ${role};
    grant insert on person to ${role};
    insert into "Old School"."select" values (1, 'x; drop table a; --', 1.50);`)
  for (const each of people)
    await foreign.query('insert into person (id, name, score) values ($1, $2, $3)', [each.id, each.name, each.score])
  if (hasMariaDb) {
    maria = await startMariaDb()
    await maria.run(
      'create database school character set utf8mb4',
      `create user reader@'%' identified by '${password}'`,
      "grant select, insert on school.* to reader@'%'",
      "create table school.`group` (`key` int primary key, `a``b` varchar(30) not null unique comment '名称') comment='分组'",
      'create table school.person (id int primary key, name varchar(50) not null, score int, photo blob, grp int, foreign key (grp) references `group`(`key`))',
      'create view school.slow as select sleep(60) as s',
      "insert into school.`group` values (1, 'x')",
      ...people.map(
        ({ id, name: called, score }) => `insert into school.person values (${id}, '${called}', ${score}, x'00ff', 1)`,
      ),
    )
  }
  allow([tcp.port, maria?.port ?? 1].map((port) => `127.0.0.1:${port}`).join())
}, 240_000)

afterAll(async () => {
  await world.close()
  await foreign.end()
  await maria?.close()
  await tcp.close()
  const admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  await admin.query(`drop database ${name} with (force)`)
  await admin.query(`drop role ${role}`)
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

describe('R-DEV-8 a PostgreSQL', () => {
  it('is tried, and shows the tables that its user may read, their columns and first rows', async () => {
    const id = await add(draftOf(postgres))
    expect(await tried(id)).toMatchObject({ ok: 1, message: '连接正常，可以读取6张表和视图' })
    expect((await tables(id)).data).toEqual([
      { schema: 'Old School', name: 'select', kind: 'table', comment: null },
      { schema: 'public', name: 'many', kind: 'view', comment: null },
      { schema: 'public', name: 'person', kind: 'table', comment: '人员' },
      { schema: 'public', name: 'slow', kind: 'view', comment: null },
      { schema: 'public', name: 'writing', kind: 'view', comment: null },
      { schema: 'public', name: 'written', kind: 'table', comment: null },
    ])
    expect((await columns(id, 'public', 'person')).data).toMatchObject([
      { name: 'id', type: 'integer', nullable: 0, primary: 1, single: 1, refersTo: null },
      { name: 'name', type: 'character varying(50)', length: 50, nullable: 0, primary: 0, single: 0 },
      { name: 'score', type: 'integer', length: null, nullable: 1 },
      { name: 'klass', nullable: 1, refersTo: 'select' },
    ])
    const found = (await rows(id, 'public', 'person')).data
    expect(found.columns).toEqual(['id', 'name', 'score', 'klass'])
    expect(found.rows).toEqual(
      people.slice(0, 50).map((each) => [String(each.id), each.name, String(each.score), null]),
    )
  })

  it('may have words of SQL and quotes as names', async () => {
    const id = await add(draftOf(`jdbc:${postgres}?sslmode=disable&ApplicationName=x`))
    expect((await columns(id, 'Old School', 'select')).data).toMatchObject([
      { name: 'from', primary: 1 },
      { name: 'Order by', length: 20, single: 1, comment: '排序' },
      { name: 'a"b', type: 'numeric(8,2)' },
    ])
    expect((await rows(id, 'Old School', 'select')).data.rows).toEqual([['1', 'x; drop table a; --', '1.50']])
    // A name that is none is looked up, and never run.
    const wrong = await rows(id, 'public', 'person; drop table person')
    expect([wrong.status, wrong.msg]).toEqual([400, '表“person; drop table person”已不存在或不可读取，请刷新列表'])
    expect((await foreign.query('select 1 from person limit 1')).rowCount).toBe(1)
  })

  it('is told in words when a table has vanished or may not be read', async () => {
    const id = await add(draftOf(postgres))
    await foreign.query(`create table passing (a text); grant select on passing to ${role}`)
    expect((await tables(id)).data.map((each) => each.name)).toContain('passing')
    await foreign.query('drop table passing')
    for (const call of [columns, rows]) {
      const gone = await call(id, 'public', 'passing')
      expect([gone.status, gone.msg]).toEqual([400, '表“passing”已不存在或不可读取，请刷新列表'])
    }
    const hidden = await rows(id, 'public', 'hidden')
    expect([hidden.status, hidden.msg]).toEqual([400, '表“hidden”已不存在或不可读取，请刷新列表'])
  })

  it('takes no write, whatever its user may', async () => {
    const id = await add(draftOf(postgres))
    const refused = await rows(id, 'public', 'writing')
    expect([refused.status, refused.msg]).toEqual([400, '无法读取数据源 (25006)'])
    expect((await foreign.query('select 1 from written')).rowCount).toBe(0)
    // The view does write where it may.
    await foreign.query('select * from writing')
    expect((await foreign.query('select 1 from written')).rowCount).toBe(1)
  })

  it('gives 100,000 rows at most, and one that tells of more', async () => {
    const { port } = tcp
    const reader = await openPostgres(
      world.services,
      { kind: 'postgresql', host: '127.0.0.1', port, database: name, tls: 'off' },
      { username: role, password },
    )
    const many = { schema: 'public', name: 'many' }
    expect(await reader.rows(many, await reader.columns(many), 1_000_000)).toHaveLength(100_001)
    await reader.close()
  })

  it('tells a wrong password and a database that is none apart', async () => {
    const wrong = await add({ ...draftOf(postgres), password: 'no' })
    expect(await tried(wrong, 'en')).toMatchObject({
      ok: 0,
      message: 'Wrong user name or password, or no log-in from this server',
    })
    const none = await add(draftOf(postgres.replace(name, 'nowhere_at_all')))
    expect(await tried(none)).toMatchObject({ ok: 0, message: '没有这个数据库，或没有访问权限' })
  })

  it('gives no connection longer than a statement may take, and keeps none', async () => {
    const id = await add(draftOf(postgres))
    const began = performance.now()
    const slow = await rows(id, 'public', 'slow')
    expect([slow.status, slow.msg]).toEqual([400, '数据源没有按时回答'])
    expect(performance.now() - began).toBeLessThan(15_000)
    await expect
      .poll(async () => (await foreign.query('select 1 from pg_stat_activity where usename = $1', [role])).rowCount)
      .toBe(0)
  }, 30_000)

  it('is read by three connections at most; others wait', async () => {
    const id = await add(draftOf(postgres))
    tcp.takeMost()
    const all = await Promise.all(Array.from({ length: 12 }, () => rows(id, 'public', 'many')))
    expect(all.map((each) => each.status)).toEqual(Array(12).fill(200))
    expect(tcp.takeMost()).toBe(3)
  })
})

describe.skipIf(!hasMariaDb)('R-DEV-8 a MariaDB', () => {
  const url = (more = '') => `jdbc:mysql://127.0.0.1:${maria!.port}/school${more}`

  it('is tried and browsed alike', async () => {
    const id = await add(draftOf(url('?useUnicode=true&characterEncoding=utf8&serverTimezone=Asia/Shanghai'), 'mysql'))
    expect(await tried(id)).toMatchObject({ ok: 1, message: '连接正常，可以读取3张表和视图' })
    expect((await tables(id)).data).toEqual([
      { schema: '', name: 'group', kind: 'table', comment: '分组' },
      { schema: '', name: 'person', kind: 'table', comment: null },
      { schema: '', name: 'slow', kind: 'view', comment: null },
    ])
    expect((await columns(id, '', 'group')).data).toMatchObject([
      { name: 'key', primary: 1, nullable: 0 },
      { name: 'a`b', type: 'varchar(30)', length: 30, single: 1, comment: '名称' },
    ])
    expect((await columns(id, '', 'person')).data.at(-1)).toMatchObject({ name: 'grp', refersTo: 'group', nullable: 1 })
    const found = (await rows(id, '', 'person')).data
    expect(found.rows).toEqual(
      people.slice(0, 50).map((each) => [String(each.id), each.name, String(each.score), '00FF', '1']),
    )
  })

  it('tells a wrong password, a database that is none and a table that has vanished', async () => {
    const wrong = await add({ ...draftOf(url(), 'mysql'), password: 'no' })
    expect((await tried(wrong)).message).toBe('用户名或密码错误，或不允许从本服务器登录')
    const none = await add(draftOf(url().replace('/school', '/nowhere'), 'mysql'))
    expect((await tried(none)).message).toBe('没有这个数据库，或没有访问权限')
    const id = await add(draftOf(url(), 'mysql'))
    expect((await rows(id, '', 'gone')).msg).toBe('表“gone”已不存在或不可读取，请刷新列表')
  })

  it('is given up when a statement takes too long', async () => {
    const id = await add(draftOf(url(), 'mysql'))
    const slow = await rows(id, '', 'slow')
    expect([slow.status, slow.msg]).toEqual([400, '数据源没有按时回答'])
  }, 30_000)
})

describe('R-DEV-8 a SQLite file', () => {
  const inFolder = (file: string) => join(folder, file)
  const make = (file: string): void => {
    const made = new DatabaseSync(inFolder(file))
    made.exec(`create table room ("group" integer primary key, name varchar(20) not null unique, other integer references room("group"),
        shown text as (name || '室') stored, short text as (substr(name, 1, 1)));
      create view rooms as select name from room;
      insert into room ("group", name, other) values (1, '101', null), (2, '102', 1);`)
    made.close()
  }

  it('is read from the operator’s folder alone, and only where there is one', async () => {
    make('school.db')
    mkdirSync(inFolder('sub'))
    make('sub/other.db')
    writeFileSync(inFolder('text.db'), 'no database at all, but long enough to be looked at'.repeat(40))
    const outside = mkdtempSync(join(tmpdir(), 'data-brain-outside-'))
    const secret = new DatabaseSync(join(outside, 'secret.db'))
    secret.exec('create table t (a)')
    secret.close()
    symlinkSync(join(outside, 'secret.db'), inFolder('link.db'))
    const id = await add(draftOf('sqlite:school.db', 'sqlite'))
    Object.assign(world.services.environment, { datasourceDir: null })
    expect((await tried(id)).message).toContain('DATASOURCE_DIR')
    Object.assign(world.services.environment, { datasourceDir: folder })
    expect(await tried(id)).toMatchObject({ ok: 1, message: '连接正常，可以读取2张表和视图' })
    expect((await tables(id)).data.map((each) => `${each.name} ${each.kind}`)).toEqual(['room table', 'rooms view'])
    expect((await columns(id, '', 'room')).data).toMatchObject([
      { name: 'group', primary: 1 },
      { name: 'name', length: 20, nullable: 0, single: 1 },
      { name: 'other', refersTo: 'room', nullable: 1 },
      { name: 'shown' },
      { name: 'short' },
    ])
    expect((await rows(id, '', 'room')).data.rows).toEqual([
      ['1', '101', null, '101室', '1'],
      ['2', '102', '1', '102室', '1'],
    ])
    expect((await rows(id, '', 'gone')).msg).toContain('“gone”')
    expect((await tried(await add(draftOf('jdbc:sqlite:sub/other.db', 'sqlite')))).ok).toBe(1)
    for (const [file, words] of [
      ['link.db', '没有文件“link.db”'],
      ['none.db', '没有文件“none.db”'],
      ['sub', '没有文件“sub”'],
      ['text.db', '无法作为SQLite数据库读取'],
    ] as const)
      expect((await tried(await add(draftOf(`sqlite:${file}`, 'sqlite')))).message).toContain(words)
    for (const file of ['../secret.db', '/etc/passwd', 'sub/../../x', 'file:school.db?mode=rw', 'C:\\x.db', ''])
      expect(
        (await platform.post<{ field: string }>(`${path}/submit`, draftOf(`sqlite:${file}`, 'sqlite'))).data.field,
      ).toBe('url')
    rmSync(outside, { recursive: true })
  })
})

describe('R-DEV-8 the address of a data source', () => {
  const refused = async (draft: object) => {
    const answer = await platform.post<{ field: string }>(`${path}/submit`, draft)
    return [answer.status, answer.data?.field, answer.msg]
  }

  it('is refused with a parameter that is dangerous, by its name', async () => {
    for (const parameter of [
      'allowLoadLocalInfile',
      'autoDeserialize',
      'socketFactory',
      'allowUrlInLocalInfile',
      'sslfactory',
      'loggerFile',
      'options',
    ])
      for (const driver of ['mysql', 'postgresql'])
        expect(
          await refused(draftOf(`jdbc:${driver}://db.example.cn/x?useUnicode=true&${parameter}=true`, driver)),
        ).toEqual([400, 'url', `连接地址：不允许使用参数 ${parameter}`])
  })

  it('is refused where it cannot be understood whether it is encrypted', async () => {
    for (const [driver, parameter, value] of [
      ['postgresql', 'sslmode', 'verify-ful'],
      ['postgresql', 'sslmode', 'prefer'],
      ['postgresql', 'ssl', ''],
      ['mysql', 'sslMode', 'PREFERRED'],
      ['mysql', 'useSSL', 'on'],
      ['mysql', 'verifyServerCertificate', 'maybe'],
    ] as const)
      expect(await refused(draftOf(`jdbc:${driver}://db.example.cn/x?${parameter}=${value}`, driver))).toEqual([
        ...[400, 'url'],
        `连接地址：参数 ${parameter} 须为 require、verify-full 或 disable`,
      ])
    const tlsOf = (driver: string, said: string) => readAddress(driver, `jdbc:${driver}://db.example.cn/x?${said}`)
    for (const [said, tls] of [
      ['useSSL=yes', 'on'],
      ['useSSL=true&verifyServerCertificate=true', 'verify'],
      ['sslMode=VERIFY_IDENTITY', 'verify'],
      ['useSSL=no', 'off'],
    ] as const)
      expect([said, tlsOf('mysql', said)]).toMatchObject([said, { tls }])
  })

  it('is refused with a password in it, and of any other form', async () => {
    expect(await refused(draftOf('postgresql://me:pw@db.example.cn/x'))).toEqual([
      400,
      'url',
      '连接地址：不能含有用户名或密码，请填在各自的栏中',
    ])
    expect((await refused(draftOf('postgresql://db.example.cn/x?password=1')))[1]).toBe('url')
    for (const url of [
      'mysql://db.example.cn/x',
      'postgresql://a,b/x',
      'postgresql://h:99999/x',
      'postgresql://h',
      'jdbc:postgresql:x',
      'http://h/x',
      'postgresql:///tmp/x',
      'jdbc:mysql:loadbalance://h/x',
    ])
      expect((await refused(draftOf(url)))[1]).toBe('url')
    for (const driverClass of ['oracle', 'sqlserver'])
      expect(await refused({ ...draftOf('jdbc:oracle:thin:@h:1521:x'), driverClass })).toEqual([
        400,
        'driverClass',
        '驱动类：该驱动不受支持，只能保留，不能连接',
      ])
  })

  it('is asked with its password anew when it changes, so that the password goes nowhere else', async () => {
    const id = await add(draftOf(postgres))
    const { data } = await platform.get<Record<string, unknown>>(`${path}/detail`, { id })
    expect(data.password).toBe('******')
    expect(await refused({ id, url: 'postgresql://elsewhere.example.cn/x' })).toEqual([
      400,
      'password',
      '密码：地址、驱动或用户名已改变，请重新填写',
    ])
    expect((await refused({ id, username: 'root', password: '******' }))[1]).toBe('password')
    expect((await platform.post(`${path}/submit`, { ...data, remark: '新' })).status).toBe(200)
    expect((await tried(id)).ok).toBe(1)
    const { rows: kept } = await world.owner.query('select password from datasource where id = $1', [id])
    expect((kept[0].password as Buffer).includes(password)).toBe(false)
    for (const call of ['list', 'detail', 'history', 'select'])
      expect(JSON.stringify(await platform.get(`${path}/${call}`, { id }))).not.toContain(password)
  })

  it('leads to no inner host, however it is written', async () => {
    let seen = 0
    const canary: Server = createServer((socket) => {
      seen += 1
      socket.destroy()
    })
    await new Promise<void>((done) => canary.listen(0, '::', done))
    const { port } = canary.address() as { port: number }
    const before = world.services.environment.outboundAllow.join()
    try {
      // Allowed by another port, which opens this one as little.
      allow('127.0.0.1:1,db.example.cn')
      for (const driver of ['postgresql', 'mysql'])
        for (const host of [
          '127.0.0.1',
          'localhost',
          '2130706433',
          '0x7f.1',
          '[::1]',
          '[::ffff:127.0.0.1]',
          '[::ffff:7f00:1]',
          '0.0.0.0',
        ]) {
          const id = await add(draftOf(`${driver}://${host}:${port}/x`, driver))
          const { ok, message } = await tried(id)
          expect([host, ok]).toEqual([host, 0])
          expect(message).toMatch(/OUTBOUND_ALLOW|找不到主机/)
        }
      expect(seen).toBe(0)
      // The same door opens once the operator names it: the test would see a connection.
      allow(`127.0.0.1:${port}`)
      expect((await tried(await add(draftOf(`mysql://127.0.0.1:${port}/x`, 'mysql')))).ok).toBe(0)
      expect(seen).toBe(1)
    } finally {
      allow(before)
      await new Promise((done) => canary.close(done))
    }
  })

  it('of a server that takes connections and says nothing is given up', async () => {
    const hanging = createServer((socket) => socket.resume())
    await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', done))
    const { port } = hanging.address() as { port: number }
    const before = world.services.environment.outboundAllow.join()
    allow(`127.0.0.1:${port}`)
    const ids = [
      await add(draftOf(`postgresql://127.0.0.1:${port}/x`)),
      await add(draftOf(`mysql://127.0.0.1:${port}/x`, 'mysql')),
    ]
    const began = performance.now()
    expect((await Promise.all(ids.map((id) => tried(id)))).map((each) => each.message)).toEqual(
      Array(2).fill('数据源没有按时回答'),
    )
    expect(performance.now() - began).toBeLessThan(12_000)
    allow(before)
    // Nothing of ours is left at it.
    await expect.poll(() => new Promise((done) => hanging.getConnections((_, count) => done(count)))).toBe(0)
    await new Promise((done) => hanging.close(done))
  }, 30_000)
})

describe('R-DEV-8 data sources', () => {
  it('are the platform’s alone, and browsed by whoever may', async () => {
    const id = await add(draftOf(postgres))
    const tenant = await world.tenant()
    const clerk = await world.colleague(platform, ['datasource_view', 'datasource_edit'])
    for (const [call, who] of [
      ['tables', tenant],
      ['columns', tenant],
      ['rows', tenant],
      ['tables', clerk],
      ['rows', clerk],
    ] as const)
      expect([call, (await who.get(`${path}/${call}`, { id, schema: 'public', table: 'person' })).status]).toEqual([
        call,
        403,
      ])
    expect((await tenant.post(`${path}/test`, undefined, { query: { id } })).status).toBe(403)
    expect((await tenant.post(`${path}/submit`, draftOf(postgres))).status).toBe(403)
    expect((await platform.get(`${path}/tables`, { id: '12345' })).status).toBe(404)
  })
})
