import type { Locator, Page } from 'playwright-core'

/** What a clerk does with the console, in the words that stand on the page. */

/** Opens the log-in page and logs in; ends on the page that was asked for. */
export async function logIn(
  page: Page,
  url: string,
  password: string,
  account = 'admin',
  tenantId = '000000',
): Promise<void> {
  await page.goto(`${url}/login`)
  const tenant = page.getByLabel('租户编号')
  if (await tenant.isVisible()) await tenant.fill(tenantId)
  await page.getByLabel('账号').fill(account)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/wel/index')
}

/** Goes to a page through the top menu and the sidebar. */
export async function openMenu(page: Page, top: string, item: string): Promise<void> {
  await page.getByRole('navigation', { name: '顶部菜单' }).getByText(top, { exact: true }).click()
  await page.getByRole('navigation', { name: '侧边菜单' }).getByText(item, { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: item, exact: true }).waitFor()
}

/** Does with the row that holds this text what one of its buttons, or an entry of its menu, does. */
export async function act(page: Page, row: string, label: string): Promise<void> {
  const line = page.locator('tbody tr[data-key]').filter({ hasText: row })
  await line.waitFor()
  const button = line.getByRole('button', { name: label, exact: true })
  if ((await button.count()) > 0) return button.click()
  await line.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
}

const drawer = (page: Page): Locator => page.getByRole('dialog').last()

/** Turns a switch of the open form. */
export async function turn(page: Page, label: string): Promise<void> {
  const control = drawer(page).getByRole('switch', { name: label })
  await unfold(page, control)
  await control.click()
}

/** Opens what is folded in the open form, and the line of defaults, where a field is not in sight. */
export async function unfold(page: Page, field: Locator): Promise<void> {
  // A dialog of few fields is no form with folds.
  await drawer(page).locator('[data-field]').or(field).first().waitFor()
  if ((await field.count()) > 0) return
  // The lists among the unfolded fields are shut as well, and are none of the folds.
  const shut = drawer(page).locator('.ff-fold > h3 [aria-expanded=false], .ff-defaults button')
  while ((await field.count()) === 0 && (await shut.count()) > 0) await shut.first().click()
}

/** Types into a field of the open form. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await unfold(page, drawer(page).getByLabel(label))
  await drawer(page).getByLabel(label).first().fill(text)
}

/** Types a day into a date field. */
export async function typeDay(page: Page, label: string, day: string): Promise<void> {
  await unfold(page, drawer(page).getByLabel(label))
  const input = drawer(page).getByLabel(label).first()
  await input.click()
  await input.fill(day)
  await page.keyboard.press('Enter')
}

/** Chooses from a list, by the words of the option; or among values that stand side by side. */
export async function choose(page: Page, label: string, ...options: string[]): Promise<void> {
  const radios = drawer(page).getByRole('radiogroup', { name: label })
  const box = drawer(page).getByRole('combobox', { name: label }).first()
  await unfold(page, box.or(radios))
  // Whether values stand side by side is known with them.
  await drawer(page).locator('.ant-select-loading').first().waitFor({ state: 'detached' })
  if ((await radios.count()) > 0) {
    await radios
      .first()
      .getByRole('radio', { name: new RegExp(`^${options[0]}$`) })
      .first()
      .check()
    return
  }
  await box.click()
  for (const option of options) {
    const list = await box.getAttribute('aria-controls')
    const dropdown = page.locator('.ant-select-dropdown').filter({ has: page.locator(`[id="${list}"]`) })
    await dropdown
      .locator('.ant-select-item-option')
      // What stands beside the name tells rows of one name apart.
      .filter({ hasText: new RegExp(`^${option}($|[、,\\s])`) })
      .first()
      .click()
  }
  if (options.length > 1) await page.keyboard.press('Escape')
}

/**
 * Saves the open form and waits for the words that say so, and until the form is gone: the words of an earlier save may stand
 * there still.
 */
export async function save(page: Page, done: string): Promise<void> {
  const form = await drawer(page).elementHandle()
  await drawer(page).getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText(done, { exact: true }).first().waitFor()
  await form?.waitForElementState('hidden')
}

/** Walks down the regions to one. */
export async function chooseRegion(page: Page, label: string, ...path: string[]): Promise<void> {
  await drawer(page).getByRole('combobox', { name: label }).first().click()
  for (const [level, name] of path.entries())
    await page
      .locator('.ant-cascader-dropdown:visible .ant-cascader-menu')
      .nth(level)
      .getByText(name, { exact: true })
      .click()
}
