/// <reference lib="dom" />
import path from 'node:path'
import excel from '@zurmokeeper/exceljs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { chooseRegion } from './clerk.ts'
import { writeTo } from './database.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/**
 * The first hour of a new tenant, by hand: from the platform's administrator who makes it to the class teacher who sees
 * the own class. Every click, key and typed field counts.
 */

let product: Product
let browser: Browser
beforeAll(async () => {
  const folder = freshFolder()
  product = await startProduct({ DATA_DIR: folder })
  // As where the product has printed the password itself: it is changed first.
  await writeTo(folder, `update credential set must_change = 1 where tenant_id = '000000'`)
  browser = await launchBrowser()
})
const open: Page[] = []
afterEach(async (context) => {
  if (context.task.result?.state !== 'fail') return
  const folder = process.env.E2E_PICTURES
  for (const [at, page] of open.entries()) {
    if (page.isClosed()) continue
    // A click that did nothing once in eighty runs: what the page heard of it.
    console.log(at, await page.evaluate(() => (window as unknown as { heard?: string[] }).heard?.slice(-40)))
    if (folder) await page.screenshot({ path: path.join(folder, `first-hour-${at}.png`) })
  }
})
/** Notes what a page hears of a pointer, of forms and of the focus, and when dialogs come and go. */
function listen(): void {
  const heard: string[] = []
  Object.assign(window, { heard })
  const note = (what: string, target: EventTarget | Node | null) =>
    heard.push(
      `${Math.round(performance.now())} ${what} ${target instanceof Element ? target.outerHTML.slice(0, 90) : ''}`,
    )
  for (const kind of ['pointerdown', 'pointerup', 'click', 'submit', 'focusin', 'popstate'])
    window.addEventListener(kind, ({ target }) => note(kind, target), true)
  new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes)
      for (const [what, nodes] of [['added', addedNodes] as const, ['removed', removedNodes] as const])
        for (const node of nodes) if (node instanceof Element && node.querySelector('[role=dialog]')) note(what, node)
  }).observe(document, { childList: true, subtree: true })
}
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** What somebody does, counted: a click, a key that answers, a field that is filled, a file that is chosen. */
class Acts {
  count = 0
  async click(what: Locator): Promise<void> {
    this.count += 1
    await what.click()
  }
  async type(what: Locator, text: string): Promise<void> {
    this.count += 1
    await what.click()
    await what.fill('')
    await what.pressSequentially(text)
  }
  async press(page: Page, key: string): Promise<void> {
    this.count += 1
    await page.keyboard.press(key)
  }
  async file(what: Locator, name: string): Promise<void> {
    this.count += 1
    await what.setInputFiles(name)
  }
}

const complaints: string[] = []
async function person(width: number, height: number): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width, height }, locale: 'zh-CN' })).newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.addInitScript(listen)
  open.push(page)
  return page
}

const form = (page: Page): Locator => page.getByRole('dialog').last()
/** The options of the open list under a box. */
async function options(page: Page, box: Locator): Promise<Locator> {
  const list = await box.getAttribute('aria-controls')
  return page.locator('.ant-select-dropdown').filter({ has: page.locator(`[id="${list}"]`) })
}
async function choose(acts: Acts, page: Page, label: string, option: string): Promise<void> {
  const box = form(page).getByRole('combobox', { name: label }).first()
  await acts.click(box)
  await acts.click((await options(page, box)).locator('.ant-select-item-option').filter({ hasText: option }).first())
}

async function logIn(acts: Acts, page: Page, tenant: string, account: string, secret: string): Promise<void> {
  await page.goto(`${product.url}/login${tenant === '000000' ? '' : `?tenant=${tenant}`}`)
  const code = page.getByLabel('租户编号')
  await page.getByLabel('账号').waitFor()
  if (await code.isVisible()) await acts.type(code, tenant)
  await acts.type(page.getByLabel('账号'), account)
  await acts.type(page.locator('input[type=password]'), secret)
  await acts.press(page, 'Enter')
}

/** The password that was told once is changed first. */
async function changeFirst(acts: Acts, page: Page, told: string, own: string): Promise<void> {
  await page.waitForURL('**/info/index?tab=password')
  for (const [name, text] of Object.entries({ oldPassword: told, newPassword: own, newPassword1: own }))
    await acts.type(page.locator(`input[name=${name}]`), text)
  await acts.click(page.getByRole('button', { name: '保存' }))
  await page.waitForURL('**/wel/index')
}

