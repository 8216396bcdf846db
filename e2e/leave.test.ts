/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, password, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A class teacher files a sick day on a phone with one hand; the head of grade agrees from the keyboard; both see where it stands. */

let product: Product
let browser: Browser
let teacher: Page
let office: Page
const complaints: string[] = []
const scene = { day: '', pupil: '' }

const person = (account: string, width: number): Promise<Page> =>
  demoPerson(browser, product, account, { width, height: 844, hasTouch: width < 500, complaints })

const ask = <T>(page: Page, address: string, asked?: Asked): Promise<T> => askAs(page, product.url, address, asked)

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `leave-${name}`, true)

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** A day with lessons that lies ahead, a pupil of the teacher's class, and the office as the head of that grade. */
async function setScene(): Promise<void> {
  const admin = await person('admin', 1440)
  // The demo has them: what is there already stays as it is.
  await admin.goto(`${product.url}/flow/flowmodel`)
  await admin.getByRole('button', { name: '加入内置流程' }).first().click()
  await admin.getByText('内置流程都已加入').waitFor()
  await admin.context().close()
  const { pupils } = await ask<{ pupils: { id: string; name: string }[] }>(teacher, 'blade-desk/process/leave/people')
  const { records: laid } = await ask<{ records: { studentId: string | null }[] }>(
    office,
    'blade-desk/process/leave/list',
    { query: { size: '100' } },
  )
  // One of whom the demo has no leave.
  scene.pupil = pupils.find(({ id }) => laid.every(({ studentId }) => studentId !== id))!.name
  const me = await ask<{ userId: string }>(office, 'blade-auth/oauth/user-info')
  const { records } = await ask<{ records: { schoolId: string }[] }>(teacher, 'blade-user/schoolclass/list', {
    query: { headTeacherId_notnull: '1', size: '50' },
  })
  for (const { schoolId } of records.slice(0, 1)) {
    const grades = await ask<{ records: { id: string }[] }>(office, 'blade-user/schoolgrade/list', {
      query: { schoolId, size: '100' },
    })
    for (const { id } of grades.records)
      await ask(office, 'blade-user/schoolgrade/submit', { body: { id, headTeacherId: me.userId } })
  }
  const { schoolId } = records[0]!
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  for (let ahead = 1; ahead < 120 && scene.day === ''; ahead += 1) {
    const date = dayAfter(today, ahead)
    const day = await ask<{ weekday: number | null }>(office, 'blade-user/schoolcalendarday/day', {
      query: { schoolId, date },
    })
    if (day.weekday !== null) scene.day = date
  }
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  office = await person('jiaowu', 1440)
  teacher = await person('banzhuren', 390)
  await setScene()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

async function choose(page: Page, name: string, text: string): Promise<void> {
  const box = page.getByRole('combobox', { name, exact: true })
  await box.click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: text }).first().click()
}

