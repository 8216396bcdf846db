import { type CodeField, type CodeKind, entityOfTable, isFreeField } from '@data-brain/contract/code'
import { type ReportSourceColumn, sourceKinds } from '@data-brain/contract/report-source'
import type { SourceColumn } from '../reader.ts'

/* What fields a table of somebody else's has, guessed from names, types and comments: people put it right. */

/** Columns that every row of the product has anyway. */
const ofEveryRow =
  /^(tenant_?id|status|version|is_?deleted|deleted|(create|update)d?_?(user|dept|time|at|by|date)|gmt_.*)$/i

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())

/** A name of the product's for a column: small letter first, no reserved word, none twice. */
function nameOf(words: readonly string[], taken: ReadonlySet<string>, no: number): string {
  const joined = words
    .map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
    .slice(0, 36)
  const begin = /^[a-z]/.test(joined) ? joined : `field${no}`
  const free = isFreeField(begin) ? begin : `${begin}Value`
  if (!taken.has(free)) return free
  for (let more = 2; ; more += 1) if (!taken.has(`${free}${more}`)) return `${free}${more}`
}

const sentence = (words: readonly string[]): string => {
  const text = words.join(' ')
  return text ? text[0]!.toUpperCase() + text.slice(1) : ''
}

/** The name in a comment: what stands before a sign that begins an explanation. */
const nameIn = (comment: string | null): string => (comment ?? '').split(/[：:，,（(；;\s]/)[0]!.slice(0, 20)

const isPhone = (text: string): boolean => /phone|mobile|\btel\b|电话|手机/i.test(text)
const isIdentity = (text: string): boolean => /id_?card|id_?no\b|identity|身份证|证件号/i.test(text)

/** Kind and measures by the type that a database gives a column. */
function byType({ type, length }: SourceColumn): Pick<CodeField, 'kind' | 'max' | 'scale'> {
  const said = type.toLowerCase()
  const [, digits, scale] = /\((\d+)(?:\s*,\s*(\d+))?\)/.exec(said) ?? []
  if (/^(bool|bit\(1\)|tinyint\(1\))/.test(said)) return { kind: 'flag' }
  if (/^(numeric|decimal|double|real|float|money)/.test(said)) {
    if (digits && !Number(scale ?? 0) && /^(numeric|decimal)/.test(said)) return { kind: 'integer' }
    return { kind: 'decimal', scale: Number(scale ?? 2) }
  }
  if (/int|serial/.test(said) && !/interval|point/.test(said)) return { kind: 'integer' }
  if (/^date$/.test(said)) return { kind: 'date' }
  if (/^(timestamp|datetime)/.test(said)) return { kind: 'instant' }
  const most = length ?? (digits ? Number(digits) : null)
  if (/text|clob|json|xml/.test(said) || (most ?? 0) > 255) return { kind: 'area', max: Math.min(most ?? 2_000, 4_000) }
  return { kind: 'text', max: most && most > 0 ? most : 100 }
}

/** The kind of a column as a report reads it: long texts are texts, whatever else is none of a number or a day as well. */
export function kindOfColumn(column: SourceColumn): Pick<ReportSourceColumn, 'kind' | 'scale'> {
  if (/^tinyint\(1\)/i.test(column.type)) return { kind: 'integer', scale: null }
  const { kind, scale } = byType(column)
  const known = sourceKinds.find((each) => each === kind)
  return { kind: known ?? 'text', scale: known === 'decimal' ? (scale ?? 2) : null }
}

/** The fields of a table of a data source. Its own ids and what every row has are left out. */
export function fieldsOfColumns(columns: readonly SourceColumn[]): CodeField[] {
  const taken = new Set<string>()
  return columns.flatMap((column, at): CodeField[] => {
    const isId = column.primary && /int|serial|uuid/i.test(column.type)
    if (isId || ofEveryRow.test(column.name)) return []
    const words = wordsOf(column.name)
    const about = `${column.name} ${column.comment ?? ''}`
    const refersTo =
      column.refersTo ?? (words.length > 1 && words.at(-1) === 'id' ? words.slice(0, -1).join('') : undefined)
    const to = refersTo && entityOfTable(refersTo)
    const typed = byType(column)
    const isText = typed.kind === 'text' || typed.kind === 'area'
    const shown: Pick<CodeField, 'kind' | 'max' | 'scale' | 'to'> = to
      ? { kind: 'reference', to }
      : isText && (isPhone(about) || isIdentity(about))
        ? { kind: 'personal', max: Math.min(typed.max ?? 50, 50) }
        : typed
    const name = nameOf(words, taken, at + 1)
    taken.add(name)
    const isKey = column.primary === 1 && columns.filter((each) => each.primary).length === 1
    return [
      {
        name,
        zh: nameIn(column.comment),
        en: sentence(words.at(-1) === 'id' && words.length > 1 ? words.slice(0, -1) : words),
        ...shown,
        required: column.nullable ? 0 : 1,
        unique: isKey || column.single ? 1 : 0,
      },
    ]
  })
}

/** Kind and measures by what a heading says. */
function byHeading(heading: string): Pick<CodeField, 'kind' | 'max' | 'scale'> {
  const is = (pattern: RegExp): boolean => pattern.test(heading)
  if (isPhone(heading) || isIdentity(heading)) return { kind: 'personal', max: 50 }
  if (is(/^是否|\bis\b|\bflag\b/i)) return { kind: 'flag' }
  if (is(/时间$|\btime\b/i)) return { kind: 'instant' }
  if (is(/日期|年月日|生日|\bdate\b|\bday\b/i)) return { kind: 'date' }
  if (is(/金额|价格|单价|费用|成绩|分数|amount|price|score/i)) return { kind: 'decimal', scale: 2 }
  if (is(/数量|人数|座位数|年龄|次数|count|number of|seats|age$/i)) return { kind: 'integer' }
  if (is(/备注|说明|描述|意见|remark|note|description/i)) return { kind: 'area', max: 500 }
  return { kind: 'text', max: 100 }
}

/** The fields that a row of headings names. A heading in both languages gives both; ★ and * stand for what is required. */
export function fieldsOfHeadings(headings: readonly string[]): CodeField[] {
  const taken = new Set<string>()
  return headings.flatMap((cell, at): CodeField[] => {
    const heading = cell.replaceAll(/[★*＊]/g, '').trim()
    if (!heading) return []
    const zh = (/[\p{Script=Han}][\p{Script=Han}A-Za-z0-9·]*/u.exec(heading)?.[0] ?? '')
      .replace(/[A-Za-z]+$/, '')
      .slice(0, 20)
    const words = wordsOf(heading.replaceAll(/[\p{Script=Han}]/gu, ' '))
    const name = nameOf(words, taken, at + 1)
    taken.add(name)
    const typed: { kind: CodeKind; max?: number; scale?: number } = byHeading(heading)
    return [
      { name, zh, en: sentence(words).slice(0, 40), ...typed, required: cell.trim() !== heading ? 1 : 0, unique: 0 },
    ]
  })
}
