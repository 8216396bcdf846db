/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { launchBrowser } from './browser.ts'
import { type } from './clerk.ts'
import { loseAnswers } from './lost.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson } from './window.ts'

/** What nobody plans for: a page that is left half-way, an answer that never comes, rights that go, two at once. */

let product: Product
let browser: Browser
let page: Page

const person = (account: string, width = 1440): Promise<Page> =>
  demoPerson(browser, product, account, { width, ...(width < 500 ? { hasTouch: true, isMobile: true } : {}) })

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await person('admin')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const name = (of = page) => of.locator('.entity-form [data-field=name] input')

async function openNew(of = page): Promise<void> {
  await of.goto(`${product.url}/student/student`)
  await of.locator('tbody tr[data-key]').first().waitFor()
  await of.getByRole('button', { name: '新增学生' }).click()
  await of.locator('.entity-form [data-field=name] input:focus').waitFor()
}

describe('D10 a draft, and the page that is left', () => {
  it('says where it is kept; a reload by key brings it back unasked, closing the tab is asked about', async () => {
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss().catch(() => {})
    })
    await openNew()
    await page.keyboard.type('暂存生')
    const badge = page.locator('.drawer-kept')
    await badge.waitFor()
    expect(await badge.innerText()).toMatch(/^草稿暂存于此标签页 \d\d:\d\d$/)
    expect(await badge.getAttribute('title')).toContain('关闭浏览器标签页')
    // Headless browsers know no reload key of their own.
    await page.keyboard.press('F5')
    await page.reload()
    await page.getByText(/^已恢复 .*草稿$/).waitFor()
    expect(await name().inputValue()).toBe('暂存生')
    expect(asked).toEqual([])
    await name().click()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toEqual(['beforeunload'])
    expect(await name().inputValue()).toBe('暂存生')
    await page.getByRole('button', { name: '丢弃草稿' }).click()
    page.removeAllListeners('dialog')
  })
})

interface Row {
  readonly [name: string]: unknown
  readonly id: string
}

/** Calls the server past the page, as the person whose page it is. */
const call = <T>(address: string, body?: unknown, of = page): Promise<T> => askAs(of, product.url, address, { body })
const rowsOf = async (address: string) => (await call<{ records: readonly Row[] }>(address)).records
const pupil = (id: string) => call<Row>(`blade-user/student/detail?id=${id}`)
const named = (className: string, all: readonly Row[]) => all.find((one) => one.className === className)!
const dropdown = () => page.locator('.ant-select-dropdown:visible')

/** Opens the values of a field that a list may be filtered by. */
async function filterBy(field: string): Promise<void> {
  await page.getByRole('button', { name: '筛选', exact: true }).click()
  await page.getByRole('dialog', { name: '筛选' }).getByText(field, { exact: true }).click()
}

