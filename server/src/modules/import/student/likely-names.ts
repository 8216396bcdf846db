import { memberParts } from '@data-brain/contract/import/student-form'
import type { ColumnFacts } from '../file/table.ts'
import { looksLikeName } from './name-words.ts'
import { ofStaff, relationOf } from './people.ts'

/* Columns of names beside the number of a guardian of whom the file names nobody. */

const isName = (text: string): boolean => looksLikeName(text) && relationOf(text.replace(/\s/g, '')) === undefined
const ofOthers =
  /同桌|同学|组长|室长|班长|委员|原名|曾用|别名|昵称|小名|户主|推荐|介绍|导师|结对|帮扶|包保|负责|经办|填表/

interface MatchedColumn {
  readonly heading: string
  readonly key: string | null
  readonly from?: string | undefined
}

/** By the places of columns that nothing was matched to: the guardian's name that each may be. */
export function likelyNames(
  columns: readonly MatchedColumn[],
  facts: readonly (ColumnFacts | undefined)[],
): ReadonlyMap<number, string> {
  const keys = new Set(columns.map(({ key }) => key))
  const found = new Map<number, string>()
  for (const part of memberParts) {
    const at = columns.findIndex(({ key }) => key === `${part}.mobile`)
    if (at < 0 || keys.has(`${part}.parentName`)) continue
    const beside = [at - 1, at + 1, at - 2, at + 2].find((place) => {
      const column = columns[place]
      const samples = facts[place]?.samples ?? []
      return (
        column?.key === null &&
        (column.from ?? 'file') === 'file' &&
        !found.has(place) &&
        !ofStaff(column.heading) &&
        !ofOthers.test(column.heading) &&
        samples.length > 0 &&
        samples.filter(isName).length >= samples.length * 0.8
      )
    })
    if (beside !== undefined) found.set(beside, `${part}.parentName`)
  }
  return found
}
