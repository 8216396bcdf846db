/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { logIn } from './clerk.ts'
import { allLooks, type Look, lookFaults, picture, turn } from './looks.ts'
import { visitor } from './pages.ts'
import { type Product, password, startProduct } from './product.ts'
import { states } from './states.ts'

/**
 * Every state that the frame of the console can be in, in every theme, light and dark, in both languages, on a desk and
 * on a phone: what axe finds. The first look is judged by all its rules in each state, the others by those that a change
 * of colours can break. The short run takes two states, in Chinese, on a desk.
 */

const long = process.env.TEST_LONG === '1'
const walkTime = 1_800_000
const demo = '000001'
const sides = [
  { side: 'desk', width: 1440, height: 900 },
  { side: 'phone', width: 390, height: 844 },
] as const
type Side = (typeof sides)[number]
type Language = 'zh' | 'en'
/** States to look at instead of all, and the first looks alone, where somebody works at one. */
const only = process.env.E2E_STATES?.split(',')
const looks = allLooks.slice(0, Number(process.env.E2E_LOOKS ?? allLooks.length))
const some = only ?? (long ? undefined : ['home', 'list with bulk bar'])
const pictured = new Set(['home', 'list with bulk bar', 'open form', 'theme dialog', 'lock page'])

let product: Product
let browser: Browser

interface Walk {
  /** How often a state was judged in a look. */
  looked: number
  readonly states: string[]
  readonly found: string[]
}

/** Judges a state in every look. `again` is done before each, and `colour` is what the themes are made of. */
async function cycle(
  page: Page,
  walk: Walk,
  state: string,
  { again, colour, isPictured }: { again?: () => Promise<void>; colour?: string; isPictured: boolean },
): Promise<void> {
  walk.states.push(state)
  for (const [nth, look] of looks.entries()) {
    await turn(page, look, colour)
    await again?.()
    if (isPictured) await picture(page, state, look)
    const faults = await lookFaults(page, look, nth < 2)
    walk.found.push(...faults.map((fault) => `${state}, ${fault}`))
    walk.looked += 1
  }
  await turn(page, allLooks[0] as Look)
}

async function context({ width, height, side }: Side) {
  return browser.newContext({
    ...{ viewport: { width, height }, locale: 'zh-CN', colorScheme: 'light' },
    ...(side === 'phone' ? { hasTouch: true, isMobile: true } : {}),
  })
}