describe('B7 R-STUDENT-1 a class, as people spell it', () => {
  let child: Row
  let classes: readonly Row[]
  const chosen = () => page.locator('.entity-form [data-field=classId] .ant-select-content')
  const box = () => page.locator('.entity-form').getByRole('combobox', { name: '班级' })

  beforeAll(async () => {
    const all = await rowsOf('blade-user/schoolclass/list?size=100')
    const first = all.find((one) => one.className === '六年级（1）班')!
    classes = all.filter((one) => one.schoolId === first.schoolId && one.yearId === first.yearId)
    child = (await rowsOf(`blade-user/student/list?classId=${first.id}&status=1&size=1`))[0]!
  })

  it('is found in the form by every spelling that an import takes, and Enter takes it', async () => {
    await page.goto(`${product.url}/student/student?edit=${child.id}`)
    await page.locator('.entity-form[aria-busy=false]').waitFor()
    for (const typed of ['六2', '六(1)班', '6.2', '601', '六年二班', '六一班', '6（2）']) {
      const wanted = /2|二/.test(typed) ? '六年级（2）班' : '六年级（1）班'
      await box().click()
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => [typed, await chosen().innerText()])
        .toEqual([typed, expect.stringContaining(wanted)])
    }
    // What is no class is said, and the one that stands is not taken for it.
    await box().click()
    await page.keyboard.type('六9')
    await page.keyboard.press('Tab')
    await page.locator('.toast', { hasText: '没有选“六9”：班级未改动' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('.entity-form').first().waitFor({ state: 'hidden' })
    expect((await pupil(child.id)).classId).toBe(named('六年级（2）班', classes).id)
  })

  it('is found so in a cell, in a change of many and in a filter as well', async () => {
    await page.goto(`${product.url}/student/student?keyword=${encodeURIComponent(String(child.studentNo))}`)
    const row = page.locator(`tbody tr[data-key="${child.id}"]`)
    await row.waitFor()
    const at = await page
      .locator('thead th')
      .evaluateAll((all) => all.findIndex((head) => head.textContent?.trim() === '班级'))
    await row.locator(':scope > *').nth(at).dblclick()
    await dropdown().locator('.ant-select-item-option').first().waitFor()
    await page.keyboard.type('601')
    await page.keyboard.press('Enter')
    // The next number there stands in the field, to be typed over.
    const number = page.getByRole('group', { name: '班级' }).getByRole('spinbutton', { name: '班内学号' })
    await expect
      .poll(() => number.evaluate((box: HTMLInputElement) => box.selectionEnd! > box.selectionStart!))
      .toBe(true)
    await page.keyboard.press('Enter')
    await page.locator('.toast', { hasText: '更新成功' }).waitFor()
    expect((await pupil(child.id)).classId).toBe(named('六年级（1）班', classes).id)

    await row.getByRole('checkbox').check()
    await page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '批量修改' }).click()
    await dropdown().locator('.ant-select-item-option').first().waitFor()
    await page.keyboard.type('班级')
    await dropdown().getByText('班级', { exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: '班级' }).click()
    await page.keyboard.type('六(2)班')
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.locator('.ant-select-content').first().innerText()).toContain('六年级（2）班')
    await page.keyboard.press('Escape')

    await page.goto(`${product.url}/student/student?schoolId=${child.schoolId}`)
    await page.locator('tbody tr[data-key]').first().waitFor()
    await filterBy('班级')
    await page.keyboard.type('六2')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('classId')).toBe(named('六年级（2）班', classes).id)
  })

  it('is found by its number alone, in the order of grade and number, and of several none is taken unseen', async () => {
    await page.goto(`${product.url}/student/student`)
    await page.locator('tbody tr[data-key]').first().waitFor()
    const everywhere = await call<readonly { id: string; name: string }[]>('blade-user/schoolclass/select?size=50')
    const first = everywhere.filter(({ name }) => /（1）班$/.test(name))
    expect(first.length).toBeGreaterThan(6)
    await filterBy('班级')
    await page.keyboard.type('1班')
    // Before the answer is there: Enter shows which are meant.
    await page.keyboard.press('Enter')
    const options = page.getByRole('dialog', { name: '筛选' }).locator('[data-option]')
    // Beneath the classes stands whether there is one at all.
    const shown = async () =>
      (await options.evaluateAll((all) => all.map((one) => one.getAttribute('data-option')))).filter((id) =>
        /^\d+$/.test(id!),
      )
    await expect.poll(shown).toEqual(first.map(({ id }) => id))
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-option'))).toBe(first[0]!.id)
    expect(new URL(page.url()).searchParams.get('classId')).toBeNull()
    await page.keyboard.press('Space')
    await expect.poll(() => new URL(page.url()).searchParams.get('classId')).toBe(first[0]!.id)
  })

  it('of another grade is found in the form, and the grade follows it', async () => {
    const other = classes.find((one) => one.className === '三年级（1）班')!
    await page.goto(`${product.url}/student/student?edit=${child.id}`)
    await page.locator('.entity-form[aria-busy=false]').waitFor()
    await box().click()
    await page.keyboard.type('三1')
    await page.keyboard.press('Enter')
    await expect.poll(() => chosen().innerText()).toContain('三年级（1）班')
    await page.keyboard.press('Control+s')
    await page.locator('.entity-form').first().waitFor({ state: 'hidden' })
    expect(await pupil(child.id)).toMatchObject({ classId: other.id, gradeId: other.gradeId })
  })

  it('finds no class that somebody may not choose', async () => {
    const teacher = await person('banzhuren')
    const seen = await call<readonly Row[]>('blade-user/schoolclass/select?size=50', undefined, teacher)
    const mine = new Set(seen.map(({ id }) => id))
    for (const typed of ['六2', '102', '初二1', '7.2']) {
      const found = await call<readonly Row[]>(
        `blade-user/schoolclass/select?keyword=${encodeURIComponent(typed)}`,
        undefined,
        teacher,
      )
      expect(found.filter(({ id }) => !mine.has(id))).toEqual([])
    }
    await teacher.context().close()
  })
})

