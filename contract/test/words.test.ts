import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rules } from '../src/rules.ts'

/** Every pair of words that the contract holds, wherever it stands. */

interface Pair {
  readonly place: string
  readonly zh: string
  readonly en: string
}

const han = /\p{Script=Han}/u
const holes = (text: string): string =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join()
/** What the consoles of others call their own things, in Chinese too. */
const namesOfOthers = new Set(['APIKEY', 'SDK AppID'])

const pairs: Pair[] = []

function collect(value: unknown, place: string, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const { zh, en } = value as Partial<Pair>
  if (zh !== undefined || en !== undefined) pairs.push({ place, zh: String(zh ?? ''), en: String(en ?? '') })
  for (const [name, each] of Object.entries(value)) collect(each, `${place}.${name}`, seen)
}

const folder = new URL('../src/', import.meta.url)
const seen = new Set<unknown>()
// The index holds all of it again.
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts') || file === 'index.ts') continue
  const module = (await import(new URL(file, folder).href)) as Record<string, unknown>
  for (const [name, value] of Object.entries(module)) collect(value, `${file} ${name}`, seen)
}

describe('the words of the contract', () => {
  it('R-BAR-4 are there in both languages, with the same holes', () => {
    // Problems, dictionaries, entities with fields, help and groups, menus and buttons, parameters, services.
    expect(pairs.length).toBeGreaterThan(1_500)
    for (const part of ['problem.ts', 'menus.ts', 'parameters.ts', 'dictionaries', 'sms.ts', 'entities/'])
      expect(pairs.filter(({ place }) => place.startsWith(part)).length, part).toBeGreaterThan(5)
    const wrong = pairs.filter(({ zh, en }) => !zh.trim() || !en.trim() || holes(zh) !== holes(en))
    expect(wrong).toEqual([])
  })

  it('R-BAR-4 hold no Chinese sign in English', () => {
    expect(pairs.filter(({ en }) => han.test(en) || /[\uff00-\uff60\u3000-\u303f]/.test(en))).toEqual([])
  })

  it('R-BAR-4 have the apostrophe of print in English', () => {
    expect(pairs.filter(({ en }) => /\p{L}'\p{L}/u.test(en))).toEqual([])
  })

  it('R-BAR-4 are Chinese in Chinese, but for names that are written the same', () => {
    const isSigns = (text: string): boolean => !/\p{L}/u.test(text.replace(/\{\w+\}/g, ''))
    const wrong = pairs.filter(({ zh, en }) => !han.test(zh) && zh !== en && !isSigns(zh) && !namesOfOthers.has(zh))
    expect(wrong).toEqual([])
  })

  it('R-BAR-4 say what a rule refuses in both languages', () => {
    const bad = [
      '',
      '!',
      'a',
      '1',
      '中',
      '110101199001010011',
      '110101199013010011',
      '0'.repeat(18),
      '12345678901',
      '@',
      'ftp://x',
      'x'.repeat(300),
    ]
    let refused = 0
    for (const [name, rule] of Object.entries(rules))
      for (const value of bad) {
        const words = rule.check(value)
        if (!words) continue
        refused += 1
        expect(han.test(words.zh), `${name} ${value}: ${words.zh}`).toBe(true)
        expect(han.test(words.en) || words.en === '', `${name} ${value}: ${words.en}`).toBe(false)
      }
    expect(refused).toBeGreaterThan(40)
  })
})
