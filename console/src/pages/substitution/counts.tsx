import { substitution } from '@data-brain/contract'
import { substitutionCounts } from '@data-brain/contract/calls/substitution'
import { addDays, todayInChina } from '@data-brain/contract/rules/school-year'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { useDoubts } from '../../ui/date/doubts.ts'
import { DateEntry } from '../../ui/date/entry.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useT } from '../../ui/words.ts'
import { csvOf } from './work.ts'

/** The first and the last day of the month of a day. */
function monthOf(day: string): { readonly from: string; readonly to: string } {
  const from = `${day.slice(0, 7)}-01`
  const next = `${addDays(from, 31).slice(0, 7)}-01`
  return { from, to: addDays(next, -1) }
}

/** Periods that each teacher has covered, given away, and is paid for, in a period; to be kept as a file. */
export function Counts({ schoolId }: { readonly schoolId: string }) {
  const t = useT()
  const [{ from, to }, setDays] = useState(() => monthOf(todayInChina()))
  const found = useQuery({
    queryKey: ['cover', 'counts', schoolId, from, to],
    queryFn: ({ signal }) => call(substitutionCounts, { schoolId, from, to }, { signal, silent: true }),
    retry: false,
    meta: { reads: [substitution.name] },
  })
  const doubts = useDoubts()
  const heads = ['teacher', 'covered', 'given', 'paid'].map((each) => t(`cover.${each}`))
  const rows = (found.data ?? []).map(({ teacherName, covered, givenAway, extra }) => ({
    name: teacherName,
    figures: [covered, givenAway, extra],
  }))
  const totals = [0, 1, 2].map((at) => rows.reduce((sum, { figures }) => sum + (figures[at] ?? 0), 0))
  const save = () =>
    saveFile({
      blob: new Blob([csvOf([heads, ...rows.map(({ name, figures }) => [name, ...figures])])], { type: 'text/csv' }),
      name: `${t('cover.counts')} ${from} ${to}.csv`,
    })
  return (
    <>
      <div className="cover-line">
        <span className="cover-field">
          <span>{t('cover.from')}</span>
          <DateEntry
            kind="date"
            label={t('cover.from')}
            value={from}
            onDoubt={doubts.of('from')}
            onValue={(next) => next && setDays({ from: next, to: next > to ? next : to })}
          />
        </span>
        <span className="cover-field">
          <span>{t('cover.to')}</span>
          <DateEntry
            kind="date"
            label={t('cover.to')}
            value={to}
            onDoubt={doubts.of('to')}
            onValue={(next) => next && setDays({ from: next < from ? next : from, to: next })}
          />
        </span>
        <button type="button" className="button" disabled={rows.length === 0 || doubts.any} onClick={save}>
          {t('cover.export')}
        </button>
        <span className="muted">{t('cover.countsHelp')}</span>
      </div>
      <QueryStates query={found}>
        {() =>
          rows.length === 0 ? (
            <p className="cover-none" role="status">
              {t('cover.countsNone')}
            </p>
          ) : (
            <table className="cover-counts">
              <thead>
                <tr>
                  {heads.map((head) => (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.data?.map(({ teacherId, teacherName, covered, givenAway, extra }) => (
                  <tr key={teacherId}>
                    <th scope="row">{teacherName}</th>
                    <td>{covered}</td>
                    <td>{givenAway}</td>
                    <td>{extra}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">{t('cover.total')}</th>
                  <td>{totals[0]}</td>
                  <td>{totals[1]}</td>
                  <td>{totals[2]}</td>
                </tr>
              </tfoot>
            </table>
          )
        }
      </QueryStates>
    </>
  )
}