describe('R-FORM-3 a save whose answer is lost', () => {
  let child: Row
  const conflict = () => page.getByText(/改过这条记录/)
  const form = () => page.locator('.entity-form').first()

  beforeAll(async () => {
    child = (await rowsOf('blade-user/student/list?status=1&size=1&current=3'))[0]!
  })
  async function edit(): Promise<void> {
    await page.goto(`${product.url}/student/student?edit=${child.id}`)
    await page.locator('.entity-form[aria-busy=false]').waitFor()
  }
  /** The server does it, and nobody hears of it. */
  async function lose(): Promise<void> {
    const hearAgain = await loseAnswers(page, '**/student/submit')
    await page.keyboard.press('Control+s')
    await page.locator('.banner-wrong, .toast').getByText('连接不上服务器').first().waitFor()
    await hearAgain()
  }
  async function saved(): Promise<void> {
    await page.keyboard.press('Control+s')
    await form().waitFor({ state: 'hidden' })
    expect(await conflict().count()).toBe(0)
  }

  it('is saved when it is sent again, and nobody else is said to have changed it', async () => {
    await edit()
    await type(page, '曾用名', '旧名甲')
    await lose()
    await saved()
    expect((await pupil(child.id)).formerName).toBe('旧名甲')
  })

  it('is one’s own change, whatever one goes on to type', async () => {
    await edit()
    await type(page, '曾用名', '旧名乙')
    await lose()
    await type(page, '曾用名', '旧名丙')
    await type(page, '英文名', 'Own Change')
    await saved()
    expect(await pupil(child.id)).toMatchObject({ formerName: '旧名丙', nameEn: 'Own Change' })
  })

  it('is saved already where a reload brings back the draft, and is not taken for another’s', async () => {
    await edit()
    await type(page, '曾用名', '旧名丁')
    await lose()
    await page.keyboard.press('F5')
    await page.reload()
    await page.getByText(/^已恢复 .*草稿$/).waitFor()
    await saved()
    expect((await pupil(child.id)).formerName).toBe('旧名丁')
  })

  it('is still asked about where somebody else has changed the same since', async () => {
    const other = await person('jiaowu')
    await edit()
    await type(page, '曾用名', '旧名戊')
    await lose()
    const { version } = await pupil(child.id)
    await call('blade-user/student/submit', { id: child.id, version, formerName: '别人改的' }, other)
    await type(page, '曾用名', '旧名己')
    await page.keyboard.press('Control+s')
    await conflict().waitFor()
    await page
      .getByRole('radio', { name: /旧名|曾用名/ })
      .first()
      .waitFor()
    expect((await pupil(child.id)).formerName).toBe('别人改的')
    await page.goto(`${product.url}/wel/index`)
    await other.context().close()
  })
})

