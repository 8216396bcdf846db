import { foldHeading } from '@data-brain/contract/import/form'
import type { Part, StudentColumn } from '@data-brain/contract/import/student-form'
import type { ModelField } from '../../../entity/model.ts'
import { withoutLetter } from './cell.ts'
import { type FileLookups, flagWords, foldWord } from './lookups.ts'
import { models } from './row.ts'

/*
 * What a cell says together with the heading above it.
 */

/**
 * 否 under a heading that is a value itself says that the pupil is not that: 是否团员, 少先队员. Who is no Young Pioneer
 * in a primary school, and no League member in a senior high school, is none of the other either; in between a pupil may
 * be, so that nothing is known.
 */
export function isNotMember(
  text: string,
  heading: string | undefined,
  { part, field }: StudentColumn,
  lookups: FileLookups,
): string {
  if (!heading || part !== 'student' || field !== 'politics' || flagWords.get(foldWord(text)) !== 0) return ''
  const words = lookups.choices.get('politics')
  return words?.has(foldWord(text)) ? '' : (words?.get(foldHeading(heading)) ?? '')
}
/** The stage in which who is not the one is not the other either, by the key of 少先队员 and of 共青团员. */
export const onlyOther: Readonly<Record<string, string>> = { '90': '2', '03': '4' }
export const offeredAs = (id: unknown, { offered }: FileLookups) => offered.filter((grade) => grade.id === id)

/** Headings of those who sleep at home, and of nobody else. */
const ofDayPupils = /^(?:走读|通校|通学|跑校|外宿)生?$/

/** 是 under a heading that is a value itself says that value: 是否团员, 少先队员. */
export function yesMeans(
  text: string,
  heading: string | undefined,
  { part, field }: StudentColumn,
  lookups: FileLookups,
): string {
  const kind = part in models ? models[part as Part].byName.get(field) : undefined
  const flag = heading && kind ? flagWords.get(foldWord(text)) : undefined
  if (!heading || flag === undefined) return (heading && kind && answerTo(text, heading, kind, lookups)) || text
  const words = lookups.choices.get(models[part as Part].byName.get(field)?.dict ?? '')
  const folded = foldHeading(heading)
  // 否 below 是否走读 is 住校, and 否 below 是否住宿 is 走读.
  if (field === 'studyWay' && ofDayPupils.test(folded)) return flag === 1 ? '走读' : '住校'
  // 政治面貌 无 is 群众, as the dictionary itself says in English; 是否团员 否 may be a Young Pioneer.
  if (flag === 0)
    return field === 'politics' && /^政治面[貌目]$/.test(folded) && !words?.has(foldWord(text)) ? '群众' : text
  return words?.has(folded) && !words.has(foldWord(text)) ? folded : text
}

/**
 * 是 or 否 where a cell answers in the words of the question: 不需要 under 是否需要校车, 建档立卡户 under 是否建档立卡, 不住 under
 * 是否住校.
 */
function answerTo(text: string, heading: string, field: ModelField, { choices }: FileLookups): string | undefined {
  const words = choices.get(field.dict ?? '')
  if (field.kind !== 'flag' && !(words?.has('是') && words.has('否'))) return undefined
  const said = foldWord(withoutLetter(text))
  if (said.length > 10 || words?.has(said)) return undefined
  const asked = foldHeading(heading)
  const isAsked = (word: string): boolean => asked.includes(word) || (asked.length > 1 && word.includes(asked))
  const not = /^(?:不是|不|没有?|未|非|无)(.+)$/.exec(said)?.[1]
  if (not !== undefined) return isAsked(not) ? '否' : undefined
  return said.length > 1 && isAsked(said) ? '是' : undefined
}
