import { claimTask, releaseTask } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { toast } from '../../../ui/toast.ts'
import { holdTyping } from '../../../ui/typed-ahead.ts'
import { useT } from '../../../ui/words.ts'
import { sentOf } from '../form/fields.ts'
import { type FlowForm, useFlowForm } from '../form/use-form.ts'
import { type ProcessDetail, renewFlow } from '../queries.ts'
import { decide, keptDecision } from '../todo/sending.ts'
import type { ActKind } from './actions.tsx'
import { noOpinion, type Opinion } from './decision.tsx'

export interface TaskWork {
  readonly opinion: Opinion
  readonly put: (patch: Partial<Opinion>) => void
  readonly commentBox: RefObject<HTMLTextAreaElement | null>
  /** The fields that this step writes. */
  readonly made: FlowForm
  readonly act: ActKind | null
  readonly setAct: (kind: ActKind | null) => void
  /** Decides, unless something is missing; answers whether it is done. */
  readonly answer: (flag: 'ok' | 'no') => boolean
  readonly claim: () => Promise<void>
  readonly release: () => Promise<void>
}

const NONE: readonly ProcessDetail['fields'][number][] = []

/** What was said of a task before it came back; nothing where it is new. */
function begunOpinion(taskId: string | null): Opinion {
  const { comment = '', fileIds = [] } = (taskId && keptDecision(taskId)) || {}
  return { ...noOpinion, comment, fileIds }
}

/** What is done with one task: its opinion, its fields, and every way to answer it. */
export function useTaskWork(detail: ProcessDetail, onLeft: () => void): TaskWork {
  const t = useT()
  const queries = useQueryClient()
  const [opinion, setOpinion] = useState(() => begunOpinion(detail.taskId))
  const [act, setAct] = useState<ActKind | null>(null)
  const commentBox = useRef<HTMLTextAreaElement>(null)
  const [written] = useState(() => (detail.may.decide ? detail.fields.filter(({ writable }) => writable) : NONE))
  const made = useFlowForm(`task-${detail.taskId ?? ''}`, written)
  const put = (patch: Partial<Opinion>) => setOpinion((now) => ({ ...now, ...patch }))
  const answer = (flag: 'ok' | 'no'): boolean => {
    const comment = opinion.comment.trim()
    if (flag === 'no' && comment === '') {
      put({ wrong: t('flow.needReason') })
      commentBox.current?.focus()
      return false
    }
    // Who refuses need not fill in what the step asks of who agrees.
    if (flag === 'ok' && written.length > 0 && !made.judge()) return false
    const variables = written.length > 0 && flag === 'ok' ? sentOf(made.entity, written, made.form) : undefined
    const decision = { flag, comment, fileIds: opinion.fileIds, ...(variables ? { variables } : {}) }
    // What was typed is forgotten only when it has arrived: until then it can come back.
    decide([detail], { ...decision, onSent: made.clear })
    onLeft()
    return true
  }
  const onServer = async (send: () => Promise<unknown>, done: string) => {
    try {
      await send()
      toast.success(done, detail.title)
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
    await renewFlow(queries)
  }
  const taskId = detail.taskId ?? ''
  return {
    ...{ opinion, put, commentBox, made, act, answer },
    setAct: (kind) => {
      if (kind) holdTyping(() => setAct(null))
      setAct(kind)
    },
    claim: () => onServer(() => call(claimTask, { taskId }), t('flow.claimed')),
    release: async () => {
      await onServer(() => call(releaseTask, { taskId }), t('flow.released'))
      onLeft()
    },
  }
}
