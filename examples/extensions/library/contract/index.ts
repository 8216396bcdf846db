import { defineExtension, editableDictionary, fixedDictionary, pageOf } from '@data-brain/contract/extension'
import { book, bookImport } from './book.ts'
import { loan } from './loan.ts'

/** A school's library: what it holds, and who has it. */
export const extension = defineExtension({
  name: 'library',
  label: { zh: '图书馆', en: 'Library' },
  entities: [book, loan],
  imports: [bookImport],
  dictionaries: [
    editableDictionary(
      'library_shelf',
      '书架',
      'Shelves',
      `1|文学|Literature
      2|科学|Science
      3|绘本|Picture books`,
    ),
    fixedDictionary(
      'library_loan_state',
      '借阅状态',
      'States of a loan',
      `1|借出|Lent
      2|已还|Returned`,
    ),
  ],
  menus: [
    {
      under: 'top-student',
      groups: [
        {
          code: 'library_group',
          label: { zh: '图书馆', en: 'Library' },
          children: [
            {
              code: 'library_desk',
              label: { zh: '图书馆概况', en: 'Library overview' },
              path: '/ext-library/desk',
              icon: 'library',
            },
            pageOf(book, 'Books', 'book-open'),
            pageOf(loan, 'Loans', 'arrow-left-right', {
              buttons: [{ code: 'library_loan_return', label: { zh: '归还', en: 'Return' } }],
            }),
          ],
        },
      ],
    },
  ],
  jobs: { library_overdue: { zh: '图书逾期提醒', en: 'Reminders of overdue books' } },
  roles: {
    registrar: [
      'library_desk',
      ...['view', 'add', 'edit', 'delete', 'export'].flatMap((verb) => [
        `library_book_${verb}`,
        `library_loan_${verb}`,
      ]),
      'library_loan_return',
      'library_book_import',
    ],
    classTeacher: ['library_book_view', 'library_loan_view'],
  },
})
