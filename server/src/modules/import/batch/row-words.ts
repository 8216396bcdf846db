import type { Words } from '@data-brain/contract'
import { type RowRun, rowPlace } from '@data-brain/contract/import/row-place'

/* Rows of an import as they are told: by where they stand in the file, and by their sheet where there are several. */

function wordsOf(runs: readonly RowRun[], no: number): Words {
  const { sheet, row } = rowPlace(runs, no)
  if (sheet === null) return { zh: `第${row}行`, en: `row ${row}` }
  return { zh: `第${sheet + 1}张工作表第${row}行`, en: `row ${row} of sheet ${sheet + 1}` }
}

/** Rows by their numbers, the first `most` of them: 第2、3行; 第1张工作表第6行、第2张工作表第6行等12行. */
export function rowWords(runs: readonly RowRun[] | undefined, nos: readonly number[], most = 10): Words {
  const shown = nos.slice(0, most)
  const more = nos.length - shown.length
  const rest = more > 0 ? { zh: `等${nos.length}行`, en: ` and ${more} more` } : { zh: '', en: '' }
  const places = shown.map((no) => rowPlace(runs ?? [], no))
  if (places.every(({ sheet }) => sheet === null)) {
    const rows = places.map(({ row }) => row)
    return {
      zh: `第${rows.join('、')}行${rest.zh}`,
      en: `${nos.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${rest.en}`,
    }
  }
  const words = shown.map((no) => wordsOf(runs ?? [], no))
  return { zh: words.map(({ zh }) => zh).join('、') + rest.zh, en: words.map(({ en }) => en).join(', ') + rest.en }
}
