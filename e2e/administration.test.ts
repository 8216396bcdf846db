import path from 'node:path'
import type { Browser, Locator, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn, openMenu, save, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { openWindow } from './window.ts'

/**
 * What an administrator sets up is what holds: a tenant is made, its administrator lets one teacher read the pupils of
 * one class and nothing else, and takes that away again while the teacher looks at them.
 */

let product: Product
let browser: Browser
/** The platform's administrator, the new tenant's, and the teacher: each in a browser of their own. */
let platform: Page
let principal: Page
let teacher: Page
const complaints: string[] = []

const person = (): Promise<Page> => openWindow(browser, { complaints })

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  platform = await person()
  principal = await person()
  teacher = await person()
  // This page hears of no change of its rights, as behind a proxy that lets no channel through: the server refuses.
  await teacher.route('**/blade-desk/live**', (route) => route.abort())
})
// Each step stands on the one before: the first that fails is the one to read, with pictures where they are asked for.
afterEach(async (context) => {
  const folder = process.env.E2E_PICTURES
  if (context.task.result?.state !== 'fail' || !folder) return
  for (const [name, page] of Object.entries({ platform, principal, teacher }))
    await page.screenshot({ path: path.join(folder, `administration-${name}.png`) })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** Where the new tenant's people log in, and the first passwords that were told. */
let tenantId: string
let firstPassword: string
let teacherPassword: string
/** A host of the tenant's own; a browser looks for every such name on this machine. */
const ownHost = (): string => `dongcheng.localhost:${new URL(product.url).port}`
const ownPassword = 'Quiet-River-72'
const teacherOwn = 'Green-Window-35'

/** The rows that a page shows now, by the cell that names them. */
const namesShown = async (page: Page): Promise<string[]> =>
  (await page.locator('tbody tr[data-key] th').locator('visible=true').allInnerTexts()).sort()

/** A call with the page's own session: for what the journey needs and is no part of it. */
const call = <T>(page: Page, address: string, body?: object): Promise<T> => askAs(page, product.url, address, { body })
const add = (entity: string, row: object): Promise<{ id: string }> =>
  call(principal, `blade-user/${entity}/submit`, row)

/** What the dialog tells once, by its label; closed afterwards. */
async function toldOnce(page: Page, ...labels: string[]): Promise<string[]> {
  const dialog = page.getByRole('dialog').filter({ hasText: '只显示这一次' })
  const told: string[] = []
  for (const label of labels)
    told.push(await dialog.locator('dl > div').filter({ hasText: label }).locator('dd').first().innerText())
  await dialog.getByRole('button', { name: '我已保存' }).click()
  await dialog.waitFor({ state: 'detached' })
  return told
}

/** Chooses one of very many: found by typing. */
async function find(page: Page, box: Locator, words: string): Promise<void> {
  await box.fill(words)
  const list = await box.getAttribute('aria-controls')
  const dropdown = page.locator('.ant-select-dropdown').filter({ has: page.locator(`[id="${list}"]`) })
  await dropdown.getByText(words, { exact: true }).locator('visible=true').first().click()
}

/** Does with a row what stands behind its menu. */
async function more(page: Page, name: string, action: string): Promise<void> {
  const row = page.getByRole('row', { name: new RegExp(name) }).locator('visible=true')
  await row.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Logs in with a password that was told once, and changes it, as the page demands. */
async function firstLogIn(page: Page, account: string, told: string, own: string): Promise<void> {
  await page.goto(`${product.url}/login?tenant=${tenantId}`)
  await page.getByText(tenantId).waitFor()
  expect(await page.getByRole('textbox', { name: '租户编号' }).isVisible()).toBe(false)
  await page.getByLabel('账号').fill(account)
  await page.locator('input[type=password]').fill(told)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/info/index?tab=password')
  // One page with log-in and lock: nothing of the work stands around it.
  await page.getByRole('heading', { level: 1, name: '修改密码' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  for (const [name, text] of Object.entries({ oldPassword: told, newPassword: own, newPassword1: own }))
    await page.locator(`input[name=${name}]`).fill(text)
  await page.getByRole('button', { name: '保存' }).click()
  await page.waitForURL('**/wel/index')
}

const pupils: Readonly<Record<number, readonly string[]>> = {
  1: ['赵一鸣', '钱二宝'],
  2: ['孙小圣', '李小白'],
  3: ['周芷若', '吴用之', '郑和平'],
}

/** A school with three classes of a grade and their pupils. */
async function fillSchool(): Promise<void> {
  const grades = await call<{ records: { id: string }[] }>(principal, 'blade-user/sysgrade/list?stage=2&size=1')
  const gradeId = grades.records[0]!.id
  const school = await add('school', {
    ...{ schoolCode: '2111000001', schoolName: '实验小学', schoolType: '21', stages: ['2'], regionCode: '110105' },
  })
  const schoolId = school.id
  const campus = await add('schoolcampus', { schoolId, campusCode: 'A', campusName: '本部', isMain: 1 })
  const year = await add('schoolyear', {
    ...{ schoolId, yearName: '2026-2027学年', startYear: 2026, isCurrent: 1 },
    ...{ beginDate: '2026-09-01', endDate: '2027-07-15' },
  })
  for (const [no, names] of Object.entries(pupils)) {
    const one = await add('schoolclass', {
      ...{ schoolId, campusId: campus.id, yearId: year.id, gradeId, classNo: Number(no), classType: '11' },
      ...{ className: `一年级（${no}）班`, cohortYear: 2026 },
    })
    for (const [at, name] of names.entries())
      await add('student', {
        ...{ schoolId, gradeId, classId: one.id, studentNo: `S${no}0${at}`, name, sex: '1' },
        ...{ birthDate: '2019-10-01', enrollDate: '2026-09-01' },
      })
  }
}

describe('rights, from the tenant to the single row', () => {
  it('R-PROD-3 makes a tenant and tells the password of its administrator once', async () => {
    await logIn(platform, product.url, password)
    await openMenu(platform, '系统', '租户')
    await platform.getByRole('button', { name: '新增租户' }).first().click()
    await type(platform, '租户名称', '东城区实验小学')
    await type(platform, '域名地址', ownHost())
    await type(platform, '联系人', '林校长')
    await type(platform, '联系电话', '13800138000')
    await save(platform, '新增成功')
    const dialog = platform.getByRole('dialog').filter({ hasText: '只显示这一次' })
    await dialog.waitFor()
    expect(await axeFaults(platform)).toEqual([])
    let address: string | undefined
    ;[tenantId = '', firstPassword = '', address] = await toldOnce(platform, '租户编号', '初始密码', '登录地址')
    expect(address).toBe(`http://${ownHost()}/login`)
    expect(tenantId).toMatch(/^\d{6}$/)
    expect(await platform.content()).not.toContain(firstPassword)
    await platform.getByRole('row', { name: /东城区实验小学/ }).waitFor()
  })

  it('is chosen by its host at log-in, where its first password works once and is changed first', async () => {
    await principal.goto(`http://${ownHost()}/login`)
    await principal.getByText(`东城区实验小学 (${tenantId})`).waitFor()
    expect(await principal.getByLabel('租户编号').isVisible()).toBe(false)
    await principal.getByRole('button', { name: '更换租户' }).click()
    expect(await principal.getByLabel('租户编号').inputValue()).toBe(tenantId)
    expect(await axeFaults(principal)).toEqual([])
    await firstLogIn(principal, 'admin', firstPassword, ownPassword)
    // The platform's own pages are nobody else's.
    await principal.getByRole('navigation', { name: '顶部菜单' }).getByText('系统', { exact: true }).click()
    const menu = principal.getByRole('navigation', { name: '侧边菜单' })
    await menu.getByText('角色', { exact: true }).waitFor()
    expect(await menu.getByText('租户', { exact: true }).count()).toBe(0)
  })

  it('R-PERM-3 says in a form whose rows are meant: the pupils of class 3', async () => {
    await fillSchool()
    await openMenu(principal, '系统', '数据权限')
    await principal.getByRole('button', { name: '新增数据权限' }).first().click()
    const drawer = principal.getByRole('dialog').last()
    const box = (name: string) => drawer.getByRole('combobox', { name }).first()
    await find(principal, box('所属菜单'), '学生')
    await type(principal, '权限名称', '三班的学生')
    await type(principal, '权限编号', 'class3')
    await find(principal, box('数据对象'), '学生')
    await choose(principal, '规则类型', '自定义')
    await drawer.getByRole('button', { name: '添加条件', exact: true }).click()
    await find(principal, box('字段'), '班级')
    await find(
      principal,
      drawer.getByRole('group', { name: '第 1 个条件' }).getByRole('combobox').last(),
      '一年级（3）班',
    )
    await drawer.getByText(/可见的学生：.*一年级（3）班/).waitFor()
    await save(principal, '新增成功')
  })

  it('R-PERM-1 gives a role the sight of them and nothing more, and the role to a teacher', async () => {
    await openMenu(principal, '系统', '角色')
    await principal.getByRole('button', { name: '新增角色' }).first().click()
    await type(principal, '角色名称', '三班任课')
    await save(principal, '新增成功')
    await more(principal, '三班任课', '权限设置')
    const dialog = principal.getByRole('dialog').filter({ hasText: '三班任课的权限' })
    const tree = dialog.getByRole('tree')
    await tree.waitFor()
    const { menu } = await call<{ menu: Branch[] }>(principal, 'blade-system/menu/grant-tree')
    await dialog.getByRole('textbox', { name: '搜索：菜单权限' }).fill('查看')
    await tree.locator(`[data-node="${buttonOf(menu, 'student_view')}"] .ct-box`).click()
    await dialog.getByRole('tab', { name: /数据权限/ }).click()
    await dialog.getByRole('textbox', { name: '搜索：数据权限' }).fill('三班')
    await tree.getByRole('treeitem', { name: '三班的学生' }).locator('.ct-box').click()
    await dialog.getByText(/将新增 \d+ 项，移除 0 项，影响 0 名用户/).waitFor()
    expect(await axeFaults(principal)).toEqual([])
    await dialog.getByRole('button', { name: '保存', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })

    await openMenu(principal, '系统', '用户')
    await principal.getByRole('button', { name: '新增用户' }).first().click()
    const form = principal.getByRole('dialog').last()
    await form.getByRole('textbox', { name: '账号' }).fill('wanglaoshi')
    await form.getByRole('textbox', { name: '姓名' }).fill('王老师')
    await choose(principal, '角色', '三班任课')
    await save(principal, '新增成功')
    ;[teacherPassword = ''] = await toldOnce(principal, 'wanglaoshi')
  })

  it('R-PERM-3 R-LIST-5 shows the teacher exactly those rows, and no button to add, change or delete', async () => {
    await firstLogIn(teacher, 'wanglaoshi', teacherPassword, teacherOwn)
    await openMenu(teacher, '学生', '学生')
    await teacher.getByText('共 3 名').first().waitFor()
    expect(await namesShown(teacher)).toEqual([...pupils[3]!].sort())
    const buttons = teacher.getByRole('button', { name: /^(新增|编辑|删除|导入)/ }).locator('visible=true')
    expect(await buttons.allInnerTexts()).toEqual([])
    // What no button offers the server refuses as well, and a row outside is as if it were not there.
    const others = await call<{ records: { id: string; name: string }[] }>(principal, 'blade-user/student/list?size=50')
    const outside = others.records.find(({ name }) => pupils[1]!.includes(name))!
    await expect(call(teacher, `blade-user/student/detail?id=${outside.id}`)).rejects.toThrow(': 404 ')
    await expect(call(teacher, 'blade-user/student/submit', { name: '多一个' })).rejects.toThrow(': 403 ')
  })

  it('R-PERM-5 R-AUTH-7 refuses the next click once the role is withdrawn, and the session lives on', async () => {
    await openMenu(principal, '系统', '用户')
    await more(principal, '王老师', '角色配置')
    const dialog = principal.getByRole('dialog').filter({ hasText: '王老师的角色' })
    await dialog.getByRole('button', { name: '移除 三班任课' }).click()
    await dialog.getByRole('button', { name: '保存', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })

    // The teacher's page is still open, and shows what it showed.
    expect(await namesShown(teacher)).toHaveLength(3)
    const refused: Promise<Response> = teacher.waitForResponse((answer) => answer.url().includes('/student/detail'))
    await teacher
      .getByRole('row', { name: /周芷若/ })
      .getByRole('link', { name: '周芷若' })
      .click()
    expect((await refused).status()).toBe(403)
    await teacher
      .getByText(/没有权限/)
      .locator('visible=true')
      .first()
      .waitFor()
    expect(new URL(teacher.url()).pathname).toBe('/student/student')

    // A page that is opened by its address says so in its own place.
    await teacher.goto(`${product.url}/school/calendar`)
    await teacher.getByRole('heading', { name: '您没有此页面的权限' }).waitFor()

    await teacher.goto(`${product.url}/info/index`)
    await teacher.getByText('王老师').locator('visible=true').first().waitFor()
    await expect.poll(() => new URL(teacher.url()).pathname).toBe('/info/index')
    expect((await call<{ account: string }>(teacher, 'blade-auth/oauth/user-info')).account).toBe('wanglaoshi')
    await expect(call(teacher, 'blade-user/student/list')).rejects.toThrow(': 403 ')
    expect(complaints).toEqual([])
  })
})

interface Branch {
  readonly id: string
  readonly parentId: string
  readonly title: string
  readonly children?: readonly Branch[]
}

/** The id of the button that a permission code names: 学生 › 查看, found by where it stands. */
function buttonOf(menu: readonly Branch[], code: 'student_view'): string {
  const all = (nodes: readonly Branch[]): Branch[] => nodes.flatMap((node) => [node, ...all(node.children ?? [])])
  const page = all(menu).find(
    ({ title, children }) => title === '学生' && children?.some((one) => one.title === '查看'),
  )
  const button = page?.children?.find(({ title }) => title === '查看')
  if (!button) throw new Error(`nothing to grant ${code} with`)
  return button.id
}
