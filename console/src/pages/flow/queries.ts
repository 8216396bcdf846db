import type { FlowStep, FlowTask, ProcessDetail } from '@data-brain/contract/calls/flow'
import {
  claimList,
  copyList,
  doneList,
  flowHistory,
  processDefinition,
  processDetail,
  sendList,
  todoList,
} from '@data-brain/contract/calls/flow'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../http/call.ts'
import { askTasks, tasksNewsStore } from '../../session/tasks.ts'
import { useStore } from '../../ui/store.ts'

export type { FlowStep, FlowTask, ProcessDetail }

/** All that is read of tasks and instances begins with this. */
export const flowKey = ['flow'] as const

const lists = { todo: todoList, claim: claimList, done: doneList, send: sendList, copy: copyList } as const
export type WorkList = keyof typeof lists

/** A list of work as a file: whoever has the page may take it out. */
export const fileOf = (list: WorkList) => ({ name: `work${list}`, path: lists[list].path, isOwn: true })

/** Something was decided, sent or taken: lists, counts and histories are asked for anew. */
export async function renewFlow(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: flowKey }),
    queries.invalidateQueries({ queryKey: ['home', 'todo'] }),
    askTasks(),
  ])
}

/** What a page shows of the workflow follows what others do. */
export function useFlowNews(): void {
  const queries = useQueryClient()
  const news = useStore(tasksNewsStore)
  const heard = useRef(news)
  useEffect(() => {
    if (heard.current === news) return
    heard.current = news
    void queries.invalidateQueries({ queryKey: flowKey })
  }, [queries, news])
}

export const detailOf = (processInstanceId: string, taskId?: string) =>
  queryOptions({
    queryKey: [...flowKey, 'detail', processInstanceId, taskId ?? null],
    queryFn: ({ signal }) =>
      call(processDetail, { processInstanceId, ...(taskId ? { taskId } : {}) }, { signal, silent: true }),
    staleTime: 0,
    retry: false,
  })

export const historyOf = (processInstanceId: string) =>
  queryOptions({
    queryKey: [...flowKey, 'history', processInstanceId],
    queryFn: ({ signal }) => call(flowHistory, { processInstanceId }, { signal, silent: true }),
    staleTime: 0,
    retry: false,
  })

/** The drawing of the version that an instance runs by: it never changes. */
export const drawingOf = (processInstanceId: string) =>
  queryOptions({
    queryKey: ['flow-drawing', processInstanceId],
    queryFn: ({ signal }) => call(processDefinition, { processInstanceId }, { signal, silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
