import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import excel from '@zurmokeeper/exceljs'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { changeAddress } from '../src/database/address.ts'
import { readEnvironment } from '../src/environment.ts'
import { hasMariaDb, overTcp, startMariaDb } from './datasource-parts.ts'
import { multipart } from './storage-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/* Three tables of three sources, and the calls that make entities of them. */

export const root = join(import.meta.dirname, '..', '..')
export const path = 'blade-develop/code'
const password = 'only-for-a-test'

export interface Field {
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
export interface File {
  path: string
  text: string
  difference: string
  isNew: number
}

export const words = (fields: Field[], given: Record<string, string>): Field[] =>
  fields.map((field) => ({
    ...field,
    zh: field.zh || given[field.name]!.split('|')[0]!,
    en: field.en || given[field.name]!.split('|')[1]!,
  }))
export const tripWords = {
  fare: '票价|Fare',
  fromValue: '起始日期|From',
  leftAt: '发车时间|Left at',
  checked: '已检查|Checked',
  driverPhone: '司机电话|Driver phone',
  studentId: '学生|Student',
  notes: '备注|Notes',
  orderValue: '次序|Order',
}
export async function makeGenerator() {
  const { owner, template } = inject('database')
  const name = `gen_${template}`
  const world: World = await makeWorld()
  const platform: Person = await world.platform()
  const folder = mkdtempSync(join(tmpdir(), 'data-brain-code-'))
  const tcp = await overTcp(owner)
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
  const maria = hasMariaDb ? await startMariaDb() : undefined
  if (maria) {
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

  const close = async () => {
    await world.close()
    await maria?.close()
    await tcp.close()
    const last = new pg.Client({ connectionString: owner })
    await last.connect()
    await last.query(`drop database ${name} with (force)`)
    await last.query(`drop role ${name}`)
    await last.end()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    world,
    platform,
    maria,
    tcp,
    folder,
    name,
    add,
    preview,
    zipOf,
    guessed,
    headings,
    source,
    checkout,
    trip,
    close,
  }
}
export type Generator = Awaited<ReturnType<typeof makeGenerator>>
