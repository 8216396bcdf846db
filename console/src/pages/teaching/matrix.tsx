import { schoolsemester, teacherclass } from '@data-brain/contract'
import { type AssignmentMatrix, assignmentMatrix } from '@data-brain/contract/calls/timetable'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useMemo, useRef, useState } from 'react'
import { refresh, useCurrent } from '../../entity/data/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { carryOverWords } from '../../locales/carry-over.ts'
import { entityWords } from '../../locales/entity.ts'
import { teachingWords } from '../../locales/teaching.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Link, setQuery, usePlace } from '../../ui/place.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'
import './matrix.css'

addWords({ ...entityWords, ...teachingWords, ...carryOverWords })

const CarryOver = lazyPart(() => import('../carry-over/dialog.tsx'))
const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))
const NONE: Readonly<Record<string, string>> = {}
const still = () => {}
const keyOf = (of: string, subjectId: string) => `${of}|${subjectId}`

/** Who teaches what to whom in a semester: classes down, subjects across, and how much each teacher gives. */
export default function MatrixPage() {
  const t = useT()
  const pick = useWords()
  const { query } = usePlace()
  const can = useCan()
  const [carrying, setCarrying] = useState(false)
  const current = useCurrent(schoolsemester)
  const semesterId = query.get('semester') ?? current
  const found = useQuery({
    queryKey: ['assignmentMatrix', semesterId],
    queryFn: ({ signal }) => call(assignmentMatrix, { semesterId: semesterId ?? '' }, { signal, silent: true }),
    enabled: semesterId !== null,
    retry: false,
    meta: { reads: [teacherclass.name, 'schoolclass', 'schoolteachclass', 'schoolsubject', schoolsemester.name] },
  })
  const list = pathOf(teacherclass.name)
  return (
    <div className="page matrix">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('teaching.matrix')}</h1>
        <ReferenceSelect
          className="matrix-of"
          to={schoolsemester.name}
          label={pick(schoolsemester.label)}
          placeholder={t('teaching.chooseSemester')}
          value={semesterId}
          names={NONE}
          onChange={(next) => setQuery({ semester: typeof next === 'string' ? next : null })}
        />
        {list && <Link to={list}>{t('teaching.list')}</Link>}
        {semesterId && can('teacherclass_add') && (
          <button type="button" className="button" onClick={() => setCarrying(true)}>
            {t('carryOver.assignments')}
          </button>
        )}
      </div>
      {carrying && (
        <Suspense fallback={null}>
          <CarryOver of="assignments" semesterId={semesterId} onClose={() => setCarrying(false)} />
        </Suspense>
      )}
      {found.isError && <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />}
      {found.data && semesterId && <Matrix key={semesterId} semesterId={semesterId} matrix={found.data} />}
      {!found.data && !found.isError && (
        <p className="muted" aria-busy={semesterId !== null}>
          {t(semesterId === null ? 'teaching.chooseSemester' : 'entity.searching')}
        </p>
      )}
    </div>
  )
}

/** The cell that is worked on: one of its assignments, or a new one. */
interface Editing {
  readonly id: string | null
  readonly begin: Readonly<Record<string, string>>
}

function Matrix({ semesterId, matrix }: { semesterId: string; matrix: AssignmentMatrix }) {
  const t = useT()
  const can = useCan()
  const queries = useQueryClient()
  const { schoolId, beginDate, endDate, classes, subjects, assignments, loads } = matrix
  const [at, setAt] = useState({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Editing | null>(null)
  const root = useRef<HTMLTableElement>(null)
  const cells = useMemo(() => {
    const made = new Map<string, (typeof assignments)[number][]>()
    for (const each of assignments) {
      const key = keyOf(each.of, each.subjectId)
      made.set(key, [...(made.get(key) ?? []), each])
    }
    return made
  }, [assignments])
  const parts = useMemo(() => ({ single: true, begin: editing?.begin ?? NONE }), [editing])
  const hoursOf = (of: string) =>
    assignments.reduce((sum, each) => sum + (each.of === of && each.role === '1' ? each.hours : 0), 0)
  const open = (row: number, column: number) => {
    const [one, subject] = [classes[row], subjects[column]]
    if (!one || !subject) return
    const [first] = cells.get(keyOf(one.id, subject.id)) ?? []
    if (first ? !can('teacherclass_edit') : !can('teacherclass_add')) return
    const whose = { [one.isTeachClass ? 'teachClassId' : 'classId']: one.id }
    setEditing({
      id: first?.id ?? null,
      begin: first ? NONE : { schoolId, semesterId, ...whose, subjectId: subject.id, beginDate, endDate },
    })
  }
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Enter') open(at.row, at.column)
    else if (step) {
      const next = { row: at.row + step[0], column: at.column + step[1] }
      if (!classes[next.row] || !subjects[next.column]) return
      setAt(next)
      root.current?.querySelector<HTMLElement>(`[data-at="${next.row}-${next.column}"]`)?.focus()
    } else return
    event.preventDefault()
  }
  if (classes.length === 0 || subjects.length === 0) return <p className="muted">{t('teaching.nothing')}</p>
  return (
    <div className="matrix-body">
      <div className="matrix-scroll">
        <table
          ref={root}
          className="matrix-grid"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of cells that are worked in is a grid
          role="grid"
          aria-label={t('teaching.matrix')}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              <th scope="col">{t('teaching.class')}</th>
              {subjects.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{t('teaching.hours')}</th>
            </tr>
          </thead>
          <tbody>
            {classes.map(({ id: of, name }, row) => (
              <tr key={of}>
                <th scope="row">{name}</th>
                {subjects.map((subject, column) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the grid's
                  <td
                    key={subject.id}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cell of a grid
                    role="gridcell"
                    data-at={`${row}-${column}`}
                    tabIndex={at.row === row && at.column === column ? 0 : -1}
                    onFocus={() => setAt({ row, column })}
                    onClick={() => open(row, column)}
                  >
                    {(cells.get(keyOf(of, subject.id)) ?? []).map(({ id, teacherName, hours, role }) => (
                      <span key={id} className={role === '1' ? undefined : 'muted'}>
                        {teacherName} {hours > 0 && <span className="mono">{hours}</span>}
                      </span>
                    ))}
                  </td>
                ))}
                <td className="mono">{hoursOf(of)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <section className="matrix-loads card" aria-labelledby="matrix-loads">
        <h2 id="matrix-loads">{t('teaching.loads')}</h2>
        <ol>
          {loads.map(({ teacherId, teacherName, hours }) => (
            <li key={teacherId}>
              <span>{teacherName}</span>
              <span className="mono">{t('teaching.load', { count: hours })}</span>
            </li>
          ))}
        </ol>
        {loads.length === 0 && <p className="muted">{t('teaching.noLoads')}</p>}
      </section>
      {editing && (
        <Suspense fallback={null}>
          <EntityForm
            entity={teacherclass}
            open
            id={editing.id}
            preset={NONE}
            parts={parts}
            onClose={() => setEditing(null)}
            onSaved={() => void refresh(queries, teacherclass.name)}
            onDirty={still}
          />
        </Suspense>
      )}
    </div>
  )
}
