import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { choose, logIn, openMenu, save, type, typeDay } from './clerk.ts'
import { type Copy, copySources } from './copy.ts'
import './product.ts'
import { freshFolder, password, type Started, startOn } from './started.ts'

/*
 * docs/developers/extensions.md, followed in a copy of the sources: the example is put beside them, built in by the start,
 * used, tested over its entities, taken out and put back. Nothing else of the copy is touched.
 */

let sources: Copy
let data = ''
let product: Started | undefined
let browser: Browser
let page: Page

const place = (): string => path.join(sources.folder, 'extensions', 'library')
const putIn = (): void =>
  cpSync(path.join(sources.folder, 'examples', 'extensions', 'library'), place(), { recursive: true })
const takeOut = (): void => rmSync(place(), { recursive: true })

async function start(): Promise<void> {
  await product?.stop()
  product = await startOn(data, { DEMO: 'on' }, path.join(sources.folder, 'scripts', 'start.mjs'))
  await page?.context().close()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await logIn(page, product.url, password, 'admin', '000001')
}

interface Told<T> {
  readonly status: number
  readonly msg: string
  readonly data: T
}

/** What the server says, past the page. */
async function api<T>(address: string, body?: object): Promise<Told<T>> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product!.url}/api/${address}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, ...((await answer.json()) as { msg: string; data: T }) }
}

/** Somebody who holds these codes and no other, logged in. */
async function clerkWith(codes: readonly string[]): Promise<Page> {
  type Node = { readonly id: string; readonly code: string; readonly children?: readonly Node[] }
  const within = (nodes: readonly Node[], above: readonly Node[]): Node[] =>
    nodes.flatMap((node) => [
      ...(codes.includes(node.code) ? [...above, node] : []),
      ...within(node.children ?? [], [...above, node]),
    ])
  const granted = within((await api<Node[]>('blade-system/menu/buttons')).data, [])
  expect(codes.filter((code) => granted.every((node) => node.code !== code))).toEqual([])
  const role = await api<{ id: string }>('blade-system/role/submit', { roleName: '图书管理员', sort: 9 })
  const menuIds = [...new Set(granted.map(({ id }) => id))]
  expect((await api('blade-system/role/grant', { roleIds: [role.data.id], menuIds })).status).toBe(200)
  const made = await api('blade-user/submit', {
    ...{ account: 'librarian', realName: '周老师', password, roleId: [role.data.id] },
  })
  expect(made.status).toBe(200)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
  const opened = await context.newPage()
  opened.setDefaultTimeout(20_000)
  await logIn(opened, product!.url, password, 'librarian', '000001')
  return opened
}

async function shoot(on: Page, name: string): Promise<void> {
  expect(await axeFaults(on)).toEqual([])
  const folder = process.env.E2E_PICTURES
  if (folder) await on.screenshot({ path: path.join(folder, `extension-import-${name}.png`) })
}

beforeAll(() => {
  sources = copySources()
  sources.run('git', ['add', '--all'])
  data = freshFolder()
  // With owners and modes, which PostgreSQL insists on. It has never seen the extension.
  execFileSync('cp', ['-a', `${inject('prepared').on}/.`, data])
})
afterEach(async (context) => {
  const folder = process.env.E2E_PICTURES
  if (!folder || context.task.result?.state !== 'fail') return
  mkdirSync(folder, { recursive: true })
  await page?.screenshot({ path: path.join(folder, 'extension-failed.png') })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  sources?.remove()
  if (data) rmSync(data, { recursive: true, force: true })
})

const isbn = '9787020002207'

