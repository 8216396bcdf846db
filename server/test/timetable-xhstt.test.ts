import { describe, expect, it } from 'vitest'
import { evaluate } from '../src/modules/timetable/solver/evaluate.ts'
import { costsOf } from './timetable-xhstt-costs.ts'
import { directCosts } from './timetable-xhstt-direct.ts'
import { instances } from './timetable-xhstt-instances.ts'
import { randomArchives } from './timetable-xhstt-random.ts'
import { turn } from './timetable-xhstt-read.ts'
import {
  always,
  appliesTo,
  archive,
  constraint,
  limits,
  parseXml,
  timeGroups,
  timeList,
} from './timetable-xhstt-xml.ts'

describe('ISSUE-15-4 the evaluator judges timetables in XHSTT form as worked out by hand', () => {
  it.each(instances)('$title', ({ text, costs, evaluated }) => {
    const read = parseXml(text)
    const turned = turn(read)
    expect(turned.untold).toEqual([])
    const evaluation = evaluate(turned.problem, turned.timetable)
    expect({ hard: evaluation.hard, soft: evaluation.soft }).toEqual(evaluated)
    expect(costsOf(turned.charges, evaluation)).toEqual(costs)
    expect(directCosts(read)).toEqual(costs)
  })

  it('agrees on 500 random timetables with what is counted from the elements of the archive alone', () => {
    const broken = new Map<string, number>()
    let count = 0
    for (let seed = 1; seed <= 25; seed += 1)
      for (const [at, text] of randomArchives(seed, 20).entries()) {
        const read = parseXml(text)
        const turned = turn(read)
        const evaluation = evaluate(turned.problem, turned.timetable)
        const costs = costsOf(turned.charges, evaluation)
        expect([seed, at, turned.untold, costs]).toEqual([seed, at, [], directCosts(read)])
        for (const { kind, hard } of evaluation.violations) broken.set(kind, (broken.get(kind) ?? 0) + (hard ? 1 : 0))
        count += 1
      }
    expect(count).toBe(500)
    expect([...broken.keys()].toSorted()).toEqual(
      [
        ...['classTwice', 'daysPerWeek', 'half', 'inRow', 'perDay', 'roomClosed', 'roomFull', 'sameTime', 'spread'],
        ...['subjectPerDay', 'teacherTwice', 'unavailable', 'unplaced', 'windows', 'wrongRoom'],
      ].toSorted(),
    )
    // Each of them where it must hold as well.
    expect(Math.min(...broken.values())).toBeGreaterThan(0)
  }, 60_000)

  it('says what of an archive no rule is like', () => {
    const told = (
      within: readonly string[],
      solution: readonly string[] = ['a Mo1', 'b Tu1', 'c Tu2 - 2'],
    ): string[] => {
      const events = [
        { id: 'a', resources: ['T1', 'C1'], groups: ['g'] },
        { id: 'b', resources: ['T1', 'C1', 'C2'], groups: ['g'] },
        { id: 'c', resources: ['T1', 'C1'], duration: 2, groups: ['h'] },
      ]
      const text = archive({ teachers: ['T1'], classes: ['C1', 'C2'], events, constraints: [...within], solution })
      return turn(parseXml(text)).untold.map((each) => each.replace(/^[A-Za-z]+\d+ /, ''))
    }
    const one = (kind: string, within: string, says = '1 soft'): string[] =>
      told([...always(), constraint(kind, says, within)])
    const g = appliesTo({ EventGroup: ['g'] })
    const t = appliesTo({ Resource: ['T1'] })
    expect(told(always())).toEqual([])
    expect(told([])).toEqual([
      ...['T1', 'C1', 'C2'].map((id) => `nothing asks for clash ${id}`),
      ...['a', 'b', 'c'].map((id) => `nothing asks for AssignTimeConstraint ${id}`),
    ])
    expect(told(always(), ['a Mo1', 'b Tu1', 'c Mo4'])).toEqual(['c runs over the end of a half of the day'])
    expect(one('OrderEvents', '<AppliesTo/>')).toEqual(['is of a kind that no rule is like'])
    expect(one('LimitWorkload', t + limits(0, 3))).toEqual(['is of a kind that no rule is like'])
    expect(one('AvoidClashes', t)).toEqual(['is a wish: it always holds here'])
    expect(one('ClusterBusyTimes', t + timeGroups(['Mo', 'Tu']) + limits(2, 2))).toEqual(['has a minimum'])
    expect(one('ClusterBusyTimes', t + timeGroups(['Mo']) + limits(0, 1))).toEqual(['does not look at all days'])
    expect(one('LimitBusyTimes', t + timeGroups(['am']) + limits(0, 1))).toEqual(['does not look at all days or rows'])
    expect(one('LimitIdleTimes', t + timeGroups(['Mo', 'Tu']) + limits(0, 1))).toEqual([
      'limits the idle times of several days together',
    ])
    expect(one('LimitIdleTimes', t + timeGroups(['Mo']) + limits(0, 1))).toEqual(['looks at some days only'])
    expect(one('PreferTimes', appliesTo({ Event: ['c'] }) + timeList(['Tu2']))).toEqual([
      'looks at the beginning of c only',
    ])
    expect(one('SpreadEvents', g + timeGroups(['Mo', 'Tu'], limits(0, 1)))).toEqual([
      'has not one class and course in g',
    ])
    expect(one('SpreadEvents', g + timeGroups(['Mo'], limits(0, 1)))).toEqual(['is not the same on every day'])
    expect(one('LinkEvents', appliesTo({ EventGroup: ['AllEvents'] }))).toEqual([
      'links more than two lessons of AllEvents',
    ])
    expect(one('SplitEvents', `${appliesTo({ EventGroup: ['h'] })}<MaximumDuration>1</MaximumDuration>`)).toEqual([
      'is not kept by the parts of c',
    ])
  })
})
