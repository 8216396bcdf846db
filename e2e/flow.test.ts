/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, askAs } from './ask.ts'
import { axeFaults, settled } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A teacher asks for supplies by a form that nobody programmed; the office decides from the keyboard; both see the way. */

let product: Product
let browser: Browser
let teacher: Page
let office: Page
/** The version that is started. */
let processId = ''
const complaints: string[] = []

const person = (account: string, width = 1440): Promise<Page> =>
  demoPerson(browser, product, account, { width, complaints, isStrict: true })

const ask = <T>(page: Page, address: string, asked: Asked): Promise<T> => askAs<T>(page, product.url, address, asked)

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `flow-${name}`)

const approval = (id: string, name: string, fields: Readonly<Record<string, string>> = {}) => ({
  kind: 'approval',
  id,
  name,
  task: {
    assignees: [{ kind: 'account', names: ['jiaowu'] }],
    ifNobody: 'managers',
    skipSame: false,
    onRefuse: 'end',
    may: { delegate: true, transfer: true, return: true, addSigner: true },
    fields,
  },
})

const supplies = {
  key: 'supplies',
  name: '办公用品申领',
  form: [
    { name: 'item', label: '物品', kind: 'text', required: true },
    { name: 'count', label: '数量', kind: 'integer', required: true, min: 1, max: 500 },
    { name: 'needed', label: '需要日期', kind: 'date' },
    { name: 'sort', label: '类别', kind: 'choice', options: [{ key: 'paper', label: '纸张' }] },
    { name: 'reason', label: '事由', kind: 'longText' },
    { name: 'stock', label: '库房意见', kind: 'text' },
  ],
  cards: [
    approval('office', '教务审批'),
    {
      kind: 'branch',
      id: 'large',
      name: '数量较多？',
      ways: [
        { name: '超过 50', when: 'count > 50', cards: [approval('stock', '库房核对', { stock: 'write' })] },
        { name: '否则', when: '', cards: [] },
      ],
    },
  ],
}

