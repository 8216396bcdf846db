import { idNoFacts, tidyText } from '@data-brain/contract'
import { memberParts, type Part } from '@data-brain/contract/import/student-form'
import type { Values } from '../../../entity/check.ts'
import type { MappedColumn } from './row.ts'

/* What the cells of a row say together, once all of them are read. */

/** A guardian's number under 联系电话 is no number of the pupil's own; under 学生电话 it stands as it was typed. */
export function dropGuardiansNumber(drafts: Record<Part, Values>, columns: readonly MappedColumn[]): void {
  const { heading = '' } = columns.find(({ column }) => column.key === 'student.phone') ?? {}
  const numberOf = (value: unknown): string => (typeof value === 'string' ? tidyText('phone', value) : '')
  const own = numberOf(drafts.student.phone)
  const isGuardians = memberParts.some((part) => own !== '' && numberOf(drafts[part].mobile) === own)
  if (isGuardians && !/学生|本人|student|own/i.test(heading)) delete drafts.student.phone
}

/** What a passport's number looks like in most countries; that of an identity card has 15 or 18 signs. */
const passportNo = /^(?=.*\d{5})[A-Z]{0,2}\d{5,9}[A-Z]?$/
/** A passport of the mainland; H and M before eight figures are permits of Hong Kong and Macao. */
const ownPassport = /^(?:[DEGPS]\d{8}|[DEGPS][A-Z]\d{7})$/
const ofThisCountry: ReadonlySet<unknown> = new Set(['CHN', 'HKG', 'MAC', 'TWN'])

/**
 * A number without a kind is that of a passport where it looks like one and the row, or the heading, says that it may be: of
 * a pupil of another country, or below 身份证/护照号. Of others it stays a number of an identity card, and is asked about.
 */
export function tellPassport({ student: own }: Record<Part, Values>, columns: readonly MappedColumn[]): void {
  if (own.idType !== undefined || typeof own.idNo !== 'string') return
  const number = tidyText('idNo', own.idNo).toUpperCase()
  const { heading = '' } = columns.find(({ column }) => column.key === 'student.idNo') ?? {}
  const isForeign = own.nationality !== undefined && !ofThisCountry.has(own.nationality)
  const isNamed = /护照|passport/i.test(heading)
  if (isForeign ? passportNo.test(number) && number.length < 15 : isNamed && ownPassport.test(number)) own.idType = 'A'
}

/** What a person leaves out because it stands elsewhere in the row; whether somebody became the emergency contact so. */
export function fillIn(drafts: Record<Part, Values>): boolean {
  const { student: own, detail } = drafts
  const member1 =
    memberParts
      .map((part) => drafts[part])
      .find(({ parentName, isEmergency }) => parentName !== undefined && isEmergency !== 0) ?? {}
  const asked = own.birthDate === undefined || own.sex === undefined
  const idNo = asked && typeof own.idNo === 'string' ? tidyText('idNo', own.idNo) : ''
  const isCard = idNo !== '' && (own.idType ?? '1') === '1'
  // The national code of a pupil with an identity card is G and its number.
  const code = asked && typeof own.nationalCode === 'string' ? tidyText('idNo', own.nationalCode) : ''
  const number = isCard ? idNo : (/^G(\d{17}[\dX])$/i.exec(code)?.[1] ?? '')
  const facts = number ? idNoFacts(number) : null
  if (facts) {
    own.birthDate ??= facts.birthDate
    own.sex ??= facts.sex
  }
  if (Object.keys(detail).length > 0 && detail.emergencyName === undefined && member1.parentName !== undefined) {
    detail.emergencyName = member1.parentName
    detail.emergencyPhone ??= member1.mobile
    detail.emergencyRelation ??= member1.relation
    return true
  }
  return false
}