describe('an extension', () => {
  it('is built in by the start, and its list, form, action and page work', async () => {
    putIn()
    browser = await launchBrowser()
    await start()
    await openMenu(page, '学生', '图书')
    await page.getByRole('button', { name: '新增图书' }).first().click()
    await choose(page, '学校', '.*')
    await type(page, '书名', '红楼梦')
    await type(page, '国际标准书号', '978-7-02-000220-8')
    await page.getByRole('dialog').last().getByRole('button', { name: '保存', exact: true }).click()
    await page.getByText('校验码不符，请核对').first().waitFor()
    await type(page, '国际标准书号', '978-7-02-000220-7')
    await choose(page, '书架', '文学')
    await save(page, '新增成功')
    const books = await api<{ records: { id: string; isbn: string; schoolId: string }[] }>('ext-library/book/list')
    expect(books.data.records.map((book) => book.isbn)).toEqual([isbn])
    const { id: bookId, schoolId } = books.data.records[0]!

    const students = await api<{ records: { id: string; name: string }[] }>(
      `blade-user/student/list?size=1&schoolId=${schoolId}`,
    )
    const student = students.data.records[0]!
    await openMenu(page, '学生', '借阅')
    await page.getByRole('button', { name: '新增借阅' }).first().click()
    await choose(page, '学校', '.*')
    await choose(page, '图书', '红楼梦')
    const pupil = page.getByRole('dialog').last().getByRole('combobox', { name: '学生' })
    await pupil.fill(student.name)
    await choose(page, '学生', student.name)
    await typeDay(page, '借出日期', '2026-09-01')
    await typeDay(page, '应还日期', '2026-09-15')
    await save(page, '新增成功')

    const second = { schoolId, bookId, studentId: student.id, lentOn: '2026-09-02', dueOn: '2026-09-16' }
    const refused = await api('ext-library/loan/submit', second)
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('已全部借出')])

    await openMenu(page, '学生', '图书馆概况')
    await page.getByText('借出', { exact: true }).first().waitFor()
    await expect.poll(() => page.locator('.library-desk dd').allTextContents()).toEqual(['1', '1'])

    await openMenu(page, '学生', '借阅')
    const more = page.locator('tbody [data-act=more]').locator('visible=true').first()
    await more.click()
    await page.getByRole('menuitem', { name: '归还' }).click()
    await page.getByText('已归还，已超过应还日期').first().waitFor()
    await page.locator('tbody').getByText('已还', { exact: true }).locator('visible=true').waitFor()
    await more.click()
    await page.getByRole('menuitem', { name: '删除' }).waitFor()
    expect(await page.getByRole('menuitem', { name: '归还' }).count()).toBe(0)
    expect((await api('ext-library/loan/submit', second)).status).toBe(200)
  }, 300_000)

  it('R-IMP-1 has its rows brought in by a clerk from the list, out of a file with a title and headings of its own', async () => {
    const clerk = await clerkWith(['library_book_view', 'library_book_import'])
    await openMenu(clerk, '学生', '图书')
    await clerk.getByRole('button', { name: '导入', exact: true }).first().click()
    await clerk.waitForURL('**/import/library_book')
    await clerk.getByRole('heading', { level: 1, name: '导入图书' }).waitFor()
    await clerk.getByRole('tab', { name: '导入图书' }).waitFor()
    await clerk.getByRole('combobox', { name: '学校' }).click()
    await clerk.locator('.ant-select-item-option').locator('visible=true').first().click()
    await shoot(clerk, 'upload')
    await clerk.getByLabel('选择文件').setInputFiles(path.join(place(), 'test', 'books.xlsx'))
    await clerk.getByRole('button', { name: '开始检查' }).click()
    await clerk.waitForURL(/step=(match|check)/)
    if (clerk.url().includes('step=match')) {
      await shoot(clerk, 'match')
      await clerk.getByRole('button', { name: '开始检查' }).click()
      await clerk.waitForURL(/step=check/)
    }
    // What the rules of the extension refuse is told before anything is stored, once for all rows of that fault.
    await clerk.getByText('校验码不符，请核对').first().waitFor()
    await shoot(clerk, 'check')
    await clerk.getByLabel(/不管有错误的 \d+ 行/).check()
    await clerk.getByRole('button', { name: '导入', exact: true }).click()
    await clerk.getByRole('heading', { name: '导入完成' }).waitFor()
    await shoot(clerk, 'result')
    await clerk.getByRole('link', { name: '查看列表' }).click()
    for (const title of ['西游记', '好饿的毛毛虫'])
      await clerk.locator('tbody').getByText(title).locator('visible=true').first().waitFor()
    const titles = async (): Promise<string[]> =>
      (await api<{ records: { title: string }[] }>('ext-library/book/list?size=50')).data.records.map(
        ({ title }) => title,
      )
    expect((await titles()).toSorted()).toEqual(['红楼梦', '西游记', '好饿的毛毛虫'].toSorted())

    // Back by one undo.
    await clerk.goto(`${product!.url}/import/library_book`)
    await clerk.getByRole('button', { name: /^撤销/ }).click()
    await clerk.getByRole('alertdialog').getByRole('button', { name: '撤销', exact: true }).click()
    await clerk.getByRole('heading', { name: '已撤销' }).waitFor()
    expect(await titles()).toEqual(['红楼梦'])
    await clerk.context().close()
  }, 300_000)

  it('is held by the types', () => {
    const file = path.join(place(), 'server', 'rules.ts')
    const right = readFileSync(file, 'utf8')
    writeFileSync(file, right.replace('saving.values.isbn = digits', 'saving.values.isbn = digits.length'))
    expect(() => sources.node('node_modules/typescript/bin/tsc')).toThrow(/extensions\/library\/server\/rules\.ts/)
    writeFileSync(file, right)
  }, 300_000)

  it('is refused with what no extension may import, before anything is built', () => {
    const file = path.join(place(), 'server', 'index.ts')
    const right = readFileSync(file, 'utf8')
    writeFileSync(file, `import '@data-brain/server/src/start.ts'\n${right}`)
    expect(() => sources.npm('build')).toThrow(/imports what no extension may/)
    writeFileSync(file, right)
  })

  it('keeps every promise of an entity, changes no file of the core, and passes its own tests', () => {
    sources.npm('generate')
    expect(sources.run('git', ['diff', '--stat'])).toBe('')
    const calls = (of: string): string[] =>
      readFileSync(path.join(sources.folder, of, 'test/matrix.tsv'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('/ext-library/'))
    expect(calls('extensions/library')).toEqual(calls('examples/extensions/library'))
    const said = sources.node(
      ...[
        'node_modules/vitest/vitest.mjs',
        'run',
        'contract/test/entities.test.ts',
        'server/test/every-entity.test.ts',
      ],
      ...['extensions/library/test', '-t', 'library'],
    )
    const [, passed] = /Tests {2}(\d+) passed/.exec(said) ?? []
    expect(Number(passed)).toBeGreaterThan(45)
  }, 600_000)

  it('is taken in from a folder elsewhere and from a package alike, typed and judged', () => {
    const [example, elsewhere] = [path.join(sources.folder, 'examples', 'extensions', 'library'), freshFolder()]
    const judged = (): void => {
      sources.node('scripts/extensions.mjs')
      const [found] = JSON.parse(readFileSync(path.join(sources.folder, '.runtime', 'extensions.json'), 'utf8'))
      expect(found).toMatchObject({
        name: 'library',
        folder: path.join(sources.folder, '.runtime', 'extensions', 'library'),
      })
      sources.node('scripts/judge-extensions.mts')
      for (const project of ['tsconfig.json', 'console/tsconfig.json'])
        sources.node('node_modules/typescript/bin/tsc', '-p', project)
    }
    const home = path.join(sources.folder, 'extensions')
    rmSync(home, { recursive: true, force: true })
    cpSync(example, path.join(elsewhere, 'library'), { recursive: true })
    process.env.EXTENSIONS = path.join(elsewhere, 'library')
    judged()
    delete process.env.EXTENSIONS
    rmSync(elsewhere, { recursive: true })

    cpSync(example, path.join(home, 'node_modules', 'data-brain-library'), { recursive: true })
    writeFileSync(path.join(home, 'package.json'), '{"type":"module","dependencies":{"data-brain-library":"1.0.0"}}')
    judged()
    rmSync(home, { recursive: true })
    putIn()
  }, 300_000)

  it('R-PROD-4 leaves its tables and nothing else when it is taken out', async () => {
    takeOut()
    await start()
    expect((await api('ext-library/book/list')).status).toBe(404)
    const menus = JSON.stringify((await api('blade-system/menu/routes')).data)
    expect([menus.includes('library_'), menus.includes('/student/student')]).toEqual([false, true])
    const dictionaries = await api('blade-system/dict-biz/parent-list?size=200')
    expect(JSON.stringify(dictionaries.data)).not.toContain('library_shelf')
    await page.goto(`${product!.url}/ext-library/book`)
    await page.getByText('没有这个页面').first().waitFor()
  }, 300_000)

  it('finds its rows where it left them when it is put back', async () => {
    putIn()
    await start()
    await openMenu(page, '学生', '借阅')
    await page.locator('tbody').getByText('红楼梦').first().waitFor()
    const loans = await api<{ records: { state: string }[] }>('ext-library/loan/list?ascs=lentOn')
    expect(loans.data.records.map(({ state }) => state)).toEqual(['2', '1'])
  }, 300_000)
})
