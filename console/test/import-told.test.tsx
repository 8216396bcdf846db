import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { entityWords } from '../src/locales/entity.ts'
import { importWords } from '../src/locales/import.ts'
import type { BatchView } from '../src/pages/import/calls.ts'
import { go } from '../src/ui/place.ts'
import { addWords } from '../src/ui/words.ts'
import { good } from './answers.ts'
import { begin } from './entity-world.tsx'
import { batchOf, bodyOf, column, path, query, show, world } from './import-world.tsx'

beforeEach(async () => {
  await begin(['student_import'], path)
  addWords({ ...commonWords, ...entityWords, ...importWords })
})
afterEach(() => vi.unstubAllGlobals())

type Note = NonNullable<BatchView['told']>[number]
const note = (kind: Note['kind'], more: Partial<Note> = {}): Note => ({
  ...{ kind, key: 'detail.leftBehind', label: '是否留守儿童', count: 2, rows: [2, 3] },
  ...{ text: null, answer: null, word: null, ...more },
})
const unmatched = { ...column(3, '午餐', null as never), label: null, confidence: null }
const checked = (more: Partial<BatchView> = {}): BatchView =>
  batchOf({
    ...{ state: 'checked', counts: { add: 3, update: 0, skip: 0, bad: 0, out: 0 } },
    ...{ rows: { read: 0, good: 3, bad: 0, duplicate: 0, out: 0 }, ...more },
  })
const at = (step: string) => go(`${path}?batch=7&step=${step}`)

describe('R-IMP-3 ISSUE-12 the check says what happens to rows that are right', () => {
  it('in words for each, with an earlier answer that can be asked anew', async () => {
    const server = world(
      checked({
        told: [
          note('otherSchool', { text: '第二实验小学', rows: [], count: 0 }),
          note('noClass', { count: 3 }),
          note('learned', { text: '是', answer: '双亲留守儿童', word: 'w1' }),
          note('wider', { label: '籍贯', text: '贵州省某县', count: 1, rows: [4] }),
          note('noRoom', { key: 'member1.parentName', label: '家长', count: 2, rows: [5, 6] }),
        ],
      }),
    )
    server.answer('answer', () => good({ id: '7', state: 'checking' }))
    at('check')
    show()
    const list = await screen.findByRole('list', { name: '导入前请看一眼' })
    const lines = within(list)
      .getAllByRole('listitem')
      .map((each) => each.textContent)
    expect(lines[0]).toContain('文件标题写的是“第二实验小学”，而所选学校是“实验小学”')
    expect(lines[1]).toContain('3 名学生没有写班级，将导入为“暂不分班”。')
    expect(lines[2]).toContain('按以前的回答：是否留守儿童“是” = 双亲留守儿童（2 行）')
    expect(lines[3]).toContain('籍贯：1 行（如“贵州省某县”）只认出省或市')
    expect(lines[4]).toContain('2 行写了 6 名以上家长：第 7 名起的姓名和关系保留在备注里')
    fireEvent.click(screen.getByRole('button', { name: '更改：是否留守儿童“是”' }))
    await waitFor(() => expect(server.asked('answer')).toHaveLength(1))
    expect(bodyOf(server.asked('answer')[0])).toEqual({
      id: '7',
      answers: [{ key: 'detail.leftBehind', text: null, again: 'w1' }],
    })
  })

  it('names the columns that are left out, with the way back to the match', async () => {
    world(checked({ columns: [...batchOf().columns, unmatched] }))
    at('check')
    show()
    expect((await screen.findByText(/未导入的列：午餐/)).textContent).toContain('未导入的列：午餐。')
    fireEvent.click(screen.getByRole('button', { name: '修改列匹配' }))
    expect(query().get('step')).toBe('match')
  })

  it('asks about classes that do not exist, and calls them no error', async () => {
    world(
      checked({
        counts: { add: 0, update: 0, skip: 0, bad: 44, out: 0 },
        rows: { read: 0, good: 0, bad: 44, duplicate: 0, out: 0 },
        waiting: { rows: 44, classes: 3 },
      }),
    ).answer('groups', () => good([]))
    at('check')
    show()
    expect(await screen.findByText('有 3 个班级尚未建立：新建后可导入 44 人。')).toBeTruthy()
    expect(screen.getByText('等待新建班级 44')).toBeTruthy()
    expect(screen.queryByText(/^错误/)).toBeNull()
    expect(screen.queryByText('下载错误行')).toBeNull()
  })

  it('offers to leave a place empty that is no region, and says that its words stay', async () => {
    const server = world(checked({ counts: { add: 1, update: 0, skip: 0, bad: 2, out: 0 } }))
    server.answer('groups', () =>
      good([
        {
          ...{ key: 'detail.nativePlaceCode', label: '籍贯', message: '不是行政区划', text: null, quote: null },
          ...{ words: [], spellings: 0, count: 2, rows: [2, 3], options: [], make: null },
          ...{ mayBeEmpty: true, kept: true, repeats: false, apart: false },
        },
      ]),
    )
    server.answer('answer', () => good({ id: '7', state: 'checking' }))
    at('check')
    show()
    fireEvent.click(await screen.findByRole('button', { name: '留空，原文记入备注' }))
    await waitFor(() => expect(server.asked('answer')).toHaveLength(1))
    expect(bodyOf(server.asked('answer')[0])).toEqual({
      id: '7',
      answers: [{ key: 'detail.nativePlaceCode', text: null, message: '不是行政区划', as: '' }],
    })
  })

  it('offers no rows with errors where there are none: those that are left out', async () => {
    world(
      checked({
        counts: { add: 2, update: 0, skip: 0, bad: 0, out: 1 },
        rows: { read: 0, good: 2, bad: 0, duplicate: 0, out: 1 },
      }),
    )
    at('check')
    show()
    expect(await screen.findByRole('button', { name: '下载未导入的行' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '下载错误行' })).toBeNull()
  })
})

