import { completeTask, completeTasks, type FlowTask } from '@data-brain/contract/calls/flow'
import { call } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { queryClient } from '../../../http/query.ts'
import { flowWords } from '../../../locales/flow.ts'
import { onForget, onLogout } from '../../../session/end.ts'
import { createStore } from '../../../ui/store.ts'
import { dropToast, toast, toasts } from '../../../ui/toast.ts'
import { addWords, translate } from '../../../ui/words.ts'
import { renewFlow } from '../queries.ts'

addWords(flowWords)

/** So long a decision can be taken back: it is sent afterwards. */
export const undoMs = 5_000

export interface Decision {
  readonly flag: 'ok' | 'no'
  readonly comment: string
  readonly fileIds?: readonly string[]
  /** Fields of the form that the step writes. */
  readonly variables?: Readonly<Record<string, unknown>>
  /** Forgets what was typed for it: called once the server has taken it. */
  readonly onSent?: () => void
}

type Decided = Pick<FlowTask, 'taskId' | 'title'>

interface Pending {
  readonly tasks: readonly Decided[]
  readonly decision: Decision
  readonly timer: ReturnType<typeof setTimeout>
  readonly action: { readonly label: string; readonly undo: true; readonly run: () => void }
}

const pending = new Set<Pending>()
/** Tasks that are decided here: lists leave them out, whether they are sent or not. */
export const leavingStore = createStore<ReadonlySet<string>>(new Set())
/** What was taken back last: the list opens it again. */
export const takenBackStore = createStore<readonly string[]>([])
/** What the server said of a task that could not be decided, by its id. */
export const failuresStore = createStore<ReadonlyMap<string, string>>(new Map())

/** What was said of tasks that came back, by their ids: it is not typed twice. */
const kept = new Map<string, Decision>()

/** The words and files of a decision that came back without effect, for a task that is opened anew. */
export const keptDecision = (taskId: string): Decision | undefined => kept.get(taskId)

const idsOf = (tasks: readonly Decided[]): string[] => tasks.flatMap(({ taskId }) => (taskId === null ? [] : [taskId]))
const leave = (ids: readonly string[]): void => leavingStore.set((now) => new Set([...now, ...ids]))
const comeBack = (ids: readonly string[]): void =>
  leavingStore.set((now) => new Set([...now].filter((id) => !ids.includes(id))))
const say = (failures: readonly (readonly [string, string])[]): void =>
  failuresStore.set((now) => new Map([...now, ...failures]))

const hush = ({ action }: Pending): void => {
  for (const one of toasts.get()) if (one.action === action) dropToast(one.id)
}

/**
 * Decides tasks: they leave the lists at once, and for some seconds can be brought back; then all of them are sent in one
 * call. What the server refuses comes back with its words.
 */
export function decide(tasks: readonly Decided[], decision: Decision): void {
  const ids = idsOf(tasks)
  if (ids.length === 0) return
  failuresStore.set((now) => new Map([...now].filter(([id]) => !ids.includes(id))))
  for (const id of ids) kept.delete(id)
  leave(ids)
  const made: Pending = {
    tasks,
    decision,
    timer: setTimeout(() => void send(made), undoMs),
    action: { label: translate('flow.undo', { count: undoMs / 1000 }), undo: true, run: () => takeBack(made) },
  }
  pending.add(made)
  const isOk = decision.flag === 'ok'
  if (ids.length === 1)
    toast.success(translate(isOk ? 'flow.agreedOne' : 'flow.refusedOne'), tasks[0]!.title, made.action)
  else
    toast.success(
      translate(isOk ? 'flow.agreedMany' : 'flow.refusedMany', { count: ids.length }),
      undefined,
      made.action,
    )
}

function takeBack(made: Pending): void {
  if (!pending.delete(made)) return
  clearTimeout(made.timer)
  hush(made)
  const ids = idsOf(made.tasks)
  for (const id of ids) kept.set(id, made.decision)
  comeBack(ids)
  takenBackStore.set(ids)
}

async function send(made: Pending, keepalive = false): Promise<void> {
  if (!pending.delete(made)) return
  clearTimeout(made.timer)
  hush(made)
  const ids = idsOf(made.tasks)
  try {
    const failed = await answerTo(ids, made.decision, keepalive)
    if (failed.length > 0) refused(made, failed)
    else made.decision.onSent?.()
  } catch (problem) {
    // Without an answer nobody knows: the lists are asked, and what is still there is shown again.
    if (!(problem instanceof HttpProblem)) throw problem
    refused(
      made,
      ids.map((id) => [id, problem.message]),
    )
  }
  await renewFlow(queryClient)
  comeBack(ids)
}

/** Which tasks were refused, and why. */
async function answerTo(
  ids: readonly string[],
  { flag, comment, fileIds, variables }: Decision,
  keepalive: boolean,
): Promise<(readonly [string, string])[]> {
  const words = comment ? { comment } : {}
  const options = { silent: true, keepalive }
  if (ids.length === 1) {
    const more = { ...(fileIds?.length ? { fileIds } : {}), ...(variables ? { variables } : {}) }
    await call(completeTask, { taskId: ids[0]!, flag, ...words, ...more }, options)
    return []
  }
  const results = await call(completeTasks, { tasks: ids.map((taskId) => ({ taskId })), flag, ...words }, options)
  return results.flatMap(({ taskId, success, message }) =>
    success ? [] : [[taskId, message ?? translate('spec.unknownError')] as const],
  )
}

const named = 5

function refused({ tasks, decision }: Pending, failed: readonly (readonly [string, string])[]): void {
  say(failed)
  for (const [id] of failed) kept.set(id, decision)
  const lines = failed
    .slice(0, named)
    .map(([id, message]) => {
      const title = tasks.find(({ taskId }) => taskId === id)?.title ?? ''
      return translate('flow.failedLine', { title, message })
    })
    .join('\n')
  toast.error(translate('flow.failedCount', { count: failed.length }), lines)
}

/** Sends at once what could still be taken back. */
export const sendNow = (keepalive = false): Promise<unknown> =>
  Promise.allSettled([...pending].map((made) => send(made, keepalive)))

addEventListener('pagehide', () => void sendNow(true))
onLogout(() => sendNow())
onForget(() => {
  for (const made of [...pending]) takeBack(made)
  failuresStore.set(new Map())
  kept.clear()
})
