import { attach, student as child, codeOf, type FieldName, studentparents as guardian } from '@data-brain/contract'
import { siblings } from '@data-brain/contract/calls/school'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type ShownRow, useRow } from '../../entity/data/index.ts'
import { type CellWords, Facts, textOf } from '../../entity/display/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { studentWords } from '../../locales/student.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { todayDay } from '../../ui/date/read.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Link } from '../../ui/place.ts'
import { addWords, useWords } from '../../ui/words.ts'
import CallLine from './call-line.tsx'

addWords({ ...entityWords, ...studentWords })

const RecordFindings = lazyPart(() => import('../quality/record-findings.tsx'))

/** Missing fields that are named before the rest is counted. */
const NAMED = 3

interface TopProps {
  readonly record: ShownRow<typeof child>
  readonly words: CellWords
}

/** A child's record under the name: who it is at a glance, and whom to ring. */
export default function StudentTop({ record, words }: TopProps) {
  const can = useCan()
  const { t } = words
  const fact = (name: 'sex') => textOf(child.fields[name], record[name], words)
  const years = ageOf(record.birthDate)
  const facts = [
    record.seatNo ? t('student.seat', { no: record.seatNo }) : '',
    fact('sex'),
    years === undefined ? '' : t('student.age', { count: years }),
  ].filter(Boolean)
  return (
    <>
      {record.photo && <Photo id={record.photo} label={t('student.photoOf', { name: record.name })} />}
      {facts.length > 0 && <Facts texts={facts} />}
      {can(codeOf(guardian, 'view')) && <CallLine childId={record.id} />}
      <Unusual record={record} words={words} />
      <Suspense fallback={null}>
        <RecordFindings code={child.name} id={record.id} />
      </Suspense>
      {can(codeOf(guardian, 'view')) && <Siblings childId={record.id} words={words} />}
    </>
  )
}

/** Whole years since a day, by the school's calendar; undefined without one. */
function ageOf(day: string | null | undefined, today = todayDay()): number | undefined {
  if (!day || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const years = Number(today.slice(0, 4)) - Number(day.slice(0, 4))
  return today.slice(5) < day.slice(5) ? years - 1 : years
}

/** The photo as documents have it, for whoever may see it. */
function Photo({ id, label }: { id: string; label: string }) {
  const link = useRow(attach, id).data?.link
  return link ? <img className="student-photo" src={link} alt={label} /> : null
}

/** What is not as usual with a child today: a birthday, no class, what the national form still lacks. */
function Unusual({ record, words }: TopProps) {
  const { t } = words
  const pick = useWords()
  const years = ageOf(record.birthDate)
  const today = todayDay()
  const lacking = (Object.keys(child.fields) as FieldName<typeof child>[]).filter(
    (name) => 'national' in child.fields[name] && (record[name] === null || record[name] === ''),
  )
  const labels = lacking.map((name) => pick(child.fields[name].label))
  const names = labels.slice(0, NAMED).join(t('entity.separator'))
  const facts = [
    years !== undefined && record.birthDate?.slice(5) === today.slice(5) && t('student.birthday', { count: years }),
    record.classId === null && t('student.unplaced'),
    labels.length > 0 &&
      t('student.missing', {
        count: labels.length,
        names: labels.length > NAMED ? t('student.andMore', { names }) : names,
      }),
  ].filter((text) => typeof text === 'string')
  if (facts.length === 0) return null
  return (
    <ul className="student-unusual">
      {facts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** Pupils with a guardian's phone in common, each a link to the record. */
function Siblings({ childId, words: { t } }: { childId: string; words: CellWords }) {
  const found = useQuery({
    queryKey: ['student', 'siblings', childId],
    queryFn: ({ signal }) => call(siblings, { id: childId }, { signal, silent: true }),
    retry: false,
    meta: { reads: ['student', 'studentparents'] },
  }).data
  if (!found || found.length === 0) return null
  return (
    <section className="related siblings" aria-label={t('student.siblings')}>
      <h3>
        <span>{t('student.siblings')}</span>
        <span className="related-count">{t('student.siblingsNote')}</span>
      </h3>
      <ul>
        {found.map(({ id, name, className }) => (
          <li key={id}>
            <span className="related-row">
              <Link to={`${pathOf(child.name)}?id=${id}`}>{name}</Link>{' '}
              {className && <span className="muted">{className}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
