import { leave } from '@data-brain/contract'
import {
  type LeaveDetail,
  type LeavePeople,
  type LeavePreview,
  leaveDetail,
  leavePeople,
  previewLeave,
  startLeave,
} from '@data-brain/contract/calls/leave'
import { addDays, todayInChina } from '@data-brain/contract/rules/school-year'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useDictionaries, useTask } from '../../../entity/data/index.ts'
import { type ControlProps, ReferenceSelect } from '../../../entity/fields/index.ts'
import { QueryStates } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowWords } from '../../../locales/flow.ts'
import { leaveWords } from '../../../locales/leave.ts'
import { useCan } from '../../../session/session.ts'
import { type FormStore, useDirty, useValue } from '../../../ui/form/store.ts'
import { useKeyHint } from '../../../ui/keymap.ts'
import { useKeys } from '../../../ui/keys.ts'
import { go, usePlace, useTab } from '../../../ui/place.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useLanguage, useT } from '../../../ui/words.ts'
import { FormBody } from '../form/form.tsx'
import { useFlowForm } from '../form/use-form.ts'
import { detailAddress } from '../places.ts'
import { flowKey, renewFlow } from '../queries.ts'
import { askedOf, canPreview, fieldsOfLeave } from './asked.ts'
import { Missed } from './missed.tsx'
import '../../../ui/later-words.ts'
import '../start/start.css'
import './leave.css'

addWords({ ...entityWords, ...flowWords, ...leaveWords })

/** Asks for leave: who is away, when and why; what that comes to is said while it is typed. */
export default function LeaveFormPage() {
  const { params, query } = usePlace()
  const id = params.processDefinitionId ?? ''
  const draftId = query.get('draft')
  const t = useT()
  const found = useQuery({
    queryKey: [...flowKey, 'leave-people', id],
    queryFn: ({ signal }) => call(leavePeople, { processDefinitionId: id }, { signal, silent: true }),
    staleTime: 60_000,
    retry: false,
  })
  const draft = useQuery({
    queryKey: [...flowKey, 'leave', draftId],
    queryFn: ({ signal }) => call(leaveDetail, { businessId: draftId ?? '' }, { signal, silent: true }),
    enabled: draftId !== null,
    retry: false,
  })
  return (
    <div className="page flow-form-page">
      <header className="page-head">
        <h1 tabIndex={-1}>{found.data?.processName ?? t('shell.leaveForm')}</h1>
      </header>
      <QueryStates query={found}>
        {(people) =>
          draftId === null ? (
            <Request key={id} processId={id} people={people} draft={null} />
          ) : (
            <QueryStates query={draft}>
              {(held) => <Request key={held.id} processId={id} people={people} draft={held} />}
            </QueryStates>
          )
        }
      </QueryStates>
    </div>
  )
}

/** A pupil of any class, by name. */
function PupilInput({ form, name, label, ties, onChange }: ControlProps) {
  const t = useT()
  const value = useValue(form, name)
  return (
    <ReferenceSelect
      {...ties}
      className="ff-full"
      label={label}
      placeholder={t('leave.choosePupil')}
      to="student"
      value={(value as string | null) ?? null}
      onChange={onChange}
    />
  )
}

interface RequestProps {
  readonly processId: string
  readonly people: LeavePeople
  /** What was begun before, and is filed now. */
  readonly draft: LeaveDetail | null
}