/** What a dialog tells once, by its labels; closed afterwards. */
async function toldOnce(acts: Acts, page: Page, ...labels: string[]): Promise<string[]> {
  const dialog = page.getByRole('dialog').filter({ hasText: '只显示这一次' })
  const told: string[] = []
  for (const label of labels)
    told.push(await dialog.locator('dl > div').filter({ hasText: label }).locator('dd').first().innerText())
  await acts.click(dialog.getByRole('button', { name: '我已保存' }))
  await dialog.waitFor({ state: 'detached' })
  return told
}

const han = '甲乙丙丁戊己庚辛壬癸'
/** Sixty pupils of three classes as a clerk writes them down: a title, spellings of her own, a footer. */
async function roster(): Promise<string> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('一年级')
  sheet.addRow(['向阳小学一年级新生登记表'])
  sheet.mergeCells(1, 1, 1, 7)
  sheet.addRow(['序号', '班级', '学生姓名', '性别', '出生年月日', '家长姓名', '联系电话'])
  for (let at = 0; at < 60; at += 1)
    sheet.addRow([
      at + 1,
      `一（${Math.floor(at / 20) + 1}）班`,
      `陈${han[Math.floor(at / 10)]}${han[at % 10]}`,
      at % 2 ? '女' : '男',
      `2020.${(at % 8) + 1}.${(at % 28) + 1}`,
      `陈大${han[at % 10]}`,
      `137${String(20_000_000 + at)}`,
    ])
  sheet.addRow(['合计：60人'])
  const file = path.join(freshFolder(), '一年级.xlsx')
  await book.xlsx.writeFile(file)
  return file
}

