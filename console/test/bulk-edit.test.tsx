import { student, user } from '@data-brain/contract'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { fieldsForMany } from '../src/entity/bulk/bulk-edit.tsx'
import { Preview } from '../src/entity/bulk/bulk-preview.tsx'
import type { EntityClient } from '../src/entity/data/client.ts'
import EntityPage from '../src/entity/list/page.tsx'
import { HttpProblem } from '../src/http/client.ts'
import { toasts } from '../src/ui/toast.ts'
import { undoLast } from '../src/ui/undo.ts'
import { translate } from '../src/ui/words.ts'
import { begin, clerk, FakeServer, show, toastTexts } from './entity-world.tsx'

/** Issue 5, point 13: bulk edit with preview. */

async function ticked(count: number, codes: readonly string[] = clerk) {
  await begin(codes)
  const server = new FakeServer(12)
  show(server, <EntityPage entity="student" />)
  await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]').length).toBe(10))
  for (const box of [...document.querySelectorAll<HTMLElement>('tbody [data-tick]')].slice(0, count))
    fireEvent.click(box)
  return server
}
const dialog = () => screen.findByRole('dialog')
const button = (within_: HTMLElement, name: string | RegExp) => within(within_).getByRole('button', { name })

/** Opens the dialog and chooses a field and a value of it. */
async function choose(field: string, value: string) {
  fireEvent.click(screen.getByRole('button', { name: '批量修改' }))
  const open = await dialog()
  const chooser = await within(open).findByRole('combobox', { name: '修改的字段' })
  fireEvent.mouseDown(chooser)
  fireEvent.click(await screen.findByText(field, { selector: '.ant-select-item-option-content' }))
  const box = await within(open).findByRole('combobox', { name: field })
  fireEvent.mouseDown(box)
  fireEvent.click(await screen.findByText(value, { selector: '.ant-select-item-option-content' }))
  return open
}

beforeEach(() => begin())

