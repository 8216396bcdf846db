import { defineEntity } from '../../entity.ts'
import { flag, json, reference, text } from '../../field.ts'
import { remark } from '../common.ts'

/** A table that the code generator makes an entity of: where it comes from, what it is called, and its fields. */
export const code = defineEntity({
  name: 'code',
  path: 'blade-develop/code',
  table: 'code_table',
  label: { zh: '代码模型', en: 'Code model' },
  measure: '个',
  ownership: 'tenant',
  title: 'codeName',
  fields: {
    codeName: text('名称', 'Name', { required: true, max: 20 }),
    codeNameEn: text('英文名称', 'English name', { max: 40 }),
    serviceName: text('实体名', 'Entity', {
      required: true,
      max: 32,
      help: { zh: '只用小写字母，如 schoolbus', en: 'Small letters only, such as schoolbus' },
    }),
    packageName: text('目录', 'Folder', {
      max: 32,
      default: 'school',
      help: {
        zh: 'school、student、system、resource、flow、desk 之一',
        en: 'One of school, student, system, resource, flow, desk',
      },
    }),
    bySchool: flag('属于学校', 'Belongs to a school', { default: 1 }),
    datasourceId: reference('数据源', 'Data source', 'datasource'),
    tableName: text('来源表', 'Source table', { max: 260 }),
    fields: json('字段', 'Fields', { as: 'codeFields' }),
    generated: json('上次生成', 'Generated before', { computed: true, inner: true }),
    remark,
  },
  unique: [['codeName'], ['serviceName']],
  list: ['codeName', 'codeNameEn', 'serviceName', 'packageName', 'datasourceId', 'tableName'],
  search: ['codeName', 'serviceName', 'tableName', 'datasourceId'],
  sort: 'codeName',
})
