import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { themeFiles } from '../scripts/theme-files.ts'
import { themeWords } from '../src/locales/theme.ts'
import { defaultWish, keepLook, lookStore, lookWish, showLook, startTheme, themeCss } from '../src/ui/theme.ts'
import { contrastRatio } from '../src/ui/themes/colour.ts'
import { makeTheme } from '../src/ui/themes/make.ts'
import { pairsOf } from '../src/ui/themes/pairs.ts'
import { themeNames, themeSeeds } from '../src/ui/themes/seeds.ts'
import { solveTheme } from '../src/ui/themes/solve.ts'

const files = import.meta.glob<string>('../src/ui/themes/*.ts', { query: '?raw', import: 'default', eager: true })
const schemes = ['light', 'dark'] as const
const sets = themeNames.flatMap((name) => schemes.map((scheme) => [name, scheme] as const))

describe('R-BAR-5 the themes', () => {
  it('are those of the specification, in its order, each with a name in both languages', () => {
    expect(themeNames.map((name) => name.replace('theme-', ''))).toEqual([
      ...['default', 'white', 'dark', 'colourful', 'smart', 'iview', 'vip', 'cool', 'd2', 'hey', 'lte'],
    ])
    expect(defaultWish.theme).toBe('theme-default')
    expect(themeSeeds['theme-default'].primary).toBe('#0e64f4')
    for (const name of themeNames) expect(themeWords[`theme.${name}`]).toBeDefined()
  })

  it('are what the script makes of the seeds', () => {
    for (const [name, text] of Object.entries(themeFiles()))
      expect(files[`../src/ui/themes/${name}`], 'node console/scripts/themes.mjs').toBe(text)
  })

  it('knows contrast as WCAG defines it', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBe(21)
    expect(contrastRatio('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrastRatio('#0e64f4', '#0e64f4')).toBe(1)
  })

  it.each(sets)('%s %s can be read in every pair: text 4.5, shapes 3', (name, scheme) => {
    const pairs = pairsOf(makeTheme(name, null)[scheme])
    expect(pairs.length).toBeGreaterThan(55)
    expect(pairs.filter((pair) => pair.ratio < pair.least)).toEqual([])
  })

  it('differ in more than their colours: no two share header, sidebar, tabs, corners and place of the sidebar', () => {
    const marks = themeNames.map((name) => {
      const { light, tabs, nav, radius } = makeTheme(name, null)
      return [light.header, light.headerEnd, light.side, tabs, nav, radius].join()
    })
    expect(new Set(marks).size).toBe(11)
    const shapes = themeNames.map((name) => themeSeeds[name])
    expect(new Set(shapes.map(({ tabs }) => tabs)).size).toBe(6)
    expect(new Set(shapes.map(({ nav }) => nav)).size).toBe(3)
  })
})

describe('R-BAR-5 a colour of one’s own', () => {
  it('can be read whatever it is, in every theme and scheme', () => {
    // 5,832 colours over the whole cube, each in one theme and both schemes.
    const steps = Array.from({ length: 18 }, (_, at) => at * 15)
    const hex = (part: number) => part.toString(16).padStart(2, '0')
    const bad: string[] = []
    let at = 0
    for (const r of steps)
      for (const g of steps)
        for (const b of steps) {
          const colour = `#${hex(r)}${hex(g)}${hex(b)}`
          const name = themeNames[at++ % themeNames.length]!
          for (const scheme of schemes)
            for (const pair of pairsOf(solveTheme(themeSeeds[name], scheme, colour)))
              if (pair.ratio < pair.least) bad.push(`${name} ${scheme} ${colour}: ${pair.name} ${pair.ratio}`)
        }
    expect(at).toBe(5832)
    expect(bad).toEqual([])
  }, 60_000)

  it('stays as it is where it can be read, and is moved no further than need be where not', () => {
    expect(solveTheme(themeSeeds['theme-default'], 'light', '#0B7A6C').fill).toBe('#0b7a6c')
    const pale = solveTheme(themeSeeds['theme-default'], 'light', '#9fd8ff').fill
    expect(pale).not.toBe('#9fd8ff')
    expect(contrastRatio(pale, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrastRatio(pale, '#ffffff')).toBeLessThan(5)
  })
})

describe('R-BAR-5 choices', () => {
  beforeEach(() => localStorage.clear())
  afterEach(() => showLook(defaultWish))

  it('are shown at once, kept per person, and painted at the next start before any code of the theme is here', async () => {
    startTheme('7')
    await keepLook({ theme: 'theme-vip', scheme: 'dark', density: 'compact', colour: null })
    const { dataset } = document.documentElement
    expect(dataset).toMatchObject({ theme: 'theme-vip', scheme: 'dark', density: 'compact', tabs: 'underline' })
    const stored = (name: string) => JSON.parse(localStorage.getItem(`databrain-${name}`) ?? '{}').content
    expect(stored('look:7')).toEqual({ theme: 'theme-vip', scheme: 'dark', density: 'compact', colour: null })

    await showLook(defaultWish)
    expect(dataset.theme).toBe('theme-default')
    startTheme('7')
    // Without waiting for anything.
    expect(lookStore.get().tokens).toEqual(makeTheme('theme-vip', null).dark)
    startTheme('8')
    await expect.poll(() => lookStore.get().theme).toBe('theme-default')
  })

  it('can be tried without being kept', async () => {
    startTheme('7')
    await showLook({ ...defaultWish, theme: 'theme-lte' })
    expect(lookStore.get().theme).toBe('theme-lte')
    expect(localStorage.getItem('databrain-look:7')).toBeNull()
  })

  it('survive being written by hand', async () => {
    localStorage.setItem(
      'databrain-look:9',
      JSON.stringify({ content: { theme: 'theme-none', scheme: 'blue', density: 'huge', colour: 'red;}' } }),
    )
    startTheme('9')
    expect(lookWish.get()).toEqual({ ...defaultWish, theme: 'theme-none' })
    await Promise.resolve()
    expect(lookStore.get().theme).toBe('theme-default')
    expect(themeCss(lookStore.get())).toContain('--fill:#0e64f4')
  })
})
