import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Count, Report, RosterBatch } from '../src/pages/oneroster/calls.ts'
import OneRosterPage from '../src/pages/oneroster/page.tsx'
import { keepCodes } from '../src/session/session.ts'
import { go } from '../src/ui/place.ts'
import { setLanguage } from '../src/ui/words.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, toastTexts } from './entity-world.tsx'

const path = '/student/oneroster'

const count = (more: Partial<Count>): Count => ({
  file: 'users.csv',
  entity: 'student',
  label: '学生',
  add: 1200,
  update: 3,
  unchanged: 0,
  missing: 0,
  missingNames: [],
  ...more,
})
const report = (more: Partial<Report> = {}): Report => ({
  faults: [],
  faultCount: 0,
  counts: [count({ missing: 12, missingNames: ['王小明', '李小红'] })],
  otherFiles: [],
  asks: null,
  passed: [],
  ...more,
})
const batch = (more: Partial<RosterBatch> = {}): RosterBatch => ({
  id: '9',
  fileName: 'roster.zip',
  state: 'checking',
  progress: 0,
  total: 0,
  retire: false,
  failure: null,
  userName: '林老师',
  createTime: '2026-09-01 08:00:00',
  report: null,
  ...more,
})
const carried = {
  carried: [{ entity: 'student', label: '学生', file: 'users.csv' }],
  notCarried: ['课程表'],
  profiles: [
    { key: 'complete', label: '含全部扩展列' },
    { key: 'v1p1', label: 'OneRoster 1.1' },
  ],
  masked: ['学生'],
}
const refused = (status: number, msg: string, data: unknown = null) => ({
  status,
  body: { code: status, success: false, msg, data },
})

/** The server's side: the archive that is there, or none. */
function world(start: RosterBatch | null = null) {
  let now = start
  const answers: Parameters<typeof serve>[0] = {
    'blade-user/oneroster/carried': good(carried),
    'blade-user/oneroster/batch': ({ query }) =>
      query.has('id') && query.get('id') !== now?.id ? refused(404, '没有') : good(now),
    'blade-user/oneroster/upload': () => {
      now = batch()
      return good(now)
    },
    'blade-user/oneroster/commit': () => {
      now = batch({ state: 'committing', total: 1000 })
      return good(now)
    },
    'blade-user/oneroster/remove': () => {
      now = null
      return good(null)
    },
  }
  const seen = serve(answers)
  return {
    answers,
    asked: (name: string): Seen[] => seen.filter((call) => call.path === `blade-user/oneroster/${name}`),
    move: (more: Partial<RosterBatch>) => {
      now = batch({ ...now, ...more })
    },
  }
}

function show(client = new QueryClient()) {
  return render(
    <QueryClientProvider client={client}>
      <OneRosterPage />
    </QueryClientProvider>,
  )
}
const bring = async (name = 'roster.zip') =>
  fireEvent.change(await screen.findByLabelText('选择文件'), { target: { files: [new File(['zip'], name)] } })
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const slow = { timeout: 4000 }

beforeEach(() => begin(['oneroster_export', 'oneroster_import'], path))
afterEach(() => vi.unstubAllGlobals())

describe('the OneRoster page', () => {
  it('says what is carried, what is not, and whose personal values leave masked', async () => {
    world()
    show()
    expect(await screen.findByText('课程表')).toBeTruthy()
    expect(screen.getByText(/学生的证件号和电话将带星号导出/)).toBeTruthy()
  })

  it('R-PERM-2 offers only what the person may do', async () => {
    keepCodes(['oneroster_export'])
    const server = world()
    show()
    expect(await button('下载压缩包')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: '导入' })).toBeNull()
    expect(server.asked('batch')).toHaveLength(0)
  })

  it('takes the archive out as its receiver wants it', async () => {
    const server = world()
    server.answers['blade-user/oneroster/export'] = refused(429, '请稍后')
    show()
    fireEvent.change(await screen.findByLabelText('格式'), { target: { value: 'v1p1' } })
    fireEvent.click(await button('下载压缩包'))
    await waitFor(() => expect(server.asked('export').map(({ query }) => query.get('profile'))).toEqual(['v1p1']))
  })

  it('takes only zip files', async () => {
    const server = world()
    show()
    await bring('roster.csv')
    expect(toastTexts()).toEqual(['请选择 .zip 文件'])
    expect(server.asked('upload')).toHaveLength(0)
  })
})

