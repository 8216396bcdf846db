import { student } from '@data-brain/contract'
import type { ShownSheet } from '@data-brain/contract/fixed-form'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { put } from './storage-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

const path = 'blade-report/fixedform'
let world: World
let admin: Person
let pupil: string
let roleIds: string[]
let form: string
let bytes: Buffer

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const { draft } = await sample(admin, student, new Map())
  const about = { idType: null, idNo: null, sex: '1', birthDate: '2015-03-02' }
  const added = await admin.post<Row>('blade-user/student/submit', { ...draft, name: '𠮷小明', ...about })
  if (added.code !== 200) throw new Error(added.msg)
  pupil = String(added.data.id)
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('卡', { pageSetup: { printArea: 'A1:C3' } })
  sheet.mergeCells('A1:C1')
  sheet.getCell('A1').value = '{{姓名}}的卡片'
  sheet.getCell('A1').font = { bold: true, size: 18 }
  sheet.getCell('A1').alignment = { horizontal: 'center', vertical: 'middle' }
  sheet.getCell('A2').value = '{{出生日期}}'
  sheet.getCell('A2').border = { top: { style: 'thin' }, left: { style: 'thin' } }
  sheet.getCell('E9').value = '不打印'
  bytes = Buffer.from(await book.xlsx.writeBuffer())
  const { data } = await put(world, admin.token, 'card.xlsx', bytes, { attach: true })
  const { attachId } = data as unknown as { attachId: string }
  const roles = await admin.get<{ records: Row[] }>('blade-system/role/list', { size: '50' })
  roleIds = roles.data.records.map(({ id }) => String(id))
  const saved = await admin.post<Row>(`${path}/submit`, { name: '卡片', subject: 'student', attachId, roleIds })
  if (saved.code !== 200) throw new Error(saved.msg)
  form = String(saved.data.id)
}, 60_000)
afterAll(() => world.close())

/** Somebody with these codes whom the form is shared with. */
async function person(codes: readonly string[]): Promise<Person> {
  const who = await world.colleague(admin, codes)
  const roles = await admin.get<{ records: Row[] }>('blade-system/role/list', { size: '50' })
  const all = roles.data.records.map(({ id }) => String(id))
  const row = await admin.get<Row>(`${path}/detail`, { id: form })
  const saved = await admin.post(`${path}/submit`, { ...row.data, roleIds: all })
  if (saved.code !== 200) throw new Error(saved.msg)
  return who
}
const preview = (who: Person, rowId = pupil) =>
  who.get<{ sheets: ShownSheet[] }>(`${path}/preview`, { id: form, rowId })
const fill = async (who: Person, into?: string): Promise<number> => {
  const answer = await world.http.inject({
    ...{ method: 'GET', url: `/api/${path}/filled/export` },
    query: { id: form, ids: pupil, ...(into ? { into } : {}) },
    headers: { 'blade-auth': `bearer ${who.token}` },
  })
  return answer.statusCode
}
const readings = async (): Promise<number> => {
  const { rows } = await world.owner.query<{ n: number }>(
    `select count(*)::int as n from read_log where tenant_id = $1 and kind = 'export' and row_id = $2`,
    [admin.tenantId, pupil],
  )
  return rows[0]!.n
}

