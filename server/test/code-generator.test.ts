import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import excel from '@zurmokeeper/exceljs'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { readEnvironment } from '../src/environment.ts'
import { hasMariaDb, type MariaDb, overTcp, startMariaDb } from './datasource-parts.ts'
import { multipart } from './storage-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* Three tables of three sources become entities: what is guessed, what is generated, and what git makes of it. */

let world: World
let platform: Person
let maria: MariaDb | undefined
let tcp: { port: number; close(): Promise<void> }
let folder: string
const root = join(import.meta.dirname, '..', '..')
const path = 'blade-develop/code'
const { owner, template } = inject('database')
const name = `gen_${template}`
const password = 'only-for-a-test'

interface Field {
  name: string
  zh: string
  en: string
  kind: string
  max?: number
  scale?: number
  required?: number
  unique?: number
  to?: string
}
interface File {
  path: string
  text: string
  difference: string
  isNew: number
}

const words = (fields: Field[], given: Record<string, string>): Field[] =>
  fields.map((field) => ({
    ...field,
    zh: field.zh || given[field.name]!.split('|')[0]!,
    en: field.en || given[field.name]!.split('|')[1]!,
  }))
const add = async (draft: object) => {
  const answer = await platform.post<{ id: string }>(`${path}/submit`, draft)
  expect(answer.msg).toBe('操作成功')
  return answer.data.id
}
const preview = (ids: string, system?: string) => platform.get<File[]>(`${path}/preview`, { ids, system })
async function zipOf(ids: string, system = 'whole'): Promise<Record<string, string>> {
  const answer = await world.http.inject({
    method: 'POST',
    url: `/api/${path}/gen-code`,
    query: { ids, system },
    headers: { 'blade-auth': `bearer ${platform.token}` },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  return Object.fromEntries(
    Object.entries(unzipSync(answer.rawPayload)).map(([file, bytes]) => [file, new TextDecoder().decode(bytes)]),
  )
}
const guessed = async (datasourceId: string, schema: string, table: string) =>
  (await platform.get<Field[]>(`${path}/guess`, { datasourceId, schema, table })).data
async function headings(...rows: (string | number)[][]): Promise<Field[]> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('表')
  for (const row of rows) sheet.addRow(row)
  const answer = await world.http.inject({
    method: 'POST',
    url: `/api/${path}/headings`,
    headers: { 'blade-auth': `bearer ${platform.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    payload: multipart('表.xlsx', Buffer.from(await book.xlsx.writeBuffer())),
  })
  return (answer.json() as { data: Field[] }).data
}
const source = async (url: string, driverClass = 'postgresql') =>
  (
    await platform.post<{ id: string }>('blade-develop/datasource/submit', {
      name: `源${randomBytes(3).toString('hex')}`,
      driverClass,
      url,
      username: driverClass === 'mysql' ? 'reader' : name,
      password,
    })
  ).data.id

/** A folder with the files that generated lines belong to, under git. */
function checkout(): {
  at: string
  git(...args: string[]): { status: number | null; said: string }
  read(file: string): string
} {
  const at = mkdtempSync(join(folder, 'copy-'))
  for (const file of [
    'contract/src/entities/index.ts',
    'contract/src/menus.ts',
    'server/src/modules/all.ts',
    'console/src/shell/routes.ts',
    'console/src/shell/pages.tsx',
  ]) {
    mkdirSync(dirname(join(at, file)), { recursive: true })
    cpSync(join(root, file), join(at, file))
  }
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: at, encoding: 'utf8' })
    return { status, said: `${stdout}${stderr}` }
  }
  git('init', '--quiet')
  return { at, git, read: (file) => readFileSync(join(at, file), 'utf8') }
}

beforeAll(async () => {
  world = await makeWorld()
  platform = await world.platform()
  folder = mkdtempSync(join(tmpdir(), 'data-brain-code-'))
  tcp = await overTcp(owner)
  const admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.query(`create role ${name} login password '${password}'`)
  await admin.end()
  const foreign = new pg.Client({ connectionString: changeAddress(owner, { database: name }) })
  await foreign.connect()
  await foreign.query(`
    create table student (id serial primary key);
    create table bus_trip (id serial primary key, plate_no varchar(16) not null unique, seats integer, fare numeric(8,2), "from" date not null,
      left_at timestamp, checked boolean, driver_phone varchar(20), student_id integer references student, notes text, created_at timestamp, "order" integer);
    comment on column bus_trip.plate_no is '车牌号：含省份'; comment on column bus_trip.seats is '座位数';
    grant select on bus_trip, student to ${name};`)
  await foreign.end()
  if (hasMariaDb) {
    maria = await startMariaDb()
    await maria.run(
      'create database school character set utf8mb4',
      `create user reader@'%' identified by '${password}'`,
      "grant select on school.* to reader@'%'",
      "create table school.lab_item (id int auto_increment primary key, item_code varchar(32) not null unique comment '器材编号', item_name varchar(60) not null comment '器材名称', price decimal(10,2) comment '单价', in_use tinyint(1) comment '在用', bought date comment '购置日期', memo varchar(500) comment '说明')",
    )
  }
  Object.assign(world.services.environment, {
    outboundAllow: readEnvironment({ OUTBOUND_ALLOW: `127.0.0.1:${tcp.port},127.0.0.1:${maria?.port ?? 1}` })
      .outboundAllow,
  })
}, 240_000)
afterAll(async () => {
  await world.close()
  await maria?.close()
  await tcp.close()
  const admin = new pg.Client({ connectionString: owner })
  await admin.connect()
  await admin.query(`drop database ${name} with (force)`)
  await admin.query(`drop role ${name}`)
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

const tripWords = {
  fare: '票价|Fare',
  fromValue: '起始日期|From',
  leftAt: '发车时间|Left at',
  checked: '已检查|Checked',
  driverPhone: '司机电话|Driver phone',
  studentId: '学生|Student',
  notes: '备注|Notes',
  orderValue: '次序|Order',
}
const trip = async () => ({
  codeName: '班车行程',
  codeNameEn: 'Bus trip',
  serviceName: 'bustrip',
  packageName: 'school',
  bySchool: 1,
  fields: words(
    await guessed(await source(`postgresql://127.0.0.1:${tcp.port}/${name}`), 'public', 'bus_trip'),
    tripWords,
  ),
})

describe('R-DEV-9 the code generator', () => {
  let tripId: string

  it('guesses the fields of a PostgreSQL table, and leaves out what every row has', async () => {
    const id = await source(`postgresql://127.0.0.1:${tcp.port}/${name}`)
    expect(await guessed(id, 'public', 'bus_trip')).toEqual([
      { name: 'plateNo', zh: '车牌号', en: 'Plate no', kind: 'text', max: 16, required: 1, unique: 1 },
      { name: 'seats', zh: '座位数', en: 'Seats', kind: 'integer', required: 0, unique: 0 },
      { name: 'fare', zh: '', en: 'Fare', kind: 'decimal', scale: 2, required: 0, unique: 0 },
      // A word of SQL is no name for a column.
      { name: 'fromValue', zh: '', en: 'From', kind: 'date', required: 1, unique: 0 },
      { name: 'leftAt', zh: '', en: 'Left at', kind: 'instant', required: 0, unique: 0 },
      { name: 'checked', zh: '', en: 'Checked', kind: 'flag', required: 0, unique: 0 },
      { name: 'driverPhone', zh: '', en: 'Driver phone', kind: 'personal', max: 20, required: 0, unique: 0 },
      { name: 'studentId', zh: '', en: 'Student', kind: 'reference', to: 'student', required: 0, unique: 0 },
      { name: 'notes', zh: '', en: 'Notes', kind: 'area', max: 2000, required: 0, unique: 0 },
      { name: 'orderValue', zh: '', en: 'Order', kind: 'integer', required: 0, unique: 0 },
    ])
    const gone = await platform.get(`${path}/guess`, { datasourceId: id, schema: 'public', table: 'gone' })
    expect([gone.status, gone.msg]).toEqual([400, '表“gone”已不存在或不可读取，请刷新列表'])
  })

  it.skipIf(!hasMariaDb)('guesses those of a MariaDB table', async () => {
    const id = await source(`mysql://127.0.0.1:${maria!.port}/school`, 'mysql')
    expect(await guessed(id, '', 'lab_item')).toMatchObject([
      { name: 'itemCode', zh: '器材编号', en: 'Item code', kind: 'text', max: 32, required: 1, unique: 1 },
      { name: 'itemName', zh: '器材名称', kind: 'text', max: 60, required: 1 },
      { name: 'price', zh: '单价', kind: 'decimal', scale: 2 },
      { name: 'inUse', zh: '在用', kind: 'flag' },
      { name: 'bought', zh: '购置日期', kind: 'date' },
      { name: 'memo', zh: '说明', kind: 'area', max: 500 },
    ])
  })

  it('guesses those of a row of headings, in either language or both', async () => {
    expect(
      await headings(
        ['借阅登记'],
        ['书名 Title★', '借阅日期', '数量/Count', '是否归还', '联系电话', '备注'],
        ['x', 1, 2],
      ),
    ).toEqual([
      { name: 'title', zh: '书名', en: 'Title', kind: 'text', max: 100, required: 1, unique: 0 },
      { name: 'field2', zh: '借阅日期', en: '', kind: 'date', required: 0, unique: 0 },
      { name: 'count', zh: '数量', en: 'Count', kind: 'integer', required: 0, unique: 0 },
      { name: 'field4', zh: '是否归还', en: '', kind: 'flag', required: 0, unique: 0 },
      { name: 'field5', zh: '联系电话', en: '', kind: 'personal', max: 50, required: 0, unique: 0 },
      { name: 'field6', zh: '备注', en: '', kind: 'area', max: 500, required: 0, unique: 0 },
    ])
  })

  it('asks for what is missing, and takes nothing that leads out of its place', async () => {
    const draft = await trip()
    const half = await add({
      ...draft,
      codeName: '缺英文',
      serviceName: 'halfone',
      fields: [{ ...draft.fields[0]!, en: '' }],
    })
    expect((await preview(half)).msg).toBe('“缺英文”：字段plateNo缺少英文名称')
    const none = await add({ codeName: '没有字段', codeNameEn: 'None', serviceName: 'nofields' })
    expect((await preview(none)).msg).toBe('“没有字段”：至少要有一个字段')
    for (const [wrong, field] of [
      [{ packageName: '../../x' }, 'packageName'],
      [{ serviceName: '../x' }, 'serviceName'],
      [{ serviceName: 'order' }, 'serviceName'],
      [{ codeNameEn: '班车' }, 'codeNameEn'],
      [{ fields: [{ ...draft.fields[0]!, zh: "a\u2028'" }] }, 'fields'],
      [{ fields: [{ ...draft.fields[0]!, kind: 'sql' }] }, 'fields'],
      [{ fields: [{ ...draft.fields[0]!, more: 1 }] }, 'fields'],
      [{ fields: 'x' }, 'fields'],
    ] as const) {
      const answer = await platform.post<{ field: string }>(`${path}/submit`, { ...draft, ...wrong })
      expect([wrong, answer.status]).toEqual([wrong, 400])
      expect(JSON.stringify(answer)).toContain(field)
    }
    const student = await add({ ...draft, codeName: '已有', serviceName: 'student' })
    expect((await preview(student)).msg).toBe('“已有”：已有名为 student 的实体')
    const reserved = await add({
      ...draft,
      codeName: '保留',
      serviceName: 'reserved',
      fields: [{ ...draft.fields[0]!, name: 'select' }],
    })
    expect((await preview(reserved)).msg).toContain('保留字')
    expect((await preview(reserved, '../../x')).status).toBe(400)
  })

  it('quotes every word, so that none is taken for code', async () => {
    const draft = await trip()
    const id = await add({
      ...draft,
      codeName: "引'号\\",
      codeNameEn: "It's */ `x`",
      serviceName: 'quoting',
      fields: [{ ...draft.fields[0]!, zh: "a'); evil('", en: "b\\'); evil('" }],
    })
    const { data } = await preview(id, 'server')
    const definition = data.find((file) => file.path.endsWith('quoting.ts'))!.text
    expect(definition).toContain(String.raw`text('a\'); evil(\'', 'b\\\'); evil(\'', {`)
    expect(definition).toContain(String.raw`label: { zh: '引\'号\\', en: 'It\'s */ ${'`x`'}' }`)
  })

  it('previews every file with its difference, and writes nothing', async () => {
    tripId = await add(await trip())
    const there = () => readdirSync(join(root, 'server/src/database/migrations')).join()
    const before = there()
    const { data } = await preview(tripId)
    expect(data.map((file) => `${file.path.replace(/\d{4}_/, 'N_')} ${file.isNew}`)).toEqual([
      'contract/src/entities/school/bustrip.ts 1',
      'server/src/database/migrations/N_bustrip.sql 1',
      'server/src/modules/bustrip/index.ts 1',
      'server/test/bustrip.test.ts 1',
      'console/src/pages/bustrip/page.tsx 1',
      'contract/src/entities/index.ts 0',
      'contract/src/menus.ts 0',
      'server/src/modules/all.ts 0',
      'console/src/shell/routes.ts 0',
      'console/src/shell/pages.tsx 0',
    ])
    for (const { difference, isNew } of data.slice(5)) {
      expect(isNew).toBe(0)
      expect(difference.split('\n').filter((line) => /^-(?!--)/.test(line))).toEqual([])
      expect(difference).toMatch(/^\+.*bustrip/m)
    }
    expect(there()).toBe(before)
    const of = async (system: string) => (await preview(tripId, system)).data.map((file) => file.path.split('/')[0])
    expect(new Set(await of('server'))).toEqual(new Set(['contract', 'server']))
    expect(new Set(await of('console'))).toEqual(new Set(['console']))
  })

  it('gives a zip whose patch git applies, with files inside their places alone', async () => {
    const files = await zipOf(tripId)
    expect(Object.keys(files).filter((file) => file.startsWith('/') || file.includes('..'))).toEqual([])
    const copy = checkout()
    writeFileSync(join(copy.at, 'data-brain.patch'), files['data-brain.patch']!)
    expect(copy.git('apply', 'data-brain.patch')).toEqual({ status: 0, said: '' })
    for (const [file, text] of Object.entries(files))
      if (file.startsWith('files/')) expect(copy.read(file.slice(6))).toBe(text)
    // Once more is refused: what is there is not written over.
    expect(copy.git('apply', 'data-brain.patch').status).toBe(1)
  })

  it('changes, when generated again, no line that somebody has changed', async () => {
    const copy = checkout()
    const first = await zipOf(tripId)
    writeFileSync(join(copy.at, 'first.patch'), first['data-brain.patch']!)
    expect(copy.git('apply', 'first.patch').status).toBe(0)
    const definition = 'contract/src/entities/school/bustrip.ts'
    const mine = copy.read(definition).replace("'座位数', 'Seats'", "'座位', 'Seats'")
    writeFileSync(join(copy.at, definition), mine)
    const { data } = await platform.get<{ fields: Field[] }>(`${path}/detail`, { id: tripId })
    const more: Field = { name: 'lastStop', zh: '终点站', en: 'Last stop', kind: 'text', max: 50 }
    // Far from the changed line one is added; the changed line is another now.
    const fields = [
      ...data.fields.map((field) => (field.name === 'seats' ? { ...field, zh: '座位总数' } : field)),
      more,
    ]
    // What was generated before is the server's own: nobody sends it.
    expect((await platform.post(`${path}/submit`, { id: tripId, fields, generated: {} })).status).toBe(200)
    const shown = (await preview(tripId)).data.find((file) => file.path === definition)!
    expect(shown.difference).toContain("+    lastStop: text('终点站', 'Last stop', { max: 50 }),")
    const again = await zipOf(tripId)
    writeFileSync(join(copy.at, 'update.patch'), again['update.patch']!)
    const applied = copy.git('apply', '--reject', 'update.patch')
    expect(applied.status).toBe(1)
    const merged = copy.read(definition)
    expect(merged).toContain("'座位', 'Seats'")
    expect(merged).toContain("lastStop: text('终点站', 'Last stop', { max: 50 }),")
    expect(copy.read(`${definition}.rej`)).toContain('座位总数')
    // Nothing new: no difference is left.
    expect((await zipOf(tripId))['update.patch']).toBeUndefined()
  })

  it('copies a table under another name', async () => {
    const { data, status } = await platform.post<{ id: string }>(`${path}/copy`, undefined, { query: { id: tripId } })
    expect(status).toBe(200)
    const copied = (await platform.get<Record<string, unknown>>(`${path}/detail`, { id: data.id })).data
    expect(copied).toMatchObject({ codeName: '班车行程-copy', serviceName: 'bustripcopy', codeNameEn: 'Bus trip' })
    expect(copied.fields).toHaveLength(11)
    expect((await zipOf(data.id))['update.patch']).toBeUndefined()
  })

  it('is for administrators of the platform, and by its own code', async () => {
    const tenant = await world.tenant()
    const clerk = await world.colleague(platform, ['code_view', 'code_edit'])
    for (const who of [tenant, clerk]) {
      expect((await who.get(`${path}/preview`, { ids: tripId })).status).toBe(403)
      expect((await who.post(`${path}/gen-code`, undefined, { query: { ids: tripId } })).status).toBe(403)
    }
    expect((await tenant.get(`${path}/list`)).status).toBe(403)
  })
})
