import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import ApiPage from '../src/pages/log/api.tsx'
import { barWidth } from '../src/pages/log/columns.tsx'
import { curlOf, laidOut } from '../src/pages/log/curl.ts'
import ErrorPage from '../src/pages/log/error.tsx'
import { boundsOf } from '../src/pages/log/range.ts'
import { good, serve } from './answers.ts'
import { begin, show } from './entity-world.tsx'

const row = {
  id: '396812345678901248',
  createTime: '2026-11-21 10:00:00',
  title: '学校：新增或修改',
  method: 'POST',
  requestUri: '/api/blade-user/school/submit',
  status: 200,
  time: 1_234,
  createBy: '王老师',
  remoteIp: '10.0.0.7',
  traceId: '396812345678901249',
}
const page = (records: readonly object[], more: object = {}) =>
  good({ total: records.length, size: 10, current: 1, pages: 1, records, more: 0, searchedTo: null, ...more })
const state = { 'blade-log/state': good({ queued: 0, lost: 0 }) }

afterEach(() => vi.unstubAllGlobals())

describe('R-LOG-5 the page of a log', () => {
  beforeEach(() => begin(['logapi_view', 'logerror_view'], '/monitor/log/api'))

  it('lists the newest, filters by what is pressed and typed, and keeps that in the address', async () => {
    const seen = serve({ ...state, 'blade-log/api/list': page([row]) })
    show(httpCalls, <ApiPage />)
    expect(await screen.findByText('/api/blade-user/school/submit')).toBeTruthy()
    const asked = () => seen.filter(({ path }) => path === 'blade-log/api/list').at(-1)!.query
    // What is searched is said as in every other list.
    expect(screen.getByRole('textbox', { name: '请求地址' }).getAttribute('placeholder')).toBe('搜索请求地址')
    expect(asked().get('createTime_datege')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    fireEvent.click(screen.getByRole('button', { name: '失败' }))
    await waitFor(() => expect(asked().get('status_ge')).toBe('400'))
    fireEvent.click(screen.getByRole('button', { name: '慢于 1 秒' }))
    await waitFor(() => expect(asked().get('time_ge')).toBe('1000'))
    // The time is a filter like any other: a chip that opens its values, or leaves.
    fireEvent.click(screen.getByRole('button', { name: '时间：7 天' }))
    fireEvent.click(await screen.findByRole('button', { name: '1 小时' }))
    expect(await screen.findByRole('button', { name: '时间：1 小时' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '取消筛选：时间' }))
    await waitFor(() => expect(asked().has('createTime_datege')).toBe(false))
    fireEvent.click(screen.getByRole('button', { name: '筛选' }))
    fireEvent.click(await screen.findByRole('button', { name: '来源地址' }))
    fireEvent.change(screen.getByRole('textbox', { name: '来源地址' }), { target: { value: '10.0' } })
    await waitFor(() => expect(asked().get('remoteIp')).toBe('10.0'))
    expect(new URL(location.href).searchParams.get('remoteIp')).toBe('10.0')
    fireEvent.click(screen.getByRole('button', { name: '失败' }))
    await waitFor(() => expect(asked().has('status_ge')).toBe(false))
    // One chip has its own cross; a way to clear them all is there from two on.
    expect(document.querySelector('.filter-clear')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '返回筛选条件' }))
    fireEvent.click(await screen.findByRole('button', { name: '接口' }))
    fireEvent.change(screen.getByRole('textbox', { name: '接口' }), { target: { value: '保存' } })
    await waitFor(() => expect(asked().get('title')).toBe('保存'))
    fireEvent.click(await waitFor(() => document.querySelector('.filter-clear')!))
    await waitFor(() => expect([...asked().keys()].sort()).toEqual(['createTime_datege', 'current', 'size']))
  })

  it('opens a row with all that it holds, and copies it as curl without the token', async () => {
    const write = vi.fn(async () => {})
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText: write } }))
    serve({
      ...state,
      'blade-log/api/list': page([row]),
      'blade-log/api/detail': good({ ...row, params: '{"name":"a","phone":"*********78"}' }),
    })
    show(httpCalls, <ApiPage />)
    fireEvent.click(await screen.findByRole('button', { name: /的详情$/ }))
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText(/"phone": "\*{9}78"/)).toBeTruthy()
    fireEvent.click(within(drawer).getByRole('button', { name: '复制为 curl' }))
    await waitFor(() => expect(write).toHaveBeenCalledOnce())
    expect(write.mock.calls).toEqual([
      [
        `curl -X POST '${location.origin}/api/blade-user/school/submit' \\\n  -H "Blade-Auth: bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  --data '{"name":"a","phone":"*********78"}'`,
      ],
    ])
  })

  it('says that more were found than counted, how far back was searched, and what was lost', async () => {
    serve({
      'blade-log/state': good({ queued: 3, lost: 7 }),
      'blade-log/api/list': page([row], { total: 10_000, more: 1, pages: 1000 }),
    })
    show(httpCalls, <ApiPage />)
    expect(await screen.findByText('超过 10,000 条')).toBeTruthy()
    expect(await screen.findByText(/有 7 条日志未能保存/)).toBeTruthy()
    vi.unstubAllGlobals()
    serve({
      ...state,
      'blade-log/api/list': page([], { more: 1, searchedTo: '2026-11-01 00:00:00' }),
    })
    fireEvent.click(screen.getByRole('button', { name: '失败' }))
    expect(await screen.findByText(/到 2026-11-01 00:00:00 为止/)).toBeTruthy()
  })

  it('shows nothing without the right, and what went wrong with a way to try again', async () => {
    const seen = serve({
      ...state,
      'blade-log/api/list': { status: 503, body: { code: 503, success: false, msg: '稍后再试' } },
    })
    const shown = show(httpCalls, <ApiPage />)
    expect(await screen.findByText('稍后再试')).toBeTruthy()
    const before = seen.length
    fireEvent.click(screen.getByRole('button', { name: /重试|再试/ }))
    await waitFor(() => expect(seen.length).toBeGreaterThan(before))
    shown.unmount()
    await act(async () => begin([], '/monitor/log/api'))
    seen.length = 0
    show(httpCalls, <ApiPage />)
    expect(screen.getByText(/没有.*权限/)).toBeTruthy()
    expect(seen).toEqual([])
  })

  it('merges errors that are alike, with counts, and leads from one kind to its rows', async () => {
    begin(['logerror_view'], '/monitor/log/error')
    const seen = serve({
      ...state,
      'blade-log/error/list': page([]),
      'blade-log/error/groups': good({
        searchedTo: null,
        groups: [
          {
            ...{ id: '1', title: 'x is undefined', exceptionName: 'TypeError', count: 42, people: 3 },
            ...{ firstTime: '2026-11-01 08:00:00', createTime: '2026-11-21 08:00:00' },
          },
        ],
      }),
    })
    show(httpCalls, <ErrorPage />)
    fireEvent.click(await screen.findByRole('button', { name: '按内容合并' }))
    expect(await screen.findByText('42')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '逐条查看 x is undefined' }))
    await waitFor(() =>
      expect(
        seen
          .filter(({ path }) => path === 'blade-log/error/list')
          .at(-1)
          ?.query.get('title'),
      ).toBe('x is undefined'),
    )
  })
})

