import type { ReportResult } from '@data-brain/contract/report'
import type { CellWords } from '../../entity/display/index.ts'
import { headText, valueText } from './cells.ts'

/** Columns that an upright sheet of A4 holds. */
const UPRIGHT = 8

/** Puts a result on paper: heads on every sheet, whose it is, how many rows, who printed it and when. */
export async function printResult(title: string, result: ReportResult, words: CellWords): Promise<void> {
  const { putOnPaper, tableSheet, tenantName } = await import('../../entity/print/index.ts')
  const { t, language } = words
  const { heads, rows, content, total, cut, hidden } = result
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB'
  const number = (count: number): string => count.toLocaleString(locale)
  const said = [
    cut
      ? t('report.cut', { total: number(total), count: number(rows.length) })
      : t('report.total', { count: number(total) }),
    ...(hidden > 0 ? [t('report.hidden', { count: hidden, below: content.hideBelow })] : []),
    ...(result.asOf ? [t('report.asOfDay', { day: result.asOf })] : []),
    t('report.at', { time: result.at.slice(0, 16) }),
  ]
  const sheet = tableSheet(
    {
      title,
      said,
      columns: heads.map((head) => ({ label: headText(head, content.measures.length), numeric: head.numeric })),
      rows: rows.map(({ cells }) => cells.map((value) => valueText(value, number))),
      className: 'print-report',
    },
    words,
  )
  putOnPaper(sheet, words, tenantName(), heads.length > UPRIGHT)
}
