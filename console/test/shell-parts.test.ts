import { beforeEach, describe, expect, it } from 'vitest'
import { keepMenus, type MenuNode, type TopMenu } from '../src/session/menus.ts'
import { logError, logStore, maskSecrets } from '../src/shell/log.ts'
import { leavesUnder, menuTree, topOf } from '../src/shell/menu-tree.ts'
import { loadPage } from '../src/shell/page.ts'
import { matchRank, searchableText, worthAsking } from '../src/shell/palette-match.ts'
import { routeOf } from '../src/shell/routes.ts'
import {
  addressOf,
  aliveAtMost,
  closeAll,
  closeOthers,
  closeRight,
  closeTab,
  dirtyAmong,
  isClosable,
  moveTab,
  pinTab,
  resetTabs,
  restoreTabs,
  setTabState,
  type Tab,
  tabStore,
  visitTab,
} from '../src/shell/tabs.ts'
import { pinyinInitials } from '../src/ui/pinyin.ts'

const tab = (value: string, patch: Partial<Tab> = {}): Tab => ({
  label: `menu.${value}`,
  value,
  params: {},
  query: '',
  meta: {},
  group: '',
  ...patch,
})
const home = tab('/wel/index', { label: 'shell.home' })
const open = () => tabStore.get().list.map((one) => one.value)

describe('tabs', () => {
  beforeEach(() => {
    sessionStorage.clear()
    resetTabs()
    sessionStorage.clear()
    restoreTabs(home)
    visitTab(home)
  })

  it('R-TAB-1 opens a tab for every visit but those with isTab false, no label or no path', () => {
    for (const one of [tab('/a'), tab('/b', { meta: { isTab: false } }), tab('/c', { label: '' }), tab('')])
      visitTab(one)
    expect(open()).toEqual(['/wel/index', '/a'])
  })

  it('R-TAB-1 does not open a second tab for another page of the same list', () => {
    visitTab(tab('/a', { query: 'current=1' }))
    visitTab(tab('/a', { query: 'current=2' }))
    expect(open()).toEqual(['/wel/index', '/a'])
    expect(addressOf('/a')).toBe('/a?current=2')
  })

  it('R-TAB-2 never closes the first tab', () => {
    expect(isClosable(tabStore.get(), '/wel/index')).toBe(false)
    visitTab(tab('/a'))
    expect(closeTab('/wel/index')).toBe('/a')
    expect(open()).toEqual(['/wel/index', '/a'])
    expect(isClosable(tabStore.get(), '/a')).toBe(true)
  })

  it('closes a tab and shows the one before it', () => {
    for (const path of ['/a', '/b', '/c']) visitTab(tab(path))
    expect(closeTab('/c')).toBe('/b')
    expect(closeTab('/a')).toBe('/b')
    expect(open()).toEqual(['/wel/index', '/b'])
  })

  it('R-TAB-3 closes others, those to the right, and all, which returns home; pinned ones stay', () => {
    for (const path of ['/a', '/b', '/c', '/d']) visitTab(tab(path))
    pinTab('/d', true)
    expect(closeOthers('/b')).toBe('/b')
    expect(open()).toEqual(['/wel/index', '/b', '/d'])
    pinTab('/d', false)
    expect(closeRight('/b')).toBe('/b')
    expect(open()).toEqual(['/wel/index', '/b'])
    expect(closeAll()).toBe('/wel/index')
    expect(open()).toEqual(['/wel/index'])
  })

  it('R-TAB-6 survives a reload with order, query and the tab that was active; labels are keys', () => {
    visitTab(tab('/a', { query: 'keyword=x' }))
    visitTab(tab('/b'))
    moveTab('/b', -1)
    const kept = sessionStorage.getItem('databrain-tabs') ?? ''
    tabStore.set({ list: [], active: '', alive: [], states: {}, closed: [] })
    sessionStorage.setItem('databrain-tabs', kept)
    restoreTabs(home)
    expect(open()).toEqual(['/wel/index', '/b', '/a'])
    expect(tabStore.get().active).toBe('/b')
    expect(addressOf('/a')).toBe('/a?keyword=x')
    expect(tabStore.get().list[2]?.label).toBe('menu./a')
    expect(tabStore.get().alive).toEqual([])
  })

  it('R-TAB-6 keeps the last twelve alive, and none that wants not to be', () => {
    visitTab(tab('/never', { meta: { keepAlive: false } }))
    for (let at = 0; at < 15; at++) visitTab(tab(`/t${at}`))
    expect(tabStore.get().alive).toHaveLength(aliveAtMost)
    expect(tabStore.get().alive[0]).toBe('/t14')
    expect(tabStore.get().alive).not.toContain('/t0')
    visitTab(tab('/never', { meta: { keepAlive: false } }))
    expect(tabStore.get().alive[0]).toBe('/never')
    visitTab(tab('/t14'))
    expect(tabStore.get().alive).not.toContain('/never')
  })

  it('knows which tabs hold unsaved changes', () => {
    visitTab(tab('/a'))
    setTabState('/a', { dirty: true })
    expect(dirtyAmong(['/a', '/wel/index'])).toEqual(['/a'])
    closeTab('/a')
    expect(tabStore.get().states['/a']).toBeUndefined()
  })

  it('never moves a tab before home', () => {
    visitTab(tab('/a'))
    moveTab('/a', -1)
    moveTab('/wel/index', 1)
    expect(open()).toEqual(['/wel/index', '/a'])
  })
})