describe('ISSUE-16-9 a sick day on a phone', () => {
  it('R-ROUTE-4 R-FLOW-9 is reached from what can be started, and says what it comes to', async () => {
    await teacher.goto(`${product.url}/work/start`)
    await teacher
      .getByRole('link', { name: /学生请假/ })
      .first()
      .tap()
    await teacher.waitForURL(/\/work\/process\/leave\/form\/\d+/)
    await teacher.getByText('选择时间后显示天数').waitFor()
    await picture(teacher, 'empty')
    await choose(teacher, '学生', scene.pupil)
    await choose(teacher, '类型', '病假')
    const from = teacher.getByRole('textbox', { name: '开始日期' })
    await from.fill(scene.day)
    await from.press('Tab')
    await teacher.getByRole('textbox', { name: '事由' }).fill('发烧，家长已来电说明')
    await teacher.getByText('共1天').waitFor()
    await teacher.getByText('审批人').waitFor()
    const wide = await teacher.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wide).toBe(0)
    await picture(teacher, 'filled')
    expect(await axeFaults(teacher)).toEqual([])
  })

  it('R-FLOW-9 what was typed is there after a reload', async () => {
    await expect
      .poll(() => teacher.evaluate(() => Object.keys(sessionStorage).some((key) => key.includes('leave-'))))
      .toBe(true)
    await teacher.reload()
    await expect.poll(() => teacher.getByRole('textbox', { name: '事由' }).inputValue()).toBe('发烧，家长已来电说明')
  })

  it('R-FLOW-9 is sent, and shown with its way', async () => {
    // What it comes to is there: nothing moves under the finger any more.
    await teacher.getByText('共1天').waitFor()
    await teacher.getByRole('button', { name: '提交申请' }).tap()
    await teacher.waitForURL(/\/work\/process\/leave\/detail\/\d+\/\d+/)
    await teacher.getByText('发烧，家长已来电说明').waitFor()
    await teacher.getByText('审批中').first().waitFor()
    // Keys go on from its heading, which comes later than its page.
    const heading = teacher.getByRole('heading', { level: 1 }).last()
    await expect.poll(() => heading.evaluate((each) => each === document.activeElement)).toBe(true)
    await picture(teacher, 'detail')
    expect(await axeFaults(teacher)).toEqual([])
  })

  it('R-ROUTE-4 R-FLOW-6 is agreed to with one key, on its page', async () => {
    const { records } = await ask<{ records: Record<'taskId' | 'processInstanceId' | 'businessId', string>[] }>(
      office,
      'blade-flow/work/todo-list',
    )
    const { taskId, processInstanceId, businessId } = records[0]!
    await office.goto(`${product.url}/work/process/leave/handle/${taskId}/${processInstanceId}/${businessId}`)
    await office.getByText('发烧，家长已来电说明').waitFor()
    await picture(office, 'handle')
    expect(await axeFaults(office)).toEqual([])
    await office.locator('body').click({ position: { x: 5, y: 400 } })
    await office.keyboard.press('a')
    await office.waitForURL(/\/work\/todo/)
    await expect
      .poll(
        async () =>
          (await ask<{ status: number }>(teacher, 'blade-desk/process/leave/detail', { query: { businessId } })).status,
        { timeout: 20_000 },
      )
      .toBe(2)
  })

  it('R-FLOW-9 stands in the list of leave, which leads to forms and processes and makes no drafts', async () => {
    await office.goto(`${product.url}/flow/leave`)
    const row = office.getByRole('row').filter({ hasText: '发烧，家长已来电说明' }).first()
    await row.waitFor()
    expect(await row.locator('[data-act=edit]').count()).toBe(0)
    await row.getByRole('link', { name: '发烧，家长已来电说明' }).click()
    await office.getByRole('button', { name: '查看流程' }).waitFor()
    await picture(office, 'office-record')
    await office.keyboard.press('Escape')
    await row.locator('[data-act=more]').click()
    const entries = await office.getByRole('menuitem').allInnerTexts()
    expect(entries.map((each) => each.trim())).not.toContain('删除')
    await office.getByRole('menuitem', { name: '查看流程' }).click()
    await office.waitForURL(/\/work\/process\/leave\/detail\/\d+\/\d+/)
    await office.locator('.flow-facts').getByText('发烧，家长已来电说明').waitFor()
    await office.getByRole('button', { name: '取消请假' }).waitFor()
    await picture(office, 'office')
    await office.goto(`${product.url}/flow/leave`)
    await office.getByRole('button', { name: '新增请假申请' }).first().click()
    await office.getByRole('menuitem', { name: /学生请假/ }).click()
    await office.waitForURL(/\/work\/process\/leave\/form\/\d+/)
    // The box for any pupil is as wide as its field, and says what to do.
    await office.getByText('按姓名查找学生').waitFor()
    const box = await office.getByRole('combobox', { name: '学生', exact: true }).boundingBox()
    expect(box!.width).toBeGreaterThan(100)
    // A day and its half stand on one line.
    for (const [day, half] of [
      ['startTime', 'startHalf'],
      ['endTime', 'endHalf'],
    ]) {
      const [a, b] = await Promise.all([day, half].map((name) => office.locator(`[data-field=${name}]`).boundingBox()))
      expect(Math.abs(a!.y - b!.y)).toBeLessThan(2)
    }
    await picture(office, 'office-form')
  })

  it('shows the routes that hold where a school has none of its own', async () => {
    await office.goto(`${product.url}/flow/leaveapprovalrule`)
    await office.getByText('没有规则的学校按默认流程审批').click()
    await office.getByText('学生1天以内：班主任').waitFor()
    await picture(office, 'rules')
    expect(await axeFaults(office)).toEqual([])
  })
})

