/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { fillSchool, greenAtEdges, halves, Phone, startPlan } from './phone.ts'
import { type Product, password, startProduct } from './product.ts'

/** The shell and the lists on a phone, by touch alone, in both languages, light and dark. */

let product: Product
let browser: Browser
let phone: Phone
let page: Page
let outside: Awaited<ReturnType<typeof startPlan>>

beforeAll(async () => {
  outside = await startPlan()
  product = await startProduct()
  browser = await launchBrowser()
  phone = await Phone.take(product, browser)
  page = phone.page
})
afterEach(async (test) => {
  if (test.task.result?.state === 'fail') await phone.picture('failed')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  outside?.stop()
})

const tabs = () => page.locator('.tab-dropdown')

describe('R-LAY-3 the shell on a phone', () => {
  it('R-AUTH-1 logs in with the keyboard of the phone', async () => {
    await page.goto(`${product.url}/login`)
    await phone.looksGood('login', 'dark')
    await page.getByLabel('账号').tap()
    await page.keyboard.type('admin')
    await page.locator('input[type=password]').tap()
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wel/index')
    await fillSchool(phone, outside.address)
    await page.reload()
  })

  it('leads from what is to do today to the rows that are counted', async () => {
    const todo = page.getByRole('link', { name: /个当前学年已结束/ })
    await todo.waitFor()
    await phone.looksGood('home', 'dark')
    await todo.tap()
    await phone.card('2020-2021学年').waitFor()
    await phone.count('共 1 条')
    expect(new URL(page.url()).searchParams.get('isCurrent')).toBe('1')
    await page.goBack()
    await todo.waitFor()
  })

  it('R-BAR-2 R-TAB-3 opens pages from the drawer, and has the tabs in one button: close, close others, close all', async () => {
    await phone.button('菜单').tap()
    await phone.looksGood('drawer', 'dark')
    await page.touchscreen.tap(370, 500)
    await page.getByRole('dialog', { name: '菜单' }).waitFor({ state: 'detached' })
    await phone.open('学校', '楼层')
    await phone.open('学校', '校区')
    await tabs().tap()
    await phone.looksGood('tabs', 'dark')
    await page.getByRole('menuitemradio', { name: '楼层', exact: true }).tap()
    await page.getByRole('heading', { level: 1, name: '楼层' }).waitFor()
    const menu = async (item: string) => {
      await page.locator('.tab-strip .icon-button').tap()
      await page.getByRole('menuitem', { name: item, exact: true }).tap()
    }
    await page.locator('.tab-strip .icon-button').tap()
    await phone.looksGood('tab-menu')
    await page.getByRole('menuitem', { name: '关闭', exact: true }).tap()
    await expect.poll(() => tabs().innerText()).not.toContain('楼层')
    await phone.open('学校', '校区')
    await menu('关闭其他')
    await expect.poll(() => tabs().innerText()).toMatch(/校区\s+2/)
    await menu('关闭全部')
    await page.waitForURL('**/wel/index')
    expect(await tabs().innerText()).toMatch(/首页\s+1/)
  })

  it('R-BAR-3 finds a page by pinyin, and leaves the search by a touch beside it', async () => {
    const search = page.getByRole('button', { name: /搜索/ }).first()
    await search.tap()
    await page.locator('.palette-field input').waitFor()
    await page.keyboard.type('xq')
    await page.getByRole('option', { name: /校区/ }).first().waitFor()
    await phone.looksGood('palette', 'dark')
    await page.touchscreen.tap(195, 830)
    await page.locator('.palette').waitFor({ state: 'detached' })
    await search.tap()
    await page.keyboard.type('xq')
    await page.getByRole('option', { name: /校区/ }).first().tap()
    await page.getByRole('heading', { level: 1, name: '校区' }).waitFor()
  })

  it('R-BAR-5 keeps a theme in dark over a reload, and gives it back', async () => {
    await phone.account('主题')
    const dialog = page.getByRole('dialog', { name: '主题' })
    await dialog.locator('label').filter({ hasText: '尊享' }).tap()
    await dialog.locator('label').filter({ hasText: '深色' }).tap()
    await phone.looksGood('themes')
    await phone.button('保留', dialog).tap()
    await page.reload()
    await phone.card('本部').waitFor()
    await page.locator('html[data-theme="theme-vip"][data-scheme=dark]').waitFor()
    await phone.looksGood('vip')
    await phone.account('主题')
    await phone.button('恢复默认', dialog).tap()
    await dialog.locator('label').filter({ hasText: '跟随系统' }).tap()
    await phone.button('保留', dialog).tap()
    await page.locator('html[data-theme="theme-default"][data-scheme=light]').waitFor()
  })

  it('R-BAR-7 locks and unlocks', async () => {
    await phone.account('锁屏')
    const field = page.getByLabel('锁屏密码')
    await field.fill('tea break')
    await phone.looksGood('lock-dialog')
    await phone.button('锁定').tap()
    await page.waitForURL('**/lock')
    await field.fill('tea break')
    await phone.looksGood('lock', 'dark')
    await phone.button('解锁').tap()
    await phone.card('本部').waitFor()
  })

  it('R-BAR-8 R-BAR-10 shows the errors kept here, and what is new under the bell', async () => {
    await page.evaluate(() => {
      window.dispatchEvent(new ErrorEvent('error', { error: new TypeError('oops 13812345678') }))
    })
    await phone.account('本地日志，1 条')
    const logs = page.getByRole('dialog', { name: '本地日志' })
    await logs.getByText('oops 138****5678').first().waitFor()
    await phone.looksGood('logs', 'dark')
    await phone.button('清空本地日志', logs).tap()
    await phone.button('清空本地日志', page.getByRole('alertdialog')).tap()
    await page.getByText('清空成功!').waitFor()
    await phone.picture('logs-cleared')
    await phone.button('关闭', logs).tap()
    await page.getByRole('button', { name: /^通知与消息/ }).tap()
    const panel = page.getByRole('dialog', { name: '通知与消息' })
    await panel.getByRole('tab', { name: '消息' }).tap()
    await phone.looksGood('notices', 'dark')
    await panel.getByRole('link', { name: '查看全部' }).tap()
    await page.waitForURL('**/wel/notice**')
    await phone.looksGood('notice-page')
  })
})

