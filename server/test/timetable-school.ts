import type { Activity, Problem, Rule } from '../src/modules/timetable/solver/problem.ts'
import { makeDice } from '../src/modules/timetable/solver/search.ts'

/** A school as there are many: so many classes, eight subjects, teachers with up to `load` lessons, a playground and labs. */
export function school(classes: number, load: number, seed: number): Problem {
  const dice = makeDice(seed)
  const days = [1, 2, 3, 4, 5]
  const periods = Array.from({ length: 7 }, (_, at) => ({
    no: at + 1,
    half: at < 4 ? ('am' as const) : ('pm' as const),
  }))
  const hours: readonly (readonly [string, number, string?])[] = [
    ['chinese', 6],
    ['maths', 6],
    ['english', 5],
    ['science', 3, 'lab'],
    ['history', 3],
    ['sports', 3, 'field'],
    ['music', 2],
    ['art', 2],
    ['meeting', 1],
  ]
  const teachers: string[] = []
  const left = new Map<string, number>()
  const hire = (subject: string, wanted: number): string => {
    const found = teachers.find((id) => id.startsWith(`${subject}-`) && left.get(id)! >= wanted)
    const id = found ?? `${subject}-${teachers.length}`
    if (!found) {
      teachers.push(id)
      left.set(id, load)
    }
    left.set(id, left.get(id)! - wanted)
    return id
  }
  const activities: Activity[] = []
  for (let no = 0; no < classes; no += 1)
    for (const [subject, count, type] of hours) {
      const teacher = subject === 'meeting' ? `head-${no}` : hire(subject, count)
      if (subject === 'meeting') teachers.push(teacher)
      for (let n = 0; n < count; n += 1)
        activities.push({
          id: `${no}|${subject}|${n}`,
          subject,
          classes: [`c${no}`],
          teachers: [teacher],
          span: 1,
          room: type ? { type } : { home: true },
          ...(subject === 'meeting' ? { locked: { day: 1, period: 7 } } : {}),
        })
    }
  const rules: Rule[] = [
    { id: 'perDay', kind: 'subjectPerDay', of: {}, max: 2, hard: true },
    { id: 'spread', kind: 'spread', of: {}, weight: 3 },
    {
      id: 'sports',
      kind: 'unavailable',
      of: { subjects: ['sports'] },
      slots: days.map((day) => ({ day, period: 1 })),
      weight: 2,
    },
    { id: 'core', kind: 'half', of: { subjects: ['maths', 'chinese'] }, half: 'am', weight: 1 },
    ...teachers.slice(0, 10).map(
      (id, at): Rule => ({
        id: `busy-${id}`,
        kind: 'unavailable',
        of: { teachers: [id] },
        slots: Array.from({ length: 3 }, () => ({ day: 1 + dice(5), period: 1 + ((at + dice(6)) % 6) })),
        hard: true,
      }),
    ),
  ]
  return {
    days,
    periods,
    weeks: 20,
    classes: Array.from({ length: classes }, (_, no) => ({ id: `c${no}`, homeRoom: `r${no}` })),
    teachers: teachers.map((id) => ({ id })),
    rooms: [
      ...Array.from({ length: classes }, (_, no) => ({ id: `r${no}` })),
      ...Array.from({ length: Math.ceil(classes / 8) }, (_, no) => ({ id: `lab${no}`, type: 'lab' })),
      { id: 'field', type: 'field', concurrency: Math.max(2, Math.ceil(classes / 8)) },
    ],
    activities,
    rules,
  }
}
