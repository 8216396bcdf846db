import { entityOf } from '@data-brain/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { httpCalls } from '../src/entity/data/calls.ts'
import DeptPage from '../src/pages/dept/page.tsx'
import HorizontalDictPage from '../src/pages/dict/horizontal.tsx'
import VerticalDictPage from '../src/pages/dict/vertical.tsx'
import MenuPage from '../src/pages/menu/page.tsx'
import RegionPage from '../src/pages/region/page.tsx'
import { toasts } from '../src/ui/toast.ts'
import { good, type Seen, serve } from './answers.ts'
import { begin, listMenu, show, toastTexts } from './entity-world.tsx'

const codes = (name: string) => ['view', 'add', 'edit', 'delete'].map((verb) => `${name}_${verb}`)
const system = { tenantId: '000001', status: 1, version: 4, createTime: '2026-09-01 08:00:00', updateTime: '' }
const bodyOf = (call: Seen) => JSON.parse(String(call.init.body)) as Record<string, unknown>
const sent = (seen: readonly Seen[], path: string) => seen.filter((call) => call.path === path)
const rowOf = (id: string) => document.querySelector<HTMLElement>(`[role=treegrid] tr[data-key="${id}"]`)!
const rowIds = () =>
  [...document.querySelectorAll<HTMLElement>('[role=treegrid] tr[data-key]')].map((row) => row.dataset.key)
const field = (name: string) => document.querySelector<HTMLElement>(`[data-field="${name}"]`)!
const input = (name: string) => field(name).querySelector<HTMLInputElement>('input,textarea')!
const query = () => new URLSearchParams(window.location.search)

afterEach(() => vi.unstubAllGlobals())

