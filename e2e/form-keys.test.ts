/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, type, typeDay } from './clerk.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson } from './window.ts'

/** Forms by the keyboard alone: a child with several guardians, a form over a form, and what each key belongs to. */

let product: Product
let browser: Browser
let page: Page

interface Row {
  readonly [name: string]: unknown
  readonly id: string
}
interface Node {
  readonly id: string
  readonly title: string
  readonly children?: readonly Node[]
}

const person = (account: string): Promise<Page> => demoPerson(browser, product, account)

/** Calls the server past the page, as the person whose page it is. */
const call = <T>(of: Page, address: string, body?: unknown): Promise<T> => askAs(of, product.url, address, { body })
const pupils = async (name: string) =>
  (await call<{ records: readonly Row[] }>(page, `blade-user/student/list?name_equal=${encodeURIComponent(name)}`))
    .records

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await person('admin')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const forms = (of = page) => of.getByRole('dialog').filter({ has: of.locator('.entity-form') })
const dropdown = (of = page) => of.locator('.ant-select-dropdown:visible')
const child = () => forms().first().locator('.entity-form [data-field=name] input')
const field = (label: string, of = page) => forms(of).last().getByLabel(label)
async function openForm(of = page): Promise<void> {
  await of.goto(`${product.url}/student/student`)
  await of.locator('tbody tr[data-key]').first().waitFor()
  await of.getByRole('button', { name: '新增学生' }).click()
  await of.locator('.entity-form [data-field=name] input:focus').waitFor()
}
async function openClass(typed: string): Promise<void> {
  await forms().first().getByRole('combobox', { name: '班级' }).click()
  await page.keyboard.type(typed)
  await dropdown().getByText('＋ 新增行政班…').waitFor()
  await dropdown().getByText('＋ 新增行政班…').click()
  await page.getByRole('heading', { name: '新增行政班' }).waitFor()
  await page.locator('.entity-form [data-field=className] input:focus').waitFor()
}

