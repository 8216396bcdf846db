import { student } from '@data-brain/contract'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import EntityPage from '../src/entity/list/page.tsx'
import { connectHttp } from '../src/http/client.ts'
import { exportWords } from '../src/locales/export.ts'
import { addWords } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'
import { begin, clerk, FakeServer, listMenu, show, toastTexts } from './entity-world.tsx'

/** The server's side of one download: what was asked, and a hand on the bytes. */
function line(status = 200, problem?: string) {
  const asked: { path: string; query: URLSearchParams; signal: AbortSignal | null | undefined }[] = []
  let send!: ReadableStreamDefaultController<Uint8Array>
  let left = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = controller
    },
    cancel: () => {
      left = true
    },
  })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://console.test')
    // What the list asks of its views is another matter.
    if (url.pathname.includes('/savedview/')) return new Response(null, { status: 404 })
    asked.push({ path: url.pathname, query: url.searchParams, signal: init.signal })
    if (problem) return new Response(JSON.stringify({ code: status, success: false, msg: problem }), { status })
    const name = 'attachment; filename="__.xlsx"; filename*=UTF-8\'\'%E5%AD%A6%E7%94%9F-202611211710.xlsx'
    return new Response(body, { headers: { 'Content-Disposition': name, 'Content-Type': 'application/x-test' } })
  })
  return {
    asked,
    send: (bytes: number) => send.enqueue(new Uint8Array(bytes)),
    end: () => send.close(),
    breakOff: () => send.error(new TypeError('broken')),
    isLeft: () => left,
  }
}

const saved: { name: string; size: number }[] = []
let blobs: Blob[] = []

async function list(path?: string, codes: readonly string[] = [...clerk, 'student_export'], rows = 25) {
  await begin(codes, path)
  addWords(exportWords)
  show(new FakeServer(rows), <EntityPage entity="student" />)
  await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]').length).toBeGreaterThan(0))
}
/** Opens the panel, from the menu of the list. */
const open = async () => {
  await listMenu('导出')
  await screen.findByRole('region', { name: /^导出/ })
}
const panel = () => within(screen.getByRole('region', { name: /^导出/ }))
const start = () => fireEvent.click(panel().getByRole('button', { name: '导出' }))

beforeEach(() => {
  saved.length = 0
  blobs = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return 'blob:test'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, size: blobs.at(-1)?.size ?? -1 })
  })
  connectHttp({ offline: () => '网络不通', unknown: () => '未知错误' })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

// jsdom has neither.
URL.createObjectURL ??= () => ''
URL.revokeObjectURL ??= () => {}

