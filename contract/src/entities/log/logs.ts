import { defineEntity, type Entity } from '../../entity.ts'
import { area, integer, text, type Words } from '../../field.ts'

/*
 * The three logs. They are described like entities, so that their lists take the same filters and both sides know their
 * words; they are not registered as such: nobody writes them by a call, and a list of millions of rows counts otherwise.
 */

/** What a log-in, a grant or the like is called in the usual log. */
export const logEvents = {
  login: { zh: '登录', en: 'Log-in' },
  login_failed: { zh: '登录失败', en: 'Failed log-in' },
  logout: { zh: '退出登录', en: 'Log-out' },
  lock: { zh: '账号锁定', en: 'Account locked' },
  unlock: { zh: '账号解锁', en: 'Account unlocked' },
  password: { zh: '密码变更', en: 'Password changed' },
  session: { zh: '会话下线', en: 'Session ended' },
  grant: { zh: '授权', en: 'Rights granted' },
  export: { zh: '导出', en: 'Export' },
  admin: { zh: '管理操作', en: 'Administration' },
  client: { zh: '前端消息', en: 'Console message' },
  lost: { zh: '日志丢失', en: 'Lost log rows' },
} as const satisfies Record<string, Words>

export type LogEvent = keyof typeof logEvents

const who = {
  createBy: text('操作人', 'Who', { max: 64 }),
  // No reference: the log outlives the user.
  userId: text('用户编号', 'User id', { max: 20 }),
  traceId: text('请求编号', 'Request id', { max: 64 }),
}

const where = {
  serviceId: text('服务', 'Service', { max: 64 }),
  serverHost: text('服务器', 'Server', { max: 128 }),
  env: text('环境', 'Installation', { max: 128 }),
  method: text('方法', 'Method', { max: 8 }),
  requestUri: text('请求地址', 'Path', { max: 255 }),
  remoteIp: text('来源地址', 'From', { max: 64 }),
  userAgent: text('客户端', 'Client', { max: 255 }),
  status: integer('状态码', 'Status', { min: 0, max: 999 }),
  time: integer('耗时（毫秒）', 'Time (ms)', { min: 0, max: 2_147_483_647 }),
}

export const logUsual = defineEntity({
  name: 'logusual',
  path: 'blade-log/usual',
  table: 'log_usual',
  label: { zh: '通用日志', en: 'Usual log' },
  ownership: 'tenant',
  readOnly: true,
  title: 'title',
  fields: {
    logId: text('事件', 'Event', { max: 32 }),
    logLevel: text('级别', 'Level', { max: 8 }),
    title: text('内容', 'What', { max: 200 }),
    ...who,
    ...where,
    logData: area('详情', 'Details', { max: 4_000 }),
  },
  list: ['logId', 'title', 'createBy', 'remoteIp', 'requestUri', 'status', 'traceId'],
  search: ['logId', 'createBy', 'title', 'requestUri', 'remoteIp', 'traceId'],
  sort: '-createTime',
})

export const logApi = defineEntity({
  name: 'logapi',
  path: 'blade-log/api',
  table: 'log_api',
  label: { zh: '接口日志', en: 'API log' },
  ownership: 'tenant',
  readOnly: true,
  title: 'requestUri',
  fields: {
    title: text('接口', 'Call', { max: 200 }),
    ...who,
    ...where,
    result: text('结果', 'Result', { max: 64 }),
    params: area('参数', 'Parameters', { max: 4_000 }),
  },
  list: ['title', 'method', 'requestUri', 'status', 'time', 'createBy', 'remoteIp', 'traceId'],
  search: ['title', 'requestUri', 'createBy', 'remoteIp', 'status', 'traceId'],
  sort: '-createTime',
})

export const logError = defineEntity({
  name: 'logerror',
  path: 'blade-log/error',
  table: 'log_error',
  label: { zh: '错误日志', en: 'Error log' },
  ownership: 'tenant',
  readOnly: true,
  title: 'title',
  fields: {
    title: text('错误', 'Error', { max: 200 }),
    exceptionName: text('类型', 'Type', { max: 128 }),
    ...who,
    ...where,
    fileName: text('文件', 'File', { max: 255 }),
    lineNumber: integer('行号', 'Line', { min: 0, max: 2_147_483_647 }),
    message: area('消息', 'Message', { max: 2_000 }),
    stackTrace: area('错误堆栈', 'Stack', { max: 8_000 }),
    params: area('参数', 'Parameters', { max: 4_000 }),
  },
  list: ['title', 'exceptionName', 'serviceId', 'requestUri', 'createBy', 'traceId'],
  search: ['title', 'exceptionName', 'serviceId', 'requestUri', 'createBy', 'traceId'],
  sort: '-createTime',
})

/** The logs by the last part of their path. */
export const logs = { usual: logUsual, api: logApi, error: logError } as const satisfies Record<string, Entity>
export type LogKind = keyof typeof logs

/** Columns too long for a list: they come with the detail. */
export const longColumns: readonly string[] = ['userAgent', 'logData', 'params', 'message', 'stackTrace']

/** Rows that a list counts exactly; of more it says `more: 1`. */
export const countedMost = 10_000

/** A page of a log. */
export interface LogPage<T> {
  total: number
  size: number
  current: number
  pages: number
  records: T[]
  /** 1 where there are more than were counted. */
  more: 0 | 1
  /** Where only the newest rows were searched: how far back that went. */
  searchedTo: string | null
}

/** What the console uploads of its own log: at most so many at a time. */
export const uploadMost = 200

/** One entry of the console's own log, as it is kept there and uploaded. */
export interface ClientLog {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly info?: string
  readonly url?: string
  readonly time?: string
}
