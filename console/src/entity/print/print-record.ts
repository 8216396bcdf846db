import { codeOf, type Entity, nameOf, owner, relatedOf } from '@data-brain/contract'
import { HttpProblem } from '../../http/client.ts'
import { sessionStore } from '../../session/session.ts'
import type { ShownRow } from '../data/calls.ts'
import type { EntityClient } from '../data/client.ts'
import type { CellWords } from '../display/cell.tsx'
import { saidBy } from '../list/cell-fields.ts'
import { titleOf } from '../list/columns.tsx'
import { makeElement, printedBy, putOnPaper, titledTable } from './print-sheet.ts'
import '../value/words.ts'

export interface PrintedRecord {
  readonly entity: Entity
  readonly client: EntityClient
  readonly words: CellWords
  readonly id: string
  /** Whether the reader holds a code. */
  readonly can: (code: string) => boolean
}

/** Rows of each part on paper at most, and facts of each. */
const MOST = 50
const FACTS = 6

/** What a record says under these names: a line each, of those that say something. */
function factsOf({ entity, words }: PrintedRecord, row: ShownRow, names: readonly string[]): HTMLElement[] {
  return names.flatMap((name) => {
    const text = saidBy(entity, row, name, words)
    if (text === '') return []
    const line = makeElement('tr')
    const label = makeElement('th', entity.fields[name]!.label[words.language])
    label.scope = 'row'
    line.append(label, makeElement('td', text))
    return [line]
  })
}

const section = (title: string, lines: readonly HTMLElement[]): HTMLElement[] =>
  lines.length > 0 ? [titledTable(title, lines)] : []

/** The columns of a list that need no words which are not here. */
const toldBy = (of: Entity, by: string, { dictionaries }: CellWords): string[] =>
  of.list
    .filter((name) => {
      const field = of.fields[name]
      // The school is that of the record.
      return (
        field &&
        name !== by &&
        name !== owner.field &&
        field.kind !== 'secret' &&
        (!field.dict || Array.isArray(dictionaries[field.dict]))
      )
    })
    .slice(0, FACTS)

/** The rows that belong to a record, each kind for those who may view it. */
async function partsOf(work: PrintedRecord): Promise<HTMLElement[]> {
  const { entity, client, words, id, can } = work
  const { language } = words
  const parts = relatedOf(entity).filter(({ of }) => can(codeOf(of, 'view')))
  const tables = await Promise.all(
    parts.map(async ({ of, by }) => {
      const names = toldBy(of, by, words)
      const { records } = await client.others(of, { [by]: id, size: MOST, current: 1 })
      if (records.length === 0 || names.length === 0) return []
      const heads = makeElement('tr')
      for (const name of names) heads.append(makeElement('th', of.fields[name]!.label[language]))
      const lines = records.map((row) => {
        const line = makeElement('tr')
        for (const name of names) line.append(makeElement('td', saidBy(of, row, name, words)))
        return line
      })
      return section(of.label[language], [heads, ...lines])
    }),
  )
  return tables.flat()
}

/** Makes a sheet of one record: what it says, group by group, and what belongs to it. */
export async function printRecordSheet(work: PrintedRecord): Promise<void> {
  const { entity, client, words, id } = work
  try {
    const [row, parts] = await Promise.all([client.whole(id), partsOf(work)])
    const claimed = new Set(entity.groups?.flatMap((group) => group.fields))
    const loose = Object.keys(entity.fields).filter((name) => !claimed.has(name) && !entity.fields[name]!.computed)
    const sheet = makeElement('div', '', 'print-sheet print-record')
    sheet.append(
      makeElement('h1', titleOf(entity, row, words)),
      ...section(entity.label[words.language], factsOf(work, row, loose)),
      ...(entity.groups ?? []).flatMap((group) =>
        section(group.label[words.language], factsOf(work, row, group.fields)),
      ),
      ...parts,
      makeElement('p', printedBy(words)),
    )
    const head = String(row[nameOf(owner.field)] ?? '') || sessionStore.get()?.tenantName || ''
    putOnPaper(sheet, words, head, false)
  } catch (problem) {
    // The call has said what went wrong.
    if (!(problem instanceof HttpProblem)) throw problem
  }
}
