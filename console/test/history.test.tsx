import { student } from '@data-brain/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { History } from '../src/entity/detail/history.tsx'
import EntityPage from '../src/entity/list/page.tsx'
import { HttpProblem } from '../src/http/client.ts'
import HistoryPage from '../src/pages/history/page.tsx'
import ReadLogPage from '../src/pages/readlog/page.tsx'
import { ToastHost } from '../src/ui/toast-host.tsx'
import { translate } from '../src/ui/words.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, clerk, FakeServer, rowMenu, show, toastTexts } from './entity-world.tsx'

/** Issue 4, point 6, as people meet it: a version comes back, a deletion goes back, and everybody can see who did what. */

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const query = () => new URLSearchParams(window.location.search)
const yes = async (name: string) =>
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }))

describe('the history of a record', () => {
  const entry = (id: string, action: 'add' | 'edit', time: string) => ({
    ...{ id, action, userName: '林老师', time, requestId: '1', version: 1 },
    changes: action === 'add' ? [] : [{ field: 'name', before: '甲', after: '乙' }],
  })
  const words = { t: translate, language: 'zh' as const, dictionaries: {}, regions: {} }
  const history = async (codes: readonly string[]): Promise<FakeServer> => {
    await begin(codes)
    const server = new FakeServer(2)
    server.entries = [
      entry('3', 'edit', '2026-11-03 10:00:00'),
      entry('2', 'edit', '2026-11-02 10:00:00'),
      entry('1', 'add', '2026-11-01 10:00:00'),
    ]
    show(server, <History entity={student} id="1001" words={words} />)
    await screen.findAllByText('甲')
    return server
  }

  it('offers to go back to every version but the one that is there, asks first, and then does it', async () => {
    const server = await history(clerk)
    const buttons = screen.getAllByText('恢复到此版本')
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      '恢复到此版本（2026-11-02 10:00:00）',
      '恢复到此版本（2026-11-01 10:00:00）',
    ])
    fireEvent.click(buttons[0]!)
    expect((await screen.findByRole('alertdialog')).textContent).toContain('2026-11-02 10:00')
    await yes('取消')
    expect(server.restored).toEqual([])
    await waitFor(() => expect((buttons[0] as HTMLButtonElement).disabled).toBe(false))
    fireEvent.click(buttons[0]!)
    await yes('恢复到此版本')
    await waitFor(() => expect(server.restored).toEqual([['1001', '2']]))
    await waitFor(() => expect(toastTexts()).toEqual(['已恢复']))
  })

  it('R-PERM-1 tells a grant by name, what was taken and what was given, and offers no way back', async () => {
    await begin(clerk)
    const server = new FakeServer(2)
    server.entries = [
      entry('3', 'edit', '2026-11-03 10:00:00'),
      {
        ...{ id: '2', action: 'grant', userName: '管理员', time: '2026-11-02 10:00:00', requestId: '2', version: 2 },
        changes: [
          {
            ...{ field: 'menuIds', label: '菜单和按钮', before: ['7'], after: ['8', '9'], same: 12 },
            ...{ beforeName: ['查看'], afterName: ['修改', '导出'] },
          },
        ],
      },
    ]
    show(server, <History entity={student} id="1001" words={words} />)
    const line = (await screen.findByText('授权')).closest('li')!
    expect(within(line).getByRole('row', { name: /菜单和按钮/ }).textContent).toBe(
      '菜单和按钮查看 （另 12 项不变）修改、导出 （另 12 项不变）',
    )
    expect(line.textContent).toContain('授权变更不能撤销或恢复')
    expect(within(line).queryByText('恢复到此版本')).toBeNull()
  })

  it('offers nothing to somebody who may not edit', async () => {
    await history(['student_view'])
    expect(screen.queryByText('恢复到此版本')).toBeNull()
  })
})

