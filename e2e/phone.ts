/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults, settled } from './axe.ts'
import type { Product } from './product.ts'

/** What a phone shows and how it is touched: 390 × 844, no mouse, no keys but those of its own keyboard. */

/** What can be pressed where people press most. What a label or a box around it is pressed for counts with that. */
const pressed =
  ':is(.header, .gate, .home-parts, .related, .entity-head, .list-views, .entity-tools, .chips, .filters, .pop-sheet, .dt-cards, .bulk, .pager, .palette, .side-panel, .pages-list, .notices-panel, .pop, .ant-drawer-header, dialog, [role=menu]) :is(a[href], button, input, select, summary, [role^=menuitem], [role=option], [role=tab])'

export class Phone {
  readonly #product: Product
  readonly context: BrowserContext
  readonly page: Page
  readonly complaints: string[] = []

  private constructor(product: Product, context: BrowserContext, page: Page) {
    this.#product = product
    this.context = context
    this.page = page
    page.setDefaultTimeout(15_000)
    page.on('pageerror', (error) => this.complaints.push(error.message))
  }

  /** A phone that nobody has used. */
  static async take(product: Product, browser: Browser): Promise<Phone> {
    const context = await browser.newContext({
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      ...{ locale: 'zh-CN', colorScheme: 'light', acceptDownloads: true },
    })
    return new Phone(product, context, await context.newPage())
  }

  /** A picture of the page, where somebody asks for them. */
  async picture(name: string): Promise<void> {
    const folder = process.env.E2E_PICTURES
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    await this.page.screenshot({ path: path.join(folder, `phone-${name}.png`) })
  }

  /** What is smaller than 44 × 44 of what is pressed, and by how much the page is wider than the window. */
  faults(): Promise<string[]> {
    return this.page.evaluate((selector) => {
      const found = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element) => {
        // A switch is heard around what is drawn of it: see below.
        if (!element.checkVisibility({ visibilityProperty: true }) || element.matches('.ant-switch')) return []
        const { width, height } = (
          element.closest('label, .ant-select, .text-input') ?? element
        ).getBoundingClientRect()
        const isSmall = Math.round(width) < 44 || Math.round(height) < 44
        return isSmall ? [`${width} × ${height}: ${element.outerHTML.slice(0, 160)}`] : []
      })
      // Drawn small, but heard 44 px around: asked of the page itself, where nothing else lies over it.
      const deaf = [...document.querySelectorAll<HTMLElement>('.ant-switch, .ant-select-clear')].flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const at = (by: number, down: number) => document.elementFromPoint(x + width / 2 + by, y + height / 2 + down)
        if (!element.contains(at(0, 0))) return []
        const around = [at(-21, 0), at(21, 0), at(0, -21), at(0, 21)]
        const hears = around.every((one) => !one || one.closest('.ant-drawer-footer') || element.contains(one))
        return hears ? [] : [`heard only in part: ${element.outerHTML.slice(0, 160)}`]
      })
      found.push(...deaf)
      for (const list of document.querySelectorAll<HTMLElement>('.dt-cards'))
        if (list.scrollWidth > list.clientWidth + 1) found.push(`cards are ${list.scrollWidth} px wide`)
      // What a card tells of its row stands under the name in every row, and each dot stands between two facts that show.
      for (const facts of document.querySelectorAll<HTMLElement>('.dt-brief .dt-facts')) {
        const parts = [...facts.children].filter((part) => part.getBoundingClientRect().width > 0)
        const name = facts.previousElementSibling?.getBoundingClientRect().top ?? 0
        if (parts.length > 0 && facts.getBoundingClientRect().top < name + 16)
          found.push(`beside its name: ${facts.textContent}`)
        const dots = [...facts.children].flatMap((part) =>
          (['::before', '::after'] as const).filter(
            (place) => getComputedStyle(part, place).content === '""' && part.checkVisibility(),
          ),
        )
        if (dots.length !== Math.max(0, parts.length - 1)) found.push(`${dots.length} dots: ${facts.textContent}`)
      }
      const wide = document.documentElement.scrollWidth - window.innerWidth
      return wide > 0 ? [...found, `${wide} px too wide`] : found
    }, pressed)
  }

  /** The page as it stands can be used: large enough, not too wide, and axe finds nothing; light, and dark where asked. */
  async looksGood(name: string, dark: 'dark' | '' = ''): Promise<void> {
    for (const colorScheme of dark ? (['light', 'dark'] as const) : (['light'] as const)) {
      await this.page.emulateMedia({ colorScheme })
      await settled(this.page)
      await this.picture(`${name}-${colorScheme}`)
      await expect.poll(() => this.faults(), { message: name, timeout: 3_000 }).toEqual([])
      expect(await axeFaults(this.page), `${name}, ${colorScheme}`).toEqual([])
    }
    await this.page.emulateMedia({ colorScheme: 'light' })
  }

  /** Calls the server as the person whose phone it is. */
  call<T>(address: string, body?: object): Promise<T> {
    return askAs(this.page, this.#product.url, address, { body })
  }

  button(name: string, within: Locator | Page = this.page): Locator {
    return within.getByRole('button', { name, exact: true })
  }

  /** Opens a page through the drawer. */
  async open(top: string, item: string): Promise<void> {
    await this.button('菜单').tap()
    const drawer = this.page.getByRole('dialog', { name: '菜单' })
    const link = drawer.getByRole('link', { name: item, exact: true })
    if (!(await link.isVisible())) await drawer.locator('summary').filter({ hasText: top }).tap()
    await link.tap()
    await this.page.getByRole('heading', { level: 1, name: item, exact: true }).waitFor()
  }

  /** Chooses in the menu of the account. */
  async account(item: string): Promise<void> {
    await this.page.locator('.account').tap()
    const entry = this.page.locator('[role^=menuitem]').filter({ hasText: item })
    // A language is chosen in a menu of its own.
    if (item === 'English' || item === '中文') await this.page.locator('[role=menuitem][aria-haspopup]').tap()
    await entry.last().tap()
  }

  /** One row of the list shown. */
  card(name: string): Locator {
    return this.page.locator('.dt-card:visible').filter({ hasText: name })
  }
  async count(words: string): Promise<void> {
    await this.page.locator('.entity-count:visible').filter({ hasText: words }).waitFor()
  }
  /** Waits for what is said for a moment, and puts it away: it stands over what comes next. */
  async toast(text: string): Promise<void> {
    await this.button('关闭', this.page.locator('.toast').filter({ hasText: text }))
      .first()
      .tap()
  }

  /** Draws a finger over the page. */
  async drag(x: number, y: number, by: number): Promise<void> {
    const touch = await this.context.newCDPSession(this.page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] })
    await send('touchStart', x)
    for (let step = 1; step <= 5; step += 1) await send('touchMove', x + (by * step) / 5)
    await send('touchEnd')
    await touch.detach()
  }
}

