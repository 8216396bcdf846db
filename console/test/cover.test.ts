import type { Candidate, UncoveredLesson } from '@data-brain/contract/calls/substitution'
import { describe, expect, it } from 'vitest'
import { byTeacher, coversOf, csvOf, keyOf, openFor, overlap, propose, stepTo } from '../src/pages/substitution/work.ts'

const lesson = (scheduleId: string, periodNo: number, more: Partial<UncoveredLesson> = {}): UncoveredLesson => ({
  ...{ scheduleId, periodNo, span: 1, day: '2026-11-26', date: '2026-11-26', className: '一班' },
  ...{ subjectId: '1', subjectName: '语文', teacherId: '9', teacherName: '王芳', classroomName: null },
  ...{ substitutionId: null, absenceId: '5', declinedBy: [] },
  ...more,
})
const candidate = (teacherId: string, score: number, more: Partial<Candidate> = {}): Candidate => ({
  ...{ teacherId, teacherName: teacherId, isFree: true, sameSubject: false, knowsClass: false, sameCampus: true },
  ...{ hasDeclined: false, covers: 0, periodsThatDay: 0, score, reasons: [] },
  ...more,
})
const first = lesson('1', 1)
const beside = lesson('2', 1, { teacherId: '8' })
const later = lesson('3', 2)

describe('ISSUE-15-6 the best for every lesson', () => {
  it('is nobody twice at one time, and the lesson that only one can give has that one', () => {
    const chosen = propose(
      [first, beside],
      new Map([
        [keyOf(first), [candidate('a', 8), candidate('b', 3)]],
        [keyOf(beside), [candidate('a', 5)]],
      ]),
    )
    expect([chosen.get(keyOf(first)), chosen.get(keyOf(beside))]).toEqual(['b', 'a'])
  })

  it('shares the work out, and leaves open what nobody is free for or only whoever declined it', () => {
    const both = [candidate('a', 4), candidate('b', 3.5)]
    const shared = propose(
      [first, later],
      new Map([
        [keyOf(first), both],
        [keyOf(later), both],
      ]),
    )
    expect([...shared.values()].toSorted()).toEqual(['a', 'b'])
    const none = propose(
      [first, later],
      new Map([
        [keyOf(first), [candidate('a', 4, { isFree: false })]],
        [keyOf(later), [candidate('a', 4, { hasDeclined: true })]],
      ]),
    )
    expect([...none.values()]).toEqual([null, null])
    expect(coversOf([first, later], none)).toEqual([])
  })

  it('that is changed offers whoever no other lesson of the same time has', () => {
    const all = [candidate('a', 4), candidate('b', 3), candidate('c', 9, { isFree: false })]
    const chosen = new Map([
      [keyOf(first), 'a'],
      [keyOf(beside), 'b'],
    ])
    const names = (each: UncoveredLesson) =>
      openFor(each, [first, beside, later], all, chosen).map(({ teacherId }) => teacherId)
    expect(names(first)).toEqual(['a'])
    expect(names(later)).toEqual(['a', 'b'])
    expect(coversOf([first, later], chosen)).toEqual([
      { scheduleId: '1', day: '2026-11-26', teacherId: 'a', over: '0' },
    ])
  })

  it('tells days and double periods apart', () => {
    expect(overlap(lesson('1', 1, { span: 2 }), later)).toBe(true)
    expect(overlap(first, later)).toBe(false)
    expect(overlap(first, lesson('2', 1, { date: '2026-11-27' }))).toBe(false)
  })
})

describe('ISSUE-15-6 the desk', () => {
  it('has the lessons under whoever is away, and arrows stay within them', () => {
    expect(byTeacher([first, beside, later]).map((those) => those.map(({ scheduleId }) => scheduleId))).toEqual([
      ['1', '3'],
      ['2'],
    ])
    expect([
      stepTo('ArrowDown', 0, 3),
      stepTo('ArrowDown', 2, 3),
      stepTo('ArrowUp', 0, 3),
      stepTo('End', 0, 3),
    ]).toEqual([1, 2, 0, 2])
    expect([stepTo('Tab', 0, 3), stepTo('ArrowDown', 0, 0)]).toEqual([undefined, undefined])
  })

  it('keeps counts in a file whose names are no formulas', () => {
    expect(
      csvOf([
        ['教师', '代课'],
        ['=HYPERLINK("x")', 2],
        ['王,芳', -1],
      ]),
    ).toBe('\uFEFF教师,代课\r\n"\'=HYPERLINK(""x"")",2\r\n"王,芳",-1\r\n')
  })
})
