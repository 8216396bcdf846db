/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn, openMenu } from './clerk.ts'
import { sayAll } from './looks.ts'
import { tooLarge } from './pages.ts'
import { type Product, password, startProduct } from './product.ts'

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
/** What the page's console said that nobody expected. */
let complaints: string[]

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(async () => {
  complaints = []
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|401|403|404|409|429)/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(product.url) && !/^(data|blob):/.test(request.url()))
      complaints.push(`asked ${request.url()}`)
  })
})
afterEach(async () => {
  await context.close()
  expect(complaints).toEqual([])
})

const path = (): string => new URL(page.url()).pathname
const tabs = async (): Promise<string[]> => page.getByRole('tab').allInnerTexts()

describe('log in', () => {
  it('R-ROUTE-1 R-AUTH-1 shows why it refuses, keeps the account, and lets the right password in', async () => {
    await page.goto(`${product.url}/login`)
    expect(await page.title()).toContain('登录')
    await page.getByLabel('账号').fill('admin')
    await page.locator('input[type=password]').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('用户名或密码错误').waitFor()
    expect(await page.getByLabel('账号').inputValue()).toBe('admin')
    expect(path()).toBe('/login')
    await logIn(page, product.url, password)
    expect(path()).toBe('/wel/index')
  })

  it('R-NAV-2 R-NAV-4 R-ROUTE-2 brings to log in and back to where one was going, and past the log-in page when logged in', async () => {
    await page.goto(`${product.url}/school/school?current=1`)
    await page.waitForURL('**/login?**')
    await page.getByLabel('账号').fill('admin')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/school/school?**')
    await page.goto(`${product.url}/login`)
    await page.waitForURL('**/wel/index')
    await page.goto(`${product.url}/`)
    await page.waitForURL('**/wel/index')
    await page.goto(`${product.url}/no/such/page`)
    await page.waitForURL('**/404')
  })

  it('R-NAV-3 R-AUTH-8 R-BAR-1 asks before logging out, ends the session on the server, and leaves nothing open', async () => {
    await logIn(page, product.url, password)
    const token = (await context.cookies()).find((cookie) => cookie.name.includes('access'))!
    expect(token.sameSite).toBe('Strict')
    await openMenu(page, '学校', '学校')
    await page.getByRole('button', { name: /管理员/ }).click()
    await page.getByRole('menuitem', { name: /退出/ }).click()
    await page
      .getByRole('button', { name: /^(退出|确定)/ })
      .last()
      .click()
    await page.waitForURL('**/login**')
    const answer = await fetch(`${product.url}/api/blade-auth/oauth/user-info`, {
      headers: { 'blade-auth': `bearer ${token.value}` },
    })
    expect(answer.status).toBe(401)
    await page.goto(`${product.url}/school/school`)
    await page.waitForURL('**/login?**')
  })

  it('R-AUTH-7 sends somebody whose session has ended back to log in, with the server’s words', async () => {
    // The channel of the notices would hear of it first: here the answer to a key does.
    await page.route('**/blade-desk/live**', () => {})
    await logIn(page, product.url, password)
    await openMenu(page, '学校', '学校')
    await page.getByText('还没有学校').waitFor()
    const held = async () => (await context.cookies()).find((cookie) => cookie.name.includes('access'))?.value
    const token = await held()
    const says = async (): Promise<{ status: number; msg: string }> => {
      const answer = await fetch(`${product.url}/api/blade-auth/oauth/user-info`, {
        headers: { 'blade-auth': `bearer ${token}` },
      })
      return { status: answer.status, msg: ((await answer.json()) as { msg: string }).msg }
    }
    await fetch(`${product.url}/api/blade-auth/oauth/logout`, { headers: { 'blade-auth': `bearer ${token}` } })
    const { status, msg } = await says()
    expect([status, msg.length > 4]).toEqual([401, true])
    // A key waits for nothing: a call of the page's own may have heard of it in this moment, and no button is left.
    await page.keyboard.press('Alt+r')
    await page.waitForURL('**/login?back=**')
    await page.getByRole('alert').getByText(msg, { exact: true }).waitFor()
    // Nothing of the session is left in the browser, and nothing of the frame on the page.
    expect(await held()).toBeUndefined()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: '学校', exact: true }).waitFor()
    expect(path()).toBe('/school/school')
    expect(await held()).not.toBe(token)
  })
})

