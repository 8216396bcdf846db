import type { AnswerOf } from '@data-brain/contract/call'
import { searchRegions } from '@data-brain/contract/calls/region'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { foldText, syllablesOf } from '../../entity/find.ts'
import { on } from '../../entity/serve-call.ts'
import type { Call, Route } from '../../kernel/route.ts'

/** As many as one looks through; who finds more types on. */
const most = 30
/** Pinyin finds provinces, cities and counties; there are too many streets of one sound. */
const deepest = 3

type Found = AnswerOf<typeof searchRegions>
/** A region that was found: it and those above it, from the province down. */
type Way = Found[number]['path']
type Named = Way[number]

/** What Latin letters find a name by. The pinyin of a name never changes, so it is worked out once per process. */
const sounds = new Map<string, { readonly whole: string; readonly initials: string }>()
function soundOf(name: string): { readonly whole: string; readonly initials: string } {
  const known = sounds.get(name)
  if (known) return known
  const syllables = syllablesOf(name)
  const made = { whole: syllables.join(''), initials: syllables.map((part) => part[0] ?? '').join('') }
  if (sounds.size < 10_000) sounds.set(name, made)
  return made
}

/** Whether a word says this region: a part of its name, the beginning of its code, or of its pinyin or initials. */
function says(word: string, { code, name }: Named): boolean {
  if (/^\d+$/.test(word)) return code.startsWith(word)
  if (!/^[a-z]+$/.test(word)) return foldText(name).includes(word)
  const { whole, initials } = soundOf(name)
  return whole.startsWith(word) || initials.startsWith(word)
}

/** Regions that are not abolished and may be meant, with those above them. */
async function candidates(tx: Tx, words: readonly string[]): Promise<Way[]> {
  const latin = words.some((word) => /^[a-z]+$/.test(word))
  const like = words.map((word) => `${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`)
  const meant = latin
    ? sql`r.level <= ${deepest}`
    : sql`(r.code like any(${like}::text[]) or r.name like any(${like.map((each) => `%${each}`)}::text[]))`
  const rows = await tx.run<Named & { ancestors: string }>(
    sql`select r.code, r.name, r.ancestors from region r where r.valid_to is null and r.level > 0 and ${meant} order by r.level, r.code limit 5000`,
  )
  const known = new Map(rows.map((row) => [row.code, row as Named]))
  const codesOf = (row: { ancestors: string }): string[] =>
    row.ancestors.split(',').filter((code) => /^\d{6,}$/.test(code))
  const missing = [...new Set(rows.flatMap(codesOf))].filter((code) => !known.has(code))
  if (missing.length > 0)
    for (const row of await tx.run<Named>(
      sql`select r.code, r.name from region r where r.code = any(${missing}::text[])`,
    ))
      known.set(row.code, row)
  return rows.map((row) => [...codesOf(row).flatMap((code) => known.get(code) ?? []), row])
}

/**
 * Regions by what somebody types: words of which one says the region and each of the others the region or one above it
 * (“朝阳 北京”). What begins with the word comes first, then what is larger.
 */
async function search({ tx }: Call, keyword: string): Promise<Found> {
  const words = keyword
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s/,，、]+/)
    .map(foldText)
    .filter(Boolean)
    .slice(0, 4)
  if (words.length === 0) return []
  const found = (await candidates(tx, words)).filter(
    (way) =>
      words.some((word) => says(word, way.at(-1)!)) && words.every((word) => way.some((region) => says(word, region))),
  )
  const rank = (way: Way): number => {
    const name = foldText(way.at(-1)!.name)
    return words.some((word) => name.startsWith(word) || soundOf(name).initials === word) ? 0 : 1
  }
  return found
    .map((way) => ({ way, rank: rank(way) }))
    .sort(
      (a, b) => a.rank - b.rank || a.way.length - b.way.length || (a.way.at(-1)!.code < b.way.at(-1)!.code ? -1 : 1),
    )
    .slice(0, most)
    .map(({ way }) => ({ path: way.map(({ code, name }) => ({ code, name })) }))
}

export const regionSearchRoutes: readonly Route[] = [on(searchRegions, ({ keyword }, call) => search(call, keyword))]