describe('changing many', () => {
  it('is looked at before it is done: from what to what, who has it already; then goes in one call and back in one', async () => {
    const server = await ticked(3)
    server.rows = server.rows.map((row) => (row.id === '1001' ? { ...row, sex: '2' } : row))
    const open = await choose('性别', '女')
    fireEvent.click(button(open, '预览'))
    await waitFor(() => expect(within(open).getByRole('status').textContent).toContain('2 名将会修改'))
    const told = within(open).getByRole('status').textContent
    expect(told).toContain('性别：男 → 女')
    expect(told).toContain('其中 1 名已是（跳过）')
    const versions = { 1000: 3, 1001: 3, 1002: 3 }
    expect(server.bulked).toEqual([
      { work: { ids: ['1000', '1001', '1002'], values: { sex: '2' }, versions }, preview: true },
    ])
    fireEvent.click(button(open, '修改 2 名'))
    await waitFor(() => expect(server.bulked).toHaveLength(2))
    expect(server.bulked[1]!.preview).toBe(false)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(toasts.get().map((toast) => [toast.text, toast.detail])).toEqual([['更新成功', '已修改 2 名']])
    undoLast()
    await waitFor(() => expect(server.undone).toEqual([['9009', false]]))
  })

  it('says of each row that fails why, and looks at those alone again before they are tried again', async () => {
    const server = await ticked(3)
    server.refuses.set('1002', '超出您的数据权限范围')
    const open = await choose('性别', '女')
    fireEvent.click(button(open, '预览'))
    await waitFor(() => expect(within(open).getByRole('status').textContent).toContain('1 名不能修改'))
    expect(within(open).getByRole('region', { name: '不能修改的' }).textContent).toContain('王小三超出您的数据权限范围')
    fireEvent.click(button(open, '修改 2 名'))
    const again = await within(open).findByRole('button', { name: '重新预览失败项' })
    expect(toastTexts()).toEqual(['已修改 2 名，1 名失败'])
    server.refuses.clear()
    fireEvent.click(again)
    fireEvent.click(await within(open).findByRole('button', { name: '修改 1 名' }))
    await waitFor(() => expect(server.bulked.at(-1)).toMatchObject({ work: { ids: ['1002'] }, preview: false }))
    expect(server.bulked.at(-2)).toMatchObject({ work: { ids: ['1002'], versions: {} }, preview: true })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.rows.filter((row) => row.sex === '2').map((row) => row.id)).toEqual(['1000', '1001', '1002'])
  })

  it('calls a row that is gone by the name it was ticked with, and keeps the focus in the dialog', async () => {
    const server = await ticked(3)
    const name = String(server.rows.find(({ id }) => id === '1001')!.name)
    const open = await choose('性别', '女')
    server.rows = server.rows.filter(({ id }) => id !== '1001')
    const pressed = button(open, '预览')
    pressed.focus()
    fireEvent.click(pressed)
    const told = await within(open).findByRole('region', { name: '不能修改的' })
    expect(told.textContent).toContain(`${name}已被删除，或不再归您修改`)
    expect(told.textContent).not.toContain('1001')
    // A disabled button loses the focus, which jsdom leaves to the browser.
    expect(open.contains(document.activeElement)).toBe(true)
  })

  it('shows what the server says where the whole call fails, and keeps what was chosen', async () => {
    const server = await ticked(2)
    const open = await choose('性别', '女')
    server.failure = new HttpProblem('服务暂时不可用，请稍后再试', 503, 503, null)
    await act(async () => fireEvent.click(button(open, '预览')))
    expect((await within(open).findByRole('alert')).textContent).toBe('服务暂时不可用，请稍后再试')
    fireEvent.click(button(open, '预览'))
    await waitFor(() => expect(within(open).getByRole('status').textContent).toContain('2 名将会修改'))
    fireEvent.click(button(open, '返回'))
    expect(await within(open).findByRole('combobox', { name: '性别' })).toBeTruthy()
  })

  it('R-LIST-1 goes on with the value of a field that was chosen, and not with the choice of another', async () => {
    await ticked(2)
    fireEvent.click(screen.getByRole('button', { name: '批量修改' }))
    const open = await dialog()
    fireEvent.mouseDown(await within(open).findByRole('combobox', { name: '修改的字段' }))
    fireEvent.click(await screen.findByText('性别', { selector: '.ant-select-item-option-content' }))
    const value = await within(open).findByRole('combobox', { name: '性别' })
    await waitFor(() => expect(document.activeElement).toBe(value))
  })

  it('C13 says how numbers are given to more rows than one call takes, before they are', async () => {
    const row = (at: number) => ({
      id: String(at),
      name: `学生${at}`,
      version: 1,
      result: 'changed' as const,
      before: { classId: '1', className: '一（1）班' },
      // Each call was asked as though the one before were not made.
      after: { seatNo: 51 + (at % 200) },
    })
    const shown = (rows: number) =>
      render(
        <Preview
          entity={student}
          client={{ nameOf: () => '三（1）班' } as unknown as EntityClient}
          words={{ t: translate, language: 'zh', dictionaries: {}, regions: {} }}
          answer={{
            ...{ total: rows, changed: rows, same: 0, failed: 0, requestId: null },
            rows: Array.from({ length: rows }, (_, at) => row(at)),
          }}
          labelOf={(name) => student.fields[name as 'classId'].label.zh}
          wish={{ names: ['classId'], valueOf: () => '2' }}
          each={{}}
          onEach={() => undefined}
        />,
      ).container.textContent
    expect(shown(205)).toContain('班内学号：三（1）班 51–255，依次编号')
    expect(shown(12)).not.toContain('依次编号')
  })

  it('asks for a value where the field needs one, before the server is asked', async () => {
    const server = await ticked(2)
    fireEvent.click(screen.getByRole('button', { name: '批量修改' }))
    const open = await dialog()
    fireEvent.mouseDown(await within(open).findByRole('combobox', { name: '修改的字段' }))
    fireEvent.click(await screen.findByText('性别', { selector: '.ant-select-item-option-content' }))
    fireEvent.click(await within(open).findByRole('button', { name: '预览' }))
    expect(await within(open).findByText('请选择性别')).toBeTruthy()
    expect(server.bulked).toEqual([])
  })

  it('is not offered to whoever may not edit', async () => {
    await ticked(2, ['student_view', 'student_delete'])
    expect(screen.getByRole('toolbar')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '批量修改' })).toBeNull()
  })
})

describe('the fields of many', () => {
  it('are those that rows can share: no name, no number that is one row’s alone, nothing personal or fixed', () => {
    const fields = fieldsForMany(student, undefined)
    expect(fields).toEqual(expect.arrayContaining(['sex', 'classId', 'gradeId', 'enrollDate', 'remark', 'status']))
    for (const none of ['name', 'studentNo', 'seatNo', 'idNo', 'nationalCode', 'phone', 'userId', 'photo'])
      expect(fields, none).not.toContain(none)
    for (const none of ['account', 'staffNo', 'phone']) expect(fieldsForMany(user, undefined)).not.toContain(none)
  })
})
