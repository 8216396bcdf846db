import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import ExplainPage from '../src/pages/explain/page.tsx'
import RolePage from '../src/pages/role/page.tsx'
import TopMenuPage from '../src/pages/topmenu/page.tsx'
import { keepMenus } from '../src/session/menus.ts'
import { toasts } from '../src/ui/toast.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, rowMenu, show, toastTexts } from './entity-world.tsx'

const codes = (name: string, ...more: string[]) => [
  ...['view', 'add', 'edit', 'delete'].map((verb) => `${name}_${verb}`),
  ...more,
]
const system = { tenantId: '000001', status: 1, version: 4, createTime: '2026-09-01 08:00:00', updateTime: '' }
const bodyOf = (call: Seen | undefined) => JSON.parse(String(call?.init.body)) as Record<string, unknown>
const sent = (seen: readonly Seen[], path: string) => seen.filter((call) => call.path === path)
const page = (records: readonly object[]) => good({ total: records.length, size: 10, current: 1, pages: 1, records })
const node = (id: string, parentId: string, title: string, more: object = {}) => ({ id, parentId, title, ...more })

afterEach(() => vi.unstubAllGlobals())

const menuTree = [
  node('1', '0', '档案', {
    category: 1,
    children: [
      node('11', '1', '学生', {
        category: 1,
        children: [node('111', '11', '查看', { category: 2 }), node('112', '11', '删除', { category: 2 })],
      }),
      node('12', '1', '家长', { category: 1, children: [node('121', '12', '查看', { category: 2 })] }),
    ],
  }),
]
const trees = {
  menu: menuTree,
  dataScope: [node('1', '0', '档案', { children: [node('91', '1', '三班学生', { isScope: true })] })],
  apiScope: [],
}

