import { rowPlace } from '@data-brain/contract/import/row-place'
import { useT } from '../../ui/words.ts'
import type { BatchView } from './calls.ts'

/** Rows of an import as they stand in the file: by their numbers, and by the names of their sheets where there are several. */
export interface RowPlaces {
  /** At the head of its line. */
  readonly short: (no: number) => string
  /** By itself in a sentence. */
  readonly full: (no: number) => string
  /** Several behind a sentence. */
  readonly told: (nos: readonly number[], more?: boolean) => string
}

export function useRowPlaces({ runs, source }: Pick<BatchView, 'runs' | 'source'>): RowPlaces {
  const t = useT()
  const on = (no: number): string | undefined => {
    const { sheet, row } = rowPlace(runs, no)
    if (sheet === null) return undefined
    const name = source?.sheets.find(({ index }) => index === sheet)?.name ?? String(sheet + 1)
    return t('import.rowOnSheet', { sheet: name, row })
  }
  const rowOf = (no: number): number => rowPlace(runs, no).row
  return {
    short: (no) => on(no) ?? String(rowOf(no)),
    full: (no) => on(no) ?? t('import.rowAt', { row: rowOf(no) }),
    told: (nos, more = false) => {
      const rest = more ? '…' : ''
      const sheets = nos.map(on)
      return sheets.every((each) => each !== undefined) && sheets.length > 0
        ? sheets.join(t('entity.separator')) + rest
        : t('import.groupAt', {
            count: more ? undefined : nos.length,
            rows: nos.map(rowOf).join(t('entity.separator')) + rest,
          })
    },
  }
}
