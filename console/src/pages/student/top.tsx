import { codeOf, entityOf, personalCode } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Shown } from '../../entity/calls.ts'
import { type CellWords, dictText, textOf } from '../../entity/cell.tsx'
import { useDictionaries, useEntity } from '../../entity/client.ts'
import { studentWords } from '../../locales/student.ts'
import { useCan } from '../../session/session.ts'
import { todayDay } from '../../ui/date/read.ts'
import { Icon } from '../../ui/icon.tsx'
import { addWords } from '../../ui/words.ts'

addWords(studentWords)

const guardian = entityOf('studentparents')
const child = entityOf('student')

interface TopProps {
  readonly record: Shown
  readonly words: CellWords
}

/** A child's record under the name: who it is at a glance, and whom to ring. */
export default function StudentTop({ record, words }: TopProps) {
  const can = useCan()
  const { t } = words
  const fact = (name: string) => textOf(child.fields[name]!, record[name], words)
  const years = ageOf(record.birthDate)
  const facts = [
    record.seatNo ? t('student.seat', { no: String(record.seatNo) }) : '',
    fact('sex'),
    years === undefined ? '' : t('student.age', { count: years }),
  ].filter(Boolean)
  return (
    <>
      {facts.length > 0 && (
        <p className="detail-facts">
          {facts.map((text) => (
            <span key={text}>{text}</span>
          ))}
        </p>
      )}
      {can(codeOf(guardian, 'view')) && <CallLine childId={record.id} words={words} />}
    </>
  )
}

/** Whole years since a day, by the school's calendar; undefined without one. */
function ageOf(day: unknown, today = todayDay()): number | undefined {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const years = Number(today.slice(0, 4)) - Number(day.slice(0, 4))
  return today.slice(5) < day.slice(5) ? years - 1 : years
}

/** The guardian who is called first; the number is shown on request alone, which is written down. */
function CallLine({ childId, words }: { childId: string; words: CellWords }) {
  const can = useCan()
  const { t } = words
  const client = useEntity(guardian)
  const dictionaries = useDictionaries(guardian)
  const found = useQuery({
    ...client.list({ studentId: childId, ascs: 'contactPriority', current: 1, size: 1 }),
    placeholderData: undefined,
  })
  const [number, setNumber] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const first = found.data?.records[0]
  if (!first) return null
  const show = async () => {
    setBusy(true)
    try {
      const whole = await client.personal(first.id)
      setNumber(whole.mobile ?? null)
    } finally {
      setBusy(false)
    }
  }
  const masked = typeof first.mobile === 'string' ? first.mobile : ''
  return (
    <div className="call-line">
      <Icon name="phone" size={18} />
      <span>
        {first.relation ? dictText({ ...words, dictionaries }, 'relation', first.relation) : ''}{' '}
        <strong>{String(first.parentName ?? '')}</strong>
        <small className="mono">{number ? <a href={`tel:${number}`}>{number}</a> : masked}</small>
      </span>
      {number === null && masked !== '' && can(personalCode(guardian)) && (
        <button type="button" className="link-button" disabled={busy} onClick={() => void show()}>
          {t('student.showNumber')}
        </button>
      )}
    </div>
  )
}
