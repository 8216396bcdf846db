import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import EntityPage from '../src/entity/list/page.tsx'
import { HttpProblem } from '../src/http/client.ts'
import { go, place, startPlaces } from '../src/ui/place.ts'
import { toasts } from '../src/ui/toast.ts'
import { setLanguage } from '../src/ui/words.ts'
import { begin, clerk, FakeServer, show, toastTexts } from './entity-world.tsx'
import { FakeViews, viewOf, withViews } from './view-world.tsx'

const query = () => Object.fromEntries(place().query)
const strip = () => within(screen.getByRole('navigation', { name: '视图' }))
const current = () => document.querySelector('[data-views] [aria-current]')?.textContent

async function list(views = new FakeViews(), path?: string) {
  if (path) await begin(undefined, path)
  const server = new FakeServer(12)
  const view = show(server, withViews(views, <EntityPage entity="student" />))
  await screen.findByRole('navigation', { name: '视图' })
  await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]').length).toBeGreaterThan(0))
  return { server, views, ...view }
}
const lastAsked = (server: FakeServer) => JSON.parse(server.asked.filter((text) => text.startsWith('{')).at(-1)!)
const menu = async (name: string, entry: string) => {
  fireEvent.click(strip().getByRole('button', { name: `${name}的更多操作` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

// What comes when it is wanted is here before the clock runs.
beforeAll(() => Promise.all([import('../src/entity/views/strip.tsx'), import('../src/entity/views/dialog.tsx')]))
beforeEach(() => begin())

describe('ruling 28 views of a list', () => {
  it('begin with the whole list and the page’s own views, and put their filters into the address', async () => {
    const { server } = await list()
    expect(current()).toBe('全部')
    fireEvent.click(strip().getByRole('button', { name: '未分班' }))
    await waitFor(() => expect(lastAsked(server)).toMatchObject({ status: '1', classId_null: '1' }))
    expect(query()).toEqual({ status: '1', classId_null: '1', view: 'classless' })
    expect(current()).toBe('未分班')
    expect(screen.getByRole('button', { name: '班级：未填写' })).toBeTruthy()
    fireEvent.click(strip().getByRole('button', { name: '全部' }))
    expect(query()).toEqual({})
    await act(() => setLanguage('en'))
    expect(screen.getByRole('button', { name: 'Without a class' })).toBeTruthy()
  })

  it('say how many rows they have where that is what one wants to know, asked for once and after the list', async () => {
    await begin([...clerk, 'studentparents_view'])
    const { server } = await list()
    const button = await strip().findByRole('button', { name: '缺少家长信息 12' })
    const asked = () => server.asked.filter((text) => text.includes('guardians_null'))
    expect(asked()).toEqual([JSON.stringify({ status: '1', guardians_null: '1', current: 1, size: 1 })])
    expect(server.asked.findIndex((text) => text.includes('guardians_null'))).toBeGreaterThan(0)
    fireEvent.click(button)
    await waitFor(() => expect(query()).toEqual({ status: '1', guardians_null: '1', view: 'guardianless' }))
    expect(screen.getByRole('button', { name: '家长信息：无' })).toBeTruthy()
    expect(asked().filter((text) => text.includes('"size":1,') || text.endsWith('"size":1}'))).toHaveLength(1)
  })

  it('that look at other data are there for those alone who may see it', async () => {
    await list()
    expect(strip().queryByRole('button', { name: /缺少家长信息/ })).toBeNull()
  })

  it('are made of what is listed now, and listed again by one press', async () => {
    const { views } = await list(undefined, '/blade/student?gradeId=11&status=1&descs=name&other=kept')
    fireEvent.click(strip().getByRole('button', { name: '存为视图' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.change(await within(dialog).findByLabelText('视图名称'), { target: { value: ' 一年级在读 ' } })
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(views.drafts).toHaveLength(1))
    expect(views.drafts[0]).toMatchObject({
      page: 'student',
      name: '一年级在读',
      roleId: null,
      content: { filters: { gradeId: '11', status: '1' }, sort: { key: 'name', descending: true } },
    })
    await waitFor(() => expect(current()).toBe('一年级在读'))
    expect(query()).toEqual({ gradeId: '11', status: '1', descs: 'name', other: 'kept', view: '71' })
    expect(toastTexts()).toEqual(['视图已保存'])
    fireEvent.click(strip().getByRole('button', { name: '全部' }))
    expect(query()).toEqual({ other: 'kept' })
    fireEvent.click(strip().getByRole('button', { name: '一年级在读' }))
    expect(query()).toEqual({ gradeId: '11', status: '1', descs: 'name', other: 'kept', view: '71' })
  })

  it('show by a dot that the list differs, and are updated, or shown again as they are by their name', async () => {
    const views = new FakeViews({ views: [viewOf({})] })
    await list(views, '/blade/student?gradeId=11&status=1&view=71')
    expect(screen.queryByText('与视图不同')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '取消筛选：年级' }))
    expect(await screen.findByText('与视图不同')).toBeTruthy()
    fireEvent.click(strip().getByText('一年级在读'))
    expect(query()).toEqual({ gradeId: '11', status: '1', view: '71' })
    expect(screen.queryByText('与视图不同')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '取消筛选：年级' }))
    fireEvent.click(await screen.findByRole('button', { name: '更新视图' }))
    await waitFor(() =>
      expect(views.drafts[0]).toMatchObject({ id: '71', version: 1, content: { filters: { status: '1' } } }),
    )
    await waitFor(() => expect(screen.queryByText('与视图不同')).toBeNull())
  })

  it('of somebody else are used and not changed', async () => {
    const views = new FakeViews({
      views: [viewOf({ mine: false, ownerName: '王主任', roleId: '9', roleName: '年级组' })],
    })
    await list(views, '/blade/student?gradeId=11&status=1&view=71')
    expect(strip().getByRole('button', { name: '一年级在读，王主任共享' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '取消筛选：年级' }))
    expect(await screen.findByRole('button', { name: '另存为' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '更新视图' })).toBeNull()
    fireEvent.click(strip().getByRole('button', { name: '一年级在读的更多操作' }))
    const entries = (await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)
    expect(entries).toEqual(['设为我的默认视图', '复制链接'])
  })

  it('are shared only where the server says with whom, and say what the server refused', async () => {
    const views = new FakeViews({ views: [viewOf({})], roles: [{ id: '9', name: '年级组' }] })
    await list(views, '/blade/student?gradeId=11&status=1&view=71')
    await menu('一年级在读', '改名与共享')
    const dialog = await screen.findByRole('dialog')
    fireEvent.change(within(dialog).getByLabelText('共享给'), { target: { value: '9' } })
    views.failure = new HttpProblem('视图名称已存在', 409, 409, null)
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe('视图名称已存在')
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(views.now.views[0]).toMatchObject({
        id: '71',
        roleId: '9',
        content: { filters: { gradeId: '11', status: '1' } },
      }),
    )
  })

  it('are deleted at once, and come back by 撤销', async () => {
    const views = new FakeViews({ views: [viewOf({})], first: '71' })
    await list(views, '/blade/student?gradeId=11&status=1&view=71')
    await menu('一年级在读', '删除视图')
    await waitFor(() => expect(views.now.views).toEqual([]))
    await waitFor(() => expect(current()).toBe('全部'))
    // The menu has gone with its view: keys go on from what is shown.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('全部'))
    const undo = toasts.get().at(-1)!.action!
    expect(undo.label).toBe('撤销')
    act(() => undo.run())
    await waitFor(() => expect(current()).toContain('一年级在读'))
    expect(views.now.views[0]).toMatchObject({
      name: '一年级在读',
      content: { filters: { gradeId: '11', status: '1' } },
    })
    await waitFor(() => expect(views.now.first).toBe(views.now.views[0]!.id))
  })

  it('open a page when one of them is the person’s own beginning, and never a link', async () => {
    const views = new FakeViews({ views: [viewOf({})] })
    const { unmount } = await list(views, '/blade/student?gradeId=11&status=1&view=71')
    await menu('一年级在读', '设为我的默认视图')
    await waitFor(() => expect(views.now.first).toBe('71'))
    unmount()
    // At once, before the server has said anything: the browser remembers what it says.
    go('/blade/student', { replace: true })
    const again = await list(views)
    expect(query()).toEqual({ gradeId: '11', status: '1', view: '71' })
    expect(again.server.asked.filter((text) => text.startsWith('{'))).toHaveLength(1)
    again.unmount()
    go('/blade/student?gradeId=12', { replace: true })
    const link = await list(new FakeViews({ first: '71', views: [viewOf({})] }), '/blade/student?gradeId=11')
    expect(query()).toEqual({ gradeId: '11' })
    fireEvent.click(strip().getByRole('button', { name: '全部' }))
    expect(query()).toEqual({ view: 'all' })
    link.unmount()
    await begin(undefined, '/blade/student')
    await list(new FakeViews({ first: 'enrolled' }))
    await waitFor(() => expect(query()).toEqual({ status: '1', view: 'enrolled' }))
  })

  it('ruling 18 hold nobody’s number, and tell of fields that are gone', async () => {
    const views = new FakeViews({ views: [viewOf({ dropped: ['shoeSize'] })] })
    await list(views, '/blade/student?phone=13800138000&status=1&view=71')
    await waitFor(() => expect(toastTexts()).toContain('这个视图里有已不存在的字段，已忽略：shoeSize'))
    fireEvent.click(await screen.findByRole('button', { name: '更新视图' }))
    await waitFor(() => expect(views.drafts[0]?.content.filters).toEqual({ status: '1' }))
    expect(toastTexts()).toContain('按证件号或电话的筛选不会存入视图')
  })

  it('that cannot be had leave the list as it is', async () => {
    const views = new FakeViews()
    views.list = () => Promise.reject(new HttpProblem('不可用', 503, 503, null))
    await list(views, '/blade/student?view=99&gradeId=11')
    expect(current()).toBe('全部')
    expect(toastTexts()).toEqual([])
  })
})

describe('the address of a list', () => {
  const back = () =>
    new Promise<void>((resolve) => {
      window.addEventListener('popstate', () => resolve(), { once: true })
      window.history.back()
    })

  it('Back closes the record, and never takes back a filter that was set beside it', async () => {
    startPlaces({})
    const { server } = await list(undefined, '/blade/student?gradeId=11')
    const before = window.history.length
    fireEvent.click(screen.getByRole('link', { name: '王小一' }))
    expect(query()).toEqual({ gradeId: '11', id: '1000' })
    fireEvent.click(screen.getByRole('button', { name: '取消筛选：年级' }))
    expect(query()).toEqual({ id: '1000' })
    await act(back)
    expect(query()).toEqual({})
    expect(window.history.length).toBe(before + 1)
    expect(lastAsked(server)).toEqual({ current: 1, size: 10 })
    await act(async () => {
      const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
      window.history.forward()
      await arrived
    })
    expect(query()).toEqual({ id: '1000' })
  })

  it('holds one entry for a record that is closed and another that is opened', async () => {
    startPlaces({})
    await list(undefined, '/blade/student')
    fireEvent.click(screen.getByRole('link', { name: '王小一' }))
    const length = window.history.length
    fireEvent.click(await screen.findByRole('button', { name: '关闭' }))
    expect(query()).toEqual({})
    fireEvent.click(screen.getByRole('link', { name: '王小二' }))
    expect(query()).toEqual({ id: '1001' })
    expect(window.history.length).toBe(length)
  })

  it('is written to the browser at once, and in bursts a moment later', async () => {
    startPlaces({})
    const { server } = await list()
    const writes: string[] = []
    const replace = window.history.replaceState.bind(window.history)
    window.history.replaceState = (state, unused, url) => {
      writes.push(String(url))
      replace(state, unused, url)
    }
    try {
      for (const name of ['姓名', '姓名', '出生日期', '出生日期', '入学年月'])
        fireEvent.click(screen.getByRole('button', { name }))
      expect(query()).toEqual({ ascs: 'enrollDate' })
      await waitFor(() => expect(window.location.search).toBe('?ascs=enrollDate'))
      expect(writes.length).toBeLessThan(4)
      await waitFor(() => expect(lastAsked(server).ascs).toBe('enrollDate'))
    } finally {
      window.history.replaceState = replace
    }
  })
})
