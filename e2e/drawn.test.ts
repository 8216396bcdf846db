/// <reference lib="dom" />
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { lookAtFirst, openAddForm, type Visitor, visitor } from './pages.ts'
import { type Product, password, startProduct } from './product.ts'

/** What stands where on a page, measured: a picture would have to be looked at again each time. */

let product: Product
let browser: Browser

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

async function demo(viewport: typeof desk, language: 'zh' | 'en' = 'zh'): Promise<Visitor> {
  const touch = viewport === phone ? { hasTouch: true, isMobile: true } : {}
  const context = await browser.newContext({ viewport, locale: 'zh-CN', ...touch })
  return visitor(context, product.url, password, { tenantId: '000001', language })
}

/** The lines that a text is set in, and where the first begins. */
const lines = (element: Locator, text?: string): Promise<{ count: number; left: number }> =>
  element.evaluate((holder, wanted) => {
    const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT)
    const tops = new Set<number>()
    let left = Number.POSITIVE_INFINITY
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const at = wanted ? node.data.indexOf(wanted) : 0
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, wanted ? at + wanted.length : node.length)
      for (const box of range.getClientRects()) {
        tops.add(Math.round(box.top))
        left = Math.min(left, box.left)
      }
    }
    return { count: tops.size, left }
  }, text)

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('D15 what is drawn', () => {
  it('a record beside a list, or beside a tree, has the whole height of the sheet', async () => {
    const who = await demo(desk)
    for (const path of ['/student/student', '/system/dept']) {
      await who.open(path)
      let seen = false
      await lookAtFirst(who, async () => {
        seen = true
        const [panel, sheet] = [who.page.locator('aside.detail'), who.page.locator('.page.entity:visible')]
        const [record, page, head] = [
          await panel.boundingBox(),
          await sheet.boundingBox(),
          await sheet.locator('.entity-head').boundingBox(),
        ]
        expect([path, record!.y, record!.height, record!.width]).toEqual([path, page!.y, page!.height, 432])
        expect(head!.x + head!.width).toBeLessThanOrEqual(record!.x)
      })
      expect(seen).toBe(true)
    }
    await who.page.context().close()
  })

  it('the heading of a tree stands over the names of its first rows', async () => {
    const who = await demo(desk)
    await who.open('/system/dept')
    const heading = await lines(who.page.locator('[role=treegrid] thead th').first())
    const name = await lines(who.page.locator('[role=treegrid] tbody tr[data-key] .tl-name').first())
    expect(Math.abs(heading.left - name.left)).toBeLessThan(1)
    await who.page.context().close()
  })

  it('a cell of many names shows those that have room and how many there are, and is not cut', async () => {
    for (const language of ['zh', 'en'] as const) {
      const who = await demo(desk, language)
      await who.open('/school/syssubject')
      const cut = await who.page
        .locator('tbody td')
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
        )
      expect(cut).toEqual([])
      const many = who.page.locator('tbody td span[title*=三年级]').first()
      expect(await many.innerText()).toMatch(language === 'zh' ? /^一年级、.*等 \d+ 项$/ : /^一年级.* … \(\d+\)$/)
      await who.page.context().close()
    }
  })

  it('what belongs to a record is named in the plural; where there is nothing it says so and offers to add it', async () => {
    const who = await demo(desk, 'en')
    await who.open('/student/student')
    await lookAtFirst(who, async () => {
      const part = (name: string) => who.page.locator(`[data-related="${name}"]`)
      await part('studentparents.studentId')
        .getByRole('heading', { name: /^Parents\s*2/ })
        .waitFor()
      const none = part('studentresume.studentId')
      await none.scrollIntoViewIfNeeded()
      await none.getByText('No student resumes yet').waitFor()
      expect(await none.getByRole('button', { name: 'Add student resume' }).count()).toBe(1)
    })
    await who.open('/student/student?keyword=qqqqzzzz')
    await who.page.getByText('No students match').waitFor()
    await who.page.context().close()
  })

  it('a department shows its place by name, and no chain of ids', async () => {
    const who = await demo(desk)
    await who.open('/system/dept')
    await lookAtFirst(who, async () => {
      await who.page.locator('.detail-empties').click()
      const terms = await who.page.locator('.detail dt').allInnerTexts()
      expect(terms).toContain('上级部门')
      expect(terms).not.toContain('上级路径')
    })
    await who.page.context().close()
  })

  it('R-LAY-3 a list of choices is as wide as its longest, and the box of the document as its words, in English too', async () => {
    const who = await demo({ width: 1024, height: 768 }, 'en')
    await who.open('/student/student')
    if (!(await openAddForm(who))) throw new Error('there is no form to add a row')
    const form = who.page.getByRole('dialog')
    const kind = form.getByRole('combobox', { name: 'ID type' })
    await kind.click()
    const options = who.page.locator('.ant-select-dropdown:visible .ant-select-item-option-content')
    await options.filter({ hasText: 'Mainland travel permit' }).waitFor()
    const cut = (all: Element[]) =>
      all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)
    expect(await options.evaluateAll(cut)).toEqual([])
    await options.first().click()
    expect(await form.locator('.ff-pair .ant-select-content').evaluateAll(cut)).toEqual([])
    await who.page.context().close()
  })

  it('R-BAR-3 on a phone the search names people in full, and below what tells them apart', async () => {
    const who = await demo(phone)
    await who.open('/wel/index')
    await who.page.locator('.header-actions .icon-button').first().click()
    await who.page.getByRole('combobox').last().fill('苏')
    const hits = who.page.getByRole('option').filter({ has: who.page.locator('.palette-note') })
    await hits.nth(2).waitFor()
    const found = await hits.evaluateAll((all) =>
      all.flatMap((hit) => {
        const [name, note] = [hit.querySelector('.palette-name')!, hit.querySelector('.palette-note')!]
        const isCut = [name, note].some((each) => each.scrollWidth > each.clientWidth)
        const isBelow = note.getBoundingClientRect().top >= name.getBoundingClientRect().bottom - 1
        return isCut || !isBelow ? [hit.textContent] : []
      }),
    )
    expect(found).toEqual([])
    await who.page.context().close()
  })

  it('R-LAY-3 on a phone the facts of a row have the room below its status as well', async () => {
    const who = await demo(phone)
    await who.open('/student/student')
    const [state, facts] = await who.page
      .locator('.dt-brief')
      .first()
      .evaluate((card) => {
        const title = card.querySelector('.dt-card-title')!
        return [title.nextElementSibling!, title.querySelector('.dt-facts')!].map((each) => {
          const { right, top, bottom } = each.getBoundingClientRect()
          return { right, top, bottom }
        })
      })
    expect(facts!.right).toBeGreaterThanOrEqual(state!.right - 1)
    expect(facts!.top).toBeGreaterThanOrEqual(state!.bottom - 4)
    await who.page.context().close()
  })

  it('R-BAR-5 in a low window the buttons of the themes are in reach', async () => {
    const who = await demo({ width: 1024, height: 640 }, 'en')
    await who.open('/wel/index')
    await who.page.keyboard.press('Alt+t')
    const keep = who.page.locator('dialog.look').getByRole('button', { name: 'Keep' })
    await keep.waitFor()
    const box = await keep.boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(640 - 12)
    await who.page.context().close()
  })

  it('on a phone the greeting breaks in no name, and what is ticked stands in one line over what can be done', async () => {
    const who = await demo(phone, 'en')
    await who.open('/wel/index')
    const hello = who.page.locator('.home-hello')
    expect((await lines(hello, '示范区教育局')).count).toBe(1)
    await who.open('/student/student')
    for (const nth of [0, 1]) await who.page.locator('.dt-card label.dt-tick:visible').nth(nth).click()
    const bar = who.page.locator('.bulk')
    const [count, off] = [await bar.locator('> span').first().boundingBox(), await bar.locator('> .tool').boundingBox()]
    const acts = await bar
      .locator('.button:visible')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
    expect(off!.y).toBeLessThan(count!.y + count!.height)
    expect(acts.length).toBeGreaterThan(1)
    for (const top of acts) expect(top).toBeGreaterThanOrEqual(off!.y + off!.height)
    await who.page.context().close()
  })
})
