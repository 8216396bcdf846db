import { type Entity, type Field, natureOf, type Words } from '@data-brain/contract'
import type { ReportField } from '@data-brain/contract/report'
import type { Tx } from '../../database/transaction.ts'
import { modelOf } from '../../entity/model.ts'
import { dictionariesOf } from '../system/index.ts'
import type { KeyWords } from './fold.ts'

type Language = keyof Words

/** What a group of rows without a value is called. */
export const noneWords: Words = { zh: '（空）', en: '(none)' }
const flags: readonly Words[] = [
  { zh: '否', en: 'No' },
  { zh: '是', en: 'Yes' },
]

/** Says values in words: what each of these fields can hold is looked up once. */
export interface ReportWords {
  readonly key: KeyWords
  /** What a cell of a list shows: a number as it is, anything else as a text. */
  cell(field: ReportField, value: unknown, name: unknown): string | number | null
}

/** The words of what the values of these fields mean, in a language. */
export async function wordsFor(
  tx: Tx,
  tenantId: string,
  fields: readonly ReportField[],
  language: Language,
): Promise<ReportWords> {
  const dictionaries = new Map<string, string>()
  const byEntity = Map.groupBy(fields, ({ of }) => of)
  for (const [entity, some] of byEntity) {
    const names = some.map(({ path }) => path.split('.').at(-1)!)
    for (const [key, word] of await dictionariesOf(tx, tenantId, modelOf(entity as Entity), names, language))
      dictionaries.set(key, word)
  }
  const said = ({ kind, dict }: Field, value: string, name: unknown): string => {
    const nature = natureOf(kind)
    if (nature === 'key') return dictionaries.get(`${dict}|${value}`) ?? value
    if (nature === 'flag') return flags[Number(value) === 1 ? 1 : 0]![language]
    if (nature === 'row' || nature === 'region') return typeof name === 'string' && name !== '' ? name : value
    return value
  }
  return {
    key: ({ field }, key, name) => (key === null || key === '' ? noneWords[language] : said(field, key, name)),
    cell: ({ field }, value, name) => {
      if (value === null || value === undefined || value === '') return null
      return natureOf(field.kind) === 'number' ? Number(value) : said(field, String(value), name)
    },
  }
}

/** Whether some value of a choice or a flag is called so; of other fields nothing is known beforehand. */
export async function isWordOf(
  tx: Tx,
  tenantId: string,
  { field, of, path }: ReportField,
  word: string,
  language: Language,
): Promise<boolean> {
  const nature = natureOf(field.kind)
  if (nature === 'flag') return flags.some((each) => each[language] === word)
  if (nature !== 'key') return true
  const words = await dictionariesOf(tx, tenantId, modelOf(of), [path.split('.').at(-1)!], language)
  return [...words].some(([key, each]) => each === word && key.startsWith(`${field.dict}|`))
}