const node = (code: string, path: string, more: Partial<MenuNode> = {}): MenuNode => ({
  id: code,
  code,
  name: code,
  nameEn: code,
  path,
  ...more,
})
const tops: TopMenu[] = [
  {
    id: '1',
    code: 'students',
    name: '学生',
    children: [
      node('records', '', {
        children: [
          node('student', '/blade/student'),
          node('studentdetail', '/blade/studentdetail'),
          node('nopage', '/nopage'),
        ],
      }),
      node('empty', '', { children: [node('alsonopage', '/also')] }),
      node('user', '/blade/user', { meta: { roles: ['administrator'] } }),
      node('manual', 'https://docs.example/manual', { isOpen: 2 }),
    ],
  },
  { id: '2', code: 'nothing', name: '空', children: [node('unknown', '/unknown')] },
]
const many = [
  ...tops,
  {
    id: '3',
    code: 'school',
    name: '学校',
    children: ['school', 'schoolclass', 'schoolyear', 'sysgrade', 'syssubject', 'schoolcampus'].map((code) =>
      node(code, `/blade/${code}`),
    ),
  },
]

describe('menus', () => {
  it('R-BAR-2 R-PERM-1 show what the roles may see and what has a page, and no empty group', () => {
    const tree = menuTree(many, ['teacher'])
    expect(tree.map((top) => top.code)).toEqual(['students', 'school'])
    const students = tree[0]!
    expect(students.groups.map((group) => group.code)).toEqual(['', 'records'])
    expect(leavesUnder(students).map((leaf) => leaf.code)).toEqual(['manual', 'student', 'studentdetail'])
    expect(leavesUnder(menuTree(many, ['administrator'])[0]!).map((leaf) => leaf.code)).toContain('user')
  })

  it('R-BAR-2 finds the top menu of the current path', () => {
    expect(topOf(menuTree(many, []), '/blade/schoolyear')?.code).toBe('school')
    expect(topOf(menuTree(many, []), '/wel/index')).toBeUndefined()
  })

  it('leaves group headings away over seven entries or fewer', () => {
    expect(menuTree(tops, [])[0]?.groups.map((group) => group.code)).toEqual([''])
  })

  it('R-ROUTE-3 R-ROUTE-5 lead into a frame, into a new window, or to a page', () => {
    const out = [
      ...many,
      {
        id: '9',
        code: 'out',
        name: '外部',
        children: [
          node('canteen', 'https://canteen.example/plan?day=1', { isOpen: 1 }),
          node('sheet', '/sheets/week.html', { isOpen: 2 }),
        ],
      },
    ]
    const leaves = leavesUnder(menuTree(out, []).find((top) => top.code === 'out')!)
    expect(leaves.map(({ path, external }) => [path, external])).toEqual([
      ['/myiframe/canteen', false],
      ['/myiframe/sheet', false],
    ])
    const manual = leavesUnder(menuTree(out, [])[0]!).find((leaf) => leaf.code === 'manual')
    expect(manual).toMatchObject({ path: 'https://docs.example/manual', external: true })
    keepMenus(out)
    expect(routeOf('/myiframe/canteen')?.route).toMatchObject({ code: 'canteen', label: 'menu.canteen' })
    for (const path of ['/myiframe/manual', '/myiframe/student', '/myiframe/urlPath'])
      expect(routeOf(path)?.route, path).toMatchObject({ path: '/myiframe/:routerPath', label: '' })
    keepMenus([])
  })

  it('R-ROUTE-5 become routes at start; an entry without a page does not, and an external one neither', () => {
    expect(routeOf('/blade/student')).toBeUndefined()
    keepMenus(many)
    expect(routeOf('/blade/student')?.route).toMatchObject({ code: 'student', label: 'menu.student' })
    expect(routeOf('/nopage')).toBeUndefined()
    expect(routeOf('/unknown')).toBeUndefined()
  })

  it('R-ROUTE-1 know the public pages without any menu', () => {
    for (const path of ['/lock', '/404', '/403', '/500']) expect(routeOf(path)?.route.meta.isAuth).toBe(false)
    expect(routeOf('/wel/index')?.route.meta.isAuth).toBeUndefined()
  })
})

