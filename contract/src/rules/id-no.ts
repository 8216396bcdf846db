import type { Words } from '../field.ts'
import { firstBirth } from './day.ts'

/** The first two digits of a region: the provinces of GB/T 2260, and 83 for residents from Taiwan. */
export const provincePrefixes: ReadonlySet<string> = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83'.split(' '),
)

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** The last sign of an identity number (GB 11643-1999), from the 17 digits before it. */
export function idNoCheckDigit(first17: string): string {
  const sum = weights.reduce((total, weight, at) => total + weight * Number(first17[at]), 0)
  return '10X98765432'[sum % 11] as string
}

/** The day of a birth written as eight digits, as yyyy-MM-dd; null when nobody here was born on it. */
export function dayOf(digits: string): string | null {
  const day = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`
  const instant = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== day) return null
  return day < firstBirth ? null : day
}

/** Today where identity cards are issued. */
const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

/** Judges an identity number alone: shape, region prefix, day of birth, check digit. */
export function checkIdNo(value: string): Words | null {
  if (value.length !== 18) return { zh: '身份证号应为18位', en: 'An identity number has 18 characters' }
  if (!/^\d{17}[\dX]$/.test(value))
    return {
      zh: '身份证号前17位应为数字，最后一位为数字或X',
      en: 'An identity number is 17 digits and a last digit or X',
    }
  const day = dayOf(value.slice(6, 14))
  if (!day || day > today())
    return { zh: '身份证号中的出生日期不存在', en: 'The date of birth inside the identity number does not exist' }
  if (idNoCheckDigit(value.slice(0, 17)) !== value[17])
    return { zh: '身份证号校验位不正确', en: 'The check digit of the identity number is wrong' }
  // 9 opens the number of a foreigner's permanent residence card; the province follows it.
  const prefix = value.startsWith('9') ? value.slice(1, 3) : value.slice(0, 2)
  if (!provincePrefixes.has(prefix))
    return { zh: '身份证号中的地区不存在', en: 'The region inside the identity number does not exist' }
  return null
}

/** What a right identity number says about its bearer; null for a wrong one. `sex` is a key of GB/T 2261.1. */
export function idNoFacts(idNo: string): { birthDate: string; sex: '1' | '2' } | null {
  if (checkIdNo(idNo)) return null
  return { birthDate: dayOf(idNo.slice(6, 14)) as string, sex: Number(idNo[16]) % 2 === 1 ? '1' : '2' }
}

/**
 * The six digits that must be a code of the region table, abolished codes included. Null where no table holds them:
 * a foreigner's permanent residence card, and the residence permit of people from Taiwan (830000).
 */
export function idNoRegion(idNo: string): string | null {
  return idNo.startsWith('9') || idNo.startsWith('83') ? null : idNo.slice(0, 6)
}

/** The words for an identity number whose region (see idNoRegion) is in no table. */
export const regionUnknown: Words = {
  zh: '身份证号前6位不是任何行政区划代码',
  en: 'The first 6 digits of the identity number are no region code',
}

/**
 * Whether an identity number agrees with the rest of the row. What is not given, and a sex of 0 (unknown) or 9 (not
 * stated), contradicts nothing; nor does a wrong number, which checkIdNo has already refused.
 */
export function idNoAgainst(row: {
  idNo?: string | null
  birthDate?: string | null
  sex?: string | null
}): Words | null {
  const facts = row.idNo ? idNoFacts(row.idNo) : null
  if (!facts) return null
  if (row.birthDate && row.birthDate !== facts.birthDate)
    return { zh: '身份证号与出生日期不一致', en: 'The identity number does not agree with the date of birth' }
  if ((row.sex === '1' || row.sex === '2') && row.sex !== facts.sex)
    return { zh: '身份证号与性别不一致', en: 'The identity number does not agree with the sex' }
  return null
}

/**
 * Judges the number of an identity document by its kind (dictionary id_type). Only the resident card has a check
 * digit; of the others nothing more than the signs is known.
 */
export function checkDocumentNo(idType: string, value: string): Words | null {
  if (idType === '1') return checkIdNo(value)
  return /^[A-Za-z0-9()/-]{4,30}$/.test(value)
    ? null
    : { zh: '证件号应为4–30位字母或数字', en: 'A document number is 4–30 letters or digits' }
}