describe('rights of roles', () => {
  const role = (id: string, roleName: string, children?: object[]) => ({
    ...system,
    id,
    roleName,
    roleAlias: `role${id}`,
    parentId: '0',
    sort: 1,
    ...(children ? { children } : {}),
  })
  const answers = {
    'blade-system/role/list': good([role('5', '教务', [role('6', '教务员')]), role('7', '班主任')]),
    'blade-system/dict-biz/dictionaries': good({}),
    'blade-system/menu/grant-tree': good(trees),
    // 999 is more than the caller may hand on: it is neither shown nor sent.
    'blade-system/menu/role-tree-keys': good({ menu: ['1', '12', '121', '999'], dataScope: ['1'], apiScope: [] }),
    'blade-system/role/grant': good(null),
    'blade-system/role/grant-preview': (call: Seen) => {
      const { menuIds, roleIds } = bodyOf(call) as { menuIds: string[]; roleIds: string[] }
      return good({
        added: menuIds.filter((id) => id.startsWith('11')).map((id) => ({ kind: 'menu', id, title: `m${id}` })),
        removed: [],
        users: 5,
        roles: roleIds.map((id) => ({ id, roleName: id })),
      })
    },
  }
  const open = async (held = codes('role', 'role_grant')) => {
    await begin(held, '/authority/role')
    const seen = serve(answers)
    show(httpCalls, <RolePage />)
    await waitFor(() => expect(document.querySelectorAll('[role=treegrid] tr[data-key]')).toHaveLength(3))
    return seen
  }
  const grant = async (name: string, action: string) => {
    const row = screen.getByText(name, { selector: 'a' }).closest('tr')!
    fireEvent.click(within(row).getByRole('button', { name: `${name}的更多操作` }))
    fireEvent.click(screen.getByRole('menuitem', { name: action }))
    return screen.findByRole('tree')
  }

  it('R-PERM-1 before saving it says what changes and for how many, and sends what is ticked and nothing else', async () => {
    const seen = await open()
    const tree = await grant('教务', '权限设置')
    expect(screen.getByText('没有变化')).toBeTruthy()
    fireEvent.click(within(tree).getByRole('treeitem', { name: '学生' }))
    expect(await screen.findByText('将新增 3 项，移除 0 项，影响 5 名用户')).toBeTruthy()
    expect(sent(seen, 'blade-system/role/grant')).toEqual([])
    // The list names what stands above, because every page has a button of that name.
    expect(screen.getByText((_, element) => element?.textContent === '档案 / 学生 / m111 菜单权限')).toBeTruthy()
    fireEvent.click(screen.getByRole('tab', { name: '数据权限 0' }))
    fireEvent.click(within(screen.getByRole('tree')).getByRole('treeitem', { name: '三班学生' }))
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('权限已保存'))
    expect(bodyOf(sent(seen, 'blade-system/role/grant')[0])).toEqual({
      roleIds: ['5'],
      menuIds: ['1', '11', '111', '112', '12', '121'],
      dataScopeIds: ['91'],
      apiScopeIds: [],
    })
  })

  it('R-PERM-5 what somebody else has granted meanwhile stays, and what was ticked here is looked at over it', async () => {
    await begin(codes('role', 'role_grant'), '/authority/role')
    let [menu, stamp] = [['1', '12', '121'], 'a']
    const seen = serve({
      ...answers,
      'blade-system/menu/role-tree-keys': () => good({ menu, dataScope: ['1'], apiScope: [], stamp }),
      'blade-system/role/grant': (call: Seen) =>
        bodyOf(call).stamp === stamp
          ? good(null)
          : { ...good(null), status: 409, body: { code: 409, success: false, data: null, msg: '该数据已被他人修改' } },
    })
    show(httpCalls, <RolePage />)
    await waitFor(() => expect(document.querySelectorAll('[role=treegrid] tr[data-key]')).toHaveLength(3))
    const tree = await grant('教务', '权限设置')
    fireEvent.click(screen.getByRole('checkbox', { name: '父子联动' }))
    fireEvent.click(within(tree).getByRole('treeitem', { name: '学生' }))
    // Somebody else takes one away and gives another.
    ;[menu, stamp] = [['1', '12', '112'], 'b']
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('已在最新配置上保留您的改动'))
    expect(toastTexts()).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('权限已保存'))
    expect(bodyOf(sent(seen, 'blade-system/role/grant')[1])).toMatchObject({
      menuIds: ['1', '11', '112', '12'],
      stamp: 'b',
    })
  })

  it('R-PERM-1 a role is copied under a name that is proposed, and its users are a link', async () => {
    await begin([...codes('role', 'role_grant', 'role_add'), 'user_view'], '/authority/role')
    const seen = serve({
      ...answers,
      'blade-system/role/user-counts': good({ 5: 3 }),
      'blade-system/role/copy': { ...good(role('8', '教务（副本）')), headers: { 'X-Request-Id': 'copy-1' } },
      'blade-log/history/undo': good({ rows: 1 }),
    })
    show(httpCalls, <RolePage />)
    const users = await screen.findByRole('link', { name: '教务：3 名用户' })
    expect(users.getAttribute('href')).toBe('/system/user?roleId=5')
    const row = screen.getByText('教务', { selector: 'a' }).closest('tr')!
    fireEvent.click(within(row).getByRole('button', { name: '教务的更多操作' }))
    fireEvent.click(screen.getByRole('menuitem', { name: '复制' }))
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: '角色名称' })
    expect(name.value).toBe('教务（副本）')
    // As in a form.
    fireEvent.keyDown(name, { key: 's', code: 'KeyS', ctrlKey: true })
    await waitFor(() => expect(toastTexts()).toContain('角色已复制'))
    // The same way back as after any other thing that was made.
    const undone = () => sent(seen, 'blade-log/history/undo')
    expect(undone()).toEqual([])
    const { action } = toasts.get().at(-1)!
    expect(action?.label).toBe('撤销')
    act(() => action?.run())
    await waitFor(() => expect(undone()).toHaveLength(1))
    expect(undone()[0]!.query.get('requestId')).toBe('copy-1')
    expect(bodyOf(sent(seen, 'blade-system/role/copy')[0])).toEqual({ id: '5', roleName: '教务（副本）' })
  })

  it('without the link a page can be given without what is below it; all, none and the others in one press', async () => {
    const seen = await open()
    const tree = await grant('教务', '权限设置')
    fireEvent.click(screen.getByRole('checkbox', { name: '父子联动' }))
    fireEvent.click(within(tree).getByRole('treeitem', { name: '学生' }))
    fireEvent.click(screen.getByRole('button', { name: '反选' }))
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(sent(seen, 'blade-system/role/grant')).toHaveLength(1))
    expect(bodyOf(sent(seen, 'blade-system/role/grant')[0])).toMatchObject({ menuIds: ['111', '112'] })
  })

  it('several roles at once get the same', async () => {
    const seen = await open()
    fireEvent.click(screen.getByRole('button', { name: '批量授权' }))
    fireEvent.click(await screen.findByRole('button', { name: '加入 教务员' }))
    fireEvent.click(screen.getByRole('button', { name: '加入 班主任' }))
    fireEvent.click(screen.getByRole('button', { name: '下一步' }))
    expect(await screen.findByText(/已选 2 个角色/)).toBeTruthy()
    expect(sent(seen, 'blade-system/menu/role-tree-keys')[0]!.query.get('roleIds')).toBe('6,7')
    fireEvent.click(await screen.findByRole('button', { name: '保存' }))
    await waitFor(() => expect(sent(seen, 'blade-system/role/grant')).toHaveLength(1))
    expect(bodyOf(sent(seen, 'blade-system/role/grant')[0])).toMatchObject({
      roleIds: ['6', '7'],
      menuIds: ['1', '12', '121'],
    })
  })

  it('R-PERM-1 the administrators’ role is not granted, deleted or called otherwise; its name may change', async () => {
    await begin(codes('role', 'role_grant'), '/authority/role')
    const admins = { ...role('1', '管理员'), roleAlias: 'admin', isAdmin: 1 }
    const seen = serve({
      ...answers,
      'blade-system/role/list': good([admins, role('7', '班主任')]),
      'blade-system/role/detail': good(admins),
    })
    show(httpCalls, <RolePage />)
    await waitFor(() => expect(document.querySelectorAll('[role=treegrid] tr[data-key]')).toHaveLength(2))
    const row = screen.getByText('管理员', { selector: 'a' }).closest('tr')!
    fireEvent.click(within(row).getByRole('button', { name: '管理员的更多操作' }))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['查看'])
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    const other = screen.getByText('班主任', { selector: 'a' }).closest('tr')!
    fireEvent.click(within(other).getByRole('button', { name: '班主任的更多操作' }))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toContain('删除')
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    fireEvent.click(row.querySelector('[data-act=edit]')!)
    const form = await screen.findByRole('dialog')
    await waitFor(() => expect(form.querySelector('[data-field=roleAlias] output')?.textContent).toBe('admin'))
    expect(form.querySelector('[data-field=roleAlias] input')).toBeNull()
    expect(form.querySelector('[data-field=roleName] input')).not.toBeNull()
    expect(sent(seen, 'blade-system/role/remove')).toEqual([])
  })

  it('shows the menu as the role has it; who may not grant only looks', async () => {
    keepMenus([
      {
        ...{ id: 't', code: 'top-student', name: '学生', nameEn: 'Students' },
        children: [
          {
            ...{ id: '1', code: 'records', name: '档案', category: 1 },
            children: [
              { id: '11', code: 'student', name: '学生档案', path: '/student/student', category: 1 },
              { id: '12', code: 'studentparents', name: '家长档案', path: '/student/parents', category: 1 },
            ],
          },
        ],
      },
    ])
    await begin(['role_view'], '/authority/role')
    const seen = serve(answers)
    show(httpCalls, <RolePage />)
    await waitFor(() => expect(document.querySelectorAll('[role=treegrid] tr[data-key]')).toHaveLength(3))
    const row = screen.getByText('教务', { selector: 'a' }).closest('tr')!
    fireEvent.click(within(row).getByRole('button', { name: '教务的更多操作' }))
    expect(screen.queryByRole('menuitem', { name: '权限设置' })).toBeNull()
    fireEvent.click(screen.getByRole('menuitem', { name: '预览菜单' }))
    expect(await screen.findByText('家长档案')).toBeTruthy()
    expect(screen.queryByText('学生档案')).toBeNull()
    fireEvent.click(screen.getByRole('tab', { name: '菜单权限 3' }))
    fireEvent.click(within(screen.getByRole('tree')).getByRole('treeitem', { name: '学生' }))
    expect(screen.getByRole('tab', { name: '菜单权限 3' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '保存' })).toBeNull()
    expect(sent(seen, 'blade-system/role/grant-preview')).toEqual([])
  })
})