describe('R-INFO-1 one’s own account on a phone', () => {
  it('crops the avatar with a finger, and lists the sessions', async () => {
    await phone.account('个人信息')
    await page.locator('main img.avatar').waitFor()
    await phone.looksGood('info', 'dark')
    await page.locator('input[type=file]').setInputFiles(await halves(page))
    const dialog = page.getByRole('dialog', { name: '裁剪头像' })
    const box = (await dialog.getByRole('group', { name: '裁剪区域' }).boundingBox())!
    await phone.looksGood('crop')
    // The picture is drawn to the right until the square stands on its left half.
    await phone.drag(box.x + box.width / 2, box.y + box.height / 2, 150)
    await phone.button('使用', dialog).tap()
    await page.waitForFunction(() => !document.querySelector('main img.avatar')?.getAttribute('src')?.includes('.svg'))
    expect(await greenAtEdges(page.locator('main img.avatar'))).toEqual([true, true])
    await phone.button('保存').tap()
    await phone.toast('更新成功')
    await page.getByRole('tab', { name: '登录安全' }).tap()
    await page.getByRole('region', { name: '我的会话' }).getByText('本浏览器').waitFor()
    await phone.looksGood('sessions', 'dark')
  })
})

describe('R-LIST-1 lists on a phone, as cards', () => {
  it('searches, filters in a sheet, sorts, and keeps that as a view', async () => {
    await phone.open('学校', '校区')
    await phone.card('本部校区').waitFor()
    await phone.looksGood('list', 'dark')
    const search = page.locator('[data-quick]:visible')
    await search.fill('东城')
    await phone.count('共 1 条')
    await search.fill('')
    await phone.count('共 12 条')
    await page.getByLabel('排序').selectOption({ label: '校区号 ↓' })
    await page.locator('.dt-card').first().filter({ hasText: '松岭校区' }).waitFor()
    await phone.button('更多筛选').tap()
    const sheet = page.getByRole('dialog', { name: '更多筛选' })
    await phone.looksGood('filters', 'dark')
    await sheet.getByRole('button', { name: /^创建时间/ }).tap()
    const calendar = page.locator('.ant-picker-dropdown:visible')
    await calendar.waitFor()
    await phone.looksGood('range', 'dark')
    const { x, y, width, height } = (await calendar.boundingBox())!
    expect([x, width, Math.round(y + height)]).toEqual([0, 390, 844])
    expect(y).toBeGreaterThan(0)
    // From the tenth of this month to the tenth of the next, one month at a time.
    const tenth = () => calendar.locator('.ant-picker-cell-in-view:visible').filter({ hasText: /^10$/ })
    await tenth().tap()
    await calendar.locator('.ant-picker-header-next-btn:visible').tap()
    await tenth().tap()
    await calendar.waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).searchParams.size).toBe(3)
    await phone.button('重置', sheet).tap()
    await sheet.getByLabel('校区号').fill('C11')
    await phone.button('查询', sheet).tap()
    await sheet.waitFor({ state: 'detached' })
    await phone.count('共 1 条')
    await phone.button('存为视图').tap()
    await page.getByLabel('视图名称').fill('只看东城')
    await phone.looksGood('view')
    await phone.button('保存', page.getByRole('dialog')).tap()
    await phone.toast('视图已保存')
    await phone.looksGood('views', 'dark')
    await phone.button('全部').tap()
    await phone.count('共 12 条')
    await phone.button('只看东城').tap()
    await phone.count('共 1 条')
    await phone.button('取消筛选：校区号').tap()
    await phone.button('全部').tap()
    await phone.count('共 12 条')
  })

  it('opens a record, changes it and takes that back; where somebody else was faster it says so', async () => {
    await phone.open('学校', '校区')
    const address = async () =>
      (await phone.call<{ records: { address: string }[] }>('blade-user/schoolcampus/list?campusCode=C11')).records[0]!
    await phone.card('东城').getByRole('link', { name: '东城校区' }).tap()
    const drawer = page.getByRole('dialog').last()
    await phone.button('编辑', drawer).waitFor()
    await phone.looksGood('record', 'dark')
    await phone.button('编辑', drawer).tap()
    const form = page.getByRole('dialog').filter({ hasText: '编辑校区' })
    await form.getByRole('textbox', { name: '地址', exact: true }).fill('新街口1号')
    await phone.looksGood('form', 'dark')
    await phone.button('保存', form).tap()
    await phone.toast('更新成功')
    await phone.button('变更记录', drawer).tap()
    await phone.looksGood('history', 'dark')
    await drawer
      .getByRole('button', { name: /^恢复到/ })
      .last()
      .tap()
    await page.getByRole('alertdialog').getByRole('button').last().tap()
    await phone.toast('已恢复')
    expect((await address()).address).toBe('学院路2号')
    await phone.button('关闭', drawer).tap()

    await phone.button('编辑 西山校区').tap()
    await form.getByRole('textbox', { name: '地址', exact: true }).fill('我的街')
    const [row] = (await phone.call<{ records: object[] }>('blade-user/schoolcampus/list?campusCode=C12')).records
    await phone.call('blade-user/schoolcampus/submit', { ...row, address: '他的街' })
    await phone.button('保存', form).tap()
    await form.getByText(/改过这条记录/).waitFor()
    await phone.looksGood('conflict', 'dark')
    await phone.button('按选择继续', form).tap()
    await phone.button('保存', form).tap()
    await phone.card('我的街').waitFor()
  })

  it('ticks by touch, prints, deletes many at once and brings them back, and takes the list out as a file', async () => {
    await phone.open('学校', '校区')
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    for (const name of ['南湖', '北苑']) await phone.card(name).locator('label.dt-tick').tap()
    const bar = page.getByRole('toolbar')
    await bar.getByText('已选 2 条').waitFor()
    await phone.looksGood('bulk', 'dark')
    await phone.button('打印', bar).tap()
    await page.locator('html[data-printed]').waitFor()
    expect(await page.locator('.print-sheet tbody tr').count()).toBe(2)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await phone.button('删除', bar).tap()
    await phone.button('删除', page.getByRole('alertdialog')).tap()
    await phone.count('共 10 条')
    await phone.button('撤销', page.locator('.toast').filter({ hasText: '删除成功' })).tap()
    await phone.count('共 12 条')
    await phone.button('导出').tap()
    await phone.looksGood('export', 'dark')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      phone.button('导出', page.getByRole('region', { name: '导出' })).tap(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
  })

  it('has the menus of a row and of printing, and a page of somebody else’s', async () => {
    await phone.open('系统', '用户')
    await page
      .getByRole('button', { name: /的更多操作$/ })
      .first()
      .tap()
    await page.getByRole('menu').waitFor()
    await phone.looksGood('row-menu', 'dark')
    await page.touchscreen.tap(20, 130)
    await phone.open('学生', '学生')
    await phone.card('郭小靖').locator('label.dt-tick').tap()
    await phone.button('打印', page.locator('.bulk:visible')).tap()
    await page.getByRole('menuitem', { name: '学生名单', exact: true }).waitFor()
    await phone.looksGood('print-menu')
    await page.getByRole('menuitem', { name: '当前列' }).tap()
    await page.locator('.print-sheet').getByText('郭小靖').waitFor({ state: 'attached' })
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    // Which pages may stand in a frame is said with the page that holds it.
    await page.reload()
    await phone.open('资源', '食堂')
    await page.frameLocator('iframe').getByRole('heading', { name: 'Canteen plan' }).waitFor()
    await phone.looksGood('frame')
  })
})

describe('R-BAR-4 in English', () => {
  it('says the same in the same room', async () => {
    await phone.account('English')
    await page.locator('html[lang^=en]').waitFor()
    await page.goto(`${product.url}/wel/index`)
    await page.getByRole('link', { name: /current school years? (is|are) over/ }).waitFor()
    await phone.looksGood('home-en', 'dark')
    await page.goto(`${product.url}/school/schoolcampus`)
    await phone.card('东城校区').waitFor()
    await phone.looksGood('list-en', 'dark')
    await phone.button('More filters').tap()
    await phone.looksGood('filters-en')
    await page.keyboard.press('Escape')
    await phone.button('Edit 东城校区').tap()
    await page.getByRole('textbox', { name: 'Address', exact: true }).waitFor()
    await phone.looksGood('form-en')
    await phone.button('Close', page.getByRole('dialog')).tap()
    await phone.card('东城').locator('label.dt-tick').tap()
    await phone.looksGood('bulk-en')
    await page.locator('.account').tap()
    await phone.looksGood('account-en')
    expect(phone.complaints).toEqual([])
  })
})
