import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import { pairsOf, settingsOf, wrongKeys } from '../src/entity/value/pairs.ts'
import { queryText } from '../src/http/client.ts'
import UserPage from '../src/pages/user/page.tsx'
import { good, type Seen, serve } from './answers.ts'
import { begin, show, toastTexts } from './entity-world.tsx'

const all = ['view', 'add', 'edit', 'delete', 'role', 'reset'].map((verb) => `user_${verb}`)
const person = (id: string, realName: string, more: object = {}) => ({
  id,
  realName,
  account: `account${id}`,
  tenantId: '000001',
  status: 1,
  version: 3,
  locked: 0,
  roleId: '11',
  roleName: '教务',
  deptId: '1',
  deptName: '示范小学',
  userType: '1',
  staffStatus: '1',
  createTime: '2026-09-01 08:00:00',
  updateTime: '2026-09-01 08:00:00',
  ...more,
})
// The first is the one who is logged in.
const people = [person('1', '林老师'), person('2', '孙敏', { locked: 1 }), person('3', '周静', { status: 0 })]
const branch = (id: string, parentId: string, title: string, children?: object[]) => ({ id, parentId, title, children })
const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })
const answers = {
  'blade-user/list': page(people),
  'blade-user/detail': (call: Seen) => good(people.find(({ id }) => id === call.query.get('id'))),
  'blade-system/dict-biz/dictionaries': good({
    common_status: [
      { dictKey: '1', dictValue: '正常', sort: 1 },
      { dictKey: '0', dictValue: '停用', sort: 2 },
    ],
    user_type: [{ dictKey: '1', dictValue: '网页', sort: 1 }],
    staff_status: [{ dictKey: '1', dictValue: '在岗', sort: 1 }],
  }),
  'blade-system/dept/tree': good([
    branch('1', '0', '示范小学', [branch('12', '1', '教务处'), branch('13', '1', '总务处')]),
    branch('2', '0', '教育局'),
  ]),
  'blade-system/role/tree': good([
    branch('11', '0', '教务', [branch('12', '11', '教务员')]),
    branch('13', '0', '班主任'),
  ]),
}
const sent = (seen: readonly Seen[], path: string) => seen.filter((call) => call.path === path)
const rowOf = (name: string) => screen.getByText(name, { selector: 'th *' }).closest('tr')!
const menuOf = (name: string) => {
  fireEvent.click(within(rowOf(name)).getByRole('button', { name: `${name}的更多操作` }))
  return screen.getAllByRole('menuitem').map((item) => item.textContent)
}
const dialogOf = async (title: string) => (await screen.findByText(title)).closest<HTMLElement>('[role=dialog]')!
const press = (name: string) => fireEvent.click(screen.getByRole('menuitem', { name }))

async function open(more: Parameters<typeof serve>[0] = {}, { codes = all, path = '/system/user' } = {}) {
  await begin(codes, path)
  const seen = serve({ ...answers, ...more })
  show(httpCalls, <UserPage />)
  await waitFor(() => expect(document.querySelectorAll('tbody tr[data-key]')).toHaveLength(3))
  return seen
}

afterEach(() => vi.unstubAllGlobals())

