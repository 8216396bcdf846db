import { printWords } from '../../locales/print.ts'
import { addWords, language, translate } from '../../ui/words.ts'
import type { CellWords } from '../display/cell.tsx'
import { layPaper, makeElement, type Paper, printedBy, tableSheet, tenantName, titledTable } from './print-sheet.ts'

addWords(printWords)

/*
 * What the browser's own print puts on paper. It asks for it at once and waits for nothing, so the sheet is made of what
 * stands on the screen: the open record alone, or else the rows of the list. What was not loaded is said to be left out.
 */

const isSeen = (found: Element): boolean => (found as HTMLElement).checkVisibility?.() ?? true

const firstSeen = (selector: string, within: ParentNode = document): HTMLElement | undefined =>
  [...within.querySelectorAll<HTMLElement>(selector)].find(isSeen)

/** What is for the eye and the hand alone. */
const noText = '.sr-only, .tool, .dt-act, [role=separator], svg, [aria-hidden=true], input'

/** What a part of the page says, its lines apart. */
function textOf(part: Element): string {
  const copy = part.cloneNode(true) as Element
  for (const one of copy.querySelectorAll(noText)) one.remove()
  const text = (copy.textContent ?? '').replace(/[ \n]+/g, ' ').trim()
  return text === '—' ? '' : text
}

/** A table of the page, without the columns of ticks and buttons. */
function paperOf(table: HTMLTableElement): Pick<Paper, 'columns' | 'rows'> {
  const heads = [...table.querySelectorAll<HTMLElement>('thead th')]
  const lines = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')].filter(
    (line) => line.getAttribute('role') !== 'presentation' && line.cells.length === heads.length,
  )
  const told = heads.flatMap((head, at) =>
    head.classList.contains('dt-tick') || lines.some((line) => line.cells[at]?.querySelector('.dt-acts')) ? [] : [at],
  )
  const isTree = table.getAttribute('role') === 'treegrid'
  return {
    columns: told.map((at) => ({ label: textOf(heads[at]!), numeric: heads[at]!.classList.contains('dt-num') })),
    rows: lines.map((line) =>
      told.map((at, i) => {
        const indent = isTree && i === 0 ? '\u3000'.repeat(Number(line.getAttribute('aria-level') ?? 1) - 1) : ''
        return indent + textOf(line.cells[at]!)
      }),
    ),
  }
}

/** The rows that the list in front shows, under its name, its filters and its place among the pages. */
function listSheet(page: HTMLElement, table: HTMLTableElement, words: CellWords): HTMLElement {
  const { t } = words
  const { columns, rows } = paperOf(table)
  const keyword = page.querySelector<HTMLInputElement>('input[data-quick]')?.value ?? ''
  const asked = [...page.querySelectorAll<HTMLElement>('.chips [data-told]')].map((chip) => chip.dataset.told ?? '')
  const title = page.querySelector('.entity-head :is(h1, h2)')?.textContent ?? document.title
  const total = page.querySelector('.entity-count')?.textContent?.trim() ?? ''
  const said = [
    ...(keyword ? [`“${keyword}”`] : []),
    ...asked,
    ...(total ? [total] : []),
    t('print.screen', { count: rows.length }),
  ]
  return tableSheet({ title, said, columns, rows }, words)
}

const line = (...cells: readonly HTMLElement[]): HTMLElement => {
  const row = makeElement('tr')
  row.append(...cells)
  return row
}

/** The open record: its fields group by group, and of what belongs to it what has been loaded. */
function recordSheet(record: HTMLElement, words: CellWords): HTMLElement {
  const sheet = makeElement('div', '', 'print-sheet print-record')
  const title = firstSeen('.detail-title')
  // The name alone: the state stands among the fields.
  const name = [...(title?.childNodes ?? [])].find((node) => node.nodeType === Node.TEXT_NODE)?.textContent
  sheet.append(makeElement('h1', name ?? document.title))
  const factsOf = (list: Element) =>
    [...list.querySelectorAll('dt')].flatMap((label) => {
      const text = textOf(label.nextElementSibling ?? label)
      if (text === '') return []
      const head = makeElement('th', textOf(label))
      head.scope = 'row'
      return [line(head, makeElement('td', text))]
    })
  for (const part of record.querySelectorAll('dl.detail-list, .related')) {
    const heading = part.matches('.related')
      ? textOf(part.querySelector('h3 > span') ?? part)
      : textOf(part.parentElement?.querySelector(':scope > h3') ?? makeElement('span'))
    if (part.matches('dl')) {
      const facts = factsOf(part)
      if (facts.length > 0) sheet.append(titledTable(heading, facts))
      continue
    }
    const rows = [...part.querySelectorAll('li')].map((one) => {
      const said = [...(one.querySelector('.related-row')?.childNodes ?? [])].map((node) =>
        node instanceof Element ? textOf(node) : (node.textContent ?? ''),
      )
      return line(makeElement('td', said.filter(Boolean).join('  ')))
    })
    const isWaiting = part.querySelector('.related-wait, .related-failed') !== null
    if (isWaiting) sheet.append(titledTable(heading, [line(makeElement('td', words.t('print.notLoaded')))]))
    else if (rows.length > 0) sheet.append(titledTable(heading, rows))
  }
  sheet.append(makeElement('p', printedBy(words)))
  return sheet
}

/** The sheet of what stands on the screen; nothing where no list and no record does: the page is printed as it is. */
function layScreen(): void {
  // The product's own print has laid its sheet already.
  if ('printing' in document.documentElement.dataset) return
  const words: CellWords = { t: translate, language: language(), dictionaries: {}, regions: {} }
  const record = firstSeen('.detail-body')
  if (record) {
    layPaper(recordSheet(record, words), words, tenantName(), false)
    return
  }
  const page = firstSeen('.page.entity')
  const table = page && firstSeen('.dt table, table[role=treegrid]', page)
  if (!page || !table) return
  const sheet = listSheet(page, table as HTMLTableElement, words)
  layPaper(sheet, words, tenantName(), table.querySelectorAll('thead th').length > 9)
}

addEventListener('beforeprint', layScreen)