describe('R-LIST-1 the export of a list', () => {
  it('asks for the filters, order and shown columns of the list, shows what arrives, and keeps it under its name', async () => {
    const server = line()
    await list('/blade/student?name=王&descs=name&current=2&size=20&other=x')
    await open()
    fireEvent.click(panel().getByLabelText('CSV'))
    start()
    await waitFor(() => expect(server.asked).toHaveLength(1))
    const [{ path, query }] = server.asked as [(typeof server.asked)[0]]
    expect(path).toBe('/api/blade-user/student/export')
    const { columns, ...rest } = Object.fromEntries(query)
    expect(rest).toEqual({ name: '王', descs: 'name', format: 'csv' })
    expect(columns?.split(',')).toEqual([...student.list.slice(0, 4), 'status', ...student.list.slice(4, 7)])
    server.send(300 * 1024)
    expect(await screen.findByText('已接收 300 kB')).toBeTruthy()
    server.send(2 * 1_048_576)
    expect(await screen.findByText('已接收 2.3 MB')).toBeTruthy()
    expect(saved).toEqual([])
    server.end()
    await waitFor(() => expect(saved).toEqual([{ name: '学生-202611211710.xlsx', size: 300 * 1024 + 2 * 1_048_576 }]))
    expect(toastTexts()).toContain('已导出')
  })

  it('takes the ticked rows alone where that is chosen', async () => {
    const server = line()
    await list('/blade/student?name=王')
    await open()
    expect(panel().getByLabelText<HTMLInputElement>('勾选的 0 名').disabled).toBe(true)
    for (const box of screen.getAllByRole('checkbox', { name: /王小/ }).slice(0, 2)) fireEvent.click(box)
    if (!screen.queryByRole('region', { name: '导出' })) await open()
    fireEvent.click(panel().getByLabelText('勾选的 2 名'))
    start()
    await waitFor(() => expect(server.asked).toHaveLength(1))
    const query = Object.fromEntries(server.asked[0]!.query)
    expect(query.id).toBe('1000,1001')
    expect(query.name).toBeUndefined()
    server.end()
    await waitFor(() => expect(saved).toHaveLength(1))
  })

  it('R-LIST-5 is offered to holders of its code; full numbers to those who may see them, who are told it is recorded', async () => {
    await list(undefined, clerk)
    fireEvent.click(screen.getByRole('button', { name: /^更多：/ }))
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['打印', '删除'])
    document.body.innerHTML = ''
    await list(undefined, ['student_view', 'student_export'])
    await open()
    expect(panel().queryByLabelText(/包含完整号码/)).toBeNull()
    document.body.innerHTML = ''
    // The list shows no number, so there is none to write in full.
    await list()
    await open()
    expect(panel().queryByLabelText(/包含完整号码/)).toBeNull()
    document.body.innerHTML = ''
    const server = line()
    await list()
    fireEvent.click(screen.getByRole('button', { name: /^显示/ }))
    fireEvent.click(await screen.findByRole('checkbox', { name: '联系电话' }))
    await open()
    expect(panel().queryByText(exportWords['export.personalNote'].zh)).toBeNull()
    // Of the numbers that the list shows, and of no other.
    fireEvent.click(panel().getByLabelText('包含完整号码（联系电话）'))
    expect(panel().getByText(exportWords['export.personalNote'].zh)).toBeTruthy()
    start()
    await waitFor(() => expect(server.asked[0]?.query.get('personal')).toBe('1'))
    expect(server.asked[0]?.query.get('columns')?.split(',')).toContain('phone')
    expect(server.asked[0]?.query.get('columns')).not.toContain('idNo')
    server.end()
    await waitFor(() => expect(saved).toHaveLength(1))
  })

  it('ends at once when it is cancelled, goes on when its panel is closed, and saves no half of a file', async () => {
    const server = line()
    await list()
    await open()
    start()
    await waitFor(() => expect(server.asked).toHaveLength(1))
    server.send(2048)
    await screen.findByText('已接收 2 kB')
    fireEvent.keyDown(panel().getByRole('button', { name: '取消' }), { key: 'Escape' })
    const button = await screen.findByRole('button', { name: '导出（2 kB）' })
    fireEvent.click(button)
    fireEvent.click(panel().getByRole('button', { name: '取消' }))
    await waitFor(() => expect(server.isLeft()).toBe(true))
    expect(await panel().findByRole('button', { name: '导出' })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    const broken = line()
    start()
    await waitFor(() => expect(broken.asked).toHaveLength(1))
    broken.send(10)
    broken.breakOff()
    expect((await panel().findByRole('alert')).textContent).toBe('网络不通')
    expect(saved).toEqual([])
  })

  it('R-ERR-1 says what the server said when it refuses', async () => {
    line(400, '超过100000条，请先用筛选条件缩小范围')
    await list()
    await open()
    start()
    expect((await panel().findByRole('alert')).textContent).toBe('超过100000条，请先用筛选条件缩小范围')
    expect(saved).toEqual([])
  })
})

