import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import EntityPage from '../src/entity/list/page.tsx'
import { HttpProblem } from '../src/http/client.ts'
import { writeStored } from '../src/ui/stored.ts'
import { toasts } from '../src/ui/toast.ts'
import { undoLast } from '../src/ui/undo.ts'
import { begin, clerk, FakeServer, show, toastTexts } from './entity-world.tsx'

/** Issue 5, point 13: edit in the cell, with undo and a visible conflict. */

const query = () => new URLSearchParams(window.location.search)
const press = (key: string, extra: Partial<KeyboardEventInit> = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, {
    key,
    code: key.length === 1 ? `Key${key.toUpperCase()}` : key,
    ...extra,
  })

async function list(codes: readonly string[] = clerk, more?: readonly string[]) {
  await begin(codes)
  const taste = { order: [], hidden: [], widths: {}, pins: {}, more }
  if (more) writeStored('views:1:student', { taste, first: null })
  const server = new FakeServer(12)
  const view = show(server, <EntityPage entity="student" />)
  await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]').length).toBe(10))
  return { server, ...view }
}
const heads = () => [...document.querySelectorAll('thead th')].map((head) => head.textContent)
const cell = (id: string, head: string) =>
  document.querySelector<HTMLTableRowElement>(`tr[data-key="${id}"]`)!.cells[heads().indexOf(head)]!
const editor = () => document.querySelector<HTMLElement>('.cell-editor')
const input = async () => {
  await waitFor(() => expect(editor()).toBeTruthy())
  return editor()!.querySelector('input')!
}
const open = async (id: string, head: string) => {
  fireEvent.doubleClick(cell(id, head))
  return input()
}

beforeEach(() => begin())

