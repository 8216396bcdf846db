import { describe, expect, it } from 'vitest'
import { entities, type Field, studentgroup, studentmessage } from '../src/index.ts'
import type { ConditionMember, ConditionOperator, Group } from '../src/rules/condition.ts'
import type { GradeHours } from '../src/rules/grade-hours.ts'
import { namedIn, readValue, valueText } from '../src/rules/values.ts'

type Sort = NonNullable<Field['as']>

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
const next = random(13)
const upTo = (most: number): number => Math.floor(next() * (most + 1))
const among = <T>(values: readonly T[]): T => values[upTo(values.length - 1)]!
const times = <T>(most: number, make: (at: number) => T): T[] =>
  Array.from({ length: 1 + upTo(most - 1) }, (_, at) => make(at))
const word = (at: number): string => `${among(['甲', 'Bus', '是否', 'a b', '１', '“x”'])}${at}`

const conditions = (depth: number): Group => {
  const members: ConditionMember[] = times(3, () =>
    depth < 3 && next() < 0.3
      ? conditions(depth + 1)
      : {
          field: among(['name', 'sex', 'classId']),
          op: among<ConditionOperator>(['equal', 'in', 'notnull']),
          value: String(1 + upTo(9)),
        },
  )
  return next() < 0.5 ? { all: members } : { any: members }
}
const count = (group: Group): number =>
  ('all' in group ? group.all : group.any).reduce((sum, member) => sum + ('op' in member ? 1 : count(member)), 0)
const fewConditions = (): Group => {
  for (;;) {
    const made = conditions(1)
    if (count(made) <= 20) return made
  }
}

/** A value of each sort, made at random. */
const makers: Record<Sort, () => unknown> = {
  weeks: () => [...new Set(times(20, () => 1 + upTo(52)))].toSorted((a, b) => a - b),
  halfDay: () => ({ weekday: 1 + upTo(6), half: among(['am', 'pm']) }),
  slots: () =>
    [...new Set(times(12, () => (1 + upTo(6)) * 100 + 1 + upTo(13)))]
      .toSorted((a, b) => a - b)
      .map((slot) => ({ weekday: Math.floor(slot / 100), periodNo: slot % 100 })),
  codeFields: () =>
    times(6, (at) => ({ name: `f${at}`, zh: word(at), en: 'Word', kind: among(['text', 'date', 'flag']) })),
  gradeHours: () =>
    times(12, (at): GradeHours => {
      const hours = upTo(40)
      return { gradeId: String(at + 1), hours, doubleCount: upTo(Math.floor(hours / 2)) }
    }),
  pairs: () =>
    Object.fromEntries(times(8, (at) => [word(at), among<unknown>(['3号线', 7, true, { a: [1, '二'] }, null])])),
  questions: () =>
    times(6, (at) => {
      const kind = among(['text', 'choice', 'choices'])
      const offered = kind === 'text' ? {} : { choices: ['甲', ...times(4, word)] }
      return { label: word(at), kind, required: next() < 0.5, ...offered }
    }),
  targets: () => [...new Set(times(30, () => String(1 + upTo(500))))],
  condition: fewConditions,
  report: () => ({
    entity: 'student',
    columns: times(3, () => among(['name', 'classId.className', 'sex'])),
    groups: times(3, () => ({ field: among(['sex', 'gradeId', 'classId.yearId']), by: null })),
    cross: among([null, { field: 'nation', by: null }]),
    measures: times(3, () =>
      among([
        { of: 'count', field: null },
        { of: 'average', field: 'seatNo' },
      ]),
    ),
    chart: among(['none', 'heat']),
  }),
  fieldOptions: () =>
    times(8, (at) => ({
      key: next() < 0.5 ? '' : `k${at}`,
      label: word(at),
      labelEn: next() < 0.5 ? '' : `option ${at}`,
      retired: next() < 0.3,
    })),
}

