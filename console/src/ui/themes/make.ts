import { defaultTheme } from './default.ts'
import { otherThemes } from './others.ts'
import { type ThemeName, themeSeeds } from './seeds.ts'
import { solveTheme } from './solve.ts'
import type { Theme } from './token.ts'

/** A theme as it ships, or worked out again around a person's own main colour. */
export function makeTheme(name: ThemeName, colour: string | null): Theme {
  const theme = name === 'theme-default' ? defaultTheme : otherThemes[name]
  if (!colour || colour.toLowerCase() === themeSeeds[name].primary) return theme
  return {
    ...theme,
    light: solveTheme(themeSeeds[name], 'light', colour),
    dark: solveTheme(themeSeeds[name], 'dark', colour),
  }
}
