import { isSince, reportLimits, type Since, sinceKinds } from '@data-brain/contract/report'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import { todayOf } from './as-of.ts'
import type { Question } from './content.ts'

/* What changes are counted since: an earlier day, named or told by a word that means another one each time. */

const refuse = (zh: string, en: string): Problem =>
  new Problem('rule_broken', { reason: { zh, en } }, { field: 'content.measures', fields: [] })

const back = { month: '1 month', halfYear: '6 months', year: '1 year' } as const
const spans = {
  semester: { table: 'schoolsemester', zh: '学期', en: 'semester' },
  schoolYear: { table: 'schoolyear', zh: '学年', en: 'school year' },
} as const

const isBack = (said: string): said is keyof typeof back => Object.hasOwn(back, said)

/** The day that a word means, seen from another day. */
async function dayOf(tx: Tx, tenantId: string, said: string, from: string): Promise<string> {
  if (!(sinceKinds as readonly string[]).includes(said)) return said
  const word = said as Since
  if (isBack(word))
    return (await tx.one<{ day: string }>(sql`select (${from}::date - ${back[word]}::interval)::date::text as day`))!
      .day
  const { table, zh, en } = spans[word]
  // Schools begin on days of their own: the last of those on which one that runs by then has begun.
  const found = await tx.one<{ day: string | null }>(
    sql`select max(t.begin_date)::text as day from ${sql.table(table)} t
        where t.tenant_id = ${tenantId} and t.begin_date <= ${from}::date and t.end_date >= ${from}::date`,
  )
  if (!found?.day)
    throw refuse(
      `${from}不在任何${zh}内，请改用其他日期`,
      `No ${en} runs on ${from}: count the change since another day`,
    )
  return found.day
}

/** The day of each measure that counts a change, by its place among the measures. */
export async function basesOf(
  {
    tx,
    actor,
    asOf,
  }: { readonly tx: Tx; readonly actor: { readonly tenantId: string }; readonly asOf?: string | undefined },
  { content: { measures }, source }: Question,
): Promise<Map<number, string>> {
  const bases = new Map<number, string>()
  if (!measures.some(({ of }) => isSince(of))) return bases
  if (source)
    throw refuse(
      '数据源的表不保存变更记录，不能统计变化',
      'No changes are recorded of a table of a data source: there is no change to count',
    )
  const from = asOf ?? (await todayOf(tx))
  for (const [at, { of, since }] of measures.entries()) {
    if (!isSince(of) || !since) continue
    const day = await dayOf(tx, actor.tenantId, since, from)
    if (day >= from)
      throw refuse(
        `变化应与更早的日期比较：${day}不早于${from}`,
        `A change is counted since an earlier day: ${day} is not before ${from}`,
      )
    bases.set(at, day)
  }
  if (new Set(bases.values()).size > reportLimits.since)
    throw refuse(
      `最多与${reportLimits.since}个日期比较`,
      `Changes are counted since ${reportLimits.since} different days at most`,
    )
  return bases
}
