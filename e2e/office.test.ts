import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/** What an administrator does in the back office itself: settings, roles, regions. */

let product: Product
let browser: Browser

async function admin(size = { width: 1440, height: 900 }): Promise<Page> {
  const context = await browser.newContext({ viewport: size, locale: 'zh-CN' })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await logIn(page, product.url, password, 'admin', '000001')
  return page
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('R-PARAM-1 the settings', () => {
  it('are changed in place with keys, refused out of bounds, undone, and put back to the default', async () => {
    const page = await admin()
    await page.goto(`${product.url}/system/param`)
    const box = page.getByRole('textbox', { name: '登录失败次数上限' })
    await box.fill('99')
    await page.keyboard.press('Enter')
    await page.getByText('请输入 3 到 20 的整数').waitFor()
    await page.reload()
    // What was typed and not saved is still there.
    expect(await box.inputValue()).toBe('99')
    await box.fill('７')
    await page.keyboard.press('Tab')
    await page.getByText('更新成功').waitFor()
    const setting = page.locator('[data-key="account.maxFailures"]')
    await setting.getByText('已修改').waitFor()
    expect(await box.inputValue()).toBe('7')
    await page.getByRole('button', { name: '撤销' }).click()
    await setting.getByText('已修改').waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('5')
    const records = page.getByRole('switch', { name: '记录查询' })
    await records.click()
    const back = page.getByRole('button', { name: '记录查询：恢复默认值' })
    await back.click()
    await back.waitFor({ state: 'detached' })
    expect(await records.isChecked()).toBe(false)
    expect(await axeFaults(page)).toEqual([])
    await page.context().close()
  })

  it('that nobody reads are rows in a list that is folded', async () => {
    const page = await admin()
    await page.goto(`${product.url}/system/param`)
    await page.locator('summary', { hasText: '其他参数' }).click()
    await page
      .getByRole('button', { name: /新增系统参数/ })
      .first()
      .click()
    const form = page.getByRole('dialog')
    await form.getByLabel('参数名称').fill('校训')
    await form.getByLabel('参数键名').fill('school.motto')
    await form.getByLabel('参数键值').fill('厚德')
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await page.locator('tbody tr[data-key]', { hasText: '校训' }).waitFor()
    expect(await page.locator('tbody tr[data-key]').count()).toBe(1)
    await page.context().close()
  })
})

describe('R-SYS-2 roles', () => {
  it('are copied with their rights and lead to their users', async () => {
    const page = await admin()
    await page.goto(`${product.url}/authority/role`)
    await page.getByRole('button', { name: '班主任的更多操作' }).click()
    await page.getByRole('menuitem', { name: '复制', exact: true }).click()
    // Whoever opens the question may answer it: the proposed name is there to be typed over, or taken by Enter.
    await page.locator('.role-copy input:focus').waitFor()
    await page.keyboard.press('Enter')
    // The copy can be taken back, and has the rights of its model.
    await page.getByRole('button', { name: '撤销' }).waitFor()
    await page.getByRole('button', { name: /^班主任.+的更多操作$/ }).click()
    await page.getByRole('menuitem', { name: '权限设置', exact: true }).click()
    const count = async () => (await page.getByRole('tab', { name: /^菜单权限/ }).textContent()) ?? ''
    const copied = await count()
    expect(Number(/\d+/.exec(copied)?.[0])).toBeGreaterThan(5)
    await page.keyboard.press('Escape')
    const users = page.getByRole('link', { name: /^班主任：\d+ 名用户$/ })
    const number = await users.textContent()
    await users.click()
    await page.waitForURL(/\/system\/user\?roleId=\d+/)
    await page.getByText(new RegExp(`^共 ${number} `)).waitFor()
    await page.context().close()
  })
})

describe('C10 the classes of a new year', () => {
  it('are opened for all grades at once from the list of classes, by keys', async () => {
    const page = await admin()
    await page.goto(`${product.url}/teaching/schoolclass`)
    await page.getByRole('button', { name: '按年级开班' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: '按年级开班' })
    const third = dialog.getByLabel('三年级的班数')
    await third.waitFor()
    const before = Number(await third.inputValue())
    await third.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('61')
    await dialog.getByText('须为 0 到 60 的整数').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(String(before + 1))
    await dialog.getByText(`新建 ${before + 1} 班`).waitFor()
    await dialog.getByText(`将新建：三年级（${before + 1}）班`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('已新建 1 个班').waitFor()
    await page.getByRole('button', { name: '按年级开班' }).press('Enter')
    await expect.poll(() => third.inputValue()).toBe(String(before + 1))
    await page.context().close()
  })
})

describe('a region', () => {
  it('is found by initials and chosen with keys alone, with the way to it', async () => {
    const page = await admin()
    await page.goto(`${product.url}/school/school?edit=new`)
    const box = page.getByRole('dialog').getByRole('combobox', { name: '所属区划' })
    await box.focus()
    await page.keyboard.type('hdq bj')
    await page.getByText('北京市 / 市辖区 / 海淀区').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByTitle('北京市/市辖区/海淀区').waitFor()
    await box.focus()
    await page.keyboard.type('没有这个地方')
    await page.getByText('没有符合的选项').first().waitFor()
    await page.context().close()
  })
})

describe('R-FORM-2 a region, as it is typed', () => {
  const chosen = (page: Page) => page.locator('.entity-form [data-field=regionCode] .ant-select-content')
  /** Types into the empty field of a new school. */
  const typed = async (page: Page, text: string) => {
    await page.goto('about:blank')
    await page.goto(`${product.url}/school/school?edit=new`)
    const box = page.getByRole('dialog').getByRole('combobox', { name: '所属区划' })
    await box.focus()
    await page.keyboard.type(text)
    return box
  }

  it('is taken by Enter and by Tab without an arrow, also before the answer is there', async () => {
    const page = await admin()
    const listed = () => page.getByText('北京市 / 市辖区 / 海淀区').waitFor()
    for (const [text, key, wait] of [
      ['海淀', 'Enter', listed],
      ['东城区', 'Enter', undefined],
      ['110108', 'Tab', undefined],
    ] as const) {
      await typed(page, text)
      await wait?.()
      await page.keyboard.press(key)
      await expect.poll(() => chosen(page).innerText()).toMatch(text === '东城区' ? /东城区$/ : /海淀区$/)
      await page.locator('.ant-cascader-dropdown').first().waitFor({ state: 'hidden' })
      expect(await page.locator('.toast').count()).toBe(0)
    }
    await page.context().close()
  })

  it('of several is taken only once they are seen, the first one marked; what is left behind is said', async () => {
    const page = await admin()
    const box = await typed(page, '朝阳')
    const before = await chosen(page).innerText()
    await page.keyboard.press('Enter')
    const first = page.locator('.region-found .ant-cascader-menu-item').first()
    await first.getByText('辽宁省 / 朝阳市').waitFor()
    expect(await chosen(page).innerText()).not.toContain('朝阳')
    const ground = (of: typeof first) => of.evaluate((row) => getComputedStyle(row).backgroundColor)
    expect(await ground(first)).not.toBe(await ground(page.locator('.ant-cascader-menu-item').nth(1)))
    await page.keyboard.press('Enter')
    await expect.poll(() => chosen(page).innerText()).toBe('辽宁省/朝阳市')
    await box.press('ArrowDown')
    await page.keyboard.type('朝阳')
    await page.keyboard.press('Tab')
    await page.locator('.toast', { hasText: '“朝阳”不止一个，没有选：所属区划未改动' }).waitFor()
    expect(await chosen(page).innerText()).toBe('辽宁省/朝阳市')
    expect(before).not.toContain('朝阳')
    await page.context().close()
  })
})

describe('R-ROUTE-4 the first page', () => {
  it('comes at once, however late each answer is: nothing on it moves by itself', async () => {
    const page = await admin()
    await page.addInitScript(() => {
      const here = globalThis as { shifted?: number }
      here.shifted = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) here.shifted! += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    // Each answer comes in a time of its own, the last one last.
    let late = 0
    await page.route('**/api/blade-desk/**', async (route) => {
      late += 150
      await new Promise((done) => setTimeout(done, late))
      await route.continue().catch(() => undefined)
    })
    await page.reload()
    await page.getByRole('heading', { name: '各年级人数' }).waitFor()
    await page.getByRole('heading', { name: '通知公告' }).waitFor()
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
    expect(late).toBeGreaterThan(300)
    expect(await page.evaluate(() => (globalThis as { shifted?: number }).shifted)).toBeLessThan(0.02)
    await page.context().close()
  })

  it('C11 rings a parent with one press from the names of the class, which is written down, and shows the week', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await logIn(page, product.url, password, 'banzhuren', '000001')
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: '本周课表' }).waitFor()
    const first = main.locator('.roster li').first()
    const name = (await first.locator('a').textContent())!
    // By keys: the press after the name.
    await first.locator('a').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const number = main.locator('.call-line a[href^="tel:"]')
    await number.waitFor()
    expect(await number.textContent()).toMatch(/^1\d{10}$/)
    await main.getByText(`${name}的家长`, { exact: true }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    // The class's own week beside the teacher's lessons.
    const table = main.getByRole('table', { name: '本周课表' })
    const own = await table.locator('.week-lesson').count()
    await main.getByRole('button', { name: '本班课表' }).click()
    await expect.poll(() => table.locator('.week-lesson').count()).toBeGreaterThan(own)
    // On a phone as well it says for whom, or by whom, a lesson is: its subject may be one and the same all week.
    await page.setViewportSize({ width: 390, height: 844 })
    await table.locator('.week-lesson .muted').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await context.close()
    const office = await admin()
    await office.goto(`${product.url}/monitor/read`)
    await office.getByText('孙敏').first().waitFor()
    await office.getByText(name).first().waitFor()
    await office.context().close()
  })

  it('leaves no home with a blank half on a desk', async () => {
    // Where the work of each ends at least, of 900 px, in a demo in which nobody has done anything yet.
    for (const [account, tenant, kind, least] of [
      ['banzhuren', '000001', null, 900],
      ['jiaowu', '000001', null, 660],
      ['admin', '000001', '各校', 800],
      ['admin', '000001', '管理员', 500],
      ['admin', '000000', null, 700],
    ] as const) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      await logIn(page, product.url, password, account, tenant)
      if (kind) {
        await page.locator('.home-kinds button', { hasText: kind }).click()
        await page.locator('.home-kinds button[aria-pressed="true"]', { hasText: kind }).waitFor()
      }
      const end = () =>
        page.evaluate(() => document.querySelector('.home-main > :last-child')?.getBoundingClientRect().bottom ?? 0)
      await expect
        .poll(end, { timeout: 10_000, message: `${account} ${tenant} ${kind ?? ''}` })
        .toBeGreaterThanOrEqual(least)
      await context.close()
    }
  })

  it('R-ERR-1 says what failed and tries again', async () => {
    const page = await admin()
    let broken = true
    await page.route('**/api/blade-desk/home**', (route) =>
      broken
        ? route.fulfill({ status: 503, json: { code: 503, msg: '数据库正在重启', data: null } })
        : route.continue(),
    )
    await page.reload()
    const told = page.getByRole('main').getByRole('alert').filter({ hasText: '数据库正在重启' })
    await told.waitFor()
    await page.getByRole('heading', { name: '常用页面' }).waitFor()
    broken = false
    await told.getByRole('button', { name: '重试' }).click()
    await page.getByRole('heading', { name: '各年级人数' }).waitFor()
    await page.context().close()
  })
})
