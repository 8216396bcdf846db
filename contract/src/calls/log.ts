import { defineCall } from '../call.ts'
import { logs, uploadMost } from '../entities/log/logs.ts'
import { codeOf } from '../entity.ts'
import { instantValue, integerValue, listOf, objectOf, textValue } from '../shape.ts'

const of = 'log'

/** From when to when. */
export const logBounds = { createTime_dategt: textValue(), createTime_datelt: textValue() } as const

export const errorGroups = defineCall({
  method: 'GET',
  path: 'blade-log/error/groups',
  of,
  access: { codes: [codeOf(logs.error, 'view')] },
  summary: { zh: '错误日志：按内容归并', en: 'Error log: by what went wrong' },
  // It takes the filters of the error log as well.
  input: logBounds,
  answer: objectOf({
    groups: listOf(
      objectOf({
        title: textValue(),
        exceptionName: textValue({ nullable: true }),
        count: integerValue(),
        people: integerValue(),
        firstTime: instantValue(),
        // Time and id of the newest of them.
        createTime: instantValue(),
        id: textValue(),
      }),
    ),
    // Where only the newest rows were searched: how far back that went.
    searchedTo: instantValue({ nullable: true }),
  }),
})

export const logState = defineCall({
  method: 'GET',
  path: 'blade-log/state',
  of,
  access: { codes: Object.values(logs).map((log) => codeOf(log, 'view')) },
  summary: { zh: '日志写入状态', en: 'How the logs are being written' },
  // In the process that answers: what of the caller's own tenant it has lost.
  answer: objectOf({ queued: integerValue(), lost: integerValue() }),
})

/** What a console keeps of its own errors and messages; numbers are taken for texts. */
const said = textValue()
const entries = objectOf({ type: said, message: said, stack: said, info: said, url: said, time: said })

/** It never ends a session, whatever its path says: the family's consoles upload here. */
export const uploadLogs = defineCall({
  method: 'POST',
  path: 'blade-auth/oauth/logout',
  of: 'blade-auth',
  access: 'session',
  summary: { zh: '上传本地日志', en: 'Upload the console’s own log' },
  as: 'list',
  list: listOf(entries, { max: uploadMost }),
  answer: objectOf({ taken: integerValue(), lost: integerValue() }),
})
