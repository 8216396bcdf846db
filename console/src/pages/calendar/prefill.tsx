import { schoolcalendarday, schoolyear } from '@data-brain/contract'
import { prefillCalendar } from '@data-brain/contract/calls/timetable'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { refresh, undoOffer, useEntity, useTask } from '../../entity/data/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { call } from '../../http/call.ts'
import { calendarWords } from '../../locales/calendar.ts'
import { entityWords } from '../../locales/entity.ts'
import { AntdRoot } from '../../ui/antd.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT, useWords } from '../../ui/words.ts'

addWords({ ...entityWords, ...calendarWords })

/** Asks for the school year, and puts its public holidays in; what the school has said of a day stays. */
export default function Prefill({ onClose }: { onClose: () => void }) {
  const t = useT()
  const pick = useWords()
  const queries = useQueryClient()
  const { undo } = useEntity(schoolcalendarday)
  const { busy, failure, run } = useTask()
  const fieldId = useId()
  const [yearId, setYearId] = useState<string | null>(null)
  const put = async () => {
    if (yearId === null) return
    let requestId: string | undefined
    const numbered = (number: string) => {
      requestId = number
    }
    await run(async () => {
      const { made, kept, knownUntil } = await call(prefillCalendar, { yearId }, { silent: true, numbered })
      await refresh(queries, schoolcalendarday.name)
      toast.success(
        t('calendar.prefilled', { count: made }),
        t('calendar.known', { kept, day: knownUntil }),
        made > 0 && requestId ? undoOffer(requestId, undo, t) : undefined,
      )
      onClose()
    })
  }
  return (
    <AntdRoot>
      <Dialog
        title={t('calendar.prefill')}
        okText={t('calendar.put')}
        onOk={() => void put()}
        busy={busy}
        failure={failure}
        onClose={onClose}
      >
        <div className="field">
          <label htmlFor={fieldId}>{pick(schoolyear.label)}</label>
          <ReferenceSelect
            id={fieldId}
            className="ff-full"
            label={pick(schoolyear.label)}
            to={schoolyear.name}
            value={yearId}
            onChange={(next) => setYearId(typeof next === 'string' ? next : null)}
          />
          <p className="field-help">{t('calendar.help')}</p>
        </div>
      </Dialog>
    </AntdRoot>
  )
}
