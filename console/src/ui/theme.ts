import { createStore } from './store.ts'

export type Scheme = 'light' | 'dark'

/** The colours of one theme in one scheme. Each pair of text and ground in it passes WCAG AA; a test computes that. */
export interface TokenSet {
  fill: string
  fillHover: string
  fillActive: string
  onFill: string
  link: string
  linkHover: string
  page: string
  card: string
  raised: string
  ink: string
  ink2: string
  ink3: string
  inkOff: string
  edge: string
  split: string
  tint: string
  tintHover: string
  hover: string
  alt: string
  success: string
  successTint: string
  warning: string
  warningTint: string
  error: string
  errorHover: string
  errorTint: string
  header: string
  headerInk: string
  headerInk2: string
  headerOn: string
  headerOnInk: string
  side: string
  sideInk: string
  sideInk2: string
  sideOn: string
  sideOnInk: string
  sideHover: string
  focus: string
  focusHeader: string
  focusSide: string
  tip: string
}

export interface Theme {
  radius: number
  light: TokenSet
  dark: TokenSet
}

/** One entry for each theme; the name is what is stored. */
export const themes = {
  'theme-default': {
    radius: 6,
    light: {
      fill: '#0e64f4',
      fillHover: '#0357de',
      fillActive: '#044cc3',
      onFill: '#ffffff',
      link: '#0861f0',
      linkHover: '#0054da',
      page: '#f3f5f9',
      card: '#ffffff',
      raised: '#ffffff',
      ink: '#1a2230',
      ink2: '#4a5568',
      ink3: '#656f84',
      inkOff: '#a3a7ac',
      edge: '#838c99',
      split: '#eaebec',
      tint: '#e6effd',
      tintHover: '#dae7fd',
      hover: '#f5f5f6',
      alt: '#f9f9f9',
      success: '#17703c',
      successTint: '#edf4f0',
      warning: '#8f5400',
      warningTint: '#f6f2eb',
      error: '#c21b17',
      errorHover: '#b0100f',
      errorTint: '#faeded',
      header: '#0a2a5e',
      headerInk: '#f4f7fb',
      headerInk2: '#c0c3c6',
      headerOn: '#2d4875',
      headerOnInk: '#ffffff',
      side: '#ffffff',
      sideInk: '#1a2230',
      sideInk2: '#4d5666',
      sideOn: '#e1ecfd',
      sideOnInk: '#025eec',
      sideHover: '#ebebeb',
      focus: '#0861f0',
      focusHeader: '#ffffff',
      focusSide: '#0861f0',
      tip: '#1f2733',
    },
    dark: {
      fill: '#6da1fb',
      fillHover: '#81affc',
      fillActive: '#93bafe',
      onFill: '#0a0f17',
      link: '#6da1fb',
      linkHover: '#81affc',
      page: '#0c111a',
      card: '#151c28',
      raised: '#1d2431',
      ink: '#e8ebf0',
      ink2: '#aeb6c2',
      ink3: '#8c95a3',
      inkOff: '#696f78',
      edge: '#656f7e',
      split: '#2f3540',
      tint: '#25344e',
      tintHover: '#2a3c5a',
      hover: '#262c38',
      alt: '#202732',
      success: '#5fc88a',
      successTint: '#223b3a',
      warning: '#e2b04a',
      warningTint: '#3a372e',
      error: '#ff8a80',
      errorHover: '#fda198',
      errorTint: '#3f3038',
      header: '#0e1726',
      headerInk: '#f4f7fb',
      headerInk2: '#c0c3c6',
      headerOn: '#303845',
      headerOnInk: '#ffffff',
      side: '#131a26',
      sideInk: '#f4f7fb',
      sideInk2: '#c0c3c6',
      sideOn: '#343a45',
      sideOnInk: '#ffffff',
      sideHover: '#262c37',
      focus: '#6da1fb',
      focusHeader: '#ffffff',
      focusSide: '#ffffff',
      tip: '#343c48',
    },
  },
} as const satisfies Record<string, Theme>

export type ThemeName = keyof typeof themes

const asDark = window.matchMedia?.('(prefers-color-scheme: dark)')

export interface Look {
  theme: ThemeName
  scheme: Scheme
}

/** What is shown now; antd's tokens follow it. */
export const look = createStore<Look>({ theme: 'theme-default', scheme: asDark?.matches ? 'dark' : 'light' })

const kebab = (name: string): string => name.replace(/[A-Z0-9]/g, (part) => `-${part.toLowerCase()}`)

/** The custom properties of a look: `ink2` → `--ink-2`. */
export function themeCss({ theme, scheme }: Look): string {
  const chosen = themes[theme]
  const lines = Object.entries(chosen[scheme]).map(([name, value]) => `--${kebab(name)}:${value}`)
  return `:root{color-scheme:${scheme};--radius:${chosen.radius}px;${lines.join(';')}}`
}

let sheet: CSSStyleSheet | undefined

function paint(): void {
  // A constructed sheet needs no permission from the content-security policy, unlike a style element.
  if (!sheet) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  sheet.replaceSync(themeCss(look.get()))
  document.documentElement.dataset.scheme = look.get().scheme
}

/** Paints the page in the stored look and keeps following the system's scheme. */
export function startTheme(): void {
  asDark?.addEventListener('change', (event) =>
    look.set((now) => ({ ...now, scheme: event.matches ? 'dark' : 'light' })),
  )
  look.subscribe(paint)
  paint()
}