describe('the frame', () => {
  beforeEach(() => logIn(page, product.url, password))

  it('R-LAY-1 R-BAR-2 R-TAB-1 R-TAB-2 R-TAB-5 opens pages from the menus as tabs; the first stays', async () => {
    expect(await page.getByRole('navigation', { name: '侧边菜单' }).count()).toBe(0)
    await openMenu(page, '学校', '学校')
    await openMenu(page, '学校', '校区')
    expect(await tabs()).toEqual(['首页', '学校', '校区'])
    expect(await page.title()).toBe('校区 · 数据大脑')
    expect(await page.getByRole('navigation', { name: '顶部菜单' }).locator('[aria-current]').allInnerTexts()).toEqual([
      '学校',
    ])
    await page.getByRole('tab', { name: '校区' }).focus()
    await page.keyboard.press('Delete')
    expect(await tabs()).toEqual(['首页', '学校'])
    await page.getByRole('tab', { name: '首页' }).focus()
    await page.keyboard.press('Delete')
    expect(await tabs()).toEqual(['首页', '学校'])
  })

  it('R-TAB-3 R-TAB-4 R-BAR-3 has a tab menu that asks before clearing the cache, closes others and all, and opens the menu search', async () => {
    await openMenu(page, '学校', '学校')
    await openMenu(page, '学校', '校区')
    const menu = async (item: RegExp): Promise<void> => {
      await page.getByRole('tab', { selected: true }).click({ button: 'right' })
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu(/清除缓存/)
    await page.getByText('是否需要清除缓存?').waitFor()
    await page.keyboard.press('Escape')
    await menu(/菜单搜索/)
    await page.getByRole('dialog').getByRole('combobox').fill('xq')
    await page.getByRole('option', { name: /校区/ }).first().waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('listbox').count()).toBe(0)
    await menu(/关闭其他/)
    expect(await tabs()).toEqual(['首页', '校区'])
    await menu(/关闭全部/)
    await page.waitForURL('**/wel/index')
    // With home alone there is no row of tabs.
    await page.getByRole('tablist').waitFor({ state: 'detached' })
  })

  it('R-TAB-1 R-TAB-3 twenty open pages can be seen and found, by keyboard as well; what is not saved is marked; the row can be put away', async () => {
    const codes = [
      'school',
      'schoolcampus',
      'schoolfloor',
      'schoolclassroom',
      'schoolyear',
      'schoolsemester',
      'sysgrade',
    ]
    const teaching = ['schoolclass', 'schoolteachclass', 'teacherclass']
    const pupils = ['student', 'studentdetail', 'studentresume', 'studentparents', 'studentgroup', 'studentmessage']
    const system = ['user', 'dept', 'post']
    const paths = [
      ...codes.map((code) => `/school/${code}`),
      ...teaching.map((code) => `/teaching/${code}`),
      ...pupils.map((code) => `/student/${code}`),
      ...system.map((code) => `/system/${code}`),
    ]
    const show = async (path: string): Promise<void> => {
      await page.evaluate((to) => {
        window.history.pushState(null, '', to)
        window.dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      await page.locator('#main [role=tabpanel]:visible h1').waitFor()
    }
    for (const path of paths) await show(path)
    expect(await page.getByRole('tab').count()).toBe(20)
    await page.getByRole('button', { name: '新增岗位' }).first().click()
    await page.getByRole('dialog').getByRole('textbox').first().fill('门卫')
    await show('/system/dept')
    // In a window that becomes narrower the page one is at stays in sight.
    const wide = page.viewportSize()!
    await page.getByRole('tab').last().click()
    const edge = () => page.getByRole('tab', { selected: true }).evaluate((tab) => tab.getBoundingClientRect().right)
    await page.setViewportSize({ width: 1024, height: wide.height })
    await expect.poll(edge).toBeLessThan(1024)
    await page.setViewportSize(wide)
    await show('/system/dept')
    // From the tab shown, the next stop of the keyboard is the count.
    await page.getByRole('tab', { selected: true }).focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('pages-count')
    expect(await page.locator('.pages-count').innerText()).toBe('20')
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog', { name: '已打开的页面' })
    await list.waitFor()
    expect(await list.locator('.pages-row').count()).toBe(20)
    expect(await list.locator('.pages-row').filter({ hasText: '未保存' }).allInnerTexts()).toEqual([
      expect.stringContaining('岗位'),
    ])
    expect(await axeFaults(page)).toEqual([])
    // What is typed goes to the search, composed by an input method as well; Enter on nothing opens nothing.
    await page.keyboard.press('Enter')
    await page.keyboard.insertText('学期')
    await expect.poll(() => list.locator('.pages-row').allInnerTexts()).toEqual(['学期'])
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    // Initials find, Enter opens.
    await page.keyboard.press('x')
    await page.keyboard.type('q')
    await expect
      .poll(() => list.locator('.pages-row').allInnerTexts())
      .toEqual(expect.arrayContaining(['校区', '学期']))
    await list.getByRole('searchbox').fill('校区')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/school/schoolcampus**')
    await list.waitFor({ state: 'detached' })

    await page.locator('.pages-count').click()
    await list.getByRole('button', { name: '学期', exact: true }).focus()
    await page.keyboard.press('Delete')
    await expect.poll(() => list.locator('.pages-row').count()).toBe(19)
    await list.getByRole('button', { name: '收起标签栏' }).click()
    await page.getByRole('tablist', { name: '已打开的页面' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.header-actions .pages-count').filter({ hasText: '19' }).click()
    await list.getByRole('button', { name: '显示标签栏' }).click()
    // The row is fetched when it is first shown.
    await expect.poll(() => page.getByRole('tab').count()).toBe(19)
  })

  it('R-LAY-1 takes at most 100 px for header and tabs', async () => {
    await openMenu(page, '学校', '学校')
    const top = await page.locator('#main').evaluate((main) => main.getBoundingClientRect().top)
    expect(top).toBeLessThanOrEqual(100)
    expect(top).toBeGreaterThan(50)
  })

  it('says what happened at the foot, over the pager and above what is offered for ticked rows; what failed stays', async () => {
    await page.goto(`${product.url}/school/sysgrade`)
    await page.getByText('一年级').first().waitFor()
    const box = async (selector: string) => (await page.locator(selector).last().boundingBox())!
    await sayAll(page)
    await page.locator('.toast').nth(2).waitFor()
    const lowest = async () => {
      const { y, height } = await box('.toast')
      return y + height
    }
    const pager = await box('.pager:visible')
    const clear = async () => (await lowest()) <= pager.y || (await box('.toast >> nth=0')).y >= pager.y + pager.height
    // It rises as it appears.
    await expect.poll(clear).toBe(true)
    expect((await page.locator('.toast').first().boundingBox())!.y).toBeGreaterThan((await box('h1:visible')).y + 200)
    await page.locator('tbody input[type=checkbox]').first().click()
    await page.locator('.bulk').waitFor()
    await expect.poll(lowest).toBeLessThanOrEqual((await box('.bulk')).y)
    // Good news goes by itself.
    await page.locator('.toast.success').waitFor({ state: 'detached' })
    await page.locator('.toast.warning').waitFor({ state: 'detached' })
    expect(await page.locator('.toast.error').count()).toBe(1)
    await page.locator('.toast.error').getByRole('button', { name: '关闭' }).click()
    await page.locator('.toast').waitFor({ state: 'detached' })
  })

  it('R-TAB-6 keeps a half-filled filter over a change of tab, and the tabs over a reload', async () => {
    await openMenu(page, '学校', '学校')
    const search = page.getByPlaceholder(/搜索/).last()
    await search.fill('半句')
    await openMenu(page, '学校', '校区')
    await page.getByRole('tab', { name: '学校' }).click()
    expect(await page.getByPlaceholder(/搜索学校/).inputValue()).toBe('半句')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: '学校' }).waitFor()
    expect(await tabs()).toEqual(['首页', '学校', '校区'])
  })

  it('R-BAR-4 changes the language at once: menus, tabs, title, page; the current one cannot be chosen', async () => {
    await openMenu(page, '学校', '学校')
    await page.locator('.account').click()
    await page.getByRole('menuitem', { name: '语言' }).click()
    expect(
      await page
        .getByRole('menuitemradio', { name: '中文' })
        .or(page.getByRole('menuitem', { name: '中文' }))
        .first()
        .isDisabled(),
    ).toBe(true)
    await page.getByText('English', { exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'School' }).waitFor()
    expect(await page.title()).toMatch(/Data Brain/)
    expect(await page.locator('html').getAttribute('lang')).toMatch(/^en/)
    await page.waitForTimeout(1_200)
    const text = await page.locator('body').innerText()
    expect(
      text
        .replace('中文', '')
        .replace('管理员', '')
        .match(/[\u4e00-\u9fff]+/g) ?? [],
    ).toEqual([])
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'School' }).waitFor()
  })

  it('R-NAV-1 R-LAY-2 shows the lock page and nothing else of the frame while the lock flag is set', async () => {
    await openMenu(page, '学校', '学校')
    await page.evaluate(() =>
      sessionStorage.setItem(
        'databrain-lock',
        JSON.stringify({ content: true, dataType: 'boolean', datetime: Date.now() }),
      ),
    )
    for (const asked of ['/school/school', '/wel/index', '/info/index']) {
      await page.goto(product.url + asked)
      await page.waitForURL('**/lock')
    }
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.evaluate(() => sessionStorage.removeItem('databrain-lock'))
    await page.goto(`${product.url}/wel/index`)
    await page.getByRole('navigation', { name: '顶部菜单' }).waitFor()
  })

  /** How long a state is waited for, on a machine that has other things to do. */
  const patience = { timeout: 15_000 }

  it('R-LAY-4 R-BAR-1 draws an icon beside every menu entry, and a circle where an entry has none of its own', async () => {
    const token = (await context.cookies()).find((cookie) => cookie.name.includes('access'))!.value
    const call = async <T>(name: string, body?: unknown): Promise<T> => {
      const answer = await fetch(`${product.url}/api/${name}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
      if (code !== 200) throw new Error(`${name}: ${msg}`)
      return data
    }
    interface Node {
      id: string
      code: string
      version: number
      children?: Node[]
    }
    const flat = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
    const found = flat(await call<Node[]>('blade-system/menu/routes')).find(({ code }) => code === 'schoolfloor')!
    const entry = await call<Node & { source: string }>(`blade-system/menu/detail?id=${found.id}`)
    const links = page.getByRole('navigation', { name: '侧边菜单' }).getByRole('link')
    const icons = async () =>
      Object.fromEntries(
        await links.evaluateAll((all) =>
          all.map((link) => [(link as HTMLElement).innerText.trim(), link.querySelector('svg')?.innerHTML]),
        ),
      )
    const openWith = async (source: string | null): Promise<void> => {
      const { version } = await call<Node>(`blade-system/menu/detail?id=${found.id}`)
      await call('blade-system/menu/submit', { id: found.id, version, source })
      await page.goto(`${product.url}/school/school`)
    }
    const circle = '<circle cx="12" cy="12" r="10"></circle>'
    await openWith(entry.source)
    await expect.poll(async () => Object.keys(await icons()).length, patience).toBeGreaterThan(5)
    // Until they have come, each keeps the place with nothing in it.
    await expect
      .poll(async () => Object.values(await icons()).every((drawing) => /^<[a-z]/.test(drawing ?? '')), patience)
      .toBe(true)
    const usual = await icons()
    expect(Object.values(usual)).not.toContain(circle)
    for (const source of [null, 'no-such-icon']) {
      await openWith(source)
      await expect.poll(icons, patience).toEqual({ ...usual, 楼层: circle })
    }
    await openWith(entry.source)
    await expect.poll(icons, patience).toEqual(usual)
  })

  it('R-LAY-4 R-BAR-1 shows the avatar that ships with the console where somebody has none, or none that can be fetched', async () => {
    const avatar = page.getByRole('button', { name: /管理员/ }).locator('img')
    /** The picture, once it is drawn. */
    const drawn = (): Promise<string | null> =>
      avatar.evaluate((image) => ((image as HTMLImageElement).naturalWidth > 0 ? image.getAttribute('src') : null))
    await expect.poll(drawn, patience).toMatch(/^data:image\/svg\+xml,/)
    const own = await drawn()
    const answered = async (picture: string, status: number, wanted: string | null): Promise<void> => {
      await page.route('**/oauth/user-info', async (route) => {
        const response = await route.fetch()
        const answer = (await response.json()) as { data: object }
        await route.fulfill({ response, json: { ...answer, data: { ...answer.data, avatar: picture } } })
      })
      await page.route(`**${picture}`, (route) =>
        route.fulfill({
          status,
          contentType: 'image/svg+xml',
          body: status === 200 ? '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' : '',
        }),
      )
      // Before its own picture has been asked for, somebody is shown the one that ships.
      const fetched = page.waitForResponse(`**${picture}`)
      await page.reload()
      await fetched
      await expect.poll(drawn, patience).toBe(wanted)
      await page.unrouteAll({ behavior: 'wait' })
    }
    // Somebody's own picture takes its place, and leaves it again when it is gone.
    await answered('/mine.svg', 200, '/mine.svg')
    await answered('/gone.svg', 404, own)
  })

  /** What tells the four frames apart: the menu behind a button, the menus with icons, the search in words, the name. */
  const frames = [
    { from: 0, kind: 0, button: true, tops: false, search: false, name: false },
    { from: 768, kind: 1, button: true, tops: false, search: false, name: false },
    { from: 992, kind: 2, button: false, tops: true, search: false, name: false },
    { from: 1200, kind: 3, button: false, tops: true, search: true, name: true },
  ]
  const widths = [360, 767, 768, 991, 992, 1199, 1200, 1920]

  it.each(widths)('R-LAY-3 has the frame of its class, and all of it can be reached and used: %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    const { from: _, kind, ...wanted } = frames.findLast(({ from }) => width >= from)!
    const frame = page.locator(`.frame[data-class="${kind}"]`)
    await frame.waitFor()
    const header = page.locator('header.header')
    expect({
      button: await header.getByRole('button', { name: '菜单', exact: true }).isVisible(),
      tops: await page.getByRole('navigation', { name: '顶部菜单' }).isVisible(),
      search: await header.locator('.find').isVisible(),
      name: await header.locator('.account-name').isVisible(),
    }).toEqual(wanted)
    const inside = async (what: string): Promise<void> => {
      expect(await tooLarge(page), what).toEqual([])
      const out = await page.locator('header.header button:visible, header.header a:visible').evaluateAll((all) =>
        all.flatMap((each) => {
          const { left, right, width: wide } = each.getBoundingClientRect()
          return wide > 0 && (left < 0 || right > innerWidth) ? [each.textContent] : []
        }),
      )
      expect(out, what).toEqual([])
    }
    await inside('home')
    if (wanted.tops) await openMenu(page, '学校', '系统年级')
    else {
      await header.getByRole('button', { name: '菜单', exact: true }).click()
      const drawer = page.getByRole('dialog', { name: '菜单' })
      const entry = drawer.getByText('系统年级', { exact: true })
      if (!(await entry.isVisible())) await drawer.getByText('学校', { exact: true }).first().click()
      await entry.click()
      await page.getByRole('heading', { level: 1, name: '系统年级', exact: true }).waitFor()
    }
    await page.getByText('一年级').first().waitFor()
    await inside('list')
    // Class 0 has cards in place of a table.
    expect(await page.getByRole('main').getByRole('columnheader').first().isVisible()).toBe(kind > 0)
    await page.getByRole('main').getByRole('button', { name: /^新增/ }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('年级名称').first().waitFor()
    await inside('form')
    const save = form.getByRole('button', { name: /保存|新增|确定/ }).last()
    // The form comes in from the edge.
    await expect
      .poll(async () => {
        const box = await save.boundingBox()
        return box && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= 800
      }, patience)
      .toBe(true)
    await inside('form at rest')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })
})

describe('what the header offers beside the menus', () => {
  beforeEach(async () => {
    await logIn(page, product.url, password)
    await page.getByRole('navigation', { name: '顶部菜单' }).waitFor()
  })

  const tryToUnlock = async (secret: string): Promise<void> => {
    await page.getByLabel('锁屏密码').fill(secret)
    await page.keyboard.press('Enter')
  }
  const lockWith = async (secret: string): Promise<void> => {
    await page.keyboard.press('Alt+L')
    const field = page.getByRole('dialog', { name: '锁屏' }).getByLabel('锁屏密码')
    await field.waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('锁屏密码不能为空').waitFor()
    await field.fill(secret)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/lock')
  }

  it('R-BAR-7 R-NAV-1 locks on the server too, takes the work out of the page, and gives it back as it was typed', async () => {
    await openMenu(page, '学校', '学校')
    await page.getByRole('button', { name: '新增学校' }).first().click()
    const name = page.getByRole('dialog').getByLabel('学校名称').first()
    await name.fill('明德小学')
    await lockWith('tea break')
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.locator('body').innerHTML()).not.toContain('明德小学')
    const token = (await context.cookies()).find((cookie) => cookie.name.includes('access'))!.value
    const list = () =>
      fetch(`${product.url}/api/blade-user/school/list`, { headers: { 'blade-auth': `bearer ${token}` } })
    await expect.poll(async () => (await list()).status).toBe(423)
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('tea break')

    await page.goto(`${product.url}/school/school`)
    await page.waitForURL('**/lock')
    await tryToUnlock('coffee break')
    await page.getByText('还可以试 4 次').waitFor()
    await tryToUnlock('tea break')
    await page.waitForURL('**/school/school**')
    expect((await list()).status).toBe(200)
    await page.getByRole('dialog').waitFor()
    await expect.poll(() => name.inputValue()).toBe('明德小学')
  })

  it('R-BAR-7 locks every window of the browser, and five wrong passwords end the session', async () => {
    const other = await context.newPage()
    await other.goto(`${product.url}/wel/index`)
    await other.getByRole('navigation', { name: '顶部菜单' }).waitFor()
    await lockWith('tea break')
    await other.waitForURL('**/lock')
    const token = (await context.cookies()).find((cookie) => cookie.name.includes('access'))!.value
    for (const words of ['4 次', '3 次', '2 次', '再错一次']) {
      await tryToUnlock('no')
      await page.getByText(words).waitFor()
    }
    await tryToUnlock('no')
    await page.waitForURL('**/login**')
    await page.getByRole('alert').getByText('已退出登录').waitFor()
    const answer = await fetch(`${product.url}/api/blade-auth/oauth/user-info`, {
      headers: { 'blade-auth': `bearer ${token}` },
    })
    expect(answer.status).toBe(401)
    await other.close()
  })

  it('R-BAR-5 previews a theme by arrow keys, restores by Esc, keeps by Enter over a reload; a pale colour is corrected', async () => {
    const html = page.locator('html')
    const paper = () => page.evaluate(() => getComputedStyle(document.querySelector('header')!).backgroundImage)
    const before = await paper()
    const shown = async (theme: string): Promise<void> => page.locator(`html[data-theme="theme-${theme}"]`).waitFor()
    await page.keyboard.press('Alt+T')
    await page.getByRole('dialog', { name: '主题' }).waitFor()
    for (const theme of ['white', 'dark', 'colourful', 'smart', 'iview', 'vip']) {
      await page.keyboard.press('ArrowRight')
      await shown(theme)
    }
    expect(await paper()).not.toBe(before)
    await page.keyboard.press('Escape')
    await shown('default')
    expect(await paper()).toBe(before)

    await page.keyboard.press('Alt+T')
    await page.getByRole('radio', { name: '多彩' }).check({ force: true })
    await page.getByRole('radio', { name: '深色' }).check()
    await page.keyboard.press('Enter')
    await expect.poll(() => html.getAttribute('data-scheme')).toBe('dark')
    await page.reload()
    await page.getByRole('navigation', { name: '顶部菜单' }).waitFor()
    await shown('colourful')
    expect(await html.getAttribute('data-scheme')).toBe('dark')
    expect(await html.getAttribute('data-tabs')).toBe('pill')

    await page.keyboard.press('Alt+T')
    await page.getByRole('button', { name: '恢复默认' }).click()
    expect(await page.getByLabel(/自选颜色/).inputValue()).toBe('#0e64f4')
    await page.getByLabel(/自选颜色/).fill('#ffe600')
    await page.getByText(/已为可读性调整为 #/).waitFor()
    expect(await axeFaults(page)).toEqual([])
  })

  it('R-BAR-8 R-ERR-3 counts errors on a badge, shows them masked, sends them to the server, and clears them', async () => {
    const fail = (text: string) =>
      page.evaluate((message) => {
        window.dispatchEvent(new ErrorEvent('error', { error: new TypeError(message) }))
      }, text)
    await fail('oops 13812345678')
    await fail('again')
    const account = page.locator('.account')
    expect(await account.getAttribute('aria-description')).toBe('本地日志，2 条')
    await account.click()
    const entry = page.getByRole('menuitem', { name: '本地日志' })
    expect(await entry.locator('.badge').innerText()).toBe('2')
    await entry.click()
    const dialog = page.getByRole('dialog', { name: '本地日志' })
    await dialog.getByText('oops *********78').first().waitFor()
    expect(await dialog.getByRole('columnheader').allInnerTexts()).toEqual(['类型', '地址', '内容', '错误堆栈', '时间'])
    expect(await axeFaults(page)).toEqual([])
    const box = await dialog.boundingBox()
    expect([box?.width, box?.height]).toEqual([1440, 900])
    const [sent] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/blade-auth/oauth/logout')),
      (async () => {
        await dialog.getByRole('button', { name: '上传到服务器' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: '上传到服务器' }).click()
      })(),
    ])
    expect(sent.status()).toBe(200)
    await page.getByText('发送成功!').waitFor()
    await dialog.getByText('没有本地日志').waitFor()
    await fail('once more')
    await dialog.getByRole('button', { name: '清空本地日志' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '清空本地日志' }).click()
    await page.getByText('清空成功!').waitFor()
    await page.keyboard.press('Escape')
    // Uploading never ends the session.
    await openMenu(page, '学校', '学校')
  })
})

describe('R-ERR-4 accessibility', () => {
  it.each(['zh', 'en'] as const)('axe finds nothing on login, home, a list and a form, in %s', async (language) => {
    await page.goto(`${product.url}/login`)
    if (language === 'en') await page.getByText('English', { exact: true }).click()
    expect(await axeFaults(page), 'login').toEqual([])
    await page.getByLabel(language === 'zh' ? '账号' : 'Account').fill('admin')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wel/index')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(500)
    expect(await axeFaults(page), 'home').toEqual([])
    await page.goto(`${product.url}/school/sysgrade`)
    await page.getByText('一年级').first().waitFor()
    expect(await axeFaults(page), 'list').toEqual([])
    await page
      .getByRole('button', { name: language === 'zh' ? /^新增/ : /^(New|Add)/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(600)
    expect(await axeFaults(page), 'form').toEqual([])
  })
})