describe('the list of users', () => {
  it('shows who is locked and who is disabled, and offers each row what makes sense for it', async () => {
    await open()
    await waitFor(() => expect(within(rowOf('周静')).getByText('停用')).toBeTruthy())
    expect(within(rowOf('孙敏')).getByText('已锁定')).toBeTruthy()
    expect(menuOf('孙敏')).toEqual([
      '查看',
      '编辑',
      '角色配置',
      '密码重置',
      '解锁',
      '平台信息',
      '可用客户端',
      '停用',
      '删除',
    ])
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(menuOf('周静')).toEqual(['查看', '编辑', '角色配置', '密码重置', '平台信息', '可用客户端', '启用', '删除'])
  })

  it('takes a second factor away from who has one, after asking', async () => {
    const seen = await open({
      'blade-user/list': page(people.map((one) => ({ ...one, secondFactor: one.realName === '孙敏' ? 1 : 0 }))),
      'blade-user/reset-second-factor': good(null),
    })
    expect(menuOf('周静')).not.toContain('停用两步验证')
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(menuOf('孙敏')).toContain('停用两步验证')
    press('停用两步验证')
    expect(sent(seen, 'blade-user/reset-second-factor')).toHaveLength(0)
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '停用两步验证' }))
    await waitFor(() =>
      expect(sent(seen, 'blade-user/reset-second-factor').map((call) => call.query.get('userIds'))).toEqual(['2']),
    )
  })

  it('offers nobody to delete, disable or reset themself', async () => {
    await open()
    expect(menuOf('孙敏')).toContain('删除')
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(menuOf('林老师')).toEqual(['查看', '编辑', '角色配置', '平台信息', '可用客户端'])
  })

  it('R-LIST-5 offers nothing whose code is not held', async () => {
    await open({}, { codes: ['user_view'] })
    expect(menuOfNone('孙敏')).toEqual(['孙敏的更多操作'])
    expect(menuOf('孙敏')).toEqual(['查看', '可用客户端'])
  })
  const menuOfNone = (name: string) =>
    within(rowOf(name))
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label'))

  it('is narrowed to a department chosen in the tree, and the address says so', async () => {
    const seen = await open({}, { path: '/system/user?current=2' })
    const tree = await screen.findByRole('tree', { name: '部门' })
    fireEvent.click(within(tree).getByRole('treeitem', { name: '教务处' }))
    await waitFor(() => expect(sent(seen, 'blade-user/list').at(-1)!.query.get('deptId')).toBe('12'))
    expect(sent(seen, 'blade-user/list').at(-1)!.query.get('current')).toBe('1')
    expect(new URLSearchParams(window.location.search).get('deptId')).toBe('12')
    expect(within(tree).getByRole('treeitem', { name: '教务处' }).getAttribute('aria-selected')).toBe('true')
    // With the keys: up to the school, folded, and back to everybody.
    fireEvent.keyDown(tree, { key: 'ArrowUp' })
    fireEvent.keyDown(tree, { key: 'ArrowLeft' })
    expect(within(tree).queryByRole('treeitem', { name: '教务处' })).toBeNull()
    fireEvent.keyDown(tree, { key: 'Home' })
    fireEvent.keyDown(tree, { key: 'Enter' })
    expect(new URLSearchParams(window.location.search).has('deptId')).toBe(false)
  })
})