describe('top menus', () => {
  it('R-PERM-1 are given the pages that stand under them, and the menus above are read again', async () => {
    await begin(codes('topmenu', 'topmenu_setting'), '/system/topmenu')
    const seen = serve({
      'blade-system/topmenu/list': page([
        { ...system, id: '3', code: 'top-student', name: '学生', nameEn: 'Students' },
      ]),
      'blade-system/dict-biz/dictionaries': good({}),
      'blade-system/menu/grant-top-tree': good({ menu: menuTree }),
      'blade-system/menu/top-tree-keys': good({ menu: ['1', '12', '121'] }),
      'blade-system/topmenu/grant': good(null),
      'blade-auth/oauth/user-info': good({ userId: '1', tenantId: '000001', account: 'a', roles: [] }),
      'blade-system/menu/top-menu': good([]),
      'blade-system/menu/routes': good([]),
      'blade-system/menu/buttons': good([]),
    })
    show(httpCalls, <TopMenuPage />)
    await screen.findByRole('button', { name: '学生的更多操作' })
    await rowMenu('学生', '菜单配置')
    const tree = await screen.findByRole('tree')
    fireEvent.click(within(tree).getByRole('treeitem', { name: '家长' }))
    fireEvent.click(within(tree).getByRole('treeitem', { name: '学生' }))
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('菜单配置已保存'))
    expect(bodyOf(sent(seen, 'blade-system/topmenu/grant')[0])).toEqual({
      topMenuIds: ['3'],
      menuIds: ['1', '11', '111', '112'],
    })
    await waitFor(() => expect(sent(seen, 'blade-system/menu/buttons')).toHaveLength(1))
  })
})

