import { code, type Route, route } from '../../kernel/route.ts'
import type { Module } from '../module.ts'
import { changeDetail, changesList } from './list.ts'
import { readsList } from './reads.ts'
import { undoRequest } from './undo.ts'
import { addUserBackRules } from './users.ts'
import { verifyTenant } from './verify.ts'
import { changeParameters, readParameters } from './window.ts'

export { changesList } from './list.ts'
export { changeRecords, readRecords } from './records.ts'
export { historySeal, type Sealed, sealAll, sealLast, sealTenant } from './seal.ts'
export { type Broken, type Verdict, verifyTenant } from './verify.ts'

const tag = 'history'
/** How long one call computes; the rest is asked for by `next`. */
const budget = 3_000

const routes: Route[] = [
  route({
    method: 'GET',
    path: '/blade-log/history/list',
    tag,
    access: code('history_view'),
    summary: {
      zh: '变更记录：全部变更，新的在前；以 next 作为 before 读取更早的',
      en: 'All changes, newest first; older ones with `next` as `before`',
    },
    parameters: changeParameters,
    handler: (call) => changesList(call, call.parameters),
  }),
  route({
    method: 'GET',
    path: '/blade-log/history/detail',
    tag,
    access: code('history_view'),
    summary: { zh: '变更记录：一条变更的内容', en: 'What one change did, field by field' },
    parameters: { id: { kind: 'id', required: true } },
    handler: (call) => changeDetail(call, call.parameters.id),
  }),
  route({
    method: 'POST',
    path: '/blade-log/history/undo',
    tag,
    access: 'session',
    summary: {
      zh: '变更记录：撤销一次请求的全部变更（自己24小时内的，或持有 history_undo）',
      en: 'Take back all that one request changed: one’s own within 24 hours, or by history_undo',
    },
    parameters: {
      requestId: { kind: 'text', max: 64, required: true },
      changed: { kind: 'integer', min: 0, max: 1 },
    },
    handler: (call) => undoRequest(call, call.parameters.requestId, call.parameters.changed === 1),
  }),
  route({
    method: 'GET',
    path: '/blade-log/history/verify',
    tag,
    access: code('history_verify'),
    summary: {
      zh: '变更记录：重新计算哈希链；next 非空时以其为 from 继续',
      en: 'Computes the chain of hashes anew; go on with `next` as `from` while it is given',
    },
    parameters: { from: { kind: 'integer', min: 0 } },
    handler: (call) => {
      const until = Date.now() + budget
      return verifyTenant(call.tx, call.actor.tenantId, {
        from: call.parameters.from ?? 0,
        goOn: () => Date.now() < until,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/blade-log/read/list',
    tag: 'readlog',
    access: code('readlog_view'),
    summary: {
      zh: '访问记录：谁查看了哪个学生的档案，新的在前',
      en: 'Who has read which child’s record, newest first',
    },
    parameters: readParameters,
    handler: (call) => readsList(call, call.parameters),
  }),
]

/** The record of all changes: looking at it, taking things back, proving it whole; and who has read children's records. */
export const histories: Module = { routes, addRules: addUserBackRules }
