import type { Heading } from './people-columns.ts'

const ofEntry = /^(入学|入校|入园)年份?$/
const ofGrade = /年级|^(届别|级别|入学级|grade)/

/**
 * 入学年份 with years alone (2026, 2026级), where no column says the grade: with 班号 beside it it is what tells the class,
 * and no day of entry.
 */
export function nameCohort(ways: string[][], columns: readonly Heading[]): void {
  if (ways.some((forms) => forms.some((form) => ofGrade.test(form)))) return
  for (const [index, forms] of ways.entries()) {
    const samples = (columns[index]?.facts?.samples ?? []).map((each) => each.trim()).filter(Boolean)
    if (!ofEntry.test(forms[0]!) || samples.length === 0) continue
    if (samples.every((each) => /^20\d{2}[级年]?$/.test(each))) ways[index] = ['入学级']
  }
}
