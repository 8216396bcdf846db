import { readFile } from 'node:fs/promises'
import { FileFault, type Mark } from './limits.ts'
import { encryptedFault, openPackage } from './package.ts'
import {
  lookOf,
  numberText,
  putCell,
  type RawBook,
  type RawRow,
  type RawSheet,
  refuseRows,
  type Span,
  sheetOf,
} from './raw-rows.ts'

/*
 * The binary formats, old .xls (and .et of WPS, which is the same within) and .xlsb, are read by a kept library, whole
 * and in memory: whoever calls bounds both.
 */

/** What is used of a cell, a sheet and a workbook of the library. */
interface Cell {
  readonly t: string
  readonly v?: unknown
  readonly w?: string
  readonly z?: string
  readonly f?: string
}
interface Range {
  readonly s: { readonly r: number; readonly c: number }
  readonly e: { readonly r: number; readonly c: number }
}
interface Page {
  readonly '!data'?: readonly (readonly (Cell | undefined)[] | undefined)[]
  readonly '!merges'?: readonly Range[]
  readonly '!rows'?: readonly ({ readonly hidden?: boolean } | undefined)[]
  readonly '!cols'?: readonly ({ readonly hidden?: boolean } | undefined)[]
  readonly '!autofilter'?: { readonly ref: string }
}

const broken = (): FileFault =>
  new FileFault(
    '文件已损坏或格式不受支持，请用 Excel 或 WPS 另存为 xlsx 后上传',
    'The file is damaged or of a kind that is not read: save it as xlsx and upload that',
  )

const spanOf = ({ s, e }: Range): Span => ({ top: s.r + 1, left: s.c, bottom: e.r + 1, right: e.c })

function shownBy(cell: Cell, from1904: boolean): { text: string; mark?: Mark } {
  switch (cell.t) {
    case 'n':
      return typeof cell.v === 'number'
        ? numberText(cell.v, cell.z ? lookOf(String(cell.z)) : undefined, from1904)
        : { text: '' }
    case 'b':
      return { text: cell.v ? 'TRUE' : 'FALSE' }
    case 'e':
      return { text: cell.w ?? '#N/A', mark: 'error' }
    case 's':
      return { text: String(cell.v ?? '') }
    default:
      return { text: '' }
  }
}

/** Reads a binary workbook. */
export async function openWithLibrary(path: string, format: 'xls' | 'xlsb'): Promise<RawBook> {
  // What it would unpack to is looked at first; the library would only find out by doing it.
  if (format === 'xlsb') (await openPackage(path)).close()
  const [xlsx, codepages] = await Promise.all([
    import('@e965/xlsx'),
    import('@e965/xlsx/dist/cpexcel.full.mjs' as string) as Promise<object>,
  ])
  xlsx.set_cptable(codepages)
  let book: ReturnType<typeof xlsx.read>
  try {
    book = xlsx.read(await readFile(path), {
      type: 'buffer',
      dense: true,
      cellFormula: true,
      cellNF: true,
      cellHTML: false,
      cellText: false,
      cellStyles: true,
      bookVBA: false,
      bookDeps: false,
      nodim: true,
      // What says nothing of its code page was written on Chinese Windows.
      codepage: 936,
    })
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) throw encryptedFault()
    throw broken()
  }
  const { Workbook } = book
  const from1904 = Workbook?.WBProps?.date1904 === true
  const sheets: RawSheet[] = book.SheetNames.map((name, at) => {
    const page = book.Sheets[name] as unknown as Page
    const rows: RawRow[] = []
    for (const [index, cells] of (page['!data'] ?? []).entries()) {
      if (!cells) continue
      const row: RawRow = { no: index + 1, cells: [], ...(page['!rows']?.[index]?.hidden ? { hidden: true } : {}) }
      for (const [column, cell] of cells.entries()) {
        if (!cell) continue
        const { text, mark } = shownBy(cell, from1904)
        const lost = cell.f !== undefined && text === '' && cell.t !== 's'
        if (text === '' && !lost) continue
        putCell(row, column, text, lost ? 'formula' : mark)
        if (cell.f !== undefined && !lost && !mark) row.formulas = (row.formulas ?? 0) + 1
      }
      if (row.cells.length > 0) rows.push(row)
      refuseRows(rows.length)
    }
    const hiddenColumns = new Set((page['!cols'] ?? []).flatMap((column, place) => (column?.hidden ? place : [])))
    const filter = page['!autofilter']?.ref
    return sheetOf(name, (Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0, rows, {
      spans: (page['!merges'] ?? []).map(spanOf),
      hiddenColumns,
      filters: filter ? [spanOf(xlsx.utils.decode_range(filter))] : [],
    })
  })
  return { format, sheets }
}
