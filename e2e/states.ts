/// <reference lib="dom" />
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { hold, sayAll } from './looks.ts'
import { lookAtFirst, openAddForm, type Visitor } from './pages.ts'

/** What the console can show, state by state: how each is come to, and what must be done to get out of it. */

export interface Stand extends Visitor {
  readonly context: BrowserContext
  readonly url: string
  /** The stage is 390 px wide and has no mouse. */
  readonly phone: boolean
}

export interface State {
  readonly name: string
  /** Looked at on a phone too, or there alone. */
  readonly phone?: true | 'alone'
  /** Leaves the page in the state, calls `look`, and where a new page is not enough leaves the state. */
  readonly show: (stand: Stand, look: (again?: () => Promise<void>) => Promise<void>) => Promise<void>
  /** A colour of somebody's own that the themes are made of. */
  readonly colour?: string
}

const list = '/student/student'
const lockWord = 'tea break'

const shown = (page: Page, selector: string): Locator => page.locator(`${selector}:visible`)

/** A state that is come to from a page by a few steps, and left by opening another page. */
const at =
  (path: string, steps: (stand: Stand) => Promise<unknown> = async () => {}): State['show'] =>
  async (stand, look) => {
    await stand.open(path)
    await steps(stand)
    await look()
  }

const waitFor =
  (selector: string) =>
  async ({ page, settle }: Stand): Promise<void> => {
    await shown(page, selector).first().waitFor()
    await settle()
  }

const press =
  (keys: string, selector: string): ((stand: Stand) => Promise<void>) =>
  async (stand) => {
    await stand.page.keyboard.press(keys)
    await waitFor(selector)(stand)
  }

const click =
  (what: string, selector: string): ((stand: Stand) => Promise<void>) =>
  async (stand) => {
    await shown(stand.page, what).first().click()
    await waitFor(selector)(stand)
  }

async function tickTwo(stand: Stand): Promise<void> {
  const { page, phone } = stand
  for (const nth of [0, 1])
    await (phone ? shown(page, '.dt-card label.dt-tick') : shown(page, 'tbody input[type=checkbox]')).nth(nth).click()
  await waitFor('.bulk')(stand)
}

const form = async (stand: Stand): Promise<void> => {
  if (!(await openAddForm(stand))) throw new Error('there is no form to add a row')
}

async function lock(stand: Stand): Promise<void> {
  const { page, phone } = stand
  if (phone) {
    await click('.account', '[role=menu]')(stand)
    await page
      .getByRole('menuitem', { name: /锁屏|^Lock/ })
      .first()
      .click()
    await shown(page, 'dialog').waitFor()
  } else await press('Alt+l', 'dialog')(stand)
}

/** Goes to a page inside the console while what it needs does not come. */
async function held(stand: Stand, path: string, what: RegExp, selector: string): Promise<void> {
  const { page } = stand
  await hold(page)
  await page.route(what, () => {})
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await shown(page, selector).first().waitFor()
}

