import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls, type ShownRow } from '../src/entity/data/calls.ts'
import SmsPage from '../src/pages/sms/page.tsx'
import { good, type Seen, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const codes = ['sms_view', 'sms_add', 'sms_edit', 'sms_delete', 'sms_enable', 'sms_send', 'smslog_view']

const row = (id: string, smsCode: string, more: object): ShownRow =>
  ({
    id,
    smsCode,
    version: 1,
    status: 1,
    createTime: '2026-09-01 08:00:00',
    accessKey: null,
    ...more,
  }) as unknown as ShownRow
const aliyun = row('1', 'ali', {
  category: '3',
  templateId: 'SMS_1',
  signName: '学校',
  status: 2,
  accessKey: '******',
  secretKey: '******',
})
const outbox = row('2', 'box', { category: '6', content: '验证码 #code#,#minutes#分钟内有效', signName: '学校' })

const entry = (dictKey: string, dictValue: string) => ({ dictKey, dictValue, dictValueEn: dictValue, sort: 1 })
const dictionaries = {
  sms: [entry('1', '云片'), entry('3', '阿里云'), entry('4', '腾讯云'), entry('6', '开发发件箱')],
  enable_status: [entry('1', '未启用'), entry('2', '已启用')],
  sms_state: [entry('0', '待发送'), entry('1', '已发送'), entry('2', '重试中'), entry('3', '已失败')],
  sms_purpose: [entry('test', '调试')],
}

let seen: Seen[]
const sent = (path: string) => seen.filter((call) => call.path === `blade-resource/sms/${path}`)
let states: string[] = []

async function list(): Promise<void> {
  const page = (records: ShownRow[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })
  seen = serve({
    'blade-resource/sms/list': ({ query }) => page(query.get('status') === '2' ? [aliyun] : [aliyun, outbox]),
    'blade-resource/sms/detail': ({ query }) => good(query.get('id') === '1' ? aliyun : outbox),
    'blade-resource/sms/enable': good({ id: '2' }),
    'blade-resource/sms/endpoint/send-message': good({ ids: ['77'] }),
    'blade-resource/smslog/detail': () => {
      const state = states.length > 1 ? states.shift() : states[0]
      return good({
        id: '77',
        state,
        tries: state === '0' ? 0 : 2,
        failure: state === '3' ? 'isv.OUT_OF_SERVICE' : null,
        messageId: null,
      })
    },
    'blade-resource/sms/outbox': good([
      {
        id: '9',
        smsCode: 'box',
        purpose: 'test',
        sentAt: '2026-09-01 09:00:00',
        phone: '*********00',
        text: '<b>验证码</b> 1234',
      },
    ]),
    'blade-system/dict-biz/dictionaries': good(dictionaries),
  })
  show(httpCalls, <SmsPage />)
  await screen.findByText('box')
}
const rowOf = (name: string) => screen.getByText(name).closest('tr')!
const typeIn = (box: HTMLElement, label: RegExp, value: string) =>
  fireEvent.change(within(box).getByLabelText(label), { target: { value } })

beforeEach(() => begin(codes, '/resource/sms'))
afterEach(() => vi.unstubAllGlobals())

describe('SMS services', () => {
  it('one is on: turning another on says which goes off, and does it by its own call', async () => {
    await list()
    const [on, off] = ['ali', 'box'].map((name) => within(rowOf(name)).getByRole('switch'))
    await waitFor(() => expect([on!.textContent, off!.textContent]).toEqual(['已启用', '未启用']))
    expect([on, off].map((one) => one!.getAttribute('aria-checked'))).toEqual(['true', 'false'])
    fireEvent.click(off!)
    const asked = await screen.findByRole('alertdialog', { hidden: true })
    expect(asked.textContent).toContain('将停用“ali”')
    expect(sent('enable')).toEqual([])
    fireEvent.click(within(asked).getByRole('button', { name: '启用', hidden: true }))
    await waitFor(() => expect(sent('enable').map((call) => call.query.get('id'))).toEqual(['2']))
    await waitFor(() => expect(toastTexts().join()).toContain('已启用“box”'))
  })

  it('the form asks for what the chosen kind needs, under that kind’s names, and never for the status', async () => {
    await list()
    fireEvent.click(
      within(rowOf('ali'))
        .getAllByRole('button', { name: /编辑|ali/ })
        .find((button) => (button as HTMLElement).dataset.act === 'edit')!,
    )
    const form = await screen.findByRole('dialog')
    await waitFor(() => expect(form.querySelector('[data-field=templateId]')).toBeTruthy())
    const fields = [...form.querySelectorAll<HTMLElement>('[data-field]')].map((field) => field.dataset.field)
    // Which ones, not in which order: that is the definition's.
    expect(fields.sort()).toEqual(
      ['category', 'smsCode', 'templateId', 'accessKey', 'secretKey', 'signName', 'endpoint', 'remark'].sort(),
    )
    expect(form.querySelector('[data-field=templateId]')!.textContent).toContain('模板 CODE')
    expect(form.querySelector('[data-field=accessKey]')!.textContent).toContain('AccessKey ID')
    const template = form.querySelector<HTMLInputElement>('[data-field=templateId] input')!
    fireEvent.change(template, { target: { value: '' } })
    fireEvent.click(within(form).getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(
        form.querySelector(
          '[data-field=templateId] [role=alert], [data-field=templateId] .ff-wrong, [data-field=templateId] [aria-invalid=true]',
        ),
      ).toBeTruthy(),
    )
    expect(sent('submit')).toEqual([])
  })

  it('a test shows the text before and the result after, sends the number in no address, and one wish once', async () => {
    await list()
    states = ['0', '2', '3']
    fireEvent.click(rowOf('box').querySelector('[data-act=more]')!)
    fireEvent.click(await screen.findByRole('menuitem', { name: '调试' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: '发送' }))
    expect(within(dialog).getByText('请输入手机号码')).toBeTruthy()
    typeIn(dialog, /手机号码/, '13800138000')
    typeIn(dialog, /变量 code/, '1234')
    expect(within(dialog).getByRole('region', { name: '短信预览' }).textContent).toContain(
      '【学校】验证码 1234,#minutes#分钟内有效',
    )
    fireEvent.click(within(dialog).getByRole('button', { name: '发送' }))
    fireEvent.click(within(dialog).getByRole('button', { name: '发送' }))
    await waitFor(() =>
      expect(within(dialog).getByRole('region', { name: '发送结果' }).textContent).toContain('正在发送'),
    )
    const calls = sent('endpoint/send-message')
    expect(calls.map(({ query }) => query.toString())).toEqual([''])
    const given = new URLSearchParams(String(calls[0]!.init.body))
    expect(Object.fromEntries(given)).toMatchObject({
      code: 'box',
      phones: '13800138000',
      params: '{"code":"1234"}',
      purpose: 'test',
    })
    expect(given.get('requestKey')).toMatch(/^[0-9a-f]{32}$/)
    await waitFor(
      () =>
        expect(within(dialog).getByRole('region', { name: '发送结果' }).textContent).toContain('已失败 已尝试 2 次'),
      { timeout: 5_000 },
    )
    expect(within(dialog).getByText('原因：isv.OUT_OF_SERVICE')).toBeTruthy()
  })

  it('the outbox shows texts as texts', async () => {
    await list()
    fireEvent.click(screen.getByRole('link', { name: '开发发件箱' }))
    expect(await screen.findByText('<b>验证码</b> 1234')).toBeTruthy()
    expect(screen.getByText('*********00')).toBeTruthy()
  })

  it('who may not switch, send or read the log is offered none of it', async () => {
    begin(['sms_view'], '/resource/sms')
    await list()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(rowOf('box').querySelector('[data-act=more]')).toBeNull()
    expect(screen.queryByRole('link', { name: '发送记录' })).toBeNull()
  })
})
