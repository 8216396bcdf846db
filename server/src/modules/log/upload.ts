import type { AnswerOf } from '@data-brain/contract/call'
import { uploadLogs } from '@data-brain/contract/calls/log'
import { type ClientLog, uploadMost } from '@data-brain/contract/entities/log/logs'
import { shapeSchema } from '../../entity/shape-schema.ts'
import type { Circumstance } from '../../kernel/actor.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Route, route } from '../../kernel/route.ts'
import { errorRow, type LogRow, paramsOf, usualRow } from './row.ts'
import { logsOf } from './running.ts'

/** Times in a minute that one person may upload. */
const perMinute = 10
const peopleKept = 5_000

/** When people have uploaded, of those who did within the last minute. */
const uploads = new Map<string, number[]>()

function pass(who: string): void {
  const now = performance.now()
  const times = (uploads.get(who) ?? []).filter((at) => now - at < 60_000)
  if (times.length >= perMinute) throw new Problem('too_many')
  uploads.delete(who)
  if (uploads.size >= peopleKept) uploads.delete(uploads.keys().next().value as string)
  uploads.set(who, [...times, now])
}

const invalid = (field: string, zh: string, en: string): Problem =>
  new Problem('field_invalid', { label: field, reason: { zh, en } }, { field, fields: [] })

const texts = ['type', 'message', 'stack', 'info', 'url', 'time'] as const

/** The entries of an upload; whatever else they carry is left behind. Throws a problem that names the wrong one. */
function readEntries(body: unknown): ClientLog[] {
  if (!Array.isArray(body)) throw invalid('body', '须为日志数组', 'must be an array of log entries')
  if (body.length > uploadMost)
    throw invalid('body', `一次最多${uploadMost}条`, `at most ${uploadMost} entries at a time`)
  return body.map((entry: unknown, at) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw invalid(`[${at}]`, '须为对象', 'must be an object')
    const read: Record<string, string> = {}
    for (const name of texts) {
      const value = (entry as Record<string, unknown>)[name]
      if (value === undefined || value === null) continue
      if (typeof value !== 'string' && typeof value !== 'number')
        throw invalid(`[${at}].${name}`, '须为文本', 'must be a text')
      read[name] = String(value)
    }
    return { type: '', message: '', ...read }
  })
}

const pathOf = (url: string | undefined): string => (url ?? '').split(/[?#]/, 1)[0] ?? ''

function rowOfEntry(
  entry: ClientLog,
  who: { tenantId: string; userId: string | null; createBy: string },
  circumstance: Circumstance,
): LogRow {
  const told = {
    ...who,
    serviceId: 'console',
    requestUri: pathOf(entry.url),
    remoteIp: circumstance.address,
    userAgent: circumstance.agent,
    traceId: circumstance.requestId,
  }
  const { type, message, stack, info, url, time } = entry
  if (type !== 'error')
    return usualRow(
      { ...told, title: message || type },
      {
        event: 'client',
        level: type === 'warn' || type === 'warning' ? 'warn' : 'info',
        data: paramsOf({ type, info, url, time }),
      },
    )
  // `TypeError: x is not a function`: the name is told in front of the message, or in front of the stack.
  const name = /^(?:Uncaught )?([A-Z][A-Za-z]{2,60}(?:Error|Exception))\b/.exec(message || stack || '')?.[1]
  return errorRow(told, {
    name: name ?? 'Error',
    message: message || (stack ?? '').split('\n', 1)[0] || 'Error',
    ...(stack ? { stack } : {}),
    params: paramsOf({ info, url, time }),
  })
}

/**
 * Takes what a console has kept of its own errors and messages into the logs. It reads what is sent itself: whatever a
 * console tells of a fault is better kept than refused.
 */
export const uploadRoute: Route = route({
  method: uploadLogs.method,
  path: `/${uploadLogs.path}`,
  summary: uploadLogs.summary,
  access: uploadLogs.access,
  always: true,
  beforeChange: true,
  bodyLimit: 65_536,
  bodySchema: shapeSchema(uploadLogs.list, 'given'),
  dataSchema: shapeSchema(uploadLogs.answer),
  handler: async ({ services, actor, circumstance, body }): Promise<AnswerOf<typeof uploadLogs>> => {
    const entries = readEntries(body)
    pass(`${actor.tenantId} ${actor.userId ?? actor.account}`)
    const who = { tenantId: actor.tenantId, userId: actor.userId, createBy: actor.name }
    const queue = logsOf(services)
    const taken = entries.filter((entry) => queue.push(rowOfEntry(entry, who, circumstance))).length
    return { taken, lost: entries.length - taken }
  },
})
