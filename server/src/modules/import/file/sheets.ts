import type { AnswerOf, InputOf } from '@data-brain/contract/call'
import type { sheets as sheetsCall } from '@data-brain/contract/calls/import'
import { sql } from '../../../database/statement.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { Call } from '../../../kernel/route.ts'
import { hasFile, needState, startBatch } from '../../jobs/index.ts'
import type { Form } from '../batch/form.ts'
import { brokenFile, heldBatch } from '../batch/steps.ts'
import { sourceOf } from './kept-cells.ts'

/** Reads other sheets of the file than those that were proposed, or below another heading. What was matched and checked is begun anew. */
export async function setSheets(
  form: Form,
  { id, heading, ...asked }: InputOf<typeof sheetsCall>,
  call: Call,
): Promise<AnswerOf<typeof sheetsCall>> {
  const { tx, actor, services } = call
  const sheets = [...new Set(asked.sheets)]
  if (heading && !sheets.includes(heading.sheet)) throw new Problem('parameter_missing', { field: 'heading' })
  const batch = await heldBatch(call, form, id)
  needState(batch, 'mapping', 'checked')
  const source = await sourceOf(tx, services.cipher, actor.tenantId, id)
  for (const index of sheets) {
    const sheet = source?.sheets[index]
    if (!sheet) throw brokenFile(`文件没有第${index + 1}张工作表`, `The file has no sheet ${index + 1}`)
    if (sheet.shape === undefined && heading?.sheet !== index)
      throw brokenFile(`工作表“${sheet.name}”里没有找到标题行`, `No heading row in the sheet "${sheet.name}"`)
  }
  const view = source?.views?.find(({ sheet }) => sheet === heading?.sheet)
  const at = view?.rows.findIndex(({ row }) => row === heading?.row) ?? -1
  if (heading && at < 0)
    throw brokenFile(`第${heading.row}行不在可选的行中`, `Row ${heading.row} is not among those to choose from`)
  if (heading && at + 1 >= (source?.sheets[heading.sheet]?.rows ?? 0))
    throw brokenFile('标题行下面没有数据', 'There are no rows below the heading')
  if (!(await hasFile(tx, actor.tenantId, id)))
    throw brokenFile('文件已不再保留，请重新上传', 'The file is kept no longer: upload it again')
  const { heading: _before, ...settings } = batch.settings
  await tx.run(
    sql`update import_batch set settings = ${JSON.stringify({ ...settings, sheets, ...(heading ? { heading } : {}) })} where tenant_id = ${actor.tenantId} and id = ${id}`,
  )
  await startBatch(call, batch, form.kind, 'reading')
  return { id, state: 'reading' }
}
