import { student } from '@data-brain/contract'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importer, schoolWith } from './import-entity-parts.ts'
import { batchOf, makeSchool, mappingOf, sendFile, xlsx } from './import-parts.ts'
import { sample } from './sample.ts'
import { jobEnded, makeWorld, type Person, type Row, type World } from './world.ts'

/** The fields of a tenant's own in files: taken out, and brought in. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world?.close())

interface Made extends Row {
  readonly options: readonly { key: string; label: string }[] | null
}
async function give(admin: Person, draft: Record<string, unknown>): Promise<Made> {
  const made = await admin.post<Made>('blade-system/customfield/submit', { owner: 'student', ...draft })
  expect([made.status, made.msg]).toEqual([200, '操作成功'])
  return made.data
}
const x = ({ id }: { id: string }): string => `x${id}`
const bus = { label: '校车线路', labelEn: 'Bus line', kind: 'choice' }
const lines = [{ label: '一号线', labelEn: 'Line 1' }, { label: '二号线' }]

async function withFields() {
  const admin = await world.tenant()
  const line = await give(admin, { ...bus, options: lines })
  const height = await give(admin, { label: '身高', kind: 'number', digits: 1, minimum: 50, maximum: 250 })
  const day = await give(admin, { label: '体检日期', kind: 'date' })
  const key = (label: string): string => line.options!.find((option) => option.label === label)!.key
  return { admin, line, height, day, key }
}

const listed = async (who: Person, query: Record<string, string>) =>
  (await who.get<{ records: Row[] }>('blade-user/student/list', { size: 100, ...query })).data.records

describe('R-PROD-6 an export', () => {
  const take = async (who: Person, query: Record<string, string>, language = 'zh') => {
    const answer = await world.http.inject({
      method: 'GET',
      url: '/api/blade-user/student/export',
      query,
      headers: { 'blade-auth': `bearer ${who.token}`, 'accept-language': language },
    })
    return { status: answer.statusCode, text: answer.payload, bytes: answer.rawPayload }
  }

  it('has the tenant’s own fields under their names and in their words, as CSV and as a workbook, in both languages', async () => {
    const { admin, line, height, day, key } = await withFields()
    const { draft } = await sample(admin, student)
    const values = { [x(line)]: key('一号线'), [x(height)]: 123.5, [x(day)]: '2026-09-01' }
    await admin.post('blade-user/student/submit', { ...draft, name: '王小明', ...values })
    const columns = ['name', x(line), x(height), x(day)].join(',')
    const chinese = await take(admin, { format: 'csv', columns, [x(line)]: key('一号线') })
    expect(
      chinese.text
        .replace(/^\uFEFF/, '')
        .split(/\r?\n/)
        .slice(0, 2),
    ).toEqual(['姓名,校车线路,身高,体检日期', '王小明,一号线,123.5,2026-09-01'])
    const english = await take(admin, { format: 'csv', columns }, 'en')
    expect(
      english.text
        .replace(/^\uFEFF/, '')
        .split(/\r?\n/)
        .slice(0, 2),
    ).toEqual(['Name,Bus line,身高,体检日期', '王小明,Line 1,123.5,2026-09-01'])
    const book = new excel.Workbook()
    await book.xlsx.load((await take(admin, { format: 'xlsx', columns })).bytes as never)
    const sheet = book.worksheets[0]!
    const cells = (row: number) => [1, 2, 3, 4].map((at) => sheet.getRow(row).getCell(at).value)
    expect(cells(1)).toEqual(['姓名', '校车线路', '身高', '体检日期'])
    expect(cells(2)).toEqual(['王小明', '一号线', 123.5, '2026-09-01'])
    // The column that holds them all is no column of a file, and another tenant's field is none of this one.
    for (const strange of ['custom', x({ id: '1' })])
      expect((await take(admin, { format: 'csv', columns: `name,${strange}` })).status).toBe(400)
    expect((await take(await world.tenant(), { format: 'csv', columns })).status).toBe(400)
  })

  it('in the background has them too', async () => {
    const { admin, line, key } = await withFields()
    const { draft } = await sample(admin, student)
    await admin.post('blade-user/student/submit', { ...draft, [x(line)]: key('二号线') })
    const asked = await admin.post<{ jobId: string }>('blade-user/student/export-job', undefined, {
      query: { format: 'csv', columns: x(line) },
    })
    expect((await jobEnded(admin, asked)).state).toBe('done')
    const file = await world.http.inject({
      method: 'GET',
      url: '/api/blade-system/job/file',
      query: { id: asked.data.jobId },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    expect(file.payload).toContain('二号线')
  })
})

describe('R-PROD-6 an import', () => {
  const head = ['姓名', '性别', '出生日期', '年级', '班级', '校车线路', '身高', '体检日期']

  it('of pupils finds the columns by their names, and stores, changes and takes back what they say', async () => {
    const { admin, line, height, day, key } = await withFields()
    // Whatever else must be filled in holds no file up.
    await give(admin, { label: '接送人', kind: 'text', required: 1 })
    const place = await makeSchool(admin)
    const school = { ...place, semesterId: '', campusId: '' }
    const { read, check, commit, undo, faults, groups, answer } = importer(world, admin, 'student')
    const of = (name: string, ...own: (string | number)[]): (string | number)[] => [
      name,
      '男',
      '2013-09-05',
      place.grade,
      `${place.grade}(1)班`,
      ...own,
    ]
    const file = await read(school, [
      head,
      of('王小明', '一号线', '123.5厘米', '2026/9/1'),
      of('王小红', 'Line 1', 130, '2026年9月2日'),
      of('王小丽', '无', '', ''),
      of('王小强', '三号线', 12, '下周'),
    ])
    expect(file.columns.slice(5).map((column) => column.key)).toEqual([line, height, day].map((f) => `student.${x(f)}`))
    const fields = (file as unknown as { fields: { key: string; label: string }[] }).fields
    // The national form has a height as well.
    expect(fields.filter(({ label }) => label.startsWith('身高')).map(({ label }) => label)).toEqual([
      '身高',
      '身高（自定义）',
    ])
    const checked = await check(file)
    expect(checked.counts).toMatchObject({ add: 3, bad: 1 })
    expect(await faults(file.id)).toEqual([
      `5 student.${x(line)} 不是可选的值，可填：一号线、二号线`,
      `5 student.${x(height)} 须在50到250之间`,
      expect.stringContaining(`5 student.${x(day)} `),
    ])
    const [unknown] = (await groups(file.id)).filter((group) => group.key === `student.${x(line)}`)
    expect(unknown!.options.map((option) => option.label)).toEqual(['一号线', '二号线'])
    await answer(file.id, { key: unknown!.key, message: unknown!.message, text: unknown!.text, as: '二号线' })
    expect(await faults(file.id)).toHaveLength(2)
    const done = await commit(file.id, { skipBad: '1' })
    expect(done).toMatchObject({ state: 'done', failure: null })
    const columns = [line, height, day].map(x).join(',')
    const stored = async () =>
      new Map(
        (await listed(admin, { columns })).map((row) => [row.name, [line, height, day].map((field) => row[x(field)])]),
      )
    expect(await stored()).toEqual(
      new Map<unknown, unknown>([
        ['王小明', [key('一号线'), 123.5, '2026-09-01']],
        ['王小红', [key('一号线'), 130, '2026-09-02']],
        ['王小丽', [null, null, null]],
      ]),
    )
    // Changed by a second file, of which an empty cell changes nothing; and back as it was.
    const second = await read(school, [head, of('王小明', '二号线', '', '')], '改.xlsx', 'update')
    await commit((await check(second)).id)
    expect((await stored()).get('王小明')).toEqual([key('二号线'), 123.5, '2026-09-01'])
    expect(await undo(second.id)).toMatchObject({ state: 'undone', failure: null })
    expect((await stored()).get('王小明')).toEqual([key('一号线'), 123.5, '2026-09-01'])
    expect(await undo(file.id, { changed: '1' })).toMatchObject({ state: 'undone', failure: null })
    expect(await stored()).toEqual(new Map())
  })

  it('asks about the field of another tenant in no file, and passes over one that is disabled meanwhile', async () => {
    const { admin, line } = await withFields()
    const place = await makeSchool(admin)
    const school = { ...place, semesterId: '', campusId: '' }
    const clerk = importer(world, admin, 'student')
    const cells = ['王小明', '男', '2013-09-05', place.grade, `${place.grade}(1)班`, '一号线', '', '']
    const before = await clerk.read(school, [head, cells])
    await admin.post('blade-system/customfield/submit', { id: line.id, status: 0 })
    const refused = await admin.post(`${clerk.path}/mapping`, { id: before.id, mapping: mappingOf(before) })
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining(x(line))])
    const after = await clerk.read(school, [head, cells])
    // The product has a field of that name as well.
    expect(after.columns[5]!.key).toBe('detail.busRoute')

    const stranger = await world.tenant()
    const theirs = await makeSchool(stranger)
    const other = importer(world, stranger, 'student')
    const read = await other.read({ ...theirs, semesterId: '', campusId: '' }, [head, cells])
    expect(read.columns.filter(({ key }) => key && /\.x\d/.test(key))).toEqual([])
  })

  it('of users and of classes has them as well', async () => {
    const admin = await world.tenant()
    const car = await give(admin, { owner: 'user', label: '车牌号', kind: 'text', maxLength: 8 })
    const path = 'blade-user/import-user'
    const through = async (rows: string[][], duplicates: string) => {
      const sent = await sendFile(world, admin, '用户.xlsx', await xlsx(rows), { duplicates }, path)
      const read = await batchOf(admin, sent.data.id, path)
      await admin.post(`${path}/mapping`, { id: read.id, mapping: mappingOf(read) })
      expect(await batchOf(admin, read.id, path)).toMatchObject({ state: 'checked', counts: { bad: 0 } })
      await admin.post(`${path}/commit`, undefined, { query: { id: read.id } })
      expect(await batchOf(admin, read.id, path)).toMatchObject({ state: 'done', failure: null })
    }
    const plates = async () =>
      (
        await admin.get<{ records: Row[] }>('blade-user/list', { account_equal: 'wangls', columns: x(car) })
      ).data.records.map((row) => row[x(car)])
    await through(
      [
        ['账号', '姓名', '车牌号'],
        ['wangls', '王老师', '粤A12345'],
      ],
      'skip',
    )
    expect(await plates()).toEqual(['粤A12345'])
    await through(
      [
        ['账号', '姓名', '车牌号'],
        ['wangls', '王老师', '粤B1'],
      ],
      'update',
    )
    expect(await plates()).toEqual(['粤B1'])

    const motto = await give(admin, { owner: 'schoolclass', label: '班级公约', kind: 'text' })
    const school = await schoolWith(admin, [['13', 1]])
    const classes = importer(world, admin, 'schoolclass')
    const file = await classes.read(school, [
      ['年级', '班级', '班级公约'],
      ['三年级', '2班', '友善'],
    ])
    const checked = await classes.check(file)
    expect(await classes.faults(file.id)).toEqual([])
    await classes.commit(checked.id)
    const found = await admin.get<{ records: Row[] }>('blade-user/schoolclass/list', {
      ...{ schoolId: school.schoolId, [x(motto)]: '友善', columns: x(motto) },
    })
    expect(found.data.records.map((row) => row[x(motto)])).toEqual(['友善'])
    const again = await classes.read(
      school,
      [
        ['年级', '班级', '班级公约'],
        ['三年级', '1班', '守时'],
      ],
      '改.xlsx',
      'update',
    )
    await classes.commit((await classes.check(again)).id)
    const both = await admin.get<{ records: Row[] }>('blade-user/schoolclass/list', {
      ...{ schoolId: school.schoolId, columns: x(motto), ascs: 'classNo' },
    })
    expect(both.data.records.map((row) => row[x(motto)])).toEqual(['守时', '友善'])
  })

  it('has a template with these columns, which is read back as it stands', async () => {
    const { admin, line, height, day, key } = await withFields()
    await give(admin, { owner: 'user', label: '车牌号', kind: 'text' })
    await give(admin, { owner: 'schoolclass', label: '班级公约', kind: 'text' })
    await give(admin, { label: '停用的', kind: 'text', status: 0 })
    const place = await makeSchool(admin)
    const school = { ...place, semesterId: '', campusId: '' }
    const take = async (path: string, query: Record<string, string> = {}) =>
      world.http.inject({
        method: 'GET',
        url: `/api/blade-user/${path}/template`,
        query: { schoolId: place.schoolId, ...query },
        headers: { 'blade-auth': `bearer ${admin.token}` },
      })
    const headings = async (path: string, query?: Record<string, string>): Promise<string[]> =>
      (await take(path, { ...query, format: 'csv' })).payload.replace('\ufeff', '').split('\r\n')[0]!.split(',')
    expect((await headings('import', { short: '1' })).slice(-4)).toEqual(['家长电话', '校车线路', '身高', '体检日期'])
    expect((await headings('import-user')).at(-1)).toBe('车牌号')
    expect((await headings('import-schoolclass')).at(-1)).toBe('班级公约')
    expect(await headings('import-studentparents')).not.toContain('校车线路')
    const stranger = await world.tenant()
    const foreign = await stranger.get('blade-user/import/template', { format: 'csv' })
    expect(String(foreign.data)).not.toContain('校车线路')

    const book = new excel.Workbook()
    await book.xlsx.load((await take('import')).rawPayload as never)
    const sheet = book.worksheets[0]!
    const head = (sheet.getRow(1).values as string[]).slice(1)
    // The national form has a height as well.
    expect(head.slice(-3)).toEqual(['校车线路', '身高（自定义）', '体检日期'])
    const at = (heading: string): number => head.findIndex((each) => each.replace('★', '') === heading) + 1
    expect(sheet.getCell(2, at('校车线路')).dataValidation.type).toBe('list')
    const filled = {
      ...{ 姓名: '王小明', 性别: '男', 出生日期: '2013-09-05', 年级: place.grade, 班级: `${place.grade}(1)班` },
      ...{ 校车线路: '二号线', '身高（自定义）': 131.5, 体检日期: '2026-09-01' },
    }
    for (const [heading, value] of Object.entries(filled)) sheet.getCell(3, at(heading)).value = value
    const { read, check, commit } = importer(world, admin, 'student')
    const filledRows = [1, 3].map((row) =>
      head.map((_, place) => String(sheet.getRow(row).getCell(place + 1).value ?? '')),
    )
    const file = await read(school, filledRows)
    expect(file.columns.slice(-3).map((column) => column.key)).toEqual(
      [line, height, day].map((field) => `student.${x(field)}`),
    )
    expect((await check(file)).counts).toMatchObject({ add: 1, bad: 0 })
    await commit(file.id)
    const columns = [line, height, day].map(x)
    const [pupil] = await listed(admin, { columns: columns.join(',') })
    expect(columns.map((name) => pupil![name])).toEqual([key('二号线'), 131.5, '2026-09-01'])
  })
})
