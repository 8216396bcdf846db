import { defineCall } from '../call.ts'
import { job } from '../entities/system/job.ts'
import {
  emptyAnswer,
  fileOf,
  idOf,
  instantValue,
  integerValue,
  jsonValue,
  listOf,
  objectOf,
  oneOf,
  textValue,
  wordsValue,
} from '../shape.ts'

const of = job.name
const id = { id: idOf(of, { required: true }) } as const

/** A job as whoever asked for it is shown it. */
const shown = objectOf(
  {
    id: idOf(of),
    kind: textValue(),
    subject: textValue({ nullable: true }),
    state: oneOf(['waiting', 'running', 'done', 'failed', 'cancelled']),
    progress: integerValue(),
    total: integerValue(),
    // Figures, which depend on the kind of job.
    result: jsonValue({ nullable: true }),
    failure: wordsValue({ nullable: true }),
    tries: integerValue(),
    userName: textValue({ nullable: true }),
    beginTime: instantValue({ nullable: true }),
    endTime: instantValue({ nullable: true }),
    createTime: instantValue(),
  },
  { name: 'JobShown' },
)

export const ownJob = defineCall({
  method: 'GET',
  path: 'blade-system/job/own',
  of,
  access: 'session',
  summary: { zh: '任务：自己发起的任务的进度与结果', en: 'Job: how far a job is that the caller asked for' },
  input: id,
  answer: shown,
})

export const myJobs = defineCall({
  method: 'GET',
  path: 'blade-system/job/mine',
  of,
  access: 'session',
  summary: { zh: '任务：自己发起的任务', en: 'Job: those that the caller asked for, newest first' },
  answer: listOf(shown),
})

export const cancelJob = defineCall({
  method: 'POST',
  path: 'blade-system/job/cancel',
  of,
  access: 'session',
  summary: {
    zh: '任务：取消排队中的任务（导出在进行中也可取消）',
    en: 'Job: take back one that has not begun, or an export under way',
  },
  input: id,
  answer: emptyAnswer,
})

export const retryJob = defineCall({
  method: 'POST',
  path: 'blade-system/job/retry',
  of,
  access: { codes: ['job_retry'] },
  summary: { zh: '任务：重试失败的任务', en: 'Job: try one again that has failed' },
  input: id,
  answer: emptyAnswer,
})

/** The media types that a list is taken out in. */
export const listTypes = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv; charset=utf-8',
  // Several forms filled at once.
  'application/zip',
] as const

/** That of a report on pages. */
export const pdfType = 'application/pdf'

export const jobFile = defineCall({
  method: 'GET',
  path: 'blade-system/job/file',
  of,
  access: 'session',
  summary: { zh: '任务：下载自己的导出文件', en: 'Job: the file of an export that the caller asked for' },
  input: id,
  answer: fileOf(...listTypes, pdfType),
})
