import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import EntityPage from '../src/entity/list/page.tsx'
import { HttpProblem } from '../src/http/client.ts'
import { keepSession, sessionStore } from '../src/session/session.ts'
import { go } from '../src/ui/place.ts'
import { setLanguage } from '../src/ui/words.ts'
import { begin, clerk, FakeServer, listMenu, rowMenu, show, toastTexts } from './entity-world.tsx'

const query = () => new URLSearchParams(window.location.search)
const press = (key: string, extra: Partial<KeyboardEventInit> = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, {
    key,
    code: key.length === 1 ? `Key${key.toUpperCase()}` : key,
    ...extra,
  })

async function list(count = 25, path?: string) {
  if (path) await begin(clerk, path)
  const server = new FakeServer(count)
  const view = show(server, <EntityPage entity="student" />)
  await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]').length).toBeGreaterThan(0))
  return { server, ...view }
}
const lastAsked = (server: FakeServer) => JSON.parse(server.asked.filter((text) => text.startsWith('{')).at(-1)!)

beforeEach(() => begin())

describe('EntityPage', () => {
  it('R-LIST-1 lists ten rows of all, with words for keys and ids', async () => {
    const { server } = await list()
    expect(lastAsked(server)).toEqual({ current: 1, size: 10 })
    expect(document.querySelectorAll('tbody tr[data-key]')).toHaveLength(10)
    expect(document.querySelector('.entity-count')?.textContent).toBe('共 25 名')
    const row = screen.getByText('S100').closest('tr')!
    await waitFor(() => expect(within(row).getByText('男')).toBeTruthy())
    expect(within(row).getByText('一年级（1）班')).toBeTruthy()
    expect(within(row).getByText('在读')).toBeTruthy()
  })

  it('shows every word in English when the language turns, without asking again for rows', async () => {
    const { server } = await list()
    const before = server.asked.length
    await act(() => setLanguage('en'))
    expect(await screen.findByText('Male', { exact: true, selector: 'tr[data-key="1000"] td' })).toBeTruthy()
    expect(document.querySelector('.entity-count')?.textContent).toBe('25 in all')
    expect(screen.getByRole('button', { name: 'Add student' })).toBeTruthy()
    expect(server.asked.length).toBe(before)
  })

  it('R-LIST-1 page and size are in the address, and a page past the end leads to the last one', async () => {
    const { server } = await list(25, '/blade/student?current=2&size=10&other=kept')
    expect(lastAsked(server)).toEqual({ current: 2, size: 10 })
    fireEvent.click(screen.getByRole('button', { name: '第 3 页' }))
    await waitFor(() => expect(lastAsked(server).current).toBe(3))
    expect(query().get('current')).toBe('3')
    expect(query().get('other')).toBe('kept')
    await list(25, '/blade/student?current=9')
    await waitFor(() => expect(query().get('current')).toBe('3'))
  })

  it('R-LIST-1 a page size that was chosen holds for every list whose address names none, and for nobody else', async () => {
    const first = await list(45)
    fireEvent.change(screen.getByLabelText('每页显示'), { target: { value: '30' } })
    await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]').length).toBe(30))
    first.unmount()
    go('/blade/student', { replace: true })
    const next = await list(45)
    expect(lastAsked(next.server)).toEqual({ current: 1, size: 30 })
    // Whoever is sent the address of a later page sees the same rows.
    fireEvent.click(screen.getByRole('button', { name: '第 2 页' }))
    await waitFor(() => expect(query().get('size')).toBe('30'))
    next.unmount()
    go('/blade/student?size=10', { replace: true })
    const named = await list(45)
    expect(lastAsked(named.server)).toEqual({ current: 1, size: 10 })
    named.unmount()
    keepSession({ ...sessionStore.get()!, userId: 'another' })
    go('/blade/student', { replace: true })
    const other = await list(45)
    expect(lastAsked(other.server)).toEqual({ current: 1, size: 10 })
  })

  it('R-LIST-2 sends the creation time range and every other filter of the address, and nothing unknown', async () => {
    const { server } = await list(
      5,
      '/blade/student?createTime_dategt=2026-01-01%2000:00:00&createTime_datelt=2026-12-31%2023:59:59&gradeId=11&foo=1&id=1000',
    )
    expect(lastAsked(server)).toEqual({
      current: 1,
      size: 10,
      createTime_dategt: '2026-01-01 00:00:00',
      createTime_datelt: '2026-12-31 23:59:59',
      gradeId: '11',
    })
    const chips = within(screen.getByRole('list', { name: '当前筛选' }))
    expect(chips.getByRole('button', { name: '创建时间：2026-01-01 – 2026-12-31' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '清空' }))
    await waitFor(() => expect(lastAsked(server)).toEqual({ current: 1, size: 10 }))
    expect(query().get('foo')).toBe('1')
  })

  it('searches while one types, but never in the middle of a composition', async () => {
    const { server } = await list()
    const input = screen.getByRole('textbox', { name: /搜索/ })
    fireEvent.compositionStart(input)
    fireEvent.change(input, { target: { value: 'wang' } })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(query().has('keyword')).toBe(false)
    fireEvent.change(input, { target: { value: '小三' } })
    fireEvent.compositionEnd(input)
    await waitFor(() => expect(lastAsked(server).keyword).toBe('小三'))
    expect(query().get('keyword')).toBe('小三')
    // One Latin letter finds nearly everybody: not worth asking, unless Enter says so.
    fireEvent.change(input, { target: { value: 'w' } })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(query().get('keyword')).toBe('小三')
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(query().get('keyword')).toBe('w')
  })

  it('orders by a head that can be ordered: up, down, and as before', async () => {
    const { server } = await list()
    const head = () => screen.getByRole('button', { name: '姓名' })
    fireEvent.click(head())
    await waitFor(() => expect(lastAsked(server).ascs).toBe('name'))
    fireEvent.click(head())
    await waitFor(() => expect(lastAsked(server).descs).toBe('name'))
    fireEvent.click(head())
    await waitFor(() => expect(query().has('descs') || query().has('ascs')).toBe(false))
    expect(screen.queryByRole('button', { name: '班级' })).toBeNull()
  })

  it('R-LIST-3 asks 确定将选择数据删除? and names the rows; R-LIST-4 says 删除成功', async () => {
    const { server } = await list()
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 王小二' }))
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 王小三' }))
    fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: '删除' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(within(dialog).getByText('确定将选择数据删除?')).toBeTruthy()
    expect(dialog.textContent).toContain('王小二（一年级（1）班，S101）、王小三（一年级（1）班，S102）')
    expect(server.removed).toEqual([])
    fireEvent.click(within(dialog).getByRole('button', { name: '删除' }))
    await waitFor(() => expect(server.removed).toEqual([['1001', '1002']]))
    await waitFor(() => expect(toastTexts()).toEqual(['删除成功']))
    await waitFor(() => expect(screen.queryByText('王小二', { selector: 'tr[data-key="1001"] *' })).toBeNull())
    expect(screen.queryByRole('toolbar')).toBeNull()
  })

  it('R-LIST-3 with nothing selected warns 请选择至少一条数据 and asks nothing', async () => {
    const { server } = await list()
    await listMenu('删除')
    await waitFor(() => expect(toastTexts()).toEqual(['请选择至少一条数据']))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(server.removed).toEqual([])
  })

  it('a delete that is thought better of changes nothing', async () => {
    const { server } = await list()
    await rowMenu('王小一', '删除')
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(server.removed).toEqual([])
  })

  it('a blocked delete says what stands in the way', async () => {
    const { server } = await list()
    const blockers = [{ entity: 'studentresume', label: '学生简历', count: 7, sample: ['实验小学', '第二小学'] }]
    server.failure = new HttpProblem('该学生下还有7条简历，不能删除', 400, 400, { blockers })
    await rowMenu('王小一', '删除')
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }))
    const banner = await screen.findByRole('alert')
    expect(banner.textContent).toContain('该学生下还有7条简历，不能删除')
    expect(banner.textContent).toContain('学生简历 7 条：实验小学、第二小学')
    expect(toastTexts()).toEqual(['该学生下还有7条简历，不能删除'])
    expect(server.rows).toHaveLength(25)
  })

  it('R-LIST-5 shows no button whose code the user does not hold', async () => {
    await begin(['student_view'])
    await list()
    for (const name of ['新增学生', '编辑 王小一', '王小一的更多操作'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /^更多：/ }))
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['打印'])
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    expect(screen.getByRole('link', { name: '王小一' })).toBeTruthy()
    press('n')
    press('Delete')
    expect(query().has('edit')).toBe(false)
    expect(toastTexts()).toEqual([])
  })

  it('R-LIST-5 without the code to view asks nothing at all', async () => {
    await begin([])
    const server = new FakeServer(5)
    show(server, <EntityPage entity="student" />)
    expect(screen.getByText('您没有此页面的权限')).toBeTruthy()
    expect(server.asked.filter((text) => text.startsWith('{'))).toEqual([])
  })

  it('an empty list says whether filters or the beginning made it so', async () => {
    show(new FakeServer(0), <EntityPage entity="student" />)
    expect(await screen.findByText('还没有学生')).toBeTruthy()
    await begin(clerk, '/blade/student?keyword=nobody')
    show(new FakeServer(3), <EntityPage entity="student" />)
    expect(await screen.findByText('没有符合条件的学生')).toBeTruthy()
  })

  it('a list that fails says what the server said, and can be tried again', async () => {
    const server = new FakeServer(3)
    const works = server.list.bind(server)
    server.list = () => Promise.reject(new HttpProblem('服务暂时不可用', 503, 503, null))
    show(server, <EntityPage entity="student" />)
    expect((await screen.findByRole('alert')).textContent).toContain('服务暂时不可用')
    server.list = works
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]')).toHaveLength(3))
  })
})

