import { suspendLessons } from '@data-brain/contract/calls/substitution'
import { readWeeks } from '@data-brain/contract/rules/weeks'
import { useId, useState } from 'react'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { call } from '../../http/call.ts'
import { useDoubts } from '../../ui/date/doubts.ts'
import { DateEntry } from '../../ui/date/entry.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useT } from '../../ui/words.ts'
import { type Days, useArranging } from './calls.ts'

const NONE: Readonly<Record<string, string>> = {}
/** Grades and classes that are named one by one; more of them are the whole school. */
const [gradesMost, classesMost] = [20, 60]
/** No school has more periods in a day. */
const lastPeriod = 14

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : value ? [String(value)] : [])

interface Props {
  readonly days: Days
  readonly onClose: () => void
}

/** Takes out the lessons of an examination week: of some days, grades, classes and periods, and no others. */
export function SuspendDialog({ days, onClose }: Props) {
  const t = useT()
  const periodsField = useId()
  const reasonField = useId()
  const { busy, failure, arrange } = useArranging()
  const [from, setFrom] = useState<string | null>(days.from)
  const [to, setTo] = useState<string | null>(days.to)
  const [grades, setGrades] = useState<readonly string[]>([])
  const [classes, setClasses] = useState<readonly string[]>([])
  const [periodsText, setPeriodsText] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState('')
  const doubts = useDoubts()
  const suspend = async () => {
    // U+8282 is the Chinese word for a period.
    const periods = periodsText.trim() === '' ? [] : readWeeks(periodsText.replace(/\u8282|periods?/gi, ''))
    const wrong =
      doubts.any || from === null || to === null
        ? t('cover.suspendDays')
        : !periods || periods.some((no) => no > lastPeriod)
          ? t('cover.suspendPeriodsWrong')
          : ''
    setFault(wrong)
    if (wrong || !periods || from === null || to === null) return
    const asked = {
      ...{ schoolId: days.schoolId, from, to, gradeIds: [...grades], classIds: [...classes], periods: [...periods] },
      ...(reason.trim() ? { reason: reason.trim() } : {}),
    }
    const done = await arrange(
      (options) => call(suspendLessons, asked, options),
      ({ lessons }) => t('cover.suspendDone', { count: lessons }),
    )
    if (done) onClose()
  }
  return (
    <Dialog
      title={t('cover.suspendTitle')}
      okText={t('cover.suspendOk')}
      onOk={() => void suspend()}
      busy={busy}
      failure={fault || failure}
      onClose={onClose}
    >
      <p className="muted">{t('cover.suspendHelp')}</p>
      <div className="cover-pair">
        <div className="field">
          <span className="cover-name">{t('cover.from')}</span>
          <DateEntry kind="date" label={t('cover.from')} value={from} onDoubt={doubts.of('from')} onValue={setFrom} />
        </div>
        <div className="field">
          <span className="cover-name">{t('cover.to')}</span>
          <DateEntry kind="date" label={t('cover.to')} value={to} onDoubt={doubts.of('to')} onValue={setTo} />
        </div>
      </div>
      <div className="field">
        <span className="cover-name">{t('cover.suspendGrades')}</span>
        <ReferenceSelect
          className="cover-select"
          to="sysgrade"
          label={t('cover.suspendGrades')}
          placeholder={t('cover.suspendAll')}
          value={grades}
          names={NONE}
          most={gradesMost}
          onChange={(next) => setGrades(idsIn(next))}
        />
      </div>
      <div className="field">
        <span className="cover-name">{t('cover.suspendClasses')}</span>
        <ReferenceSelect
          className="cover-select"
          to="schoolclass"
          label={t('cover.suspendClasses')}
          placeholder={t('cover.suspendAll')}
          value={classes}
          names={NONE}
          most={classesMost}
          scope={{ within: { schoolId: days.schoolId } }}
          onChange={(next) => setClasses(idsIn(next))}
        />
      </div>
      <div className="field">
        <label htmlFor={periodsField}>{t('cover.suspendPeriods')}</label>
        <input
          id={periodsField}
          className="input"
          value={periodsText}
          placeholder={t('cover.suspendPeriodsAll')}
          onChange={({ target }) => setPeriodsText(target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={reasonField}>{t('cover.suspendReason')}</label>
        <input
          id={reasonField}
          className="input"
          value={reason}
          maxLength={200}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
    </Dialog>
  )
}
