import {
  addSigner,
  copyTask,
  delegateTask,
  returnTask,
  transferTask,
  withdrawProcess,
} from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTask } from '../../../entity/data/index.ts'
import { call } from '../../../http/call.ts'
import { flowWords } from '../../../locales/flow.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { addWords, type Translate, useT } from '../../../ui/words.ts'
import { PeopleSelect } from '../form/inputs.tsx'
import { type ProcessDetail, renewFlow } from '../queries.ts'
import '../../../ui/later-words.ts'
import './actions.css'

addWords(flowWords)

/** What is done with a task or an instance beside deciding it. */
export type ActKind = 'transfer' | 'delegate' | 'signer' | 'return' | 'copy' | 'withdraw'

interface Typed {
  readonly people: readonly string[]
  readonly when: 'before' | 'after'
  readonly nodeId: string
  readonly comeBack: boolean
  readonly comment: string
}

type About = Pick<ProcessDetail, 'taskId' | 'processInstanceId' | 'title' | 'returnTo'>

interface Act {
  readonly title: string
  readonly ok: string
  readonly done: string
  /** Whether people are chosen, and how many at most. */
  readonly people?: { readonly label: string; readonly most?: number }
  readonly send: (about: About, typed: Typed) => Promise<unknown>
}

const silent = { silent: true } as const
const said = ({ comment }: Typed) => (comment.trim() ? { comment: comment.trim() } : {})
const onTask = ({ taskId }: About, typed: Typed) => ({
  taskId: taskId ?? '',
  userId: typed.people[0] ?? '',
  ...said(typed),
})

const actsIn = (t: Translate): Readonly<Record<ActKind, Act>> => ({
  transfer: {
    title: t('flow.transferOf'),
    ok: t('flow.transfer'),
    done: t('flow.transferred'),
    people: { label: t('flow.transferTo') },
    send: (about, typed) => call(transferTask, onTask(about, typed), silent),
  },
  delegate: {
    title: t('flow.delegateOf'),
    ok: t('flow.delegate'),
    done: t('flow.delegated'),
    people: { label: t('flow.delegateTo') },
    send: (about, typed) => call(delegateTask, onTask(about, typed), silent),
  },
  signer: {
    title: t('flow.signerOf'),
    ok: t('flow.signer'),
    done: t('flow.signerAdded'),
    people: { label: t('flow.signerWho') },
    send: (about, typed) => call(addSigner, { ...onTask(about, typed), when: typed.when }, silent),
  },
  return: {
    title: t('flow.returnOf'),
    ok: t('flow.return'),
    done: t('flow.returned'),
    send: ({ taskId }, typed) =>
      call(
        returnTask,
        { taskId: taskId ?? '', nodeId: typed.nodeId, comeBack: typed.comeBack, ...said(typed) },
        silent,
      ),
  },
  copy: {
    title: t('flow.copyOf'),
    ok: t('flow.copy'),
    done: t('flow.copied'),
    people: { label: t('flow.copyTo'), most: 100 },
    send: ({ processInstanceId }, typed) =>
      call(copyTask, { processInstanceId, userIds: typed.people, ...said(typed) }, silent),
  },
  withdraw: {
    title: t('flow.withdrawOf'),
    ok: t('flow.withdraw'),
    done: t('flow.withdrawn'),
    send: ({ processInstanceId }, typed) => call(withdrawProcess, { processInstanceId, ...said(typed) }, silent),
  },
})

interface ActProps {
  readonly kind: ActKind
  readonly about: About
  readonly onClose: () => void
  /** It is done: a task that was handed on is no longer the caller's. */
  readonly onDone?: (() => void) | undefined
}

/** Hands a task over, has somebody else look first, goes back, informs or withdraws: one question for each. */
export default function ActDialog({ kind, about, onClose, onDone }: ActProps) {
  const t = useT()
  const id = useId()
  const queries = useQueryClient()
  const { busy, failure, run } = useTask()
  const [typed, setTyped] = useState<Typed>({
    people: [],
    when: 'before',
    nodeId: about.returnTo.at(-1)?.nodeId ?? '',
    comeBack: false,
    comment: '',
  })
  const [wrong, setWrong] = useState('')
  const { title, ok, done, people, send } = actsIn(t)[kind]
  const put = (patch: Partial<Typed>) => setTyped((now) => ({ ...now, ...patch }))
  const submit = async () => {
    if (people && typed.people.length === 0) return setWrong(t('flow.needPerson'))
    setWrong('')
    if (!(await run(async () => void (await send(about, typed))))) return
    toast.success(done, about.title)
    onClose()
    onDone?.()
    await renewFlow(queries)
  }
  return (
    <Dialog title={title} okText={ok} busy={busy} failure={failure} onClose={onClose} onOk={() => void submit()}>
      <p className="muted flow-about">{about.title}</p>
      {people && (
        <div className="field">
          <label htmlFor={`${id}-people`}>
            {people.label}
            <span className="must" aria-hidden="true">
              *
            </span>
          </label>
          <PeopleSelect
            id={`${id}-people`}
            aria-required
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? `${id}-wrong` : undefined}
            label={people.label}
            {...(people.most ? { most: people.most } : {})}
            value={people.most ? typed.people : (typed.people[0] ?? null)}
            onChange={(value) => put({ people: value === null ? [] : [value].flat() })}
          />
          {wrong && (
            <p id={`${id}-wrong`} className="field-error">
              {wrong}
            </p>
          )}
        </div>
      )}
      {kind === 'signer' && (
        <Radios
          legend={t('flow.signerWhen')}
          options={[
            { value: 'before', label: t('flow.signerBefore') },
            { value: 'after', label: t('flow.signerAfter') },
          ]}
          value={typed.when}
          onChange={(when) => put({ when: when === 'after' ? 'after' : 'before' })}
        />
      )}
      {kind === 'return' && (
        <>
          <Radios
            legend={t('flow.returnTo')}
            options={about.returnTo.map(({ nodeId, name }) => ({ value: nodeId, label: name }))}
            value={typed.nodeId}
            onChange={(nodeId) => put({ nodeId })}
          />
          <label className="check flow-come-back">
            <input
              type="checkbox"
              checked={typed.comeBack}
              onChange={({ target }) => put({ comeBack: target.checked })}
            />
            {t('flow.comeBack')}
          </label>
        </>
      )}
      <div className="field">
        <label htmlFor={`${id}-comment`}>{t('flow.comment')}</label>
        <textarea
          id={`${id}-comment`}
          className="input"
          rows={2}
          maxLength={2000}
          value={typed.comment}
          onChange={({ target }) => put({ comment: target.value })}
        />
      </div>
    </Dialog>
  )
}

interface RadiosProps {
  readonly legend: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: string
  readonly onChange: (value: string) => void
}

function Radios({ legend, options, value, onChange }: RadiosProps) {
  const name = useId()
  return (
    <fieldset className="flow-radios">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="check">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