describe('departments', () => {
  const dept = (id: string, deptName: string, parentId: string, sort: number, children?: unknown[]) => ({
    ...system,
    id,
    deptName,
    parentId,
    sort,
    deptCategory: '3',
    ...(children ? { children } : {}),
  })
  const forest = [
    dept('1', '实验小学', '0', 1, [
      dept('11', '教务处', '1', 1, [dept('111', '考务组', '11', 1)]),
      dept('12', '总务处', '1', 2),
    ]),
  ]
  const flat = () => [...forest, ...(forest[0] as unknown as { children: { id: string }[] }).children]
  const answers = {
    // The page asks first how many there are.
    'blade-system/dept/list': ({ query }: Seen) => good(query.get('size') ? { total: 4, records: [] } : forest),
    'blade-system/dict-biz/dictionaries': good({
      dept_category: [{ dictKey: '3', dictValue: '部门', dictValueEn: 'Department', sort: 1 }],
    }),
    'blade-system/dept/detail': (call: Seen) => good(flat().find(({ id }) => id === call.query.get('id'))),
    'blade-system/dept/move': () => good(null),
    'blade-user/user/select': good([]),
    'blade-user/school/select': good([]),
  }
  const open = async (more: Parameters<typeof serve>[0] = {}, address = '/system/dept', held = codes('dept')) => {
    await begin(held, address)
    const seen = serve({ ...answers, ...more })
    show(httpCalls, <DeptPage />)
    await waitFor(() => expect(rowIds().length).toBeGreaterThan(0))
    return seen
  }

  it('stand under one another; a search shows matches with what they stand under', async () => {
    await open()
    expect(rowIds()).toEqual(['1', '11', '111', '12'])
    fireEvent.change(screen.getByRole('textbox', { name: /搜索/ }), { target: { value: '考务' } })
    await waitFor(() => expect(rowIds()).toEqual(['1', '11', '111']))
    expect(query().get('keyword')).toBe('考务')
    expect(screen.getByText('找到 1 项')).toBeTruthy()
  })

  it('R-LIST-1 are taken out as a file, all of them with what they stand under', async () => {
    const seen = await open({ 'blade-system/dept/export': good(null) }, '/system/dept', [
      ...codes('dept'),
      'dept_export',
    ])
    await listMenu('导出')
    const panel = within(await screen.findByRole('region', { name: /^导出/ }))
    expect(panel.getByText('全部 4 个')).toBeTruthy()
    expect(panel.queryByRole('radio', { name: /勾选/ })).toBeNull()
    fireEvent.click(panel.getByRole('radio', { name: 'CSV' }))
    fireEvent.click(panel.getByRole('button', { name: '导出' }))
    await waitFor(() => expect(sent(seen, 'blade-system/dept/export')).toHaveLength(1))
    const asked = sent(seen, 'blade-system/dept/export')[0]!.query
    expect(asked.get('format')).toBe('csv')
    expect(asked.get('columns')?.split(',')).toEqual(expect.arrayContaining(['deptName', 'parentId']))
  })

  it('R-LIST-5 are not offered as a file to who may not', async () => {
    await open()
    fireEvent.click(screen.getByRole('button', { name: /^更多：/ }))
    expect(await screen.findByRole('menuitem', { name: '打印' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: '导出' })).toBeNull()
  })

  it('a new one below a row begins under it, after those that are there', async () => {
    const seen = await open({
      'blade-system/dept/submit': (call: Seen) => good({ ...system, id: '99', ...bodyOf(call) }),
    })
    fireEvent.click(within(rowOf('1')).getByRole('button', { name: '在实验小学下新增' }))
    await waitFor(() => expect(field('deptName')).toBeTruthy())
    fireEvent.change(input('deptName'), { target: { value: '德育处' } })
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('新增成功'))
    expect(bodyOf(sent(seen, 'blade-system/dept/submit')[0]!)).toMatchObject({
      parentId: '1',
      deptName: '德育处',
      sort: 3,
    })
  })

  it('moves by a dialog that forbids the own subtree, at once and with a way back', async () => {
    let order = ['11', '12']
    const names: Record<string, string> = { '11': '教务处', '12': '总务处' }
    const seen = await open({
      'blade-system/dept/list': ({ query }: Seen) =>
        good(
          query.get('size')
            ? { total: 3, records: [] }
            : [
                dept(
                  '1',
                  '实验小学',
                  '0',
                  1,
                  order.map((id, i) => dept(id, names[id]!, '1', i + 1)),
                ),
              ],
        ),
      'blade-system/dept/move': (call: Seen) => {
        const { id, beforeId } = bodyOf(call)
        const rest = order.filter((other) => other !== id)
        const at = beforeId === null ? rest.length : rest.indexOf(String(beforeId))
        order = [...rest.slice(0, at), String(id), ...rest.slice(at)]
        return good(null)
      },
    })
    fireEvent.click(within(rowOf('12')).getByRole('button', { name: '总务处的更多操作' }))
    fireEvent.click(screen.getByRole('menuitem', { name: '移动到…' }))
    const dialog = await screen.findByRole('dialog', { name: /移动“总务处”/ })
    const parent = within(dialog).getByRole('combobox', { name: '上级' })
    fireEvent.mouseDown(parent)
    const own = await waitFor(() => {
      const found = [...document.querySelectorAll('.ant-select-tree-treenode')].find((one) =>
        one.textContent?.includes('总务处'),
      )
      expect(found).toBeTruthy()
      return found!
    })
    expect(own.className).toContain('disabled')
    const place = within(dialog).getByRole('combobox', { name: '位置' })
    fireEvent.mouseDown(place)
    fireEvent.click(await screen.findByText('在“教务处”之前'))
    fireEvent.click(within(dialog).getByRole('button', { name: '移动' }))
    await waitFor(() => expect(sent(seen, 'blade-system/dept/move')).toHaveLength(1))
    await waitFor(() => expect(rowIds()).toEqual(['1', '12', '11']))
    expect(bodyOf(sent(seen, 'blade-system/dept/move')[0]!)).toEqual({ id: '12', parentId: '1', beforeId: '11' })
    act(() => rowOf('11').focus())
    fireEvent.keyDown(rowOf('11'), { key: 'ArrowUp', altKey: true })
    await waitFor(() => expect(toastTexts()).toContain('已移动'))
    expect(rowIds()).toEqual(['1', '11', '12'])
    act(() => toasts.get().at(-1)?.action?.run())
    await waitFor(() => expect(sent(seen, 'blade-system/dept/move')).toHaveLength(3))
    expect(bodyOf(sent(seen, 'blade-system/dept/move')[2]!)).toEqual({ id: '11', parentId: '1', beforeId: null })
    await waitFor(() => expect(rowIds()).toEqual(['1', '12', '11']))
  })

  it('what the server refuses to move stands where it stood, with its words', async () => {
    const refused = { status: 400, body: { code: 400, success: false, msg: '不能移动', data: null } }
    await open({ 'blade-system/dept/move': () => refused })
    act(() => rowOf('12').focus())
    fireEvent.keyDown(rowOf('12'), { key: 'ArrowUp', altKey: true })
    await waitFor(() => expect(toastTexts()).toContain('不能移动'))
    expect(rowIds()).toEqual(['1', '11', '111', '12'])
  })

  it('a delete that is blocked says by what', async () => {
    await open({
      'blade-system/dept/remove': () => ({
        status: 400,
        body: {
          code: 400,
          success: false,
          msg: '还有用户使用',
          data: { blockers: [{ entity: 'user', label: '用户', unit: '名', count: 2, sample: ['张三', '李四'] }] },
        },
      }),
    })
    act(() => rowOf('12').focus())
    fireEvent.keyDown(rowOf('12'), { key: 'Delete' })
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }))
    expect(await screen.findByText('用户 2 名：张三、李四')).toBeTruthy()
    expect(rowIds()).toContain('12')
  })

  it('R-PERM-2 offers nothing that the person may not do', async () => {
    await open({}, '/system/dept', ['dept_view'])
    expect(screen.queryByRole('button', { name: /新增/ })).toBeNull()
    expect(document.querySelector('[data-act=edit],[data-act=add],[data-grip]')).toBeNull()
    fireEvent.click(within(rowOf('12')).getByRole('button', { name: '总务处的更多操作' }))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['查看'])
  })
})

