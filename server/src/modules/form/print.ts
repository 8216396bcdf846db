import { FileFault } from '../../kernel/file-fault.ts'
import { a4, lineHeight, Paper, type PaperFacts } from '../../kernel/pdf/paper.ts'
import { SheetDrawing } from './drawing.ts'
import { type FilledSheet, type Filling, filledSheets, type Page } from './fill.ts'
import { looksOf } from './looks.ts'
import { attributeOf, cellPattern, type Parts, relationsOf, sharedOf, textOf } from './package.ts'
import { sheetView } from './sheet-view.ts'

/* A filled form on paper: its sheets as a spreadsheet would print them, for many rows one behind the other. */

const drawn = /^(printerSettings|hyperlink|comments|vmlDrawing|threadedComment)$/

/** What of a sheet cannot be drawn; it is refused, so that no paper is without it. */
function refuseUndrawn(parts: Parts, { sheet, xml }: FilledSheet): void {
  const refuse = (zh: string, en: string): FileFault =>
    new FileFault(
      `工作表“${sheet.name}”${zh}，不能画进PDF，请下载Excel，或改用不含此内容的表样`,
      `Sheet "${sheet.name}" ${en}, which a PDF cannot show: take the .xlsx, or use a form without it`,
    )
  for (const { type, target } of relationsOf(parts, sheet.part)) {
    if (drawn.test(type)) continue
    if (type === 'drawing' && !/<xdr:(pic|graphicFrame|sp|cxnSp|grpSp)[\s>]/.test(textOf(parts, target))) continue
    if (type === 'table') continue
    throw refuse('含有图片、图形或图表', 'holds pictures, shapes or charts')
  }
  for (const [, attributes, inner = ''] of xml.matchAll(cellPattern))
    if (/<f(?=[\s/>])/.test(inner)) {
      const cell = attributeOf(attributes!, 'r')
      throw refuse(`的单元格${cell}含有公式`, `holds a formula in cell ${cell}`)
    }
}

/** A form filled with pages, as a PDF. */
export async function printForm(
  bytes: Uint8Array,
  pages: readonly Page[],
  filling: Filling,
  facts: PaperFacts,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const paper = new Paper(facts, (piece) => pieces.push(piece))
  const drawing = new SheetDrawing(paper)
  const { parts, sheets } = filledSheets(bytes, pages, filling)
  const [looks, shared] = [looksOf(parts), sharedOf(parts)]
  if (looks.length === 0)
    throw new FileFault(
      '表样缺少样式，请用Excel或WPS重新保存',
      'The form has no styles: save it again in a spreadsheet program',
    )
  const checked = new Set<string>()
  for (const each of sheets) {
    const { sheet, xml } = each
    if (sheet.isHidden) continue
    if (!checked.has(sheet.part)) refuseUndrawn(parts, each)
    checked.add(sheet.part)
    const view = sheetView(parts, { name: sheet.name, at: sheet.at, xml, looks, shared })
    if (sheet.cells.length > 0 || [...view.cells.values()].some(({ text }) => text !== '')) drawing.draw(view)
  }
  const missing = paper.missingWords(facts.language)
  if (missing) {
    paper.page(a4.width, a4.height)
    for (const [at, line] of paper.lines(missing, a4.width - 80, 10).entries())
      paper.text(line, 40, 40 + at * 10 * lineHeight, { size: 10 })
  }
  const ended = paper.ended()
  paper.end(() => '')
  await ended
  return Buffer.concat(pieces)
}
