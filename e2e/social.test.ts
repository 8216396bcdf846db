import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Running, startProvider } from '../server/test/social-provider.ts'
import { axeFaults, settled } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn, openMenu, save, type } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'
import { openWindow } from './window.ts'

/**
 * A school has a provider of OpenID Connect. Somebody whom it knows and the product does not logs in for the first time,
 * registers, is approved by an administrator, and logs in. Somebody who has an account already links the two.
 */

let provider: Running
let product: Product
let browser: Browser
let admin: Page
let stranger: Page
let colleague: Page
const complaints: string[] = []

/** A port that nobody listens on: the product's address must be known before the provider can send anybody back to it. */
const freePort = (): Promise<number> =>
  new Promise((answer) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => answer(typeof address === 'object' && address ? address.port : 0))
    })
  })

const person = (options: object = {}): Promise<Page> => openWindow(browser, { ...options, complaints })

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const redirectUris = [`${url}/login?source=school`]
  provider = await startProvider({ id: 'data-brain', secret: 'known to both', redirectUris })
  product = await startProduct({ PORT: String(port), PUBLIC_URL: url, OUTBOUND_ALLOW: provider.host })
  browser = await launchBrowser()
  admin = await person()
  stranger = await person()
  colleague = await person({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
})
afterEach(async (context) => {
  if (context.task.result?.state === 'fail') await picture('failed')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await provider?.close()
})

/** Pictures of all pages, where somebody asks for them. */
async function picture(name: string): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const [who, page] of Object.entries({ admin, stranger, colleague }))
    await page.screenshot({ path: path.join(folder, `social-${name}-${who}.png`) })
}