describe('dictionaries', () => {
  const row = (id: string, code: string, dictKey: string, dictValue: string, parentId = '0', sort = 1) => ({
    ...system,
    id,
    code,
    dictKey,
    dictValue,
    parentId,
    sort,
    isSealed: 0,
    remark: null,
  })
  const sex = row('1', 'sex', '-1', '性别')
  const entries = [row('11', 'sex', '1', '男', '1', 1), row('12', 'sex', '2', '女', '1', 2)]
  const answers = {
    'blade-system/dict/parent-list': () =>
      good({ total: 2, size: 30, current: 1, pages: 1, records: [sex, row('2', 'leave_type', '-1', '请假')] }),
    'blade-system/dict/child-list': () => good(entries),
    'blade-system/dict/detail': (call: Seen) => good([sex, ...entries].find(({ id }) => id === call.query.get('id'))),
    'blade-system/dict/submit': (call: Seen) => good({ ...sex, ...bodyOf(call), id: bodyOf(call).id ?? '99' }),
  }
  const open = async (
    address: string,
    page = <VerticalDictPage />,
    held = codes('dict'),
    more: Parameters<typeof serve>[0] = {},
  ) => {
    await begin(held, address)
    const seen = serve({ ...answers, ...more })
    show(httpCalls, page)
    await waitFor(() => expect(screen.getByText('请假')).toBeTruthy())
    return seen
  }
  const heads = (part: Element) => [...part.querySelectorAll('thead th')].map((cell) => cell.textContent)

  it('R-DICT-1 R-DICT-3 both layouts show dictionaries and, of the chosen one, a tree of entries', async () => {
    const seen = await open('/dict-vertical/index')
    const table = screen.getByRole('table')
    expect(heads(table).slice(1)).toEqual(['字典编号', '字典名称', '字典排序', '封存', '备注', '操作'])
    expect(screen.getByText('选择上方字典以查看字典项')).toBeTruthy()
    fireEvent.click(screen.getByRole('link', { name: '性别' }))
    await waitFor(() => expect(rowIds()).toEqual(['11', '12']))
    expect(heads(screen.getByRole('treegrid'))).toEqual([
      '字典编号',
      '字典名称',
      '上级字典',
      '字典键值',
      '字典排序',
      '封存',
      '备注',
      '操作',
    ])
    expect(within(rowOf('11')).getByText('性别')).toBeTruthy()
    expect(sent(seen, 'blade-system/dict/child-list')[0]?.query.get('parentId')).toBe('1')
    expect(screen.getByRole('separator', { name: '字典与字典项的分隔' }).getAttribute('aria-orientation')).toBe(
      'horizontal',
    )
    fireEvent.click(screen.getByRole('button', { name: '左右布局' }))
    expect(window.location.pathname + window.location.search).toBe('/dict-horizontal/index?dict=1')
  })

  it('R-DICT-1 an address of a dictionary that is gone says so, and leads back to the others', async () => {
    const gone = { status: 404, body: { code: 404, success: false, msg: '数据不存在', data: null } }
    await open('/dict-horizontal/index?dict=99', <HorizontalDictPage />, undefined, {
      'blade-system/dict/detail': gone,
    })
    expect((await screen.findByRole('alert')).textContent).toContain('数据不存在')
    fireEvent.click(screen.getByRole('button', { name: '返回字典' }))
    expect(window.location.search).toBe('')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  it('R-ROUTE-4 the divider of the other layout begins at 40, follows the arrows and is remembered', async () => {
    await open('/dict-horizontal/index', <HorizontalDictPage />)
    const bar = screen.getByRole('separator', { name: '字典与字典项的分隔' })
    expect([bar.getAttribute('aria-orientation'), bar.getAttribute('aria-valuenow')]).toEqual(['vertical', '40'])
    fireEvent.keyDown(bar, { key: 'ArrowRight' })
    expect(bar.getAttribute('aria-valuenow')).toBe('42')
    expect(localStorage.getItem('databrain-split:dict:row')).toContain('42')
  })

  it('R-DICT-2 the dialog is 880 wide and asks in the words of the specification', async () => {
    const seen = await open('/dict-vertical/index?dict=1')
    await waitFor(() => expect(rowIds()).toHaveLength(2))
    fireEvent.click(screen.getByRole('button', { name: '新增字典项' }))
    await waitFor(() => expect(field('dictKey')).toBeTruthy())
    expect(document.querySelector<HTMLElement>('.ant-modal')?.style.width).toBe('880px')
    expect(field('code').textContent).toContain('sex')
    expect(field('code').querySelector('input')).toBeNull()
    fireEvent.change(input('sort'), { target: { value: '' } })
    fireEvent.blur(input('sort'))
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    const wrong = (name: string) => field(name).querySelector('.ff-wrong')?.textContent
    await waitFor(() => expect(wrong('dictKey')).toBe('请输入字典键值'))
    expect([wrong('dictValue'), wrong('sort')]).toEqual(['请输入字典名称', '请输入字典排序'])
    expect(wrong('parentId')).toBeUndefined()
    expect(sent(seen, 'blade-system/dict/submit')).toHaveLength(0)
  })

  it('R-DICT-2 a new dictionary has no key and no parent, and is not sealed', async () => {
    const seen = await open('/dict-vertical/index')
    fireEvent.click(screen.getByRole('button', { name: '新增字典' }))
    await waitFor(() => expect(field('code')).toBeTruthy())
    expect([field('dictKey'), field('parentId')]).toEqual([null, null])
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(field('code').querySelector('.ff-wrong')?.textContent).toBe('请输入字典编号'))
    fireEvent.change(input('code'), { target: { value: 'blood' } })
    fireEvent.change(input('dictValue'), { target: { value: '血型' } })
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(toastTexts()).toContain('新增成功'))
    expect(bodyOf(sent(seen, 'blade-system/dict/submit')[0]!)).toMatchObject({
      code: 'blood',
      dictValue: '血型',
      isSealed: 0,
    })
  })

  it('R-DICT-2 the sealed switch acts at once and can be taken back', async () => {
    const seen = await open('/dict-vertical/index?dict=1')
    const sealed = await screen.findByRole('switch', { name: '封存：男' })
    fireEvent.click(sealed)
    await waitFor(() => expect(bodyOf(sent(seen, 'blade-system/dict/submit')[0]!)).toEqual({ id: '11', isSealed: 1 }))
    await waitFor(() => expect(toastTexts()).toContain('已封存'))
    act(() => toasts.get().at(-1)?.action?.run())
    await waitFor(() => expect(bodyOf(sent(seen, 'blade-system/dict/submit')[1]!)).toEqual({ id: '11', isSealed: 0 }))
  })

  it('an entry is typed in the last row: Enter adds it with the next key and goes on', async () => {
    const seen = await open('/dict-vertical/index?dict=1')
    const name = await screen.findByRole('textbox', { name: '新字典项名称' })
    fireEvent.keyDown(name, { key: 'Enter' })
    expect(screen.getByRole('alert').textContent).toBe('请输入字典名称')
    fireEvent.change(name, { target: { value: '未知' } })
    fireEvent.keyDown(name, { key: 'Enter' })
    await waitFor(() => expect(sent(seen, 'blade-system/dict/submit')).toHaveLength(1))
    expect(bodyOf(sent(seen, 'blade-system/dict/submit')[0]!)).toEqual({
      parentId: '1',
      code: 'sex',
      dictValue: '未知',
      dictKey: '3',
      sort: 3,
    })
    await waitFor(() => expect((name as HTMLInputElement).value).toBe(''))
  })

  it('R-PERM-2 without the rights nothing can be changed', async () => {
    await open('/dict-vertical/index?dict=1', <VerticalDictPage />, ['dict_view'])
    const sealed = await screen.findByRole('switch', { name: '封存：男' })
    expect((sealed as HTMLButtonElement).disabled).toBe(true)
    expect(screen.queryByRole('button', { name: /新增|删除|编辑/ })).toBeNull()
    expect(screen.queryByRole('textbox', { name: '新字典项名称' })).toBeNull()
  })
})

