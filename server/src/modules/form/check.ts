import { codeOf, type Entity, entityOf, fixedform, type Words } from '@data-brain/contract'
import { fillCode } from '@data-brain/contract/fixed-form'
import { type Actor, type Circumstance, holdsCode } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { mayRead } from '../desk/index.ts'
import { wholeFile } from '../resource/index.ts'
import { type Figure, figureOf, type knownFigure } from './figures.ts'
import type { Mark } from './marks.ts'
import { listOfEach, type MarkMeaning, namedBy, nearest } from './names.ts'
import { formLimits } from './package.ts'
import { type FormFacts, readForm } from './thread.ts'

/** A form, taken apart, with what its marks stand for. */
export interface KnownForm {
  readonly entity: Entity
  readonly bytes: Buffer
  readonly facts: FormFacts
  /** What each mark stands for, by what is written. */
  readonly named: ReadonlyMap<string, { readonly mark: Mark; readonly named: MarkMeaning }>
  /** Rows of a list that one copy of the form holds; none where it is filled with one row. */
  readonly places: number
  /** Whether copies of its one marked sheet can stand in one workbook. */
  readonly copies: boolean
}

/** Findings that are told at once. */
const toldMost = 20

/** Whose form it is, and what looks up the figures of reports that its marks name. */
interface FormReader {
  readonly tenantId: string
  readonly language: Circumstance['language']
  readonly figure: (entity: Entity, figure: Figure) => ReturnType<typeof knownFigure>
}

/** Takes the form apart and looks up its marks; refuses it in words that name sheet and cell. */
export async function knownForm(
  services: Services,
  { tenantId, language, figure: looked }: FormReader,
  { subject, attachId }: { subject: string; attachId: string },
): Promise<KnownForm> {
  const { label } = fixedform.fields.attachId
  const refuse = (reasons: readonly Words[]): Problem =>
    fieldProblem(
      reasons.map((reason) => ({ field: 'attachId', label, reason })),
      language,
    )
  const bytes = await wholeFile(services, tenantId, attachId, formLimits.bytes)
  if (!bytes)
    throw refuse([{ zh: '超过10MB，请缩小图片后保存', en: 'is larger than 10 MB: make its pictures smaller' }])
  const facts = await readForm(bytes)
  const entity = entityOf(subject)
  const faults: Words[] = []
  const named = new Map<string, { mark: Mark; named: MarkMeaning }>()
  for (const { name: sheet, cells } of facts.sheets)
    for (const { cell, marks } of cells) {
      const lists = new Set<string>()
      for (const mark of marks) {
        const figure = figureOf(mark.name)
        const known = figure && (named.get(mark.text)?.named ?? (await looked(entity, figure)))
        if (known && 'fault' in known) {
          faults.push({
            zh: `工作表“${sheet}”的单元格${cell}：${known.fault.zh}`,
            en: `sheet "${sheet}", cell ${cell}: ${known.fault.en}`,
          })
          continue
        }
        const found = known ? ('id' in known ? { figure: known } : known) : namedBy(entity, mark)
        if (found) {
          named.set(mark.text, { mark, named: found })
          const each = listOfEach(found)
          if (mark.list) lists.add('')
          if (each !== undefined) lists.add(each)
          continue
        }
        const near = nearest(entity, mark)
        faults.push({
          zh: `工作表“${sheet}”的单元格${cell}：没有名为“${mark.name}”的字段${near ? `，是否为“${near}”` : ''}`,
          en: `sheet "${sheet}", cell ${cell}: there is no field "${mark.name}"${near ? `; is it "${near}"?` : ''}`,
        })
      }
      if (lists.size > 1)
        faults.push({
          zh: `工作表“${sheet}”的单元格${cell}：一个单元格只能属于一个清单；清单中每行的附属记录请写明第几条，例如“{{[].家长1.姓名}}”`,
          en: `sheet "${sheet}", cell ${cell}: it can be of one list only; in a list, say which of the rows that belong to each, as in {{[].Parent1.Name}}`,
        })
    }
  for (const { name: sheet, loose, outside } of facts.sheets) {
    for (const cell of loose)
      faults.push({
        zh: `工作表“${sheet}”的单元格${cell}：双花括号没有成对、中间没有名称，或写在了公式里，应为“{{姓名}}”的形式`,
        en: `sheet "${sheet}", cell ${cell}: braces are not closed, hold no name or stand in a formula; a mark is {{Name}}`,
      })
    if (outside)
      faults.push({
        zh: `工作表“${sheet}”的页眉、页脚或文本框里有标记，只能填入单元格，请移到单元格里`,
        en: `sheet "${sheet}" has marks in a header, footer or text box: move them into cells, only these are filled`,
      })
  }
  const marked = facts.sheets.filter(({ cells }) => cells.length > 0)
  const isOfList = (mark: Mark): boolean => {
    const found = named.get(mark.text)
    return mark.list || (found !== undefined && listOfEach(found.named) !== undefined)
  }
  const listed = [...named.values()]
  if (listed.some(({ mark }) => mark.list) && listed.some(({ named: each }) => listOfEach(each) !== undefined))
    faults.push({
      zh: '一张表样不能既列出多条记录，又逐行列出一条记录的附属记录，请分成两张表样',
      en: 'cannot both list rows and list what belongs to one row: make two forms of it',
    })
  const lists = marked.filter(({ cells }) => cells.some(({ marks }) => marks.some(isOfList)))
  if (marked.length === 0)
    faults.push({
      zh: '没有找到标记，请在单元格里写上例如“{{姓名}}”的标记',
      en: 'holds no marks: write some into its cells, such as {{Name}}',
    })
  if (lists.length > 1)
    faults.push({
      zh: `只能有一张工作表含有清单标记，现有${lists.map(({ name }) => `“${name}”`).join('、')}`,
      en: `may hold list marks on one sheet only; it has them on ${lists.map(({ name }) => `"${name}"`).join(', ')}`,
    })
  for (const { name, copies } of lists)
    if (!copies)
      faults.push({
        zh: `工作表“${name}”含有图表、批注或表格对象，不能用作清单，请删除后保存`,
        en: `sheet "${name}" holds charts, comments or tables and cannot be a list: take them out and save it`,
      })
  if (faults.length > 0) throw refuse(faults.slice(0, toldMost))
  return {
    ...{ entity, bytes, facts, named },
    places: lists[0]?.places ?? 0,
    copies: marked.length === 1 && marked[0]!.copies,
  }
}

/** Refuses whoever may not look at the fields that the marks stand for; rows that belong to a row are a list taken out. */
export function mustSeeAll(actor: Actor, { named }: KnownForm): void {
  for (const { named: each } of named.values())
    if ('field' in each) {
      const taken = each.belonging && codeOf(each.belonging.of, 'export')
      const seen = each.belonging && codeOf(each.belonging.of, 'view')
      const isFiller = seen && holdsCode(actor, fillCode) && holdsCode(actor, seen)
      if (taken && !isFiller && !holdsCode(actor, taken)) throw new Problem('forbidden', { code: taken })
      for (const entity of each.field.along) {
        const code = codeOf(entity, 'view')
        if (!mayRead(actor, code, `/${entity.path}/list`)) throw new Problem('forbidden', { code })
      }
    }
}
