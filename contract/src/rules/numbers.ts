import type { Words } from '../field.ts'
import { checkIdNo, dayOf, provincePrefixes } from './id-no.ts'

export * from './mobile.ts'

/** A mobile number, or a landline with its area code and extension. No landline begins with 1: that is half a mobile. */
export function checkPhone(value: string): Words | null {
  return /^1[3-9]\d{9}$/.test(value) || /^(0\d{2,3}-?)?[02-9]\d{6,7}(-\d{1,6})?$/.test(value)
    ? null
    : { zh: '电话号码格式不正确', en: 'The telephone number is not well formed' }
}

const usccSigns = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const usccWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** Unified social credit code (GB 32100-2015): 18 signs without I, O, S, V, Z, the last a check over base 31. */
export function checkUscc(value: string): Words | null {
  if (value.length !== 18 || [...value].some((sign) => !usccSigns.includes(sign)))
    return {
      zh: '统一社会信用代码应为18位数字或大写字母（不含I、O、S、V、Z）',
      en: 'A unified social credit code is 18 digits or capital letters (not I, O, S, V, Z)',
    }
  const sum = usccWeights.reduce((total, weight, at) => total + weight * usccSigns.indexOf(value[at] as string), 0)
  return usccSigns[(31 - (sum % 31)) % 31] === value[17]
    ? null
    : { zh: '统一社会信用代码校验位不正确', en: 'The check digit of the unified social credit code is wrong' }
}

/** The kinds of school with which a school code begins. */
export const schoolCategories: ReadonlySet<string> = new Set(
  '11 21 22 31 32 33 34 35 36 37 41 42 51 91 92 93'.split(' '),
)

/** The ten-digit code of a school: kind, province, six digits of sequence; it has no check digit. */
export function checkSchoolCode(value: string): Words | null {
  if (!/^\d{10}$/.test(value)) return { zh: '学校标识码应为10位数字', en: 'A school code has 10 digits' }
  if (!schoolCategories.has(value.slice(0, 2)))
    return { zh: '学校标识码前2位不是学校类别', en: 'The first 2 digits of the school code are no kind of school' }
  return provincePrefixes.has(value.slice(2, 4)) && value.slice(2, 4) !== '83'
    ? null
    : { zh: '学校标识码第3–4位不是省级代码', en: 'Digits 3–4 of the school code are no province' }
}

/**
 * The national student code: G and the pupil's own identity number; J (no identity card) or L (temporary) and region,
 * day of birth and four more signs. How the last sign of a J code is made is not published, so it is not judged.
 */
export function checkNationalCode(value: string): Words | null {
  if (!/^[GJL]\d{17}[\dX]$/.test(value))
    return {
      zh: '全国学籍号应为G、J或L加18位证件号',
      en: 'A national student code is G, J or L and 18 digits (the last may be X)',
    }
  if (value.startsWith('G')) return checkIdNo(value.slice(1))
  if (!provincePrefixes.has(value.slice(1, 3)))
    return { zh: '学籍号中的地区不存在', en: 'The region inside the national student code does not exist' }
  return dayOf(value.slice(7, 15))
    ? null
    : { zh: '学籍号中的出生日期不存在', en: 'The date of birth inside the national student code does not exist' }
}

/** Whether a G code carries the identity number of the same row; what is not given contradicts nothing. */
export function nationalCodeAgainst(row: { nationalCode?: string | null; idNo?: string | null }): Words | null {
  if (!row.idNo || !row.nationalCode?.startsWith('G') || row.nationalCode.slice(1) === row.idNo) return null
  return { zh: '学籍号与身份证号不一致', en: 'The national student code does not agree with the identity number' }
}
