import type { Bundle } from '../ui/words.ts'

/** The words that offer another page size. */
export const sizeOfferWords = {
  'table.sizeOffer': { zh: '每页显示 {size} {unit}？', en: 'Show {size} per page?' },
  'table.sizeYes': { zh: '好', en: 'Yes' },
  'table.sizeNo': { zh: '仍显示 {size} {unit}', en: 'Keep {size}' },
} satisfies Bundle