const steps = (page: Page): Locator => page.getByRole('region', { name: '开始使用' })
/** How many steps of the guide are ticked, as it says itself. */
const ticked = (page: Page, done: number): Promise<void> => steps(page).getByText(`完成 ${done}/5`).waitFor()
const home = async (page: Page): Promise<void> => {
  await page.goto(`${product.url}/wel/index`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** The platform's administrator makes a tenant, led there by the first page; answers its code and first password. */
async function makeTenant(acts: Acts, page: Page, name: string, isFirst = false): Promise<string[]> {
  await logIn(acts, page, '000000', 'admin', isFirst ? password : ofPlatform)
  if (isFirst) await changeFirst(acts, page, password, ofPlatform)
  await page.waitForURL('**/wel/index')
  expect(await page.getByRole('link', { name: '登记学校' }).count()).toBe(0)
  await acts.click(page.getByRole('link', { name: '新增租户' }))
  await acts.type(form(page).getByLabel('租户名称').first(), name)
  await acts.click(form(page).getByRole('button', { name: '保存', exact: true }))
  return toldOnce(acts, page, '租户编号', '初始密码')
}

async function registerSchool(
  acts: Acts,
  page: Page,
  code: string,
  name: string,
  type = '小学',
  stage = '小学',
): Promise<void> {
  await acts.click(steps(page).getByRole('link', { name: '登记学校' }))
  await acts.type(form(page).getByLabel('学校标识码').first(), code)
  await acts.type(form(page).getByLabel('学校名称').first(), name)
  await choose(acts, page, '办学类型', type)
  // The type says the stage.
  await form(page).locator('[data-field=stages]').getByText(stage, { exact: true }).first().waitFor()
  const region = ['江苏省', '南京市', '玄武区']
  await chooseRegion(page, '所属区划', ...region)
  acts.count += 1 + region.length
  await acts.click(form(page).getByRole('button', { name: '保存', exact: true }))
  await page.getByText('新增成功', { exact: true }).first().waitFor()
}

async function openYear(acts: Acts, page: Page): Promise<void> {
  await acts.click(steps(page).getByRole('button', { name: '设置学年' }))
  await form(page)
    .getByText(/第 1 周从 \d{4}-\d{2}-\d{2}（周一）开始/)
    .first()
    .waitFor()
  expect(await form(page).getByText('当前学期').count()).toBe(1)
  await acts.click(form(page).getByRole('button', { name: '新增学年和 2 个学期' }))
}

async function openClasses(acts: Acts, page: Page, count = 18): Promise<void> {
  await acts.click(steps(page).getByRole('button', { name: '按年级开班' }))
  await acts.type(form(page).getByLabel('每个年级的班数'), '3')
  await acts.click(form(page).getByRole('button', { name: `新建 ${count} 个班` }))
}

const own = 'Quiet-River-72'
const ofPlatform = 'Slow-Meadow-46'
/** Everything from the very first log-in to the pupils in their classes, and when it began. */
const all = new Acts()
let start = 0
let tenantId = ''
let first = ''
let admin: Page

describe('R-ROUTE-4 the first hour of a new tenant', () => {
  it('leads the platform to a new tenant, never to a school there', async () => {
    const page = await person(1440, 900)
    start = Date.now()
    ;[tenantId = '', first = ''] = await makeTenant(all, page, '向阳小学', true)
    expect(tenantId).toMatch(/^\d{6}$/)
  })

  it('goes from the platform’s very first log-in to sixty pupils in their classes in at most 40 acts and 5 minutes, and ticks what is there', async () => {
    const acts = all
    admin = await person(1440, 900)
    await logIn(acts, admin, tenantId, 'admin', first)
    await changeFirst(acts, admin, first, own)
    await ticked(admin, 0)
    expect(await axeFaults(admin)).toEqual([])
    await registerSchool(acts, admin, '2132010201', '向阳小学')
    await home(admin)
    acts.count += 1
    await ticked(admin, 2)
    await openYear(acts, admin)
    await ticked(admin, 3)
    await openClasses(acts, admin)
    await ticked(admin, 4)
    await acts.click(steps(admin).getByRole('link', { name: '导入学生' }))
    await acts.file(admin.getByLabel('选择文件'), await roster())
    await acts.click(admin.getByRole('button', { name: '开始检查' }))
    await admin.waitForURL(/step=(match|check)/)
    if (admin.url().includes('step=match')) await acts.click(admin.getByRole('button', { name: '开始检查' }))
    await acts.click(admin.getByRole('button', { name: '导入', exact: true }))
    await admin.getByRole('heading', { name: '导入完成' }).waitFor({ timeout: 60_000 })
    for (const no of [1, 2, 3])
      await admin.getByText(`一年级（${no}）班：20 名`).locator('visible=true').first().waitFor()
    await acts.click(admin.getByRole('link', { name: '查看国家学籍表缺项' }))
    await admin
      .getByText(/^共 60 /)
      .locator('visible=true')
      .first()
      .waitFor()
    const seconds = (Date.now() - start) / 1000
    expect(acts.count, `${acts.count} acts in ${seconds} s`).toBeLessThanOrEqual(40)
    expect(seconds).toBeLessThan(300)
    await home(admin)
    await admin.getByText('在读学生').waitFor()
    expect(await steps(admin).count()).toBe(0)
  })

  it('keeps its main campus with the school, once', async () => {
    await admin.goto(`${product.url}/school/schoolcampus`)
    await admin
      .getByText(/^共 1 /)
      .locator('visible=true')
      .first()
      .waitFor()
    await admin.getByRole('row', { name: /校本部/ }).waitFor()
  })

  it('gives a class to a teacher, who logs in and sees that class and no other', async () => {
    const acts = new Acts()
    await admin.goto(`${product.url}/system/user`)
    await acts.click(admin.getByRole('button', { name: '新增用户' }).first())
    await acts.type(form(admin).getByRole('textbox', { name: '账号' }), 'wanglaoshi')
    await acts.type(form(admin).getByRole('textbox', { name: '姓名' }), '王老师')
    await choose(acts, admin, '角色', '班主任')
    await admin.keyboard.press('Escape')
    await acts.click(form(admin).getByRole('button', { name: '保存', exact: true }))
    const [told = ''] = await toldOnce(acts, admin, 'wanglaoshi')
    await admin.goto(`${product.url}/teaching/schoolclass`)
    await acts.click(admin.getByRole('link', { name: '一年级（2）班' }).locator('visible=true').first())
    await acts.press(admin, 'e')
    const head = form(admin).getByRole('combobox', { name: '班主任' }).first()
    await acts.type(head, '王老师')
    await acts.click((await options(admin, head)).getByText('王老师').first())
    await acts.click(form(admin).getByRole('button', { name: '保存', exact: true }))
    await admin.getByRole('row', { name: /一年级（2）班.*王老师/ }).waitFor()

    const teacher = await person(1440, 900)
    await logIn(acts, teacher, tenantId, 'wanglaoshi', told)
    await changeFirst(acts, teacher, told, 'Green-Window-35')
    const mine = teacher.getByRole('region', { name: '一年级（2）班' })
    await mine.getByText('男 10，女 10').waitFor()
    expect(await mine.getByRole('listitem').count()).toBe(20)
    // What is missing leads to exactly these rows.
    const gap = teacher
      .getByRole('region', { name: '资料缺口' })
      .getByRole('listitem')
      .filter({ hasText: '国家学籍表缺项' })
    expect(await gap.locator('strong').innerText()).toBe('20')
    expect(await axeFaults(teacher)).toEqual([])
    await acts.click(gap.getByRole('link'))
    await teacher
      .getByText(/^共 20 /)
      .locator('visible=true')
      .first()
      .waitFor()
    expect(acts.count).toBeLessThanOrEqual(30)
    expect(complaints).toEqual([])
  })

  it('keeps the only campus, says how another takes its place, and keeps the tick', async () => {
    const platform = await person(1440, 900)
    const acts = new Acts()
    const [code = '', told = ''] = await makeTenant(acts, platform, '望山小学')
    const page = await person(1440, 900)
    await logIn(acts, page, code, 'admin', told)
    await changeFirst(acts, page, told, own)
    await registerSchool(acts, page, '2132010209', '望山小学')
    await home(page)
    await ticked(page, 2)
    await page.goto(`${product.url}/school/schoolcampus`)
    await page.getByRole('link', { name: '校本部' }).first().click()
    await page.locator('.detail').getByRole('button', { name: /^删除/ }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    await page.getByText('主校区不能删除，请先把另一个校区设为主校区').first().waitFor()
    await page.goto(`${product.url}/school/schoolcampus`)
    await page.getByRole('button', { name: '新增校区' }).first().click()
    await form(page).getByLabel('校区名称').first().fill('东校区')
    await form(page).getByLabel('校区号').first().fill('E')
    await form(page).getByLabel('主校区').first().check()
    await form(page).getByRole('button', { name: '保存', exact: true }).click()
    await page.getByText('新增成功', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: '校本部' }).first().click()
    await page.locator('.detail').getByRole('button', { name: /^删除/ }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    await page.getByText('删除成功').first().waitFor()
    await home(page)
    await ticked(page, 2)
    expect(complaints).toEqual([])
  })

  it('goes on where a year, or its semester, was added without the guide', async () => {
    const platform = await person(1440, 900)
    const acts = new Acts()
    const [code = '', told = ''] = await makeTenant(acts, platform, '听涛小学')
    const page = await person(1440, 900)
    await logIn(acts, page, code, 'admin', told)
    await changeFirst(acts, page, told, own)
    await registerSchool(acts, page, '2132010210', '听涛小学')
    await page.goto(`${product.url}/school/schoolyear?edit=new`)
    const fill = (label: string, text: string) => form(page).getByLabel(label).first().fill(text)
    await fill('学年名称', '2026-2027学年')
    await fill('起始年份', '2026')
    await fill('开始日期', '2026-09-01')
    await fill('结束日期', '2027-08-31')
    await form(page).getByRole('button', { name: '保存', exact: true }).click()
    await page.getByText('新增成功', { exact: true }).first().waitFor()
    await home(page)
    await ticked(page, 2)
    // The only campus is the main one, without which there is nothing to set up.
    await page.goto(`${product.url}/school/schoolcampus`)
    await page.getByRole('link', { name: '校本部' }).first().click()
    await page.locator('.detail').getByRole('button', { name: /^删除/ }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    await page.getByText('主校区不能删除').first().waitFor()
    await home(page)
    await ticked(page, 2)
    // The year is none that is current, and has no semester: neither is asked for a second time.
    await steps(page).getByText('学校有学年，但没有当前学年').waitFor()
    await steps(page).getByRole('link', { name: '查看学年' }).click()
    await page.getByRole('link', { name: '2026-2027学年' }).first().click()
    await page.keyboard.press('e')
    await form(page)
      .getByText('已用默认值')
      .or(form(page).getByRole('switch', { name: '当前学年' }))
      .first()
      .waitFor()
    const shut = form(page).locator('.ff-fold [aria-expanded=false], .ff-defaults button')
    while ((await form(page).getByRole('switch', { name: '当前学年' }).count()) === 0) await shut.first().click()
    await form(page).getByRole('switch', { name: '当前学年' }).click()
    await form(page).getByRole('button', { name: '保存', exact: true }).click()
    await page.getByText('更新成功').first().waitFor()
    await home(page)
    await ticked(page, 2)
    await steps(page).getByRole('link', { name: '设置学期' }).click()
    await page.waitForURL(/schoolsemester\?edit=new/)
    expect(complaints).toEqual([])
  })

  it('is as short on a phone, up to the classes', async () => {
    const platform = await person(390, 844)
    const acts = new Acts()
    const [code = '', told = ''] = await makeTenant(acts, platform, '月亮湾幼儿园')
    const page = await person(390, 844)
    await logIn(acts, page, code, 'admin', told)
    await changeFirst(acts, page, told, own)
    await ticked(page, 0)
    expect(await axeFaults(page)).toEqual([])
    await registerSchool(acts, page, '1132010201', '月亮湾幼儿园', '幼儿园', '学前')
    await home(page)
    await ticked(page, 2)
    await openYear(acts, page)
    await ticked(page, 3)
    await openClasses(acts, page, 9)
    await ticked(page, 4)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.goto(`${product.url}/teaching/schoolclass`)
    await page.getByText('大（3）班').locator('visible=true').first().waitFor()
    expect(acts.count).toBeLessThanOrEqual(40)
    expect(complaints).toEqual([])
  })
})
