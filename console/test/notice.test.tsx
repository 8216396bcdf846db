import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { queryClient } from '../src/http/query.ts'
import { shellWords } from '../src/locales/shell.ts'
import { nodesOf } from '../src/pages/inbox/notice-text.tsx'
import WelPage from '../src/pages/inbox/page.tsx'
import { tidyPaste } from '../src/pages/notice/editor.tsx'
import NoticePage from '../src/pages/notice/page.tsx'
import { codesStore, rightsStampStore, sessionStore } from '../src/session/session.ts'
import { unreadStore } from '../src/session/unread.ts'
import { NoticeBell } from '../src/shell/notices-bell.tsx'
import { eventsOf, startNotices } from '../src/shell/notices-live.ts'
import { lookAtRights } from '../src/shell/rights.ts'
import { place } from '../src/ui/place.ts'
import { addWords } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

addWords(shellWords)

const link = '/api/blade-resource/attach/file?id=382579132820623360&tenant=100001&expires=1&sign=a'
const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })
const head = (id: string, title: string, readAt: string | null = null) => ({
  id,
  title,
  readAt,
  categoryName: '发布通知',
  releaseTime: '2026-09-01 08:00:00',
  isTop: 0,
  needRead: 0,
  confirmBy: null,
  confirmedAt: null,
  summary: null,
  createUserName: '管理员',
})

afterEach(() => {
  vi.unstubAllGlobals()
  unreadStore.set({ notices: 0, messages: 0 })
  sessionStore.set(null)
  queryClient.clear()
})

describe('R-NOTICE-1 the text of a notice in the page', () => {
  const text = async (html: string) => {
    const box = document.createElement('div')
    box.append(await nodesOf(html))
    return box.innerHTML
  }

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<img src="https://evil.example/pixel.gif">',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<p style="background:url(https://evil.example)">x</p>',
    '<form action="//evil.example"><input name="a"></form>',
    '<p onclick="alert(1)" id="boot">x</p>',
  ])('keeps nothing that runs or calls elsewhere of %j', async (html) => {
    expect(await text(html)).not.toMatch(
      /script|onerror|onload|onclick|alert|evil|javascript|data:|srcdoc|<form|<input|boot/i,
    )
  })

  it('shows what notices are made of, links in windows of their own', async () => {
    const html = `<h2 style="text-align:center">标题</h2><p><strong>粗</strong></p><table><tbody><tr><td colspan="2">格</td></tr></tbody></table>`
    expect(await text(html)).toBe(html)
    expect(await text('<a href="https://ok.example/">x</a>')).toBe(
      '<a href="https://ok.example/" target="_blank" rel="noopener noreferrer">x</a>',
    )
    expect(await text(`<img src="${link.replaceAll('&', '&amp;')}">`)).toContain('sign=a')
  })

  it('loses what a word processor writes around it', () => {
    const word =
      '<!--StartFragment--><style>p.Mso{}</style><p class="MsoNormal" style="mso-list:l0" lang="EN-US"><b>粗</b><o:p></o:p></p><img src="file:///C:/a.png"><img src="data:image/png;base64,AA"><!--EndFragment-->'
    expect(tidyPaste(word)).toBe('<p><b>粗</b></p>')
  })
})

