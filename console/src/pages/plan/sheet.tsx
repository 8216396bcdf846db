import type { PlanBoard } from '@data-brain/contract/calls/timetable'
import { inDigits } from '@data-brain/contract/rules/text'
import { useMemo } from 'react'
import { useLanguage, useT } from '../../ui/words.ts'
import { dayName, type Lesson, slotKey, slotsShown } from './lesson.ts'

interface Props {
  readonly board: PlanBoard
  /** Whether whoever looks may place lessons. */
  readonly isArranged: boolean
  readonly onClass: (id: string) => void
}

/** The whole school on one sheet: a row for each class, days and periods across. */
export function SchoolSheet({ board, isArranged, onClass }: Props) {
  const t = useT()
  const language = useLanguage()
  const shown = useMemo(() => slotsShown(board), [board])
  const periods = shown.periods.map(({ no }) => no)
  const wrong = useMemo(() => new Set(board.obstacles.flatMap(({ lessonIds }) => lessonIds)), [board.obstacles])
  const rows = useMemo(() => {
    const found = new Map<string, { name: string; isClass: boolean; cells: Map<string, Lesson[]> }>()
    for (const lesson of board.lessons) {
      const id = lesson.classId ?? lesson.teachClassId ?? ''
      const row = found.get(id) ?? { name: lesson.className, isClass: lesson.classId !== null, cells: new Map() }
      for (let at = 0; at < lesson.span; at += 1) {
        const key = slotKey({ weekday: lesson.weekday, periodNo: lesson.periodNo + at })
        row.cells.set(key, [...(row.cells.get(key) ?? []), lesson])
      }
      found.set(id, row)
    }
    // Classes first, by grade and number, as they are said: 七 before 八.
    return [...found].toSorted(
      ([, a], [, b]) =>
        Number(b.isClass) - Number(a.isClass) ||
        inDigits(a.name).localeCompare(inDigits(b.name), 'zh', { numeric: true }),
    )
  }, [board.lessons])
  if (rows.length === 0) return <p className="muted">{t(isArranged ? 'plan.none' : 'plan.noneLook')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
    <section className="plan-scroll" aria-label={t('plan.school')} tabIndex={0}>
      <table className="plan-sheet">
        <thead>
          <tr>
            <th rowSpan={2} scope="col">
              {t('plan.class')}
            </th>
            {shown.days.map((day) => (
              <th key={day} colSpan={periods.length} scope="colgroup">
                {dayName(day, language)}
              </th>
            ))}
          </tr>
          <tr>
            {shown.days.flatMap((day) =>
              periods.map((no) => (
                <th key={`${day}-${no}`} scope="col">
                  {no}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(([id, { name, isClass, cells }]) => (
            <tr key={id}>
              <th scope="row">
                {isClass ? (
                  <button type="button" className="link-button" onClick={() => onClass(id)}>
                    {name}
                  </button>
                ) : (
                  name
                )}
              </th>
              {shown.days.flatMap((weekday) =>
                periods.map((periodNo) => {
                  const lessons = cells.get(slotKey({ weekday, periodNo })) ?? []
                  const told = lessons.map((each) => `${each.subjectName} ${each.teacherName}`).join(' / ')
                  return (
                    <td
                      key={`${weekday}-${periodNo}`}
                      title={told || undefined}
                      className={lessons.some(({ id: each }) => wrong.has(each)) ? 'wrong' : undefined}
                    >
                      {lessons.map((each) => each.shortName).join('/')}
                    </td>
                  )
                }),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
