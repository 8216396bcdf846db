import { defineEntity, schoolsemester } from '@data-brain/contract'
import { date } from '@data-brain/contract/field'
import { describe, expect, it } from 'vitest'
import { createTable } from '../src/database/ddl.ts'

const orders = (sql: string): string[] => [...sql.matchAll(/constraint (\w+_order) check/g)].map(([, name]) => name!)

describe('the table of an entity', () => {
  it('ISSUE-14-7 names each order of two days by its own name, also where two begin with one field', () => {
    const loan = defineEntity({
      name: 'bookloan',
      path: 'library/bookloan',
      label: { zh: '借阅', en: 'Loan' },
      ownership: 'tenant',
      title: 'lentOn',
      fields: {
        lentOn: date('借出日期', 'Lent on', { required: true }),
        dueOn: date('应还日期', 'Due on'),
        backOn: date('归还日期', 'Back on'),
      },
      ranges: [
        ['lentOn', 'dueOn'],
        ['lentOn', 'backOn'],
      ],
      list: ['lentOn', 'dueOn', 'backOn'],
      search: ['lentOn'],
      sort: '-lentOn',
    })
    expect(orders(createTable(loan))).toEqual(['bookloan_lent_on_order', 'bookloan_lent_on_back_on_order'])
  })

  it('keeps the names of those that begin with a field each', () => {
    expect(orders(createTable(schoolsemester))).toEqual([
      'schoolsemester_begin_date_order',
      'schoolsemester_exam_begin_order',
    ])
  })
})
