import { cleanup, render } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { HomeSummary, OwnLesson, TaughtClass } from '../src/pages/home/summary.ts'
import TeacherHome from '../src/pages/home/teacher.tsx'
import { begin } from './entity-world.tsx'

beforeAll(() => begin([]))

const home = (week: readonly OwnLesson[], taught: readonly TaughtClass[]) => {
  const summary = { today: '2026-11-27', week, taught, teacher: null } as unknown as HomeSummary
  const shown = (place: 'main' | 'side') => {
    render(<TeacherHome summary={summary} at={0} place={place} onClass={() => {}} />)
    const titles = [...document.querySelectorAll('h2')].map((title) => title.textContent)
    cleanup()
    return titles
  }
  return { main: shown('main'), side: shown('side') }
}

describe('C11 the first page of who heads no class', () => {
  const taught = [
    { id: '1', grouped: 0, name: '一年级（1）班', subjects: '科学', hours: 1 },
  ] as unknown as TaughtClass[]

  it('says once that nothing is taught, as to a guard, and shows no empty week', () => {
    expect(home([], [])).toEqual({ main: ['我任教的班级'], side: [] })
  })

  it('keeps the week of who teaches, though no timetable is there yet', () => {
    expect(home([], taught)).toEqual({ main: ['今天没有课', '本周课表'], side: ['我任教的班级'] })
  })
})
