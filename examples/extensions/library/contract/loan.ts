import { choice, date, defineEntity, reference, schoolId } from '@data-brain/contract/extension'
import { book } from './book.ts'

/** A book that a student has, or had. Whoever works with some students only sees the loans of these. */
export const loan = defineEntity({
  name: 'library_loan',
  path: 'ext-library/loan',
  label: { zh: '借阅', en: 'Loan' },
  ownership: 'school',
  title: 'bookId',
  beside: ['studentId'],
  fields: {
    schoolId,
    bookId: reference('图书', 'Book', book.name, { required: true, fixed: true }),
    studentId: reference('学生', 'Student', 'student', { required: true, fixed: true }),
    lentOn: date('借出日期', 'Lent on', { required: true }),
    dueOn: date('应还日期', 'Due on', { required: true }),
    returnedOn: date('归还日期', 'Returned on', { computed: true }),
    state: choice('借阅状态', 'State', 'library_loan_state', { required: true, default: '1', computed: true }),
  },
  ranges: [['lentOn', 'dueOn']],
  list: ['bookId', 'studentId', 'lentOn', 'dueOn', 'returnedOn', 'state', 'schoolId'],
  search: ['bookId', 'studentId', 'state', 'dueOn', 'schoolId'],
  within: 'studentId',
  sort: '-lentOn',
})
