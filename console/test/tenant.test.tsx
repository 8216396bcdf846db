import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls, type ShownRow } from '../src/entity/data/calls.ts'
import TenantPage from '../src/pages/tenant/page.tsx'
import { stateOf } from '../src/pages/tenant/state.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const codes = ['tenant_view', 'tenant_add', 'tenant_edit', 'tenant_delete', 'tenant_setting', 'tenant_purge']

const wire = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const inDays = (days: number) => wire(Date.now() + days * 86_400_000 + 3_600_000)

const row = (id: string, tenantId: string, tenantName: string, more: object = {}): ShownRow =>
  ({
    ...{ id, tenantId, tenantName, status: 1, version: 1, createTime: '2026-09-01 08:00:00', accountNumber: -1 },
    ...{ linkman: '林', contactNumber: '13800138000', expireTime: null, purgeAfter: null, ...more },
  }) as unknown as ShownRow

const platform = row('1', '000000', '管理组')
const active = row('2', '200002', '东城小学')
const other = row('3', '300003', '西城中学', { accountNumber: 20 })
const leaving = row('4', '400004', '南城中学', { status: 9, purgeAfter: inDays(12) })

const entry = (dictKey: string, dictValue: string) => ({ dictKey, dictValue, dictValueEn: dictValue, sort: 1 })
const states = [entry('1', '正常'), entry('2', '试用'), entry('3', '过期'), entry('0', '停用'), entry('9', '待清除')]

let seen: Seen[]
const sent = (path: string) => seen.filter((call) => call.path === `blade-system/tenant/${path}`)
const bodyOf = (call: Seen | undefined) => JSON.parse(String(call?.init.body)) as Record<string, unknown>

async function list(): Promise<void> {
  const rows = [platform, active, other, leaving]
  seen = serve({
    'blade-system/tenant/list': good({ total: 4, size: 10, current: 1, pages: 1, records: rows }),
    'blade-system/tenant/submit': ({ init }) => {
      const draft = JSON.parse(String(init.body)) as Record<string, unknown>
      return good({ ...row('9', '900009', String(draft.tenantName ?? '')), ...draft, password: 'One-Time-7788' })
    },
    'blade-system/tenant/setting': good(null),
    'blade-system/tenant/purge': good({ jobId: '77' }),
    'blade-system/job/own': good({
      id: '77',
      state: 'done',
      progress: 2,
      total: 2,
      result: { tenantId: '400004', tenantName: '南城中学', rows: { student: 1200, dept: 0 } },
      failure: null,
    }),
    'blade-system/dict-biz/dictionaries': good({ tenant_state: states }),
  })
  show(httpCalls, <TenantPage />)
  await screen.findByText('东城小学')
}

const rowOf = (name: string) => screen.getByText(name).closest('tr')!
const actionsOf = (name: string) =>
  [...rowOf(name).querySelectorAll('[data-act]')].map((at) => (at as HTMLElement).dataset.act)
async function menuOf(name: string): Promise<string[]> {
  fireEvent.click(rowOf(name).querySelector('[data-act=more]')!)
  const menu = await screen.findByRole('menu')
  return within(menu)
    .getAllByRole('menuitem')
    .map((item) => item.textContent ?? '')
}

beforeEach(() => begin(codes, '/system/tenant'))
afterEach(() => vi.unstubAllGlobals())

