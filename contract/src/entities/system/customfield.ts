import { defineEntity } from '../../entity.ts'
import { choice, decimal, flag, integer, json, text } from '../../field.ts'
import { sort } from '../common.ts'

/** How many fields of its own a tenant gives one entity. */
export const customFieldsMost = 40
/** The largest number, and the smallest below zero, that a field of a tenant's own takes. */
export const customNumberMost = 999_999_999

/** A field that a tenant gives its own students, users or classes; custom.ts makes it a field like any other. */
export const customfield = defineEntity({
  name: 'customfield',
  path: 'blade-system/customfield',
  label: { zh: '自定义字段', en: 'Custom field' },
  measure: '个',
  ownership: 'tenant',
  unscoped: true,
  title: 'label',
  titleEn: 'labelEn',
  fields: {
    owner: choice('所属对象', 'Belongs to', 'custom_owner', { required: true, fixed: true }),
    label: text('字段名称', 'Name', { required: true, max: 30 }),
    labelEn: text('英文名称', 'English name', {
      max: 60,
      help: { zh: '留空则英文界面也显示中文名称', en: 'Where it is empty, the Chinese name is shown' },
    }),
    kind: choice('字段类型', 'Kind', 'custom_kind', {
      required: true,
      fixed: true,
      help: { zh: '保存后不能更改', en: 'Cannot be changed once it is saved' },
    }),
    options: json('选项', 'Options', {
      as: 'fieldOptions',
      only: { by: 'kind', is: ['choice'] },
      help: {
        zh: '已被使用的选项不能删除，可以停用',
        en: 'An option that is in use cannot be removed, but it can be retired',
      },
    }),
    maxLength: integer('最大字数', 'Longest text', {
      min: 1,
      max: 500,
      only: { by: 'kind', is: ['text'], optional: true },
      help: { zh: '留空为100', en: '100 where it is empty' },
    }),
    digits: integer('小数位数', 'Decimal places', {
      min: 0,
      max: 4,
      only: { by: 'kind', is: ['number'], optional: true },
      help: { zh: '留空为整数', en: 'A whole number where it is empty' },
    }),
    minimum: decimal('最小值', 'Smallest', {
      min: -customNumberMost,
      max: customNumberMost,
      scale: 4,
      only: { by: 'kind', is: ['number'], optional: true },
    }),
    maximum: decimal('最大值', 'Largest', {
      min: -customNumberMost,
      max: customNumberMost,
      scale: 4,
      only: { by: 'kind', is: ['number'], optional: true },
    }),
    required: flag('必填', 'Required', {
      default: 0,
      help: {
        zh: '新增和修改时必须填写；导入不受影响，缺少的可按“为空”筛选',
        en: 'Asked for in forms. Imports go on without it; rows that lack it are found by the filter “is empty”',
      },
    }),
    hint: text('填写说明', 'Help', { max: 100 }),
    sort,
  },
  unique: [['owner', 'label']],
  taken: {
    label: { zh: '该对象已有同名的自定义字段', en: 'These records already have a custom field of that name' },
  },
  list: ['owner', 'label', 'labelEn', 'kind', 'required', 'sort'],
  search: ['label', 'owner', 'kind'],
  sort: 'sort',
  sorts: ['label'],
  status: { dict: 'common_status', default: 1 },
  groups: [
    {
      label: { zh: '字段', en: 'Field' },
      fields: ['owner', 'label', 'labelEn', 'kind', 'options', 'maxLength', 'digits', 'minimum', 'maximum'],
    },
    { label: { zh: '填写', en: 'Filling in' }, folded: false, fields: ['required', 'hint', 'sort'] },
  ],
})
