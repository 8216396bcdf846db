/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture } from './window.ts'

/** What people do with a task beside deciding it, each sent from its dialog and seen by whoever it concerns. */

let product: Product
let browser: Browser
let registrar: Page
let teacher: Page
let principal: Page
let processId = ''
const complaints: string[] = []

/** Names of the demo’s people, as they stand in lists. */
const names = new Map<Page, string>()

const step = (id: string, name: string, accounts: readonly string[]) => ({
  kind: 'approval',
  id,
  name,
  task: {
    assignees: [{ kind: 'account', names: accounts }],
    ifNobody: 'managers',
    skipSame: false,
    onRefuse: 'end',
    may: { delegate: true, transfer: true, return: true, addSigner: true },
    fields: {},
  },
})

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  const person = async (account: string): Promise<Page> => {
    const page = await demoPerson(browser, product, account, { complaints, isStrict: true })
    names.set(page, (await page.locator('.account-name').first().innerText()).trim())
    return page
  }
  const admin = await person('admin')
  const cards = {
    key: 'purchase',
    name: '物品采购',
    form: [{ name: 'item', label: '物品', kind: 'text', required: true }],
    cards: [step('check', '部门核对', ['banzhuren', 'admin']), step('decide', '校长审批', ['xiaozhang'])],
  }
  const { xml } = await askAs<{ xml: string }>(admin, product.url, 'blade-flow/model/from-cards', { body: { cards } })
  const model = await askAs<{ id: string }>(admin, product.url, 'blade-flow/model/submit', {
    body: { name: cards.name, modelKey: cards.key, category: '9', xml },
  })
  const [deployed] = await askAs<{ processDefinitionId: string }[]>(admin, product.url, 'blade-flow/model/deploy', {
    query: { modelId: model.id },
    post: true,
  })
  processId = deployed!.processDefinitionId
  await admin.context().close()
  registrar = await person('jiaowu')
  teacher = await person('banzhuren')
  principal = await person('xiaozhang')
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const request = (title: string) =>
  askAs(registrar, product.url, 'blade-flow/work/start-process', {
    body: { processDefinitionId: processId, title, variables: { item: title } },
  })
const taskIn = (page: Page, title: string) => page.locator('.flow-tasks > li').filter({ hasText: title })

async function openTask(page: Page, title: string): Promise<void> {
  await page.goto(`${product.url}/work/todo`)
  await taskIn(page, title).click()
  await page.getByRole('article', { name: title }).locator('.flow-decide').waitFor()
}
async function claim(title: string): Promise<void> {
  await teacher.goto(`${product.url}/work/claim`)
  await teacher.getByRole('row').filter({ hasText: title }).getByRole('button', { name: '签收' }).click()
  await teacher.getByText('已签收 1 件').waitFor()
}
/** Agrees, and waits until that can no more be taken back. */
async function agree(page: Page, title: string, comment = ''): Promise<void> {
  await openTask(page, title)
  if (comment) {
    await page.keyboard.press('c')
    await page.keyboard.type(comment)
  }
  const sent = page.waitForResponse((answer) => answer.url().includes('/work/complete-task'))
  await page.getByRole('button', { name: '同意', exact: true }).last().click()
  expect((await sent).status()).toBe(200)
}
/** Opens one of the acts behind 更多. */
async function more(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: '更多' }).last().click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}
async function choosePerson(page: Page, label: string, who: Page): Promise<void> {
  await page.getByRole('dialog').last().getByRole('combobox', { name: label }).click()
  await page.keyboard.type(names.get(who)!)
  await page.locator('.ant-select-dropdown:visible').getByText(names.get(who)!).first().click()
}
async function send(page: Page, button: string, told: string): Promise<void> {
  await page.getByRole('dialog').last().getByRole('button', { name: button, exact: true }).click()
  await page.getByText(told, { exact: true }).first().waitFor()
}
/** The lines of the history beside a task or on a request’s page: step, who, and what became of it. */
const told = async (page: Page): Promise<string[]> =>
  (await page.locator('.fh-step:visible').allInnerTexts()).map((line) => line.replace(/\s+/g, ' '))

async function openSent(title: string): Promise<void> {
  await registrar.goto(`${product.url}/work/send`)
  await registrar.getByRole('row').filter({ hasText: title }).getByRole('link').first().click()
  await registrar.getByRole('heading', { level: 1, name: title }).waitFor()
  await registrar.locator('.fh-step').first().waitFor()
}

describe('R-FLOW-6 a task that several could take', () => {
  it('is claimed, given back, and claimed again', async () => {
    await request('投影仪')
    await claim('投影仪')
    await openTask(teacher, '投影仪')
    await more(teacher, '退还签收')
    await teacher.getByText('已退还', { exact: true }).waitFor()
    await expect.poll(() => taskIn(teacher, '投影仪').count()).toBe(0)
    await claim('投影仪')
    await agree(teacher, '投影仪', '规格合适')
  })
})

