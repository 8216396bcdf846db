import { openYear, type SchoolSetUp } from '@data-brain/contract/calls/school'
import { firstMondayOf, schoolYearOf, weeksBetween } from '@data-brain/contract/rules/school-year'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { refresh, useTask } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { setUpDialogWords } from '../../locales/set-up-dialogs.ts'
import { AntdRoot } from '../../ui/antd.tsx'
import { useDoubts } from '../../ui/date/doubts.ts'
import { DateEntry } from '../../ui/date/entry.tsx'
import { todayDay } from '../../ui/date/read.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'

addWords(setUpDialogWords)

interface Span {
  readonly begin: string | null
  readonly end: string | null
}

/** The first school year of a school, with both semesters: what is usual stands there, and each day can be changed. */
export default function YearDialog({ school, onClose }: { school: SchoolSetUp; onClose: () => void }) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, failure, run } = useTask()
  const proposed = useMemo(() => schoolYearOf(todayDay()), [])
  const [spans, setSpans] = useState<readonly Span[]>(proposed.semesters)
  const [asked, setAsked] = useState(false)
  const doubts = useDoubts()
  const missing = spans.some(({ begin, end }) => begin === null || end === null)
  const save = async () => {
    setAsked(true)
    // What is not understood stands in red with its reason.
    if (missing || doubts.any) return
    const done = await run(async () => {
      const year = {
        ...{ schoolId: school.id, yearName: proposed.name, startYear: proposed.startYear, isCurrent: 1, status: 1 },
        ...{ beginDate: proposed.begin, endDate: proposed.end },
      }
      const semesters = proposed.semesters.map(({ no, name, current, status }, at) => {
        const { begin, end } = spans[at] as { begin: string; end: string }
        const monday = firstMondayOf(begin)
        return {
          ...{ semesterName: name, semesterNo: no, beginDate: begin, endDate: end, firstWeekMonday: monday },
          ...{ weekCount: weeksBetween(monday, end), isCurrent: current ? 1 : 0, status },
        }
      })
      await call(openYear, { year, semesters }, { silent: true })
      await Promise.all(['schoolyear', 'schoolsemester'].map((entity) => refresh(queries, entity)))
    })
    if (!done) return
    toast.success(t('setUp.yearDone', { name: proposed.name }))
    onClose()
  }
  return (
    <AntdRoot>
      <Dialog
        title={t('setUp.yearTitle', { name: school.name })}
        onClose={onClose}
        onOk={() => void save()}
        okText={t('setUp.yearOk')}
        busy={busy}
        failure={
          failure || (asked && missing ? t('setUp.dates') : '') || (asked && doubts.any ? t('date.unclear') : '')
        }
      >
        <p className="set-up-year">{proposed.name}</p>
        {proposed.semesters.map(({ no, name, current }, at) => {
          const span = spans[at] ?? { begin: null, end: null }
          const put = (patch: Partial<Span>) =>
            setSpans(spans.map((each, place) => (place === at ? { ...each, ...patch } : each)))
          const monday = span.begin && firstMondayOf(span.begin)
          return (
            <fieldset key={no} className="set-up-semester">
              <legend>
                {name}
                {current && <span className="muted"> {t('setUp.current')}</span>}
              </legend>
              <span className="set-up-days">
                <DateEntry
                  kind="date"
                  label={t('setUp.beginOf', { name })}
                  value={span.begin}
                  onDoubt={doubts.of(`${no} begin`)}
                  onValue={(begin) => put({ begin })}
                />
                <span aria-hidden="true">–</span>
                <DateEntry
                  kind="date"
                  label={t('setUp.endOf', { name })}
                  value={span.end}
                  onDoubt={doubts.of(`${no} end`)}
                  onValue={(end) => put({ end })}
                />
              </span>
              {monday && span.end && (
                <p className="muted">{t('setUp.weeks', { monday, weeks: weeksBetween(monday, span.end) })}</p>
              )}
            </fieldset>
          )
        })}
      </Dialog>
    </AntdRoot>
  )
}
