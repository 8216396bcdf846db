import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entityOf } from '../contract/src/index.ts'
import { launchBrowser } from './browser.ts'
import { turn, type } from './clerk.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** Ten kinds of records, by the pages that list them. */
const kinds: Readonly<Record<string, string>> = {
  student: '/student/student',
  studentparents: '/student/studentparents',
  studentgroup: '/student/studentgroup',
  schoolclass: '/teaching/schoolclass',
  schoolteachclass: '/teaching/schoolteachclass',
  school: '/school/school',
  schoolcampus: '/school/schoolcampus',
  schoolyear: '/school/schoolyear',
  schoolsubject: '/school/schoolsubject',
  user: '/system/user',
}

/** Kinds whose rows are seen in the records that they belong to alone. */
const pageless: ReadonlySet<string> = new Set(['studentclass'])

/** A record shows what belongs to it: a child's guardians and history, a class's pupils, each part by its own right. */

let product: Product
let browser: Browser

const person = (account: string, size = { width: 1440, height: 900 }): Promise<Page> =>
  demoPerson(browser, product, account, size)

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `record-${name}`)

async function openFirst(page: Page, address = '/student/student'): Promise<string> {
  await page.goto(product.url + address)
  await page.locator('tbody tr[data-key] .dt-link').first().click()
  await page.waitForURL(/[?&]id=/)
  return new URL(page.url()).searchParams.get('id')!
}
/** Calls the server as the person whose page it is. */
async function caller(page: Page) {
  const token = (await page.context().cookies()).find(({ name }) => name.includes('access'))?.value
  return async <T>(address: string, body?: unknown): Promise<{ status: number; data: T }> => {
    const answer = await fetch(`${product.url}/api/${address}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Blade-Auth': `bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, data: ((await answer.json()) as { data: T }).data }
  }
}
interface Node {
  readonly id: string
  readonly title: string
  readonly children?: readonly Node[]
}
/** Takes somebody's roles away, and gives one that may look at the rows of these pages and nothing else. */
async function giveLittle(account: string, pages: readonly string[]): Promise<void> {
  const page = await person('admin')
  const call = await caller(page)
  const { menu } = (await call<{ menu: Node[] }>('blade-system/menu/grant-tree')).data
  const wanted = (nodes: readonly Node[], above: readonly Node[]): string[] =>
    nodes.flatMap((node) =>
      node.title === '查看' && pages.includes(above.at(-1)?.title ?? '')
        ? [...above, node].map(({ id }) => id)
        : wanted(node.children ?? [], [...above, node]),
    )
  const menuIds = [...new Set(wanted(menu, []))]
  expect(menuIds.length).toBeGreaterThan(pages.length * 2)
  const role = await call<{ id: string }>('blade-system/role/submit', { roleName: '来访', sort: 9 })
  expect((await call('blade-system/role/grant', { roleIds: [role.data.id], menuIds })).status).toBe(200)
  const users = await call<{ records: { id: string }[] }>(`blade-user/list?account_equal=${account}`)
  const given = `userIds=${users.data.records[0]!.id}&roleIds=${role.data.id}`
  expect(await call(`blade-user/grant?${given}`, {})).toMatchObject({ status: 200 })
  await page.context().close()
}
const part = (page: Page, name: string) => page.locator(`[data-related="${name}"]`)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('C12 a record', () => {
  it('shows a child’s guardians, and the number that is asked for, once, as a link to call', async () => {
    const page = await person('admin')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/personal')) asked.push(request.url())
    })
    await openFirst(page)
    await part(page, 'studentparents.studentId').locator('li').first().waitFor()
    await picture(page, 'light')
    expect(asked).toEqual([])
    await page.getByRole('button', { name: '显示号码' }).click()
    const link = page.locator('.call-line a')
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(/^tel:\+?\d{7,}$/)
    expect(asked).toHaveLength(1)
    await page.context().close()
  })

  it('shows no number as it was before a change, nor under the name of the next one who is called', async () => {
    const page = await person('admin')
    // A child of whom no other test speaks.
    await openFirst(page, '/student/student?current=3')
    const line = page.locator('.call-line')
    const show = line.getByRole('button', { name: '显示号码' })
    const change = async (label: string, text: string): Promise<void> => {
      const name = (await line.locator('strong').textContent())!
      const row = part(page, 'studentparents.studentId').locator('li').filter({ hasText: name })
      await row.getByRole('button').last().click()
      await page.locator('.entity-form[aria-busy=false]:visible').waitFor()
      await type(page, label, text)
      await page.keyboard.press('Control+s')
      await page.locator('.entity-form:visible').waitFor({ state: 'detached' })
    }
    await show.click()
    const before = await line.locator('a').textContent()
    await change('手机', '17955556666')
    await show.waitFor()
    expect(await line.textContent()).toMatch(/\*66/)
    await show.click()
    await expect.poll(() => line.locator('a').textContent()).toBe('17955556666')
    const name = await line.locator('strong').textContent()
    await change('联系次序', '9')
    await expect.poll(() => line.locator('strong').textContent()).not.toBe(name)
    expect(await line.textContent()).not.toMatch(/\d{7}/)
    // Who is kept away from the child is not proposed to be called.
    const next = (await line.locator('strong').textContent())!
    const row = part(page, 'studentparents.studentId').locator('li').filter({ hasText: next })
    await row.getByRole('button').last().click()
    await page.locator('.entity-form[aria-busy=false]:visible').waitFor()
    await turn(page, '探视限制')
    await page.keyboard.press('Control+s')
    await page.locator('.entity-form:visible').waitFor({ state: 'detached' })
    await expect.poll(() => line.locator('strong').textContent()).toBe(name)
    // What belongs to the record itself likewise.
    const eye = page.locator('.detail-list .tool.small').first()
    await eye.click()
    const number = page.locator('.detail-list').getByText(/^\d{17}[\dX]$/)
    await number.first().waitFor()
    await page.keyboard.press('e')
    await page.locator('.entity-form[aria-busy=false]:visible').waitFor()
    await type(page, '电子信箱', 'changed@example.cn')
    await page.keyboard.press('Control+s')
    await page.locator('.entity-form:visible').waitFor({ state: 'detached' })
    await number.first().waitFor({ state: 'detached' })
    expect(before).not.toBe('17955556666')
    await page.context().close()
  })

  it('is named in one line over the width of its panel, with what tells it apart beneath, on a desk and a phone', async () => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const page = await person('admin', size)
      for (const address of ['/student/student', '/school/school']) {
        await page.goto(product.url + address)
        await page.getByRole('main').locator('a[href*="?id="]:visible').first().click()
        const name = page.locator('.detail-title')
        await name.waitFor()
        const [title, edit] = [await name.boundingBox(), await page.locator('.detail-edit').boundingBox()]
        expect([size.width, address, title!.height]).toEqual([size.width, address, 30])
        expect(title!.y).toBeGreaterThanOrEqual(edit!.y + edit!.height)
      }
      await page.goto(`${product.url}/student/student`)
      await page.getByRole('main').locator('a[href*="?id="]:visible').first().click()
      expect(await page.locator('.detail-names .detail-facts').innerText()).toMatch(/班/)
      await page.context().close()
    }
  })

  it('is added to and changed in place: the record stays open', async () => {
    const page = await person('admin')
    const id = await openFirst(page)
    const guardians = part(page, 'studentparents.studentId')
    await guardians.locator('li').first().waitFor()
    await guardians.getByRole('button', { name: /^编辑/ }).first().click()
    const form = page.getByRole('dialog')
    await type(page, '工作单位', '第三机床厂')
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await page.getByText('更新成功').first().waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBe(id)
    await guardians.getByRole('button', { name: '新增家长' }).click()
    // Whose guardian it is stands there already, with what tells that child from others of the name.
    const chosen = page.getByRole('dialog').locator('[data-field="studentId"]')
    await chosen.getByText(/班/).first().waitFor()
    // So does the next place in the order in which they are called: nobody counts, and leaving asks nothing.
    const order = page.getByRole('dialog').getByLabel('联系次序')
    await expect.poll(() => order.inputValue()).toMatch(/^[2-9]$/)
    await picture(page, 'add')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('leads from a pupil who cannot be deleted to the guardians who are in the way', async () => {
    const page = await person('admin')
    await openFirst(page, '/student/student')
    const id = new URL(page.url()).searchParams.get('id')!
    await page.locator('.detail, .ant-drawer').getByRole('button', { name: /^删除/ }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    const link = page.locator('.banner a', { hasText: '家长' })
    await link.click()
    await page.waitForURL(new RegExp(`studentId=${id}`))
    await page.locator('tbody tr[data-key]:visible').first().waitFor()
    await page.context().close()
  })

  it('leaves out what its reader may not see, and the server refuses it too', async () => {
    const page = await person('banzhuren')
    const answers: [string, number][] = []
    page.on('response', (answer) => answers.push([answer.url(), answer.status()]))
    const id = await openFirst(page)
    await part(page, 'studentparents.studentId').locator('li').first().waitFor()
    await picture(page, 'teacher')
    expect(await part(page, 'studentresume.studentId').count()).toBe(0)
    expect(answers.filter(([url, status]) => url.includes('/list') && status !== 200)).toEqual([])
    const seen = page.waitForRequest((request) => request.url().includes('/student/list'))
    await page.reload()
    const headers = await (await seen).allHeaders()
    const refused = await page.request.get(`${product.url}/api/blade-user/studentresume/list?studentId=${id}`, {
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /blade|authorization/.test(name))),
    })
    expect(refused.status()).toBe(403)
    await page.context().close()
  })

  it('names the children of one guardian, and opens a record that the present page of the list does not have', async () => {
    const page = await person('admin')
    const call = await caller(page)
    const pupils = await call<{ records: { id: string; name: string }[] }>('blade-user/student/list?size=50')
    const [one, two] = [pupils.data.records[0]!, pupils.data.records[40]!]
    const mobile = '13912340000'
    for (const { id } of [one, two]) {
      const draft = { studentId: id, parentName: '赵同', mobile, contactPriority: 9 }
      expect(await call('blade-user/studentparents/submit', draft)).toMatchObject({ status: 200 })
    }
    await page.goto(`${product.url}/student/student?id=${two.id}`)
    const siblings = page.getByRole('region', { name: '兄弟姐妹' })
    await siblings.getByRole('link', { name: one.name }).click()
    await page.waitForURL((address) => address.searchParams.get('id') === one.id)
    await siblings.getByRole('link', { name: two.name }).waitFor()
    await picture(page, 'siblings')
    await page.context().close()
  })

  it('shows each part by its own right, of ten kinds, to three roles; no count without its rows', async () => {
    const admins = new Map<string, Set<string>>()
    let shown = 0
    let refused = 0
    let denied = 0
    for (const account of ['admin', 'banzhuren', 'jiaowu'] as const) {
      if (account === 'jiaowu') await giveLittle(account, ['学生', '行政班'])
      const page = await person(account)
      const call = await caller(page)
      const failed: string[] = []
      page.on('response', (answer) => {
        if (answer.status() >= 400) failed.push(`${account} ${answer.status()} ${answer.url()}`)
      })
      for (const [kind, address] of Object.entries(kinds)) {
        const { path: base } = entityOf(kind)
        const list = await call<{ records: { id: string }[] }>(`${base}/list?current=1&size=1`)
        if (list.status === 403) {
          // The page says so too, and asks for no row.
          const asked = failed.length
          await page.goto(`${product.url}${address}`)
          await page
            .getByText(/没有此页面的权限|页面已经移走/)
            .first()
            .waitFor()
          expect([account, kind, await page.locator('tbody tr[data-key]:visible').count()]).toEqual([account, kind, 0])
          expect(failed.slice(asked)).toEqual([])
          denied += 1
          continue
        }
        expect([account, kind, list.status]).toEqual([account, kind, 200])
        const first = list.data.records[0]
        // Within somebody's scope there may be none of a kind: then its page says that, and shows no other's.
        if (!first) {
          await page.goto(`${product.url}${address}`)
          await page.locator('.empty-drawing:visible').first().waitFor()
          continue
        }
        await page.goto(`${product.url}${address}?id=${first.id}`)
        await page.locator('.detail-foot').waitFor()
        const parts = page.locator('[data-related]')
        const names: string[] = []
        for (const one of await parts.all()) {
          await one.scrollIntoViewIfNeeded()
          await one.locator('.related-wait').waitFor({ state: 'detached' })
          const name = (await one.getAttribute('data-related'))!
          names.push(name)
          const count = Number(await one.locator('.related-count').textContent())
          expect([account, kind, name, await one.locator('li').count()]).toEqual([
            account,
            kind,
            name,
            Math.min(count, 5),
          ])
          shown += count > 0 ? 1 : 0
        }
        // Nothing on the page is called by the name of something else there.
        const headings = await page.locator('[data-related] h3 > span:first-child').allTextContents()
        const labels = await page.locator('.detail dt').allTextContents()
        expect([kind, headings.filter((name, at) => [...labels, ...headings.slice(0, at)].includes(name))]).toEqual([
          kind,
          [],
        ])
        if (account === 'admin') admins.set(kind, new Set(names))
        // What is left out is refused by the server as well, and what is shown is not.
        for (const name of admins.get(kind) ?? []) {
          const { path: of } = entityOf(name.split('.')[0]!)
          const { status } = await call(`${of}/list?current=1&size=1`)
          expect([account, kind, name, status]).toEqual([account, kind, name, names.includes(name) ? 200 : 403])
          refused += status === 403 ? 1 : 0
        }
      }
      expect(failed).toEqual([])
      await page.context().close()
    }
    expect(admins.size).toBe(Object.keys(kinds).length)
    expect(shown).toBeGreaterThan(20)
    expect(refused).toBeGreaterThan(5)
    expect(denied).toBeGreaterThan(5)
  }, 240_000)

  it('of ten kinds is deleted with a way back, or says what is in the way and leads to each of it', async () => {
    const page = await person('admin')
    const call = await caller(page)
    const kept: string[] = []
    let ways = 0
    let gone = 0
    for (const [kind, address] of Object.entries(kinds)) {
      const { path: base } = entityOf(kind)
      // A school's main campus stays whatever refers to it.
      const which = kind === 'user' ? 'account_equal=banzhuren' : kind === 'schoolcampus' ? 'isMain_equal=0' : ''
      const list = await call<{ records: { id: string }[] }>(`${base}/list?current=1&size=1&${which}`)
      const { id } = list.data.records[0]!
      await page.goto(`${product.url}${address}?id=${id}`)
      await page.locator('.detail-foot').waitFor()
      await page.locator('.detail, .ant-drawer').getByRole('button', { name: /^删除/ }).first().click()
      const answered = page.waitForResponse((answer) => answer.url().includes(`${base}/remove`))
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
      if ((await answered).ok()) {
        expect((await call(`${base}/detail?id=${id}`)).status).toBe(404)
        await page.locator('.toast').getByRole('button', { name: '撤销' }).first().click()
        await page.locator('.toast', { hasText: '已撤销' }).first().waitFor()
        expect([kind, (await call(`${base}/detail?id=${id}`)).status]).toEqual([kind, 200])
        gone += 1
        continue
      }
      kept.push(kind)
      const { data } = (await (await answered).json()) as {
        data: { blockers: { entity: string; field: string; count: number }[] }
      }
      const links = page.locator('.banner a')
      await links.first().waitFor()
      const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      for (const { entity, field, count } of data.blockers) {
        const found = await call<{ total: number }>(`${entityOf(entity).path}/list?${field}=${id}&size=1`)
        // A tree is listed with what stands above its rows.
        const above = 'parentId' in entityOf(entity).fields ? Math.max(0, found.data.total - count) : 0
        expect([kind, entity, field, found.data.total - above]).toEqual([kind, entity, field, count])
        const to = hrefs.filter((href) => href.endsWith(`/${entity}?${field}=${id}`))
        // What has no page of its own is counted in words, and stands as a part of the record.
        const words = await page.locator('.banner li', { hasText: `${entityOf(entity).label.zh} ${count} ` }).count()
        expect([kind, entity, field, words > 0]).toEqual([kind, entity, field, true])
        if (to.length === 0) expect([kind, entity, pageless.has(entity)]).toEqual([kind, entity, true])
        else ways += 1
      }
    }
    expect(kept.length).toBeGreaterThan(5)
    expect(gone).toBeGreaterThan(0)
    expect(gone + kept.length).toBe(Object.keys(kinds).length)
    expect(ways).toBeGreaterThan(10)
    await page.context().close()
  }, 240_000)

  it('fits a phone', async () => {
    const page = await person('admin', { width: 390, height: 844 })
    await page.goto(`${product.url}/student/student`)
    await page.locator('[data-key] a').first().click()
    await part(page, 'studentparents.studentId').locator('li').first().waitFor()
    await picture(page, 'phone')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.context().close()
  })
})
