import { createStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'
import { defaultTheme } from './themes/default.ts'
import type { ThemeName } from './themes/seeds.ts'
import type { ColourScheme, Density, Theme, TokenSet } from './themes/token.ts'

export type { ThemeName } from './themes/seeds.ts'
export type { ColourScheme, Density, Theme } from './themes/token.ts'

/** What a person chose; null leaves it to the theme. */
export interface LookWish {
  theme: ThemeName
  scheme: ColourScheme | 'system'
  density: Density | null
  /** A main colour of one's own. */
  colour: string | null
}

export const defaultWish: LookWish = { theme: 'theme-default', scheme: 'system', density: null, colour: null }

export interface ThemeLook {
  theme: ThemeName
  scheme: ColourScheme
  density: Density
  made: Theme
  tokens: TokenSet
}

const asDark = window.matchMedia?.('(prefers-color-scheme: dark)')

function lookOf(wish: LookWish, made: Theme): ThemeLook {
  const scheme = wish.scheme === 'system' ? (asDark?.matches ? 'dark' : 'light') : wish.scheme
  return { theme: wish.theme, scheme, density: wish.density ?? made.density, made, tokens: made[scheme] }
}

/** What was wished for last, shown or about to be. */
export const lookWish = createStore<LookWish>(defaultWish)

/** What is shown now; antd's tokens follow it. */
export const lookStore = createStore<ThemeLook>(lookOf(defaultWish, defaultTheme))

const kebab = (name: string): string => name.replace(/[A-Z0-9]/g, (part) => `-${part.toLowerCase()}`)

/** Height of a control and of a row of a list, in pixels. */
export const densitySizes: Readonly<Record<Density, { control: number; row: number }>> = {
  loose: { control: 36, row: 44 },
  standard: { control: 32, row: 36 },
  compact: { control: 28, row: 32 },
}

/** The custom properties of a token set: `ink2` → `--ink-2`. */
export const tokenLines = (tokens: TokenSet): [name: string, value: string][] =>
  Object.entries(tokens).map(([name, value]) => [`--${kebab(name)}`, value])

/** Corners of controls and, rounder, of cards and the sheet. */
const radiusLines = (radius: number): string =>
  `--radius:${radius}px;--radius-card:${Math.min(14, Math.round(radius * 1.6))}px`

/** The custom properties of a look. */
export function themeCss({ scheme, density, made, tokens }: ThemeLook): string {
  const lines = tokenLines(tokens).map(([name, value]) => `${name}:${value}`)
  return `:root{color-scheme:${scheme};${radiusLines(made.radius)};--control:${densitySizes[density].control}px;${lines.join(';')}}`
}

let sheet: CSSStyleSheet | undefined

function paint(): void {
  // A constructed sheet needs no permission from the content-security policy, unlike a style element.
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const { theme, scheme, density, made, tokens } = lookStore.get()
  const { dataset } = document.documentElement
  dataset.turning = ''
  sheet.replaceSync(themeCss(lookStore.get()))
  Object.assign(dataset, { theme, scheme, density, tabs: made.tabs, nav: made.nav, sheet: made.sheet })
  // A header of a colour of its own, on which red would not stand out.
  dataset.top = tokens.header === tokens.frame ? 'frame' : 'own'
  // The default theme has no shapes of its own, and so does without the file of the others'.
  if (theme === defaultWish.theme) endFadesUntilQuiet()
  else import('./themes/shapes.css').catch(() => {}).then(() => endFadesUntilQuiet())
}

const fades = (): Animation[] => (document.getAnimations?.() ?? []).filter((one) => 'transitionProperty' in one)

/** Ends what has begun to fade, and what fades within that. Answers whether there was any. */
function endFades(): boolean {
  for (let depth = 0; depth < 6; depth += 1) {
    const now = fades()
    if (now.length === 0) return depth > 0
    for (const fade of now) fade.finish()
  }
  return true
}

/** Frames without a fade after which a change of colours is over, and after how many it is given up. */
const quietFrames = 3
const mostFrames = 60

/**
 * Colours change at once, not one after the other: what has begun to fade is at its end before a frame shows it. A busy
 * page draws its controls some frames later, so this goes on until nothing new fades. A rule that forbids everything to
 * fade for a while would have the whole page styled once more when it goes.
 */
function endFadesUntilQuiet(quiet = 0, frames = 0): void {
  requestAnimationFrame(() => {
    const next = endFades() ? 0 : quiet + 1
    if (next < quietFrames && frames < mostFrames) endFadesUntilQuiet(next, frames + 1)
    else delete document.documentElement.dataset.turning
  })
}

/** A theme other than the default one, kept in the browser: the next start paints it before any code of it is here. */
interface Kept {
  theme: ThemeName
  colour: string | null
  made: Theme
}

let person = ''
const wishName = (): string => (person ? `look:${person}` : 'look')
const keptTheme = 'look-theme'

async function made({ theme, colour }: LookWish): Promise<Theme> {
  if (theme === defaultWish.theme && !colour) return defaultTheme
  return (await import('./themes/make.ts')).makeTheme(theme, colour)
}

/** Shows a wish without keeping it. Where its colours cannot be fetched, what is shown stays. */
export async function showLook(wish: LookWish): Promise<void> {
  lookWish.set(wish)
  const theme = await made(wish).catch(() => undefined)
  // Another wish may have overtaken it.
  if (!theme || lookWish.get() !== wish) return
  const next = lookOf(wish, theme)
  // The same colours again would draw every control of Ant Design again.
  if (JSON.stringify(next) !== JSON.stringify(lookStore.get())) lookStore.set(next)
}

/** Shows a wish and keeps it, for this person and as the first look of this browser. */
export async function keepLook(wish: LookWish): Promise<void> {
  for (const name of new Set([wishName(), 'look'])) writeStored(name, wish)
  await showLook(wish)
  const kept: Kept = { theme: wish.theme, colour: wish.colour, made: lookStore.get().made }
  if (lookWish.get() === wish) writeStored(keptTheme, kept)
}

/** A stored wish, with what is missing or was written by hand left out. */
function readWish(): LookWish {
  const stored = readStored<Partial<LookWish>>(wishName()) ?? {}
  return {
    theme: /^theme-[a-z0-9]+$/.test(stored.theme ?? '') ? (stored.theme as ThemeName) : defaultWish.theme,
    scheme: stored.scheme === 'light' || stored.scheme === 'dark' ? stored.scheme : 'system',
    density: stored.density && Object.hasOwn(densitySizes, stored.density) ? stored.density : null,
    colour: /^#[0-9a-f]{6}$/i.test(stored.colour ?? '') ? (stored.colour as string) : null,
  }
}

function showStored(): void {
  const wish = readWish()
  const kept = readStored<Kept>(keptTheme)
  if (kept?.theme === wish.theme && kept.colour === wish.colour && kept.made?.light?.frame && kept.made.dark)
    lookStore.set(lookOf(wish, kept.made))
  // An upgrade may have brought other colours than those kept.
  void showLook(wish)
}

/** Shows what this person has chosen; without a choice of theirs, the default. */
export function followPerson(userId: string): void {
  if (!userId || userId === person) return
  person = userId
  showStored()
}

/** Paints the page in the look stored for this person (or last used here) and follows the system's scheme where that is wished. */
export function startTheme(userId = ''): void {
  person = userId
  asDark?.addEventListener('change', () => lookStore.set((now) => lookOf(lookWish.get(), now.made)))
  lookStore.subscribe(paint)
  showStored()
  paint()
}
