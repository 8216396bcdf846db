/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** A registrar arranges a draft on a telephone, with one finger and no keys. */

let product: Product
let browser: Browser
let clerk: Page
const complaints: string[] = []

const picture = (name: string): Promise<void> => keepPicture(clerk, `touch-${name}`)
const cell = (slot: string): Locator => clerk.locator(`[data-slot="${slot}"]:visible`)
const textOf = async (slot: string): Promise<string> => (await cell(slot).innerText()).trim().replaceAll('\n', ' ')
const bar = () => clerk.locator('.plan-hand:visible')
const heightOfBar = async () => (await bar().boundingBox())!.height

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  clerk = await demoPerson(browser, product, 'jiaowu', {
    ...{ complaints, width: 390, height: 844, hasTouch: true, isMobile: true },
  })
  const token = (await clerk.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
  const ask = async <T>(path: string, method: string): Promise<T> => {
    const headers = { 'blade-auth': `bearer ${token}` }
    return ((await (await fetch(`${product.url}/api/${path}`, { method, headers })).json()) as { data: T }).data
  }
  const { records } = await ask<{ records: { id: string; schoolName: string }[] }>(
    'blade-user/timetableplan/list?size=50',
    'GET',
  )
  const { id: published } = records.find(({ schoolName }) => schoolName === '示范区实验中学')!
  const { id } = await ask<{ id: string }>(`blade-user/timetableplan/copy?id=${published}`, 'POST')
  await clerk.goto(`${product.url}/school/timetable/${id}`)
  await clerk.locator('.plan-sheet:visible').getByRole('button', { name: '八年级（1）班' }).tap()
  await clerk.getByRole('grid', { name: '八年级（1）班的一周' }).waitFor()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('ISSUE-15-8 a draft on a telephone', () => {
  it('says what a finger does, and what of it is looked at; the grid stays where it is', async () => {
    await bar().getByText('点一节课').waitFor()
    expect(await bar().getByText('回车').isVisible()).toBe(false)
    const height = await heightOfBar()
    await cell('2-2').tap()
    await bar().getByRole('button', { name: '移动' }).waitFor()
    expect(await cell('2-2').evaluate((each) => getComputedStyle(each).outlineStyle)).toBe('solid')
    expect(await heightOfBar()).toBe(height)
    await bar().getByRole('button', { name: '移动' }).tap()
    await clerk.locator('.plan-grid td.open').first().waitFor()
    await bar().getByText('点一个时段放下').waitFor()
    expect(await bar().getByText('Esc').isVisible()).toBe(false)
    expect(await heightOfBar()).toBe(height)
  })

  it('tells why a slot does not fit before anything is put there, and puts it where it fits', async () => {
    const [lesson, there] = [await textOf('2-2'), await textOf('1-1')]
    await cell('1-1').tap()
    await bar()
      .getByText(/周一第1节已有课/)
      .waitFor()
    await picture('why')
    expect(await axeFaults(clerk)).toEqual([])
    expect([await textOf('2-2'), await textOf('1-1')]).toEqual([lesson, there])
    const open = await clerk
      .locator('.plan-grid:visible td.open')
      .evaluateAll((cells) => cells.map((each) => (each as HTMLElement).dataset.slot!))
    const to = open.find((slot) => slot !== '2-2')!
    await cell(to).scrollIntoViewIfNeeded()
    await cell(to).tap()
    await expect.poll(() => textOf(to)).toBe(lesson)
    await expect.poll(() => textOf('2-2')).toBe('')
    await bar().getByRole('button', { name: '撤销' }).tap()
    await expect.poll(() => textOf('2-2')).toBe(lesson)
    await bar().getByRole('button', { name: '重做' }).tap()
    await expect.poll(() => textOf(to)).toBe(lesson)
    await bar().getByRole('button', { name: '撤销' }).tap()
    await expect.poll(() => textOf('2-2')).toBe(lesson)
  })

  it('puts it where it does not fit on purpose, as a conflict of the draft; put down where it stood it has not moved', async () => {
    const lesson = await textOf('2-2')
    await cell('2-2').tap()
    await bar().getByRole('button', { name: '移动' }).tap()
    await clerk.locator('.plan-grid td.blocked').first().waitFor()
    await cell('2-2').tap()
    await bar().getByRole('button', { name: '移动' }).waitFor()
    expect(await clerk.locator('.plan-steps [aria-disabled]').count()).toBe(1)
    await bar().getByRole('button', { name: '移动' }).tap()
    await cell('1-1').tap()
    await bar().getByRole('button', { name: '仍排在这里' }).tap()
    await expect.poll(() => textOf('1-1')).toContain('⚠')
    await expect.poll(() => textOf('2-2')).toBe('')
    await bar().getByRole('button', { name: '撤销' }).tap()
    await expect.poll(() => textOf('2-2')).toBe(lesson)
    expect(await clerk.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
  })
})