describe('R-BAR-10 the bell', () => {
  it('reads events as they arrive in pieces', () => {
    expect(eventsOf('retry: 3000\nevent: ready\ndata: {}\n\n:\n\nevent: not')).toEqual({
      events: [{ name: 'ready' }],
      rest: 'event: not',
    })
    expect(eventsOf('event: ready\ndata: {"rightsStamp":"12"}\n\n').events).toEqual([
      { name: 'ready', rightsStamp: 12 },
    ])
  })

  it('asks when the channel says so, and each minute where there is no channel', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let say: (text: string) => void = () => {}
    let unread = { notices: 1, messages: 0 }
    let channels = 0
    const counts = vi.fn(() => good(unread))
    serve({ 'blade-desk/notice/unread': counts })
    const served = globalThis.fetch
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      if (!address.includes('blade-desk/live')) return served(address, init)
      channels += 1
      if (channels > 1) return Promise.resolve(new Response('{}', { status: 429 }))
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          say = (words) => (words ? stream.enqueue(new TextEncoder().encode(words)) : stream.close())
        },
      })
      return Promise.resolve(new Response(body, { status: 200 }))
    })
    const stop = startNotices()
    try {
      await vi.waitFor(() => expect(unreadStore.get()).toEqual({ notices: 1, messages: 0 }))
      say('event: ready\ndata: {}\n\n')
      await vi.advanceTimersByTimeAsync(10)
      unread = { notices: 2, messages: 3 }
      say('event: notice\nda')
      say('ta: {}\n\n')
      await vi.advanceTimersByTimeAsync(1_100)
      expect(unreadStore.get()).toEqual({ notices: 2, messages: 3 })
      // The channel breaks off and cannot be opened again: it is asked every minute.
      say('')
      await vi.advanceTimersByTimeAsync(2_000)
      expect(channels).toBeGreaterThanOrEqual(2)
      const before = counts.mock.calls.length
      unread = { notices: 0, messages: 0 }
      await vi.advanceTimersByTimeAsync(61_000)
      expect(counts.mock.calls.length).toBeGreaterThan(before)
      expect(unreadStore.get()).toEqual({ notices: 0, messages: 0 })
    } finally {
      stop()
      vi.useRealTimers()
    }
  })

  it.each([
    ['rights were read before the channel stood', 'read, greeted', 1],
    ['the channel stood before they were read', 'greeted, read', 1],
    ['they were read after the change', 'read, greeted, as new', 0],
  ])(
    'R-AUTH-8 a right that changes while a page loads is heard of once the channel stands: %s',
    async (_, order, asks) => {
      await begin(['student_add'], '/wel/index')
      rightsStampStore.set(order.startsWith('read') ? (asks === 0 ? 8 : 7) : null)
      let held = ['student_add']
      let asked = 0
      serve({
        'blade-auth/oauth/user-info': good({
          userId: '1',
          tenantId: '000001',
          account: 'lin',
          roles: [],
          rightsStamp: '8',
        }),
        'blade-system/menu/top-menu': good([]),
        'blade-system/menu/routes': good([]),
        'blade-system/menu/buttons': () => {
          asked += 1
          return good(held.map((code) => ({ id: code, code, name: '' })))
        },
      })
      const served = globalThis.fetch
      vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
        if (!address.includes('blade-desk/live')) return served(address, init)
        const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
          pulls += 1
          if (pulls > 1) return new Promise<void>(() => {})
          stream.enqueue(new TextEncoder().encode('event: ready\ndata: {"rightsStamp":"8"}\n\n'))
        }
        const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
        return Promise.resolve(new Response(body, { status: 200 }))
      })
      held = []
      // The next piece is asked for when the one before it was heard.
      let pulls = 0
      const stop = startNotices()
      try {
        await waitFor(() => expect(pulls).toBe(2))
        // What was asked with the rights as they were before is there last.
        if (order.startsWith('greeted')) rightsStampStore.set(7)
        await waitFor(() => expect(asked).toBe(asks))
        expect([...codesStore.get()]).toEqual(asks === 0 ? ['student_add'] : [])
      } finally {
        stop()
        rightsStampStore.set(null)
      }
    },
  )

  it('R-AUTH-8 a right that is given back while its taking is still being looked at is there afterwards', async () => {
    await begin(['student_add'], '/wel/index')
    let held = ['student_add']
    let letGo: () => void = () => {}
    const slow = new Promise<void>((done) => {
      letGo = done
    })
    let asked = 0
    serve({
      'blade-auth/oauth/user-info': good({ userId: '1', tenantId: '000001', account: 'lin', roles: [] }),
      'blade-system/menu/top-menu': good([]),
      'blade-system/menu/routes': good([]),
      'blade-system/menu/buttons': async () => {
        const answer = good(held.map((code) => ({ id: code, code, name: '' })))
        asked += 1
        if (asked === 1) await slow
        return answer
      },
    })
    held = []
    const taken = lookAtRights(true)
    await waitFor(() => expect(asked).toBe(1))
    held = ['student_add']
    const given = lookAtRights(true)
    letGo()
    await Promise.all([taken, given])
    expect([...codesStore.get()]).toEqual(['student_add'])
    expect(asked).toBe(2)
  })

  it('opens mail, messages and notices; Esc closes them and gives the focus back', async () => {
    await begin([], '/wel/index')
    const seen = serve({
      'blade-desk/notice/noticeListByTenantIdAndClient': page([
        head('7', '停课通知'),
        head('8', '旧通知', '2026-09-02 08:00:00'),
      ]),
      'blade-desk/inbox/list': page([
        {
          id: '5',
          kind: 'import-done',
          title: '导入完成',
          body: null,
          link: null,
          readAt: null,
          createTime: '2026-09-01 08:00:00',
        },
      ]),
      'blade-desk/notice/unread': good({ notices: 1, messages: 1 }),
      'blade-desk/inbox/read': good(null),
    })
    sessionStore.set({ userId: '1', mustChange: false } as never)
    unreadStore.set({ notices: 1, messages: 1 })
    render(
      <QueryClientProvider client={queryClient}>
        <NoticeBell />
      </QueryClientProvider>,
    )
    const bell = screen.getByRole('button', { name: '通知与消息，2 条未读' })
    expect(bell.textContent).toBe('2')
    fireEvent.click(bell)
    const panel = await screen.findByRole('dialog', { name: '通知与消息' }, { timeout: 5_000 })
    expect(
      within(panel)
        .getAllByRole('tab')
        .map((tab) => tab.textContent),
    ).toEqual(['邮件', '消息（1）', '通知（1）'])
    const items = await within(panel).findAllByRole('link', { name: /通知 ?发布通知/ })
    expect(items.map((item) => item.getAttribute('href'))).toEqual(['/wel/notice?id=7', '/wel/notice?id=8'])
    expect(within(items[0]!).getByRole('img', { name: '未读' })).toBeTruthy()
    expect(within(items[1]!).queryByRole('img')).toBeNull()
    fireEvent.click(within(panel).getByRole('tab', { name: '邮件' }))
    expect(within(panel).getByText('暂无邮件')).toBeTruthy()
    fireEvent.click(within(panel).getByRole('tab', { name: '消息（1）' }))
    fireEvent.click(await within(panel).findByRole('button', { name: /导入完成/ }))
    await waitFor(() =>
      expect(seen.filter((call) => call.path === 'blade-desk/inbox/read').map((call) => call.query.get('ids'))).toEqual(
        ['5'],
      ),
    )
    fireEvent.keyDown(panel, { key: 'Escape' })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(bell)
  })
})