describe('R-LIST-3 R-LIST-5 a change of the list whose answer is lost', () => {
  let child: Row
  const row = () => page.locator(`tbody tr[data-key="${child.id}"]`)
  const offline = () => page.locator('.toast').getByText('连接不上服务器').first()

  beforeAll(async () => {
    child = (await rowsOf('blade-user/student/list?status=1&size=1&current=9'))[0]!
    await page.goto(`${product.url}/student/student?keyword=${encodeURIComponent(String(child.studentNo))}`)
    await row().waitFor()
  })

  it('shows in its cell what is stored; tried again, it is changed once', async () => {
    const at = await page
      .locator('thead th')
      .evaluateAll((all) => all.findIndex((head) => head.textContent?.trim() === '入学年月'))
    const cell = row().locator(':scope > *').nth(at)
    const hearAgain = await loseAnswers(page, '**/student/submit')
    await cell.dblclick()
    await cell.locator('input:focus').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('2020.9.2')
    await page.keyboard.press('Enter')
    await offline().waitFor()
    await hearAgain()
    await expect.poll(() => cell.innerText()).toBe('2020-09-02')
    const stored = await pupil(child.id)
    expect(stored.enrollDate).toBe('2020-09-02')
    await page.locator('.toast').getByRole('button', { name: '重试' }).click()
    await page.locator('.toast', { hasText: '更新成功' }).waitFor()
    expect(await pupil(child.id)).toMatchObject({ enrollDate: '2020-09-02', version: stored.version })
    expect(await cell.innerText()).toBe('2020-09-02')
  })

  it('takes a row from it that is deleted', async () => {
    const { schoolId } = child
    const draft = { schoolId, name: '失联生', sex: '1', birthDate: '2015-03-04', studentNo: 'LOST1' }
    child = await call<Row>('blade-user/student/submit', draft)
    await page.goto(`${product.url}/student/student?keyword=LOST1`)
    const hearAgain = await loseAnswers(page, '**/student/remove*')
    await row().getByRole('button', { name: '失联生的更多操作' }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    await page.locator('.banner-wrong', { hasText: '连接不上服务器' }).waitFor()
    await row().waitFor({ state: 'detached' })
    await hearAgain()
  })
})

describe('R-AUTH-8 R-AUTH-9 an open page whose rights change', () => {
  const side = (of: Page) => of.getByRole('navigation', { name: '侧边菜单' })
  const top = (of: Page) => of.getByRole('navigation', { name: '顶部菜单' })
  let clerk: Row
  let roles: readonly Row[]
  const give = (role: string) =>
    call(`blade-user/grant?userIds=${clerk.id}&roleIds=${roles.find(({ roleAlias }) => roleAlias === role)!.id}`, {})

  beforeAll(async () => {
    clerk = (await rowsOf('blade-user/list?account=jiaowu&size=5')).find(({ account }) => account === 'jiaowu')!
    roles = await rowsOf('blade-system/role/list?size=50')
  })

  it('loses the menus and buttons of a role that is taken away, without a reload or a log-out, and gets them back', async () => {
    const own = String(clerk.roleId)
    const open = await person('jiaowu')
    await open.goto(`${product.url}/student/student`)
    await open.getByRole('button', { name: '新增学生' }).waitFor()
    // The channel stands.
    await open.waitForResponse(/blade-desk\/notice\/unread/)
    await give('teacher')
    await open.getByText('您的权限已变更，菜单和按钮已随之更新').waitFor()
    await expect.poll(() => open.getByRole('button', { name: '新增学生' }).count()).toBe(0)
    expect(await top(open).getByText('学校', { exact: true }).count()).toBe(0)
    expect(open.url()).not.toContain('/login')
    await call(`blade-user/grant?userIds=${clerk.id}&roleIds=${own}`, {})
    await top(open).getByText('学生', { exact: true }).click()
    await side(open).getByText('学生', { exact: true }).click()
    await open.getByRole('button', { name: '新增学生' }).waitFor()
    await open.context().close()
  })

  it('keeps what is ticked and half-way done, and what was typed on a page that goes', async () => {
    const registrar = roles.find(({ roleAlias }) => roleAlias === 'registrar')!
    const of = `?roleIds=${registrar.id}`
    const held = await call<Record<'menu' | 'dataScope' | 'apiScope', string[]>>(
      `blade-system/menu/role-tree-keys${of}`,
    )
    const { menu } = await call<{ menu: readonly Row[] }>('blade-system/menu/grant-tree')
    type Node = { id: string; title: string; children?: readonly Node[] }
    const below = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(below)]
    const pupils = (menu as unknown as readonly Node[])
      .flatMap(below)
      .find(({ title, children }) => title === '学生' && children?.some((each) => each.title === '导出'))!
    const grant = (...without: readonly Node[]) => {
      const gone = new Set(without.flatMap(below).map(({ id }) => id))
      return call('blade-system/role/grant', {
        roleIds: [registrar.id],
        menuIds: held.menu.filter((id) => !gone.has(id)),
        dataScopeIds: held.dataScope,
        apiScopeIds: held.apiScope,
      })
    }
    const open = await person('jiaowu')
    await Promise.all([open.waitForResponse(/blade-desk\/live/), open.goto(`${product.url}/student/student`)])
    const ticks = open.locator('tbody tr[data-key] input[type=checkbox]')
    for (const n of [1, 2]) await ticks.nth(n).check()
    await open.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '批量修改' }).click()
    const half = open.getByRole('dialog')
    await half.waitFor()
    await grant(pupils.children!.find(({ title }) => title === '导出')!)
    await open.getByText('您的权限已变更，菜单和按钮已随之更新').waitFor()
    await half.waitFor()
    // The list of fields may stand over the foot of the dialog.
    await half.getByRole('button', { name: '关闭' }).first().click()
    await half.waitFor({ state: 'detached' })
    expect(await open.locator('tbody tr[data-key] input[type=checkbox]:checked').count()).toBe(2)
    // The page itself goes while a new row is filled in.
    await Promise.all([open.waitForResponse(/blade-desk\/live/), open.goto(`${product.url}/student/student?edit=new`)])
    await name(open).fill('未存生')
    await grant(pupils)
    await open.getByText('“学生”已关闭，未保存的内容已存为草稿').waitFor()
    await open.waitForURL('**/wel/index')
    await grant()
    await top(open).getByText('学生', { exact: true }).click()
    await side(open).getByText('学生', { exact: true }).click()
    await open.getByRole('button', { name: '新增学生' }).click()
    await open.getByText(/^已恢复 .*草稿$/).waitFor()
    expect(await name(open).inputValue()).toBe('未存生')
    await open.context().close()
  })

  it('shows no row any more that a new data scope leaves out', async () => {
    const registrar = roles.find(({ roleAlias }) => roleAlias === 'registrar')!
    const held = await call<Record<'menu' | 'dataScope' | 'apiScope', string[]>>(
      `blade-system/menu/role-tree-keys?roleIds=${registrar.id}`,
    )
    const scope = (await rowsOf('blade-system/data-scope/list?size=50')).find(({ resourceCode }) =>
      String(resourceCode).includes('taught-students'),
    )!
    const grant = (dataScopeIds: readonly string[]) =>
      call('blade-system/role/grant', {
        ...{ roleIds: [registrar.id], menuIds: held.menu, dataScopeIds, apiScopeIds: held.apiScope },
      })
    const open = await person('jiaowu')
    await Promise.all([open.waitForResponse(/blade-desk\/live/), open.goto(`${product.url}/student/student`)])
    await open.locator('tbody tr[data-key]').first().waitFor()
    await grant([String(scope.id)])
    await open.locator('tbody tr[data-key]').first().waitFor({ state: 'detached' })
    expect(open.url()).not.toContain('/login')
    await grant(held.dataScope)
    await open.locator('tbody tr[data-key]').first().waitFor()
    await open.context().close()
  })

  it('says that the session has ended as soon as it has, or when somebody comes back to the window', async () => {
    const now = await person('jiaowu')
    await now.goto(`${product.url}/student/student`)
    await now.waitForResponse(/blade-desk\/notice\/unread/)
    // This one hears nothing of the live channel.
    const away = await person('jiaowu')
    await away.route('**/blade-desk/live**', (route) => route.abort())
    await away.goto(`${product.url}/student/student`)
    await away.waitForResponse(/blade-desk\/notice\/unread/)
    await call(`blade-user/reset-password?userIds=${clerk.id}`, {})
    await now.waitForURL('**/login**')
    expect(away.url()).not.toContain('/login')
    await away.evaluate(() => window.dispatchEvent(new Event('focus')))
    await away.waitForURL('**/login**')
    await now.context().close()
    await away.context().close()
  })
})