describe('keyboard of a list', () => {
  it('walks, ticks, opens and leaves without a mouse', async () => {
    await list()
    press('j')
    press('j')
    expect(document.activeElement?.textContent).toBe('王小二')
    press('x')
    expect((screen.getByRole('checkbox', { name: '选择 王小二' }) as HTMLInputElement).checked).toBe(true)
    press('ArrowDown', { shiftKey: true })
    expect(screen.getByRole('toolbar').textContent).toContain('已选 2 名')
    press('k')
    expect(document.activeElement?.textContent).toBe('王小二')
    press('e')
    expect(query().get('edit')).toBe('1001')
    // The form is on its way: keys that would do something with the list do nothing, and Escape calls it off.
    press('Delete')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    press('Escape')
    expect(query().get('edit')).toBeNull()
  })

  it('turns pages, selects the page, clears', async () => {
    const { server } = await list()
    press('PageDown')
    await waitFor(() => expect(lastAsked(server).current).toBe(2))
    press('PageUp')
    await waitFor(() => expect(query().get('current')).toBeNull())
    press('a', { ctrlKey: true })
    expect(screen.getByRole('toolbar').textContent).toContain('已选 10 名')
    press('Escape')
    expect(screen.queryByRole('toolbar')).toBeNull()
  })

  it('belongs to the input while one types or composes', async () => {
    await list()
    const input = screen.getByRole('textbox', { name: /搜索/ })
    press('/', { code: 'Slash' })
    expect(document.activeElement).toBe(input)
    press('n')
    press('j')
    expect(query().has('edit')).toBe(false)
    expect(document.activeElement).toBe(input)
    // A composition is taken back by it; only then does it lead out, and what was ticked or typed stays.
    fireEvent.change(input, { target: { value: '王' } })
    fireEvent.keyDown(input, { key: 'Escape', code: 'Escape', keyCode: 229 })
    expect(document.activeElement).toBe(input)
    press('Escape')
    expect(document.activeElement).toBe(document.body)
    await waitFor(() => expect(query().get('keyword')).toBe('王'))
    fireEvent.keyDown(document.body, { key: 'Process', code: 'KeyN', keyCode: 229 })
    expect(query().has('edit')).toBe(false)
  })
})

