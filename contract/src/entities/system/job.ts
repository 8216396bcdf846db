import { defineEntity } from '../../entity.ts'
import { choice, instant, integer, json, text } from '../../field.ts'

/** A piece of work outside any request: what it is about, how far it is, and what became of it. Written by the server alone. */
export const job = defineEntity({
  name: 'job',
  path: 'blade-system/job',
  label: { zh: '任务', en: 'Job' },
  measure: '个',
  ownership: 'tenant',
  readOnly: true,
  title: 'kind',
  fields: {
    kind: choice('任务类型', 'Kind', 'job_kind', { required: true, computed: true }),
    subject: text('对象', 'About', { max: 255, computed: true }),
    state: choice('任务状态', 'State', 'job_state', { required: true, default: 'waiting', computed: true }),
    progress: integer('已完成', 'Done so far', {
      min: 0,
      max: 2_000_000_000,
      required: true,
      default: 0,
      computed: true,
    }),
    total: integer('总数', 'Of', { min: 0, max: 2_000_000_000, required: true, default: 0, computed: true }),
    result: json('结果', 'Result', { computed: true }),
    failure: json('失败原因', 'Failure', { computed: true }),
    tries: integer('执行次数', 'Runs', { min: 0, max: 1_000_000_000, required: true, default: 0, computed: true }),
    userName: text('发起人', 'Asked for by', { max: 64, rule: 'personName', computed: true }),
    beginTime: instant('开始时间', 'Began', { computed: true }),
    endTime: instant('结束时间', 'Ended', { computed: true }),
  },
  keptBy: 'create_user',
  list: ['kind', 'subject', 'state', 'result', 'progress', 'endTime', 'failure', 'userName', 'beginTime', 'total'],
  search: ['kind', 'state', 'subject', 'userName'],
  sort: '-createTime',
})
