import { area, integer, json, reference } from '../field.ts'

// Fields that many entities share word for word. Statuses are small numbers, so the dictionaries that give them
// meaning are keyed '0', '1', '2', '12' … even where a standard (JY/T 1001) writes two digits, '01'.

/** The school a row belongs to: chosen when the row is made, for good. */
export const schoolId = reference('学校', 'School', 'school', { required: true, fixed: true })

/** The school of a row that hangs on a parent row: the server copies it from there. */
export const parentSchoolId = reference('学校', 'School', 'school', { required: true, computed: true })

/** What kind of document proves who somebody is, and its number: one box of a form. */
export const identityDocument = {
  label: { zh: '证件', en: 'Identity document' },
  fields: ['idType', 'idNo'],
} as const

export const sort = integer('排序', 'Sort order', { min: 0, max: 9999, default: 0 })

export const remark = area('备注', 'Remarks', { max: 500 })

/** What the fields of a tenant's own hold, by the ids of these; rows show each under a name of its own (custom.ts). */
export const custom = json('自定义信息', 'Custom fields', { required: true, computed: true, inner: true })