describe('what is done with users', () => {
  it('R-PERM-1 gives roles: two lists, and the whole new set is sent', async () => {
    const seen = await open({ 'blade-user/grant': good(null) })
    menuOf('孙敏')
    press('角色配置')
    const dialog = await dialogOf('孙敏的角色')
    const held = await within(dialog).findByRole('region', { name: '已有角色' })
    const free = within(dialog).getByRole('region', { name: '可选角色' })
    expect(within(held).getByRole('button', { name: '移除 教务' })).toBeTruthy()
    fireEvent.change(within(free).getByRole('textbox'), { target: { value: '班' } })
    expect(within(free).queryByRole('button', { name: '加入 教务员' })).toBeNull()
    fireEvent.click(within(free).getByRole('button', { name: '加入 班主任' }))
    fireEvent.click(within(held).getByRole('button', { name: '移除 教务' }))
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('更新成功'))
    const [call] = sent(seen, 'blade-user/grant')
    expect(Object.fromEntries(call!.query)).toEqual({ userIds: '2', roleIds: '13', versions: '3' })
    // The list is read again: it shows names of roles.
    await waitFor(() => expect(sent(seen, 'blade-user/list').length).toBeGreaterThan(1))
  })

  it('R-PERM-5 a role that somebody else has given or taken meanwhile stays so; what was chosen is looked at over it', async () => {
    const stale = { status: 409, body: { code: 409, success: false, msg: '该数据已被他人修改', data: null } }
    let stored = 3
    const seen = await open({
      'blade-user/grant': (call: Seen) => (call.query.get('versions') === String(stored) ? good(null) : stale),
      'blade-user/detail': () => good({ ...person('2', '孙敏'), roleId: '12', version: stored }),
    })
    menuOf('孙敏')
    press('角色配置')
    const dialog = await dialogOf('孙敏的角色')
    fireEvent.click(await within(dialog).findByRole('button', { name: '加入 班主任' }))
    // Somebody else takes 教务 away and gives 教务员.
    stored = 4
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    expect((await within(dialog).findByRole('alert')).textContent).toContain('已在最新配置上保留您的改动')
    const held = within(dialog).getByRole('region', { name: '已有角色' })
    await within(held).findByRole('button', { name: '移除 教务员' })
    expect(within(held).queryByRole('button', { name: '移除 教务' })).toBeNull()
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('更新成功'))
    expect(sent(seen, 'blade-user/grant')[1]!.query.get('roleIds')!.split(',').sort()).toEqual(['12', '13'])
  })

  it('a refusal stays in the dialog, with what was chosen', async () => {
    const refused = { status: 400, body: { code: 400, success: false, msg: '不能授予自己没有的权限', data: null } }
    await open({ 'blade-user/grant': refused })
    menuOf('孙敏')
    press('角色配置')
    const dialog = await dialogOf('孙敏的角色')
    fireEvent.click(await within(dialog).findByRole('button', { name: '加入 班主任' }))
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe('不能授予自己没有的权限')
    expect(within(dialog).getByRole('button', { name: '移除 班主任' })).toBeTruthy()
  })

  it('resets passwords after a question, and shows the new ones once', async () => {
    const told = [{ userId: '2', account: 'account2', realName: '孙敏', password: 'Kite-7421-Moss' }]
    const seen = await open({ 'blade-user/reset-password': good(told) })
    menuOf('孙敏')
    press('密码重置')
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('孙敏')
    expect(sent(seen, 'blade-user/reset-password')).toEqual([])
    fireEvent.click(within(question).getByRole('button', { name: '密码重置' }))
    expect(await screen.findByText('Kite-7421-Moss')).toBeTruthy()
    expect(screen.getByText(/只显示这一次/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '我已保存' }))
    await waitFor(() => expect(screen.queryByText('Kite-7421-Moss')).toBeNull())
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('Kite-7421')
  })

  it('several at once, and never the own account among them', async () => {
    const seen = await open({ 'blade-user/reset-password': good([]) })
    fireEvent.click(screen.getByRole('checkbox', { name: '选择本页' }))
    fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: '密码重置' }))
    const question = await screen.findByRole('alertdialog')
    fireEvent.click(within(question).getByRole('button', { name: '密码重置' }))
    await waitFor(() => expect(sent(seen, 'blade-user/reset-password')).toHaveLength(1))
    expect(sent(seen, 'blade-user/reset-password')[0]!.query.get('userIds')).toBe('2,3')
  })

  it('disables at once, and takes it back with the version that came of it', async () => {
    let version = 3
    const seen = await open({
      'blade-user/submit': (call) => {
        version += 1
        return good({ ...people[1], ...JSON.parse(String(call.init.body)), version })
      },
    })
    menuOf('孙敏')
    press('停用')
    await waitFor(() => expect(toastTexts()).toContain('已停用'))
    const { toasts } = await import('../src/ui/toast.ts')
    toasts
      .get()
      .find(({ text }) => text === '已停用')!
      .action!.run()
    await waitFor(() => expect(sent(seen, 'blade-user/submit')).toHaveLength(2))
    expect(sent(seen, 'blade-user/submit').map((call) => JSON.parse(String(call.init.body)))).toEqual([
      { id: '2', version: 3, status: 0 },
      { id: '2', version: 4, status: 1 },
    ])
  })

  it('a new user has a password that is told once', async () => {
    await open({
      'blade-user/submit': (call) =>
        good({ ...person('9', ''), ...JSON.parse(String(call.init.body)), id: '9', password: 'Reed-1180-Lamp' }),
    })
    fireEvent.click(screen.getByRole('button', { name: '新增用户' }))
    const field = (name: string) => document.querySelector<HTMLInputElement>(`[data-field="${name}"] input`)!
    await waitFor(() => expect(field('account')).toBeTruthy())
    fireEvent.change(field('account'), { target: { value: 'zhao' } })
    fireEvent.change(field('realName'), { target: { value: '赵老师' } })
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('Reed-1180-Lamp')).toBeTruthy()
    expect(screen.getByText('首次登录时必须修改密码。')).toBeTruthy()
  })

  it('names the clients one may log in with: only what the tenant is bound to is offered', async () => {
    const client = (id: string, clientId: string, granted?: number) => ({ id, clientId, remark: null, granted })
    const seen = await open({
      'blade-system/client/selectClientByTenantId': good([client('7', 'web', 1), client('8', 'app', 0)]),
      'blade-system/userclientrelevance/selectClientByUserId': good([]),
      'blade-system/userclientrelevance/save': good(null),
    })
    menuOf('孙敏')
    press('可用客户端')
    const dialog = await dialogOf('孙敏可用的客户端')
    fireEvent.click(await within(dialog).findByRole('checkbox', { name: /web/ }))
    expect(within(dialog).queryByRole('checkbox', { name: /app/ })).toBeNull()
    fireEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(sent(seen, 'blade-system/userclientrelevance/save')).toHaveLength(1))
    const [call] = sent(seen, 'blade-system/userclientrelevance/save')
    expect(JSON.parse(String(call!.init.body))).toEqual({ userId: '2', clientIds: ['7'] })
  })

  it('changes platform settings by name and value', async () => {
    const seen = await open({
      'blade-user/platform-detail': good({ userType: '1', userExt: '{"theme":"dark","size":3}' }),
      'blade-user/update-platform': good({}),
    })
    menuOf('孙敏')
    press('平台信息')
    const size = await screen.findByRole('textbox', { name: '第 2 项的值' })
    fireEvent.change(size, { target: { value: '5' } })
    fireEvent.click(screen.getByRole('button', { name: '添加一项' }))
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('名称不能为空，也不能重复')).toBeTruthy()
    expect(sent(seen, 'blade-user/update-platform')).toEqual([])
    fireEvent.change(screen.getByRole('textbox', { name: '第 3 项的名称' }), { target: { value: 'city' } })
    fireEvent.change(screen.getByRole('textbox', { name: '第 3 项的值' }), { target: { value: '12' } })
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(sent(seen, 'blade-user/update-platform')).toHaveLength(1))
    const form = sent(seen, 'blade-user/update-platform')[0]!.init.body as FormData
    expect(Object.fromEntries(form)).toEqual({
      userId: '2',
      userType: '1',
      userExt: '{"theme":"dark","size":5,"city":"12"}',
    })
  })
})

