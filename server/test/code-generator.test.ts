import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Field, type Generator, makeGenerator, path, root } from './code-generator-parts.ts'
import { hasMariaDb } from './datasource-parts.ts'

/* What is guessed of tables, what is generated, and what git makes of it. */

let made: Generator
beforeAll(async () => {
  made = await makeGenerator()
}, 240_000)
afterAll(() => made.close())

describe('R-DEV-9 the code generator', () => {
  let tripId: string

  it('guesses the fields of a PostgreSQL table, and leaves out what every row has', async () => {
    const id = await made.source(`postgresql://127.0.0.1:${made.tcp.port}/${made.name}`)
    expect(await made.guessed(id, 'public', 'bus_trip')).toEqual([
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
    const gone = await made.platform.get(`${path}/guess`, { datasourceId: id, schema: 'public', table: 'gone' })
    expect([gone.status, gone.msg]).toEqual([400, '表“gone”已不存在或不可读取，请刷新列表'])
  })

  it.skipIf(!hasMariaDb)('guesses those of a MariaDB table', async () => {
    const id = await made.source(`mysql://127.0.0.1:${made.maria!.port}/school`, 'mysql')
    expect(await made.guessed(id, '', 'lab_item')).toMatchObject([
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
      await made.headings(
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
    const draft = await made.trip()
    const half = await made.add({
      ...draft,
      codeName: '缺英文',
      serviceName: 'halfone',
      fields: [{ ...draft.fields[0]!, en: '' }],
    })
    expect((await made.preview(half)).msg).toBe('“缺英文”：字段plateNo缺少英文名称')
    const none = await made.add({ codeName: '没有字段', codeNameEn: 'None', serviceName: 'nofields' })
    expect((await made.preview(none)).msg).toBe('“没有字段”：至少要有一个字段')
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
      const answer = await made.platform.post<{ field: string }>(`${path}/submit`, { ...draft, ...wrong })
      expect([wrong, answer.status]).toEqual([wrong, 400])
      expect(JSON.stringify(answer)).toContain(field)
    }
    for (const codeName of [`甲${'$'}{y}`, '']) {
      const answer = await made.platform.post<{ field: string }>(`${path}/submit`, { ...draft, codeName })
      expect([codeName, answer.status, answer.data.field]).toEqual([codeName, 400, 'codeName'])
    }
    const student = await made.add({ ...draft, codeName: '已有', serviceName: 'student' })
    expect((await made.preview(student)).msg).toBe('“已有”：已有名为 student 的实体')
    // Names of the language's own objects, and of what a list is asked for with.
    const reserved = await made.add({ ...draft, codeName: '保留', serviceName: 'reserved' })
    for (const name of [
      'select',
      'constructor',
      'toString',
      'valueOf',
      'size',
      'current',
      'keyword',
      'columns',
      'ids',
    ]) {
      const fields = [{ ...draft.fields[0]!, name }]
      expect((await made.platform.post(`${path}/submit`, { id: reserved, fields })).status).toBe(200)
      expect([name, (await made.preview(reserved)).msg]).toEqual([name, `“保留”：字段${name}的名称是保留字，请换一个`])
    }
    const labelled = [{ ...draft.fields[0]!, en: `Price in ${'$'}{currency}` }]
    await made.platform.post(`${path}/submit`, { id: reserved, fields: labelled })
    expect((await made.preview(reserved)).msg).toBe('“保留”：字段plateNo的名称不能含有 ${')
    // Its files would fall among those of a module, of a page, of a test.
    for (const [serviceName, place] of [
      ['timetable', 'server/src/modules/timetable'],
      ['dashboard', 'console/src/pages/dashboard'],
      ['outage', 'server/test/outage.test.ts'],
    ]) {
      const among = await made.add({ ...draft, codeName: serviceName, serviceName })
      expect((await made.preview(among)).msg).toBe(`“${serviceName}”：源文件中已有 ${place}，请换一个服务名`)
    }
    expect((await made.preview(reserved, '../../x')).status).toBe(400)
  })

  it('quotes every word, so that none is taken for code, as the formatter of the sources has it', async () => {
    const draft = await made.trip()
    const id = await made.add({
      ...draft,
      codeName: "引'号\\",
      codeNameEn: "It's */ `x`",
      serviceName: 'quoting',
      fields: [
        { ...draft.fields[0]!, zh: "a'); evil('", en: "b\\'); evil('" },
        { ...draft.fields[0]!, name: 'driver', zh: '司机"甲"', en: `The driver's "name"` },
      ],
    })
    const { data } = await made.preview(id, 'server')
    const definition = data.find((file) => file.path.endsWith('quoting.ts'))!.text
    expect(definition).toContain(String.raw`text("a'); evil('", "b\\'); evil('", {`)
    expect(definition).toContain(String.raw`label: { zh: "引'号\\", en: "It's */ ${'`x`'}" }`)
    for (const { path: file, text } of data.filter(({ isNew, path: each }) => isNew === 1 && each.endsWith('.ts'))) {
      const { stdout, status } = spawnSync(
        join(root, 'node_modules/.bin/biome'),
        ['check', '--write', `--stdin-file-path=${file}`],
        {
          ...{ cwd: root, input: text, encoding: 'utf8' },
        },
      )
      expect([file, status, stdout]).toEqual([file, 0, text])
    }
  })

  it('previews every file with its difference, and writes nothing', async () => {
    tripId = await made.add(await made.trip())
    const there = () => readdirSync(join(root, 'server/src/database/migrations')).join()
    const before = there()
    const { data } = await made.preview(tripId)
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
    const of = async (system: string) =>
      (await made.preview(tripId, system)).data.map((file) => file.path.split('/')[0])
    expect(new Set(await of('server'))).toEqual(new Set(['contract', 'server']))
    expect(new Set(await of('console'))).toEqual(new Set(['console']))
  })

  it('gives a zip whose patch git applies, with files inside their places alone', async () => {
    const files = await made.zipOf(tripId)
    expect(Object.keys(files).filter((file) => file.startsWith('/') || file.includes('..'))).toEqual([])
    const copy = made.checkout()
    writeFileSync(join(copy.at, 'data-brain.patch'), files['data-brain.patch']!)
    expect(copy.git('apply', 'data-brain.patch')).toEqual({ status: 0, said: '' })
    for (const [file, text] of Object.entries(files))
      if (file.startsWith('files/')) expect(copy.read(file.slice(6))).toBe(text)
    // Once more is refused: what is there is not written over.
    expect(copy.git('apply', 'data-brain.patch').status).toBe(1)
  })

  it('changes, when generated again, no line that somebody has changed', async () => {
    const copy = made.checkout()
    const first = await made.zipOf(tripId)
    writeFileSync(join(copy.at, 'first.patch'), first['data-brain.patch']!)
    expect(copy.git('apply', 'first.patch').status).toBe(0)
    const definition = 'contract/src/entities/school/bustrip.ts'
    const mine = copy.read(definition).replace("'座位数', 'Seats'", "'座位', 'Seats'")
    writeFileSync(join(copy.at, definition), mine)
    const { data } = await made.platform.get<{ fields: Field[] }>(`${path}/detail`, { id: tripId })
    const more: Field = { name: 'lastStop', zh: '终点站', en: 'Last stop', kind: 'text', max: 50 }
    // Far from the changed line one is added; the changed line is another now.
    const fields = [
      ...data.fields.map((field) => (field.name === 'seats' ? { ...field, zh: '座位总数' } : field)),
      more,
    ]
    // What was generated before is the server's own: nobody sends it.
    expect((await made.platform.post(`${path}/submit`, { id: tripId, fields, generated: {} })).status).toBe(200)
    const shown = (await made.preview(tripId)).data.find((file) => file.path === definition)!
    expect(shown.difference).toContain("+    lastStop: text('终点站', 'Last stop', { max: 50 }),")
    const again = await made.zipOf(tripId)
    writeFileSync(join(copy.at, 'update.patch'), again['update.patch']!)
    const applied = copy.git('apply', '--reject', 'update.patch')
    expect(applied.status).toBe(1)
    const merged = copy.read(definition)
    expect(merged).toContain("'座位', 'Seats'")
    expect(merged).toContain("lastStop: text('终点站', 'Last stop', { max: 50 }),")
    expect(copy.read(`${definition}.rej`)).toContain('座位总数')
    // Nothing new: no difference is left.
    expect((await made.zipOf(tripId))['update.patch']).toBeUndefined()
  })

  it('copies a table under another name', async () => {
    const { data, status } = await made.platform.post<{ id: string }>(`${path}/copy`, undefined, {
      query: { id: tripId },
    })
    expect(status).toBe(200)
    const copied = (await made.platform.get<Record<string, unknown>>(`${path}/detail`, { id: data.id })).data
    expect(copied).toMatchObject({ codeName: '班车行程-copy', serviceName: 'bustripcopy', codeNameEn: 'Bus trip' })
    expect(copied.fields).toHaveLength(11)
    expect((await made.zipOf(data.id))['update.patch']).toBeUndefined()
  })

  it('is for administrators of the platform, and by its own code', async () => {
    const tenant = await made.world.tenant()
    const clerk = await made.world.colleague(made.platform, ['code_view', 'code_edit'])
    for (const who of [tenant, clerk]) {
      expect((await who.get(`${path}/preview`, { ids: tripId })).status).toBe(403)
      expect((await who.post(`${path}/gen-code`, undefined, { query: { ids: tripId } })).status).toBe(403)
    }
    expect((await tenant.get(`${path}/list`)).status).toBe(403)
  })
})
