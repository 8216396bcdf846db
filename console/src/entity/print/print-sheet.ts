import { type Entity, nameOf, owner } from '@data-brain/contract'
import { HttpProblem } from '../../http/client.ts'
import { printWords } from '../../locales/print.ts'
import { sessionStore } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { minuteOf } from '../../ui/instant.ts'
import type { Column } from '../../ui/table/row.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import type { EntityClient } from '../data/client.ts'
import { type CellWords, isNumeric } from '../display/cell.tsx'
import { fieldOf, saidBy } from '../list/cell-fields.ts'
import './print-sheet.css'

addWords(printWords)

export interface PrintWork {
  readonly entity: Entity
  readonly client: EntityClient
  readonly words: CellWords
  readonly columns: readonly Column<ShownRow>[]
  readonly heading: string
  /** What the list asks for: its filters and order. */
  readonly query: Readonly<Record<string, string | number>>
  readonly total: number
  /** The ticked rows; without any, all that the list would show. */
  readonly ticked: readonly ShownRow[]
  /** The filters in words. */
  readonly asked: readonly string[]
  /** Another sheet instead of the columns shown. */
  readonly layout?: SheetLayout | undefined
}

/** What stands on a sheet that a page lays out, of the rows that were asked for. */
export interface LaidOut {
  readonly title: string
  readonly columns: readonly SheetColumn[]
  readonly className: string
}
export type SheetLayout = (work: PrintWork, rows: readonly ShownRow[]) => Promise<LaidOut>

/** Rows on paper at most, and rows that one call answers. */
export const MOST_PRINTED = 2000
export const PAGE = 200

export interface SheetColumn {
  readonly label: string
  readonly text: (row: ShownRow, at: number) => string
  readonly numeric?: boolean
  /** Millimetres, where the column is not as wide as its content. */
  readonly wide?: number
  /** What may take two lines in a row of one. */
  readonly small?: boolean
}

async function rowsOf({ client, query, ticked }: PrintWork): Promise<readonly ShownRow[]> {
  if (ticked.length > 0) return ticked.slice(0, MOST_PRINTED)
  const rows: ShownRow[] = []
  for (let current = 1; rows.length < MOST_PRINTED; current += 1) {
    const page = await client.page({ ...query, current, size: PAGE })
    rows.push(...page.records)
    if (page.records.length < PAGE) break
  }
  return rows.slice(0, MOST_PRINTED)
}

/** The columns of the list that say something on paper. */
function shownColumns({ entity, columns, words }: PrintWork): SheetColumn[] {
  const told = columns.flatMap(({ key, label }): SheetColumn[] => {
    if (key === 'createTime') return [{ label, text: (row) => row.createTime?.slice(0, 16) ?? '' }]
    const field = fieldOf(entity, key)
    if (!field || field.kind === 'secret') return []
    return [{ label, numeric: isNumeric(field), text: (row) => saidBy(entity, row, key, words) }]
  })
  return [{ label: words.t('print.no'), numeric: true, text: (_row, at) => String(at + 1) }, ...told]
}

/** What all rows share under a name, or nothing. */
export function shared(rows: readonly ShownRow[], name: string): string {
  const values = new Set(rows.map((row) => row[name]))
  const [value] = values
  return values.size === 1 && typeof value === 'string' ? value : ''
}

const quoted = (text: string): string => JSON.stringify(text.replace(/[\n\r\\]/g, ' '))

/** The boxes at the edge of each sheet: whose it is at the top, which page it is at the foot. */
function pageRules(words: CellWords, head: string, wide: boolean): string {
  const [before, between, after] = words
    .t('print.page', { page: '#', pages: '#' })
    .split('#')
    .map((text) => quoted(text))
  const page = `${before} counter(page) ${between} counter(pages) ${after}`
  return `@page { size: A4 ${wide ? 'landscape' : 'portrait'}; margin: 14mm 12mm 16mm;
    @top-right { content: ${quoted(head)}; font-size: 9pt; color: #000 }
    @bottom-right { content: ${page}; font-size: 9pt; color: #000 } }`
}

export function makeElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text = '',
  className = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  if (text) made.textContent = text
  if (className) made.className = className
  return made
}

/** A table on paper: what it is called and says of itself, its columns and the cells of its rows. */
export interface Paper {
  readonly title: string
  readonly said: readonly string[]
  readonly columns: readonly Pick<SheetColumn, 'label' | 'numeric' | 'wide' | 'small'>[]
  readonly rows: readonly (readonly string[])[]
  readonly className?: string
}

