import { defineEntity } from '../../entity.ts'
import { choice, flag, instant, reference, text } from '../../field.ts'

/** A process that runs, or has run: who started it, what it is about, and where it stands. Written by the server alone. */
export const flowinstance = defineEntity({
  name: 'flowinstance',
  path: 'blade-flow/follow',
  label: { zh: '流程实例', en: 'Process instance' },
  short: '流程',
  measure: '个',
  ownership: 'tenant',
  readOnly: true,
  title: 'title',
  fields: {
    title: text('标题', 'Title', { required: true, max: 200, computed: true }),
    serialNo: text('编号', 'No.', { max: 32, computed: true }),
    processDefinitionId: reference('流程', 'Process', 'flowprocess', { required: true, computed: true }),
    category: choice('流程分类', 'Category', 'flow', { required: true, default: '1', computed: true }),
    startUser: reference('申请人', 'Applicant', 'user', { computed: true }),
    startTime: instant('申请时间', 'Started', { required: true, computed: true }),
    endTime: instant('结束时间', 'Ended', { computed: true }),
    state: choice('状态', 'State', 'flow_instance_state', { required: true, default: '1', computed: true }),
    // The names of the steps that wait, for whoever looks at a list.
    activity: text('当前步骤', 'Stands at', { max: 500, computed: true }),
    // Written when a limit passes, or nobody stands in for whoever is away or has left; gone with the next step.
    isOverdue: flag('已超期', 'Overdue', { required: true, default: 0, computed: true }),
    lacksApprover: flag('无人审批', 'Without an approver', { required: true, default: 0, computed: true }),
    businessTable: text('业务', 'Business', { max: 64, computed: true, inner: true }),
    businessId: text('业务编号', 'Business id', { max: 20, computed: true, inner: true }),
    reason: text('原因', 'Reason', { max: 500, computed: true }),
  },
  keptBy: 'startUser',
  list: [
    'title',
    'serialNo',
    'processDefinitionId',
    'startUser',
    'startTime',
    'state',
    'activity',
    'isOverdue',
    'lacksApprover',
    'endTime',
    'reason',
  ],
  aside: ['serialNo', 'isOverdue', 'lacksApprover', 'reason'],
  search: ['title', 'processDefinitionId', 'category', 'startUser', 'state', 'startTime'],
  sort: '-startTime',
  views: [
    { key: 'running', filters: { state: '1' } },
    { key: 'overdue', filters: { isOverdue: '1' }, counted: true },
    { key: 'unattended', filters: { lacksApprover: '1' }, counted: true },
    { key: 'incident', filters: { state: '6' }, counted: true },
  ],
})
