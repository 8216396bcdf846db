import { classschedule, teacherclass, timetableplan } from '@data-brain/contract'
import { handOver } from '@data-brain/contract/calls/timetable'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { refresh, type ShownRow, useTask } from '../../entity/data/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { EntityPage, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { teachingWords } from '../../locales/teaching.ts'
import { matrixPath } from '../../session/paths.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { ImportButton } from '../import/index.ts'

addWords(teachingWords)

/** Before the add button: the table of a semester, and files. */
const toolbar = (
  <>
    <MatrixLink />
    <ImportButton entity={teacherclass.name} />
  </>
)

function MatrixLink() {
  const t = useT()
  return (
    <Link className="button" to={matrixPath}>
      <Icon name="table" size={16} />
      {t('teaching.matrix')}
    </Link>
  )
}

type Assignment = ShownRow<typeof teacherclass>

/** Who teaches whom what; what somebody teaches is handed over to another from a week on. */
export default function TeachingPage() {
  const t = useT()
  const [asked, setAsked] = useState<Assignment | null>(null)
  const actions: readonly RowAction<typeof teacherclass>[] = useMemo(
    () => [
      {
        key: 'handOver',
        label: t('teaching.handOver'),
        icon: 'arrow-left-right',
        code: 'teacherclass_edit',
        run: setAsked,
      },
    ],
    [t],
  )
  return (
    <>
      <EntityPage entity={teacherclass} rowActions={actions} slots={{ toolbar }} />
      {asked && <HandOver row={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

/** No term has more weeks. */
const weeks = Array.from({ length: 29 }, (_, at) => at + 2)

function HandOver({ row, onClose }: { row: Assignment; onClose: () => void }) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, failure, run } = useTask()
  const [userId, setUserId] = useState<string | null>(null)
  const [fromWeek, setFromWeek] = useState(weeks[0]!)
  const [teacherField, weekField] = [useId(), useId()]
  const save = async () => {
    if (userId === null) return
    await run(async () => {
      const { lessons } = await call(handOver, { id: row.id, userId, fromWeek }, { silent: true })
      await Promise.all([teacherclass, classschedule, timetableplan].map(({ name }) => refresh(queries, name)))
      toast.success(t('teaching.done', { week: fromWeek, count: lessons }))
      onClose()
    })
  }
  return (
    <Dialog
      title={t('teaching.handOverOf', { name: row.userName ?? '' })}
      okText={t('teaching.handOver')}
      onOk={() => void save()}
      busy={busy}
      failure={failure}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor={teacherField}>{t('teaching.to')}</label>
        <ReferenceSelect
          id={teacherField}
          className="ff-full"
          label={t('teaching.to')}
          to="user"
          value={userId}
          scope={{ near: row.schoolId, without: row.userId }}
          onChange={(next) => setUserId(typeof next === 'string' ? next : null)}
        />
      </div>
      <div className="field">
        <label htmlFor={weekField}>{t('teaching.week')}</label>
        <select
          id={weekField}
          className="input"
          value={fromWeek}
          onChange={(event) => setFromWeek(Number(event.target.value))}
        >
          {weeks.map((week) => (
            <option key={week} value={week}>
              {week}
            </option>
          ))}
        </select>
        <p className="field-help">{t('teaching.help')}</p>
      </div>
    </Dialog>
  )
}
