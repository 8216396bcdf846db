import { sql } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import type { Batch } from '../batch/batch.ts'
import type { Source } from '../file/table.ts'

/* A file of another school, brought into the chosen one: its title or its name says so. */

const kind =
  '(?:幼儿园|小学|初级中学|高级中学|中学|初中|高中|职业学校|中等专业学校|技工学校|特殊教育学校|学校|中专|职高|附小|附中)'
const named = new RegExp(`\\p{Script=Han}[\\p{Script=Han}（）()]*?${kind}`, 'gu')
const ending = new RegExp(`${kind}$`)

const plain = (text: string): string => text.normalize('NFKC').replace(/[\s()]/g, '')

/** Names of schools in a text, those of a kind alone (小学) left out. */
const schoolsIn = (text: string): string[] =>
  [...plain(text).matchAll(named)]
    .map(([name]) => name.replace(/^(学?年度?|[春秋]季?|第[一二]学期|学期)+/, ''))
    .filter((name) => name.replace(ending, '').length >= 2)

/** Whether two names may be of one school: 桐梓林小学 and 武侯区桐梓林小学 have their last words in common. */
function mayBeOne(a: string, b: string): boolean {
  const [one, two] = [a.replace(ending, ''), b.replace(ending, '')]
  if (one.includes(two) || two.includes(one)) return true
  return one.slice(-2) === two.slice(-2)
}

/** What is told where a title, or the name of the file, is that of another school. */
export async function otherSchool(tx: Tx, tenantId: string, batch: Batch, source: Source | undefined) {
  const schools = await tx.run<{ id: string; name: string }>(
    sql`select id, school_name as name from school where tenant_id = ${tenantId}`,
  )
  const own = plain(schools.find(({ id }) => id === batch.settings.schoolId)?.name ?? '')
  if (own === '') return undefined
  const titles = (source?.notes ?? []).flatMap(({ kind, text }) => (kind === 'title' && text ? [text] : []))
  const texts = [...titles, batch.file_name.replace(/\.\w+$/, '')].filter((text) => !plain(text).includes(own))
  const other = schools.find(
    ({ id, name }) =>
      id !== batch.settings.schoolId &&
      !own.includes(plain(name)) &&
      texts.some((text) => plain(text).includes(plain(name))),
  )
  const found = other?.name ?? texts.flatMap(schoolsIn).find((name) => !mayBeOne(name, own))
  // A title that names the chosen school as well is about both.
  if (
    !found ||
    (!other && [...titles, batch.file_name].some((text) => schoolsIn(text).some((name) => mayBeOne(name, own))))
  )
    return undefined
  const told = { kind: 'otherSchool', key: 'check.schoolName', label: '', count: 0, rows: [], text: found } as const
  return { ...told, answer: null, word: null }
}
