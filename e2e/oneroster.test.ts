import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn, openMenu } from './clerk.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/**
 * A district changes hands: the demo's archive is taken out of its tenant and into an empty one, through the page. What
 * is checked is found again after a reload, and what runs may be left.
 */

let product: Product
let browser: Browser
let page: Page
let archive: string
const complaints: string[] = []

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  page = await newPage()
})
// Each step stands on the one before: the first that fails is the one to read, with a picture where one is asked for.
afterEach(async (context) => {
  if (context.task.result?.state === 'fail') await picture('failed')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** A page of somebody who has never been here. */
async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  const made = await context.newPage()
  made.setDefaultTimeout(20_000)
  made.on('pageerror', (error) => complaints.push(error.message))
  return made
}

/** Pictures of the page at both widths, where somebody asks for them. */
async function picture(name: string): Promise<void> {
  const folder = process.env.E2E_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: path.join(folder, `oneroster-${name}-${width}.png`) })
  }
}

/** Words that are seen: pages of other tabs stay in the document, hidden. */
const seen = (words: string | RegExp) => page.getByText(words).locator('visible=true').first()
/** Whether the server counts a thousand pupils, asked as the person at the page. */
async function pupilsThere(): Promise<boolean> {
  const token = (await page.context().cookies()).find(({ name }) => name === 'databrain-access-token')?.value
  const answer = await fetch(`${product.url}/api/blade-user/student/list?size=1`, {
    headers: { 'blade-auth': `bearer ${token}` },
  })
  return ((await answer.json()) as { data: { total: number } }).data.total >= 1_000
}
const bar = (name: string) => page.getByRole('progressbar', { name })

describe('an exchange by OneRoster', () => {
  it('takes the demo district out of its tenant as one archive', async () => {
    await logIn(page, product.url, password, 'admin', '000001')
    await openMenu(page, '学生', 'OneRoster 交换')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载压缩包' }).click(),
    ])
    archive = path.join(freshFolder(), download.suggestedFilename())
    await download.saveAs(archive)
    expect(path.basename(archive)).toBe('oneroster-000001.zip')
    expect(statSync(archive).size).toBeGreaterThan(100_000)
    await page.context().close()
  })

  it('ruling 23: checks it in an empty tenant and shows what an import would add, with nothing wrong', async () => {
    page = await newPage()
    await logIn(page, product.url, password)
    await openMenu(page, '学生', '学生')
    await seen('还没有学生').waitFor()
    await openMenu(page, '学生', 'OneRoster 交换')
    await page.getByLabel('选择文件').setInputFiles(archive)
    await bar('正在检查…').waitFor()
    // Nobody has to wait for it here, nor bring the file again.
    await page.reload()
    await seen('检查通过，导入后会有这些变化：').waitFor({ timeout: 60_000 })
    const pupils = page.getByRole('row', { name: /^学生 [\d,]+ 0 0 0/ })
    expect(await pupils.count()).toBe(1)
    expect(await axeFaults(page)).toEqual([])
    await picture('checked')
  })

  it('ruling 23: imports it as a job that shows how far it is, and leaves the list fresh that is looked at meanwhile', async () => {
    await page.getByRole('button', { name: '导入', exact: true }).click()
    await bar('正在导入…').waitFor()
    await seen(/ · [1-9]\d?%$/).waitFor()
    await picture('running')
    // The hidden page asks for nothing; the list that is shown instead is fresh all the same, not half a minute later.
    await page.getByRole('tab', { name: '学生', exact: true }).click()
    await seen('还没有学生').waitFor()
    // However long the machine takes to import: the half minute begins when the pupils are there.
    await expect.poll(pupilsThere, { timeout: 150_000, interval: 100 }).toBe(true)
    await seen(/共 [\d,]{5,} 名/).waitFor({ timeout: 25_000 })
    await page.getByRole('tab', { name: 'OneRoster 交换' }).click()
    await seen(/^导入完成：新增 [\d,]+ 条，修改 1 条$/).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await picture('done')
  })

  it('finds nothing to do when the same archive is brought once more', async () => {
    await page.getByRole('button', { name: '换一个文件' }).click()
    await page.getByLabel('选择文件').setInputFiles(archive)
    await seen('检查通过，与现有数据完全一致，无需导入。').waitFor({ timeout: 60_000 })
    expect(await page.getByRole('button', { name: '导入', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: '放弃，换一个文件' }).click()
    await page.getByLabel('选择文件').waitFor({ state: 'attached' })
    expect(complaints).toEqual([])
  })
})
