import { usualClassName } from '@data-brain/contract/rules/school-year'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { refresh } from '../../entity/client.ts'
import { useTask } from '../../entity/task.ts'
import { entityWords } from '../../locales/entity.ts'
import { setUpDialogWords } from '../../locales/set-up-dialogs.ts'
import { AntdRoot } from '../../ui/antd.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { openClasses, readGrades, type SchoolSetUp } from './calls.ts'
import './classes-dialog.css'

addWords({ ...entityWords, ...setUpDialogWords })

const most = 60
/** As typed: a whole number of classes, or undefined where it is none. */
const countOf = (text: string): number | undefined =>
  /^\s*[0-9\uFF10-\uFF19]{1,2}\s*$/.test(text) && Number(text.normalize('NFKC')) <= most
    ? Number(text.normalize('NFKC'))
    : undefined

const namesShown = 8

interface ClassesProps {
  /** The schools to choose from; the only one is chosen. */
  readonly schools: readonly SchoolSetUp[]
  readonly onClose: () => void
}

/** The classes of all grades of a school in its current year, opened at once; those that exist are left alone. */
export default function ClassesDialog({ schools, onClose }: ClassesProps) {
  const t = useT()
  const queries = useQueryClient()
  const schoolFieldId = useId()
  const { busy, failure, run } = useTask()
  const [schoolId, setSchoolId] = useState(schools[0]?.id ?? '')
  const school = schools.find(({ id }) => id === schoolId)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [each, setEach] = useState('')
  const [asked, setAsked] = useState(false)
  const yearId = school?.yearId ?? null
  const found = useQuery({
    queryKey: ['setUp', 'grades', schoolId, yearId],
    queryFn: ({ signal }) => readGrades(schoolId, yearId ?? '', signal),
    meta: { reads: ['sysgrade', 'schoolclass', 'school'] },
    enabled: yearId !== null,
  })
  const grades = found.data ?? []
  const textOf = (grade: (typeof grades)[number]): string =>
    typed[grade.id] ?? (each !== '' ? each : grade.classCount > 0 ? String(grade.classCount) : '')
  const wanted = grades.map((grade) => ({ grade, count: textOf(grade) === '' ? 0 : countOf(textOf(grade)) }))
  const names = wanted.flatMap(({ grade, count = 0 }) =>
    Array.from({ length: Math.max(0, count - grade.classCount) }, (_, at) =>
      usualClassName(grade.gradeName, grade.classCount + at + 1),
    ),
  )
  const wrong = wanted.some(({ count }) => count === undefined)
  const save = async () => {
    setAsked(true)
    if (!school || yearId === null || wrong || names.length === 0) return
    let made = 0
    const done = await run(async () => {
      const asks = wanted.flatMap(({ grade, count }) => (count ? [{ gradeId: grade.id, count }] : []))
      made = (await openClasses(school.id, yearId, asks)).made
      await refresh(queries, 'schoolclass')
    })
    if (!done) return
    toast.success(t('setUp.classesDone', { count: made }))
    onClose()
  }
  const listed = names.slice(0, namesShown).join(t('entity.separator'))
  return (
    <AntdRoot>
      <Dialog
        title={t('setUp.classesTitle')}
        onClose={onClose}
        onOk={() => void save()}
        okText={t('setUp.classesOk', { count: names.length })}
        busy={busy}
        failure={
          failure ||
          found.error?.message ||
          (yearId === null ? t('setUp.noYear') : asked && !wrong && names.length === 0 ? t('setUp.nothing') : '')
        }
      >
        {schools.length > 1 && (
          <div className="field">
            <label htmlFor={schoolFieldId}>{t('setUp.schoolOf')}</label>
            <select
              id={schoolFieldId}
              className="input"
              value={schoolId}
              onChange={(event) => {
                setSchoolId(event.target.value)
                setTyped({})
              }}
            >
              {schools.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        )}
        <Field
          label={t('setUp.each')}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          value={each}
          error={each !== '' && countOf(each) === undefined ? t('setUp.range') : undefined}
          onChange={(event) => {
            setEach(event.target.value)
            setTyped({})
          }}
        />
        <div className="set-up-grades">
          {wanted.map(({ grade, count }) => (
            <Field
              key={grade.id}
              label={grade.gradeName}
              aria-label={t('setUp.classesOf', { grade: grade.gradeName })}
              inputMode="numeric"
              autoComplete="off"
              value={textOf(grade)}
              help={grade.classCount > 0 ? t('setUp.has', { count: grade.classCount }) : undefined}
              error={count === undefined ? t('setUp.range') : undefined}
              onChange={(event) => setTyped({ ...typed, [grade.id]: event.target.value })}
            />
          ))}
        </div>
        <p className="muted" role="status">
          {names.length === 0
            ? ''
            : t('setUp.willMake', {
                names: names.length > namesShown ? t('setUp.andMore', { names: listed, count: names.length }) : listed,
              })}
        </p>
      </Dialog>
    </AntdRoot>
  )
}