describe('R-IMP-3 ISSUE-12 the match', () => {
  it('asks about names beside a number without one, and says the next step where births are missing', async () => {
    world(
      batchOf({
        columns: [...batchOf().columns.slice(0, 1), { ...unmatched, index: 1, heading: '尊长', mayBe: 'student.sex' }],
        missing: [{ key: 'student.birthDate', label: '出生日期' }],
      }),
    )
    at('match')
    show()
    expect(await screen.findByText(/“尊长”列/)).toBeTruthy()
    expect(screen.getByText(/出生日期或性别缺失：请在文件里补充/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '是家长姓名' }))
    await waitFor(() => expect(screen.queryByText(/“尊长”列/)).toBeNull())
  })

  it('sends a list of parents’ numbers without births to the import of guardians, and no other list', async () => {
    const missing = [{ key: 'student.birthDate', label: '出生日期' }]
    world(batchOf({ columns: batchOf().columns.slice(0, 1), missing }))
    at('match')
    show()
    expect(await screen.findByText(/出生日期或性别缺失/)).toBeTruthy()
    expect(screen.queryByText(/如果这是家长通讯录/)).toBeNull()
    cleanup()
    const phone = { ...unmatched, index: 1, heading: '家长电话', key: 'member1.mobile', confidence: 1 }
    world(batchOf({ columns: [...batchOf().columns.slice(0, 1), phone], missing }))
    show()
    expect(await screen.findByText(/如果这是家长通讯录/)).toBeTruthy()
  })

  it('leads on to the check, be it ever so quick', async () => {
    let now = batchOf({ columns: [...batchOf().columns, unmatched] })
    const server = world(now)
    server.answer('batch', () => good(now))
    server.answer('groups', () => good([]))
    server.answer('mapping', () => {
      now = checked({ columns: now.columns })
      return good({ id: '7', state: 'checking' })
    })
    at('match')
    show()
    fireEvent.click(await screen.findByRole('button', { name: '开始检查' }))
    await waitFor(() => expect(query().get('step')).toBe('check'))
    expect(await screen.findByText('检查结果')).toBeTruthy()
  })
})
