import type { OwnSubstitution } from '@data-brain/contract/calls/substitution'
import type { OwnLesson } from '@data-brain/contract/calls/timetable'
import { describe, expect, it } from 'vitest'
import { daysOf, dayWord, elsewhere, goneOf, lessonKey, mondayOf, nowAndNext } from '../src/pages/own-week/week.ts'

const today = '2026-11-26'
const lesson = (id: string, more: Partial<OwnLesson> = {}): OwnLesson => ({
  ...{ id, date: today, weekday: '4', periodNo: 1, span: 1, beginTime: '08:00', endTime: '08:40', weekType: '0' },
  ...{ weeks: null, semesterId: '1', classId: '1', className: '一班', teachClassName: null, subjectId: '1' },
  ...{ subjectName: '语文', shortName: '语', color: '#123456', teacherId: '1', teacherName: '王芳' },
  ...{ classroomId: null, classroomName: null, isOwn: true, change: null },
  ...more,
})
const change = (id: string) => ({
  ...{ id, kind: '1', status: 0, teacherId: '2', teacherName: '赵敏', day: today, periodNo: 1 },
})
const substitution = (id: string, more: Partial<OwnSubstitution> = {}): OwnSubstitution => ({
  ...{ id, kind: '1', status: 1, day: today, date: today, periodNo: 1, span: 1, className: '一班' },
  ...{ subjectName: '语文', teacherName: '王芳', newTeacherName: '赵敏', classroomName: null, reason: null },
  ...{ awaitsMe: false },
  ...more,
})
const names = (all: readonly OwnSubstitution[]) => all.map(({ id }) => id)

describe('ISSUE-15-8 one’s own week', () => {
  it('marks the lesson that is given now and the next one of today, by the clock of the school', () => {
    const [early, late] = [lesson('1'), lesson('2', { periodNo: 2, beginTime: '08:50', endTime: '09:30' })]
    const other = lesson('3', { date: '2026-11-27' })
    const all = [late, early, other]
    expect(nowAndNext(all, today, '08:39')).toEqual({ now: lessonKey(early), next: lessonKey(late) })
    expect(nowAndNext(all, today, '08:40')).toEqual({ next: lessonKey(late) })
    expect(nowAndNext(all, today, '09:30')).toEqual({})
  })

  it('says what a day is where that is not as usual', () => {
    const fact = (dayType: string, name: string | null = null) => ({ dayType, name, weekday: null })
    expect(dayWord(today, fact('1'))).toBeUndefined()
    expect(dayWord(today, fact('2'))).toBe('holiday')
    expect(dayWord('2026-11-28', fact('2'))).toBeUndefined()
    expect(dayWord('2026-11-28', fact('2', '国庆节'))).toBe('holiday')
    expect([dayWord('2026-11-28', fact('3')), dayWord(today, fact('4')), dayWord(today, fact('5'))]).toEqual([
      ...['madeUp', 'exams', 'event'],
    ])
    expect(dayWord(today, undefined)).toBeUndefined()
  })

  it('has what left a day beside what stands on it, and nothing that was declined', () => {
    const days = daysOf(mondayOf(today))
    expect([days[0], days[6]]).toEqual(['2026-11-23', '2026-11-29'])
    const all = [
      substitution('away'),
      substitution('here'),
      substitution('moved', { kind: '2', date: '2026-11-27' }),
      substitution('declined', { status: 3 }),
      substitution('room', { kind: '4' }),
      substitution('before', { day: '2026-11-20' }),
    ]
    const lessons = [
      lesson('1', { change: change('here') }),
      lesson('2', { date: '2026-11-27', change: change('moved') }),
    ]
    expect(names(goneOf(all, lessons, days))).toEqual(['away', 'moved'])
  })

  it('lists what waits for an answer where no day that is shown has it', () => {
    const all = [substitution('a', { awaitsMe: true }), substitution('b', { awaitsMe: true }), substitution('c')]
    expect(names(elsewhere(all, [lesson('1', { change: change('a') })], [today]))).toEqual(['b'])
    expect(names(elsewhere(all, [lesson('1', { change: change('a') })], ['2026-11-27']))).toEqual(['a', 'b'])
  })
})
