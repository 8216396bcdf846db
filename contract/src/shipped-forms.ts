import type { Words } from './field.ts'

/** Forms that come with the product, to be taken over and changed: what each is called, and of which rows it is filled. */
export const shippedForms = {
  recordCard: { label: { zh: '学籍卡', en: 'Student record card' }, subject: 'student' },
  enrolment: { label: { zh: '在读证明', en: 'Certificate of enrolment' }, subject: 'student' },
  transfer: { label: { zh: '转学联系函', en: 'Letter of transfer' }, subject: 'student' },
  classList: { label: { zh: '班级花名册', en: 'Class list' }, subject: 'student' },
} as const satisfies Readonly<Record<string, { readonly label: Words; readonly subject: string }>>
export type ShippedForm = keyof typeof shippedForms
export const shippedFormKeys = Object.keys(shippedForms) as unknown as readonly [ShippedForm, ...ShippedForm[]]
