import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import EntityPage from '../src/entity/list/page.tsx'
import { HttpProblem } from '../src/http/client.ts'
import { toasts } from '../src/ui/toast.ts'
import { undoLast } from '../src/ui/undo.ts'
import { begin, FakeServer, show, toastTexts } from './entity-world.tsx'

const bar = () => screen.queryByRole('toolbar', { name: '批量操作' })
const said = () => document.querySelector('.bulk-place [role=status]')?.textContent
const offer = () => screen.queryByRole('button', { name: /^选择全部/ })
/** Pages of two hundred that were asked for. */
const pagesOf = (server: FakeServer) =>
  server.asked.map((text) => (text.startsWith('{') ? JSON.parse(text) : {})).filter(({ size }) => size === 200)

async function list(count: number, path?: string) {
  if (path) await begin(undefined, path)
  const server = new FakeServer(count)
  show(server, <EntityPage entity="student" />)
  await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]').length).toBe(10))
  return server
}
const tickPage = () => fireEvent.click(screen.getByRole('checkbox', { name: '选择本页' }))
const pressEscape = () => fireEvent.keyDown(document.body, { key: 'Escape', code: 'Escape' })
async function selectAll(count: string) {
  tickPage()
  fireEvent.click(screen.getByRole('button', { name: `选择全部 ${count} 名` }))
  await waitFor(() => expect(said()).toBe(`已选 ${count.replace(',', '')} 名`))
}
async function remove() {
  fireEvent.click(within(bar()!).getByRole('button', { name: '删除' }))
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: '删除' }))
  return question
}

beforeEach(() => begin())

describe('R-LIST-1 all rows of a list', () => {
  it('are offered once the whole page is ticked, and told how many they are', async () => {
    const server = await list(450, '/blade/student?gradeId=11&keyword=%E7%8E%8B&current=2')
    fireEvent.click(document.querySelector('tbody [data-tick]')!)
    expect(offer()).toBeNull()
    tickPage()
    expect(offer()?.textContent).toBe('选择全部 450 名')
    fireEvent.click(offer()!)
    expect(bar()!.contains(document.activeElement)).toBe(true)
    await waitFor(() => expect(said()).toBe('已选 450 名'))
    expect(within(bar()!).getByText('已选 450 名（其中 440 名不在本页）')).toBeTruthy()
    expect(offer()).toBeNull()
    const wanted = { size: 200, gradeId: '11', keyword: '王' }
    expect(pagesOf(server)).toEqual([1, 2, 3].map((current) => ({ ...wanted, current })))
    pressEscape()
    await waitFor(() => expect(bar()).toBeNull())
  })

  it('are not offered where the page is all there is', async () => {
    await list(10)
    tickPage()
    expect(offer()).toBeNull()
  })

  it('are at most 5,000: of more, a filter is asked for', async () => {
    await list(5001)
    tickPage()
    expect(offer()).toBeNull()
    expect(within(bar()!).getByText('共 5,001 名，一次最多选择 5,000 名，请先筛选')).toBeTruthy()
  })

  it('are not ticked any more when Esc is pressed while they are read', async () => {
    const server = await list(450)
    let answer = () => {}
    const works = server.list.bind(server)
    server.list = async (entity, query) => {
      if (Number((query as Record<string, unknown>).current) === 2)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
      return works(entity, query)
    }
    tickPage()
    fireEvent.click(offer()!)
    await within(bar()!).findByText('正在选择 200 / 450…')
    expect(within(bar()!).getByRole('button', { name: '删除' })).toHaveProperty('disabled', true)
    pressEscape()
    await act(async () => answer())
    await waitFor(() => expect(bar()).toBeNull())
    expect(said()).toBe('')
  })

  it('are deleted two hundred at a time after one question that says how many, and come back by one undo', async () => {
    const server = await list(450)
    await selectAll('450')
    const question = await remove()
    expect(question.textContent).toContain('等 450 名')
    await waitFor(() => expect(toastTexts()).toEqual(['删除成功']))
    expect(server.removed.map((ids) => ids.length)).toEqual([200, 200, 50])
    expect(new Set(server.removed.flat()).size).toBe(450)
    expect(toasts.get()[0]!.detail).toBe('450 名')
    undoLast()
    await waitFor(() => expect(toastTexts()).toEqual(['已撤销']))
    expect(server.undone).toEqual([
      ['7009', false],
      ['7008', false],
      ['7007', false],
    ])
  })

  it('that could not be deleted stay ticked, and what was deleted before is told and can come back', async () => {
    const server = await list(450)
    await selectAll('450')
    const works = server.remove.bind(server)
    server.remove = async (entity, ids) => {
      if (server.removed.length === 1) throw new HttpProblem('仍被引用，不能删除', 400, 400, { blockers: [] })
      return works(entity, ids)
    }
    await remove()
    await waitFor(() => expect(toastTexts()).toEqual(['仍被引用，不能删除', '已删除 200 名，共选择 450 名']))
    expect((await screen.findByRole('alert')).textContent).toContain('仍被引用，不能删除')
    await waitFor(() => expect(said()).toBe('已选 250 名'))
    undoLast()
    await waitFor(() => expect(server.undone).toEqual([['7007', false]]))
  })

  it('that somebody else has deleted meanwhile are told by name, keep no other row from going, and lose their ticks', async () => {
    const server = await list(450)
    await selectAll('450')
    const works = server.remove.bind(server)
    const missing = server.rows[3]!
    server.remove = async (entity, ids) => {
      if (ids.includes(missing.id)) throw new HttpProblem('没有找到该数据', 404, 404, { gone: [missing.id] })
      return works(entity, ids)
    }
    await remove()
    await waitFor(() => expect(toastTexts()).toEqual(['删除成功']))
    expect(toasts.get()[0]!.detail).toMatch(new RegExp(`^449 名；${missing.name}.* 此前已被删除，或不再归您管理$`))
    expect(server.removed.map((ids) => ids.length)).toEqual([199, 200, 50])
    await waitFor(() => expect(bar()).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('are changed two hundred at a time, looked at before, and go back by one undo', async () => {
    const server = await list(250)
    await selectAll('250')
    fireEvent.click(screen.getByRole('button', { name: '批量修改' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.mouseDown(await within(dialog).findByRole('combobox', { name: '修改的字段' }))
    fireEvent.click(await screen.findByText('性别', { selector: '.ant-select-item-option-content' }))
    fireEvent.mouseDown(await within(dialog).findByRole('combobox', { name: '性别' }))
    fireEvent.click(await screen.findByText('女', { selector: '.ant-select-item-option-content' }))
    fireEvent.click(within(dialog).getByRole('button', { name: '预览' }))
    fireEvent.click(await within(dialog).findByRole('button', { name: '修改 250 名' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.bulked.map(({ work, preview }) => [work.ids.length, preview])).toEqual([
      [200, true],
      [50, true],
      [200, false],
      [50, false],
    ])
    // Each call brings the versions of its own rows.
    expect(server.bulked.map(({ work }) => Object.keys(work.versions).length)).toEqual([200, 50, 200, 50])
    expect(toasts.get().map(({ text, detail }) => [text, detail])).toEqual([['更新成功', '已修改 250 名']])
    expect(server.rows.every((row) => row.sex === '2')).toBe(true)
    undoLast()
    await waitFor(() => expect(server.undone).toHaveLength(2))
  })
})
