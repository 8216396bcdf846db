import { describe, expect, it } from 'vitest'
import { dictionaryOf } from '../src/dictionaries.ts'
import { slots } from '../src/rules/slots.ts'
import { type NamedRule, ruleFields, ruleKinds, ruleSentence } from '../src/rules/timetable-rule.ts'

const nobody = { teachers: [], grades: [], classes: [], teachClasses: [], subjects: [], strength: '1' }
const week = (...periods: number[]) =>
  [1, 2, 3, 4, 5].flatMap((weekday) => periods.map((periodNo) => ({ weekday, periodNo })))
const rule = (kind: keyof typeof ruleKinds, more: Partial<NamedRule> = {}): NamedRule => ({
  ...nobody,
  kind: ruleKinds[kind],
  ...more,
})

describe('R-SCHOOL-21 a rule of a timetable', () => {
  it.each<[NamedRule, string, string]>([
    [
      rule('perDay', { whose: '1', teachers: ['张老师'], max: 4 }),
      '张老师：每天最多4节（必须）',
      '张老师: at most 4 periods a day (must)',
    ],
    [
      rule('closed', { subjects: ['数学'], slots: week(7, 8), strength: '3' }),
      '数学：周一至周五第7–8节不排课（尽量，中）',
      '数学: no lessons on Monday to Friday periods 7–8 (wish, medium)',
    ],
    [
      rule('fixed', { grades: ['七年级'], subjects: ['班会'], slots: [{ weekday: 1, periodNo: 7 }] }),
      '七年级的班会：只排在周一第7节（必须）',
      '七年级, 班会: only on Monday period 7 (must)',
    ],
    [rule('half', { half: '2' }), '所有课：只排在下午（必须）', 'Every lesson: in the afternoon only (must)'],
    [
      rule('inRow', { whose: '2', max: 1 }),
      '所有班级：最多连上1节（必须）',
      'Every class: at most 1 period in a row (must)',
    ],
    [
      rule('windows', { whose: '1', max: 0, strength: '4' }),
      '所有教师：每天没有空堂（尽量，低）',
      'Every teacher: no free periods between lessons of a day (wish, low)',
    ],
    [
      rule('daysPerWeek', { whose: '1', teachers: ['甲', '乙', '丙', '丁', '戊'], max: 2, strength: '2' }),
      '甲、乙、丙、丁等5项：每周最多上课2天（尽量，高）',
      '甲, 乙, 丙, 丁 and 1 more: at most 2 days a week (wish, high)',
    ],
    [
      rule('subjectPerDay', { max: 2 }),
      '所有学科：同一班同一学科每天最多2节（必须）',
      'Every subject: at most 2 periods a day of one subject in a class (must)',
    ],
    [
      rule('spread'),
      '所有学科：同一班同一学科分散到各天（必须）',
      'Every subject: one subject of a class on as many days as can be (must)',
    ],
    [
      rule('daysBetween', { subjects: ['体育'], gap: 2 }),
      '体育：同一班的课之间隔1天（必须）',
      '体育: lessons of a class with 1 day between (must)',
    ],
    [
      rule('sameTime', { classes: ['一班', '二班'], subjects: ['体育'] }),
      '一班、二班的体育：同时上课（必须）',
      '一班, 二班, 体育: at the same time (must)',
    ],
    [
      rule('apart', { teachers: ['甲', '乙'] }),
      '甲、乙：互不同时上课（必须）',
      '甲, 乙: never two at the same time (must)',
    ],
    [
      rule('travel', { gap: 1 }),
      '所有教师：换校区之间至少空1节（必须）',
      'Every teacher: at least 1 free period between two campuses (must)',
    ],
  ])('reads as a sentence: %#', (one, zh, en) => {
    expect([ruleSentence(one, 'zh'), ruleSentence(one, 'en')]).toEqual([zh, en])
  })

  it('is of a kind that the dictionary has, and every kind has a part', () => {
    const keys = dictionaryOf('timetable_rule_kind')!.items.map(({ key }) => key)
    expect(Object.values(ruleKinds).toSorted()).toEqual(keys.toSorted())
    expect([...new Set(Object.values(ruleFields).flat())].toSorted()).toEqual(keys.toSorted())
  })

  it('tells days with the same periods together, three and more in a row as a range', () => {
    const text = (value: { weekday: number; periodNo: number }[]) =>
      slots.text(value, { language: 'zh', name: () => undefined }, undefined)
    expect(text(week(1))).toBe('周一至周五第1节')
    expect(text([1, 2, 4].map((weekday) => ({ weekday, periodNo: 3 })))).toBe('周一、周二、周四第3节')
    expect(
      text([
        { weekday: 1, periodNo: 1 },
        { weekday: 2, periodNo: 2 },
        { weekday: 2, periodNo: 3 },
      ]),
    ).toBe('周一第1节；周二第2–3节')
  })
})