describe('tenants', () => {
  it('say their state as it is now: the stored one, or that their time is over, and the days that are left', () => {
    const now = Date.now()
    const state = (status: number, expireTime: string | null, purgeAfter: string | null = null) => {
      const { state, days, tone } = stateOf({ status, expireTime, purgeAfter }, now)
      return [state, days, tone]
    }
    expect(state(1, null)).toEqual([1, null, 'good'])
    expect(state(1, inDays(200))).toEqual([1, null, 'good'])
    expect(state(1, inDays(5))).toEqual([1, 5, 'warn'])
    expect(state(2, inDays(60))).toEqual([2, null, 'warn'])
    expect(state(1, inDays(-2))).toEqual([3, null, 'off'])
    expect(state(0, inDays(-2))).toEqual([0, null, 'off'])
    expect(state(9, null, inDays(29))).toEqual([9, 29, 'warn'])
    expect(state(9, null, inDays(-1))).toEqual([9, 0, 'warn'])
  })

  it('R-PROD-3 offers what fits a tenant: the platform stays, and a deleted one comes back or goes for good', async () => {
    await list()
    await waitFor(() => expect(within(rowOf('南城中学')).getByText('待清除 · 剩 12 天')).toBeTruthy())
    expect(actionsOf('南城中学')).toEqual(['view', 'more'])
    expect(await menuOf('南城中学')).toEqual(['查看', '恢复', '彻底清除'])
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    const group = await menuOf('管理组')
    for (const entry of ['停用', '删除']) expect(group).not.toContain(entry)
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    const primary = await menuOf('东城小学')
    for (const entry of ['停用', '删除']) expect(primary).toContain(entry)
  })

  it('R-PROD-3 a new one begins with what it is called', async () => {
    await list()
    fireEvent.click(screen.getByRole('button', { name: '新增租户' }))
    const form = await screen.findByRole('dialog')
    const name = await within(form).findByLabelText(/^租户名称/)
    await waitFor(() => expect(document.activeElement).toBe(name))
    const fields = [...form.querySelectorAll<HTMLElement>('[data-field]')].map((one) => one.dataset.field)
    expect(fields.slice(0, 4)).toEqual(['tenantName', 'tenantId', 'domain', 'account'])
  })

  it('R-PROD-3 a quota is no limit in words, and chosen without knowing a number for it', async () => {
    await list()
    fireEvent.click(screen.getByRole('button', { name: '新增租户' }))
    const form = await screen.findByRole('dialog')
    const defaults = (await within(form).findByText('已用默认值')).parentElement!
    expect(defaults.textContent).toContain('账号额度：不限')
    expect(form.textContent).not.toContain('-1')
    fireEvent.click(within(defaults).getByRole('button', { name: '修改' }))
    const none = within(form).getByRole<HTMLInputElement>('checkbox', { name: '账号额度 不限' })
    const number = () => form.querySelector<HTMLInputElement>('[data-field=accountNumber] input:not([type=checkbox])')!
    expect([none.checked, number().disabled, number().value]).toEqual([true, true, ''])
    fireEvent.click(none)
    expect([none.checked, number().disabled]).toEqual([false, false])
    // Neither a limit nor none: asked for.
    fireEvent.blur(number())
    await within(form).findByText('请填写账号额度')
    fireEvent.change(number(), { target: { value: '30' } })
    const type = (field: string, value: string) =>
      fireEvent.change(form.querySelector(`[data-field=${field}] input`)!, { target: { value } })
    type('tenantName', '北城小学')
    type('linkman', '王')
    type('contactNumber', '13900139000')
    fireEvent.click(within(form).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(sent('submit')).toHaveLength(1))
    expect(bodyOf(sent('submit')[0])).toMatchObject({ accountNumber: 30, quotaStorageMb: 10240 })
  })

  it('a new one names its first administrator, and the password is told once and kept nowhere', async () => {
    await list()
    fireEvent.click(screen.getByRole('button', { name: '新增租户' }))
    const form = await screen.findByRole('dialog')
    const type = (field: string, value: string) =>
      fireEvent.change(form.querySelector(`[data-field=${field}] input`)!, { target: { value } })
    await waitFor(() => expect(form.querySelector('[data-field=account] input')).toBeTruthy())
    type('tenantName', '北城小学')
    type('linkman', '王')
    type('contactNumber', '13900139000')
    type('account', 'beicheng')
    fireEvent.click(within(form).getByRole('button', { name: '保存' }))
    const told = await screen.findByText('One-Time-7788')
    expect(bodyOf(sent('submit')[0])).toMatchObject({ tenantName: '北城小学', account: 'beicheng', accountNumber: -1 })
    const dialog = told.closest<HTMLElement>('[role=dialog]')!
    expect(dialog.textContent).toContain('900009')
    expect(dialog.textContent).toContain('/login?tenant=900009')
    fireEvent.keyDown(dialog, { key: 'Escape' })
    expect(screen.queryByText('One-Time-7788')).toBeTruthy()
    fireEvent.click(within(dialog).getByRole('button', { name: '我已保存' }))
    await waitFor(() => expect(screen.queryByText('One-Time-7788')).toBeNull())
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('One-Time-7788')
  })

  it('many get one quota and expiry at once; nothing that is no number is sent', async () => {
    await list()
    for (const name of ['东城小学', '西城中学']) fireEvent.click(screen.getByRole('checkbox', { name: `选择 ${name}` }))
    fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: '授权配置' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('东城小学、西城中学')
    fireEvent.click(within(dialog).getByRole('checkbox', { name: '账号额度 不限' }))
    const quota = within(dialog).getByRole('textbox', { name: '账号额度' })
    fireEvent.change(quota, { target: { value: '3o' } })
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await within(dialog).findByText('请输入 0 到 1000000 的整数')
    expect(sent('setting')).toEqual([])
    fireEvent.change(quota, { target: { value: '30' } })
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('更新成功'))
    expect(String(sent('setting')[0]?.init.body)).toBe('ids=2%2C3&accountNumber=30&quotaStorageMb=-1&expireTime=')
  })

  it('R-LIST-4 a dialog asks before it throws away what was typed, and brings it back after a reload', async () => {
    const open = async () => {
      fireEvent.click(screen.getByRole('checkbox', { name: '选择 东城小学' }))
      fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: '授权配置' }))
      return screen.findByRole('dialog')
    }
    await list()
    const dialog = await open()
    // Nothing was typed: nothing is asked.
    expect(within(dialog).queryByText('已恢复未保存的修改。')).toBeNull()
    fireEvent.click(within(dialog).getByRole('checkbox', { name: '存储额度（MB） 不限' }))
    fireEvent.change(within(dialog).getByRole('textbox', { name: '存储额度（MB）' }), { target: { value: '512' } })
    fireEvent.click(within(dialog).getByRole('button', { name: '取消' }))
    const question = await screen.findByRole('alertdialog', { hidden: true })
    expect(question.textContent).toContain('放弃未保存的修改？')
    fireEvent.click(within(question).getByText('继续编辑'))
    await waitFor(() => expect(screen.queryByRole('alertdialog', { hidden: true })).toBeNull())
    // As after a reload: the page is drawn anew, and only what the browser keeps is left.
    cleanup()
    await list()
    const again = await open()
    within(again).getByText('已恢复未保存的修改。')
    const box = within(again).getByRole<HTMLInputElement>('textbox', { name: '存储额度（MB）' })
    expect(box.value).toBe('512')
    fireEvent.click(within(again).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('更新成功'))
    expect(String(sent('setting')[0]?.init.body)).toContain('quotaStorageMb=512')
    expect(Object.keys(sessionStorage).filter((key) => key.includes('dialog:'))).toEqual([])
  })

  it('is purged only once its code was typed, and shows what was deleted', async () => {
    await list()
    await menuOf('南城中学')
    fireEvent.click(screen.getByRole('menuitem', { name: '彻底清除' }))
    const dialog = await screen.findByRole('dialog')
    const purge = within(dialog).getByRole('button', { name: '彻底清除' })
    const box = within(dialog).getByRole('textbox')
    fireEvent.change(box, { target: { value: '南城中学' } })
    fireEvent.click(purge)
    await within(dialog).findByText('与“400004”不一致')
    expect(sent('purge')).toEqual([])
    fireEvent.change(box, { target: { value: '400004' } })
    fireEvent.click(purge)
    await screen.findByText('共删除 1,200 行，涉及 1 张表。')
    expect(Object.fromEntries(sent('purge')[0]!.query)).toEqual({ ids: '4', confirm: '400004' })
  })
})