describe('what a log row is turned into', () => {
  it('is a command that a shell takes as one word each, whatever stands in it', () => {
    const get = { ...row, method: 'GET', params: `{"name":"it's; rm -rf /","ids":["1","2"]}` }
    expect(curlOf(get, 'https://school.example')).toBe(
      `curl -X GET 'https://school.example/api/blade-user/school/submit?name=it%27s%3B+rm+-rf+%2F&ids=%5B%221%22%2C%222%22%5D' \\\n  -H "Blade-Auth: bearer $TOKEN"`,
    )
    expect(curlOf({ ...row, params: `{"remark":"it's $(x)"}` }, '')).toContain(`--data '{"remark":"it'\\''s $(x)"}'`)
    expect(curlOf({ ...row, params: 'cut off {' }, '')).not.toContain('--data')
    expect([laidOut('{"a":1}'), laidOut('{"a":'), laidOut(null)]).toEqual(['{\n  "a": 1\n}', '{"a":', ''])
  })

  it('is a bar of at most 60 px', () => {
    expect([0, 9, 99, 999, 9_999, 10_000_000].map(barWidth)).toEqual([2, 15, 30, 45, 60, 60])
  })

  it('is a range in the time of China, whatever the browser’s', () => {
    const now = Date.parse('2026-11-21T02:00:00Z')
    expect(boundsOf({ range: 'hour', from: '', to: '' }, now)).toEqual({ createTime_datege: '2026-11-21 09:00:00' })
    expect(boundsOf({ range: 'all', from: '', to: '' }, now)).toEqual({})
    expect(boundsOf({ range: 'week', from: '', to: '2026-01-01 00:00:00' }, now)).toEqual({
      createTime_datele: '2026-01-01 00:00:00',
    })
  })
})
