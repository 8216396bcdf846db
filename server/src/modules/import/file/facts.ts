import { readDay } from '@data-brain/contract/rules/day'
import { DayVotes } from './day-order.ts'
import type { ColumnFacts } from './table.ts'

/** Gathers what the cells of a column look like, row by row. */
export class FactsOf {
  private filled = 0
  private idNos = 0
  private mobiles = 0
  private days = 0
  private numbers = 0
  private names = 0
  private readonly samples = new Set<string>()
  private readonly votes = new DayVotes()

  add(text: string): void {
    if (text === '') return
    this.filled += 1
    if (this.samples.size < 8) this.samples.add(text.slice(0, 100))
    const { length } = text
    const sign = text.charCodeAt(0)
    if (sign > 255) {
      if (length <= 8 && /^[\u4e00-\u9fff][\u4e00-\u9fff· ]{1,7}$/.test(text)) this.names += 1
      // 二〇一五年, and digits of full width
      else if (length <= 24 && /[年０-９]/.test(text)) this.addDay(text)
      return
    }
    if (length > 30) return
    if (length === 10 && /^\d{4}-\d\d-\d\d$/.test(text)) this.days += 1
    else if (length === 18 && /^\d{17}[\dXx]$/.test(text)) this.idNos += 1
    else if (length === 11 && /^1[3-9]\d{9}$/.test(text)) this.mobiles += 1
    else if (/^-?\d+(\.\d+)?%?$/.test(text)) {
      this.numbers += 1
      if (length === 8 || length === 6) this.addDay(text)
    } else if (/\d/.test(text)) this.addDay(text)
  }

  private addDay(text: string): void {
    if (this.votes.add(text)) this.days += 1
    else if ('day' in readDay(text, { month: true, time: true })) this.days += 1
  }

  facts(): ColumnFacts {
    const { filled, idNos, mobiles, days, numbers, names } = this
    const order = this.votes.question()
    return { filled, idNos, mobiles, days, numbers, names, samples: [...this.samples], ...(order ? { order } : {}) }
  }
}