describe('R-ROUTE-4 /wel/notice', () => {
  it('shows a notice beside the list, counts anew when it was read, and takes the receipt by a press', async () => {
    await begin([], '/wel/notice?id=7')
    const seen = serve({
      'blade-desk/notice/noticeListByTenantIdAndClient': page([head('7', '停课通知')]),
      'blade-desk/notice/read': good({
        ...head('7', '停课通知', '2026-09-02 09:30:00'),
        needRead: 1,
        content: '<p>明天<script>alert(1)</script>停课</p>',
        attachments: [{ id: '9', name: '安排.pdf', size: 2048, link }],
      }),
      'blade-desk/notice/unread': good({ notices: 0, messages: 0 }),
      'blade-desk/notice/read-all': good(null),
      'blade-desk/notice/confirm': good({ confirmedAt: '2026-09-02 09:31:00' }),
    })
    show(httpCalls, <WelPage />)
    const article = await screen.findByRole('article', { name: '停课通知' })
    await waitFor(() => expect(within(article).getByText('明天停课')).toBeTruthy())
    expect(article.innerHTML).not.toContain('script')
    // It was opened, and not confirmed by that.
    expect(within(article).getByText('请阅读后确认。')).toBeTruthy()
    expect(seen.some((call) => call.path === 'blade-desk/notice/confirm')).toBe(false)
    fireEvent.click(within(article).getByRole('button', { name: '确认已阅' }))
    await waitFor(() => expect(within(article).getByText('您已于 2026-09-02 09:31 确认已阅')).toBeTruthy())
    expect(within(article).queryByRole('button', { name: '确认已阅' })).toBeNull()
    expect(within(article).getByRole('link', { name: '安排.pdf' }).getAttribute('href')).toBe(link)
    await waitFor(() => expect(seen.some((call) => call.path === 'blade-desk/notice/unread')).toBe(true))
    fireEvent.click(screen.getByRole('checkbox', { name: '只看未读' }))
    await waitFor(() => expect(seen.at(-1)?.query.get('unread')).toBe('1'))
    expect(place().query.get('unread')).toBe('1')
    fireEvent.click(screen.getByRole('button', { name: '全部已读' }))
    await waitFor(() => expect(seen.some((call) => call.path === 'blade-desk/notice/read-all')).toBe(true))
  })

  it('says so when a notice is gone', async () => {
    await begin([], '/wel/notice?id=7')
    serve({
      'blade-desk/notice/noticeListByTenantIdAndClient': page([]),
      'blade-desk/notice/read': { status: 404, body: { code: 404, success: false, msg: '不存在', data: null } },
    })
    show(httpCalls, <WelPage />)
    expect(await screen.findByText('该通知已下线或已过期')).toBeTruthy()
    expect(screen.getByText('暂无通知')).toBeTruthy()
  })
})