describe('R-LIST-6 the same rows, changed by two at once', () => {
  it('are not written over unseen: the second is told, and looks at them as they are now', async () => {
    const all = await rowsOf('blade-user/schoolclass/list?size=100')
    const first = named('六年级（1）班', all)
    const near = all.filter((one) => one.schoolId === first.schoolId && one.yearId === first.yearId)
    const [mine, theirs] = [named('六年级（2）班', near), named('五年级（1）班', near)]
    const two = await rowsOf(`blade-user/student/list?classId=${first.id}&status=1&size=2`)
    await page.goto(`${product.url}/student/student?classId=${first.id}`)
    for (const { id } of two) await page.locator(`tbody tr[data-key="${id}"]`).getByRole('checkbox').check()
    await page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '批量修改' }).click()
    await dropdown().locator('.ant-select-item-option').first().waitFor()
    await page.keyboard.type('班级')
    await dropdown().getByText('班级', { exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: '班级' }).click()
    await page.keyboard.type('六2')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: '预览' }).click()
    const run = dialog.getByRole('button', { name: '修改 2 名' })
    await run.waitFor()
    for (const { id } of two) {
      const { version, gradeId: _ } = await pupil(id)
      await call('blade-user/student/submit', { id, version, classId: theirs.id, gradeId: theirs.gradeId })
    }
    await run.click()
    await dialog.getByText(/2 名失败/).waitFor()
    const classesOf = async () => (await Promise.all(two.map(({ id }) => pupil(id)))).map(({ classId }) => classId)
    expect(await classesOf()).toEqual([theirs.id, theirs.id])
    await dialog.getByRole('button', { name: '重新预览失败项' }).click()
    await dialog.getByText(/五年级（1）班.*六年级（2）班/).waitFor()
    expect(await classesOf()).toEqual([theirs.id, theirs.id])
    await run.click()
    await dialog.waitFor({ state: 'detached' })
    expect(await classesOf()).toEqual([mine.id, mine.id])
  })
})