async function walkStates(language: Language, side: Side): Promise<Walk> {
  const walk: Walk = { looked: 0, states: [], found: [] }
  const phone = side.side === 'phone'
  const here = await context(side)
  const who = await visitor(here, product.url, password, { tenantId: demo, language })
  const stand = { ...who, context: here, url: product.url, phone }
  for (const { name, colour, phone: where, show } of states) {
    if (phone ? !where : where === 'alone') continue
    if (some && !some.includes(name)) continue
    const isPictured = language === 'zh' && pictured.has(name)
    await show(stand, (again) =>
      cycle(who.page, walk, name, { isPictured, ...(again ? { again } : {}), ...(colour ? { colour } : {}) }),
    ).catch(async (cause: Error) => {
      // The others are looked at all the same; this one is what the test fails with.
      walk.found.push(`${name} could not be looked at: ${cause.message}`)
      await here.setOffline(false)
      await who.page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  }
  await here.close()
  return walk
}

/** Somebody of two departments and two roles, who is asked as what they work. */
const twofold = { account: 'twofold', password: 'Quiet-River-72' }

async function makeTwofold(): Promise<void> {
  const here = await context(sides[0])
  const page = await here.newPage()
  await logIn(page, product.url, password, 'admin', demo)
  const token = (await here.cookies()).find(({ name }) => name.endsWith('access-token'))?.value
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${product.url}/api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'blade-auth': `bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T }
    expect(`${path} ${code} ${msg}`).toContain(' 200 ')
    return data
  }
  type Row = { id: string; code: string; children?: Row[]; version?: number; paramKey?: string }
  const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])])
  const menus = flat(await call<Row[]>('blade-system/menu/buttons'))
  const role = async (roleName: string, codes: readonly string[]): Promise<string> => {
    const { id } = await call<Row>('blade-system/role/submit', { roleName, roleAlias: `two-${codes[0]}`, sort: 1 })
    const menuIds = menus.filter(({ code }) => codes.includes(code)).map((each) => each.id)
    await call('blade-system/role/grant', { roleIds: [id], menuIds })
    return id
  }
  const dept = async (deptName: string) => (await call<Row>('blade-system/dept/submit', { deptName })).id
  const roles = [await role('看学生', ['student', 'student_view']), await role('看班级', ['schoolclass'])]
  const depts = [await dept('教务二处'), await dept('德育二处')]
  await call('blade-user/submit', {
    ...{ ...twofold, realName: '周两面' },
    ...{ roleId: roles.join(','), deptId: depts.join(',') },
  })
  const paramKey = 'login.switch'
  const { records } = await call<{ records: Row[] }>(`blade-system/param/list?paramKey=${paramKey}`)
  const known = records.find((each) => each.paramKey === paramKey)
  await call('blade-system/param/submit', {
    ...(known ? { id: known.id, version: known.version } : {}),
    ...{ paramName: paramKey, paramKey, paramValue: '1' },
  })
  await here.close()
}

/** The page and the dialog that ask as what somebody works. */
async function walkWork(language: Language, side: Side): Promise<Walk> {
  const walk: Walk = { looked: 0, states: [], found: [] }
  const here = await context(side)
  const page = await here.newPage()
  page.setDefaultTimeout(15_000)
  await logIn(page, product.url, twofold.password, twofold.account, demo)
  await page.getByRole('radio').first().waitFor()
  await page.evaluate(
    (content) =>
      localStorage.setItem('databrain-language', JSON.stringify({ content, dataType: 'string', datetime: Date.now() })),
    language,
  )
  await page.reload()
  await page.getByRole('radio').first().waitFor()
  await cycle(page, walk, 'work page', { isPictured: false })
  await page.locator('button[type=submit]').click()
  await page.locator('.account').click()
  await page.getByRole('menuitem', { name: /切换身份|^Work as/ }).click()
  await page.locator('dialog').getByRole('radio').first().waitFor()
  await cycle(page, walk, 'switch dialog', { isPictured: false })
  await here.close()
  return walk
}

/** The log-in page, which has the colours of the default theme and the scheme of the system. */
async function walkLogin(language: Language, side: Side): Promise<Walk> {
  const walk: Walk = { looked: 0, states: ['login'], found: [] }
  const here = await context(side)
  const page = await here.newPage()
  await page.goto(`${product.url}/login`)
  if (language === 'en') await page.getByRole('button', { name: 'English' }).click()
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    if (language === 'zh') await picture(page, 'login', { theme: 'theme-default', scheme })
    walk.found.push(...(await axeFaults(page)).map((fault) => `login, ${scheme}: ${fault}`))
    walk.looked += 1
  }
  await here.close()
  return walk
}

const walks: Record<string, Walk> = {}
const wantsAll = long && !only

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  if (wantsAll) await makeTwofold()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const languages: readonly Language[] = long ? ['zh', 'en'] : ['zh']

describe.each(long ? sides : sides.slice(0, 1))('R-BAR-5 R-LAY-1 every state of the shell, $side', (side) => {
  // Both languages at once: each waits for the server half of the time.
  beforeAll(async () => {
    await Promise.all(
      languages.map(async (language) => {
        const parts = [await walkStates(language, side)]
        if (wantsAll) parts.push(await walkWork(language, side), await walkLogin(language, side))
        walks[`${side.side} ${language}`] = {
          looked: parts.reduce((sum, part) => sum + part.looked, 0),
          states: parts.flatMap((part) => part.states),
          found: parts.flatMap((part) => part.found),
        }
      }),
    )
  }, walkTime)

  it.each(languages)('R-BAR-4 R-LAY-3 has no fault that axe finds in any theme, light or dark: %s', (language) => {
    const { found, looked, states: seen } = walks[`${side.side} ${language}`]!
    console.info(`${side.side} ${language}: ${looked} looks at ${seen.length} states`)
    expect(found).toEqual([])
    expect(new Set(seen).size).toBe(seen.length)
    // Every state was seen in all looks; the log-in page has two.
    expect(looked).toBe((seen.length - (wantsAll ? 1 : 0)) * looks.length + (wantsAll ? 2 : 0))
    if (wantsAll) expect(seen.length).toBeGreaterThan(side.side === 'desk' ? 30 : 15)
  })
})
