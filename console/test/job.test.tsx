import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { httpCalls, type ShownRow } from '../src/entity/data/calls.ts'
import { followJob, type JobView } from '../src/entity/data/job.tsx'
import MyJobsPage from '../src/pages/job/mine.tsx'
import JobPage from '../src/pages/job/page.tsx'
import { good, type Seen, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const row = (id: string, kind: string, more: object): ShownRow =>
  ({
    id,
    kind,
    version: 1,
    status: 1,
    subject: null,
    progress: 0,
    total: 0,
    tries: 1,
    result: null,
    failure: null,
    userName: '王芳',
    createTime: '2026-09-01 08:00:00',
    beginTime: '2026-09-01 08:00:00',
    endTime: null,
    ...more,
  }) as unknown as ShownRow
const entry = (dictKey: string, dictValue: string) => ({ dictKey, dictValue, dictValueEn: dictValue, sort: 1 })
const dictionaries = {
  job_kind: [
    entry('student-committing', '学生导入：入库'),
    entry('tenant-purge', '租户彻底清除'),
    entry('history-seal', '变更记录封存'),
  ],
  job_state: [entry('waiting', '排队中'), entry('running', '进行中'), entry('done', '已完成'), entry('failed', '失败')],
}
const ended = { endTime: '2026-09-01 08:01:05', state: 'done' }

let seen: Seen[]
let asked: number
beforeEach(() => begin(['job_view', 'job_retry']))

function list(): void {
  asked = 0
  const answer = () => {
    asked += 1
    const importing =
      asked < 3
        ? { state: 'running', progress: 2500 * asked, total: 10000 }
        : { ...ended, progress: 10000, total: 10000, result: { add: 9990, bad: 10 } }
    const records = [
      row('1', 'student-committing', { subject: '新生.xlsx', ...importing }),
      row('2', 'tenant-purge', {
        ...ended,
        state: 'failed',
        failure: {
          zh: '该租户的任务正在进行，请稍后再清除',
          en: 'A job of this tenant is under way: try again shortly',
        },
      }),
      row('3', 'tenant-purge', { ...ended, progress: 70, result: { rows: { student: 1200, dept: 3, post: 0 } } }),
      row('4', 'history-seal', { ...ended, userName: null, result: { rows: 5 } }),
    ]
    return good({ total: records.length, size: 10, current: 1, pages: 1, records })
  }
  seen = serve({
    'blade-system/job/list': answer,
    'blade-system/job/retry': good(null),
    'blade-system/dict-biz/dictionaries': good(dictionaries),
  })
  show(httpCalls, <JobPage />)
}
const retried = () => seen.filter((call) => call.path === 'blade-system/job/retry')

describe('ruling 23: the page of jobs', () => {
  it('shows how far a job is, by itself, until it has ended, and what became of each', async () => {
    list()
    const bar = await screen.findByRole('progressbar', { name: '“学生导入：入库”的进度' })
    expect([bar.getAttribute('max'), bar.getAttribute('value')]).toEqual(['10000', '2500'])
    await screen.findByText('5,000 / 10,000', undefined, { timeout: 3_000 })
    await screen.findByText('新增 9,990、有误 10', undefined, { timeout: 3_000 })
    expect(screen.queryByRole('progressbar', { name: '“学生导入：入库”的进度' })).toBeNull()
    screen.getByText('该租户的任务正在进行，请稍后再清除')
    screen.getByText('已删除 1,203 行，涉及 2 张表')
    expect(screen.getAllByText('用时 1 分 5 秒').length).toBe(4)
    const before = asked
    await new Promise((done) => setTimeout(done, 1_500))
    expect(asked).toBe(before)
  })

  it('tries again what failed, and has recurring work done beside its times; nothing else', async () => {
    list()
    await screen.findByText('新增 9,990、有误 10', undefined, { timeout: 5_000 })
    // What a job is offered stands in its own menu.
    const offered = (name: string): HTMLElement[] =>
      screen.getAllByRole('button', { name: /的更多操作$/ }).flatMap((button) => {
        fireEvent.click(button)
        const entry = screen.queryByRole('menuitem', { name })
        fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
        return entry ? [button] : []
      })
    expect(offered('立即执行').length).toBe(1)
    const [failed, ...others] = offered('重试')
    expect(others).toEqual([])
    fireEvent.click(failed!)
    fireEvent.click(screen.getByRole('menuitem', { name: '重试' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(retried()).toEqual([])
    expect(dialog.textContent).toContain('重试任务“租户彻底清除”？')
    fireEvent.click(within(dialog).getByRole('button', { name: '重试' }))
    await waitFor(() => expect(toastTexts()).toContain('已重新排队'))
    expect(retried().map((call) => call.query.get('id'))).toEqual(['2'])
  })
})

describe('ruling 23: the file of an export', () => {
  it('is fetched on the page by whoever asked for it, while it is kept; the page says until when', async () => {
    const file = (expires: string) => ({
      ...ended,
      kind: 'export',
      result: { rows: 12_000, bytes: 3_565_158, fileId: '9', name: 'students.csv', expires },
    })
    const records = [
      row('1', 'export', { ...file('2099-01-02 08:00:00'), createUser: '1' }),
      row('2', 'export', { ...file('2099-01-03 08:00:00'), createUser: '2' }),
      row('3', 'export', { ...file('2026-01-02 08:00:00'), createUser: '1' }),
    ]
    const calls = serve({
      'blade-system/job/list': good({ total: 3, size: 10, current: 1, pages: 1, records }),
      'blade-system/dict-biz/dictionaries': good(dictionaries),
      'blade-system/job/file': { status: 404, body: { code: 404, success: false, msg: '没有找到该数据', data: null } },
    })
    show(httpCalls, <JobPage />)
    await screen.findByText('保留至 01-02 08:00、行数 12,000、3.4 MB')
    screen.getByText('文件已过期、行数 12,000、3.4 MB')
    const buttons = screen.getAllByRole('button', { name: '下载' })
    expect(buttons.length).toBe(1)
    fireEvent.click(buttons[0]!)
    const fetched = () => calls.filter((call) => call.path === 'blade-system/job/file')
    await waitFor(() => expect(fetched().map((call) => call.query.get('id'))).toEqual(['1']))
  })
})

describe('ruling 23: the page of one’s own jobs', () => {
  it('needs no right: progress by itself, the file of an export, and the way to take back what can be', async () => {
    begin([])
    let state = 'running'
    const file = { rows: 12, bytes: 900, fileId: '9', name: 'students.csv', expires: '2099-01-02 08:00:00' }
    const calls = serve({
      'blade-system/job/mine': () =>
        good([
          row('1', 'export', { subject: '学生', state, progress: 5, total: 20, createUser: undefined }),
          row('2', 'export', { subject: '班级', ...ended, result: file, createUser: undefined }),
          row('3', 'student-committing', { state: 'running', progress: 1, total: 2, createUser: undefined }),
          row('4', 'student-committing', { state: 'waiting', createUser: undefined }),
        ]),
      'blade-system/job/cancel': () => {
        state = 'cancelled'
        return good(null)
      },
      'blade-system/job/file': { status: 404, body: { code: 404, success: false, msg: '没有找到该数据', data: null } },
      'blade-system/dict-biz/dictionaries': good({ ...dictionaries, job_kind: [entry('export', '导出')] }),
    })
    show(httpCalls, <MyJobsPage />)
    await screen.findByText('导出 · 学生')
    expect(screen.getByText('5 / 20')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: '下载' }))
    await waitFor(() =>
      expect(calls.filter(({ path }) => path.endsWith('job/file')).map(({ query }) => query.get('id'))).toEqual(['2']),
    )
    // What writes can be taken back only while it waits.
    expect(screen.getAllByRole('button', { name: /^取消任务/ }).map((one) => one.getAttribute('aria-label'))).toEqual([
      '取消任务“导出 · 学生”',
      '取消任务“student-committing”',
    ])
    fireEvent.click(screen.getByRole('button', { name: '取消任务“导出 · 学生”' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('将停止')
    fireEvent.click(within(dialog).getByRole('button', { name: '取消任务' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: '取消任务“导出 · 学生”' })).toBeNull())
    expect(calls.filter(({ path }) => path.endsWith('job/cancel')).map(({ query }) => query.get('id'))).toEqual(['1'])
    expect(calls.some(({ path }) => path.endsWith('job/list'))).toBe(false)
  })
})

describe('ruling 23: who asked for a job', () => {
  const view = (more: object) =>
    good({ id: '7', state: 'running', progress: 0, total: 0, result: null, failure: null, ...more })

  it('sees its steps and its result', async () => {
    const answers = [
      view({ state: 'waiting' }),
      view({ progress: 3, total: 9 }),
      view({ state: 'done', result: { added: 9 } }),
    ]
    serve({ 'blade-system/job/own': () => (answers.length > 1 ? answers.shift()! : answers[0]!) })
    const steps: JobView<unknown>[] = []
    expect(await followJob('7', (job) => steps.push(job))).toEqual({ added: 9 })
    expect(steps.map((job) => [job.state, job.progress])).toEqual([
      ['waiting', 0],
      ['running', 3],
      ['done', 0],
    ])
  })

  it('is told why it failed', async () => {
    serve({ 'blade-system/job/own': view({ state: 'failed', failure: { zh: '坏了', en: 'It broke' } }) })
    await expect(followJob('7', () => {})).rejects.toThrow('坏了')
  })
})