function Request({ processId, people, draft }: RequestProps) {
  const t = useT()
  const can = useCan()
  const language = useLanguage()
  const queries = useQueryClient()
  const dictionaries = useDictionaries(leave)
  const anybody = can('leave_add')
  const { active, setDirty, setName } = useTab()
  const fields = useMemo(
    () => fieldsOfLeave(t, { people, anybody, dictionaries, language, draft }),
    [t, people, anybody, dictionaries, language, draft],
  )
  const asked = useFlowForm(draft ? `leave-draft-${draft.id}` : `leave-${processId}`, fields)
  const made = useMemo(
    () => ({ ...asked, parts: { ...asked.parts, inputs: { ...asked.parts.inputs, anyPupil: PupilInput } } }),
    [asked],
  )
  const { busy, failure, run } = useTask()
  const hint = useKeyHint('Mod+KeyS', 'keys.save')
  const dirty = useDirty(made.form)
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => setName(people.processName ?? t('shell.leaveForm')), [people.processName, setName, t])
  useFollowingEnd(made.form)
  const send = async () => {
    if (busy || !made.judge()) return
    await run(async () => {
      try {
        const asked = askedOf(made.form.values(), people, draft)
        // Of one that has ended another is made; a draft is sent itself.
        const body = { ...asked, ...(draft?.status === 0 ? { id: draft.id } : {}), processDefinitionId: processId }
        const { id, processInstanceId } = await call(startLeave, body, { silent: true })
        made.clear()
        setDirty(false)
        toast.success(t('leave.sent'))
        await renewFlow(queries)
        go(detailAddress({ processInstanceId, formKey: 'leave', businessId: id }), { replace: true })
      } catch (problem) {
        if (!(problem instanceof HttpProblem)) throw problem
        const left = made.refused(problem)
        if (left) throw new HttpProblem(left, problem.status, problem.code, problem.data, problem.requestId)
      }
    })
  }
  useKeys(active, {
    name: 'keys.form',
    bindings: [{ keys: ['Mod+KeyS', 'Mod+Enter'], label: 'keys.save', typing: true, run: () => void send() }],
  })
  if (!draft && !people.self && people.pupils.length === 0 && !anybody)
    return (
      <div className="alert" role="status">
        {t('leave.nobody')}
      </div>
    )
  const on = (day: string) => {
    made.form.set('startTime', day)
    made.form.set('endTime', day)
    for (const name of ['startTime', 'endTime']) made.form.setWrong(name, null)
  }
  const today = todayInChina()
  return (
    <div className="card leave-form">
      {failure && (
        <div className="alert alert-wrong" role="alert">
          {failure}
        </div>
      )}
      <fieldset className="leave-quick">
        <legend className="sr-only">{t('leave.quick')}</legend>
        <button type="button" className="button small" onClick={() => on(today)}>
          {t('leave.today')}
        </button>
        <button type="button" className="button small" onClick={() => on(addDays(today, 1))}>
          {t('leave.tomorrow')}
        </button>
      </fieldset>
      <FormBody made={made} />
      <Outcome form={made.form} people={people} draft={draft} />
      <div className="flow-form-foot leave-foot">
        <button
          type="button"
          className="button primary"
          aria-busy={busy}
          aria-keyshortcuts={hint.aria}
          title={hint.text}
          disabled={busy}
          onClick={() => void send()}
        >
          {t('leave.send')}
        </button>
      </div>
    </div>
  )
}

/** Most leave is of one day: the end follows the beginning until somebody says otherwise. */
function useFollowingEnd(form: FormStore): void {
  const from = useValue(form, 'startTime')
  useEffect(() => {
    const until = form.value('endTime')
    if (typeof from === 'string' && from !== '' && (!until || String(until) < from)) form.set('endTime', from)
  }, [form, from])
}

/** Typing waits this long (ms) before it is asked what it comes to. */
const pause = 300

function Outcome({ form, people, draft }: { form: FormStore } & Pick<RequestProps, 'people' | 'draft'>) {
  const t = useT()
  const [values, setValues] = useState(form.values)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    setValues(form.values())
    const stop = form.watchAll(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setValues(form.values()), pause)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [form])
  const { reason: _, substitutePlan: __, ...asked } = askedOf(values, people, draft)
  const preview = useQuery({
    queryKey: [...flowKey, 'leave-preview', asked],
    queryFn: ({ signal }) => call(previewLeave, asked, { signal, silent: true }),
    enabled: canPreview(asked),
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!canPreview(asked)) return <p className="muted leave-outcome">{t('leave.chooseTimes')}</p>
  return (
    <section
      className="leave-outcome"
      aria-label={t('leave.outcome')}
      aria-live="polite"
      aria-busy={preview.isFetching}
    >
      {preview.error && <p className="field-error">{preview.error.message}</p>}
      {preview.data && <Told preview={preview.data} />}
    </section>
  )
}

function Told({ preview }: { preview: LeavePreview }) {
  const t = useT()
  const language = useLanguage()
  const { days, lessons, approvers, needsProof, problems } = preview
  const count = lessons.reduce((sum, { span }) => sum + span, 0)
  const between = language === 'zh' ? '、' : ', '
  const named = ({ people }: LeavePreview['approvers'][number]) => {
    const names = people.map(({ name }) => name).join(between)
    return people.length > 1 ? t('leave.anyOf', { names }) : names
  }
  return (
    <>
      {problems.length > 0 && (
        <ul className="leave-problems">
          {problems.map(({ field, message }) => (
            <li key={message.zh} className="field-error">
              {field
                ? t('entity.chip', {
                    label: leave.fields[field as keyof typeof leave.fields]?.label[language] ?? '',
                    value: message[language],
                  })
                : message[language]}
            </li>
          ))}
        </ul>
      )}
      {days !== null && (
        <p className="leave-sum">
          <strong>{t('leave.days', { count: days })}</strong>
          {' · '}
          {count > 0 ? t('leave.lessons', { count }) : t('leave.noLessons')}
        </p>
      )}
      {lessons.length > 0 && <Missed lessons={lessons} />}
      {approvers.length > 0 && (
        <p className="leave-approvers">
          <span className="muted">{t('leave.approvers')}</span>{' '}
          {approvers.map((step, at) => (
            // Two steps may be called alike.
            // biome-ignore lint/suspicious/noArrayIndexKey: steps stand in a fixed order
            <span key={at}>
              {at > 0 && ' → '}
              {step.name} {named(step)}
            </span>
          ))}
        </p>
      )}
      {needsProof && <p className="muted">{t('leave.needsProof')}</p>}
    </>
  )
}
