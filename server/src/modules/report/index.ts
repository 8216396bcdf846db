import { codeOf, report } from '@data-brain/contract'
import { reportSources, runReport } from '@data-brain/contract/calls/report'
import { sql } from '../../database/statement.ts'
import { addRules } from '../../entity/rules.ts'
import { on, onDetached } from '../../entity/serve-call.ts'
import { holdsCode } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import type { DetachedCall, Route } from '../../kernel/route.ts'
import { TurnQueue } from '../../kernel/turn-queue.ts'
import type { Module } from '../module.ts'
import { readQuestion } from './content.ts'

import { type Running, run, savedContent } from './run.ts'
import { boundTables } from './source-tables.ts'

export { countsGroups, type Question, readQuestion } from './content.ts'
export { subtotalWords } from './fold.ts'
export { askedOf, headsOf, idsOf, pastOf, type Running, rowsOf, run, savedContent, sourceRowsOf } from './run.ts'
export type { BoundTable } from './source-tables.ts'
export { isWordOf, noneWords } from './words.ts'

/** Reports that one process counts at once: each keeps a connection busy. */
const turns = new TurnQueue({
  ...{ atOnce: 4, perTenant: 3, perUser: 2 },
  ...{ waitingOfUser: 4, waitingOfTenant: 40, longest: 20_000 },
})

/** Works for somebody in a transaction whose statement ends as soon as they leave. */
async function whileThere<T>(call: DetachedCall, work: (running: Running) => Promise<T>): Promise<T> {
  const { services, circumstance, left } = call
  const { cipher } = services
  return call.as(async ({ tx, actor }) => {
    const running = { tx, actor, circumstance, cipher, services, left }
    if (!left) return work(running)
    const { pid } = (await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`))!
    let ended: Promise<unknown> | undefined
    const end = (): void => {
      ended = services.pool.query('select pg_cancel_backend($1)', [pid]).catch(() => {})
    }
    left.addEventListener('abort', end, { once: true })
    if (left.aborted) end()
    try {
      return await work(running)
    } finally {
      left.removeEventListener('abort', end)
      // What ends this statement must have arrived before the connection serves another.
      await ended
    }
  })
}

const runRoute: Route = onDetached(runReport, async ({ id, content, parameters = {}, asOf }, call) => {
  if (id !== undefined && content !== undefined)
    throw new Problem('rule_broken', {
      reason: { zh: '编号和报表内容只能给其中一个', en: 'Give the ID of a report or its content, not both' },
    })
  if (id === undefined && content === undefined)
    throw new Problem('parameter_missing', { field: 'id' }, { field: 'id', fields: [] })
  const actor = await call.as(async (opened) => opened.actor)
  return turns.during(actor, () =>
    whileThere(call, async (opened) => {
      const running = { ...opened, asOf }
      if (id === undefined) {
        const codes = [codeOf(report, 'add'), codeOf(report, 'edit')]
        if (!codes.some((code) => holdsCode(running.actor, code))) throw new Problem('forbidden', { code: codes[0]! })
        return run(running, content, parameters)
      }
      return run(running, (await savedContent(running, id)).content, parameters)
    }),
  )
})

/** The tables that somebody may make reports of; where they lie is not told. */
const sourcesRoute: Route = on(reportSources, async (_, { tx, actor }) =>
  (await boundTables(tx, actor.tenantId)).map(({ table: { id, label, columns } }) => ({
    id,
    label,
    columns: columns.map(({ field, label: called, kind, scale }) => ({ field, label: called, kind, scale })),
  })),
)

/** Saved questions, and what they answer. */
export const reports: Module = {
  routes: [runRoute, sourcesRoute],
  addRules: () =>
    addRules(report, {
      async beforeSave({ context, values, whole }) {
        if (!('content' in values)) return
        const { content } = await readQuestion(values.content, context)
        Object.assign(values, { content, subject: content.entity })
        Object.assign(whole, { content, subject: content.entity })
      },
    }),
}
