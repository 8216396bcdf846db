import { type LogKind, logs } from '@data-brain/contract/entities/log/logs'
import { pageSchema, rowSchema } from '../../entity/schema.ts'
import { code, type Route, route } from '../../kernel/route.ts'
import { logDetail, logGroups, logPage } from './read.ts'
import { logsOf } from './running.ts'

const filters = { createTime_dategt: { kind: 'text' }, createTime_datelt: { kind: 'text' } } as const

/** What narrows a log. */
export const logFilters = (kind: LogKind) => ({
  ...Object.fromEntries(logs[kind].search.map((name) => [name, { kind: 'text', max: 255 } as const])),
  ...filters,
})

const viewOf = (kind: LogKind): { codes: string[] } => code(`${logs[kind].name}_view`)

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
      dataSchema: pageSchema(logs[kind]),
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

const groups: Route = route({
  method: 'GET',
  path: '/blade-log/error/groups',
  summary: { zh: '错误日志：按内容归并', en: 'Error log: by what went wrong' },
  access: viewOf('error'),
  parameters: filters,
  tag: 'log',
  handler: (call) => logGroups(call),
})

/** How the writing stands, in the process that answers: what of the caller's own tenant it has lost. */
const state: Route = route({
  method: 'GET',
  path: '/blade-log/state',
  summary: { zh: '日志写入状态', en: 'How the logs are being written' },
  access: code(...Object.values(logs).map(({ name }) => `${name}_view`)),
  tag: 'log',
  handler: async ({ services, actor }) => {
    const queue = logsOf(services)
    return { queued: queue.state().queued, lost: queue.lostOf(actor.tenantId) }
  },
})

export const logRoutes: Route[] = [...pair('usual'), ...pair('api'), ...pair('error'), groups, state]
