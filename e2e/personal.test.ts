/// <reference lib="dom" />
import { createHmac } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { type Product, password, startProduct } from './product.ts'

/** What people do with their own account: face, password, sessions, second factor, preferences, as what they work. */

let product: Product
let browser: Browser
const contexts: BrowserContext[] = []
const complaints: string[] = []

async function person(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|401|403|404|423)/.test(message.text()))
      complaints.push(message.text())
  })
  return page
}

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  expect(complaints.splice(0)).toEqual([])
})

/** Calls the server as the person whose page it is. */
async function call<T>(page: Page, path: string, body?: unknown): Promise<{ status: number; data: T }> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))
  const answer = await fetch(`${product.url}/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Blade-Auth': `bearer ${token?.value}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, data: ((await answer.json()) as { data: T }).data }
}

async function setParameter(page: Page, paramKey: string, paramValue: string): Promise<void> {
  const found = await call<{ records: { id: string; version: number; paramKey: string }[] }>(
    page,
    `blade-system/param/list?paramKey=${paramKey}`,
  )
  const row = found.data.records.find((each) => each.paramKey === paramKey)
  const body = { ...(row ? { id: row.id, version: row.version } : {}), paramName: paramKey, paramKey, paramValue }
  expect((await call(page, 'blade-system/param/submit', body)).status).toBe(200)
}

/** A picture of a green left half and a blue right half, as a png. */
function halves(width: number, height: number): Buffer {
  const line = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: width }, (_, x) => Buffer.from(x < width / 2 ? [0, 160, 0] : [0, 0, 200])),
  ])
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, sum])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Width, height and the colours at the left and right edge of a picture, as the browser sees it. */
const pictureAt = (page: Page, address: string) =>
  page.evaluate(async (src) => {
    const picture = new Image()
    picture.src = src
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.naturalWidth
    canvas.height = picture.naturalHeight
    const pen = canvas.getContext('2d')!
    pen.drawImage(picture, 0, 0)
    const greenAt = (x: number) => pen.getImageData(x, canvas.height / 2, 1, 1).data[1]! > 100
    return { width: canvas.width, height: canvas.height, edges: [greenAt(2), greenAt(canvas.width - 3)] }
  }, address)

