import type { Shape } from './token.ts'

type Pair = readonly [light: string, dark: string]

/** What a person decides of a theme; everything else is worked out (solve.ts). */
export interface ThemeSeed extends Shape {
  primary: string
  frame: Pair
  /** Header and sidebar are the frame's where a theme does not colour them. */
  header?: Pair
  headerEnd?: Pair
  headerInk?: string
  side?: Pair
  sideInk?: string
  card: Pair
}

const plain = { density: 'standard', sheet: 'inset' } as const
const flush = { density: 'standard', sheet: 'flush' } as const

const all = {
  'theme-default': {
    ...plain,
    primary: '#0e64f4',
    radius: 6,
    nav: 'mix',
    tabs: 'dot',
    frame: ['#edf0f6', '#0b0f16'],
    card: ['#ffffff', '#151b25'],
  },
  'theme-white': {
    ...flush,
    primary: '#1d5fd1',
    radius: 8,
    nav: 'mix',
    tabs: 'underline',
    frame: ['#ffffff', '#15181d'],
    card: ['#ffffff', '#1a1e24'],
  },
  'theme-dark': {
    ...plain,
    prefer: 'dark',
    primary: '#2f6fe4',
    radius: 6,
    nav: 'mix',
    tabs: 'underline',
    header: ['#16191f', '#0b0d10'],
    side: ['#1d2128', '#0f1115'],
    frame: ['#eceef1', '#08090b'],
    card: ['#ffffff', '#14171c'],
  },
  'theme-colourful': {
    ...plain,
    primary: '#7a2fd0',
    radius: 10,
    nav: 'mix',
    tabs: 'pill',
    header: ['#5b1fa8', '#25123f'],
    headerEnd: ['#b0126b', '#3d0e2b'],
    frame: ['#f7f3fc', '#120e19'],
    card: ['#ffffff', '#1b1526'],
  },
  'theme-smart': {
    ...plain,
    primary: '#0b7a6c',
    radius: 8,
    nav: 'side',
    tabs: 'pill',
    side: ['#0f3d37', '#0c2421'],
    frame: ['#f0f6f5', '#0b1110'],
    card: ['#ffffff', '#131d1b'],
  },
  'theme-iview': {
    ...flush,
    primary: '#1a6fc9',
    radius: 4,
    nav: 'side',
    tabs: 'tag',
    header: ['#ffffff', '#16191f'],
    side: ['#3e4657', '#1a1e27'],
    frame: ['#f0f2f5', '#0e1116'],
    card: ['#ffffff', '#171b22'],
  },
  'theme-vip': {
    ...plain,
    primary: '#8a5a00',
    radius: 6,
    nav: 'mix',
    tabs: 'underline',
    header: ['#1e1a14', '#14110c'],
    headerInk: '#f0d9a0',
    side: ['#2a241b', '#1a1611'],
    sideInk: '#e8d7b0',
    frame: ['#f8f5ef', '#100e0a'],
    card: ['#ffffff', '#1b1812'],
  },
  'theme-cool': {
    ...plain,
    density: 'compact',
    primary: '#0a6a94',
    radius: 12,
    nav: 'mix',
    tabs: 'pill',
    header: ['#07243a', '#061521'],
    headerEnd: ['#0b5a6b', '#08303a'],
    frame: ['#eaf3f7', '#081017'],
    card: ['#ffffff', '#101c25'],
  },
  'theme-d2': {
    ...plain,
    primary: '#2f5fd0',
    radius: 4,
    nav: 'mix',
    tabs: 'chrome',
    frame: ['#e6ecf3', '#10131a'],
    card: ['#ffffff', '#191e28'],
  },
  'theme-hey': {
    ...plain,
    primary: '#3554d1',
    radius: 6,
    nav: 'rail',
    tabs: 'underline',
    side: ['#20243a', '#12141e'],
    frame: ['#f4f5f9', '#0d0f14'],
    card: ['#ffffff', '#16181f'],
  },
  'theme-lte': {
    ...flush,
    primary: '#256d99',
    radius: 3,
    nav: 'side',
    tabs: 'box',
    header: ['#256d99', '#12303f'],
    side: ['#222d32', '#161c1f'],
    frame: ['#ecf0f5', '#0f1315'],
    card: ['#ffffff', '#181d20'],
  },
} as const satisfies Record<string, ThemeSeed>

export type ThemeName = keyof typeof all

/** The eleven themes, in the order of the dialog. */
export const themeSeeds: Readonly<Record<ThemeName, ThemeSeed>> = all
export const themeNames = Object.keys(themeSeeds) as ThemeName[]
