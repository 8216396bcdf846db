import { student } from '@data-brain/contract'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { narrow } from './import-parts.ts'
import { isOfPlatform, sample } from './sample.ts'
import { makeWorld, type Person, type World } from './world.ts'

let world: World
let admin: Person
let draft: Record<string, unknown>
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  const made = new Map<string, string>()
  for (const name of ['王一', '王二', '李三']) {
    ;({ draft } = await sample(admin, student, made))
    const added = await admin.post('blade-user/student/submit', {
      ...draft,
      name,
      remark: '=1+1',
      schoolId: made.get('school'),
    })
    if (added.code !== 200) throw new Error(added.msg)
  }
})
afterAll(() => world.close())

const fetchFile = async (person: Person, query: Record<string, string>, entity = 'blade-user/student') => {
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/${entity}/export`,
    query,
    headers: { 'blade-auth': `bearer ${person.token}`, 'accept-language': 'zh' },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers, text: answer.payload }
}

describe('R-LIST-1 a list as a file', () => {
  it('is a CSV that Excel reads, with the filters, order and columns of the list, and nothing that computes', async () => {
    const file = await fetchFile(admin, {
      format: 'csv',
      name: '王',
      descs: 'name',
      columns: 'name,sex,remark,birthDate',
    })
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(file.headers['content-disposition']).toContain("filename*=UTF-8''%E5%AD%A6%E7%94%9F-")
    const lines = file.text.replace('\ufeff', '').trim().split('\r\n')
    expect(file.text.startsWith('\ufeff')).toBe(true)
    expect(lines[0]).toBe('姓名,性别,备注,出生日期')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['王一', '王二'])
    expect(lines[1]).toMatch(/^王一,[男女],'=1\+1,\d{4}-\d{2}-\d{2}$/)
  })

  it('holds the rows alone that ids names, as the list does; what is no id, or more than fit, is refused by name', async () => {
    type Rows = { records: { id: string; name: string }[] }
    const path = 'blade-user/student/list'
    const all = (await admin.get<Rows>(path, {})).data.records
    const some = all.slice(0, 2)
    const ids = some.map(({ id }) => id).join(',')
    expect((await admin.get<Rows>(path, { ids })).data.records.map(({ id }) => id)).toEqual(some.map(({ id }) => id))
    const file = await fetchFile(admin, { format: 'csv', columns: 'name', ids })
    const lines = file.text.replace('\ufeff', '').trim().split('\r\n')
    expect(lines.slice(1)).toEqual(some.map(({ name }) => name))
    expect((await admin.get(path, { ids: '1,x' })).status).toBe(400)
    expect((await admin.get(path, { ids: Array(201).fill('1').join(',') })).msg).toContain('ids')
  })

  it('is a workbook with texts as texts, and says who took it and when', async () => {
    const file = await fetchFile(admin, {})
    expect(file.status).toBe(200)
    const book = new excel.Workbook()
    await book.xlsx.load(file.bytes as unknown as ArrayBuffer)
    const [page, about] = book.worksheets
    expect(page?.name).toBe('学生')
    expect(page?.rowCount).toBe(4)
    // Who it is comes first, as in the list.
    expect([1, 2].map((at) => page?.getRow(1).getCell(at).value)).toEqual(['姓名', '校内学号'])
    expect(typeof page?.getRow(2).getCell(2).value).toBe('string')
    expect(page?.headerFooter.oddFooter).toContain('管理员')
    expect(about?.getRow(2).getCell(2).value).toBe('管理员 (admin)')
    expect(about?.getRow(4).getCell(2).value).toBe('3')
  })

  it('masks personal values; shows them in full only when asked for by who may, and then names who took them', async () => {
    const masked = await fetchFile(admin, { format: 'csv', columns: 'name,idNo' })
    expect(masked.text).not.toContain(String(draft.idNo))
    const full = await fetchFile(admin, { format: 'csv', columns: 'name,idNo', personal: '1' })
    expect(full.text).toContain(String(draft.idNo))
    expect(full.text.trim().split('\r\n').at(-1)).toContain('导出人: 管理员 (admin)')
    const clerk = await world.colleague(admin, ['student_view', 'student_export'])
    expect((await fetchFile(clerk, { personal: '1' })).status).toBe(403)
    expect((await fetchFile(clerk, { format: 'csv', columns: 'idNo' })).text).not.toContain(String(draft.idNo))
  })

  it('R-LIST-5 asks for its own code, and refuses what is no column or no format by name', async () => {
    const viewer = await world.colleague(admin, ['student_view'])
    expect((await fetchFile(viewer, {})).status).toBe(403)
    for (const [query, field] of [
      [{ columns: 'name,password' }, 'columns'],
      [{ format: 'pdf' }, 'format'],
      [{ classId: 'x' }, 'classId'],
    ] as const) {
      const answer = await fetchFile(admin, query)
      expect([answer.status, JSON.parse(answer.text).data.field]).toEqual([400, field])
    }
  })

  it('R-PERM-3 holds only the rows that the caller reaches, and none of another tenant', async () => {
    const stranger = await world.tenant()
    const file = await fetchFile(stranger, { format: 'csv' })
    expect(file.text.trim().split('\r\n')).toHaveLength(1)
    const clerk = await world.colleague(admin, ['student_view', 'student_export'])
    await narrow(admin, clerk, 'student', 'name', '李')
    const seen = await fetchFile(clerk, { format: 'csv', columns: 'name' })
    expect(seen.text.replace('\ufeff', '').trim().split('\r\n')).toEqual(['姓名', '李三'])
  })

  it('exports every list there is without a fault', async () => {
    const { entities } = await import('@data-brain/contract')
    const platform = await world.platform()
    for (const entity of entities) {
      const file = await fetchFile(isOfPlatform(entity) ? platform : admin, { format: 'csv' }, entity.path)
      expect([entity.name, file.status]).toEqual([entity.name, 200])
    }
  })
})
