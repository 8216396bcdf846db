import { processForm, type StartForm, startProcess } from '@data-brain/contract/calls/flow'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTask } from '../../../entity/data/index.ts'
import { QueryStates } from '../../../entity/list/index.ts'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { entityWords } from '../../../locales/entity.ts'
import { flowWords } from '../../../locales/flow.ts'
import { useDirty } from '../../../ui/form/store.ts'
import { useKeyHint } from '../../../ui/keymap.ts'
import { useKeys } from '../../../ui/keys.ts'
import { go, usePlace, useTab } from '../../../ui/place.ts'
import { toast } from '../../../ui/toast.ts'
import { addWords, useT } from '../../../ui/words.ts'
import { type AskedField, kindOf, sentOf } from '../form/fields.ts'
import { FormBody } from '../form/form.tsx'
import { useFlowForm } from '../form/use-form.ts'
import { detailAddress } from '../places.ts'
import { detailOf, flowKey, type ProcessDetail, renewFlow } from '../queries.ts'
import '../../../ui/later-words.ts'
import './start.css'

addWords({ ...entityWords, ...flowWords })

/** The form with which a process is started that has no page of its own. */
export default function StartFormPage() {
  const { params, query } = usePlace()
  const id = params.processDefinitionId ?? ''
  const from = query.get('from')
  const t = useT()
  const found = useQuery({
    queryKey: [...flowKey, 'form', id],
    queryFn: ({ signal }) => call(processForm, { processDefinitionId: id }, { signal, silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const before = useQuery({ ...detailOf(from ?? ''), enabled: from !== null })
  // One object as long as it says the same: another one would begin the form anew.
  const asked = useMemo(
    () => found.data && (before.data ? filledAgain(found.data, before.data) : found.data),
    [found.data, before.data],
  )
  return (
    <div className="page flow-form-page">
      <header className="page-head">
        <h1 tabIndex={-1}>{found.data?.name ?? t('flow.start')}</h1>
      </header>
      {/* What cannot be read any more begins empty. */}
      {!before.isLoading && (
        <QueryStates query={found}>{(form) => <Start key={form.id} asked={asked ?? form} />}</QueryStates>
      )}
    </div>
  )
}

/** The form of a request that ended, to be sent once more: files are added anew, as they belong to what has ended. */
const filledAgain = (asked: StartForm, before: ProcessDetail): StartForm => ({
  ...asked,
  fields: asked.fields.map((field) => {
    const old = before.fields.find(({ name, kind }) => name === field.name && kind === field.kind)
    return old && kindOf(field) !== 'files' ? { ...field, value: old.value, shown: old.shown } : field
  }),
})

const choosing = 'choose:'

/** Steps whose people the applicant chooses, as fields of the form. */
const choosers = (asked: StartForm, label: (name: string) => string): AskedField[] =>
  asked.choose.map(({ nodeId, name }) => ({
    name: `${choosing}${nodeId}`,
    label: label(name),
    kind: 'people',
    required: true,
    writable: true,
    options: [],
    min: null,
    max: null,
    help: null,
    value: null,
    shown: null,
    files: [],
  }))

function Start({ asked }: { asked: StartForm }) {
  const t = useT()
  const queries = useQueryClient()
  const { active, setDirty, setName } = useTab()
  const fields = useMemo(
    () => [...asked.fields, ...choosers(asked, (name) => t('flow.chooseFor', { name }))],
    [asked, t],
  )
  const made = useFlowForm(asked.id, fields)
  const { busy, failure, run } = useTask()
  const hint = useKeyHint('Mod+KeyS', 'keys.save')
  const dirty = useDirty(made.form)
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => setName(asked.name), [asked.name, setName])
  const send = async () => {
    if (busy || !made.judge()) return
    await run(async () => {
      const values = sentOf(made.entity, fields, made.form)
      const chosen = asked.choose.map(({ nodeId }) => ({
        nodeId,
        userIds: values[`${choosing}${nodeId}`] as string[],
      }))
      const variables = Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith(choosing)))
      try {
        const { processInstanceId } = await call(
          startProcess,
          { processDefinitionId: asked.id, variables, ...(chosen.length > 0 ? { chosen } : {}) },
          { silent: true },
        )
        made.clear()
        setDirty(false)
        toast.success(t('flow.started'), asked.name)
        await renewFlow(queries)
        go(detailAddress({ processInstanceId, formKey: null, businessId: null }), { replace: true })
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
  return (
    <div className="card">
      {failure && (
        <div className="alert alert-wrong" role="alert">
          {failure}
        </div>
      )}
      {fields.length === 0 && <p className="muted">{t('flow.noForm')}</p>}
      <FormBody made={made} />
      <div className="flow-form-foot">
        <button
          type="button"
          className="button primary"
          aria-busy={busy}
          aria-keyshortcuts={hint.aria}
          title={hint.text}
          disabled={busy}
          onClick={() => void send()}
        >
          {t('flow.send')}
        </button>
      </div>
    </div>
  )
}