describe('menu search', () => {
  const timetable = searchableText('课程表', 'Timetable')

  it('R-BAR-3 ranks a prefix of the name before everything else, whatever its case', () => {
    expect(matchRank('课', timetable)).toBe(2)
    expect(matchRank('程', timetable)).toBe(1)
    expect(matchRank('time', timetable)).toBe(1)
    expect(matchRank('TIME', searchableText('Timetable', '课程表'))).toBe(2)
    expect(matchRank('kcb', timetable)).toBe(1)
    expect(matchRank('xyz', timetable)).toBe(0)
    expect(matchRank('  ', timetable)).toBe(0)
  })

  it.each([
    ['课程表', 'kcb'],
    ['学生', 'xs'],
    ['班级', 'bj'],
    ['学校', 'xx'],
    ['校区', 'xq'],
    ['教室', 'js'],
    ['行政区划', 'xzqh'],
    ['任课教师', 'rkjs'],
    ['家长', 'jz'],
    ['用户', 'yh'],
    ['岗位', 'gw'],
    ['API 日志', 'api rz'],
  ])('R-BAR-3 knows the initials of %s', (name, initials) => {
    expect(pinyinInitials(name)).toBe(initials)
  })

  it('asks the server from two characters, or one Chinese one', () => {
    expect(['w', 'wa', '王', ' w '].map(worthAsking)).toEqual([false, true, true, false])
  })
})

describe('the local log', () => {
  beforeEach(() => {
    logStore.set([])
  })

  it('R-ERR-3 keeps type, message, stack, info, url and time', () => {
    logError(new Error('broken'), 'in a component')
    expect(logStore.get()[0]).toMatchObject({
      type: 'error',
      message: 'broken',
      info: 'in a component',
      url: expect.stringMatching(/^http/),
      stack: expect.stringContaining('broken'),
      time: expect.stringMatching(/^\d{4}-/),
    })
    expect(JSON.parse(localStorage.getItem('databrain-logs') ?? '{}').content).toHaveLength(1)
  })

  it('keeps at most 200 entries and 256 kB, the newest', () => {
    for (let at = 0; at < 230; at++) logError(new Error(`${at} ${'x'.repeat(900)}`), '')
    const kept = logStore.get()
    expect(kept.length).toBeLessThanOrEqual(200)
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(256 * 1024)
    expect(kept.at(-1)?.message).toMatch(/^229 /)
  })

  it('masks tokens, phones and identity numbers', () => {
    const text = maskSecrets(
      'tel 13812345678 id 110103200701011234 bsa_000000_AbC-9 hash 0123456789abcdef0123456789abcdef row 1857392001234567890',
    )
    expect(text).toBe('tel *********78 id ****************34 bsa_*** hash *** row 1857392001234567890')
  })
})

const Page = () => null

describe('page chunks', () => {
  it('R-ERR-4 counts as failed what does not come in time', async () => {
    await expect(loadPage(() => new Promise(() => {}), 20)).rejects.toThrow(/did not load/)
    await expect(loadPage(() => Promise.reject(new Error('404')))).rejects.toThrow('404')
    await expect(loadPage(() => Promise.resolve({ default: Page }))).resolves.toBe(Page)
  })
})
