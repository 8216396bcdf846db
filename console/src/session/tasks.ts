import type { AnswerOf } from '@data-brain/contract/call'
import { workCounts } from '@data-brain/contract/calls/flow'
import { call } from '../http/call.ts'
import { createStore } from '../ui/store.ts'

type Counts = AnswerOf<typeof workCounts>

export const noTasks: Counts = { todo: 0, claim: 0, copy: 0, overdue: 0 }
/** How much of the workflow waits for the user. */
export const tasksStore = createStore<Counts>(noTasks)
/** Counts the times that tasks of the user have changed: what shows them asks again. */
export const tasksNewsStore = createStore(0)

/** What of it each entry of the menus leads to. */
export const taskCounts: Readonly<Record<string, keyof Counts>> = {
  worktodo: 'todo',
  workclaim: 'claim',
  workcopy: 'copy',
}

/** Asks the server; when it cannot be asked, what was known stands. */
export async function askTasks(): Promise<void> {
  try {
    const found = await call(workCounts, {}, { silent: true })
    const now = tasksStore.get()
    const changed = (Object.keys(now) as (keyof Counts)[]).some((name) => now[name] !== found[name])
    if (changed) tasksStore.set(found)
  } catch {
    // The next event or the next minute asks again; a session that has ended has been told.
  }
}