describe('an archive', () => {
  it('ruling 23: is checked, shown with what it would retire, and imported, each with its progress', async () => {
    const server = world()
    show()
    await bring()
    expect(await screen.findByRole('progressbar', { name: '正在检查…' })).toBeTruthy()
    expect((server.asked('upload')[0]!.init.body as FormData).get('file')).toHaveProperty('name', 'roster.zip')
    expect(new URLSearchParams(window.location.search).get('batch')).toBe('9')
    server.move({ state: 'checked', report: report({ otherFiles: ['lineItems.csv'] }) })
    const line = (await screen.findByRole('rowheader', { name: '学生' }, slow)).closest('tr')!
    expect(
      within(line)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['1,200', '3', '0', '12', 'users.csv'])
    expect(screen.getByText('学生：王小明、李小红 等 12 条')).toBeTruthy()
    expect(screen.getByText('未读取的文件：lineItems.csv')).toBeTruthy()
    expect(server.asked('commit')).toHaveLength(0)
    fireEvent.click(screen.getByLabelText('把这 12 条标为停用、转出或结束'))
    fireEvent.click(await button('导入'))
    const bar = await screen.findByRole<HTMLProgressElement>('progressbar', { name: '正在导入…' })
    expect(Object.fromEntries(server.asked('commit')[0]!.query)).toEqual({ id: '9', retire: '1' })
    server.move({ progress: 430 })
    expect(await screen.findByText('roster.zip · 43%', undefined, slow)).toBeTruthy()
    expect(bar.value).toBe(430)
    server.move({ state: 'done', retire: true, report: report() })
    expect(await screen.findByText('导入完成：新增 1,200 条，修改 3 条', undefined, slow)).toBeTruthy()
    expect(screen.getByText('停用、转出或结束 12 条')).toBeTruthy()
    expect(screen.getByText('批次号 9，历史记录中可查')).toBeTruthy()
    fireEvent.click(await button('换一个文件'))
    expect(server.asked('remove')).toHaveLength(0)
  })

  it('asks once when new pupils enrolled, where the archive does not tell it', async () => {
    const server = world(batch({ state: 'checked', report: report({ asks: { enrolled: 1200, byGrade: true } }) }))
    show()
    expect(await screen.findByText('文件中没有这 1200 名新增学生的入学年月，请选择：')).toBeTruthy()
    expect((await button('导入')).disabled).toBe(true)
    fireEvent.click(screen.getByLabelText('都是同一天'))
    const box = screen.getByLabelText<HTMLInputElement>('入学日期')
    fireEvent.change(box, { target: { value: '2025-09-01' } })
    fireEvent.blur(box)
    await waitFor(async () => expect((await button('导入')).disabled).toBe(false))
    fireEvent.click(screen.getByLabelText(/按年级推算/))
    fireEvent.click(await button('导入'))
    await waitFor(() => expect(server.asked('commit')[0]!.query.get('enrolled')).toBe('grade'))
  })

  it('names its faults by file, line and column, and offers no import', async () => {
    const faults = [
      { file: 'users.csv', line: 7, column: 'sms', message: '手机号码格式不正确', count: 1, lines: [7] },
      { file: 'orgs.csv', line: 3, column: 'name', message: '不能为空', count: 35_422, lines: [3, 4, 5] },
    ]
    world(batch({ state: 'checked', report: report({ faults, faultCount: 300, counts: [] }) }))
    show()
    expect((await screen.findByRole('alert')).textContent).toBe('发现 300 处问题，未写入任何数据 以下是前 2 处。')
    const cells = within(screen.getByRole('table')).getAllByRole('cell')
    expect(cells.map((cell) => cell.textContent)).toEqual([
      ...['users.csv', '7', 'sms', '手机号码格式不正确'],
      ...['orgs.csv', '3、4、5 等 35422 行', 'name', '不能为空'],
    ])
    expect(screen.queryByRole('button', { name: '导入' })).toBeNull()
    expect(await button('换一个文件')).toBeTruthy()
  })

  it('is found again after a reload, and by whoever opens the page while it is imported', async () => {
    world(batch({ state: 'committing', progress: 250, total: 1000 }))
    show()
    expect(await screen.findByRole('progressbar', { name: '正在导入…' })).toBeTruthy()
    expect(screen.getByText('roster.zip · 25%')).toBeTruthy()
    expect(screen.getByText('操作人：林老师')).toBeTruthy()
    expect(screen.queryByLabelText('选择文件')).toBeNull()
    await waitFor(() => expect(new URLSearchParams(window.location.search).get('batch')).toBe('9'))
  })

  it('is refused in words while another one runs, and that one is shown', async () => {
    const server = world()
    server.answers['blade-user/oneroster/upload'] = () => {
      server.move({ id: '5', fileName: '别人的.zip', state: 'committing', total: 1000 })
      return refused(400, '“别人的.zip”正在导入,请等它结束再开始', { id: '5' })
    }
    show()
    await bring()
    expect((await screen.findByRole('alert')).textContent).toBe('“别人的.zip”正在导入,请等它结束再开始')
    expect(await screen.findByText('别人的.zip · 0%')).toBeTruthy()
  })

  it('shows the new result when the data have changed since the check', async () => {
    const server = world(batch({ state: 'checked', report: report() }))
    show()
    fireEvent.click(await button('导入'))
    await screen.findByRole('progressbar')
    const failure = '检查之后数据已有变化,没有导入:请核对新的结果'
    server.move({ state: 'checked', failure, report: report({ counts: [count({ add: 1234 })] }) })
    expect((await screen.findByRole('alert', undefined, slow)).textContent).toBe(failure)
    expect(screen.getByText('1,234')).toBeTruthy()
    expect((await button('导入')).disabled).toBe(false)
  })

  it('can be dropped before it is imported', async () => {
    const server = world(batch({ state: 'checked', report: report() }))
    show()
    fireEvent.click(await button('放弃，换一个文件'))
    expect(await screen.findByLabelText('选择文件')).toBeTruthy()
    expect(server.asked('remove').map((call) => call.query.get('id'))).toEqual(['9'])
    expect(server.asked('commit')).toHaveLength(0)
    expect(window.location.search).toBe('')
  })

  it('R-ERR-1 keeps the reason in sight: of a file that is no archive, of a check that failed, of a batch that is gone', async () => {
    const server = world()
    server.answers['blade-user/oneroster/upload'] = () => refused(400, '文件不是有效的zip压缩包')
    const first = show()
    await bring()
    expect((await screen.findByRole('alert')).textContent).toBe('文件不是有效的zip压缩包')
    expect(await screen.findByLabelText('选择文件')).toBeTruthy()
    first.unmount()
    world(batch({ state: 'failed', failure: '处理被中断,请重试' }))
    go(`${path}?batch=9`)
    const second = show()
    expect((await screen.findByRole('alert')).textContent).toBe('处理被中断,请重试')
    expect(await button('换一个文件')).toBeTruthy()
    second.unmount()
    world()
    show()
    expect((await screen.findByRole('alert')).textContent).toBe('这个批次不存在，可能已被放弃。')
    fireEvent.click(await button('换一个文件'))
    expect(await screen.findByLabelText('选择文件')).toBeTruthy()
  })

  it('R-BAR-4 speaks English when the language turns', async () => {
    world(batch({ state: 'committing', progress: 250, total: 1000 }))
    show()
    await screen.findByRole('progressbar')
    await act(() => setLanguage('en'))
    expect(await screen.findByRole('progressbar', { name: 'Importing…' })).toBeTruthy()
    expect(screen.getByText('Started by 林老师')).toBeTruthy()
  })

  it('has every list asked for again when its import ends, although the page has been left', async () => {
    const server = world(batch({ state: 'committing', total: 1000 }))
    const client = new QueryClient()
    const page = show(client)
    await screen.findByRole('progressbar')
    page.unmount()
    let asked = 0
    function List() {
      const { data } = useQuery({
        queryKey: ['entity', 'student', 'list', {}],
        queryFn: () => {
          asked += 1
          return Promise.resolve(asked)
        },
        staleTime: 30_000,
      })
      return <p>{`asked ${data}`}</p>
    }
    render(
      <QueryClientProvider client={client}>
        <List />
      </QueryClientProvider>,
    )
    await screen.findByText('asked 1')
    server.move({ state: 'done', report: report() })
    expect(await screen.findByText('asked 2', undefined, slow)).toBeTruthy()
  })
})