/** Shapes that no rule may take; beside them, whatever another sort has. */
const wrong: Record<Sort, readonly unknown[]> = {
  weeks: ['1-16', [0], [54], [1.5], ['1'], { 0: 1 }],
  halfDay: [
    '周三',
    [],
    { weekday: 0, half: 'am' },
    { weekday: 3 },
    { weekday: 3, half: 'AM' },
    { weekday: 3, half: 'am', more: 1 },
  ],
  slots: [
    '1',
    [1],
    [{ weekday: 8, periodNo: 1 }],
    [{ weekday: 1, periodNo: 15 }],
    [{ weekday: 1 }],
    [{ weekday: 1, periodNo: 1, more: 1 }],
  ],
  codeFields: [
    { name: 'a' },
    [{ name: 'a', zh: '甲', en: 'A', kind: 'sql' }],
    [{ name: 'a', zh: '甲\u2028', en: 'A', kind: 'text' }],
    [{ name: 'a', zh: '甲', en: 'A', kind: 'text', max: 4001 }],
    [{ name: 'a', zh: '甲', en: 'A', kind: 'text', more: 1 }],
  ],
  gradeHours: [
    { gradeId: '1', hours: 2 },
    [{ gradeId: 1, hours: 2 }],
    [{ gradeId: '9999999999999999999', hours: 2 }],
    [{ gradeId: '1', hours: -1 }],
    [{ gradeId: '1', hours: 41 }],
    [{ gradeId: '1', hours: 3, doubleCount: 2 }],
    [
      { gradeId: '1', hours: 3 },
      { gradeId: '1', hours: 4 },
    ],
  ],
  pairs: ['x', 1, [1], { '': 1 }, { ' a': 1 }, { ['长'.repeat(65)]: 1 }],
  fieldOptions: [
    'x',
    ['x'],
    [{ label: '' }],
    [{ label: ' 一号线' }],
    [{ label: '长'.repeat(51) }],
    [{ label: '一号线', key: 'A B' }],
    [{ label: '一号线', retired: 1 }],
    [{ label: '一号线', more: 1 }],
    [{ label: '一号线' }, { label: '一号线' }],
    [
      { label: '一号线', key: 'k1' },
      { label: '二号线', key: 'k1' },
    ],
  ],
  questions: [
    'x',
    ['x'],
    [{ label: '', kind: 'text' }],
    [{ label: 'x', kind: 'date' }],
    [{ label: 'x', kind: 'toString' }],
    [{ label: 'x', kind: 'choice' }],
    [{ label: 'x', kind: 'choice', choices: ['a'] }],
    [{ label: 'x', kind: 'choice', choices: ['a', 'a'] }],
    [{ label: 'x', kind: 'text', choices: ['a', 'b'] }],
    [{ label: 'x', kind: 'text', required: 1 }],
    [{ label: 'x'.repeat(101), kind: 'text' }],
  ],
  report: [
    'x',
    [1],
    {},
    { entity: 1 },
    { entity: 'student', columns: 'name' },
    { entity: 'student', groups: ['sex'] },
    { entity: 'student', groups: [{ field: 'sex', by: 'week' }] },
    { entity: 'student', measures: [{ of: 'toString' }] },
    { entity: 'student', chart: 'pie' },
    { entity: 'student', hideBelow: -1 },
  ],
  targets: ['1', [1], ['x'], ['0'], ['9999999999999999999'], [null]],
  condition: [
    'x',
    { all: [] },
    { all: [{ field: 'name' }] },
    { all: [{ field: 'name', op: 'toString', value: 1 }] },
    { all: [{ field: 'name', op: 'equal', value: 1, more: 1 }] },
    { all: [], any: [] },
    { all: [{ any: [{ all: [{ any: [{ field: 'name', op: 'null' }] }] }] }] },
    { all: Array.from({ length: 21 }, () => ({ field: 'name', op: 'null' })) },
  ],
}
const sorts = Object.keys(makers) as Sort[]
const fieldOf = (as: Sort): Pick<Field, 'as' | 'of'> => ({
  as,
  ...(as === 'gradeHours' ? { of: 'sysgrade' } : as === 'condition' || as === 'targets' ? { of: 'student' } : {}),
})
const said = (language: 'zh' | 'en') => ({ language, name: (id: string) => `N${id}` })

