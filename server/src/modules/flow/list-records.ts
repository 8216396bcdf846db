import type { Words } from '@data-brain/contract'
import {
  claimList,
  copyList,
  doneList,
  type FlowTask,
  sendList,
  todoList,
  workFilters,
} from '@data-brain/contract/calls/flow'
import { flowinstance } from '@data-brain/contract/entities/flow/flowinstance'
import { flowprocess } from '@data-brain/contract/entities/flow/flowprocess'
import { sql } from '../../database/statement.ts'
import { type AnyRecordList, type RecordColumn, type RecordReading, recordList } from '../../kernel/record-list.ts'
import { workIds, type workLists, workRows } from './lists.ts'

/** A row with the words of the keys that it holds. */
interface Told extends FlowTask {
  readonly id: string
  readonly categoryWords: Words | undefined
  readonly stateWords: Words | undefined
}

type ListColumn = RecordColumn<Told>

const { fields } = flowinstance
const moment = (label: Words, cell: (row: Told) => string | null): ListColumn => ({ label, width: 20, cell })
const decisions: Readonly<Record<string, Words>> = {
  ok: { zh: '同意', en: 'Agreed' },
  no: { zh: '驳回', en: 'Refused' },
  back: { zh: '退回', en: 'Sent back' },
  transfer: { zh: '转办', en: 'Transferred' },
  delegate: { zh: '委派', en: 'Delegated' },
  signer: { zh: '加签', en: 'Signer added' },
}

/** The columns by the names that the pages give them. */
const columns: Readonly<Record<string, ListColumn>> = {
  title: { label: fields.title.label, width: 36, cell: ({ title }) => title },
  serialNo: { label: fields.serialNo.label, width: 16, cell: ({ serialNo }) => serialNo },
  process: { label: flowprocess.fields.name.label, width: 20, cell: (row) => row.processDefinitionName },
  category: {
    label: fields.category.label,
    width: 12,
    cell: ({ category, categoryWords }, language) => categoryWords?.[language] ?? category,
  },
  applicant: { label: fields.startUser.label, width: 12, cell: ({ startUserName }) => startUserName },
  step: { label: { zh: '步骤', en: 'Step' }, width: 18, cell: ({ taskName }) => taskName },
  candidates: { label: { zh: '可签收人', en: 'Who can claim it' }, width: 24, cell: (row) => row.candidateNames },
  activity: {
    label: fields.activity.label,
    width: 30,
    cell: ({ activity, candidateNames: who }, language) =>
      activity && who ? (language === 'zh' ? `${activity}（${who}）` : `${activity} (${who})`) : activity,
  },
  state: {
    label: fields.state.label,
    width: 10,
    cell: ({ instanceState, stateWords }, language) => stateWords?.[language] ?? instanceState,
  },
  decision: {
    label: { zh: '审批结果', en: 'Decision' },
    width: 10,
    cell: ({ outcome }, language) => decisions[outcome ?? '']?.[language],
  },
  comment: { label: { zh: '意见', en: 'Comment' }, width: 30, cell: ({ comment }) => comment },
  waits: moment({ zh: '到达时间', en: 'Came' }, ({ createTime }) => createTime),
  due: moment({ zh: '办理期限', en: 'Due' }, ({ dueTime }) => dueTime),
  startTime: moment(fields.startTime.label, ({ startTime }) => startTime),
  createTime: moment({ zh: '到达时间', en: 'Came' }, ({ createTime }) => createTime),
  endTime: moment({ zh: '完成时间', en: 'Done' }, ({ endTime }) => endTime),
  read: moment({ zh: '阅读时间', en: 'Read' }, ({ endTime }) => endTime),
}

const some = (...names: (keyof typeof columns)[]): Readonly<Record<string, ListColumn>> =>
  Object.fromEntries(names.map((name) => [name, columns[name]!]))

async function told({ tx, actor }: RecordReading, rows: readonly (FlowTask & { id: string })[]): Promise<Told[]> {
  const codes = [fields.category.dict, fields.state.dict]
  const words = await tx.run<Words & { code: string; key: string }>(
    sql`select code, dict_key as key, dict_value as zh, coalesce(dict_value_en, dict_value) as en from dict where code = any(${codes}::text[])
        union all
        select code, dict_key, dict_value, coalesce(dict_value_en, dict_value) from dict_biz_seen
        where tenant_id = ${actor.tenantId} and code = any(${codes}::text[])`,
  )
  const known = new Map(words.map(({ code, key, zh, en }): [string, Words] => [`${code}|${key}`, { zh, en }]))
  return rows.map((row) => ({
    ...row,
    categoryWords: known.get(`${fields.category.dict}|${row.category}`),
    stateWords: known.get(`${fields.state.dict}|${row.instanceState}`),
  }))
}

const listOf = (
  list: keyof typeof workLists,
  { path }: { readonly path: string },
  label: Words,
  columns: Readonly<Record<string, ListColumn>>,
): AnyRecordList =>
  recordList<Told, typeof workFilters>({
    ...{ name: `work${list}`, path, label, tag: 'flowtask', filters: workFilters, columns },
    // Whoever has the page sees nothing but their own.
    code: `work${list}`,
    ids: async (open, filters, most) => ({ ids: await open((reading) => workIds(list, reading, filters, most)) }),
    rows: async (reading, ids) => told(reading, await workRows(list, reading, ids)),
  })

const basics = ['title', 'serialNo', 'process', 'category', 'applicant', 'step'] as const

/** The lists of one's own work as what can be taken out. */
export const workRecords: readonly AnyRecordList[] = [
  listOf('todo', todoList, { zh: '待办', en: 'To do' }, some(...basics, 'createTime', 'due')),
  listOf('claim', claimList, { zh: '待签', en: 'To claim' }, some(...basics, 'candidates', 'waits', 'due')),
  listOf('done', doneList, { zh: '已办', en: 'Done' }, some(...basics, 'decision', 'comment', 'endTime', 'state')),
  listOf(
    ...(['send', sendList, { zh: '已发', en: 'Sent' }] as const),
    some('title', 'serialNo', 'process', 'category', 'state', 'activity', 'startTime', 'endTime'),
  ),
  listOf(
    ...(['copy', copyList, { zh: '抄送我的', en: 'Copied to me' }] as const),
    some('title', 'read', 'serialNo', 'process', 'category', 'applicant', 'comment', 'createTime', 'state'),
  ),
]
