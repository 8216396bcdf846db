import { type GradeOfSchool, gradesOfSchool, openClasses, type SchoolSetUp } from '@data-brain/contract/calls/school'
import { usualClassName } from '@data-brain/contract/rules/school-year'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { refresh, useTask } from '../../entity/data/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { setUpDialogWords } from '../../locales/set-up-dialogs.ts'
import { AntdRoot } from '../../ui/antd.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import './classes-dialog.css'

addWords({ ...entityWords, ...setUpDialogWords })

const most = 60
/** As typed: a whole number of classes, or undefined where it is none. */
const countOf = (text: string): number | undefined =>
  /^\s*[0-9\uFF10-\uFF19]{1,2}\s*$/.test(text) && Number(text.normalize('NFKC')) <= most
    ? Number(text.normalize('NFKC'))
    : undefined

const namesShown = 8

/** Numbers as one says them: 1–4, 6. */
function rangesOf(numbers: readonly number[], separator: string): string {
  const runs: [number, number][] = []
  for (const no of numbers) {
    const last = runs.at(-1)
    if (last && last[1] === no - 1) last[1] = no
    else runs.push([no, no])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(separator)
}

/** What a grade is asked to have: the classes that it lacks of these, or what is wrong with the number. */
interface Wanted {
  readonly grade: GradeOfSchool
  readonly text: string
  readonly count: number
  readonly lacking: readonly number[]
  readonly fault: 'range' | 'fewer' | null
}

/** A grade that nobody has touched is asked for nothing, whatever numbers its classes bear. */
function wantedOf(grade: GradeOfSchool, typed: string | undefined, each: number | undefined): Wanted {
  const { classCount, classNos } = grade
  const text = typed ?? (each === undefined ? (classCount > 0 ? `${classCount}` : '') : `${each}`)
  const count = text.trim() === '' ? 0 : countOf(text)
  if (count === undefined) return { grade, text, count: 0, lacking: [], fault: 'range' }
  const touched = typed !== undefined || each !== undefined
  const lacking = Array.from({ length: touched ? count : 0 }, (_, at) => at + 1).filter((no) => !classNos.includes(no))
  // A number for all grades leaves those with more as they are; one for this grade means fewer than there are.
  const fewer = typed !== undefined && text.trim() !== '' && count < classCount
  return { grade, text, count, lacking: fewer ? [] : lacking, fault: fewer ? 'fewer' : null }
}

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
  const fields = useRef<HTMLDivElement>(null)
  const yearId = school?.yearId ?? null
  const found = useQuery({
    queryKey: ['setUp', 'grades', schoolId, yearId],
    queryFn: ({ signal }) => call(gradesOfSchool, { schoolId, yearId: yearId ?? '' }, { signal, silent: true }),
    meta: { reads: ['sysgrade', 'schoolclass', 'school'] },
    enabled: yearId !== null,
  })
  const grades = found.data ?? []
  const forAll = each.trim() === '' ? undefined : countOf(each)
  const eachWrong = each.trim() !== '' && forAll === undefined
  const wanted = grades.map((grade) => wantedOf(grade, typed[grade.id], forAll))
  const names = wanted.flatMap(({ grade, lacking }) => lacking.map((no) => usualClassName(grade.gradeName, no)))
  const wrong = eachWrong || wanted.some(({ fault }) => fault !== null)
  const touched = forAll !== undefined || Object.keys(typed).length > 0
  const save = async () => {
    setAsked(true)
    if (wrong) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (!school || yearId === null || wrong || names.length === 0) return
    let made = 0
    const done = await run(async () => {
      const grades = wanted.flatMap(({ grade, count, lacking }) =>
        lacking.length > 0 ? [{ gradeId: grade.id, count }] : [],
      )
      made = (await call(openClasses, { schoolId: school.id, yearId, grades }, { silent: true })).made
      await refresh(queries, 'schoolclass')
    })
    if (!done) return
    toast.success(t('setUp.classesDone', { count: made }))
    onClose()
  }
  const nothing = t(touched ? 'setUp.nothing' : 'setUp.fill')
  const listed = names.slice(0, namesShown).join(t('entity.separator'))
  return (
    <AntdRoot>
      <Dialog
        title={t('setUp.classesTitle')}
        onClose={onClose}
        onOk={() => void save()}
        okText={names.length > 0 ? t('setUp.classesOk', { count: names.length }) : t('setUp.classesNone')}
        busy={busy}
        failure={
          failure ||
          found.error?.message ||
          (yearId === null ? t('setUp.noYear') : asked && !wrong && names.length === 0 ? nothing : '')
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
                setAsked(false)
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
        <div ref={fields}>
          <Field
            label={t('setUp.each')}
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            value={each}
            error={eachWrong ? t('setUp.range') : undefined}
            onChange={(event) => {
              setEach(event.target.value)
              setTyped({})
            }}
          />
          <div className="set-up-grades">
            {wanted.map(({ grade, text, lacking, fault }) => (
              <Field
                key={grade.id}
                label={grade.gradeName}
                aria-label={t('setUp.classesOf', { grade: grade.gradeName })}
                inputMode="numeric"
                autoComplete="off"
                value={text}
                help={
                  lacking.length > 0
                    ? t('setUp.makes', { nos: rangesOf(lacking, t('entity.separator')) })
                    : grade.classCount > 0
                      ? t('setUp.has', { count: grade.classCount })
                      : undefined
                }
                error={
                  fault === 'range'
                    ? t('setUp.range')
                    : fault === 'fewer'
                      ? t('setUp.fewer', { count: grade.classCount })
                      : undefined
                }
                onChange={(event) => setTyped({ ...typed, [grade.id]: event.target.value })}
              />
            ))}
          </div>
        </div>
        <p className="muted" role="status">
          {names.length === 0
            ? touched && !wrong && !asked && nothing
            : t('setUp.willMake', {
                names: names.length > namesShown ? t('setUp.andMore', { names: listed, count: names.length }) : listed,
              })}
        </p>
      </Dialog>
    </AntdRoot>
  )
}
