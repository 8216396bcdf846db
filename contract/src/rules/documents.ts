import type { Field, Words } from '../field.ts'
import { checkDocumentNo, idNoAgainst } from './id-no.ts'
import { nationalCodeAgainst } from './numbers.ts'

/** Texts of a row by the names of its fields; null where one is not given. */
export type Texts = Readonly<Record<string, string | null>>

/** The fields that take part. */
export const documentFields = ['idType', 'idNo', 'birthDate', 'sex', 'nationalCode'] as const

/** What is wrong with the documents of the person that a row is about, of those that the touched fields take part in. */
export function documentFaults(
  fields: Readonly<Record<string, Pick<Field, 'rule' | 'default'>>>,
  row: Texts,
  touches: (...names: string[]) => boolean = () => true,
): { readonly field: string; readonly reason: Words }[] {
  const faults: { field: string; reason: Words }[] = []
  const { idNo, idType, nationalCode } = row
  if (fields.idNo?.rule === 'idNo' && idNo && touches('idNo', 'idType', 'birthDate', 'sex')) {
    const reason =
      checkDocumentNo(idType ?? '1', idNo) ??
      ((idType ?? '1') === '1' ? idNoAgainst({ idNo, birthDate: row.birthDate ?? null, sex: row.sex ?? null }) : null)
    if (reason) faults.push({ field: 'idNo', reason })
  }
  // Where numbers are told apart within their kind, one without it would be told apart from none.
  if (fields.idType?.default !== undefined && idNo && !idType && touches('idNo', 'idType'))
    faults.push({
      field: 'idType',
      reason: { zh: '填写了证件号，请选择证件类型', en: 'must be chosen, as there is a number' },
    })
  if (fields.nationalCode?.rule === 'nationalCode' && nationalCode && touches('nationalCode', 'idNo')) {
    const reason = nationalCodeAgainst({ nationalCode, idNo: idType === '1' && idNo ? idNo : null })
    if (reason) faults.push({ field: 'nationalCode', reason })
  }
  return faults
}
