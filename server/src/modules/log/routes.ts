import { errorGroups, logBounds, logState } from '@data-brain/contract/calls/log'
import { type LogKind, logs } from '@data-brain/contract/entities/log/logs'
import { flagValue, instantValue } from '@data-brain/contract/shape'
import { pageSchema, rowSchema } from '../../entity/schema.ts'
import { on } from '../../entity/serve-call.ts'
import { shapeSchema } from '../../entity/shape-schema.ts'
import { code, type Route, route } from '../../kernel/route.ts'
import { logDetail, logGroups, logPage } from './read.ts'
import { logsOf } from './running.ts'

/** What narrows a log. */
export const logFilters = (kind: LogKind) => ({
  ...Object.fromEntries(logs[kind].search.map((name) => [name, { kind: 'text', max: 255 } as const])),
  ...logBounds,
})

const viewOf = (kind: LogKind): { codes: string[] } => code(`${logs[kind].name}_view`)

/** A page of a log says how far it looked. */
function logPageSchema(kind: LogKind): object {
  const page = pageSchema(logs[kind])
  const looked = { more: shapeSchema(flagValue()), searchedTo: shapeSchema(instantValue({ nullable: true })) }
  return { ...page, properties: { ...(page.properties as object), ...looked } }
}

const pair = (kind: LogKind): Route[] => {
  const { path, label } = logs[kind]
  return [
    route({
      method: 'GET',
      path: `/${path}/list`,
      summary: { zh: `${label.zh}：列表`, en: `${label.en}: list` },
      access: viewOf(kind),
      parameters: {
        current: { kind: 'integer', min: 1, max: 1_000_000 },
        size: { kind: 'integer', min: 1, max: 200 },
        ...logFilters(kind),
      },
      dataSchema: logPageSchema(kind),
      tag: 'log',
      handler: (call) => logPage(kind, call, { size: call.parameters.size, current: call.parameters.current }),
    }),
    route({
      method: 'GET',
      path: `/${path}/detail`,
      summary: { zh: `${label.zh}：详情`, en: `${label.en}: detail` },
      access: viewOf(kind),
      parameters: { id: { kind: 'id', required: true } },
      dataSchema: rowSchema(logs[kind]),
      tag: 'log',
      handler: (call) => logDetail(kind, call, call.parameters.id),
    }),
  ]
}

export const logRoutes: Route[] = [
  ...pair('usual'),
  ...pair('api'),
  ...pair('error'),
  on(errorGroups, (_, call) => logGroups(call)),
  on(logState, async (_, { services, actor }) => {
    const queue = logsOf(services)
    return { queued: queue.state().queued, lost: queue.lostOf(actor.tenantId) }
  }),
]
