import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commonWords } from '../src/locales/common.ts'
import { shellWords } from '../src/locales/shell.ts'
import { specTexts } from '../src/locales/spec-texts.ts'
import AccountMenu from '../src/shell/account-menu.tsx'
import { clearLogs, logError, logStore, maskSecrets } from '../src/shell/log.ts'
import LogsDialog from '../src/shell/logs-dialog.tsx'
import { ConfirmHost } from '../src/ui/confirm.tsx'
import { toasts } from '../src/ui/toast.ts'
import { ToastHost } from '../src/ui/toast-host.tsx'
import { addWords } from '../src/ui/words.ts'
import { good, serve } from './answers.ts'

addWords({ ...commonWords, ...shellWords, ...specTexts })

beforeEach(() => {
  clearLogs()
  toasts.set([])
})
afterEach(() => vi.unstubAllGlobals())

const fault = (message: string, stack = `Error: ${message}\n  at one\n  at two\n  at three`): Error =>
  Object.assign(new Error(message), { stack })

function open(): void {
  render(
    <>
      <LogsDialog />
      <ConfirmHost />
      <ToastHost />
    </>,
  )
}
const rows = (): string[][] =>
  screen
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th,td')].map((cell) => cell.textContent?.trim() ?? ''))
async function answer(name: string): Promise<void> {
  await act(async () => {
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name }))
  })
}

describe('R-BAR-8 the local logs', () => {
  it('R-ERR-3 are shown with type, address, message, stack and time, the newest first, the same ones once', () => {
    logError(fault('first'), 'page')
    logError(fault('again', 'one line'), 'page')
    logError(fault('again', 'one line'), 'page')
    open()
    const [head, newest, oldest] = rows()
    expect(head).toEqual(['类型', '地址', '内容', '错误堆栈', '时间'])
    expect(newest?.slice(0, 3)).toEqual(['error', window.location.href, 'again ×2'])
    expect(oldest?.[2]).toBe('first')
    expect(newest?.[4]).toMatch(/\d\d:\d\d:\d\d$/)
    const more = screen.getByRole('button', { name: '展开' })
    fireEvent.click(more)
    expect(screen.getByRole('button', { name: '收起' }).getAttribute('aria-expanded')).toBe('true')
  })

  it('are masked before they are stored', () => {
    logError(fault('token bsa_000000_abcdefghijklmnop of 13812345678, 110103199001011234'), 'x')
    const text = localStorage.getItem('databrain-logs') ?? ''
    expect(text).toContain('*********78')
    for (const secret of ['abcdefghijklmnop', '13812345678', '110103199001011234']) expect(text).not.toContain(secret)
    expect(maskSecrets('nothing to hide in 2026-11-21')).toBe('nothing to hide in 2026-11-21')
  })

  it('are sent after a question, in parts that the server takes; 发送成功! and only what came meanwhile stays', async () => {
    // 60 of some 4 kB are 240 kB: the server takes 64 kB at a time.
    for (let at = 0; at < 60; at++) logError(fault(`error ${at}`, `${at} `.padEnd(4000, '文')), 'x')
    const all = logStore.get()
    const seen = serve({
      'blade-auth/oauth/logout': () => {
        if (seen.length === 1) logError(fault('meanwhile'), 'x')
        return good({ taken: 1, lost: 0 })
      },
    })
    open()
    fireEvent.click(screen.getByRole('button', { name: '上传到服务器' }))
    expect(seen).toHaveLength(0)
    await answer('上传到服务器')
    await screen.findByText('发送成功!')
    expect(seen.every((call) => call.init.method === 'POST')).toBe(true)
    const sent = seen.map((call) => String(call.init.body))
    expect(sent.length).toBeGreaterThan(1)
    for (const body of sent) expect(new TextEncoder().encode(body).length).toBeLessThan(65_536)
    expect(sent.flatMap((body) => JSON.parse(body))).toEqual(all)
    expect(logStore.get().map((entry) => entry.message)).toEqual(['meanwhile'])
  })

  it('stay when the server does not take them', async () => {
    logError(fault('kept'), 'x')
    serve({
      'blade-auth/oauth/logout': { status: 429, body: { code: 429, success: false, msg: '请稍后再试', data: null } },
    })
    open()
    fireEvent.click(screen.getByRole('button', { name: '上传到服务器' }))
    await answer('上传到服务器')
    expect(screen.queryByText('发送成功!')).toBeNull()
    expect(logStore.get()).toHaveLength(1)
  })

  it('are cleared after a question: 清空成功!', async () => {
    logError(fault('gone'), 'x')
    open()
    fireEvent.click(screen.getByRole('button', { name: '清空本地日志' }))
    await answer('取消')
    expect(logStore.get()).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: '清空本地日志' }))
    await answer('清空本地日志')
    expect(screen.getByText('清空成功!')).toBeDefined()
    expect(logStore.get()).toHaveLength(0)
    expect(JSON.parse(localStorage.getItem('databrain-logs') ?? '{}').content).toEqual([])
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('are counted in the avatar’s menu, to 99 and no further', () => {
    const badge = () => document.querySelector('.badge')?.textContent
    render(<AccountMenu label="" name="" spot={{ x: 0, y: 0 }} onClose={() => undefined} />)
    expect(screen.queryByRole('menuitem', { name: '本地日志' })).toBeNull()
    for (const [until, shown] of [
      [1, '1'],
      [99, '99'],
      [100, '99+'],
    ] as const) {
      act(() => {
        while (logStore.get().length < until) logError(fault(`n ${logStore.get().length}`, ''), 'x')
      })
      expect(badge()).toBe(shown)
    }
  })
})
