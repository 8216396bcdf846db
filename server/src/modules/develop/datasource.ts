import { codeOf, datasource } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import {
  datasourceColumns,
  datasourceRows,
  datasourceTables,
  testDatasource,
} from '@data-brain/contract/calls/datasource'
import { rowsOf } from '../../entity/routes.ts'
import { addRules, changesField, refuseField, type Saving } from '../../entity/rules.ts'
import { onDetached } from '../../entity/serve-call.ts'
import { pluralize } from '../../kernel/pluralize.ts'
import type { DetachedCall, Route } from '../../kernel/route.ts'
import { readAddress } from './address.ts'
import type { SourceColumn, SourceReader, TableName } from './reader.ts'
import { readSource } from './source.ts'
import { SourceError, tableGone } from './source-error.ts'

const browseCode = 'datasource_browse'
/** Rows of a table that a browser is shown. */
const rowsShown = 50

/** Judges the address, and asks for the password anew where it would otherwise go to another server or user. */
async function check(saving: Saving<typeof datasource>): Promise<void> {
  const { before, whole } = saving
  const address = readAddress(whole.driverClass, whole.url)
  if ('fault' in address) {
    const field = ['postgresql', 'mysql', 'sqlite'].includes(whole.driverClass) ? 'url' : 'driverClass'
    refuseField(saving, datasource, field, address.fault.zh, address.fault.en)
  }
  if (address.kind !== 'sqlite' && !whole.username)
    refuseField(saving, datasource, 'username', '不能为空', 'is required')
  if (before?.password && changesField(saving, 'driverClass', 'url', 'username') && !changesField(saving, 'password'))
    refuseField(
      saving,
      datasource,
      'password',
      '地址、驱动或用户名已改变，请重新填写',
      'has to be entered anew: address, driver or user name have changed',
    )
}

/** Whether the caller may look at the source, judged anew; answers whose it is. */
const mayBrowse = (call: DetachedCall, id: string, codes: readonly string[] = [browseCode]): Promise<string> =>
  call.as(async (opened) => {
    await rowsOf(datasource, { ...call, ...opened }).before(id, { codes })
    return opened.actor.tenantId
  })

/** Reads a source for the caller. What is wrong with it is an answer in words. */
export async function reading<T>(
  call: DetachedCall,
  id: string,
  read: (reader: SourceReader) => Promise<T>,
): Promise<T> {
  const tenantId = await mayBrowse(call, id)
  try {
    return await readSource(call.services, { tenantId, id }, read)
  } catch (error) {
    throw error instanceof SourceError ? error.problem() : error
  }
}

async function columnsOf(reader: SourceReader, table: TableName): Promise<readonly SourceColumn[]> {
  const columns = await reader.columns(table)
  if (columns.length === 0) throw tableGone(table.name)
  return columns
}

type Tried = AnswerOf<typeof testDatasource>

async function test(call: DetachedCall, id: string): Promise<Tried> {
  const tenantId = await mayBrowse(call, id, [browseCode, codeOf(datasource, 'edit')])
  const began = performance.now()
  const answer = (ok: 0 | 1, words: SourceError['words']): Tried => ({
    ok,
    message: words[call.circumstance.language],
    milliseconds: Math.round(performance.now() - began),
  })
  try {
    const found = await readSource(call.services, { tenantId, id }, (reader) => reader.tables())
    return answer(1, {
      zh: `连接正常，可以读取${found.length}张表和视图`,
      en: `The connection works: ${pluralize(found.length, 'table or view', 'tables and views')} can be read`,
    })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return answer(0, error.words)
  }
}

/** What is special about data sources. */
export const addDatasourceRules = (): void => addRules(datasource, { beforeSave: check })

export const datasourceRoutes: readonly Route[] = [
  onDetached(testDatasource, ({ id }, call) => test(call, id)),
  onDetached(datasourceTables, ({ id }, call) => reading(call, id, (reader) => reader.tables())),
  onDetached(datasourceColumns, ({ id, schema = '', table }, call) =>
    reading(call, id, (reader) => columnsOf(reader, { schema, name: table })),
  ),
  onDetached(datasourceRows, ({ id, schema = '', table }, call) =>
    reading(call, id, async (reader) => {
      const columns = await columnsOf(reader, { schema, name: table })
      return {
        columns: columns.map((column) => column.name),
        rows: await reader.rows({ schema, name: table }, columns, rowsShown),
      }
    }),
  ),
]