describe('record beside the list', () => {
  it('opens from the address, steps through the list and shows whole numbers only when asked', async () => {
    await list(25, '/blade/student?id=1001')
    const record = await screen.findByRole('complementary')
    expect(within(record).getByRole('heading', { level: 2 }).textContent).toContain('王小二')
    expect(within(record).getByText('*********00')).toBeTruthy()
    fireEvent.click(within(record).getByRole('button', { name: '显示联系电话' }))
    expect(await within(record).findByText('13800138000')).toBeTruthy()
    fireEvent.click(within(record).getByRole('button', { name: '下一条' }))
    await waitFor(() => expect(query().get('id')).toBe('1002'))
    fireEvent.click(within(record).getByRole('button', { name: '关闭' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    expect(query().has('id')).toBe(false)
  })

  it('offers no whole number without the permission for it', async () => {
    await begin(['student_view'], '/blade/student?id=1001')
    await list()
    const record = await screen.findByRole('complementary')
    expect(await within(record).findByText('*********00')).toBeTruthy()
    expect(within(record).queryByRole('button', { name: '显示联系电话' })).toBeNull()
  })

  it('tells its history in words', async () => {
    await begin(clerk, '/blade/student?id=1001&tab=history')
    const server = new FakeServer(5)
    server.entries = [
      {
        id: '1',
        action: 'edit',
        userName: '张老师',
        time: '2026-10-01 10:41:00',
        requestId: 'r',
        version: 2,
        changes: [
          { field: 'sex', before: '1', after: '2' },
          { field: 'classId', before: '21', after: '22', beforeName: '一年级（1）班', afterName: '一年级（2）班' },
        ],
      },
    ]
    show(server, <EntityPage entity="student" />)
    const record = await screen.findByRole('complementary')
    const rows = await within(record).findAllByRole('row')
    await waitFor(() =>
      expect(rows.map((row) => row.textContent)).toEqual([
        '字段原来改为',
        '性别男女',
        '班级一年级（1）班一年级（2）班',
      ]),
    )
    expect(record.textContent).toContain('张老师')
  })
})