describe('a cell', () => {
  it('opens by a double press with what it holds, is saved alone by Enter with the version of its row, and takes effect at once', async () => {
    const { server } = await list()
    const field = await open('1001', '校内学号')
    expect(field.value).toBe('S101')
    expect(document.activeElement).toBe(field)
    let answer = () => {}
    const works = server.submit.bind(server)
    server.submit = (entity, draft) =>
      new Promise((resolve, reject) => {
        answer = () => void works(entity, draft).then(resolve, reject)
      })
    fireEvent.change(field, { target: { value: 'S777' } })
    press('Enter')
    // Shown while the server has not answered.
    await waitFor(() => expect(cell('1001', '校内学号').textContent).toBe('S777'))
    expect([server.submitted, editor()]).toEqual([[], null])
    await act(async () => answer())
    await waitFor(() => expect(server.submitted).toEqual([{ id: '1001', version: 3, studentNo: 'S777' }]))
    await waitFor(() => expect(toastTexts()).toEqual(['更新成功']))
    expect(toasts.get()[0]!.detail).toBe(`${cell('1001', '姓名').textContent}，校内学号：S101 → S777`)
    expect(document.activeElement).toBe(cell('1001', '校内学号'))
  })

  it('is taken back by Ctrl+Z while its toast lives, and not after', async () => {
    const { server } = await list()
    fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
    press('Enter')
    await waitFor(() => expect(toastTexts()).toEqual(['更新成功']))
    expect(undoLast()).toBe(true)
    await waitFor(() => expect(server.undone).toEqual([['8008', false]]))
    await waitFor(() => expect(toastTexts()).toEqual(['已撤销']))
    expect(undoLast()).toBe(false)
  })

  it('is left by Esc as it was, and asks nothing where nothing was changed', async () => {
    const { server } = await list()
    fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
    press('Escape')
    expect(editor()).toBeNull()
    expect(cell('1001', '校内学号').textContent).toBe('S101')
    await open('1001', '校内学号')
    press('Enter')
    await waitFor(() => expect(editor()).toBeNull())
    expect(server.submitted).toEqual([])
    expect(toastTexts()).toEqual([])
  })

  it('goes on by Tab to the next one that can be changed, and back by Shift+Tab', async () => {
    const { server } = await list()
    fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
    press('Tab')
    await waitFor(() => expect(editor()?.querySelector('label')?.textContent).toBe('性别'))
    await waitFor(() => expect(document.activeElement?.closest('.cell-editor')).toBeTruthy())
    press('Tab', { shiftKey: true })
    await waitFor(() => expect(editor()?.querySelector('label')?.textContent).toBe('校内学号'))
    expect(server.submitted).toEqual([{ id: '1001', version: 3, studentNo: 'S777' }])
  })

  it('two changes of one row go one after the other, the second with the version that the first made', async () => {
    const { server } = await list()
    fireEvent.change(await open('1001', '姓名'), { target: { value: '王新名' } })
    press('Tab')
    await waitFor(() => expect(editor()?.querySelector('label')?.textContent).toBe('校内学号'))
    fireEvent.change(await input(), { target: { value: 'S777' } })
    press('Enter')
    await waitFor(() => expect(server.submitted).toHaveLength(2))
    expect(server.submitted[1]).toEqual({ id: '1001', version: 4, studentNo: 'S777' })
    expect(toastTexts()).not.toContain('未知错误')
  })

  it('says what is wrong at the cell, before the server is asked and after it has refused', async () => {
    const { server } = await list()
    fireEvent.change(await open('1001', '校内学号'), { target: { value: '' } })
    press('Enter')
    expect((await screen.findByRole('alert')).textContent).toBe('请填写校内学号')
    expect(server.submitted).toEqual([])
    server.failure = new HttpProblem('校内学号已被本校其他学生使用', 409, 409, { field: 'studentNo', fields: [] })
    fireEvent.change(await input(), { target: { value: 'S102' } })
    press('Enter')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('校内学号已被本校其他学生使用'))
    expect((await input()).value).toBe('S102')
    press('Escape')
    expect(cell('1001', '校内学号').textContent).toBe('S101')
  })

  it('shows both values where somebody else has changed the same, and stores nothing that was not chosen', async () => {
    const { server } = await list()
    const theirs = {
      ...server.rows[1]!,
      studentNo: 'S500',
      version: 9,
      updateUser: '2',
      updateUserName: '张老师',
      updateTime: '2026-10-01 10:41:00',
    }
    const clash = async (theirs: object) => {
      server.failure = new HttpProblem('该数据已被他人修改', 409, 409, { yours: {}, theirs })
      fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
      press('Enter')
      return screen.findByRole('alert')
    }
    const note = await clash(theirs)
    expect(note.textContent).toContain('张老师 10-01 10:41 改过这一项')
    expect([...note.querySelectorAll('li')].map((line) => line.textContent)).toEqual(['我的：S777', '现在：S500'])
    fireEvent.click(within(note).getByRole('button', { name: '用现在的' }))
    await waitFor(() => expect(editor()).toBeNull())
    expect(server.submitted).toHaveLength(1)
    await waitFor(() => expect(cell('1001', '校内学号').textContent).toBe('S500'))
    const later = { ...theirs, studentNo: 'S600', version: 10 }
    server.rows = server.rows.map((row) => (row.id === '1001' ? later : row))
    fireEvent.click(within(await clash(later)).getByRole('button', { name: '保留我的' }))
    await waitFor(() => expect(server.submitted.at(-1)).toEqual({ id: '1001', version: 10, studentNo: 'S777' }))
    await waitFor(() => expect(server.rows[1]!.studentNo).toBe('S777'))
  })

  it('R-LIST-5 goes on showing what is stored where the question between two values is left unanswered', async () => {
    const { server } = await list()
    const theirs = { ...server.rows[1]!, studentNo: 'S500', version: 9 }
    server.failure = new HttpProblem('该数据已被他人修改', 409, 409, { yours: {}, theirs })
    fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
    press('Enter')
    await screen.findByRole('alert')
    press('Escape')
    await waitFor(() => expect(editor()).toBeNull())
    expect(cell('1001', '校内学号').textContent).toBe('S500')
    expect(server.submitted).toHaveLength(1)
  })

  it('R-LIST-5 says so where somebody else has deleted the row, tells what was typed, and lists it no more', async () => {
    const { server } = await list()
    fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
    server.rows = server.rows.filter((row) => row.id !== '1001')
    server.failure = new HttpProblem('没有找到该数据', 404, 404, null)
    press('Enter')
    await waitFor(() => expect(toasts.get()).toHaveLength(1))
    expect(toasts.get()[0]).toMatchObject({
      text: '王小二 此前已被删除，或不再归您管理',
      detail: '没有保存校内学号：S777',
    })
    expect(toasts.get()[0]!.action).toBeUndefined()
    await waitFor(() => expect(document.querySelector('tr[data-key="1001"]')).toBeNull())
  })

  it('stays what it was typed to be where somebody else has changed another field only', async () => {
    const { server } = await list()
    const theirs = { ...server.rows[1]!, birthDate: '2017-01-01', version: 9 }
    server.failure = new HttpProblem('该数据已被他人修改', 409, 409, { yours: {}, theirs })
    fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
    press('Enter')
    await waitFor(() => expect(server.submitted).toHaveLength(2))
    expect(server.submitted[1]).toEqual({ id: '1001', version: 9, studentNo: 'S777' })
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('rolls back where the server is away, and can be tried again from the toast', async () => {
    const { server } = await list()
    server.failure = new HttpProblem('网络已断开', 0, 0, undefined)
    fireEvent.change(await open('1001', '校内学号'), { target: { value: 'S777' } })
    press('Enter')
    await waitFor(() => expect(toastTexts()).toEqual(['网络已断开']))
    expect(cell('1001', '校内学号').textContent).toBe('S101')
    expect(document.querySelector('tr[data-key="1001"]')!.className).toContain('dt-failed')
    await act(async () => toasts.get()[0]!.action!.run())
    await waitFor(() => expect(server.submitted).toHaveLength(2))
    await waitFor(() => expect(cell('1001', '校内学号').textContent).toBe('S777'))
  })

  it('takes a day as it is typed, without a calendar', async () => {
    const { server } = await list()
    const field = await open('1001', '出生日期')
    fireEvent.change(field, { target: { value: '2017-02-30' } })
    press('Enter')
    expect((await screen.findByRole('alert')).textContent).toBe('没有“2017-02-30”这一天')
    fireEvent.change(field, { target: { value: '20170906' } })
    press('Enter')
    await waitFor(() => expect(server.submitted).toEqual([{ id: '1001', version: 3, birthDate: '2017-09-06' }]))
  })

  it('chooses from a dictionary, and the list shows its word at once', async () => {
    const { server } = await list()
    await open('1001', '性别')
    fireEvent.click(await screen.findByText('女', { selector: '.ant-select-item-option-content' }))
    await waitFor(() => expect(cell('1001', '性别').textContent).toBe('女'))
    expect(server.submitted).toEqual([{ id: '1001', version: 3, sex: '2' }])
  })
})

describe('what is no such cell', () => {
  it('a press on it opens the record: what the server works out, and a list that one may not change', async () => {
    await list(undefined, ['createTime'])
    fireEvent.doubleClick(cell('1001', '创建时间'))
    expect(query().get('id')).toBe('1001')
    await list(['student_view'])
    fireEvent.doubleClick(cell('1001', '校内学号'))
    expect([query().get('id'), editor()]).toEqual(['1001', null])
  })
})

describe('cells by keys', () => {
  it('→ walks over what can be changed, ↓ keeps the column, Enter and F2 open it', async () => {
    await list()
    press('j')
    press('ArrowRight')
    expect(document.activeElement).toBe(cell('1000', '校内学号'))
    press('ArrowDown')
    expect(document.activeElement).toBe(cell('1001', '校内学号'))
    press('Enter')
    expect((await input()).value).toBe('S101')
    press('Escape')
    await waitFor(() => expect(document.activeElement).toBe(cell('1001', '校内学号')))
    press('F2')
    expect((await input()).value).toBe('S101')
    // Letters belong to what one types, and not to the list.
    press('n')
    expect(query().has('edit')).toBe(false)
  })
})