describe('R-NOTICE-2 the list of notices', () => {
  const row = (id: string, title: string, status: number) => ({
    id,
    title,
    status,
    version: 1,
    category: '1',
    targetType: '1',
    releaseTime: '2026-01-01 08:00:00',
    createTime: '2026-09-01 08:00:00',
    updateTime: '2026-09-01 08:00:00',
  })

  it('offers each state what makes sense for it, and publishes after a question', async () => {
    const codes = ['view', 'add', 'edit', 'delete', 'publish'].map((verb) => `notice_${verb}`)
    await begin(codes, '/desk/notice')
    const seen = serve({
      'blade-desk/notice/list': page([row('1', '草稿', 0), row('2', '已出', 2)]),
      'blade-system/dict-biz/dictionaries': good({}),
      'blade-desk/notice/publish': good([{ id: '1', status: 2 }]),
      'blade-desk/notice/withdraw': good(null),
    })
    show(httpCalls, <NoticePage />)
    await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]')).toHaveLength(2))
    const menuOf = (name: string) => {
      const line = screen.getByText(name, { selector: 'th *' }).closest('tr')!
      fireEvent.click(within(line).getByRole('button', { name: `${name}的更多操作` }))
      return screen.getAllByRole('menuitem').map((item) => item.textContent)
    }
    expect(menuOf('已出')).toEqual(['查看', '下线', '预览', '回执'])
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(menuOf('草稿')).toEqual(['查看', '编辑', '发布', '预览', '删除'])
    fireEvent.click(screen.getByRole('menuitem', { name: '发布' }))
    const question = await screen.findByText('发布“草稿”？')
    fireEvent.click(within(question.closest<HTMLElement>('dialog')!).getByRole('button', { name: '发布' }))
    await waitFor(() =>
      expect(
        seen.filter((call) => call.path === 'blade-desk/notice/publish').map((call) => call.query.get('ids')),
      ).toEqual(['1']),
    )
    await waitFor(() => expect(toastTexts()).toContain('已发布'))
  })

  it('R-KEY-1 the record offers what its row does, opened by address as well', async () => {
    const codes = ['view', 'add', 'edit', 'delete', 'publish'].map((verb) => `notice_${verb}`)
    await begin(codes, '/desk/notice?id=2')
    serve({
      'blade-desk/notice/list': page([row('1', '草稿', 0)]),
      'blade-desk/notice/detail': good(row('2', '已出', 2)),
      'blade-desk/notice/receipts': good({ read: 3, unread: 1, confirmed: 0, unconfirmed: 4, records: [], total: 0 }),
      'blade-system/dict-biz/dictionaries': good({}),
    })
    show(httpCalls, <NoticePage />)
    await screen.findByText('已读 3 / 未读 1')
    expect(screen.queryByRole('button', { name: '编辑' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^删除.*已出/ })).toBeNull()
    expect(screen.getByRole('button', { name: '提醒未读的人（1）' })).toBeDefined()
  })
})