describe('ISSUE-16-9 the gate', () => {
  let guard: Page
  let code = ''

  it('R-FLOW-9 hears of a pupil who leaves, and is led to the pass by the message', async () => {
    const { pupils } = await ask<{ pupils: { id: string }[] }>(teacher, 'blade-desk/process/leave/people')
    const pupil = pupils.at(-1)!
    const { schoolId } = await ask<{ schoolId: string }>(teacher, 'blade-user/student/detail', {
      query: { id: pupil.id },
    })
    const { deptId } = await ask<{ deptId: string }>(office, 'blade-user/school/detail', { query: { id: schoolId } })
    const admin = await person('admin', 1440)
    const role = await ask<{ id: string }>(admin, 'blade-system/role/submit', {
      body: { roleName: '门卫', roleAlias: 'guard', sort: 9 },
    })
    const user = { account: 'menwei', realName: '门卫老赵', password, roleId: role.id }
    await ask(admin, 'blade-user/submit', {
      body: { ...user, deptId },
    })
    await admin.context().close()
    guard = await person('menwei', 390)
    const { records: processes } = await ask<{ records: { processDefinitionId: string; key: string }[] }>(
      teacher,
      'blade-flow/work/start-list',
    )
    const yesterday = new Date(Date.now() - 16 * 3_600_000).toISOString().slice(0, 10)
    const { processInstanceId } = await ask<{ processInstanceId: string }>(
      teacher,
      'blade-desk/process/leave/start-process',
      {
        body: {
          processDefinitionId: processes.find(({ key }) => key === 'leave-student')!.processDefinitionId,
          ...{ applicantType: '1', studentId: pupil.id, leaveType: '1', reason: '家长接回家', leavesCampus: 1 },
          ...{ startTime: `${yesterday} 08:00:00`, endTime: `${scene.day} 18:00:00` },
        },
      },
    )
    const { records: tasks } = await ask<{ records: Record<'taskId' | 'processInstanceId', string>[] }>(
      office,
      'blade-flow/work/todo-list',
    )
    const { taskId } = tasks.find((each) => each.processInstanceId === processInstanceId)!
    await ask(office, 'blade-flow/work/complete-task', { body: { taskId, flag: 'ok', comment: '同意' } })
    await guard.getByRole('button', { name: '通知与消息，1 条未读' }).tap()
    await guard.getByRole('button', { name: /^未读 学生离校/ }).tap()
    await guard.waitForURL(/\/work\/gate\?code=/)
    code = new URL(guard.url()).searchParams.get('code')!
    await guard.getByRole('heading', { name: '可以离校' }).waitFor()
    await guard.getByText('自行离校').waitFor()
    await picture(guard, 'gate')
    expect(await axeFaults(guard)).toEqual([])
  })

  it('R-FLOW-9 types a number in any letters, is refused another one, and sees nothing but the gate', async () => {
    // Home leads there, though no menu does. On a school day the demo has a pass as well.
    await guard.goto(`${product.url}/wel/index`)
    await guard.getByRole('link', { name: /^[12] 张今日出门条，离校时核验$/ }).tap()
    await guard.waitForURL(/\/work\/gate/)
    const box = guard.getByRole('textbox', { name: '出门条号' })
    await box.fill('WRONG234')
    await box.press('Enter')
    await guard.getByText('没有这张出门条，或不属于本校').waitFor()
    await picture(guard, 'gate-none')
    await box.fill(` ${code.toLowerCase()} `)
    await box.press('Enter')
    await guard.getByRole('heading', { name: '可以离校' }).waitFor()
    // Called off by the class teacher: the same number says so.
    const { records } = await ask<{ records: Record<'businessId' | 'id' | 'reason', string>[] }>(
      office,
      'blade-desk/process/leave/list',
      { query: { reason: '家长接回家' } },
    )
    await ask(teacher, 'blade-desk/process/leave/cancel', { body: { businessId: records[0]!.id } })
    await box.press('Enter')
    await guard.getByRole('heading', { name: '不能离校' }).waitFor()
    await picture(guard, 'gate-refused')
    await expect(ask(guard, 'blade-user/student/list')).rejects.toThrow('403')
  })

  it('complains of nothing', () => expect(complaints).toEqual([]))
})
