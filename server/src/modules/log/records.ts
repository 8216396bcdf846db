import { type LogEvent, type LogKind, logEvents, logs, longColumns } from '@data-brain/contract/entities/log/logs'
import { type AnyRecordList, type RecordColumn, recordList } from '../../kernel/record-list.ts'
import { logIds, logRows, type Row } from './read.ts'
import { logFilters } from './routes.ts'

type Logged = Row & { readonly id: string }

const cellOf =
  (name: string, isNumber: boolean): RecordColumn<Logged>['cell'] =>
  (row, language) => {
    const value = row[name]
    if (value === null || value === undefined || value === '') return null
    if (name === 'logId' && Object.hasOwn(logEvents, String(value))) return logEvents[value as LogEvent][language]
    return isNumber ? Number(value) : String(value)
  }

const listOf = (kind: LogKind): AnyRecordList => {
  const { name, path, label, fields } = logs[kind]
  return recordList<Logged, ReturnType<typeof logFilters>>({
    name,
    path,
    label,
    tag: 'log',
    filters: logFilters(kind),
    columns: {
      createTime: { label: { zh: '时间', en: 'Time' }, width: 20, cell: cellOf('createTime', false) },
      ...Object.fromEntries(
        Object.entries(fields)
          .filter(([field]) => !longColumns.includes(field))
          .map(([field, { label, kind }]) => [
            field,
            {
              label,
              width: field === 'requestUri' || field === 'title' ? 40 : 18,
              cell: cellOf(field, kind === 'integer'),
            },
          ]),
      ),
    },
    ids: async (open, _filters, most, query) => {
      const { ids, searchedTo } = await open((reading) => logIds(kind, { ...reading, query }, most))
      return {
        ids,
        note: searchedTo
          ? {
              zh: `记录较多，只检索了 ${searchedTo} 之后的`,
              en: `There are many rows: only those since ${searchedTo} were searched`,
            }
          : undefined,
      }
    },
    rows: (reading, ids) => logRows(kind, { ...reading, query: {} }, ids) as Promise<Logged[]>,
  })
}

/** The three logs as what can be taken out. */
export const logRecords: readonly AnyRecordList[] = [listOf('usual'), listOf('api'), listOf('error')]