describe('explaining rights', () => {
  const answers = {
    'blade-user/select': good([{ id: '2', name: '孙敏' }]),
    'blade-user/student/select': good([{ id: '1000', name: '王小一' }]),
    'blade-system/explain/calls': good([]),
  }
  const menus = () =>
    keepMenus([
      {
        ...{ id: 't', code: 'top-system', name: '系统', nameEn: 'System' },
        children: [
          { id: '1', code: 'role', name: '角色', path: '/authority/role' },
          { id: '2', code: 'datascope', name: '数据权限', path: '/authority/datascope' },
        ],
      },
    ])
  const open = async (path: string, more: Parameters<typeof serve>[0]) => {
    await begin(['explain_view'], path)
    menus()
    const seen = serve({ ...answers, ...more })
    show(httpCalls, <ExplainPage />)
    return seen
  }

  it('asks what the address says, and names the grants that allow it, each with the way to it', async () => {
    const reason = { kind: 'role', roleId: '7', roleName: '班主任', code: 'student_view' }
    const seen = await open('/authority/explain?about=row&userId=2&entity=student&row=1000&verb=edit', {
      'blade-system/explain/row': good({
        allowed: true,
        reasons: [{ ...reason, scope: { id: '91', name: '任教班级学生', type: '8' } }],
        missing: [],
      }),
    })
    expect(await screen.findByRole('heading', { name: '允许' })).toBeTruthy()
    expect(Object.fromEntries(sent(seen, 'blade-system/explain/row')[0]!.query)).toEqual({
      userId: '2',
      entity: 'student',
      id: '1000',
      verb: 'edit',
    })
    expect(screen.getByRole('link', { name: '班主任' }).getAttribute('href')).toBe('/authority/role?id=7')
    expect(screen.getByRole('link', { name: '任教班级学生' }).getAttribute('href')).toBe('/authority/datascope?id=91')
  })

  it('says what is missing, and asks nothing while the question is not whole', async () => {
    const seen = await open('/authority/explain?userId=2', {
      'blade-system/explain/call': good({
        allowed: false,
        reasons: [],
        missing: [{ kind: 'code', code: 'student_delete', text: '没有任何角色授予权限 student_delete' }],
      }),
    })
    expect(await screen.findByText(/选好用户和接口或数据后/)).toBeTruthy()
    expect(seen.some((call) => call.path.startsWith('blade-system/explain/call') && call.path.endsWith('/call'))).toBe(
      false,
    )
    await open('/authority/explain?userId=2&call=POST%20%2Fapi%2Fblade-user%2Fstudent%2Fremove', {
      'blade-system/explain/call': (call) => {
        expect(call.query.get('path')).toBe('/api/blade-user/student/remove')
        return good({
          allowed: false,
          reasons: [],
          missing: [{ kind: 'code', code: 'student_delete', text: '没有任何角色授予权限 student_delete' }],
        })
      },
    })
    expect((await screen.findAllByRole('heading', { name: '不允许' })).length).toBeGreaterThan(0)
    expect(screen.getAllByRole('link', { name: '去角色授权' })[0]!.getAttribute('href')).toBe('/authority/role')
  })
})