describe('C12 values that are not texts', () => {
  it.each(sorts)('%s: what is made at random is taken, comes back as it went, and is told in words', (as) => {
    for (let round = 0; round < 500; round += 1) {
      const value = makers[as]()
      const read = readValue({ as }, value)
      expect(read, JSON.stringify(value)).toEqual({ value })
      // The database orders the parts of an object in its own way.
      const turned = JSON.parse(JSON.stringify(value), (_, part) =>
        part && typeof part === 'object' && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).toReversed())
          : part,
      ) as unknown
      expect(readValue({ as }, turned)).toEqual({ value })
      for (const language of ['zh', 'en'] as const) {
        const text = valueText(fieldOf(as), value, said(language))
        expect(text).not.toBe('')
        expect(text, JSON.stringify(value)).not.toMatch(/[{}[\]]|":|undefined|NaN|null/)
        if (language === 'en' && !['pairs', 'questions', 'fieldOptions'].includes(as))
          expect(text).not.toMatch(/\p{Script=Han}/u)
      }
    }
  })

  it.each(sorts)('%s: what has another shape is refused in both languages', (as) => {
    const strangers = sorts.filter((other) => other !== as).map((other) => makers[other]())
    const bad = [...wrong[as], ...(as === 'pairs' ? [] : strangers)].filter(
      (value) => !(Array.isArray(value) && value.length === 0),
    )
    expect(bad.length).toBeGreaterThan(5)
    for (const value of bad) {
      const read = readValue({ as }, value)
      expect(read, `${as} ${JSON.stringify(value)}`).toHaveProperty('fault')
      if (!('fault' in read)) continue
      expect(read.fault.zh).toMatch(/\p{Script=Han}/u)
      // A part is called what the sender called it.
      expect(read.fault.en.replace(/".*"/, '')).toMatch(/^[^\p{Script=Han}]+$/u)
    }
  })

  it('what an older program wrote is still told, without brackets', () => {
    expect(valueText({ as: 'halfDay' }, [{ day: 3, from: '14:00' }, '下午'], said('zh'))).toBe(
      'day：3；from：14:00、下午',
    )
    expect(valueText({ as: 'slots' }, { mon: [1, 2] }, said('en'))).toBe('mon: 1, 2')
  })

  it('says what people would say', () => {
    const zh = (field: Pick<Field, 'as' | 'of'>, value: unknown, row = {}) => valueText(field, value, said('zh'), row)
    const en = (field: Pick<Field, 'as' | 'of'>, value: unknown, row = {}) => valueText(field, value, said('en'), row)
    expect(zh({ as: 'halfDay' }, { half: 'pm', weekday: 3 })).toBe('周三下午')
    expect(en({ as: 'halfDay' }, { half: 'am', weekday: 3 })).toBe('Wednesday morning')
    const slots = [1, 2, 3, 6].map((periodNo) => ({ weekday: 1, periodNo })).concat({ weekday: 5, periodNo: 8 })
    expect(zh({ as: 'slots' }, slots)).toBe('周一第1–3、6节；周五第8节')
    expect(en({ as: 'slots' }, slots)).toBe('Monday periods 1–3, 6; Friday period 8')
    const hours = [
      { gradeId: '7', hours: 5, doubleCount: 1 },
      { gradeId: '8', hours: 4 },
    ]
    expect(zh({ as: 'gradeHours' }, hours)).toBe('N7 5 节（连堂 1）、N8 4 节')
    expect(en({ as: 'gradeHours' }, hours)).toBe('N7: 5 (1 double), N8: 4')
    const question = [{ label: '是否参加', kind: 'choice', required: true, choices: ['是', '否'] }]
    expect(zh({ as: 'questions' }, question)).toBe('1. 是否参加（单选，必填：是 / 否）')
    expect(zh(studentmessage.fields.targetIds, ['5'], { targetType: '2' })).toBe('N5')
    const rule = {
      all: [
        { field: 'classId', op: 'in', value: ['3', '4'] },
        { field: 'enrollDate', op: 'ge', value: '2026-09-01' },
      ],
    }
    expect(zh(studentgroup.fields.rule, rule)).toBe('班级属于N3、N4，并且入学年月不早于2026-09-01')
    expect(en(studentgroup.fields.rule, rule)).toContain('is one of N3, N4, and ')
  })

  it('names the rows that a value mentions by the entity that the row says', () => {
    const { targetIds } = studentmessage.fields
    expect(namedIn(targetIds, ['5', '6'], { targetType: '1' })).toEqual([
      { to: 'student', id: '5' },
      { to: 'student', id: '6' },
    ])
    expect(namedIn(targetIds, ['5'], { targetType: '5' })).toEqual([])
    expect(namedIn(targetIds, 'x', { targetType: '1' })).toEqual([])
  })

  it('no field that people fill in is plain JSON', () => {
    const json = entities.flatMap((entity) =>
      Object.entries(entity.fields).flatMap(([name, field]) =>
        field.kind === 'json' ? [{ at: `${entity.name}.${name}`, field: field as Field }] : [],
      ),
    )
    expect(json.length).toBeGreaterThan(10)
    expect(json.filter(({ field }) => !field.as && !field.computed).map(({ at }) => at)).toEqual([])
  })
})
