import {
  recordedChange,
  recordedChanges,
  recordedReads,
  undoChanges,
  verifyHistory,
} from '@data-brain/contract/calls/history'
import { on } from '../../entity/serve-call.ts'
import type { Route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { changeDetail, changesList } from './list.ts'
import { readsList } from './reads.ts'
import { undoRequest } from './undo.ts'
import { addUserBackRules } from './users.ts'
import { verifyTenant } from './verify.ts'

export { changesList } from './list.ts'
export { changeRecords, readRecords } from './records.ts'
export { historySeal, sealLast, sealTenant } from './seal.ts'
export { verifyTenant } from './verify.ts'

/** How long one call computes; the rest is asked for by `next`. */
const budget = 3_000

const routes: Route[] = [
  on(recordedChanges, (asked, call) => changesList(call, asked)),
  on(recordedChange, ({ id }, call) => changeDetail(call, id)),
  on(undoChanges, ({ requestId, changed }, call) => undoRequest(call, requestId, changed === 1)),
  on(verifyHistory, ({ from = 0 }, { tx, actor }) => {
    const until = Date.now() + budget
    return verifyTenant(tx, actor.tenantId, { from, goOn: () => Date.now() < until })
  }),
  on(recordedReads, (asked, call) => readsList(call, asked)),
]

/** The record of all changes: looking at it, taking things back, proving it whole; and who has read children's records. */
export const histories: Module = { routes, addRules: addUserBackRules }
