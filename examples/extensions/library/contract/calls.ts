import { dateValue, defineCall, idOf, integerValue, objectOf, truthValue } from '@data-brain/contract/extension'
import { loan } from './loan.ts'

/** Takes a book back. */
export const returnBook = defineCall({
  method: 'POST',
  path: 'ext-library/loan/return',
  of: loan.name,
  access: { codes: ['library_loan_return'] },
  summary: { zh: '借阅：归还图书', en: 'Loan: take a book back' },
  as: 'json',
  input: { id: idOf(loan.name, { required: true }), returnedOn: dateValue({ required: true }) },
  answer: objectOf({ late: truthValue() }),
})

/** What is lent, as far as the caller works with it. */
export const libraryFigures = defineCall({
  method: 'GET',
  path: 'ext-library/figures',
  of: loan.name,
  access: { codes: ['library_loan_view'] },
  summary: { zh: '借阅：概况', en: 'Loan: how many are lent and overdue' },
  answer: objectOf({ lent: integerValue(), late: integerValue() }),
})
