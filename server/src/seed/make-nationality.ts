/**
 * Writes contract/src/dictionaries/nationality.ts from the names of i18n-iso-countries. Run by hand after that package
 * was updated: node server/src/seed/make-nationality.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const read = (name: string): unknown => JSON.parse(readFileSync(require.resolve(`i18n-iso-countries/${name}`), 'utf8'))
const namesIn = (language: string) =>
  (read(`langs/${language}.json`) as { countries: Record<string, string | string[]> }).countries

const zh = namesIn('zh')
const en = namesIn('en')

/** Names that a Chinese school writes otherwise than the package does; first one: it is also the first of the list. */
const preferred: Record<string, { zh: string; en: string }> = {
  CHN: { zh: '中国', en: 'China' },
  HKG: { zh: '中国香港', en: 'Hong Kong, China' },
  MAC: { zh: '中国澳门', en: 'Macao, China' },
  TWN: { zh: '中国台湾', en: 'Taiwan, China' },
}

const shortest = (names: string | string[] | undefined): string =>
  typeof names === 'string' ? names : ((names ?? [])[0] ?? '')

const countries = (read('codes.json') as [string, string, string][])
  // Kosovo has no code in ISO 3166: X codes are for private use.
  .filter(([, alpha3]) => !alpha3.startsWith('X'))
  .map(([alpha2, alpha3]) => ({
    key: alpha3,
    zh: shortest(zh[alpha2]),
    en: shortest(en[alpha2]),
    ...preferred[alpha3],
  }))
  .sort((a, b) => Number(b.key in preferred) - Number(a.key in preferred) || (a.key < b.key ? -1 : 1))

const nameless = countries.filter((country) => !country.zh || !country.en)
if (nameless.length > 0) throw new Error(`No name in both languages: ${nameless.map(({ key }) => key).join(' ')}`)

writeFileSync(
  new URL('../../../contract/src/dictionaries/nationality.ts', import.meta.url),
  `// Made by server/src/seed/make-nationality.ts from i18n-iso-countries (MIT). Change the maker, not this file.
import { editable } from './dictionary.ts'

export const nationality = editable(
  'nationality',
  '国籍/地区',
  'Nationality or region',
  \`${countries.map((country) => `${country.key}|${country.zh}|${country.en}`).join('\n   ')}\`,
  'ISO 3166-1 alpha-3',
)
`,
)
console.log(`${countries.length} countries and regions`)
