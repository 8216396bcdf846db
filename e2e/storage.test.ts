import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noise, startS3, type TestS3 } from '../server/test/storage-parts.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { act, choose, logIn, save, turn, type } from './clerk.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/**
 * An administrator who keeps files in the server's folder turns to an object store, and back: whatever was uploaded
 * before and after opens all the while.
 */

const bucket = 'school-files'
const store = freshFolder()
const data = freshFolder()
let s3: TestS3
let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  s3 = await startS3(store, [bucket])
  product = await startProduct({ OUTBOUND_ALLOW: s3.host, DATA_DIR: data })
  browser = await launchBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })).newPage()
  page.setDefaultTimeout(15_000)
})
afterEach(async (context) => {
  const folder = process.env.E2E_PICTURES
  if (context.task.result?.state !== 'fail' || !folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({
    path: path.join(folder, `storage-failed-${context.task.name.slice(0, 12).replaceAll(' ', '-')}.png`),
  })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await s3?.close()
  for (const folder of [store, data]) rmSync(folder, { recursive: true, force: true })
})

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) => (each.isFile() ? [each.name] : []))
/** What lies in the data folder and in the bucket, small copies left out. */
const kept = () => ({
  folder: filesIn(data).filter((name) => /^[0-9a-f]{32}\.png$/.test(name)).length,
  bucket: filesIn(path.join(store, bucket)).filter((name) => /[0-9a-f]{32}\.png\._S3rver_object$/.test(name)).length,
})

async function uploads(name: string): Promise<void> {
  await page.goto(`${product.url}/resource/attach`)
  const buffer = await noise(64).png().toBuffer()
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/png', buffer })
  await page.getByRole('list', { name: '上传列表' }).getByText('已上传').first().waitFor()
  await page.locator('tbody tr').filter({ hasText: name }).first().waitFor()
}

/** Looks at a file as a person does: its picture is there, and not merely its frame. */
async function opens(name: string): Promise<void> {
  const row = page.locator('tbody tr').filter({ hasText: name })
  await row.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '预览' }).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: `${name}的预览` })
  await picture.waitFor()
  await expect
    .poll(() => picture.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(64)
  await page.keyboard.press('Escape')
  await picture.waitFor({ state: 'detached' })
}

describe('storage switch with old files still readable', () => {
  it('R-RES-1 begins with files in the folder of the server', async () => {
    await logIn(page, product.url, password)
    await uploads('before.png')
    await opens('before.png')
    expect(kept()).toEqual({ folder: 1, bucket: 0 })
  })

  it('sets up an object store, tests it and turns it on', async () => {
    await page.goto(`${product.url}/resource/oss`)
    await page.getByText('服务器的数据文件夹').first().waitFor()
    await page.getByRole('button', { name: '新增对象存储' }).first().click()
    await choose(page, '存储类型', 'MinIO')
    await type(page, '资源编号', 'minio')
    await type(page, '资源地址', s3.endpoint)
    await type(page, '空间名', bucket)
    await type(page, '访问键', 'S3RVER')
    await type(page, '密钥', 'wrong')
    await turn(page, '路径式地址')
    await save(page, '新增成功')

    const row = page.locator('tbody tr').filter({ hasText: 'minio' })
    await act(page, 'minio', '测试')
    await page.getByRole('dialog').getByText('连接不正常').waitFor()
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: '编辑' }).first().click()
    await type(page, '密钥', 'S3RVER')
    await save(page, '更新成功')
    await act(page, 'minio', '测试')
    await page.getByRole('dialog').getByText('连接正常', { exact: true }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')

    await act(page, 'minio', '启用')
    await page.getByRole('alertdialog').getByRole('button', { name: '启用', exact: true }).click()
    await row.getByText('已启用').waitFor()
    // The line over the list asks for itself.
    await expect.poll(() => page.locator('.oss-where').textContent()).toContain('minio')
  })

  it('keeps new files there, and opens old and new ones alike', async () => {
    await uploads('after.png')
    expect(kept()).toEqual({ folder: 1, bucket: 1 })
    await opens('before.png')
    await opens('after.png')
  })

  it('goes back to the folder, and all of them open still', async () => {
    await page.goto(`${product.url}/resource/oss`)
    await page.locator('.oss-where').getByRole('button', { name: '停用' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '停用', exact: true }).click()
    await page.locator('.oss-where').getByText('服务器的数据文件夹').waitFor()
    await uploads('again.png')
    expect(kept()).toEqual({ folder: 2, bucket: 1 })
    for (const name of ['before.png', 'after.png', 'again.png']) await opens(name)
  })
})
