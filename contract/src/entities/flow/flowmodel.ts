import { defineEntity } from '../../entity.ts'
import { area, choice, text } from '../../field.ts'

/** A process as it is drawn. It runs once it is deployed, as the version that was deployed then. */
export const flowmodel = defineEntity({
  name: 'flowmodel',
  path: 'blade-flow/model',
  label: { zh: '流程模型', en: 'Process model' },
  short: '模型',
  measure: '个',
  ownership: 'tenant',
  title: 'name',
  beside: ['modelKey'],
  fields: {
    name: text('流程名称', 'Name', { required: true, max: 100 }),
    modelKey: text('流程标识', 'Key', {
      required: true,
      max: 64,
      help: {
        zh: '字母开头，只含字母、数字、下划线、短横线和点；同一标识的各次部署是同一流程的版本',
        en: 'Begins with a letter; letters, digits, _ - and . only. Deployments with one key are versions of one process',
      },
    }),
    category: choice('流程分类', 'Category', 'flow', { required: true, default: '1' }),
    description: text('说明', 'Description', { max: 500 }),
    xml: area('流程图', 'Diagram', { max: 2_000_000 }),
  },
  unique: [['modelKey']],
  taken: { modelKey: { zh: '已有流程使用该标识', en: 'Another process has this key' } },
  list: ['name', 'modelKey', 'category', 'description'],
  search: ['name', 'modelKey', 'category'],
  sort: 'name',
  find: ['name', 'modelKey'],
})