describe('R-LIST-8 addresses, keys and searches that lead nowhere', () => {
  it('a record out of reach is said once, with the way back and nothing to try again', async () => {
    const teacher = await person('banzhuren')
    const mine = new Set(
      (await call<{ records: readonly Row[] }>('blade-user/student/list?size=200', undefined, teacher)).records.map(
        ({ id }) => id,
      ),
    )
    const foreign = (await rowsOf('blade-user/student/list?size=200')).find(({ id }) => !mine.has(id))!
    await teacher.goto(`${product.url}/student/student?id=${foreign.id}`)
    await teacher.getByText('没有找到该数据').first().waitFor()
    await teacher.getByRole('button', { name: '返回列表' }).waitFor()
    expect(await teacher.getByText('没有找到该数据').count()).toBe(1)
    expect(await teacher.getByRole('button', { name: '重试' }).count()).toBe(0)
    expect(await teacher.locator('.detail-title').innerText()).not.toContain('…')
    await teacher.getByRole('button', { name: '返回列表' }).click()
    // Nor is a form opened that somebody may not open.
    const [own] = [...mine]
    await teacher.goto(`${product.url}/student/student?edit=${own}`)
    await teacher.getByText('您没有修改学生的权限，如需修改请联系管理员').waitFor()
    await expect.poll(() => teacher.url()).not.toContain('edit=')
    expect(await teacher.locator('.entity-form').count()).toBe(0)
    await teacher.context().close()
  })

  it('one menu stands at a time, and none under a question', async () => {
    await page.goto(`${product.url}/student/student`)
    await page.locator('tbody tr[data-key]').first().waitFor()
    const menus = page.getByRole('menu')
    await page.keyboard.press('j')
    await page.keyboard.press('p')
    await page.getByRole('menu', { name: '打印' }).waitFor()
    await page.keyboard.press('.')
    await page.getByRole('menu', { name: /更多/ }).waitFor()
    await expect.poll(() => menus.count()).toBe(1)
    await page.keyboard.press('p')
    await page.getByRole('menu', { name: '打印' }).waitFor()
    await expect.poll(() => menus.count()).toBe(1)
    await page.keyboard.press('Delete')
    await page.getByText('确定将选择数据删除?').waitFor()
    expect(await menus.count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByText('确定将选择数据删除?').waitFor({ state: 'detached' })
    // The arrows and Enter are the menu's own.
    await page.keyboard.press('.')
    await page.getByRole('menu', { name: /更多/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.detail-title').waitFor()
  })

  it('on a phone a search without an answer says so, and a change of many begins with what is changed daily', async () => {
    const phone = await person('admin', 390)
    await phone.goto(`${product.url}/student/student`)
    await phone.locator('[data-key]').first().waitFor()
    await phone.getByRole('button', { name: '搜索页面和人' }).tap()
    await phone.getByRole('combobox', { name: '搜索页面和人' }).waitFor()
    await phone.keyboard.type('没有这个人')
    await phone.getByText('没有找到“没有这个人”').waitFor()
    await phone.keyboard.press('Escape')
    await phone.locator('[data-key]').first().getByRole('checkbox').check()
    await phone.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '批量修改' }).tap()
    const offered = phone.locator('.ant-select-dropdown:visible .ant-select-item-option')
    await offered.first().waitFor()
    expect((await offered.allInnerTexts()).slice(0, 2)).toEqual(['班级', '状态'])
    await phone.context().close()
  })

  it('on a phone a long name in several scripts stands in one line over its facts', async () => {
    const postName = 'שלום 岗位👨‍👩‍👧‍👦 مرحبا a post with a name too long'
    await call('blade-system/post/submit', { postName, postCode: 'long-name', category: 1, sort: 0 })
    const phone = await person('admin', 390)
    await phone.goto(`${product.url}/system/post`)
    const link = phone.locator('.dt-brief .dt-link').filter({ hasText: 'too long' })
    await link.waitFor()
    const [lines, facts] = await link.evaluate((each) => {
      const range = document.createRange()
      range.selectNodeContents(each)
      const under = each.parentElement!.querySelector('.dt-facts')!.getBoundingClientRect().top
      return [Math.round(range.getBoundingClientRect().bottom), Math.round(under)]
    })
    expect(lines).toBeLessThanOrEqual(facts + 2)
    await phone.context().close()
  })
})