describe('R-DEV-6 a form is tried with a row', () => {
  it('shows what would be printed, in its looks, and is recorded as filling it is', async () => {
    const before = await readings()
    const { data } = await preview(admin)
    expect(await readings()).toBe(before + 1)
    const [sheet, ...others] = data.sheets
    expect(others).toEqual([])
    expect(sheet).toMatchObject({ name: '卡', hasMore: false })
    expect(sheet!.widths).toHaveLength(3)
    const [head, second] = sheet!.rows.map(({ cells }) => cells)
    expect(head).toHaveLength(1)
    expect(head![0]).toMatchObject({
      text: '𠮷小明的卡片',
      columns: 3,
      bold: true,
      size: 18,
      across: 'center',
      down: 'middle',
    })
    expect(second![0]).toMatchObject({ text: '2015-03-02', columns: 1, lines: 'lt' })
    expect(JSON.stringify(sheet)).not.toContain('不打印')
  })

  it('gives its workbook as it was saved', async () => {
    const answer = await world.http.inject({
      ...{ method: 'GET', url: `/api/${path}/workbook`, query: { id: form } },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(bytes)).toBe(true)
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain('卡片.xlsx')
    const stranger = await world.tenant()
    expect((await stranger.get(`${path}/workbook`, { id: form })).status).toBe(404)
    expect((await preview(stranger)).status).toBe(404)
  })
})

describe('R-DEV-6 who fills forms', () => {
  it('takes the right to take the rows out, or that to fill forms and to look at the rows', async () => {
    for (const [codes, wanted] of [
      [['fixedform_view', 'student_view'], 403],
      [['fixedform_view', 'fixedform_fill'], 403],
      [['fixedform_view', 'student_view', 'fixedform_fill'], 200],
      [['fixedform_view', 'student_view', 'student_export'], 200],
    ] as const) {
      const who = await person(codes)
      expect([codes, (await preview(who)).status]).toEqual([codes, wanted])
      expect([codes, await fill(who)]).toEqual([codes, wanted])
      expect([codes, await fill(who, 'pdf')]).toEqual([codes, wanted])
    }
  })

  it('opens no list to whoever may only fill forms', async () => {
    const filler = await person(['fixedform_view', 'student_view', 'fixedform_fill'])
    expect((await filler.get('blade-user/student/export')).status).toBe(403)
  })
})

describe('R-DEV-6 a form is tried before it is saved', () => {
  const upload = async (who: Person, text: string): Promise<string> => {
    const book = new excel.Workbook()
    book.addWorksheet('草稿').getCell('A1').value = text
    const { data } = await put(world, who.token, '草稿.xlsx', Buffer.from(await book.xlsx.writeBuffer()), {
      attach: true,
    })
    return (data as unknown as { attachId: string }).attachId
  }
  const tried = (who: Person, more: Record<string, string>, into?: string) =>
    world.http.inject({
      ...{ method: 'GET', url: `/api/${path}/uploaded/${into ? 'filled' : 'preview'}` },
      query: { rowId: pupil, ...(into ? { into } : {}), ...more },
      headers: { 'blade-auth': `bearer ${who.token}` },
    })

  it('R-DEV-6 shows the uploaded workbook filled, gives it as workbook and as PDF, and records it as filling is', async () => {
    const attachId = await upload(admin, '{{姓名}}的草稿')
    const before = await readings()
    const shown = await tried(admin, { attachId, subject: 'student' })
    expect(shown.json().data.sheets[0]).toMatchObject({ name: '草稿', rows: [{ cells: [{ text: '𠮷小明的草稿' }] }] })
    expect(await readings()).toBe(before + 1)
    const file = await tried(admin, { attachId, subject: 'student' }, 'book')
    const book = new excel.Workbook()
    await book.xlsx.load(file.rawPayload as unknown as ArrayBuffer)
    expect(book.worksheets[0]!.getCell('A1').text).toBe('𠮷小明的草稿')
    expect(decodeURIComponent(String(file.headers['content-disposition']))).toMatch(/草稿-\d{12}\.xlsx/)
    const pdf = await tried(admin, { attachId, subject: 'student' }, 'pdf')
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await readings()).toBe(before + 3)
    // Nothing was saved on the way.
    const { data } = await admin.get<{ total: number }>(`${path}/list`, { name: '草稿' })
    expect(data.total).toBe(0)
  })

  it('R-DEV-6 names what is wrong with it, as saving it would', async () => {
    const wrong = await tried(admin, { attachId: await upload(admin, '{{姓明}}'), subject: 'student' })
    expect(wrong.json().msg).toContain('工作表“草稿”的单元格A1：没有名为“姓明”的字段，是否为“姓名”')
    const attachId = await upload(admin, '{{姓名}}')
    expect((await tried(admin, { attachId })).json().msg).toBe('缺少必要的请求参数：subject')
    expect((await tried(admin, { subject: 'student' })).json().msg).toBe('缺少必要的请求参数：attachId')
    expect((await tried(admin, { attachId, subject: 'role' })).json().msg).toMatch(/^填写对象：/)
  })

  it('R-DEV-6 takes the right to save forms, an own upload, and the rights of filling', async () => {
    const own = ['attach_add', 'student_view', 'fixedform_fill', 'fixedform_view']
    const attachId = await upload(admin, '{{姓名}}')
    const viewer = await world.colleague(admin, own)
    const mine = await upload(viewer, '{{姓名}}')
    expect((await tried(viewer, { attachId: mine, subject: 'student' })).statusCode).toBe(403)
    const author = await world.colleague(admin, [...own, 'fixedform_add'])
    expect((await tried(author, { attachId, subject: 'student' })).statusCode).toBe(404)
    const theirs = await upload(author, '{{姓名}}')
    expect((await tried(author, { attachId: theirs, subject: 'student' })).statusCode).toBe(200)
    const ofSchools = await upload(author, '{{填表人}}')
    expect((await tried(author, { attachId: ofSchools, subject: 'school' })).statusCode).toBe(403)
    // The workbook of a form that is shared with them is theirs to change.
    const shared = await person([...own, 'fixedform_edit'])
    const { attachId: kept } = (await admin.get<Row>(`${path}/detail`, { id: form })).data
    expect((await tried(shared, { attachId: String(kept), subject: 'student' })).statusCode).toBe(200)
    const stranger = await world.tenant()
    expect((await tried(stranger, { attachId, subject: 'student' })).statusCode).toBe(404)
  })
})
