import { type AnswerOf, defineCall } from '../call.ts'
import { datasource } from '../entities/system/datasource.ts'
import { codeOf } from '../entity.ts'
import { flagValue, idOf, integerValue, listOf, objectOf, oneOf, textValue } from '../shape.ts'

const of = datasource.name
const browsing = { codes: ['datasource_browse'] } as const
const id = idOf(of, { required: true })
/** A table by its name; the schema is empty where the database has none. */
const table = {
  id,
  schema: textValue({ max: 128 }),
  table: textValue({ required: true, max: 128, label: { zh: '表', en: 'Table' } }),
} as const

export const testDatasource = defineCall({
  method: 'POST',
  path: 'blade-develop/datasource/test',
  of,
  access: { codes: ['datasource_browse', codeOf(datasource, 'edit')] },
  summary: { zh: '数据源：测试连接', en: 'Data source: try the connection' },
  input: { id },
  answer: objectOf({
    ok: flagValue(),
    // What works, or what is wrong, in words.
    message: textValue(),
    milliseconds: integerValue(),
  }),
})

export const datasourceTables = defineCall({
  method: 'GET',
  path: 'blade-develop/datasource/tables',
  of,
  access: browsing,
  summary: { zh: '数据源：表和视图', en: 'Data source: its tables and views' },
  input: { id },
  answer: listOf(
    objectOf({
      schema: textValue(),
      name: textValue(),
      kind: oneOf(['table', 'view']),
      comment: textValue({ nullable: true }),
    }),
  ),
})
export type DatasourceTable = AnswerOf<typeof datasourceTables>[number]

export const datasourceColumns = defineCall({
  method: 'GET',
  path: 'blade-develop/datasource/columns',
  of,
  access: browsing,
  summary: { zh: '数据源：一张表的列', en: 'Data source: the columns of a table' },
  input: table,
  answer: listOf(
    objectOf({
      name: textValue(),
      // As its database writes it.
      type: textValue(),
      length: integerValue({ nullable: true }),
      nullable: flagValue(),
      primary: flagValue(),
      // No two rows have the same value.
      single: flagValue(),
      // The table that it refers to.
      refersTo: textValue({ nullable: true }),
      comment: textValue({ nullable: true }),
    }),
  ),
})

export const datasourceRows = defineCall({
  method: 'GET',
  path: 'blade-develop/datasource/rows',
  of,
  access: browsing,
  summary: { zh: '数据源：一张表的前50行', en: 'Data source: the first 50 rows of a table' },
  input: table,
  // Cells as texts, cut after 200 characters.
  answer: objectOf({ columns: listOf(textValue()), rows: listOf(listOf(textValue({ nullable: true }))) }),
})
