import { choice, defineEntity, integer, text } from '@data-brain/contract'
import { regions } from '@data-brain/contract/calls/region'
import { plainList } from '../../http/call.ts'
import { regionLabels as labels } from '../../locales/region.ts'

/** A text field by its label. */
const line = <const O extends Parameters<typeof text>[2]>(words: { zh: string; en: string }, options: O) =>
  text(words.zh, words.en, options)

/** A region as the tree page and its form see it; the server keeps it by its code. */
export const region = defineEntity({
  name: 'region',
  path: plainList('region', regions).path,
  label: labels.region,
  ownership: 'platform',
  title: 'name',
  fields: {
    parentCode: line(labels.parentCode, { required: true, max: 12, default: '00', fixed: true }),
    code: line(labels.code, { required: true, max: 12, fixed: true, help: labels.codeHelp }),
    name: line(labels.name, { required: true, max: 60 }),
    level: choice(labels.level.zh, labels.level.en, 'region', { required: true }),
    sort: integer(labels.sort.zh, labels.sort.en, { required: true, min: 0, max: 9999, default: 0 }),
    remark: line(labels.remark, { max: 255 }),
  },
  list: ['code', 'name', 'level', 'sort', 'remark'],
  search: ['name', 'code'],
  sort: 'sort',
})

/** What stands above the provinces. */
export const top = '00'
