import type { InputOf } from '@data-brain/contract/call'
import type { forget as forgetCall } from '@data-brain/contract/calls/import'
import type { FormKind } from '@data-brain/contract/import/place'
import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import type { Answer } from './batch.ts'

/*
 * What was matched and answered is kept for the tenant, so that the next file of the same kind is not asked about
 * again: a heading means a field, a word of a field means a value. Words of files are kept as keyed hashes.
 */

/** Longer lists would be no help, and nobody could look through them. */
const most = 2_000

/** What headings were matched to by hand: an empty key is a column that is not wanted. */
export async function headingsKnown(tx: Tx, tenantId: string, kind: FormKind): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.run<{ word: string; answer: string }>(
    sql`select word, answer from import_memory where tenant_id = ${tenantId} and kind = ${kind} and field = ''`,
  )
  return new Map(rows.map((row) => [row.word, row.answer]))
}

/** What words of cells were answered with, by field and hash; a class is kept with the year that it is of. */
export async function answersKnown(
  tx: Tx,
  tenantId: string,
  kind: FormKind,
  yearId: string,
): Promise<Record<string, Record<string, Answer>>> {
  const answers: Record<string, Record<string, Answer>> = {}
  for (const row of await tx.run<{ field: string; word: string; answer: string }>(
    sql`select field, word, answer from import_memory where tenant_id = ${tenantId} and kind = ${kind} and field not in ('', ${headField})
        and (answer not like '=%' or exists (select 1 from schoolclass c where c.tenant_id = ${tenantId} and c.id = substring(answer from 2)::bigint and c.year_id = ${yearId}::bigint)
          or exists (select 1 from app_user u where u.tenant_id = ${tenantId} and u.id = substring(answer from 2)::bigint))`,
  ))
    answers[row.field] = { ...answers[row.field], [row.word]: { as: row.answer, learned: true } }
  return answers
}

/** Under which it is kept which rows are headings, by their signs: these are no words of a field. */
const headField = '@heading'

/** The signs of headings that somebody pointed at, or let stand where it was not sure. */
export const headsKnown = async (tx: Tx, tenantId: string, kind: FormKind): Promise<string[]> =>
  (
    await tx.run<{ word: string }>(
      sql`select word from import_memory where tenant_id = ${tenantId} and kind = ${kind} and field = ${headField}`,
    )
  ).map(({ word }) => word)

/** Keeps which rows are headings: the next file with the same is not asked about. */
export const rememberHeads = (tx: Tx, tenantId: string, kind: FormKind, signs: readonly string[]): Promise<void> =>
  rememberAnswers(
    tx,
    tenantId,
    kind,
    [...new Set(signs)]
      .filter(Boolean)
      .map((sign) => ({ field: headField, word: sign, answer: sign.replaceAll('|', ' ') })),
  )

/** Keeps what was said; what is said anew takes the place of what was. */
export async function rememberAnswers(
  tx: Tx,
  tenantId: string,
  kind: FormKind,
  said: readonly { readonly field: string; readonly word: string; readonly answer: string }[],
): Promise<void> {
  if (said.length === 0) return
  await tx.run(
    sql`insert into import_memory (tenant_id, kind, field, word, answer)
        select ${tenantId}, ${kind}, u.field, u.word, u.answer from jsonb_to_recordset(${JSON.stringify(said)}::jsonb) u(field text, word text, answer text)
        where (select count(*) from import_memory where tenant_id = ${tenantId} and kind = ${kind}) < ${most}
        on conflict (tenant_id, kind, field, word) do update set answer = excluded.answer, update_time = now()`,
  )
}

/** What is remembered, the newest first; of an answer that is a row, its title. */
export const listKnown = (
  tx: Tx,
  tenantId: string,
  kind: FormKind,
): Promise<{ field: string; word: string; answer: string; title: string | null; time: string }[]> =>
  tx.run(
    sql`select field, word, answer, update_time as time,
          case when answer like '=%' then coalesce(
            (select class_name from schoolclass c where c.tenant_id = m.tenant_id and c.id = substring(m.answer from 2)::bigint),
            (select real_name from app_user u where u.tenant_id = m.tenant_id and u.id = substring(m.answer from 2)::bigint)) end as title
        from import_memory m where tenant_id = ${tenantId} and kind = ${kind} order by update_time desc, field, word limit ${most}`,
  )

/** Forgets all of it, or some. */
export async function forgetAnswers(
  tx: Tx,
  tenantId: string,
  kind: FormKind,
  items: InputOf<typeof forgetCall>['items'],
): Promise<void> {
  await tx.run(
    items
      ? sql`delete from import_memory m using jsonb_to_recordset(${JSON.stringify(items)}::jsonb) u(field text, word text)
          where m.tenant_id = ${tenantId} and m.kind = ${kind} and m.field = u.field and m.word = u.word`
      : sql`delete from import_memory where tenant_id = ${tenantId} and kind = ${kind}`,
  )
}
