import { defineEntity, type Entity, entities, schoolsemester, teacherclass } from '@data-brain/contract'
import { date, reference, text } from '@data-brain/contract/field'
import { describe, expect, it } from 'vitest'
import { createTable, refuseNameClash } from '../src/database/ddl.ts'

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

  /** A definition with texts and references of these names. */
  const told = (name: string, fields: readonly string[], more: Partial<Entity>): Entity => ({
    ...{ name, path: `library/${name}`, label: { zh: '登记', en: 'Record' }, ownership: 'tenant', title: fields[0]! },
    ...{ list: fields, search: fields, sort: fields[0]! },
    fields: Object.fromEntries(
      fields.map((field) => [
        field,
        field.endsWith('Id') ? reference('谁', 'Who', 'user') : text('文字', 'Text', { max: 20 }),
      ]),
    ),
    ...more,
  })
  const constraints = (entity: Entity): string[] =>
    [...createTable(entity).matchAll(/constraint (\w+)/g)].map(([, name]) => name!)

  it('ISSUE-14-7 names each choice between references by its own name; the only one, or the first, by the table alone', () => {
    const both = told('handover', ['aId', 'bId', 'cId', 'dId'], {
      oneOf: [
        ['aId', 'bId'],
        ['cId', 'dId'],
      ],
    })
    expect(constraints(both)).toEqual(['handover_one_of', 'handover_c_id_d_id_one_of'])
    expect(constraints(teacherclass)).toContain('teacherclass_one_of')
  })

  it('ISSUE-14-7 keeps two keys apart whose names are too long and begin alike', () => {
    const long = ['nameOfTheGuardianWhoBringsTheChild', 'nameOfTheGuardianWhoFetchesTheChildInTheEvening']
    const names = constraints(
      told('handover', [...long, 'one', 'other'], {
        unique: [
          [...long, 'one'],
          [...long, 'other'],
        ],
      }),
    )
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^handover_name_of_the_guardian_\w{1,33}$/)
  })

  it('ISSUE-14-7 refuses definitions of which two constraints would have one name', () => {
    expect(() => refuseNameClash(entities)).not.toThrow()
    const clash = told('handover', ['a', 'b', 'aB'], { unique: [['a', 'b'], ['aB']] })
    expect(() => refuseNameClash([clash])).toThrow('two constraints are called handover_a_b_key')
    const table = told('a_b', ['c'], { unique: [['c']] })
    const other = told('a', ['bC'], { unique: [['bC']] })
    expect(() => refuseNameClash([table, other])).toThrow('one of a_b, one of a')
  })
})