/** The sheet as it stands in the document: a table whose head and foot are repeated on every page. */
export function tableSheet({ title, said, columns, rows, className = '' }: Paper, words: CellWords): HTMLElement {
  const { t } = words
  const sheet = makeElement('div', '', `print-sheet ${className}`.trim())
  const table = makeElement('table')
  const caption = makeElement('caption')
  caption.append(makeElement('strong', title), makeElement('span', said.join(t('print.separator'))))
  const widths = makeElement('colgroup')
  for (const { wide } of columns) {
    const column = makeElement('col')
    if (wide) column.style.width = `${wide}mm`
    widths.append(column)
  }
  const heads = makeElement('tr')
  for (const { label, numeric } of columns) {
    const head = makeElement('th', label, numeric ? 'print-num' : '')
    head.scope = 'col'
    heads.append(head)
  }
  const head = makeElement('thead')
  head.append(heads)
  const body = makeElement('tbody')
  for (const cells of rows) {
    const line = makeElement('tr')
    columns.forEach(({ numeric, small }, at) => {
      line.append(makeElement('td', cells[at], numeric ? 'print-num' : small ? 'print-small' : ''))
    })
    body.append(line)
  }
  const by = makeElement('td', printedBy(words))
  by.colSpan = columns.length
  const footRow = makeElement('tr')
  footRow.append(by)
  const foot = makeElement('tfoot')
  foot.append(footRow)
  table.append(caption, widths, head, body, foot)
  sheet.append(table)
  return sheet
}

/** How many rows are on a sheet, and of how many. */
export function countedOf({ t, language }: CellWords, rows: number, total: number | undefined, unit?: string): string {
  const number = new Intl.NumberFormat(language)
  if (total === undefined && rows >= MOST_PRINTED) return t('print.firstOnly', { count: number.format(rows), unit })
  if (rows < (total ?? 0))
    return t('print.first', { total: number.format(total ?? 0), count: number.format(rows), unit })
  return t('print.count', { count: rows, unit })
}

/** Who prints, and when: it stands at the end of what is on paper. */
export function printedBy({ t }: CellWords): string {
  const user = sessionStore.get()
  const who = user?.realName || user?.nickName || user?.account || ''
  return t('print.foot', { who, time: minuteOf(Date.now()) })
}

/** Lays a sheet over the page for the printer; it goes when the printing is over. */
export function layPaper(sheet: HTMLElement, words: CellWords, head: string, wide: boolean): void {
  const rules = new CSSStyleSheet()
  rules.replaceSync(pageRules(words, head, wide))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules]
  document.body.append(sheet)
  document.documentElement.dataset.printing = ''
  const away = () => {
    sheet.remove()
    delete document.documentElement.dataset.printing
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== rules)
  }
  addEventListener('afterprint', away, { once: true })
}

/** Gives a sheet to the printer of the browser, and takes it away again. */
export function putOnPaper(sheet: HTMLElement, words: CellWords, head: string, wide: boolean): void {
  layPaper(sheet, words, head, wide)
  window.print()
}

/** What stands at the head of a sheet of no one school. */
export const tenantName = (): string => sessionStore.get()?.tenantName || ''

/** What lay over the page is gone: as it goes it gives the focus back, and would take it from what comes next. */
async function gone(role: 'menu' | 'alertdialog'): Promise<void> {
  do await new Promise((done) => requestAnimationFrame(done))
  while (document.querySelector(`[role=${role}]`))
}

/** Whether so many rows are to be printed as paper takes; an export is offered instead. */
export async function mayPrint(
  { t, language }: CellWords,
  total: number | undefined,
  unit: string | undefined,
  onExport: (() => void) | undefined,
): Promise<boolean> {
  const number = new Intl.NumberFormat(language)
  const count = number.format(MOST_PRINTED)
  await gone('menu')
  return askConfirmation({
    title:
      total === undefined
        ? t('print.unknownMany', { count, unit })
        : t('print.tooMany', { total: number.format(total), count, unit }),
    body: t('print.tooManyText'),
    okText: t('print.firstOnes', { count, unit }),
    other: onExport && { text: t('print.export'), run: () => void gone('alertdialog').then(onExport) },
  })
}

/** Makes the sheet, gives it to the printer of the browser, and takes it away again. */
export async function printSheet(work: PrintWork, onExport?: () => void): Promise<void> {
  const { entity, words, heading, layout, ticked, total, asked } = work
  const wanted = ticked.length || total
  if (wanted > MOST_PRINTED && !(await mayPrint(words, wanted, entity.measure, onExport))) return
  try {
    const rows = await rowsOf(work)
    if (rows.length === 0) {
      toast.warning(words.t('print.empty'))
      return
    }
    const { title, columns, className } = layout
      ? await layout(work, rows)
      : { title: heading, columns: shownColumns(work), className: '' }
    const head = (owner.field in entity.fields && shared(rows, nameOf(owner.field))) || tenantName()
    const counted =
      ticked.length > 0 && rows.length === ticked.length
        ? words.t('print.ticked', { count: rows.length, unit: entity.measure })
        : countedOf(words, rows.length, wanted, entity.measure)
    const sheet = tableSheet(
      {
        title,
        said: [...(ticked.length > 0 ? [] : asked), counted],
        columns,
        rows: rows.map((row, at) => columns.map(({ text }) => text(row, at))),
        className,
      },
      words,
    )
    putOnPaper(sheet, words, head, !layout && columns.length > 8)
  } catch (problem) {
    // The call has said what went wrong.
    if (!(problem instanceof HttpProblem)) throw problem
  }
}

/** A table of its own under a title, of lines that are made already. */
export function titledTable(title: string, lines: readonly HTMLElement[]): HTMLElement {
  const table = makeElement('table')
  const caption = makeElement('caption')
  caption.append(makeElement('strong', title))
  const body = makeElement('tbody')
  body.append(...lines)
  table.append(caption, body)
  return table
}