describe('menus', () => {
  const menu = (id: string, name: string, nameEn: string, more: Record<string, unknown> = {}) => ({
    ...system,
    id,
    name,
    nameEn,
    code: `c${id}`,
    parentId: '0',
    category: 1,
    action: 0,
    isOpen: 1,
    fullScreen: 0,
    isTab: 1,
    keepAlive: 1,
    platformOnly: 0,
    sort: 1,
    ...more,
  })
  const forest = [
    menu('1', '学生', 'Students', {
      source: 'users',
      path: '/student/student',
      children: [menu('11', '新增', 'Add', { category: 2, parentId: '1', code: 'student_add' })],
    }),
  ]
  const answers = {
    'blade-auth/oauth/user-info': good({ userId: '1', tenantId: '000000', account: 'admin', roles: [] }),
    'blade-system/menu/top-menu': good([]),
    'blade-system/menu/routes': good([]),
    'blade-system/menu/buttons': good([]),
    'blade-system/menu/list': good(forest),
    'blade-system/menu/detail': good(forest[0]),
    'blade-system/menu/submit': (call: Seen) => good({ ...forest[0], ...bodyOf(call) }),
    'blade-system/dict-biz/dictionaries': good({
      menu_category: [
        { dictKey: '1', dictValue: '菜单', dictValueEn: 'Menu', sort: 1 },
        { dictKey: '2', dictValue: '按钮', dictValueEn: 'Button', sort: 2 },
      ],
      yes_no: [{ dictKey: '1', dictValue: '否', dictValueEn: 'No', sort: 1 }],
    }),
  }
  beforeEach(async () => {
    await begin(codes('menu'), '/system/menu')
  })

  it('shows both names, path and code; a button is told from a page and holds nothing', async () => {
    serve(answers)
    show(httpCalls, <MenuPage />)
    await waitFor(() => expect(rowIds()).toEqual(['1', '11']))
    for (const text of ['学生', 'Students', '/student/student', 'c1'])
      expect(within(rowOf('1')).getByText(text)).toBeTruthy()
    expect(await within(rowOf('11')).findByText('按钮')).toBeTruthy()
    expect(within(rowOf('11')).queryByRole('button', { name: /下新增/ })).toBeNull()
  })

  it('an icon is chosen from a grid one can search', async () => {
    const seen = serve(answers)
    show(httpCalls, <MenuPage />)
    await waitFor(() => expect(rowIds()).toHaveLength(2))
    fireEvent.click(within(rowOf('1')).getByRole('button', { name: '编辑 学生' }))
    await waitFor(() => expect(field('source')?.textContent).toContain('users'))
    fireEvent.click(within(field('source')).getByRole('button', { name: /users|菜单图标/ }))
    fireEvent.change(await screen.findByRole('textbox', { name: '搜索图标名称' }), { target: { value: 'graduation' } })
    fireEvent.click(screen.getByRole('option', { name: 'graduation-cap' }))
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(sent(seen, 'blade-system/menu/submit')).toHaveLength(1))
    expect(bodyOf(sent(seen, 'blade-system/menu/submit')[0]!)).toEqual({
      id: '1',
      version: 4,
      source: 'graduation-cap',
    })
    // What changed may stand at the side of this very page.
    await waitFor(() => expect(sent(seen, 'blade-system/menu/buttons')).toHaveLength(1))
    expect(sent(seen, 'blade-system/menu/routes')).toHaveLength(1)
  })
})

