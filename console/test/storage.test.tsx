import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import AttachPage from '../src/pages/attach/page.tsx'
import OssPage from '../src/pages/oss/page.tsx'
import { sizeText } from '../src/ui/size.ts'
import { good, serve } from './answers.ts'
import { begin, rowMenu, show, toastTexts } from './entity-world.tsx'

const row = { version: 1, createTime: '2026-09-01 08:00:00', updateTime: '2026-09-01 08:00:00' }
const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })

afterEach(() => vi.unstubAllGlobals())

describe('object storage', () => {
  const place = (id: string, ossCode: string, status: number) => ({
    ...{ ...row, id, ossCode, status, category: '1', endpoint: 'https://s3.example.cn', bucketName: 'files' },
    ...{ accessKey: '******', secretKey: '******' },
  })
  beforeEach(() => begin(['oss_view', 'oss_add', 'oss_edit', 'oss_delete', 'oss_enable'], '/resource/oss'))

  it('R-RES-1 says what is disabled before one is enabled, and goes back to the folder', async () => {
    let on = 'old'
    const seen = serve({
      'blade-system/dict-biz/dictionaries': good({}),
      'blade-resource/oss/list': ({ query }) => {
        const all = [place('1', 'old', on === 'old' ? 2 : 1), place('2', 'new', on === 'new' ? 2 : 1)]
        return page(query.get('status') ? all.filter((one) => String(one.status) === query.get('status')) : all)
      },
      'blade-resource/oss/enable': ({ query }) => {
        on = query.get('id') === '2' ? 'new' : ''
        return good(null)
      },
    })
    const switched = () => seen.filter(({ path }) => path === 'blade-resource/oss/enable')
    show(httpCalls, <OssPage />)
    expect((await screen.findByText(/新文件存放于/)).textContent).toContain('old')
    fireEvent.click(await screen.findByRole('button', { name: 'old的更多操作' }))
    expect(screen.queryByRole('menuitem', { name: '启用' })).toBeNull()
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    await rowMenu('new', '启用')
    const asked = await screen.findByRole('alertdialog')
    expect(asked.textContent).toContain('将停用“old”')
    expect(switched()).toHaveLength(0)
    fireEvent.click(within(asked).getByRole('button', { name: '启用' }))
    await waitFor(() => expect(switched()).toHaveLength(1))
    expect(switched()[0]?.query.get('id')).toBe('2')
    await waitFor(() => expect(screen.getByText(/新文件存放于/).textContent).toContain('new'))
    fireEvent.click(within(screen.getByText(/新文件存放于/)).getByRole('button', { name: '停用' }))
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '停用' }))
    await waitFor(() => expect(switched()).toHaveLength(2))
    expect(switched()[1]?.query.get('id')).toBeNull()
    await waitFor(() => expect(screen.getByText(/新文件存放于/).textContent).toContain('服务器的数据文件夹'))
  })

  it('shows in words what a test found, and tries again', async () => {
    let ok = 0
    serve({
      'blade-system/dict-biz/dictionaries': good({}),
      'blade-resource/oss/list': page([place('1', 'old', 1)]),
      'blade-resource/oss/test': () =>
        good({ ok, message: ok ? '写入、读取、删除均正常' : '写入失败：密钥不正确', milliseconds: 12 }),
    })
    show(httpCalls, <OssPage />)
    await screen.findByRole('button', { name: 'old的更多操作' })
    await rowMenu('old', '测试')
    const dialog = (await screen.findByText('测试“old”')).closest<HTMLElement>('[role=dialog]')!
    await waitFor(() => expect(dialog.textContent).toContain('写入失败：密钥不正确'))
    expect(dialog.textContent).toContain('连接不正常')
    ok = 1
    fireEvent.click(within(dialog).getByRole('button', { name: '再试一次' }))
    await waitFor(() => expect(dialog.textContent).toContain('连接正常'))
  })
})

