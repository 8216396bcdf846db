import type { Entity } from './entity.ts'
import type { Words } from './field.ts'

type Counted = Pick<Entity, 'label' | 'measure'>

/** The Chinese measure word with which rows of an entity are counted: 名 for people, 条 unless the definition says another. */
export const measureOf = (entity: Pick<Entity, 'measure'>): string => entity.measure ?? '条'

const plurals = new Intl.PluralRules('en')

/** An English label within a sentence: in lower case, except for what is an abbreviation. */
const lower = (label: string): string => label.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())

/** Regular English plural: classes, histories, students; what ends in s is taken as it is. */
function pluralOf(noun: string): string {
  if (/(ss|ch|sh|x)$/.test(noun)) return `${noun}es`
  if (noun.endsWith('s')) return noun
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** So many rows of an entity, within a sentence: `51 名学生`, `51 students`. */
export function countOf(entity: Counted, count: number): Words {
  const noun = lower(entity.label.en)
  return {
    zh: `${count} ${measureOf(entity)}${entity.label.zh}`,
    en: `${count} ${plurals.select(count) === 'one' ? noun : pluralOf(noun)}`,
  }
}

/** One row within a sentence, where it is spoken of alone: `该班`, `this class`. */
export const thisOne = (entity: Pick<Entity, 'label' | 'short'>): Words => ({
  zh: `该${entity.short ?? entity.label.zh}`,
  en: `this ${lower(entity.label.en)}`,
})
