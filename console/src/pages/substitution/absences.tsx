import { teacherabsence } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useEntity } from '../../entity/data/index.ts'
import { useCan } from '../../session/session.ts'
import { useT } from '../../ui/words.ts'
import type { Days } from './calls.ts'

/** More are away only in a school that is closed. */
const most = 50

/** Who is away in these days; each name leads to its absence. */
export function Absences({ days, onOpen }: { readonly days: Days; readonly onOpen: (id: string) => void }) {
  const { schoolId, from, to } = days
  const t = useT()
  const can = useCan()
  const { list } = useEntity(teacherabsence)
  const mayLook = can('teacherabsence_view')
  const found = useQuery({
    ...list({ schoolId, beginDate_le: to, endDate_ge: from, status: 1, current: 1, size: most }),
    enabled: mayLook,
  })
  if (!mayLook || !found.data) return <span className="cover-absent" />
  const { records, total = records.length } = found.data
  return (
    <div className="cover-absent">
      <span className="muted">{t(records.length === 0 ? 'cover.absentNone' : 'cover.absent')}</span>
      {records.length > 0 && (
        <ul>
          {records.map(({ id, teacherName, beginDate, endDate, reason }) => (
            <li key={id}>
              <button
                type="button"
                className="button small"
                disabled={!can('teacherabsence_edit')}
                onClick={() => onOpen(String(id))}
              >
                {teacherName}
                {beginDate !== endDate && (
                  <span className="muted">
                    {t('cover.absentDays', { from: beginDate.slice(5), to: endDate.slice(5) })}
                  </span>
                )}
                {reason && <span className="muted">{reason}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {total > records.length && (
        <span className="muted">{t('cover.absentMore', { count: total - records.length })}</span>
      )}
    </div>
  )
}