describe('R-FLOW-6 whoever has a task', () => {
  it('delegates it, and gets it back with an opinion that decides nothing', async () => {
    await openTask(principal, '投影仪')
    await more(principal, '委派')
    await choosePerson(principal, '委派给', teacher)
    await send(principal, '委派', '已委派')
    await expect.poll(() => taskIn(principal, '投影仪').count()).toBe(0)
    await agree(teacher, '投影仪', '价格合理')
    await openTask(principal, '投影仪')
    await expect.poll(() => told(principal)).toContainEqual(expect.stringMatching(/校长审批.*已委派/))
    expect((await told(principal)).join('\n')).toContain('价格合理')
    await picture(principal, 'flow-acts-delegated')
  })

  it('has somebody decide before, who is never the applicant', async () => {
    await openTask(principal, '投影仪')
    await more(principal, '加签')
    await send(principal, '加签', '请选择人员')
    await choosePerson(principal, '加签人', teacher)
    expect(await axeFaults(principal)).toEqual([])
    await send(principal, '加签', '已加签')
    await agree(teacher, '投影仪')
    await agree(principal, '投影仪')
    await openSent('投影仪')
    await expect.poll(() => registrar.locator('.flow-state:visible').innerText()).toBe('已通过')
  })

  it('has somebody decide after: only then it is through', async () => {
    await request('打印机')
    await claim('打印机')
    await agree(teacher, '打印机')
    await openTask(principal, '打印机')
    await more(principal, '加签')
    await principal.getByRole('radio', { name: '在我之后审批' }).check()
    await choosePerson(principal, '加签人', teacher)
    await send(principal, '加签', '已加签')
    await agree(principal, '打印机')
    await openSent('打印机')
    expect(await registrar.locator('.flow-state:visible').innerText()).toBe('审批中')
    // Whoever has sent it reminds whoever has it now.
    await registrar.getByRole('button', { name: '催办' }).click()
    await registrar.getByText('已提醒 1 人').waitFor()
    await agree(teacher, '打印机')
    await openSent('打印机')
    await expect.poll(() => registrar.locator('.flow-state:visible').innerText()).toBe('已通过')
  })

  it('sends it back to whoever did the step, says so in history and drawing, and has it again at once', async () => {
    await request('饮水机')
    await claim('饮水机')
    await agree(teacher, '饮水机')
    await openTask(principal, '饮水机')
    await more(principal, '退回')
    await principal.getByRole('checkbox', { name: '重新提交后直接回到本步骤' }).check()
    await principal.getByRole('dialog').getByLabel('意见').fill('请补充报价')
    await send(principal, '退回', '已退回')
    await openSent('饮水机')
    await expect.poll(() => told(registrar)).toContainEqual(expect.stringMatching(/校长审批.*已退回.*请补充报价/))
    expect((await told(registrar)).filter((line) => /校长审批.*已完成/.test(line))).toEqual([])
    await registrar.locator('.fh-badge.fh-returned').waitFor()
    await picture(registrar, 'flow-acts-returned')
    await agree(teacher, '饮水机', '报价 980 元')
    await openTask(principal, '饮水机')
  })

  it('refuses it with a reason; the applicant sends it once more with what was typed', async () => {
    await openTask(principal, '饮水机')
    const sent = principal.waitForResponse((answer) => answer.url().includes('/work/complete-task'))
    await principal.keyboard.press('r')
    // A reason is asked for, and the keyboard is where it is typed.
    await principal.keyboard.type('预算不足')
    await principal.getByRole('button', { name: '驳回', exact: true }).last().click()
    expect((await sent).status()).toBe(200)
    await openSent('饮水机')
    await expect.poll(() => registrar.locator('.flow-state:visible').innerText()).toBe('已驳回')
    expect((await told(registrar)).join('\n')).toContain('预算不足')
    await registrar.getByRole('link', { name: '重新发起' }).click()
    await expect.poll(() => registrar.getByRole('textbox', { name: '物品' }).inputValue()).toBe('饮水机')
    await registrar.getByRole('textbox', { name: '物品' }).fill('饮水机（小）')
    await registrar.keyboard.press('Control+s')
    await registrar.waitForURL('**/work/process/detail/*')
    await registrar.getByText('饮水机（小）').first().waitFor()
    await expect.poll(() => registrar.locator('.flow-state:visible').innerText()).toBe('审批中')
  })

  it('types at once after T whom it goes to: no letter of the name decides anything', async () => {
    await request('书架')
    await claim('书架')
    await openTask(teacher, '书架')
    const decided: string[] = []
    teacher.on('request', (asked) => {
      if (asked.url().includes('/work/complete-task')) decided.push(asked.url())
    })
    await teacher.keyboard.press('t')
    await teacher.keyboard.type('arj')
    const search = teacher.getByRole('dialog').last().getByRole('combobox', { name: '转办给' })
    await expect.poll(() => search.inputValue()).toBe('arj')
    const dialog = teacher.getByRole('dialog', { name: '转给谁办理？' })
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await taskIn(teacher, '书架').count()).toBe(1)
    // What is decided later is the first that is sent.
    await agree(teacher, '书架')
    expect(decided).toHaveLength(1)
  })

  it('transfers it by one key, and informs others without giving it away', async () => {
    await request('空调')
    await claim('空调')
    await openTask(teacher, '空调')
    await more(teacher, '抄送')
    await choosePerson(teacher, '抄送给', principal)
    await teacher.keyboard.press('Escape')
    await send(teacher, '抄送', '已抄送')
    await principal.goto(`${product.url}/work/copy`)
    await principal.getByRole('row').filter({ hasText: '空调' }).waitFor()
    await agree(teacher, '空调')
    await openTask(principal, '空调')
    await principal.keyboard.press('t')
    await choosePerson(principal, '转办给', teacher)
    await send(principal, '转办', '已转办')
    await expect.poll(() => taskIn(principal, '空调').count()).toBe(0)
    await openTask(teacher, '空调')
    await expect.poll(() => told(teacher)).toContainEqual(expect.stringMatching(/校长审批.*已转办/))
  })

  it('complains of nothing', () => expect(complaints).toEqual([]))
})