describe('a deletion', () => {
  const removed = async (): Promise<FakeServer> => {
    await begin()
    const server = new FakeServer(3)
    show(
      server,
      <>
        <EntityPage entity="student" />
        <ToastHost />
      </>,
    )
    await screen.findByText('王小一')
    await rowMenu('王小一', '删除')
    await yes('删除')
    await screen.findByText('删除成功')
    return server
  }

  it('can be taken back for eight seconds, while it is said', async () => {
    const server = await removed()
    server.back = { rows: 2, counts: { student: 1, studentclass: 1 }, names: { student: ['王小一'] } }
    fireEvent.click(screen.getByRole('button', { name: '撤销' }))
    await waitFor(() => expect(server.undone).toEqual([['7007', false]]))
    await screen.findByText('已撤销')
    // R-LIST-1 What went back is named.
    await screen.findByText('1 名：王小一')
    expect(screen.queryByText('删除成功')).toBeNull()
  })

  it('is past after these eight seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await removed()
    await act(() => vi.advanceTimersByTimeAsync(7_000))
    expect(screen.queryByRole('button', { name: '撤销' })).not.toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    expect(screen.queryByRole('button', { name: '撤销' })).toBeNull()
  })

  it('of rows that were changed since is taken back only when that is wanted', async () => {
    const server = await removed()
    const row = { name: '王小一', of: null, how: 'changed', by: '周老师' }
    const touched = { entity: 'student', label: '学生', unit: '名', count: 1, own: true, rows: [row] }
    const told = '该操作之后已有改动，不能撤销：学生 1（王小一）'
    server.failure = new HttpProblem(told, 400, 400, { own: true, blockers: [touched] })
    fireEvent.click(screen.getByRole('button', { name: '撤销' }))
    const question = await screen.findByRole('alertdialog')
    // It can be done all the same: what it costs is said, and not that it is impossible.
    expect(question.textContent).not.toContain('不能撤销')
    expect(question.textContent).toContain('撤销后，以下改动也会一起消失：')
    expect(question.textContent).toContain('学生 1 名王小一：周老师已改动')
    await yes('仍要撤销')
    await waitFor(() =>
      expect(server.undone).toEqual([
        ['7007', false],
        ['7007', true],
      ]),
    )
  })

  it('that cannot be taken back says why', async () => {
    const server = await removed()
    server.failure = new HttpProblem('没有权限：history_undo', 403, 403, null)
    fireEvent.click(screen.getByRole('button', { name: '撤销' }))
    await screen.findByText('没有权限：history_undo')
    expect(server.undone).toHaveLength(1)
  })
})

