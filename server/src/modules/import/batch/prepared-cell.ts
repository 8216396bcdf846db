import type { ModelField } from '../../../entity/model.ts'
import { saysNothing, tidyName } from './cell-words.ts'
import { type FileLookups, flagWords, foldWord } from './lookups.ts'
import { regionWithin } from './region-names.ts'

/*
 * What a cell says before it is read: whether anything at all, and as which text its field takes it.
 */

/** Whether a cell says nothing. 无 is a value where the dictionary has it. */
export function isNothing(text: string, field: ModelField, lookups: FileLookups): boolean {
  if (text === '') return true
  if (field.name === 'idExpire' && forGood.test(text)) return true
  if (answersNo.has(field.name) && noneKnown.test(text.normalize('NFKC').trim())) return true
  if (!saysNothing(text)) return false
  if (field.kind === 'choice') return lookups.choices.get(field.dict ?? '')?.get(foldWord(text)) === undefined
  return field.kind === 'flag' ? !flagWords.has(foldWord(text)) && !flagWords.has(text) : true
}

/** Fields of numbers, in whose place words say why there is none. */
export const isNumber: ReadonlySet<string> = new Set(['idNo', 'mobile', 'otherPhone', 'phone', 'nationalCode'])

/** Where a question is answered with what there is, or that there is nothing. */
const answersNo: ReadonlySet<string> = new Set(['allergy', 'medicalHistory', 'medication'])
const noneKnown =
  /^(否|没有过敏|无过敏|无过敏史|无过敏原|无病史|无既往病史|健康|no|none known|no known allergies|nka|nkda)$/i

/** What says that a paper holds for good: 长期, 2008.08.08-长期. */
const forGood = /(长期|长期有效|永久|永久有效|long[- ]?term)$/i
/** From when until when a paper holds, as the national form writes it: 20080808-20180808. */
const fromUntil = /^(?:\d{8}|\d{4}\D{1,2}\d{1,2}\D{1,2}\d{1,2}日?)\s*[-–—―－~～至到]+\s*(\d{4}.*)$/

/** School years begin in autumn: 2025年秋, 2025秋季学期; and so does what only names the year of entry: 2025, 2025级. */
const autumn = /^(20\d{2})\s*(?:年?\s*秋季?(?:学期|入学)?|年|级)?$/

/** A text as the reader of its field takes it. */
export function preparedText(text: string, field: ModelField, lookups: FileLookups): string {
  if (field.rule === 'personName') return tidyName(text)
  if (field.kind === 'region') return regionText(text, lookups)
  if (field.name === 'enrollDate') return autumn.exec(text.normalize('NFKC').trim())?.[1]?.concat('-09') ?? text
  if (field.name === 'idExpire') return fromUntil.exec(text.trim())?.[1] ?? text
  return text
}

/** The code of a region where the text is an address that begins with it. */
export function regionText(text: string, lookups: FileLookups): string {
  const name = foldWord(text)
  if (/^\d+$/.test(name) || lookups.regionNames.get(name)) return text.trim()
  return regionWithin(text, lookups) ?? text.trim()
}

/** The month of a text that names no day: 2015.03, 201503, 2015年3月, 15.3; a short year has two figures. */
export function monthOf(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .trim()
    .replace(/(?<=月)(?:出生|生)$/, '')
  const found = /^(\d{4}|\d{2})\s*[-/.年]\s*(\d{1,2})\s*月?$/.exec(plain) ?? /^((?:19|20)\d{2})(\d{2})$/.exec(plain)
  return found ? `${found[1]}-${found[2]!.padStart(2, '0')}` : undefined
}