type Row = { id: string; version: number }

/** A school with twelve campuses, a year that is over, a class with one pupil; and a page of somebody else’s among the menus. */
export async function fillSchool(phone: Phone, foreign: string): Promise<void> {
  const add = (name: string, row: object) => phone.call<Row>(`blade-user/${name}/submit`, row)
  const { id: schoolId } = await add('school', {
    ...{ schoolCode: '2111000001', schoolName: '明德小学', schoolType: '21', stages: ['2'], regionCode: '110105' },
  })
  const names = ['本部', '东城', '西山', '南湖', '北苑', '滨江', '高新', '梅园', '竹园', '兰亭', '菊圃', '松岭']
  const campuses: Row[] = []
  for (const [at, name] of names.entries())
    campuses.push(
      await add('schoolcampus', {
        ...{ schoolId, campusCode: `C${10 + at}`, campusName: `${name}校区`, isMain: at === 0 ? 1 : 0 },
        ...{ address: `学院路${at + 1}号`, phone: '01062345678', sort: at },
      }),
    )
  // The campus that came with the school, now that another one is the main campus.
  const made = await phone.call<{ records: Row[] }>('blade-user/schoolcampus/list?campusCode=MAIN')
  for (const { id } of made.records) await phone.call(`blade-user/schoolcampus/remove?ids=${id}`, {})
  const year = await add('schoolyear', {
    ...{ schoolId, yearName: '2020-2021学年', startYear: 2020, isCurrent: 1 },
    ...{ beginDate: '2020-09-01', endDate: '2021-07-15' },
  })
  await add('schoolsemester', {
    ...{ schoolId, yearId: year.id, semesterName: '第一学期', semesterNo: 1, weekCount: 20 },
    ...{ beginDate: '2020-09-01', endDate: '2021-01-20', firstWeekMonday: '2020-08-31' },
  })
  const grades = await phone.call<{ records: Row[] }>('blade-user/sysgrade/list?stage=2&size=1')
  const gradeId = grades.records[0]!.id
  const one = await add('schoolclass', {
    ...{ schoolId, campusId: campuses[0]!.id, yearId: year.id, gradeId, classNo: 1, classType: '11' },
    ...{ className: '一年级（1）班', cohortYear: 2020 },
  })
  await add('student', {
    ...{ schoolId, gradeId, classId: one.id, studentNo: 'S101', name: '郭小靖', sex: '1' },
    ...{ birthDate: '2013-10-01', enrollDate: '2020-09-01' },
  })
  const plan = { code: 'canteen', name: '食堂', nameEn: 'Canteen', category: '1', path: foreign }
  const { id } = await phone.call<Row>('blade-system/menu/submit', plan)
  const tops = await phone.call<{ id: string; name: string }[]>('blade-system/menu/top-menu')
  const top = tops.find(({ name }) => name === '资源')!
  const { menu } = await phone.call<{ menu: string[] }>(`blade-system/menu/top-tree-keys?topMenuIds=${top.id}`)
  await phone.call('blade-system/topmenu/grant', { topMenuIds: [top.id], menuIds: [...menu, id] })
}

/** Somebody else’s page, to stand in a frame. */
export async function startPlan(): Promise<{ address: string; stop: () => void }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<!doctype html><title>plan</title><h1>Canteen plan</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/plan`, stop: () => server.close() }
}

/** A picture of a green left half and a blue right half, as a file that is chosen. */
export async function halves(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 600, height: 300 })
    const pen = canvas.getContext('2d')!
    for (const [at, colour] of ['rgb(0 160 0)', 'rgb(0 0 200)'].entries()) {
      pen.fillStyle = colour
      pen.fillRect(at * 300, 0, 300, 300)
    }
    return canvas.toDataURL().split(',')[1]!
  })
  return { name: 'halves.png', mimeType: 'image/png', buffer: Buffer.from(drawn, 'base64') }
}

/** Whether a picture is green at its left and at its right edge. */
export const greenAtEdges = (picture: Locator): Promise<boolean[]> =>
  picture.evaluate(async (element) => {
    const shown = element as HTMLImageElement
    await shown.decode()
    const pen = document.createElement('canvas').getContext('2d')!
    pen.drawImage(shown, 0, 0, 100, 100)
    return [5, 95].map((x) => pen.getImageData(x, 50, 1, 1).data[1]! > 100)
  })