describe('R-INFO-1 one’s own account', () => {
  it('crops the avatar by the keyboard to 400 × 400, keeps it, shows it in the header, and takes it away', async () => {
    const page = await person()
    await logIn(page, product.url, password)
    await page.goto(`${product.url}/info/index`)
    await page.getByText('只能上传 jpg/png 文件，且不超过 500kb').waitFor()
    const file = page.locator('input[type=file]')
    await file.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(500 * 1024 + 1) })
    await page.locator('.toast').getByText('只能上传 jpg/png 文件，且不超过 500kb').waitFor()
    await file.setInputFiles({ name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') })
    await page.getByText('这张图片打不开').waitFor()

    await file.setInputFiles({ name: 'halves.png', mimeType: 'image/png', buffer: halves(600, 300) })
    const dialog = page.getByRole('dialog', { name: '裁剪头像' })
    const area = dialog.getByRole('group', { name: '裁剪区域' })
    await area.waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await area.evaluate((node) => node === document.activeElement)).toBe(true)
    // The picture is moved to the right until the square stands on its left half.
    for (let presses = 0; presses < 60; presses++) await page.keyboard.press('ArrowRight')
    await dialog.getByRole('button', { name: '使用' }).click()
    const shown = page.locator('main img.avatar')
    await page.waitForFunction(() => !document.querySelector('main img.avatar')?.getAttribute('src')?.includes('svg'))
    expect(await pictureAt(page, (await shown.getAttribute('src'))!)).toEqual({
      width: 400,
      height: 400,
      edges: [true, true],
    })
    await page.getByRole('button', { name: '保存' }).click()
    await page.getByText('更新成功').waitFor()
    const stored = (await call<{ avatar: string }>(page, 'blade-user/info')).data.avatar
    expect(await page.locator('header img.avatar').getAttribute('src')).toContain(stored.split('?')[0])
    await page.reload()
    await page.waitForFunction(() => !document.querySelector('header img.avatar')?.getAttribute('src')?.includes('svg'))

    await page.getByRole('button', { name: '移除头像' }).click()
    await page.getByRole('button', { name: '保存' }).click()
    await page.waitForFunction(() => document.querySelector('header img.avatar')?.getAttribute('src')?.includes('svg'))
    expect((await call<{ avatar: string | null }>(page, 'blade-user/info')).data.avatar || '').toBe('')
  })

  it('ticks the rules of a new password, and says at its field that the old one is wrong', async () => {
    const page = await person()
    await logIn(page, product.url, password)
    await page.goto(`${product.url}/info/index?tab=password`)
    const fill = (name: string, text: string) => page.locator(`input[name=${name}]`).fill(text)
    await fill('newPassword', 'password2024')
    await page.getByText('密码强度：弱').waitFor()
    expect(await page.locator('.rule:not(.kept)').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('不是常见密码')]),
    )
    await fill('oldPassword', 'not my password')
    await fill('newPassword', 'Harbour-Violet-42')
    await fill('newPassword1', 'Harbour-Violet-42')
    expect(await page.locator('.rule:not(.kept)').count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: '保存' }).click()
    const note = await page.locator('input[name=oldPassword][aria-invalid=true]').getAttribute('aria-describedby')
    expect(await page.locator(`[id="${note}"]`).innerText()).toBe('原密码不正确！')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('oldPassword')
    // Nothing was changed.
    await logIn(await person(), product.url, password)
  })

  it('lists one’s sessions; the one that is ended is thrown out, with a word', async () => {
    const [here, there] = [await person(), await person()]
    await logIn(there, product.url, password)
    await logIn(here, product.url, password)
    await here.goto(`${product.url}/info/index?tab=sessions`)
    const list = here.getByRole('region', { name: '我的会话' })
    await list.getByText('本浏览器').waitFor()
    expect(await list.getByText('本浏览器').count()).toBe(1)
    const before = await list.getByRole('listitem').count()
    expect(before).toBeGreaterThan(1)
    expect(await axeFaults(here)).toEqual([])
    await list
      .getByRole('button', { name: /^结束 / })
      .first()
      .click()
    await here.getByRole('alertdialog').getByRole('button', { name: '结束' }).click()
    await here.getByText('已结束').waitFor()
    await here.waitForFunction(
      (count) => document.querySelectorAll('[data-part=sessions] li').length === count,
      before - 1,
    )
    // The one used last stood first: that of the other browser.
    // It hears of its end as it stands there and leaves by itself: nothing is asked of it.
    await there.waitForURL('**/login**')
    // Why, once; and all but the password is filled in.
    await there.getByRole('alert').getByText('登录已结束：您在其他设备上结束了这次登录').waitFor()
    expect(await there.getByText('登录已结束').filter({ visible: true }).count()).toBe(1)
    expect(await there.getByLabel('账号').inputValue()).toBe('admin')
    expect(await there.evaluate(() => document.activeElement?.id)).toBe('password')
    await here.getByText('本浏览器').waitFor()
    expect((await call(here, 'blade-user/info')).status).toBe(200)
  })
})

/** The six digits of an authenticator now (RFC 6238), of a secret as it is typed by hand. */
function totp(secret: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret.replace(/\s/g, '')].map((sign) => letters.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', key).update(counter).digest()
  const at = hash[19]! & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

describe('the second factor', () => {
  it('is set up with a code of the app, gives recovery codes once, and is taken away by password and one of them', async () => {
    const page = await person()
    await logIn(page, product.url, password)
    await page.goto(`${product.url}/info/index?tab=security`)
    const part = page.getByRole('region', { name: '两步验证' })
    await part.getByRole('button', { name: '设置两步验证' }).click()
    await part.locator('input[name=password]').fill(password)
    await page.keyboard.press('Enter')
    await part.getByRole('img', { name: /二维码/ }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await part.locator('input[name=code]').fill(totp(await part.locator('.second-secret').innerText()))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: '恢复码' })
    await dialog.waitFor()
    const codes = await dialog.getByRole('listitem').allInnerTexts()
    expect(new Set(codes).size).toBe(10)
    await page.keyboard.press('Escape')
    expect(await axeFaults(page)).toEqual([])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: '下载' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('recovery-codes-admin.txt')
    await dialog.getByRole('button', { name: '我已保存' }).click()
    await part.getByText('还有 10 个恢复码').waitFor()
    await part.getByRole('button', { name: '停用两步验证' }).click()
    await part.locator('input[name=password]').fill(password)
    await part.locator('input[name=code]').fill(codes[0]!)
    await page.keyboard.press('Enter')
    await part.getByText('未启用').waitFor()
  })
})

