import { schoolclass, student } from '@data-brain/contract'
import * as XLSX from '@e965/xlsx'
import excel from '@zurmokeeper/exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from './sample.ts'
import { put } from './storage-parts.ts'
import { makeWorld, type Person, type Row, type World } from './world.ts'

/* Figures of reports in forms: what a bureau fills for each of its schools. */

const path = 'blade-report/fixedform'
let world: World
let admin: Person
const schools: { id: string; name: string; grade: string }[] = []

/** Pupils of a school: so many girls and boys. */
const counts = [
  { girls: 3, boys: 2 },
  { girls: 1, boys: 1 },
]

beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  for (const { girls, boys } of counts) {
    const made = new Map<string, string>()
    const { draft } = await sample(admin, student, made)
    const school = await admin.get<Row>(`blade-user/school/detail?id=${draft.schoolId}`)
    const room = await admin.post<Row>('blade-user/schoolclass/submit', (await sample(admin, schoolclass, made)).draft)
    const grade = await admin.get<Row>(`blade-user/sysgrade/detail?id=${room.data.gradeId}`)
    for (let at = 0; at < girls + boys; at += 1) {
      const own = { studentNo: String(20260001 + at), nationalCode: null }
      const more = {
        ...own,
        name: `${'赵钱孙李周'[at]}生`,
        seatNo: at + 1,
        idType: null,
        idNo: null,
        birthDate: '2015-03-01',
      }
      const saved = await admin.post('blade-user/student/submit', {
        ...draft,
        ...more,
        classId: room.data.id,
        sex: at < girls ? '2' : '1',
      })
      if (saved.code !== 200) throw new Error(saved.msg)
    }
    schools.push({
      id: String(draft.schoolId),
      name: String(school.data.schoolName),
      grade: String(grade.data.gradeName),
    })
  }
}, 60_000)
afterAll(() => world.close())

const content = {
  ...{ entity: 'student', columns: [], filter: null, sort: null, chart: 'none', hideBelow: 0 },
  groups: [{ field: 'gradeId', by: null }],
  cross: { field: 'sex', by: null },
  measures: [
    { of: 'count', field: null },
    { of: 'share', field: null },
    { of: 'average', field: 'seatNo' },
  ],
  parameters: ['schoolId'],
}
let saves = 0
async function report(more: Record<string, unknown> = {}, who = admin): Promise<string> {
  saves += 1
  const name = `在校生${saves}`
  const saved = await who.post('blade-report/report/rest/submit', { name, content: { ...content, ...more } })
  if (saved.code !== 200) throw new Error(saved.msg)
  return name
}
async function book(cells: Record<string, string>): Promise<Buffer> {
  const made = new excel.Workbook()
  const sheet = made.addWorksheet('表')
  for (const [cell, value] of Object.entries(cells)) sheet.getCell(cell).value = value
  return Buffer.from(await made.xlsx.writeBuffer())
}
async function save(cells: Record<string, string>, subject = 'school', who = admin) {
  const { data } = await put(world, who.token, 'form.xlsx', await book(cells), { attach: true })
  saves += 1
  const { attachId } = data as { attachId: string }
  return who.post<Row>(`${path}/submit`, { name: `表样${saves}`, subject, attachId })
}
async function filled(cells: Record<string, string>, ids: readonly string[], language = 'zh') {
  const saved = await save(cells)
  expect(saved.msg).toBe('操作成功')
  const answer = await world.http.inject({
    method: 'GET',
    url: `/api/${path}/filled/export`,
    query: { id: String(saved.data.id), ids: ids.join() },
    headers: { 'blade-auth': `bearer ${admin.token}`, 'accept-language': language },
  })
  if (answer.statusCode !== 200) return answer.json<{ msg: string }>().msg
  const { Sheets, SheetNames } = XLSX.read(answer.rawPayload, { type: 'buffer' })
  return SheetNames.map((name) =>
    Object.fromEntries(
      Object.keys(cells).map((cell) => [cell, (Sheets[name]![cell] as XLSX.CellObject | undefined)?.v]),
    ),
  )
}
const faults = async (cells: Record<string, string>, subject?: string): Promise<string[]> => {
  const { data } = await save(cells, subject)
  return (data as unknown as { fields?: { message: string }[] }).fields?.map(({ message }) => message) ?? []
}

