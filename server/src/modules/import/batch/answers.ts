import { foldClassName, isOfAnyGrade, readClass } from '@data-brain/contract/import/class-name'
import type { DayOrder } from '@data-brain/contract/rules/day'
import type { Model } from '../../../entity/model.ts'
import type { Context } from '../../../entity/repository.ts'
import type { Cipher } from '../../../kernel/cipher.ts'
import { orderOf } from '../file/day-order.ts'
import { sourceOf } from '../file/kept-cells.ts'
import type { Batch } from './batch.ts'
import { spanOfDays } from './cell.ts'
import { flagWords, foldWord } from './lookups.ts'

/** What was said once for all rows, and for all cells that say the same. */
export interface ImportAnswers {
  /** A text for every row, by column of the form. */
  readonly fixed: Readonly<Record<string, string>>
  /** What to read in place of a cell that cannot be read; an empty text for nothing. Undefined where nothing was said. */
  instead(key: string, text: string): string | undefined
  /** The word as it is kept, where what is read in place of the cell was answered in an earlier file. */
  learned(key: string, text: string): string | undefined
  readonly hidden: 'take' | 'leave' | undefined
  /** Whether rows with this cell are left out. */
  leavesOut(key: string, text: string): boolean
}

/** A class that names no grade is one of those who entered in that year, where a column says when. */
function enteredIn(key: string, text: string, said: (key: string) => string | undefined): string | undefined {
  if (key !== 'student.classId' || said('student.gradeId')?.trim()) return undefined
  const year = /^(20\d{2})(?:\D|\d{2}$|\d{4}$|$)/.exec(said('student.enrollDate')?.trim() ?? '')?.[1]
  return year && readClass(text).slice(0, 1).some(isOfAnyGrade) ? `${year}年入学` : undefined
}

/** What a word of a column is asked about as: all of its spellings are one question, and have one answer. */
export const foldAsked = (key: string, text: string): string =>
  foldWord(key.endsWith('.classId') ? foldClassName(text) : text)

/** Whether what a word means depends on the school or its file: 是, a letter or a figure, a class, a grade, a pupil. */
const isOfSchool = (key: string, text: string): boolean =>
  /\.(classId|gradeId|name)$/.test(key) ||
  flagWords.has(foldWord(text)) ||
  /^[\p{Script=Latin}\p{N}\p{P}\p{S}]{1,2}$/u.test(text.normalize('NFKC').trim()) ||
  [...text.trim()].length === 1

/** Whose words these are: those that depend on the school are kept for it alone. */
export interface WordsOf {
  readonly cipher: Cipher
  readonly tenantId: string
  readonly schoolId: string | undefined
}

/** A word of a cell as an answer is kept for it: the file's own words stay sealed. */
export const wordHash = (key: string, text: string, { cipher, tenantId, schoolId }: WordsOf): string =>
  cipher
    .hash((schoolId && isOfSchool(key, text) ? `${schoolId}|` : '') + foldAsked(key, text), tenantId)
    .toString('base64url')
    .slice(0, 22)

/** Columns that say within what the word of another is meant: 1班 of 三年级 and of 四年级 are two classes. */
const withinOf: Readonly<Record<string, readonly string[]>> = {
  'student.classId': ['student.gradeId', 'check.major'],
  'student.name': ['student.gradeId', 'student.classId'],
  'teacherclass.classId': ['ref.grade'],
}

/** What a cell says, with what it is meant within: the same words mean the same in every row. */
export const wordOf = (key: string, text: string, said: (key: string) => string | undefined): string =>
  [...(withinOf[key] ?? []).map((each) => said(each)?.trim()), enteredIn(key, text, said), text]
    .filter(Boolean)
    .join(' ')

/** What was said once, out of the settings of a batch. */
export function answersOf(
  { fixed = {}, answers = {}, hidden, schoolId }: Batch['settings'],
  { cipher, actor }: Pick<Context, 'cipher' | 'actor'>,
): ImportAnswers {
  const of = { cipher, tenantId: actor.tenantId, schoolId }
  const said = (key: string, text: string) => {
    const own = answers[key]
    return own?.[wordHash(key, text, of)]
  }
  return {
    fixed,
    hidden,
    instead: (key, text) => said(key, text)?.as,
    learned: (key, text) => (said(key, text)?.learned ? wordHash(key, text, of) : undefined),
    leavesOut: (key, text) => said(key, text)?.out === true,
  }
}

/** How the days of columns are read: as their own rows decide, else as somebody said. */
export async function ordersOf(
  { tx, actor, cipher }: Context,
  batch: Batch,
  models: Readonly<Record<string, Model>>,
): Promise<Record<string, DayOrder>> {
  const source = await sourceOf(tx, cipher, actor.tenantId, batch.id)
  const orders: Record<string, DayOrder> = {}
  for (const [at, key] of Object.entries(batch.mapping)) {
    const [part = '', name = ''] = key.split('.')
    const field = models[part]?.byName.get(name)
    if (field?.kind !== 'date') continue
    const order = orderOf(source?.columns[Number(at)]?.facts.order, spanOfDays(field), batch.settings.orders?.[at])
    if (order) orders[at] = order
  }
  return orders
}