export const states: readonly State[] = [
  { name: 'home', phone: true, show: at('/wel/index') },
  { name: 'list', phone: true, show: at(list) },
  { name: 'list with bulk bar', phone: true, show: at(list, tickTwo) },
  {
    name: 'open form',
    phone: true,
    show: at(list, form),
  },
  {
    name: 'form with complaints',
    show: at(list, async (stand) => {
      await form(stand)
      await stand.page
        .getByRole('dialog')
        .getByRole('button', { name: /^(保存|Save)$/ })
        .click()
      await waitFor('[role=dialog] [aria-invalid=true]')(stand)
    }),
  },
  {
    name: 'choices of a field',
    show: at(list, async (stand) => {
      await form(stand)
      await stand.page.getByRole('dialog').getByRole('combobox').first().click()
      await waitFor('.ant-select-dropdown')(stand)
      // At its field, also where nothing moves: it is put there after it has been drawn elsewhere.
      await stand.page.waitForFunction(() =>
        [...document.querySelectorAll('.ant-select-dropdown')].some((each) => each.getBoundingClientRect().top > 0),
      )
    }),
  },
  {
    name: 'preview',
    phone: true,
    show: async (stand, look) => {
      await stand.open(list)
      let seen = false
      await lookAtFirst(stand, async () => {
        seen = true
        await look()
      })
      if (!seen) throw new Error('there is no row to look at')
    },
  },
  {
    name: 'palette',
    phone: true,
    show: at('/wel/index', async (stand) => {
      const { page, phone } = stand
      if (phone) await click('.header-actions .icon-button', 'dialog.palette')(stand)
      else await press('Control+k', 'dialog.palette')(stand)
      await page.getByRole('combobox').last().fill('苏')
      await waitFor('[role=option]')(stand)
    }),
  },
  { name: 'notices', phone: true, show: at('/wel/index', click('.notices > button', '.notices-panel')) },
  { name: 'theme dialog', show: at('/wel/index', press('Alt+t', 'dialog.look')) },
  {
    name: 'theme dialog with an own colour',
    colour: '#ffe600',
    show: at('/wel/index', async (stand) => {
      await press('Alt+t', 'dialog.look')(stand)
      await stand.page.locator('dialog.look input[type=color]').fill('#ffe600')
      await stand.page.locator('.look-note[role=status]').filter({ hasText: '#' }).waitFor()
    }),
  },
  {
    name: 'logs dialog',
    show: at('/wel/index', async (stand) => {
      await stand.page.evaluate(() => {
        for (const text of ['oops 13812345678', 'again', 'again'])
          window.dispatchEvent(new ErrorEvent('error', { error: new TypeError(text) }))
      })
      await click('.account', '[role=menu]')(stand)
      await click('[role=menuitem]:has(.badge)', 'dialog')(stand)
    }),
  },
  {
    name: 'lock dialog with a complaint',
    show: at('/wel/index', async (stand) => {
      await lock(stand)
      await stand.page.keyboard.press('Enter')
      await waitFor('dialog [aria-invalid=true]')(stand)
    }),
  },
  {
    name: 'tab menu',
    show: at(list, async (stand) => {
      await stand.page.getByRole('tab').last().click({ button: 'right' })
      await waitFor('[role=menu]')(stand)
    }),
  },
  { name: 'open pages', phone: true, show: at(list, click('.pages > button', '.pages-list')) },
  {
    name: 'language in the account menu',
    show: at('/wel/index', async (stand) => {
      await click('.account', '[role=menu]')(stand)
      await click('[role=menuitem][aria-haspopup]', '[role=menu] [role=menu]')(stand)
    }),
  },
  { name: 'account menu', phone: true, show: at('/wel/index', click('.account', '[role=menu]')) },
  { name: 'keys sheet', show: at(list, press('?', 'dialog')) },
  { name: 'sidebar drawer', phone: 'alone', show: at(list, click('.header > .icon-button', '.side-panel')) },
  {
    name: 'filter sheet',
    phone: 'alone',
    show: at(list, async (stand) => {
      await stand.page.getByRole('button', { name: /^(筛选|Filters)/ }).click()
      await waitFor('.pop-sheet .pick-one')(stand)
    }),
  },
  {
    name: 'filter values',
    show: at(`${list}?status=1`, async (stand) => {
      await stand.page.locator('.chip-open:visible').first().click()
      await waitFor('.pop-fixed .pick-one')(stand)
    }),
  },
  {
    name: 'columns panel',
    show: at(list, async (stand) => {
      await stand.page.getByRole('button', { name: /^(显示|Display)/ }).click()
      await waitFor('.pop-choice')(stand)
    }),
  },
  { name: 'empty list', phone: true, show: at(`${list}?keyword=qqqqzzzz`, waitFor('.dt-empty')) },
  { name: '403', show: at('/403') },
  { name: '404', phone: true, show: at('/404') },
  { name: '500', show: at('/500') },
  {
    name: 'offline',
    show: async (stand, look) => {
      await stand.open(list)
      await stand.context.setOffline(true)
      await shown(stand.page, '.bar.warning').waitFor()
      await look()
      await stand.context.setOffline(false)
    },
  },
  {
    name: 'question',
    phone: true,
    show: at(list, async (stand) => {
      await tickTwo(stand)
      await click('.bulk .button.danger', '[role=alertdialog]')(stand)
    }),
  },
  {
    name: 'toasts',
    show: async ({ page, open }, look) => {
      await open('/wel/index')
      await sayAll(page)
      // They go after a while; the same words again start the clock again.
      await look(() => sayAll(page))
    },
  },
  {
    name: 'page on its way',
    show: async (stand, look) => {
      await stand.open('/403')
      await held(stand, '/system/role', /\/assets\/.*\.js/, '.skeleton')
      await look()
      await stand.page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  },
  {
    name: 'rows on their way',
    show: async (stand, look) => {
      await stand.open('/403')
      await held(stand, list, /\/student\/list/, 'section.dt[aria-busy=true]')
      await look()
      await stand.page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  },
  {
    name: 'rows that did not come',
    show: async (stand, look) => {
      const { page } = stand
      await page.route(/\/student\/list/, (route) =>
        route.fulfill({ status: 500, json: { code: 500, success: false, data: null, msg: '系统未知错误' } }),
      )
      await stand.open(list)
      await waitFor('.failed')(stand)
      await look()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  },
  {
    name: 'lock page',
    phone: true,
    show: async (stand, look) => {
      const { page } = stand
      await stand.open('/wel/index')
      await lock(stand)
      const field = page.locator('input[type=password]:visible')
      await field.fill(lockWord)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/lock')
      await field.fill('no')
      await page.keyboard.press('Enter')
      await waitFor('[aria-invalid=true], [role=alert]')(stand)
      await look()
      await field.fill(lockWord)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/wel/index**')
    },
  },
]
