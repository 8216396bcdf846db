import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { refresh } from '../../entity/data/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { language, useLanguage } from '../../ui/words.ts'
import { type BatchState, type BatchView, isWorking, readBatch } from './calls.ts'
import { followWork } from './follow.ts'
import { changedBy, type Kind, useKind } from './import-kinds.ts'

export const importSteps = ['upload', 'match', 'check', 'result'] as const
export type Step = (typeof importSteps)[number]

/** The steps that a state of a batch allows; the first is where it stands. */
const allowed: Readonly<Record<BatchState, readonly Step[]>> = {
  reading: ['match'],
  mapping: ['match'],
  checking: ['check'],
  checked: ['check', 'match'],
  committing: ['result'],
  done: ['result'],
  undoing: ['result'],
  undone: ['result'],
  failed: ['match'],
}

/** The step that is shown: the one asked for, where the batch allows it. */
export function stepOf(batch: BatchView | undefined, asked: string | null): Step {
  if (!batch) return 'upload'
  const open = allowed[batch.state]
  return open.find((step) => step === asked) ?? open[0] ?? 'upload'
}

/** Whether a step can be gone to from where the batch stands. */
export const mayGo = (batch: BatchView | undefined, step: Step): boolean =>
  step === 'upload' || (batch !== undefined && allowed[batch.state].includes(step))

/** A match below this is looked at by a person before anything is checked. */
const sure = 0.9

/** Columns that a person should look at: not matched, or matched by a likeness. A title that nothing needs is none. */
export const isDoubtful = ({ key, confidence, from }: BatchView['columns'][number]): boolean =>
  key === null ? (from ?? 'file') === 'file' : (confidence ?? 0) < sure

/** The whole file is understood: the step that matches columns would only be in the way. */
export const isClear = (batch: BatchView): boolean =>
  batch.state === 'mapping' &&
  batch.failure === null &&
  batch.missing.length === 0 &&
  !(batch.source && (batch.source.hidden > 0 || batch.source.orders.length > 0)) &&
  !(batch.source?.unsure?.sheets || batch.source?.unsure?.heading) &&
  // A value that is proposed for all rows is looked at; what is said of pupils by their grade and of parents by a heading is not.
  Object.keys(batch.fixed ?? {}).every((key) => /^(student(?!\.classId)|member)/.test(key)) &&
  batch.columns.every((column) => !isDoubtful(column))

export const mappingOf = (columns: BatchView['columns']): Record<string, string> =>
  Object.fromEntries(columns.flatMap(({ index, key }) => (key ? [[String(index), key]] : [])))

export const batchKey = (id: string | null, language?: string) =>
  ['import', 'batch', id, ...(language ? [language] : [])] as const

/** Follows the work on a batch to its end, and has everything asked for again that it has changed. */
export function followBatch(client: QueryClient, kind: Kind, id: string): void {
  void followWork<BatchView>(client, `import ${id}`, {
    key: () => batchKey(id, language()),
    read: (signal) => readBatch(kind, id, signal),
    isWorking: ({ state }) => isWorking(state),
    ended: ({ state }) => {
      void client.invalidateQueries({ queryKey: ['import', 'list'] })
      if (state === 'done' || state === 'undone') for (const name of changedBy(kind)) void refresh(client, name)
    },
  })
}

/** How often a batch at which nobody works is looked at, in milliseconds. */
const lookEvery = 5_000
const mayMove = (state: BatchState | undefined): boolean =>
  state === 'mapping' || state === 'checked' || state === 'done'

/** A batch, kept fresh while the server works on it. */
export function useBatch(id: string | null) {
  const language = useLanguage()
  const client = useQueryClient()
  const kind = useKind()
  const found = useQuery<BatchView>({
    queryKey: batchKey(id, language),
    queryFn: ({ signal }) => readBatch(kind, id ?? '', signal),
    enabled: id !== null,
    // Between two languages the old words stand; of another batch nothing does.
    placeholderData: (before) => (before?.id === id ? before : undefined),
    refetchOnMount: 'always',
    // A colleague, or another window of one's own, may go on with it meanwhile.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (mayMove(state.data?.state) ? lookEvery : false),
  })
  const working = isWorking(found.data?.state)
  useEffect(() => {
    if (id !== null && working) followBatch(client, kind, id)
  }, [id, working, client, kind])
  return found
}

/** Asks for a batch again after something was done to it, and follows what that has begun. */
export function useRenew(id: string | null): () => Promise<void> {
  const client = useQueryClient()
  const kind = useKind()
  return useCallback(async () => {
    await client.invalidateQueries({ queryKey: batchKey(id) })
    if (id !== null) followBatch(client, kind, id)
  }, [client, id, kind])
}

/** One piece of work at a time, with the words of what went wrong; the toast has said them as well. */
export function useWork(): {
  busy: boolean
  failure: string
  forget: () => void
  run: (work: () => Promise<unknown>) => Promise<boolean>
} {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const going = useRef(false)
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (going.current) return false
    going.current = true
    setBusy(true)
    setFailure('')
    try {
      await work()
      return true
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
      return false
    } finally {
      going.current = false
      setBusy(false)
    }
  }, [])
  return { busy, failure, forget: useCallback(() => setFailure(''), []), run }
}