describe('regions', () => {
  const region = (code: string, name: string, parentCode: string, level: number, ancestors: string) => ({
    code,
    name,
    parentCode,
    ancestors,
    level,
    sort: 1,
    remark: null,
    validTo: null,
  })
  const provinces = [region('11', '北京市', '00', 1, '00'), region('12', '天津市', '00', 1, '00')]
  const district = region('110105', '朝阳区', '1101', 3, '00,11,1101')
  const page = (records: unknown[]) => good({ total: records.length, size: 200, current: 1, pages: 1, records })
  const answers = {
    'blade-system/region/list': (call: Seen) => {
      const { name, code, parentCode } = Object.fromEntries(call.query)
      if (name) return page([district])
      if (code) return page(provinces.filter((row) => row.code.startsWith(code)))
      return page(parentCode === '00' ? provinces : [region('1101', '市辖区', '11', 2, '00,11')])
    },
    'blade-system/region/lazy-tree': (call: Seen) =>
      good(
        call.query.get('parentCode') === '00'
          ? provinces.map((row) => ({ id: row.code, parentId: '00', title: row.name, hasChildren: row.code === '11' }))
          : [],
      ),
    'blade-system/region/path': good({ '11': '北京市', '1101': '北京市/市辖区' }),
    'blade-system/dict-biz/dictionaries': good({
      region: [{ dictKey: '1', dictValue: '省份/直辖市', dictValueEn: 'Province', sort: 1 }],
    }),
  }

  it('are read level by level, and searched with what they stand under', async () => {
    await begin([...codes('region'), 'region_import'], '/base/region')
    const seen = serve(answers)
    show(httpCalls, <RegionPage />)
    await waitFor(() => expect(rowIds()).toEqual(['11', '12']))
    expect(sent(seen, 'blade-system/region/list').map((call) => call.query.get('parentCode'))).toEqual(['00'])
    expect(rowOf('12').getAttribute('aria-expanded')).toBeNull()
    fireEvent.click(within(rowOf('11')).getByRole('button', { name: /展开|收起/ }))
    if (rowOf('11').getAttribute('aria-expanded') === 'false')
      fireEvent.click(within(rowOf('11')).getByRole('button', { name: /展开/ }))
    await waitFor(() => expect(rowIds()).toEqual(['11', '1101', '12']))
    fireEvent.change(screen.getByRole('textbox', { name: /搜索/ }), { target: { value: '朝阳' } })
    await waitFor(() => expect(rowIds()).toEqual(['11', '1101', '110105']))
    expect(within(rowOf('1101')).getByText('市辖区')).toBeTruthy()
  })

  it('a code that is taken is not overwritten by an add', async () => {
    await begin(codes('region'), '/base/region')
    const seen = serve(answers)
    show(httpCalls, <RegionPage />)
    await waitFor(() => expect(rowIds()).toHaveLength(2))
    fireEvent.click(screen.getByRole('button', { name: '新增行政区划' }))
    await waitFor(() => expect(field('code')).toBeTruthy())
    fireEvent.change(input('code'), { target: { value: '12' } })
    fireEvent.change(input('name'), { target: { value: '天津' } })
    fireEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(field('code').querySelector('.ff-wrong')?.textContent).toBe('该编号已存在'))
    expect(sent(seen, 'blade-system/region/submit')).toHaveLength(0)
  })
})

it('the tree pages belong to entities whose list is a forest', () => {
  for (const name of ['dept', 'menu', 'dict', 'dictbiz']) expect(entityOf(name).fields.parentId?.to).toBe(name)
})
