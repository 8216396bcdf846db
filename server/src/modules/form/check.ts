import { codeOf, type Entity, entityOf, fixedform, type Words } from '@data-brain/contract'
import { type Actor, type Circumstance, holdsCode } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'
import { mayRead } from '../desk/index.ts'
import { wholeFile } from '../resource/index.ts'
import type { Mark } from './marks.ts'
import { type Named, namedBy, nearest } from './names.ts'
import { formLimits } from './package.ts'
import { type FormFacts, readForm } from './thread.ts'

/** A form, taken apart, with what its marks stand for. */
export interface KnownForm {
  readonly entity: Entity
  readonly bytes: Buffer
  readonly facts: FormFacts
  /** What each mark stands for, by what is written. */
  readonly named: ReadonlyMap<string, { readonly mark: Mark; readonly named: Named }>
  /** Rows of a list that one copy of the form holds; none where it is filled with one row. */
  readonly places: number
  /** Whether copies of its one marked sheet can stand in one workbook. */
  readonly copies: boolean
}

/** Findings that are told at once. */
const toldMost = 20

/** Takes the form apart and looks up its marks; refuses it in words that name sheet and cell. */
export async function knownForm(
  services: Services,
  { tenantId, language }: { tenantId: string; language: Circumstance['language'] },
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
  const named = new Map<string, { mark: Mark; named: Named }>()
  for (const { name: sheet, cells } of facts.sheets)
    for (const { cell, marks } of cells)
      for (const mark of marks) {
        const found = namedBy(entity, mark)
        if (found) {
          named.set(mark.text, { mark, named: found })
          continue
        }
        const near = nearest(entity, mark)
        faults.push({
          zh: `工作表“${sheet}”的单元格${cell}：没有名为“${mark.name}”的字段${near ? `，是否为“${near}”` : ''}`,
          en: `sheet "${sheet}", cell ${cell}: there is no field "${mark.name}"${near ? `; is it "${near}"?` : ''}`,
        })
      }
  const marked = facts.sheets.filter(({ cells }) => cells.length > 0)
  const lists = marked.filter(({ cells }) => cells.some(({ marks }) => marks.some(({ list }) => list)))
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
      if (taken && !holdsCode(actor, taken)) throw new Problem('forbidden', { code: taken })
      for (const entity of each.field.along) {
        const code = codeOf(entity, 'view')
        if (!mayRead(actor, code, `/${entity.path}/list`)) throw new Problem('forbidden', { code })
      }
    }
}