describe('settings as names and values', () => {
  it('come back as they were, whatever they are', () => {
    const json = '{"a":"1","b":1,"c":true,"d":null,"e":{"f":[1,2]},"g":"[1]"}'
    expect(JSON.stringify(settingsOf(pairsOf(JSON.parse(json))))).toBe(json)
    expect(settingsOf(pairsOf(null))).toEqual({})
  })

  it('a number stays a number, a text a text, and what no longer reads as its kind becomes a text', () => {
    const change = (json: string, text: string) =>
      JSON.stringify(settingsOf(pairsOf(JSON.parse(json)).map((pair) => ({ ...pair, text }))))
    expect(change('{"a":1}', '2')).toBe('{"a":2}')
    expect(change('{"a":"1"}', '2')).toBe('{"a":"2"}')
    expect(change('{"a":1}', 'two')).toBe('{"a":"two"}')
  })

  it('needs a name for each, and each only once', () => {
    const pair = (key: string) => ({ key, text: '', stored: undefined })
    expect([...wrongKeys([pair('a'), pair(' '), pair('a '), pair('b')])]).toEqual([1, 2])
  })
})

it('no role at all is sent as nothing, which takes every role away', () => {
  expect(queryText({ userIds: ['2'], roleIds: [] })).toBe('?userIds=2&roleIds=')
})
