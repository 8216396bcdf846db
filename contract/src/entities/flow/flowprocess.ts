import { defineEntity } from '../../entity.ts'
import { choice, instant, integer, text } from '../../field.ts'

/** A version of a process that was deployed. What runs keeps its version. Written by the server alone. */
export const flowprocess = defineEntity({
  name: 'flowprocess',
  path: 'blade-flow/manager',
  label: { zh: '流程定义', en: 'Process' },
  short: '流程',
  measure: '个',
  ownership: 'tenant',
  readOnly: true,
  title: 'name',
  beside: ['versionNo'],
  fields: {
    name: text('流程名称', 'Name', { required: true, max: 100, computed: true }),
    key: text('流程标识', 'Key', { required: true, max: 64, computed: true }),
    versionNo: integer('版本', 'Version', { required: true, min: 1, max: 1_000_000, computed: true }),
    category: choice('流程分类', 'Category', 'flow', { required: true, default: '1', computed: true }),
    // Whether it can be started, and its instances go on.
    suspensionState: choice('状态', 'State', 'flow_suspension', { required: true, default: '1', computed: true }),
    formKey: text('表单', 'Form', { max: 64, computed: true, inner: true }),
    resourceName: text('文件', 'File', { max: 255, computed: true }),
    deploymentId: text('部署编号', 'Deployment', { max: 20, computed: true }),
    deploymentTime: instant('部署时间', 'Deployed at', { required: true, computed: true }),
    // Of a process that the clock starts.
    startDue: instant('下次启动', 'Starts next', { computed: true }),
  },
  unique: [['key', 'versionNo']],
  list: [
    'name',
    'key',
    'versionNo',
    'category',
    'suspensionState',
    'deploymentTime',
    'startDue',
    'resourceName',
    'deploymentId',
  ],
  aside: ['resourceName', 'deploymentId'],
  search: ['name', 'key', 'category', 'suspensionState'],
  sort: '-deploymentTime',
})
