import path from 'node:path'
import excel from '@zurmokeeper/exceljs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { freshFolder, type Product, password, startProduct } from './product.ts'

/** Guardians, classes, assignments and rooms, brought in by hand from files as clerks keep them. */

let product: Product
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  page = await open(1440, 900)
  await makeSchool()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

async function open(width: number, height: number): Promise<Page> {
  const opened = await (await browser.newContext({ viewport: { width, height }, locale: 'zh-CN' })).newPage()
  opened.setDefaultTimeout(30_000)
  opened.on('pageerror', (error) => complaints.push(error.message))
  await logIn(opened, product.url, password)
  return opened
}

async function call<T>(method: string, to: string, body?: object): Promise<T> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const answer = await fetch(`${product.url}/api/${to}`, {
    method,
    headers: { 'blade-auth': `bearer ${token}`, 'accept-language': 'zh', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { data, msg } = (await answer.json()) as { data: T; msg: string }
  if (answer.status !== 200) throw new Error(`${to}: ${msg}`)
  return data
}

async function makeSchool(): Promise<void> {
  const add = async (entity: string, draft: object): Promise<string> =>
    (await call<{ id: string }>('POST', `blade-user/${entity}submit`, draft)).id
  const schoolId = await add('school/', {
    ...{ schoolCode: '2132000001', schoolName: '实验小学', schoolType: '21', stages: ['2'], regionCode: '320102' },
  })
  const yearId = await add('schoolyear/', {
    ...{ schoolId, yearName: '2026-2027学年', startYear: 2026, isCurrent: 1 },
    ...{ beginDate: '2026-09-01', endDate: '2027-08-31' },
  })
  await add('schoolsemester/', {
    ...{ schoolId, yearId, semesterName: '第一学期', semesterNo: 1, isCurrent: 1, weekCount: 20 },
    ...{ beginDate: '2026-09-01', endDate: '2027-01-31', firstWeekMonday: '2026-08-31' },
  })
  for (const [at, realName] of ['周语文', '吴数学', '郑英语', '王体育'].entries())
    await add('', { account: `teacher${at + 1}`, realName, staffNo: `T${at + 1}`, password })
}

/** A file as a clerk keeps it: a title over the table, what is the same written once, a line at the end. */
async function kept(name: string, rows: readonly (readonly (string | number)[])[]): Promise<string> {
  const book = new excel.Workbook()
  const sheet = book.addWorksheet('Sheet1')
  for (const row of rows) sheet.addRow([...row])
  sheet.mergeCells(1, 1, 1, rows[1]!.length)
  const file = path.join(freshFolder(), `${name}.xlsx`)
  await book.xlsx.writeFile(file)
  return file
}

async function shoot(on: Page, name: string): Promise<void> {
  expect(await axeFaults(on)).toEqual([])
  expect(await on.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  const width = on.viewportSize()!.width
  if (process.env.E2E_PICTURES)
    await on.screenshot({ path: path.join(process.env.E2E_PICTURES, `imports-${name}-${width}.png`) })
}

/** Brings a file in from the page of its kind; `look` sees the rows once they are checked. */
async function bring(on: Page, kind: string, title: string, file: string, look?: () => Promise<void>): Promise<void> {
  await on.goto(`${product.url}/import/${kind}`)
  await on.getByRole('heading', { level: 1, name: title }).waitFor()
  await shoot(on, `${kind}-upload`)
  await on.getByLabel('选择文件').setInputFiles(file)
  await on.getByRole('button', { name: '开始检查' }).click()
  await on.waitForURL(/step=(match|check)/)
  if (on.url().includes('step=match')) {
    await shoot(on, `${kind}-match`)
    await on.getByRole('button', { name: '开始检查' }).click()
    await on.waitForURL(/step=check/)
  }
  const store = on.getByRole('button', { name: '导入', exact: true })
  await store.waitFor()
  await shoot(on, `${kind}-check`)
  await look?.()
  await store.click()
  await on.getByRole('heading', { name: '导入完成' }).waitFor()
  await shoot(on, `${kind}-result`)
}

const classes = (grade: string, teacher: string) => [
  ['实验小学班级一览表'],
  ['序号', '年级', '班级', '班主任', '人数'],
  [1, `${grade}年级`, '1班', teacher, 45],
  [2, '', '2班', '', 44],
  ['合计', '', '', '', 89],
]

describe('R-IMP-1 what clerks keep comes in by its own page', () => {
  it('classes, without a match to be made', async () => {
    await bring(page, 'schoolclass', '导入行政班', await kept('班级一览', classes('三', '周语文')))
    await page.getByRole('link', { name: '查看列表' }).click()
    for (const name of ['三年级（1）班', '三年级（2）班'])
      await page.getByText(name, { exact: true }).locator('visible=true').first().waitFor()
  })

  it('a table of assignments with the class teachers; a name that nobody has is asked about once', async () => {
    const file = await kept('任课表', [
      ['2026年秋任课安排'],
      ['班级', '班主任', '语文', '数学', '英语', '体育'],
      ['三（1）班', '周语文', '周语文', '吴数学', '郑英', '王体育'],
      ['三（2）班', '吴数学', '周语文', '吴数学', '郑英', '王体育'],
    ])
    await bring(page, 'teacherclass', '导入任课关系', file, async () => {
      await page.getByText('2 行：英语“郑英”：没有这名教师').waitFor()
      const choice = page.getByRole('combobox', { name: /郑英/ })
      await choice.selectOption({ label: '郑英语（T3）' })
      await page.getByRole('button', { name: '应用' }).first().click()
      await choice.waitFor({ state: 'detached' })
    })
    const { records } = await call<{ records: { className: string; headTeacherName: string }[] }>(
      'GET',
      'blade-user/schoolclass/list?size=50',
    )
    expect(records.map((row) => `${row.className} ${row.headTeacherName}`).toSorted()).toEqual([
      '三年级（1）班 周语文',
      '三年级（2）班 吴数学',
    ])
    expect((await call<{ total: number }>('GET', 'blade-user/teacherclass/list')).total).toBe(8)
  })

  it('rooms of a building that is made along', async () => {
    const file = await kept('教室', [
      ['教学用房一览'],
      ['楼栋', '楼层', '教室', '座位', '使用班级'],
      ['明德楼', '2楼', '201', 48, '三（1）班'],
      ['', '', '音乐教室', 40, ''],
    ])
    await bring(page, 'schoolclassroom', '导入教室', file)
    await page.getByText('同时新建：明德楼2层').waitFor()
  })

  it('guardians of pupils who are there, found by class and name', async () => {
    const [third] = (
      await call<{ records: { id: string; schoolId: string }[] }>('GET', 'blade-user/schoolclass/list?className=（1）')
    ).records
    for (const [at, name] of ['赵一一', '钱二二'].entries())
      await call('POST', 'blade-user/student/submit', {
        ...{
          schoolId: third!.schoolId,
          classId: third!.id,
          studentNo: `S${at}`,
          name,
          sex: '1',
          birthDate: '2018-03-04',
        },
      })
    const file = await kept('联系表', [
      ['三（1）班家长联系表'],
      ['学生姓名', '父亲姓名', '父亲电话', '母亲姓名', '母亲电话'],
      ['赵一一', '赵大', 13800000001, '李梅', 13800000002],
      ['钱二二', '钱大', 13800000003, '', ''],
    ])
    await bring(page, 'studentparents', '导入家长', file)
    expect((await call<{ total: number }>('GET', 'blade-user/studentparents/list')).total).toBe(3)
  })

  it('classes at 390 px', async () => {
    const phone = await open(390, 844)
    await bring(phone, 'schoolclass', '导入行政班', await kept('四年级', classes('四', '郑英语')))
    await phone.context().close()
    expect(complaints).toEqual([])
  })
})

describe('R-IMP-3 the import centre', () => {
  it('leads to every import with its templates, and lists the newest of every kind with its undo', async () => {
    await page.goto(`${product.url}/student/import`)
    const others = page.getByRole('region', { name: '还可以导入' })
    await others.waitFor()
    const links = await others.getByRole('link').allTextContents()
    expect(links.toSorted()).toEqual(
      ['导入用户', '导入家长', '导入任课关系', '导入教室', '导入行政班', '导入课程表'].toSorted(),
    )
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      others.getByRole('button', { name: '任课关系的 Excel 模板' }).click(),
    ])
    const book = new excel.Workbook()
    await book.xlsx.readFile((await template.path())!)
    expect(String(book.worksheets[0]!.getRow(1).values)).toContain('教师')
    for (const kind of ['家长', '教室', '任课关系', '行政班'])
      await page.getByRole('row').filter({ hasText: kind }).first().waitFor()
    await shoot(page, 'centre')
    const row = page.getByRole('row').filter({ hasText: '教室.xlsx' })
    await row.getByRole('button', { name: /^撤销/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '撤销', exact: true }).click()
    await page.waitForURL('**/import/schoolclassroom?batch=**')
    await page.getByRole('heading', { name: '已撤销' }).waitFor()
    expect((await call<{ total: number }>('GET', 'blade-user/schoolclassroom/list')).total).toBe(0)
    // The tab of that kind is open on the old result; the way from the centre begins anew, with nothing unsaved.
    await page.getByRole('tab', { name: '导入中心' }).click()
    await others.getByRole('link', { name: '导入教室' }).click()
    await page.getByText('把文件拖到这里，或者').locator('visible=true').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await page.getByRole('tab', { name: /未保存/ }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
