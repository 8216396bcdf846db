import { type Entity, entityOf, reportsubscription } from '@data-brain/contract'
import { subscribeReport } from '@data-brain/contract/calls/reportsubscription'
import { calendarKeys, plainMoment } from '@data-brain/contract/subscription'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { refresh, useTask } from '../../entity/data/index.ts'
import { useCellWords } from '../../entity/display/index.ts'
import { checkForm, isAsked } from '../../entity/fields/index.ts'
import { FormFields, fieldsOf, focusField, initialValues, shownFields, toWire } from '../../entity/form/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { createForm, type FormStore, useValue } from '../../ui/form/store.ts'
import { momentOf } from '../../ui/instant.ts'
import { toast } from '../../ui/toast.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { scheduleFields } from './subscription-fields.ts'
import '../../entity/form/form.css'

const NO_NAMES = {}

const { status: _, fields: all, ...rest } = entityOf('reportsubscription')
const usual = scheduleFields.map((name) => [name, all[name]!] as const)
/** The entity as it is asked for here: when, how and in which language. What is usual is filled in, and in sight. */
const asked: Entity = {
  ...rest,
  fields: Object.fromEntries(usual.map(([name, { default: _, ...field }]) => [name, field])),
}
/** What it begins with. */
const first = initialValues({ ...asked, fields: Object.fromEntries(usual) }, {})

/** What is filled in, of what is asked for. */
const draftOf = (form: FormStore): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(asked.fields).flatMap(([name, field]) => {
      const value = toWire(field, form.value(name))
      return value === null || !isAsked(field, form.value(field.only?.by ?? '')) ? [] : [[name, value]]
    }),
  )

interface SubscribeProps {
  readonly report: { readonly id: string; readonly name: string }
  /** What the report asks for, as it is filled in. */
  readonly parameters: Readonly<Record<string, string>>
  readonly onClose: () => void
}

interface Faults {
  readonly field?: string
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
}

/** Asks when, how often and in which way a report is to come. */
export default function SubscribeDialog({ report, parameters, onClose }: SubscribeProps) {
  const t = useT()
  const language = useLanguage()
  const queries = useQueryClient()
  const words = useCellWords(reportsubscription)
  const body = useRef<HTMLDivElement>(null)
  const [form] = useState(() => createForm({ ...first, weekday: '1', fileLanguage: language }))
  const { busy, failure, run } = useTask()
  const showMistakes = (): void => {
    requestAnimationFrame(() =>
      focusField(
        body.current,
        shownFields(body.current).find((each) => form.wrongs().has(each)),
      ),
    )
  }
  const submit = async (): Promise<void> => {
    const names = fieldsOf(asked)
    const wrong = checkForm(asked, names, form.values(), {})
    for (const each of names) form.setWrong(each, wrong.get(each) ?? null)
    if (wrong.size > 0) return showMistakes()
    try {
      const made = await call(subscribeReport, { ...draftOf(form), reportId: report.id, parameters }, { silent: true })
      const { nextRun } = made
      toast.success(nextRun ? t('report.subscribed', { time: nextRun.slice(0, 16) }) : t('report.subscribedUnknown'))
      await refresh(queries, reportsubscription.name)
      onClose()
    } catch (problem) {
      const data = problem instanceof HttpProblem ? (problem.data as Faults | null) : null
      const named = data?.fields ?? []
      const mine = named.filter(({ field }) => Object.hasOwn(asked.fields, field))
      for (const { field, message } of mine) form.setWrong(field, message)
      if (mine.length === 0) throw problem
      showMistakes()
    }
  }
  return (
    <Dialog
      title={t('report.subscribeOf', { name: report.name })}
      busy={busy}
      failure={failure}
      okText={t('report.subscribe')}
      onClose={onClose}
      onOk={() => void run(submit)}
    >
      <p className="dlg-note">{t('report.subscribeHelp')}</p>
      <div ref={body} className="entity-form">
        <FormFields entity={asked} form={form} isNew words={words} names={NO_NAMES} />
      </div>
      <NextMoment form={form} />
    </Dialog>
  )
}

/** Says in words when it comes first, as the form stands. */
function NextMoment({ form }: { readonly form: FormStore }) {
  const t = useT()
  const [every, weekday, hour] = [useValue(form, 'every'), useValue(form, 'weekday'), useValue(form, 'hour')]
  if (typeof hour !== 'number' || hour < 0 || hour > 23 || !every) return null
  const schedule = { every: String(every), weekday: weekday ? String(weekday) : null, hour }
  const isOfCalendar = calendarKeys.includes(schedule.every)
  return (
    <p className="muted" role="status">
      {isOfCalendar
        ? t('report.nextByCalendar')
        : t('report.nextAt', { time: plainMoment(schedule, momentOf(Date.now())).slice(0, 16) })}
    </p>
  )
}