const startMany = async (count: number, from = 1): Promise<void> => {
  for (let n = from; n < from + count; n += 1)
    await ask(teacher, 'blade-flow/work/start-process', {
      body: {
        processDefinitionId: processId,
        title: `申领 A4 纸 ${n} 箱`,
        variables: { item: 'A4 纸', count: n },
      },
    })
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  const admin = await person('admin')
  const { xml, faults } = await ask<{ xml: string; faults: unknown[] }>(admin, 'blade-flow/model/from-cards', {
    body: { cards: supplies },
  })
  expect(faults).toEqual([])
  const model = await ask<{ id: string }>(admin, 'blade-flow/model/submit', {
    body: { name: supplies.name, modelKey: supplies.key, category: '9', description: '向库房领取办公用品', xml },
  })
  const [deployed] = await ask<{ processDefinitionId: string }[]>(admin, 'blade-flow/model/deploy', {
    query: { modelId: model.id },
    post: true,
  })
  processId = deployed!.processDefinitionId
  await admin.context().close()
  teacher = await person('banzhuren')
  office = await person('jiaowu')
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const rows = () => office.locator('.flow-tasks > li')

describe('R-FLOW-6 R-FLOW-5 a request by a form that nobody programmed', () => {
  it('is chosen among what can be started, filled in, kept while it is typed, and sent', async () => {
    await teacher.goto(`${product.url}/work/start`)
    await teacher.getByRole('link', { name: /办公用品申领/ }).waitFor()
    expect(await axeFaults(teacher)).toEqual([])
    await picture(teacher, 'start')
    await teacher.getByRole('link', { name: /办公用品申领/ }).click()
    await teacher.getByRole('textbox', { name: '物品' }).fill('粉笔')
    await teacher.getByRole('button', { name: '提交' }).click()
    // What is missing is counted and said at its field.
    await teacher.getByRole('status', { name: '1 处需要修改' }).waitFor()
    expect(await axeFaults(teacher)).toEqual([])
    await teacher.reload()
    await expect.poll(() => teacher.getByRole('textbox', { name: '物品' }).inputValue()).toBe('粉笔')
    await teacher.getByRole('spinbutton', { name: '数量' }).fill('120')
    await teacher.getByRole('textbox', { name: '需要日期' }).fill('2026-12-01')
    await teacher.getByRole('textbox', { name: '事由' }).fill('期末复习')
    await picture(teacher, 'form')
    await teacher.keyboard.press('Control+s')
    await teacher.waitForURL('**/work/process/detail/*')
    await teacher.getByRole('heading', { level: 2, name: /办公用品申领/ }).waitFor()
  })

  it('is approved by keys: two keys from anywhere to the list, one to agree; what can be taken back is not sent yet', async () => {
    const sent: string[] = []
    office.on('request', (request) => {
      if (request.url().includes('/work/complete-task')) sent.push(request.url())
    })
    await office.keyboard.press('g')
    await office.keyboard.press('t')
    await office.getByRole('heading', { level: 1, name: '待办' }).waitFor()
    await rows().first().waitFor()
    await office.getByRole('button', { name: '同意', exact: true }).last().waitFor()
    expect(await axeFaults(office)).toEqual([])
    await picture(office, 'todo')
    // The search takes the room of a line, and leaves the rest to the list.
    expect((await office.locator('.flow-side .filters').boundingBox())!.height).toBeLessThan(60)
    await office.keyboard.press('a')
    await expect.poll(() => rows().count()).toBe(0)
    expect(sent).toEqual([])
    await office.keyboard.press('Control+z')
    await rows().first().waitFor()
    expect(sent).toEqual([])
    // A refusal says why.
    await office.getByRole('button', { name: '驳回' }).waitFor()
    await office.keyboard.press('r')
    await office.getByText('请写明驳回的原因').waitFor()
    await office.keyboard.press('Escape')
    await office.keyboard.press('a')
    await expect.poll(() => sent.length, { timeout: 15_000 }).toBe(1)
    // The next step of the same request comes by itself, and has a field to fill in.
    await office.getByRole('textbox', { name: '库房意见' }).fill('现有 200 盒')
    await office.getByRole('heading', { level: 1, name: '待办' }).click()
    await office.keyboard.press('a')
    await expect.poll(() => sent.length, { timeout: 15_000 }).toBe(2)
    await office.getByText('没有等您办理的事项。').first().waitFor()
  })

  it('shows the way that it has gone as a drawing and in words', async () => {
    await teacher.reload()
    const drawing = teacher.getByRole('img', { name: /^流程图。已完成：.*教务审批.*库房核对/ })
    await drawing.waitFor()
    const timeline = teacher.locator('.fh-line')
    expect(await timeline.innerText()).toMatch(/提交申请[\s\S]*教务审批[\s\S]*同意[\s\S]*库房核对[\s\S]*结束/)
    await teacher.locator('.flow-page').getByText('已通过').waitFor()
    await teacher.locator('.flow-facts').getByText('现有 200 盒').waitFor()
    // The mark of the library is seen, and nothing lies over it.
    expect(
      await teacher.locator('.bjs-powered-by').evaluate((mark) => {
        mark.scrollIntoView({ block: 'center' })
        const { left, top, width, height } = mark.getBoundingClientRect()
        return mark.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      }),
    ).toBe(true)
    // What became of a step stands over it, and leaves its name to be read however small it is drawn.
    await teacher.setViewportSize({ width: 390, height: 900 })
    await settled(teacher)
    expect(
      await teacher.locator('.fh-canvas').evaluate((canvas) => {
        const boxes = (part: string) => [...canvas.querySelectorAll(part)].map((each) => each.getBoundingClientRect())
        const names = boxes('.djs-shape .djs-visual text')
        return boxes('.fh-badge').filter((badge) =>
          names.some(
            (name) =>
              name.left < badge.right && badge.left < name.right && name.top < badge.bottom && badge.top < name.bottom,
          ),
        ).length
      }),
    ).toBe(0)
    await picture(teacher, 'detail-small')
    await teacher.setViewportSize({ width: 1440, height: 900 })
    // What is pointed at in the words is lit in the drawing.
    await timeline.getByRole('button', { name: '教务审批' }).focus()
    await expect.poll(() => teacher.locator('.fh-canvas .djs-element.fh-lit').count()).toBe(1)
    expect(await axeFaults(teacher)).toEqual([])
    await picture(teacher, 'detail')
    await teacher.setViewportSize({ width: 390, height: 844 })
    await settled(teacher)
    expect(await teacher.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await axeFaults(teacher)).toEqual([])
    await picture(teacher, 'detail-phone')
    await teacher.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('R-FLOW-6 twenty requests', () => {
  it('are approved with three keys and one call; each is a line of its own among what is done', async () => {
    await startMany(20)
    const calls: { path: string; tasks: number }[] = []
    office.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.includes('/work/complete-task')) return
      const { tasks = [] } = request.postDataJSON() as { tasks?: unknown[] }
      calls.push({ path: pathname.replace('/api/', ''), tasks: tasks.length })
    })
    // They come by the live channel: nobody reloads.
    await expect.poll(() => rows().count(), { timeout: 20_000 }).toBe(20)
    await office.getByRole('heading', { level: 1, name: '待办' }).click()
    await office.keyboard.press('Control+a')
    await office.keyboard.press('a')
    await office.getByRole('dialog', { name: '同意选中的 20 件？' }).waitFor()
    expect(await axeFaults(office)).toEqual([])
    await picture(office, 'twenty')
    await office.keyboard.press('Enter')
    await office.getByText('已同意 20 件').waitFor()
    await expect.poll(() => rows().count()).toBe(0)
    await expect.poll(() => calls, { timeout: 15_000 }).toEqual([{ path: 'blade-flow/work/complete-tasks', tasks: 20 }])
    await office.goto(`${product.url}/work/done?size=30`)
    await expect.poll(() => office.locator('tbody tr').count()).toBe(22)
  })

  it('come back one by one where they were decided elsewhere meanwhile, with the words of why', async () => {
    await startMany(2, 21)
    await office.goto(`${product.url}/work/todo`)
    await expect.poll(() => rows().count(), { timeout: 20_000 }).toBe(2)
    const { records } = await ask<{ records: { taskId: string; processInstanceId: string }[] }>(
      office,
      'blade-flow/work/todo-list',
      {},
    )
    await office.getByRole('heading', { level: 1, name: '待办' }).click()
    await office.keyboard.press('Control+a')
    await office.keyboard.press('a')
    await office.getByRole('dialog', { name: '同意选中的 2 件？' }).waitFor()
    await office.keyboard.press('Enter')
    await office.getByText('已同意 2 件').waitFor()
    await ask(teacher, 'blade-flow/work/withdraw', { body: { processInstanceId: records[0]!.processInstanceId } })
    await office.getByText('1 件没有办成').waitFor({ timeout: 15_000 })
  })
})

describe('R-FLOW-6 the lists beside it', () => {
  it('are read on a desk and on a phone, in both languages, and axe finds nothing', async () => {
    const phone = await person('banzhuren', 390)
    for (const page of [teacher, phone])
      for (const [list, name] of [
        ['claim', '待签'],
        ['send', '已发'],
        ['done', '已办'],
        ['copy', '抄送我的'],
        ['todo', '待办'],
      ]) {
        await page.goto(`${product.url}/work/${list}`)
        await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' })
        await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
        expect(await axeFaults(page), `${list}`).toEqual([])
        await picture(page, `${list}-${page === phone ? 'phone' : 'desk'}`)
        if (page === phone) continue
        // What narrows a list stands right beneath its heading.
        const head = await page.getByRole('heading', { level: 1, name }).boundingBox()
        const quick = await page.locator('input[data-quick]:visible').boundingBox()
        expect(quick!.y - head!.y, `${list}`).toBeLessThan(90)
      }
    await teacher.goto(`${product.url}/work/send`)
    await teacher.getByRole('heading', { level: 1, name: '已发' }).waitFor()
    await teacher.keyboard.press('Alt+g')
    await teacher.getByRole('heading', { level: 1, name: 'Sent' }).waitFor()
    await picture(teacher, 'send-en')
    await teacher.keyboard.press('Alt+g')
  })

  it('are taken out as workbooks by whoever works with them, without a right to export', async () => {
    for (const [list, name] of [
      ['todo', '待办'],
      ['send', '已发'],
    ]) {
      await teacher.goto(`${product.url}/work/${list}`)
      await teacher.getByRole('button', { name: /^更多：导出/ }).click()
      await teacher.getByRole('menuitem', { name: '导出' }).click()
      const [file] = await Promise.all([
        teacher.waitForEvent('download'),
        teacher.getByRole('region', { name: /^导出/ }).getByRole('button', { name: '导出' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(new RegExp(`^${name}-\\d{12}\\.xlsx$`))
    }
  })

  it('a request is withdrawn by whoever sent it, and says so', async () => {
    await startMany(1, 31)
    await teacher.goto(`${product.url}/work/send`)
    await teacher.getByRole('button', { name: '撤回：申领 A4 纸 31 箱' }).click()
    const dialog = teacher.getByRole('dialog', { name: '撤回该流程？' })
    await dialog.getByLabel('意见').fill('已经买到了')
    await dialog.getByRole('button', { name: '撤回' }).click()
    await teacher.getByText('已撤回').first().waitFor()
    await expect.poll(() => teacher.getByRole('row', { name: /申领 A4 纸 31 箱/ }).innerText()).toContain('已撤回')
    // Put right, it is sent once more: what was asked for stands in the form.
    await teacher.getByRole('link', { name: '申领 A4 纸 31 箱' }).click()
    await teacher.getByRole('link', { name: '重新发起' }).click()
    await expect.poll(() => teacher.getByRole('textbox', { name: '物品' }).inputValue()).toBe('A4 纸')
    await expect.poll(() => teacher.getByRole('spinbutton', { name: '数量' }).inputValue()).toBe('31')
    await teacher.getByRole('spinbutton', { name: '数量' }).fill('30')
    await teacher.keyboard.press('Control+s')
    await teacher.waitForURL('**/work/process/detail/*')
    await teacher.getByText('审批中').first().waitFor()
  })

  it('R-FLOW-6 the answer stays in sight at the foot of a phone', async () => {
    await startMany(1, 41)
    const phone = await person('jiaowu', 390)
    await phone.setViewportSize({ width: 390, height: 560 })
    await phone.goto(`${product.url}/work/todo`)
    await phone.getByRole('link', { name: /申领 A4 纸 41 箱/ }).click()
    await phone.getByRole('heading', { level: 2, name: /申领 A4 纸 41 箱/ }).waitFor()
    const answer = phone.getByRole('button', { name: '同意', exact: true }).last()
    await settled(phone)
    const box = (await answer.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(560)
    expect(box.y).toBeGreaterThan(280)
    await picture(phone, 'todo-open-phone')
  })

  it('nothing of it was refused by the content-security policy, and no script failed', () => {
    expect(complaints).toEqual([])
  })
})
