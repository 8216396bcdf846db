import { readFileSync } from 'node:fs'
import path from 'node:path'
import { entityOf } from '@data-brain/contract'
import { importer } from '@data-brain/server/test/import-entity-parts'
import { makeSchool, type Place, sendFile } from '@data-brain/server/test/import-parts'
import { makeWorld, type Person, type World } from '@data-brain/server/test/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/*
 * The library's own list, made by another program (openpyxl): a title and a line over the table, headings of its own, a
 * number for an ISBN, a sum at the end.
 */
const list = readFileSync(path.join(import.meta.dirname, 'books.xlsx'))
const book = entityOf('library_book')
const calls = 'ext-library/import-book'

let world: World
let admin: Person
let school: Place
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
  school = await makeSchool(admin)
})
afterAll(() => world.close())

interface Book {
  readonly id: string
  readonly title: string
  readonly isbn: string | null
  readonly copies: number
  readonly price: number | string | null
}
const held = async (who: Person): Promise<string[]> =>
  (await who.get<{ records: Book[] }>(`${book.path}/list`, { size: 50, ascs: 'title' })).data.records.map(
    ({ title, isbn, copies, price }) => `${title} ${isbn ?? '–'} ${copies} ${Number(price)}`,
  )

describe('books out of a spreadsheet', () => {
  it('come in row by row as their definition and the rules of the library say, and go with one undo', async () => {
    const books = importer(world, admin, 'library_book')
    const read = await books.read(school, list, '新书登记.xlsx')
    expect(read).toMatchObject({ kind: 'library_book', failure: null, missing: [], total: 9 })
    const checked = await books.check(read)
    expect(await books.faults(read.id)).toEqual([
      '4 library_book.isbn 与第11行重复',
      '6 library_book.isbn 校验码不符，请核对',
      '7 library_book.isbn 校验码不符，请核对',
      '8 library_book.shelf 不是可选的值，可填：文学、科学、绘本',
      '9 library_book.title 不能为空',
      '10 library_book.copies 须在1到9999之间',
      '11 library_book.isbn 与第4行重复',
    ])
    expect(checked.counts).toMatchObject({ add: 2, bad: 7 })
    // What is wrong in the same way is asked about once.
    const groups = await books.groups(read.id)
    expect(groups.find(({ message }) => message.includes('校验码'))).toMatchObject({ count: 2 })
    const shelf = groups.find(({ key }) => key === 'library_book.shelf')
    expect(shelf).toMatchObject({ text: '科普', count: 1 })
    expect(shelf?.options.map(({ label }) => label)).toEqual(['文学', '科学', '绘本'])
    const answered = await books.answer(
      read.id,
      { key: 'library_book.shelf', text: '科普', as: '科学' },
      ...groups
        .filter(({ message }) => message.includes('重复'))
        .map(({ key, text, message }) => ({ key, text, message, keep: 'first' })),
    )
    expect(answered.counts).toMatchObject({ add: 4, bad: 4 })
    expect(await books.commit(read.id, { skipBad: '1' })).toMatchObject({ state: 'done', failure: null, stored: 4 })
    expect(await held(admin)).toEqual([
      '十万个为什么 – 1 128',
      '好饿的毛毛虫 – 1 1032.8',
      '红楼梦 9787020002207 3 59.7',
      '西游记 9787020008735 2 47.2',
    ])

    // A second time what has an ISBN stands already, as the rules write it; of what has none nothing tells.
    const again = await books.check(await books.read(school, list, '新书登记.xlsx'), {})
    expect(again.counts).toMatchObject({ add: 2, skip: 1 })
    expect(await books.undo(read.id)).toMatchObject({ state: 'undone', failure: null })
    expect(await held(admin)).toEqual([])
  })

  it('change those that stand where that is chosen, as the rules allow it', async () => {
    const who = await world.tenant()
    const place = await makeSchool(who)
    const books = importer(world, who, 'library_book')
    const rows = (copies: string) => [
      ['书名', '书号', '册数'],
      ['城南旧事', '978-7-5321-2345-8', copies],
    ]
    const first = await books.check(await books.read(place, rows('1')))
    expect(first.counts).toMatchObject({ bad: 1 })
    const right = (copies: string) => rows(copies).map((row) => row.map((cell) => cell.replace('2345-8', '2345-2')))
    const made = await books.check(await books.read(place, right('1')))
    expect(await books.faults(made.id)).toEqual([])
    await books.commit(made.id)
    const more = await books.check(await books.read(place, right('5'), '表.xlsx', 'update'))
    expect(more.counts).toMatchObject({ update: 1, bad: 0 })
    await books.commit(more.id)
    expect((await held(who)).map((line) => line.split(' ')[2])).toEqual(['5'])
    await books.undo(more.id)
    expect((await held(who)).map((line) => line.split(' ')[2])).toEqual(['1'])
  })

  it('are brought in by whoever may, and are nothing to another tenant', async () => {
    const clerk = await world.colleague(admin, ['library_book_import'])
    const viewer = await world.colleague(admin, ['library_book_view', 'library_book_add', 'schoolclass_import'])
    const parameters = { schoolId: school.schoolId, duplicates: 'skip' }
    expect((await sendFile(world, viewer, '书.xlsx', list, parameters, calls)).status).toBe(403)
    expect((await viewer.get(`${calls}/list`)).status).toBe(403)
    expect((await viewer.get(`${calls}/template`)).status).toBe(403)
    const sent = await importer(world, clerk, 'library_book').read(school, list)
    expect(sent).toMatchObject({ kind: 'library_book', failure: null })
    const stranger = await world.tenant()
    const id = sent.id
    expect((await stranger.get(`${calls}/batch`, { id })).status).toBe(404)
    expect((await stranger.post(`${calls}/mapping`, { id, mapping: {} })).status).toBe(404)
    expect((await stranger.post(`${calls}/commit`, undefined, { query: { id } })).status).toBe(404)
    expect((await stranger.get<{ total: number }>(`${calls}/list`)).data.total).toBe(0)
    expect((await sendFile(world, stranger, '书.xlsx', list, parameters, calls)).status).toBe(400)
  })

  it('have a template, which comes back in as it stands, its example passed over', async () => {
    const { data } = await admin.get(`${calls}/template`, { format: 'csv', schoolId: school.schoolId })
    const [headings = '', example = '', ...rest] = String(data).split(/\r?\n/)
    expect(headings).toBe(`\ufeff${['书名★', '国际标准书号', '索书号', '书架', '册数', '定价', '备注'].join()}`)
    expect(example).toMatch(/^示例：西游记（本行不会导入）,978-7-02-000873-5,,文学,3,47.20,/)
    const filled = Buffer.from(
      [headings, example, ['草房子', '', 'I287.45/1', '科学', '2', '25', ''].join(), ...rest].join('\r\n'),
    )
    const books = importer(world, admin, 'library_book')
    const read = await books.read(school, filled, '模板.csv')
    expect(read).toMatchObject({ total: 1, missing: [] })
    expect((await books.check(read)).counts).toMatchObject({ add: 1, bad: 0 })
  })
})