describe('R-LIST-1 the export of more than 5,000 rows', () => {
  const kept = { rows: 5_001, bytes: 3_000_000, fileId: '9', expires: '2099-01-02 08:00:00' }
  const step = (more: object) =>
    good({ id: '70', state: 'running', progress: 0, total: 0, result: null, failure: null, ...more })
  /** The server's side of an export in the background, with these steps of its job. */
  const behind = (...steps: ReturnType<typeof step>[]) =>
    serve({
      'blade-user/student/export-job': good({ jobId: '70' }),
      'blade-system/job/own': () => (steps.length > 1 ? steps.shift()! : steps[0]!),
      'blade-system/job/file': {
        body: 'x',
        headers: { 'Content-Disposition': 'attachment; filename="students.csv"' },
      },
    })
  const many = (path?: string) => list(path, undefined, 5_001)
  const asked = (seen: ReturnType<typeof serve>, path: string) => seen.filter((call) => call.path === path)

  it('is proposed in the background, with the streamed one below it, and shows how far it is until the file is there', async () => {
    const seen = behind(
      step({ state: 'waiting' }),
      step({ progress: 2_000, total: 5_001 }),
      step({ state: 'done', progress: 5_001, total: 5_001, result: kept }),
    )
    await many('/blade/student?name=王&descs=name')
    await open()
    const offered = panel()
      .getAllByRole('button')
      .map((button) => [button.textContent, button.classList.contains('primary')])
    expect(offered).toEqual([
      ['在后台导出', true],
      ['直接下载', false],
    ])
    fireEvent.click(panel().getByLabelText('CSV'))
    fireEvent.click(panel().getByRole('button', { name: '在后台导出' }))
    expect(await panel().findByText('2,000 / 5,001')).toBeTruthy()
    expect(screen.getByRole('button', { name: '导出（39%）' })).toBeTruthy()
    expect(panel().queryByRole('button', { name: '直接下载' })).toBeNull()
    fireEvent.click(await panel().findByRole('button', { name: '下载' }, { timeout: 3_000 }))
    expect(panel().getByText('保留至 2099-01-02 08:00')).toBeTruthy()
    await waitFor(() => expect(saved.map((file) => file.name)).toEqual(['students.csv']))
    expect(toastTexts()).toEqual(expect.arrayContaining(['文件已生成', '已导出']))
    const [{ query, init }] = asked(seen, 'blade-user/student/export-job') as [(typeof seen)[0]]
    expect(init.method).toBe('POST')
    const { columns, ...rest } = Object.fromEntries(query)
    expect(rest).toEqual({ name: '王', descs: 'name', format: 'csv' })
    expect(columns).toMatch(/^name,studentNo,sex,classId,status,/)
    expect(asked(seen, 'blade-system/job/file').map((call) => call.query.get('id'))).toEqual(['70'])
  })

  it('says why it failed, can be asked for again, and is no longer followed once the page is left', async () => {
    const failure = { zh: '没有权限：student_export', en: 'No permission: student_export' }
    behind(step({ state: 'failed', failure }))
    await many()
    await open()
    fireEvent.click(panel().getByRole('button', { name: '在后台导出' }))
    expect((await panel().findByRole('alert')).textContent).toBe(failure.zh)
    const seen = behind(step({ progress: 1, total: 5_001 }))
    fireEvent.click(panel().getByRole('button', { name: '在后台导出' }))
    await panel().findByText('1 / 5,001')
    cleanup()
    const before = asked(seen, 'blade-system/job/own').length
    await new Promise((done) => setTimeout(done, 1_200))
    expect(asked(seen, 'blade-system/job/own').length).toBe(before)
    expect(saved).toEqual([])
  })

  it('is streamed as before where few rows are ticked, and where there are no more than that', async () => {
    behind(step({}))
    await list(undefined, undefined, 5_000)
    await open()
    expect(panel().queryByRole('button', { name: '在后台导出' })).toBeNull()
    cleanup()
    await many()
    for (const box of screen.getAllByRole('checkbox', { name: /王小/ }).slice(0, 2)) fireEvent.click(box)
    await open()
    fireEvent.click(panel().getByLabelText('勾选的 2 名'))
    expect(panel().queryByRole('button', { name: '在后台导出' })).toBeNull()
    expect(panel().getByRole('button', { name: '导出' })).toBeTruthy()
  })
})