describe('R-AUTH-5 switch mode', () => {
  it('asks as what one works after log-in, and switches menus without loading the page; off, nothing is seen', async () => {
    const admin = await person()
    await logIn(admin, product.url, password)
    const made = async (path: string, body: object) => {
      const answer = await call<{ id: string }>(admin, path, body)
      expect(answer.status, path).toBe(200)
      return answer.data
    }
    type Node = { id: string; code: string; children?: Node[] }
    const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
    const tree = (await call<Node[]>(admin, 'blade-system/menu/buttons')).data
    const ids = (codes: readonly string[]) =>
      flat(tree)
        .filter((node) => codes.includes(node.code))
        .map((node) => node.id)
    const role = async (roleName: string, codes: readonly [string, ...string[]]) => {
      const { id } = await made('blade-system/role/submit', { roleName, roleAlias: `looks-${codes[0]}`, sort: 1 })
      expect(ids(codes)).toHaveLength(codes.length)
      const granted = await call(admin, 'blade-system/role/grant', { roleIds: [id], menuIds: ids(codes) })
      expect(granted.status).toBe(200)
      return id
    }
    const dept = async (deptName: string) => (await made('blade-system/dept/submit', { deptName })).id
    const roleIds = [await role('看学生', ['student', 'student_view']), await role('看学校', ['school', 'school_view'])]
    const deptIds = [await dept('教务处'), await dept('德育处')]
    const own = 'Quiet-River-72'
    const user = await made('blade-user/submit', {
      account: 'twofold',
      realName: '周两面',
      password: own,
      roleId: roleIds.join(','),
      deptId: deptIds.join(','),
    })
    expect(user.id).toBeDefined()
    const tops = (page: Page) => page.getByRole('navigation', { name: '顶部菜单' })

    const page = await person()
    await logIn(page, product.url, own, 'twofold')
    await tops(page).waitFor()
    expect(await page.getByText('选择工作身份').count()).toBe(0)

    await setParameter(admin, 'login.switch', '1')
    const again = await person()
    await logIn(again, product.url, own, 'twofold')
    await again.getByRole('heading', { level: 1, name: '选择工作身份' }).waitFor()
    expect(await axeFaults(again)).toEqual([])
    // By the keyboard: the department stands chosen, the arrow takes the other one; Tab to the roles; Enter goes on.
    expect(await again.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe(deptIds[0])
    await again.keyboard.press('ArrowDown')
    await again.keyboard.press('Enter')
    await tops(again).waitFor()
    await again.getByText('德育处 · 看学生').waitFor()
    expect((await call(again, 'blade-user/student/list')).status).toBe(200)
    expect((await call(again, 'blade-user/school/list')).status).toBe(403)

    const loads: string[] = []
    again.on('load', () => loads.push(again.url()))
    await again.getByRole('button', { name: /周两面/ }).click()
    await again.getByRole('menuitem', { name: '切换身份（德育处 · 看学生）' }).click()
    const dialog = again.getByRole('dialog', { name: '选择工作身份' })
    await dialog.getByRole('radio', { name: '看学校' }).check()
    await dialog.getByRole('button', { name: '切换', exact: true }).click()
    await again.getByText('现在的身份：德育处 · 看学校').waitFor()
    expect((await call(again, 'blade-user/student/list')).status).toBe(403)
    expect((await call(again, 'blade-user/school/list')).status).toBe(200)
    expect(loads).toEqual([])
    // The next log-in proposes what was chosen last; here it was said by the session already.
    await again.reload()
    await again.getByText('德育处 · 看学校').waitFor()
    await setParameter(admin, 'login.switch', '0')
  })
})

describe('R-BAR-7 auto-lock', () => {
  it('counts down after the idle minutes, stops at a move, and then locks here and on the server', async () => {
    const admin = await person()
    await logIn(admin, product.url, password)
    await setParameter(admin, 'lock.idle', '1')
    const page = await person()
    // The page's own clock is put forward; everything else, the server's lock included, is as it is.
    await page.clock.install()
    await logIn(page, product.url, password)
    await page.goto(`${product.url}/info/index`)
    await page.getByLabel('真实姓名').waitFor()
    await page.clock.fastForward(61_000)
    const box = page.getByRole('alertdialog', { name: '即将自动锁屏' })
    await box.waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.mouse.move(200, 300)
    await page.mouse.move(220, 320)
    await box.waitFor({ state: 'detached' })
    await page.clock.fastForward(61_000)
    await box.waitFor()
    await page.clock.fastForward(62_000)
    await page.waitForURL('**/lock')
    await page.getByText('长时间没有操作，已自动锁定，请用账号密码解锁').waitFor()
    expect(await page.getByLabel('真实姓名').count()).toBe(0)
    await expect.poll(async () => (await call(page, 'blade-user/info')).status).toBe(423)
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/info/index')
    await expect.poll(async () => (await call(page, 'blade-user/info')).status).toBe(200)
    await setParameter(admin, 'lock.idle', '0')
  })
})

describe('preferences', () => {
  it('the page to begin with is the first one after log-in', async () => {
    const page = await person()
    await logIn(page, product.url, password)
    await page.goto(`${product.url}/info/index?tab=preferences`)
    await page.getByLabel('登录后打开').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByLabel('登录后打开').selectOption({ label: '学生' })
    const chosen = await page.getByLabel('登录后打开').inputValue()
    await page.getByRole('button', { name: /管理员/ }).click()
    await page.getByRole('menuitem', { name: '退出' }).click()
    await page.getByRole('button', { name: '退出' }).last().click()
    await page.waitForURL('**/login')
    await page.getByLabel('账号').fill('admin')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${chosen}`)
    await page.getByRole('heading', { level: 1, name: '学生' }).waitFor()
  })

  it('keys are given to what they do, by real keys; the sheet and the hints in menus tell the new ones', async () => {
    const page = await person()
    await logIn(page, product.url, password)
    await page.goto(`${product.url}/info/index?tab=preferences`)
    const change = async (name: string, ...keys: string[]) => {
      await page.getByRole('button', { name: `更换“${name}”的快捷键` }).click()
      for (const each of keys) await page.keyboard.press(each)
    }
    await change('本页快捷键', 'Alt+e')
    await page.getByText('Alt+E 属于浏览器，不能使用。').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await change('本页快捷键', 'y', 'h')
    await page.getByText('“本页快捷键”的快捷键：Y 再按 H').first().waitFor()
    await change('主题', 'Alt+i')
    await page.getByRole('button', { name: '恢复“主题”的默认快捷键' }).waitFor()
    await page.locator('.account').click()
    const theme = page.getByRole('menuitem', { name: '主题', exact: true })
    expect(await theme.locator('kbd').innerText()).toBe('Alt+I')
    expect(await theme.getAttribute('aria-keyshortcuts')).toBe('Alt+I')
    await page.goto(`${product.url}/wel/index`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Shift+?')
    await page.keyboard.press('y')
    await page.keyboard.press('h')
    const sheet = page.getByRole('dialog', { name: '键盘快捷键' })
    await sheet.getByText('本页快捷键').waitFor()
    expect(await sheet.getByText('Y', { exact: true }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${product.url}/info/index?tab=preferences`)
    await page.getByRole('button', { name: '全部恢复默认' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: '全部恢复默认' }).click()
    await expect.poll(() => page.getByRole('button', { name: /^恢复“/ }).count()).toBe(0)
  })
})

describe('one’s own jobs', () => {
  it('are reached from the menu of the avatar and from the message about an export, and have its file', async () => {
    const page = await person()
    await logIn(page, product.url, password)
    const asked = await call<{ jobId: string }>(page, 'blade-user/export-job', {})
    expect(asked.status).toBe(200)
    await page.locator('.account').click()
    await page.getByRole('menuitem', { name: '我的任务' }).click()
    await page.waitForURL('**/job/mine')
    await page.getByRole('rowheader', { name: /导出 · 用户/ }).waitFor()
    await page.getByRole('button', { name: '下载' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.(xlsx|csv)$/)
    await page.goto(`${product.url}/wel/index`)
    await page.getByRole('button', { name: /通知|消息/ }).click()
    await page.getByRole('tab', { name: /消息/ }).click()
    await page.locator('.notices-panel').getByText('导出完成：用户').click()
    await page.waitForURL('**/job/mine')
    // Read, it leads there still.
    await page.goto(`${product.url}/wel/notice?tab=message`)
    await page.locator('.notice-list').getByText('导出完成：用户').click()
    await page.waitForURL('**/job/mine')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: '下载' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
  })
})
