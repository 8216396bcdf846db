import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls, type ShownRow } from '../src/entity/data/calls.ts'
import MailPage from '../src/pages/mail/page.tsx'
import { good, type Seen, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const codes = ['mail_view', 'mail_add', 'mail_edit', 'mail_delete', 'mail_enable', 'mail_send', 'maillog_view']
const row = (id: string, mailCode: string, status: number): ShownRow =>
  ({
    ...{ id, mailCode, status, version: 1, createTime: '2026-09-01 08:00:00' },
    ...{ host: 'smtp.example.com', port: 465, encryption: '1', account: 'office', password: '******' },
    ...{ fromAddress: 'office@school.example', perMinute: 20, perDay: 500 },
  }) as unknown as ShownRow
const entry = (dictKey: string, dictValue: string) => ({ dictKey, dictValue, dictValueEn: dictValue, sort: 1 })

let seen: Seen[]
let answers: { ok: number; message: string }[] = []
const sent = (path: string) => seen.filter((call) => call.path === `blade-resource/mail/${path}`)

async function list(): Promise<void> {
  const records = [row('1', 'first', 2), row('2', 'second', 1)]
  seen = serve({
    'blade-resource/mail/list': good({ total: 2, size: 10, current: 1, pages: 1, records }),
    'blade-resource/mail/enable': good({ id: '2' }),
    'blade-resource/mail/send-test': () => good({ ...answers.shift(), id: '9' }),
    'blade-system/dict-biz/dictionaries': good({
      mail_encryption: [entry('1', 'SSL/TLS')],
      enable_status: [entry('1', '未启用'), entry('2', '已启用')],
    }),
  })
  show(httpCalls, <MailPage />)
  await screen.findByText('second')
}
const rowOf = (name: string) => screen.getByText(name).closest('tr')!

beforeEach(() => begin(codes, '/resource/mail'))
afterEach(() => vi.unstubAllGlobals())

describe('R-DEV-7 mail services', () => {
  it('R-DEV-7 one is on: another is turned on by its own call, after a question', async () => {
    await list()
    const off = within(rowOf('second')).getByRole('switch')
    await waitFor(() => expect(off.textContent).toBe('未启用'))
    fireEvent.click(off)
    const asked = await screen.findByRole('alertdialog', { hidden: true })
    expect(asked.textContent).toContain('之后的邮件都由“second”发送')
    expect(sent('enable')).toEqual([])
    fireEvent.click(within(asked).getByRole('button', { name: '启用', hidden: true }))
    await waitFor(() => expect(sent('enable').map((call) => call.query.get('id'))).toEqual(['2']))
    await waitFor(() => expect(toastTexts().join()).toContain('已启用“second”'))
  })

  it('R-DEV-7 a test refuses what is no address, and shows what the server said, good or bad', async () => {
    await list()
    answers = [
      { ok: 0, message: '账号或密码错误：535 Invalid login' },
      { ok: 1, message: '邮件服务器已收下：250 OK' },
    ]
    fireEvent.click(rowOf('second').querySelector('[data-act=more]')!)
    fireEvent.click(await screen.findByRole('menuitem', { name: '测试' }))
    const dialog = await screen.findByRole('dialog')
    const press = (name: string) => fireEvent.click(within(dialog).getByRole('button', { name }))
    const typeIn = (value: string) => fireEvent.change(within(dialog).getByLabelText(/收件地址/), { target: { value } })
    press('发送')
    expect(within(dialog).getByText('请输入收件地址')).toBeTruthy()
    typeIn('nobody')
    press('发送')
    expect(sent('send-test')).toEqual([])
    typeIn('me@school.example')
    press('发送')
    await within(dialog).findByText('账号或密码错误：535 Invalid login')
    press('发送')
    await within(dialog).findByText('邮件服务器已收下：250 OK')
    expect(within(dialog).queryByText(/535/)).toBeNull()
    // An address of somebody stands in no address of a call.
    expect(sent('send-test').map((call) => call.query.size)).toEqual([0, 0])
    expect(within(dialog).getByRole('button', { name: '再发一封' })).toBeTruthy()
  })
})
