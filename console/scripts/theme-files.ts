import { type ThemeName, type ThemeSeed, themeNames, themeSeeds } from '../src/ui/themes/seeds.ts'
import { solveTheme } from '../src/ui/themes/solve.ts'
import type { Theme } from '../src/ui/themes/token.ts'

const first = 'theme-default'

function themeOf(name: ThemeName): Theme {
  const seed: ThemeSeed = themeSeeds[name]
  const { radius, tabs, nav, sheet, density, prefer } = seed
  const shape = { radius, tabs, nav, sheet, density, ...(prefer ? { prefer } : {}) }
  return { ...shape, light: solveTheme(seed, 'light'), dark: solveTheme(seed, 'dark') }
}

const plainName = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

function literal(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `'${value}'` : String(value)
  const inner = '  '.repeat(depth + 1)
  const lines = Object.entries(value).map(
    ([name, part]) => `${inner}${plainName(name)}: ${literal(part, depth + 1)},\n`,
  )
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`
}

const head = '// Written by scripts/themes.mjs from seeds.ts: change the seeds, not this file.\n'

/** What the files of colours in src/ui/themes must hold, by name. */
export function themeFiles(): Readonly<Record<string, string>> {
  const others = Object.fromEntries(themeNames.filter((name) => name !== first).map((name) => [name, themeOf(name)]))
  return {
    'default.ts': `${head}import type { Theme } from './token.ts'\n\nexport const defaultTheme: Theme = ${literal(themeOf(first))}\n`,
    'others.ts': `${head}import type { ThemeName } from './seeds.ts'\nimport type { Theme } from './token.ts'\n\nexport const otherThemes: Readonly<Record<Exclude<ThemeName, '${first}'>, Theme>> = ${literal(others)}\n`,
  }
}