/** Chooses the provider on the log-in page and logs in there as `name`; ends where the product takes over again. */
async function goAndCome(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/login?tenant=000000`)
  await page.getByRole('button', { name: '使用学校账号登录' }).click()
  await page.waitForURL(`${provider.url}/**`)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('anything')
  await page.locator('button[type=submit]').click()
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${product.url}/**`)
}

/** As above where the provider still knows the browser: it sends it straight back. */
async function comeAgain(page: Page): Promise<void> {
  // The page may still be on its way out of the session before.
  await expect.poll(() => page.goto(`${product.url}/login?tenant=000000`).then(Boolean, () => false)).toBe(true)
  await page.getByRole('button', { name: '使用学校账号登录' }).click()
  await page.waitForURL(`${product.url}/**`)
}

const registration = (page: Page) => page.getByRole('dialog', { name: '账号注册' })
const wish = 'Green-Window-35'

describe('R-AUTH-4 R-BAR-9 log-in by an account elsewhere', () => {
  it('is set up by an administrator', async () => {
    await logIn(admin, product.url, password)
    await openMenu(admin, '系统', '第三方登录')
    await admin.getByRole('button', { name: /新增/ }).first().click()
    await type(admin, '来源编号', 'school')
    await choose(admin, '类型', 'OpenID Connect')
    await admin.getByRole('dialog').last().getByLabel(/^名称/).fill('学校账号')
    await type(admin, '服务地址', provider.url)
    await type(admin, '客户端编号', 'data-brain')
    await type(admin, '客户端密钥', 'known to both')
    await save(admin, '新增成功')
    await admin.getByRole('button', { name: '学校账号的更多操作' }).click()
    await admin.getByRole('menuitem', { name: '检查' }).click()
    await admin.getByText(`${product.url}/login?source=school`, { exact: true }).waitFor()
    await settled(admin)
    await picture('provider')
    expect(await axeFaults(admin)).toEqual([])
    await admin.keyboard.press('Escape')
  })

  it('asks somebody unknown to register, in the order and the words of the specification', async () => {
    await goAndCome(stranger, 'zhang')
    const dialog = registration(stranger)
    await dialog.waitFor()
    // Neither code nor state stays in the address.
    expect(new URL(stranger.url()).search).toBe('')
    await picture('registration')
    expect(await axeFaults(stranger)).toEqual([])
    const field = (label: string) => dialog.getByLabel(label, { exact: true })
    const alert = dialog.getByRole('alert')
    const submit = async (text: string) => {
      await stranger.keyboard.press('Enter')
      await alert.getByText(text, { exact: true }).waitFor()
    }
    await field('租户编号').fill('')
    await submit('请先输入租户编号')
    await field('租户编号').fill('000000')
    await submit('请先输入账号名称')
    await field('账号名称').fill('zhangxm')
    await submit('请先输入密码')
    await field('密码').fill(wish)
    await submit('请先输入密码')
    await field('确认密码').fill('something else')
    await submit('两次密码输入不一致')
    await field('确认密码').fill(wish)
    await field('姓名').fill('张小明')
    await stranger.keyboard.press('Enter')
    const done = stranger.getByRole('dialog', { name: '注册提示' })
    await done.getByText('注册申请已提交,请耐心等待管理员通过!', { exact: true }).waitFor()
    await picture('sent')
    await done.getByRole('button', { name: '确定' }).click()
    await stranger.waitForURL(`${product.url}/login`)
  })

  it('lets nobody in before an administrator has decided', async () => {
    await comeAgain(stranger)
    await stranger.getByRole('alert').getByText('注册申请已提交,请耐心等待管理员通过!', { exact: true }).waitFor()
    await expect.poll(() => new URL(stranger.url()).pathname).toBe('/login')
  })

  it('is approved by an administrator, who chooses where the user belongs', async () => {
    await openMenu(admin, '系统', '注册审批')
    const row = admin.getByRole('row').filter({ hasText: '张小明' })
    await row.getByText('待审批').waitFor()
    await row.getByRole('button', { name: /的更多操作$/ }).click()
    await admin.getByRole('menuitem', { name: '通过', exact: true }).click()
    const dialog = admin.getByRole('dialog', { name: /张小明/ })
    await dialog.waitFor()
    // Drawn whole, that is, not half faded in.
    await settled(admin)
    await picture('approve')
    expect(await axeFaults(admin)).toEqual([])
    await choose(admin, '角色', '管理员')
    await admin.keyboard.press('Escape')
    await dialog.getByRole('button', { name: '通过' }).click()
    await dialog.waitFor({ state: 'detached' })
    await row.getByText('已通过').waitFor()
  })

  it('then opens the console, by the provider and by the password alike', async () => {
    await comeAgain(stranger)
    await stranger.waitForURL('**/wel/index')
    await stranger.getByText('张小明').first().waitFor()
    await picture('home')
    const other = await person()
    await logIn(other, product.url, wish, 'zhangxm')
    await other.context().close()
  })

  it('links an account that somebody has already, once they log in to it', async () => {
    await goAndCome(colleague, 'li')
    const dialog = registration(colleague)
    await dialog.waitFor()
    await picture('small')
    expect(await axeFaults(colleague)).toEqual([])
    await dialog.getByRole('button', { name: '我已有账号' }).click()
    await colleague.getByText('请用账号和密码登录一次').waitFor()
    await colleague.getByLabel('账号', { exact: true }).fill('admin')
    await colleague.locator('#password').fill(password)
    await colleague.keyboard.press('Enter')
    await colleague.waitForURL('**/wel/index')
    await colleague.context().clearCookies({ name: /^databrain/ })
    await comeAgain(colleague)
    await colleague.waitForURL('**/wel/index')
  })

  it('R-INFO-1 is unlinked, and linked again, by the one whom it belongs to', async () => {
    await colleague.goto(`${product.url}/info/index?tab=identities`)
    await colleague.getByText('学校账号 · 名叫li').waitFor()
    await colleague.getByRole('button', { name: '解除关联学校账号' }).click()
    await colleague.getByRole('alertdialog').getByRole('button', { name: '解除关联' }).click()
    await colleague.getByRole('button', { name: '关联学校账号', exact: true }).click()
    await colleague.getByText('已关联', { exact: true }).waitFor()
    await expect.poll(() => new URL(colleague.url()).pathname).toBe('/info/index')
    await colleague.getByText('学校账号 · 名叫li').waitFor()
    await picture('linked')
  })

  it('says on the log-in page what went wrong on the way', async () => {
    const page = await person()
    await page.goto(`${product.url}/api/blade-auth/oauth/render?source=nothing&tenantId=000000`)
    await page.getByRole('alert').getByText('该第三方登录方式不可用').waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Log in with 学校账号' }).waitFor()
    await page.context().close()
    expect(complaints).toEqual([])
  })
})