describe('attachments', () => {
  const file = (id: string, originalName: string, extension: string) => ({
    ...{ ...row, id, status: 1, originalName, extension, attachSize: 1536, refCount: 1 },
    ...{ link: `/api/blade-resource/attach/file?id=${id}`, name: 'x' },
  })
  const usage = { usedBytes: 950 * 1024 ** 2, files: 2, quotaMb: 1000, place: null }
  const answers = {
    'blade-system/dict-biz/dictionaries': good({}),
    'blade-resource/attach/list': page([file('7', '照片.png', 'png'), file('8', '通知.pdf', 'pdf')]),
    'blade-resource/attach/usage': good(usage),
    'blade-resource/attach/link': good({ 7: '/api/blade-resource/attach/file?id=7&sign=x' }),
    'blade-resource/attach/uses': good([{ entity: 'student', label: '学生', count: 1, sample: ['王小明'] }]),
    'blade-resource/attach/remove': {
      status: 400,
      body: {
        ...{ code: 400, success: false, msg: '正在被使用（学生 1），不能删除' },
        data: { blockers: [{ entity: 'student', label: '学生', count: 1, sample: ['王小明'] }] },
      },
    },
  }
  /** Requests as the browser makes them, held until the test lets them go. */
  class FakeRequest {
    static all: FakeRequest[] = []
    readonly upload: { onprogress?: (event: object) => void } = {}
    onload?: () => void
    onabort?: () => void
    onerror?: () => void
    status = 0
    responseText = ''
    sent: FormData | undefined
    open() {
      FakeRequest.all.push(this)
    }
    setRequestHeader() {}
    getResponseHeader() {
      return null
    }
    send(form: FormData) {
      this.sent = form
    }
    abort() {
      this.onabort?.()
    }
    answer(status: number, body: object) {
      this.status = status
      this.responseText = JSON.stringify({ code: status, ...body })
      this.onload?.()
    }
  }
  beforeEach(() => {
    begin(['attach_view', 'attach_add', 'attach_delete'], '/resource/attach')
    FakeRequest.all = []
    vi.stubGlobal('XMLHttpRequest', FakeRequest)
  })

  it('R-RES-2 are uploaded two at a time, with progress, a way to stop, and words for what failed', async () => {
    serve(answers)
    const { container } = show(httpCalls, <AttachPage />)
    const drop = await waitFor(() => container.querySelector<HTMLElement>('.attach-drop')!)
    const files = ['a.png', 'b.png', 'c.png'].map((name) => new File(['x'], name))
    fireEvent.drop(drop, { dataTransfer: { files } })
    await waitFor(() => expect(FakeRequest.all).toHaveLength(2))
    const lines = () => screen.getAllByRole('listitem').filter((line) => line.classList.contains('attach-line'))
    const [first, second] = FakeRequest.all
    act(() => first!.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 }))
    expect(lines()[0]?.textContent).toContain('25%')
    act(() => first!.upload.onprogress?.({ lengthComputable: true, loaded: 4, total: 4 }))
    expect(lines()[0]?.textContent).toContain('正在保存')
    fireEvent.click(screen.getByRole('button', { name: '取消上传 b.png' }))
    await waitFor(() => expect(lines()[1]?.textContent).toContain('已取消'))
    expect(second?.sent).toBeDefined()
    await waitFor(() => expect(FakeRequest.all).toHaveLength(3))
    await act(async () => first!.answer(200, { data: { attachId: '9' } }))
    await act(async () => FakeRequest.all[2]!.answer(400, { msg: '存储空间不足' }))
    await waitFor(() => expect(lines()[0]?.textContent).toContain('已上传'))
    expect(within(lines()[2]!).getByRole('alert').textContent).toBe('存储空间不足')
    fireEvent.click(screen.getByRole('button', { name: '重新上传 c.png' }))
    await waitFor(() => expect(FakeRequest.all).toHaveLength(4))
  })

  it('show how full it is, what uses a file, and why one stays', async () => {
    serve(answers)
    show(httpCalls, <AttachPage />)
    expect((await screen.findByRole('meter', { name: '已用空间' })).getAttribute('aria-valuetext')).toBe(
      '950 MB 额度 1000 MB',
    )
    expect(screen.getByText('空间即将用完')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /新增附件/ })).toBeNull()
    await screen.findByRole('button', { name: '照片.png的更多操作' })
    await rowMenu('照片.png', '引用')
    const uses = await screen.findByRole('dialog', { name: '“照片.png”被谁使用' })
    await waitFor(() => expect(uses.textContent).toContain('学生：1 条'))
    expect(uses.textContent).toContain('王小明')
    fireEvent.click(within(uses).getAllByRole('button', { name: /关闭/ })[0]!)
    await rowMenu('照片.png', '删除')
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }))
    await waitFor(() => expect(toastTexts()).toContain('正在被使用（学生 1），不能删除'))
    expect((await screen.findAllByRole('alert')).some((each) => each.textContent?.includes('王小明'))).toBe(true)
  })

  it('turn into pictures, small ones, and back', async () => {
    const small = '/api/blade-resource/attach/file?id=7&width=320&sign=x'
    const seen = serve({ ...answers, 'blade-resource/attach/link': good({ 7: small }) })
    const { container } = show(httpCalls, <AttachPage />)
    await screen.findByRole('table')
    fireEvent.click(screen.getByRole('button', { name: '缩略图' }))
    await waitFor(() => expect(container.querySelectorAll('.attach-tile')).toHaveLength(2))
    await waitFor(() => expect(container.querySelector('.attach-tile img')?.getAttribute('src')).toBe(small))
    // A link for the small copy opens nothing else.
    expect(seen.find(({ path }) => path.endsWith('attach/link'))?.query.get('width')).toBe('320')
    expect(screen.queryByRole('table')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '照片.png的预览' }))
    const preview = await screen.findByRole('dialog', { name: '照片.png' })
    await waitFor(() => expect(within(preview).getByRole('link', { name: '下载' })).toBeTruthy())
  })

  it('have sizes as people say them', () => {
    expect([0, 1023, 1024, 1536, 10 * 1024 ** 2, 5.5 * 1024 ** 3].map(sizeText)).toEqual([
      '0 B',
      '1023 B',
      '1 kB',
      '1.5 kB',
      '10 MB',
      '5.5 GB',
    ])
  })
})