describe('the page of all changes', () => {
  const changed = (id: string, more: object = {}) => ({
    ...{ id, entity: 'student', entityName: '学生', rowId: '1001', rowName: '王小一', action: 'edit', userId: '2' },
    ...{ userName: '林老师', time: '2026-11-01 10:00:00', requestId: '900', version: 2, imported: 0 },
    ...more,
  })
  const verdict = { sealed: 3000, unsealed: 2, broken: 0, first: null, seals: 3, head: 'ab12', next: null }
  let seen: Seen[]
  let verdicts: object[]
  const sent = (path: string) => seen.filter((call) => call.path === path)
  const open = async (codes: readonly string[], path = '/monitor/history'): Promise<void> => {
    await begin(codes, path)
    verdicts = []
    seen = serve({
      'blade-log/history/list': ({ query: asked }) =>
        good(
          asked.get('before')
            ? { records: [changed('1', { rowName: null, action: 'delete' })], next: null }
            : { records: [changed('3'), changed('2', { action: 'add' })], next: '2' },
        ),
      'blade-log/history/detail': good({
        ...changed('3'),
        changes: [{ field: 'name', before: '旧名', after: '王小一' }],
      }),
      'blade-log/history/undo': good({ rows: 2, requestId: '901' }),
      'blade-log/history/verify': () => good(verdicts.shift() ?? verdict),
      'blade-user/student/restore': good({ id: '1001', version: 4 }),
      'blade-system/dict-biz/dictionaries': good({}),
    })
    show(httpCalls, <HistoryPage />)
  }
  const auditor = ['history_view', 'history_undo', 'history_verify', 'student_view', 'student_edit']

  it('lists them newest first and reads older ones from where it ended', async () => {
    await open(auditor)
    await screen.findAllByText('王小一')
    expect(document.querySelectorAll('tbody tr[data-key]')).toHaveLength(2)
    fireEvent.click(screen.getByRole('button', { name: '更早的记录' }))
    await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]')).toHaveLength(3))
    expect(sent('blade-log/history/list').map((call) => call.query.get('before'))).toEqual([null, '2'])
    expect(screen.getByText('编号 1001')).toBeTruthy()
    expect(screen.getByText('没有更早的记录')).toBeTruthy()
  })

  it('shows those of one request, which the address keeps', async () => {
    await open(auditor)
    await screen.findAllByText('王小一')
    fireEvent.click(document.querySelector('[data-act=same]')!)
    await waitFor(() => expect(query().get('requestId')).toBe('900'))
    await waitFor(() => expect(sent('blade-log/history/list').at(-1)!.query.get('requestId')).toBe('900'))
    fireEvent.click(screen.getByRole('button', { name: '显示全部变更' }))
    await waitFor(() => expect(query().get('requestId')).toBeNull())
  })

  it('shows what a change did, and takes the whole request back once that is confirmed', async () => {
    await open(auditor, '/monitor/history?id=3')
    const drawer = await screen.findByRole('dialog')
    await within(drawer).findByText('旧名')
    fireEvent.click(within(drawer).getByRole('button', { name: '撤销整次操作' }))
    expect(sent('blade-log/history/undo')).toEqual([])
    await yes('撤销整次操作')
    await waitFor(() => expect(sent('blade-log/history/undo')).toHaveLength(1))
    expect(sent('blade-log/history/undo')[0]!.query.get('requestId')).toBe('900')
    await waitFor(() => expect(query().get('id')).toBeNull())
    expect(toastTexts()).toEqual(['已撤销'])
  })

  it('restores one version from there, and offers only what somebody may do', async () => {
    await open(auditor, '/monitor/history?id=3')
    const drawer = await screen.findByRole('dialog')
    fireEvent.click(await within(drawer).findByRole('button', { name: '恢复到此版本' }))
    await yes('恢复到此版本')
    await waitFor(() => expect(sent('blade-user/student/restore')).toHaveLength(1))
    expect(Object.fromEntries(sent('blade-user/student/restore')[0]!.query)).toEqual({ id: '1001', historyId: '3' })
  })

  it('offers somebody else’s change to nobody without the permission', async () => {
    await open(['history_view', 'student_view'], '/monitor/history?id=3')
    const drawer = await screen.findByRole('dialog')
    await within(drawer).findByText('旧名')
    expect(within(drawer).queryByRole('button', { name: '撤销整次操作' })).toBeNull()
    expect(within(drawer).queryByRole('button', { name: '恢复到此版本' })).toBeNull()
    expect(screen.queryByRole('button', { name: '校验' })).toBeNull()
  })

  it('verifies the chain piece by piece and says that it is whole, or names what is not', async () => {
    await open(auditor)
    verdicts = [{ ...verdict, sealed: 1000, unsealed: 0, next: 1 }]
    fireEvent.click(await screen.findByRole('button', { name: '校验' }))
    await screen.findByText(/变更记录完整：4,000 条已封存/)
    expect(sent('blade-log/history/verify').map((call) => call.query.get('from'))).toEqual(['0', '1'])
    const first = {
      fault: 'changed',
      seq: 2,
      historyId: '5',
      entity: 'student',
      rowId: '1001',
      at: '2026-11-01 10:00:00',
      userName: '林老师',
    }
    verdicts = [{ ...verdict, broken: 1, first }]
    fireEvent.click(screen.getByRole('button', { name: '校验' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('1 处异常')
    expect(alert.textContent).toContain('student 1001')
  })

  it('says so to somebody who may not see it', async () => {
    await open(['student_view'])
    expect(screen.getByText('您没有此页面的权限')).toBeTruthy()
    expect(seen).toEqual([])
  })
})

describe('the page of who has read children’s records', () => {
  const read = (id: string, more: object = {}) => ({
    ...{ id, time: '2026-11-01 10:00:00', userId: '2', userName: '林老师', entity: 'student', entityName: '学生' },
    ...{
      rowId: '1001',
      childId: '1001',
      childName: '王小一',
      kind: 'detail',
      reason: '家访',
      requestId: '1',
      address: '10.0.0.1',
    },
    ...more,
  })
  let seen: Seen[]

  beforeEach(async () => {
    await begin(['readlog_view', 'student_view', 'user_view'], '/monitor/read')
    seen = serve({
      'blade-log/read/list': good({
        records: [read('2'), read('1', { kind: 'export', childName: null, reason: null })],
        next: null,
      }),
      'blade-user/student/select': good([{ id: '1001', name: '王小一' }]),
      'blade-user/select': good([{ id: '2', name: '林老师' }]),
    })
    show(httpCalls, <ReadLogPage />)
  })

  it('says who, whose record, how and why, and narrows to a child or a person by a press', async () => {
    await screen.findByText('家访')
    expect(screen.getByText('查看详情')).toBeTruthy()
    expect(screen.getByText('导出')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '王小一' }))
    await waitFor(() => expect(query().get('childId')).toBe('1001'))
    fireEvent.click(screen.getAllByRole('button', { name: '林老师' })[0]!)
    await waitFor(() => expect(query().get('userId')).toBe('2'))
    const lists = seen.filter((call) => call.path === 'blade-log/read/list')
    await waitFor(() =>
      expect(
        Object.fromEntries(seen.filter((call) => call.path === 'blade-log/read/list').at(-1)!.query),
      ).toMatchObject({
        childId: '1001',
        userId: '2',
      }),
    )
    expect(lists[0]!.query.get('childId')).toBeNull()
  })
})