describe('R-DEV-6 figures of reports in a form', () => {
  it('are counted for each school that the form is filled with, whatever the reader’s language', async () => {
    const name = await report()
    const { grade } = schools[0]!
    const cells = {
      A1: '{{学校名称}}',
      A2: `{{报表:${name}.数量}}`,
      A3: `{{报表：${name}.数量[${grade},女]}}`,
      A4: `{{Report:${name}.Count[,Male]}}人`,
      A5: `{{报表:${name}.占比（%）［${grade}，女］}}`,
      A6: `{{报表:${name}}}`,
      A7: `{{报表:${name}.班内学号平均[${grade}]}}`,
    }
    const ids = schools.map(({ id }) => id)
    const wanted = counts.map(({ girls, boys }, at) => {
      const all = girls + boys
      const own = schools[at]!.grade === grade
      return {
        ...{ A1: schools[at]!.name, A2: all, A3: own ? girls : 0, A4: `${boys}人` },
        ...{ A5: own ? Math.round((girls * 1000) / all) / 10 : 0, A6: all, A7: own ? (all + 1) / 2 : undefined },
      }
    })
    expect(await filled(cells, ids)).toEqual(wanted)
    expect(await filled(cells, ids, 'en')).toEqual(wanted)
  })

  it('count all that the reader reaches where the report asks for nothing, and of two groups the part of one', async () => {
    const name = await report({
      ...{
        parameters: [],
        cross: null,
        groups: [
          { field: 'schoolId', by: null },
          { field: 'sex', by: null },
        ],
      },
    })
    const [one, other] = schools as [(typeof schools)[0], (typeof schools)[0]]
    const cells = {
      A1: `{{报表:${name}}}`,
      A2: `{{报表:${name}[${one.name}]}}`,
      A3: `{{报表:${name}[${other.name},女]}}`,
      A4: `{{报表:${name}[（空）]}}`,
    }
    expect(await filled(cells, [one.id])).toEqual([{ A1: 7, A2: 5, A3: 1, A4: 0 }])
  })

  it('say what is hidden, and are no 0 then', async () => {
    const name = await report({ hideBelow: 3 })
    const { grade } = schools[0]!
    const cells = {
      A1: `{{报表:${name}[${grade},女]}}`,
      A2: `{{报表:${name}[${grade},男]}}`,
      A3: `{{报表:${name}[,男]}}`,
    }
    expect(await filled(cells, [schools[0]!.id])).toEqual([{ A1: 3, A2: '*', A3: '*' }])
  })

  it('are refused by sheet and cell while report, measure or group is unknown', async () => {
    const name = await report()
    const listed = await report({ ...{ groups: [], cross: null, measures: [], columns: ['name'] } })
    expect(
      await faults({
        A1: '{{报表:没有这张.数量}}',
        A2: `{{报表:${name}.人数}}`,
        A3: `{{报表:${name}.数量[十七年级]}}`,
        A4: `{{报表:${name}.数量[${schools[0]!.grade},女生]}}`,
        A5: `{{报表:${name}.数量[a,b,c]}}`,
        A6: `{{报表:${listed}.数量}}`,
      }),
    ).toEqual(
      [
        '单元格A1：没有名为“没有这张”的报表，或未共享给您',
        `单元格A2：报表“${name}”没有统计值“人数”，有：数量、占比（%）、班内学号平均`,
        `单元格A3：报表“${name}”的“年级”没有“十七年级”`,
        `单元格A4：报表“${name}”的“性别”没有“女生”`,
        `单元格A5：报表“${name}”的分组依次为年级、性别，请按此次序填写`,
        `单元格A6：报表“${listed}”没有分组，不能取数`,
      ].map((text) => expect.stringContaining(text)),
    )
  })

  it('are refused when the report has changed meanwhile, and are nobody else’s', async () => {
    const name = await report()
    const saved = await save({ A1: `{{报表:${name}.数量}}` })
    const rows = await admin.get<{ records: Row[] }>(
      `blade-report/report/rest/list?name_equal=${encodeURIComponent(name)}`,
    )
    const [row] = rows.data.records
    const removed = await admin.post(`blade-report/report/rest/remove?ids=${row!.id}`)
    expect(removed.code).toBe(200)
    const answer = await world.http.inject({
      method: 'GET',
      url: `/api/${path}/filled/export`,
      query: { id: String(saved.data.id), ids: schools[0]!.id },
      headers: { 'blade-auth': `bearer ${admin.token}` },
    })
    expect([answer.statusCode, answer.payload]).toEqual([400, expect.stringContaining(`没有名为“${name}”的报表`)])
    const other = await world.tenant()
    const own = await report()
    const theirs = await save({ A1: `{{报表:${own}.数量}}` }, 'school', other)
    expect(theirs.msg).toContain(`没有名为“${own}”的报表`)
  })
})