describe('R-KEY-1 what is typed before a form stands', () => {
  // A form that one test holds back must not be held back for those after it.
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  /** Opens the list on a network that brings the form only when it is let go. */
  async function listWithSlowForm(): Promise<() => void> {
    let letGo: () => void = () => {}
    const held = new Promise<void>((done) => {
      letGo = done
    })
    await page.route(/\/assets\/form-fields-[^/]*\.js/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${product.url}/student/student`)
    await page.locator('tbody tr[data-key]').first().waitFor()
    await page.locator('h1').first().focus()
    return letGo
  }
  const standsAt = async (field: string) => {
    await page.locator(`.entity-form [data-field=${field}] input:focus`).waitFor()
    return page.evaluate(() => (document.activeElement as HTMLInputElement).value)
  }
  async function leave(): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: '放弃' }).click()
    await forms().first().waitFor({ state: 'hidden' })
  }

  it('is the text of its first field, and no key of the page: g h leads nowhere', async () => {
    const letGo = await listWithSlowForm()
    await page.keyboard.type('nHigh ghx')
    await page.keyboard.press('Backspace')
    letGo()
    expect(await standsAt('name')).toBe('High gh')
    // What comes after goes on behind it.
    await page.keyboard.type('e')
    expect(await child().inputValue()).toBe('High ghe')
    expect(new URL(page.url()).pathname).toBe('/student/student')
    await leave()
  })

  it('goes into no other field after Tab, and into the row’s own field where one is edited', async () => {
    let letGo = await listWithSlowForm()
    await page.keyboard.type('nLi')
    await page.keyboard.press('Tab')
    await page.keyboard.type('jx/')
    letGo()
    expect(await standsAt('name')).toBe('Li')
    await leave()

    letGo = await listWithSlowForm()
    const name = await page.locator('tbody tr[data-key] .dt-link').first().innerText()
    await page.keyboard.type('jexj')
    letGo()
    expect(await standsAt('name')).toBe(`${name.trim()}xj`)
    await leave()
  })

  it('is the text of a cell, of a person who is looked for, of the password of the lock', async () => {
    await page.goto(`${product.url}/student/student`)
    await page.locator('tbody tr[data-key]').first().waitFor()
    await page.locator('h1').first().focus()
    await page.keyboard.press('j')
    await page.keyboard.press('F2')
    await page.keyboard.type('gh13')
    const cell = page.locator('tbody input:focus')
    await cell.waitFor()
    expect(await cell.inputValue()).toContain('gh13')
    await page.keyboard.press('Escape')
    await cell.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('ghe')
    await expect.poll(() => page.locator('.palette-field input').inputValue()).toBe('ghe')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+l')
    await page.keyboard.type('ghe')
    await expect.poll(() => page.locator('dialog input[type=password]:focus').inputValue()).toBe('ghe')
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    expect(new URL(page.url()).pathname).toBe('/student/student')
  })

  it('is given up by Escape, and so is the form: it does not come, and the next key is the page’s again', async () => {
    let letGo = await listWithSlowForm()
    await page.keyboard.type('nab')
    await expect.poll(() => new URL(page.url()).searchParams.get('edit')).toBe('new')
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).searchParams.has('edit')).toBe(false)
    await page.keyboard.type('gh')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/wel/index')
    await page.goBack()
    await page.locator('tbody tr[data-key]:visible').first().waitFor()
    const come = page.waitForResponse(/\/assets\/form-fields-/)
    letGo()
    await come
    // What has come now may be drawn, and what is drawn is heard: a key of the list moves its cursor.
    await page.locator('h1:visible').first().focus()
    await page.keyboard.press('j')
    await page.locator('tbody tr.dt-cursor:visible, tbody tr[aria-selected=true]:visible').first().waitFor()
    expect(await page.locator('.entity-form:visible').count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })

    // A form that is opened from a row likewise.
    letGo = await listWithSlowForm()
    await page.keyboard.type('je')
    await expect.poll(() => new URL(page.url()).searchParams.get('edit')).not.toBeNull()
    // No key of those that would do something with the list beneath does.
    await page.keyboard.press('Delete')
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).searchParams.has('edit')).toBe(false)
    letGo()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

describe('R-STUDENT-4 a child with several guardians', () => {
  it('is typed by keys: lines are added and taken away, a note is asked for, a mistake names its line', async () => {
    await openForm()
    await page.keyboard.type('孟知行')
    await choose(page, '性别', '男')
    await typeDay(page, '出生日期', '2017-03-09')
    await type(page, '校内学号', 'K2026001')
    await choose(page, '学校', '.*')
    await type(page, '第一位家长姓名', '孟建')
    await choose(page, '第一位家长关系', '父亲')
    await type(page, '第一位家长手机', '13905710011')
    const another = page.getByRole('button', { name: '再加一位家长' })
    for (const [line, name] of ['多余', '孟兰'].entries()) {
      await another.focus()
      await page.keyboard.press('Enter')
      await page.locator(`[data-field="guardians.${line + 1}.parentName"] input:focus`).waitFor()
      await page.keyboard.type(name)
    }
    await page.getByRole('button', { name: '移除第二位家长' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => field('第二位家长姓名').inputValue()).toBe('孟兰')
    await expect.poll(() => page.getByRole('group', { name: '第三位家长' }).count()).toBe(0)
    // A note is asked for where the relation says too little.
    expect(await field('第二位家长关系说明').count()).toBe(0)
    await page.getByRole('combobox', { name: '第二位家长关系' }).focus()
    await page.keyboard.type('其他亲属')
    await dropdown().getByText('其他亲属', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await field('第二位家长关系说明').waitFor()
    await type(page, '第二位家长手机', '139057')
    await page.keyboard.press('Control+s')
    const mistakes = page.locator('.banner-wrong')
    await expect.poll(() => mistakes.innerText()).toMatch(/^2 处需要修改：第二位家长手机、第二位家长关系说明$/)
    expect(await pupils('孟知行')).toEqual([])
    expect(await axeFaults(page)).toEqual([])
    await mistakes.getByRole('button', { name: '第二位家长手机' }).click()
    await page.locator('[data-field="guardians.1.mobile"] input:focus').waitFor()
    // What only the server knows is said of the line as well: the first guardian has this number.
    await field('第二位家长手机').fill('13905710011')
    await field('第二位家长关系说明').fill('姑姑')
    await page.keyboard.press('Control+s')
    await page.locator('[data-field="guardians.1.mobile"] .ff-wrong').waitFor()
    expect(await pupils('孟知行')).toEqual([])
    await field('第二位家长手机').fill('13905710012')
    await page.keyboard.press('Control+s')
    await forms().first().waitFor({ state: 'hidden' })
    const [child] = await pupils('孟知行')
    const { records } = await call<{ records: readonly Row[] }>(
      page,
      `blade-user/studentparents/list?studentId=${child!.id}&columns=relationNote&ascs=contactPriority`,
    )
    expect(records).toMatchObject([
      { parentName: '孟建', relation: '51', mobile: '*********11', isEmergency: 1, contactPriority: 1 },
      { parentName: '孟兰', relation: '97', mobile: '*********12', isEmergency: 0, contactPriority: 2 },
    ])
  })

  it('comes back as a draft with every line', async () => {
    await openForm()
    await page.keyboard.type('草稿生')
    await page.getByRole('button', { name: '再加一位家长' }).click()
    await type(page, '第二位家长姓名', '草稿母')
    // The form is open again with the page.
    await page.reload()
    await page.getByText(/^已恢复 .*草稿$/).waitFor()
    expect(await child().inputValue()).toBe('草稿生')
    expect(await field('第二位家长姓名').inputValue()).toBe('草稿母')
    await page.getByRole('button', { name: '丢弃草稿' }).click()
    await expect.poll(() => page.getByRole('group', { name: '第二位家长' }).count()).toBe(0)
    expect(await child().inputValue()).toBe('')
  })
})

describe('R-KEY-1 keys in a form', () => {
  it('what was typed within a second before Back is offered again', async () => {
    await openForm()
    await page.keyboard.type('后退生')
    await page.goBack()
    await forms().first().waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '新增学生' }).click()
    await expect.poll(() => child().inputValue()).toBe('后退生')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: '放弃' }).click()
    await forms().first().waitFor({ state: 'hidden' })
  })

  it('one Escape closes the search over a form, and not the form', async () => {
    await openForm()
    const palette = page.locator('dialog.palette')
    for (const typed of ['', '查找生']) {
      await page.keyboard.type(typed)
      await page.keyboard.press('Control+k')
      await palette.waitFor()
      await page.keyboard.press('Escape')
      await palette.waitFor({ state: 'hidden' })
      // A question, or the end of the form, would have come by the next key that the form hears.
      await page.locator('.entity-form [data-field=name] input:focus').waitFor()
      await expect.poll(() => child().inputValue()).toBe(typed)
      expect(await page.getByRole('alertdialog').count()).toBe(0)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: '放弃' }).click()
    await forms().first().waitFor({ state: 'hidden' })
  })

  it('Tab goes through the fields in the order in which they stand, and ends at the buttons', async () => {
    await openForm()
    const standing = await page
      .locator('.entity-form [data-field]')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.field))
    const walked: (string | undefined)[] = ['name']
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const now = document.activeElement
        return {
          name: now?.closest<HTMLElement>('[data-field]')?.dataset.field,
          foot: now?.closest('.drawer-foot') ? now.textContent : null,
        }
      })
      if (at.foot !== null) break
      if (at.name && at.name !== walked.at(-1)) walked.push(at.name)
    }
    expect(walked).toEqual(standing)
    const buttons: string[] = []
    for (let step = 0; step < 3; step += 1) {
      buttons.push((await page.evaluate(() => document.activeElement?.firstChild?.textContent)) ?? '')
      await page.keyboard.press('Tab')
    }
    expect(buttons).toEqual(['保存并继续新增', '取消', '保存'])
  })

  it('Escape and Ctrl+S belong to the upper of two forms, and the lower keeps what was typed', async () => {
    await openForm()
    await page.keyboard.type('下层生')
    await choose(page, '学校', '.*')
    await openClass('水杉班')
    // Nothing was changed in it beyond the name it began with: it closes at once, and alone.
    await page.keyboard.press('Escape')
    await expect.poll(() => forms().count()).toBe(1)
    expect(await child().inputValue()).toBe('下层生')
    await openClass('水杉班')
    await type(page, '班号', '49')
    await field('班号').focus()
    await page.keyboard.press('Escape')
    await page.getByText('放弃未保存的修改？').waitFor()
    await page.getByRole('button', { name: '继续编辑' }).click()
    expect(await field('班号').inputValue()).toBe('49')
    await choose(page, '年级', '三年级')
    await type(page, '入学年份', '2024')
    await choose(page, '班级类型', '.*')
    // A second form is a row of its own: this key saves it, and not the child.
    await page.keyboard.press('Control+s')
    await expect.poll(() => forms().count()).toBe(1)
    await forms().first().locator('[data-field=classId]').getByText('水杉班').first().waitFor()
    expect(await child().inputValue()).toBe('下层生')
    expect(await pupils('下层生')).toEqual([])
    // The form is open again with the page.
    await page.reload()
    await page.getByText(/^已恢复 .*草稿$/).waitFor()
    expect(await child().inputValue()).toBe('下层生')
    await page.locator('[data-field=classId]').getByText('水杉班').first().waitFor()
    await page.getByRole('button', { name: '丢弃草稿' }).click()
  })

  it('R-FORM-2 a class that is chosen first brings its school and its grade', async () => {
    const { records } = await call<{ records: readonly Row[] }>(
      page,
      'blade-user/schoolclass/list?size=1&className_like=三年级',
    )
    const [wanted] = records
    await openForm()
    await page.keyboard.type('先选班')
    await choose(page, '班级', `${wanted!.className}.*${wanted!.schoolName}`)
    const chosen = (name: string) => forms().first().locator(`[data-field=${name}] .ant-select-content-has-value`)
    await expect.poll(() => chosen('schoolId').innerText()).toContain(String(wanted!.schoolName))
    await expect.poll(() => chosen('gradeId').innerText()).toContain(String(wanted!.gradeName))
    await choose(page, '性别', '男')
    await typeDay(page, '出生日期', '2017-03-09')
    await type(page, '校内学号', 'K2026777')
    await page.keyboard.press('Control+s')
    await forms().first().waitFor({ state: 'hidden' })
    const [child] = await pupils('先选班')
    expect(child).toMatchObject({ classId: wanted!.id, schoolId: wanted!.schoolId, gradeId: wanted!.gradeId })
  })

  it('＋ 新增… is not offered to somebody who may not add what is missing', async () => {
    const { menu } = await call<{ menu: readonly Node[] }>(page, 'blade-system/menu/grant-tree')
    const wanted = (nodes: readonly Node[], above: readonly Node[]): string[] =>
      nodes.flatMap((node) => {
        const on = above.at(-1)?.title
        const mine = (node.title === '查看' && on !== undefined) || (node.title === '新增' && on === '学生')
        return mine ? [...above, node].map(({ id }) => id) : wanted(node.children ?? [], [...above, node])
      })
    const role = await call<Row>(page, 'blade-system/role/submit', { roleName: '录入员', sort: 9 })
    await call(page, 'blade-system/role/grant', { roleIds: [role.id], menuIds: [...new Set(wanted(menu, []))] })
    const users = await call<{ records: readonly Row[] }>(page, 'blade-user/list?account_equal=jiaowu')
    const before = await person('jiaowu')
    await openForm(before)
    await choose(before, '学校', '.*')
    const open = async (of: Page) => {
      await forms(of).first().getByRole('combobox', { name: '班级' }).click()
      await of.keyboard.type('银杉班')
    }
    await open(before)
    await dropdown(before).getByText('＋ 新增行政班…').waitFor()
    await before.context().close()
    await call(page, `blade-user/grant?userIds=${users.records[0]!.id}&roleIds=${role.id}`, {})
    const clerk = await person('jiaowu')
    await openForm(clerk)
    // Nor are guardians asked for, whom this person may not add.
    expect(await clerk.getByRole('group', { name: '第一位家长' }).count()).toBe(0)
    await choose(clerk, '学校', '.*')
    await open(clerk)
    await dropdown(clerk).getByText('没有符合的选项').waitFor()
    expect(await dropdown(clerk).getByText('＋ 新增').count()).toBe(0)
    await clerk.context().close()
  })
})

describe('R-LIST-4 C13 a class that is changed in its cell', () => {
  const classes = async (gradeId: string) =>
    (await call<{ records: readonly Row[] }>(page, `blade-user/schoolclass/list?gradeId=${gradeId}&size=50`)).records
  const stored = async (id: string) => {
    const { classId, seatNo, version } = await call<Row>(page, `blade-user/student/detail?id=${id}`)
    return { classId, seatNo, version }
  }
  const largest = async (classId: unknown) => {
    const { records } = await call<{ records: readonly Row[] }>(
      page,
      `blade-user/student/list?classId=${classId}&columns=seatNo&size=200`,
    )
    return Math.max(0, ...records.map(({ seatNo }) => Number(seatNo ?? 0)))
  }
  const number = () => page.getByRole('group', { name: '班级' }).getByRole('spinbutton', { name: '班内学号' })

  it('asks for the number there before anything is saved, and keeps it with the class', async () => {
    const [pupil] = (await call<{ records: readonly Row[] }>(page, 'blade-user/student/list?status=1&size=1')).records
    const { id } = pupil!
    const before = await stored(id)
    const others = (await classes(String(pupil!.gradeId))).filter((one) => one.id !== before.classId)
    const to = others[0]!
    const next = (await largest(to.id)) + 1
    await page.goto(`${product.url}/student/student?keyword=${encodeURIComponent(String(pupil!.name))}`)
    const row = page.locator(`tbody tr[data-key="${id}"]`)
    await row.waitFor()
    const at = await page
      .locator('thead th')
      .evaluateAll((all) => all.findIndex((head) => head.textContent?.trim() === '班级'))
    const box = row.locator(':scope > *').nth(at)
    const choose = async () => {
      await box.dblclick()
      await dropdown().locator('.ant-select-item-option').first().waitFor()
      await page.keyboard.type(String(to.className))
      // The name of each class there says which is the one that was typed.
      await expect
        .poll(() => dropdown().locator('.ant-select-item-option').first().innerText())
        .toMatch(String(to.className))
      await page.keyboard.press('Enter')
      // The next one there stands in the field, to be typed over.
      await expect
        .poll(() =>
          number().evaluate((box: HTMLInputElement) => box.value.slice(box.selectionStart!, box.selectionEnd!)),
        )
        .toBe(String(next))
    }
    // Esc leaves all as it was.
    await choose()
    expect(await stored(id)).toEqual(before)
    await page.keyboard.press('Escape')
    await number().waitFor({ state: 'detached' })
    expect(await stored(id)).toEqual(before)
    // What is typed is kept; what is no number of a class is not.
    await choose()
    await page.keyboard.type('0')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: '班级' }).locator('.ff-wrong').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(String(next + 3))
    await page.screenshot({ path: '/tmp/cell.png' })
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.locator('.toast', { hasText: '更新成功' }).waitFor()
    expect(await stored(id)).toMatchObject({ classId: to.id, seatNo: next + 3 })
    await page.keyboard.press('Control+z')
    await page.locator('.toast', { hasText: '已撤销' }).waitFor()
    expect(await stored(id)).toMatchObject({ classId: before.classId, seatNo: before.seatNo })
  })
})

describe('R-FORM-2 lists that are searched by typing', () => {
  const shown = (name: string) => forms().first().locator(`[data-field=${name}]`)
  const tags = async (name: string) =>
    (await shown(name).locator('.ant-select-selection-item').allInnerTexts()).map((text) => text.trim())
  const box = (label: string) => forms().first().getByRole('combobox', { name: label })

  it('of several: Tab goes on and chooses nothing, Enter chooses what was typed and takes nothing away', async () => {
    await page.goto(`${product.url}/school/school`)
    await page.locator('tbody tr[data-key]').first().waitFor()
    await page.getByRole('button', { name: '新增学校' }).click()
    await page.locator('.entity-form [data-field=schoolName] input:focus').waitFor()
    await page.keyboard.type('键盘学校')
    await box('学段').click()
    await dropdown().getByText('小学', { exact: true }).waitFor()
    // An open list is left as it was.
    await page.keyboard.press('Tab')
    await dropdown().waitFor({ state: 'detached' })
    expect(await tags('stages')).toEqual([])
    for (const [key, wanted] of [
      ['Enter', ['小学']],
      // Typed again, and it stays.
      ['Enter', ['小学']],
      ['Tab', ['小学']],
    ] as const) {
      await box('学段').focus()
      await page.keyboard.type('小学')
      await page.keyboard.press(key)
      await expect.poll(() => tags('stages')).toEqual(wanted)
    }
    await box('学段').focus()
    await page.keyboard.type('初中')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await dropdown().waitFor({ state: 'detached' })
    expect(await tags('stages')).toEqual(['小学', '初中'])
    expect(await shown('stages').locator('input:focus').count()).toBe(0)
    // What the server finds, too.
    const users = await call<{ records: readonly Row[] }>(page, 'blade-user/list?account_equal=jiaowu')
    await page.goto(`${product.url}/system/user?edit=${users.records[0]!.id}`)
    await page.locator('.entity-form [data-field=roleId]').waitFor()
    const before = await tags('roleId')
    await box('角色').focus()
    await page.keyboard.type('班主任')
    // At once, while the answer is on its way.
    await page.keyboard.press('Enter')
    await expect.poll(() => tags('roleId')).toEqual([...before, '班主任'])
    await page.keyboard.press('Tab')
    await dropdown().waitFor({ state: 'detached' })
    expect(await tags('roleId')).toEqual([...before, '班主任'])
    expect(await shown('roleId').locator('input:focus').count()).toBe(0)
  })

  it('of one: what is typed and confirmed at once is chosen, by Enter and by Tab, and never what stood there before', async () => {
    const { records } = await call<{ records: readonly Row[] }>(
      page,
      'blade-user/schoolclass/list?size=50&className_like=（2）班',
    )
    for (const [nth, key] of (['Enter', 'Tab'] as const).entries()) {
      const wanted = records[nth]!
      await openForm()
      await choose(page, '学校', `${wanted.schoolName}`)
      await box('班级').focus()
      await page.keyboard.type(String(wanted.className))
      await page.keyboard.press(key)
      await expect.poll(async () => (await shown('classId').innerText()).trim()).toContain(String(wanted.className))
      await expect.poll(async () => (await shown('gradeId').innerText()).trim()).toContain(String(wanted.gradeName))
      // While somebody searches, what is chosen is no answer.
      await box('班级').focus()
      await page.keyboard.type('没有这个班')
      await dropdown().getByText('＋ 新增行政班…').waitFor()
      await expect.poll(() => dropdown().locator('.ant-select-item-option').count()).toBe(1)
      await page.keyboard.press('Tab')
      await dropdown().waitFor({ state: 'detached' })
      expect((await shown('classId').innerText()).trim()).toContain(String(wanted.className))
    }
  })
})

describe('R-NOTICE-2 a notice by keys', () => {
  it('the tools over the text are one stop of Tab, with arrows between them', async () => {
    const own = await person('admin')
    await own.goto(`${product.url}/desk/notice?edit=new`)
    const tools = forms(own).getByRole('toolbar')
    await tools.getByRole('button', { name: '加粗' }).waitFor()
    const summary = forms(own).getByRole('textbox', { name: '摘要' })
    const text = forms(own).getByRole('textbox', { name: '通知内容' })
    const focused = () => own.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await summary.focus()
    await own.keyboard.press('Tab')
    await expect.poll(focused).toBe('段落样式')
    await own.keyboard.press('ArrowRight')
    await expect.poll(focused).toBe('加粗')
    await own.keyboard.press('End')
    await expect.poll(focused).toMatch(/表格|撤销/)
    await own.keyboard.press('ArrowRight')
    await expect.poll(focused).toBe('段落样式')
    await own.keyboard.press('ArrowRight')
    await own.keyboard.press('Tab')
    await expect.poll(() => text.evaluate((box) => box === document.activeElement)).toBe(true)
    await own.keyboard.type('stop')
    // Tab comes back to the tool that was used last.
    await own.keyboard.press('Shift+Tab')
    await expect.poll(focused).toBe('加粗')
    expect(await text.innerText()).toBe('stop')
    await own.context().close()
  })
})
