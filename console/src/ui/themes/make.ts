import { defaultTheme } from './default.ts'
import { otherThemes } from './others.ts'
import { seeds, type ThemeName } from './seeds.ts'
import { solve } from './solve.ts'
import type { Theme } from './token.ts'

/** A theme as it ships, or worked out again around a person's own main colour. */
export function makeTheme(name: ThemeName, colour: string | null): Theme {
  const theme = name === 'theme-default' ? defaultTheme : otherThemes[name]
  if (!colour || colour.toLowerCase() === seeds[name].primary) return theme
  return { ...theme, light: solve(seeds[name], 'light', colour), dark: solve(seeds[name], 'dark', colour) }
}
