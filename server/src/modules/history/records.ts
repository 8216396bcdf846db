import type { Words } from '@data-brain/contract'
import { type Changed, changeFilters, type RecordedRead, readFilters } from '@data-brain/contract/calls/history'
import { type OpenTransaction, type RecordReading, recordList } from '../../kernel/record-list.ts'
import { changesList } from './list.ts'
import { readsList } from './reads.ts'
import type { HistorySlice } from './window.ts'

/** Rows that are asked for at a time while it is found out which there are. */
const step = 1_000

/** The ids of all that a list shows, slice by slice, each in a transaction of its own. */
async function idsOf<R extends { readonly id: string }>(
  open: OpenTransaction,
  most: number,
  slice: (reading: RecordReading, size: number, before: string | undefined) => Promise<HistorySlice<R>>,
): Promise<{ ids: string[] }> {
  const ids: string[] = []
  let before: string | undefined
  do {
    const size = Math.min(step, most - ids.length)
    const { records, next } = await open((reading) => slice(reading, size, before))
    ids.push(...records.map(({ id }) => id))
    before = next ?? undefined
  } while (before !== undefined && ids.length < most)
  return { ids }
}

const actions: Readonly<Record<string, Words>> = {
  add: { zh: '新增', en: 'Added' },
  edit: { zh: '修改', en: 'Changed' },
  delete: { zh: '删除', en: 'Deleted' },
  import: { zh: '导入', en: 'Imported' },
  undo: { zh: '撤销', en: 'Undone' },
  restore: { zh: '恢复', en: 'Restored' },
  grant: { zh: '授权', en: 'Granted' },
}
const kinds: Readonly<Record<string, Words>> = {
  list: { zh: '列表加列查看', en: 'Listed with more columns' },
  detail: { zh: '查看详情', en: 'Opened' },
  personal: { zh: '查看敏感信息', en: 'Saw personal values' },
  export: { zh: '导出', en: 'Exported' },
  file: { zh: '查看文件', en: 'Opened a file' },
}
const machine: Words = { zh: '系统', en: 'The system' }
const numbered = (id: string): Words => ({ zh: `编号 ${id}`, en: `No. ${id}` })
const time: Words = { zh: '时间', en: 'Time' }

/** All changes, as what can be taken out. */
export const changeRecords = recordList<Changed, typeof changeFilters>({
  name: 'history',
  path: 'blade-log/history',
  label: { zh: '变更记录', en: 'Changes' },
  tag: 'history',
  filters: changeFilters,
  columns: {
    time: { label: time, width: 20, cell: (row) => row.time },
    person: {
      label: { zh: '操作人', en: 'By' },
      width: 16,
      cell: (row, language) => row.userName || machine[language],
    },
    action: {
      label: { zh: '动作', en: 'Action' },
      width: 10,
      cell: (row, language) => actions[row.action]?.[language] ?? row.action,
    },
    entity: { label: { zh: '数据', en: 'Kind' }, width: 16, cell: (row) => row.entityName },
    row: {
      label: { zh: '记录', en: 'Record' },
      width: 30,
      cell: (row, language) => row.rowName || numbered(row.rowId)[language],
    },
    requestId: { label: { zh: '请求编号', en: 'Request id' }, width: 24, cell: (row) => row.requestId },
  },
  ids: (open, filters, most) =>
    idsOf(open, most, (reading, size, before) => changesList(reading, { ...filters, size, before })),
  rows: async (reading, ids) => (await changesList(reading, { ids, size: ids.length })).records,
})

/** Who has read children's records, as what can be taken out. */
export const readRecords = recordList<RecordedRead, typeof readFilters>({
  name: 'readlog',
  path: 'blade-log/read',
  label: { zh: '访问记录', en: 'Access records' },
  tag: 'readlog',
  filters: readFilters,
  columns: {
    time: { label: time, width: 20, cell: (row) => row.time },
    child: {
      label: { zh: '学生', en: 'Child' },
      width: 16,
      cell: (row, language) => row.childName || numbered(row.childId)[language],
    },
    person: {
      label: { zh: '访问人', en: 'Read by' },
      width: 16,
      cell: (row, language) => row.userName || (row.userId ?? machine[language]),
    },
    kind: {
      label: { zh: '方式', en: 'How' },
      width: 16,
      cell: (row, language) => kinds[row.kind]?.[language] ?? row.kind,
    },
    entity: { label: { zh: '内容', en: 'What' }, width: 16, cell: (row) => row.entityName },
    reason: { label: { zh: '事由', en: 'Reason' }, width: 30, cell: (row) => row.reason },
    address: { label: { zh: '地址', en: 'Address' }, width: 18, cell: (row) => row.address },
  },
  ids: (open, filters, most) =>
    idsOf(open, most, (reading, size, before) => readsList(reading, { ...filters, size, before })),
  rows: async (reading, ids) => (await readsList(reading, { ids, size: ids.length })).records,
})
