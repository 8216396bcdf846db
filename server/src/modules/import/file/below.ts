import { foldHeading } from '@data-brain/contract/import/form'
import type { FormKind } from '@data-brain/contract/import/place'
import { memberParts } from '@data-brain/contract/import/student-form'
import { looseField, relativesIn, roleOf, tellsWhomToCall } from '../student/people.ts'
import type { ExaminedSheet } from './choose.ts'
import type { WholeName } from './whole-name.ts'

/*
 * A pupil over two or three rows, whose guardians stand below one another: the rows become one, and what the others say
 * of guardians stands in columns of its own behind it.
 */

/** What the columns of the next guardians are called, by the field that they fill. */
const words: Readonly<Record<string, string>> = {
  parentName: '姓名',
  mobile: '电话',
  otherPhone: '备用电话',
  relation: '关系',
  relationNote: '关系说明',
  workUnit: '工作单位',
  position: '职务',
  idType: '证件类型',
  idNo: '身份证号',
  nation: '民族',
  education: '学历',
  address: '住址',
  hukouRegionCode: '户籍',
  isGuardian: '是否监护人',
  isEmergency: '是否紧急联系人',
}
const guardiansMost = memberParts.length
/** Cells beside those of guardians that two rows must have in common to be about one pupil. */
const commonLeast = 3

/** What the first rows say in a column. */
const cellsOf = (chosen: readonly ExaminedSheet[], whole: WholeName, at: number): string[] =>
  chosen.flatMap(({ outline, layout }) =>
    outline.first.flatMap(({ no, cells }) => {
      if (!layout || no <= layout.bottom) return []
      return whole.row({ cells: (layout.blocks[0] ?? []).map((place) => cells[place] ?? '') }).cells[at] || []
    }),
  )

interface Row {
  readonly cells: readonly string[]
  readonly marks?: unknown
  readonly hidden?: unknown
}

export class FooterFilter<R extends Row> {
  /** Headings of the columns for further guardians; none where every pupil has one row. */
  readonly headings: readonly string[]
  readonly #at: readonly number[]
  readonly #nameAt: number | undefined
  readonly #serialAt: number | undefined
  readonly #width: number

  constructor(kind: FormKind, whole: WholeName, chosen: readonly ExaminedSheet[]) {
    const { columns } = whole
    const all = columns.map(({ heading }) => foldHeading(heading))
    const asRelative = relativesIn(all)
    const roles = all.map((folded, at) => {
      if (tellsWhomToCall(folded, cellsOf(chosen, whole, at))) return { who: undefined, field: 'isEmergency' }
      const role = roleOf(asRelative(folded))
      const field = role?.field ?? looseField(folded)
      return field && words[field] ? { who: role?.who, field } : undefined
    })
    const [layout] = chosen.map((each) => each.layout)
    this.#width = columns.length
    this.#nameAt = whole.place(layout?.nameAt)
    this.#serialAt = whole.place(layout?.serialAt)
    this.#at = roles.flatMap((role, at) => (role ? [at] : []))
    const people = new Set(roles.flatMap((role) => role?.who ?? []))
    const fields = this.#at.map((at) => roles[at]!.field)
    const isPlain = kind === 'student' && people.size <= 1 && this.#nameAt !== undefined
    // A number alone is no list of guardians, and two columns of one field are two guardians already.
    const isList = fields.length >= 2 && new Set(fields).size === fields.length
    // Sheets of one shape, one for each class, are read alike.
    const shapeOf = (each: ExaminedSheet): string => JSON.stringify(each.layout?.columns.map(({ heading }) => heading))
    const isOneShape = chosen.every((each) => shapeOf(each) === shapeOf(chosen[0]!))
    const most = isPlain && isList && isOneShape ? Math.max(...chosen.map((each) => this.#most(each, whole))) : 0
    this.headings = Array.from({ length: most }, (_each, no) =>
      fields.map((field) => `家长${no + 2}${words[field]}`),
    ).flat()
  }

  /** How many further rows a pupil has, as far as merged cells and the first rows tell. */
  #most({ outline, layout }: ExaminedSheet, whole: WholeName): number {
    if (!layout || layout.blocks.length > 1) return 0
    const nameAt = layout.blocks[0]?.[layout.nameAt!]
    const merged = outline.spans
      .filter((span) => span.left === nameAt && span.top > layout.bottom && span.bottom > span.top)
      .map((span) => span.bottom - span.top)
    let open = 0
    let longest = 0
    let before: readonly string[] = []
    for (const { no, cells } of outline.first) {
      if (no <= layout.bottom) continue
      const mine = whole.row({ cells: layout.blocks[0]!.map((place) => cells[place] ?? '') }).cells
      open = this.#isSame(before, mine) ? open + 1 : 0
      longest = Math.max(longest, open)
      if (open === 0) before = mine
    }
    return Math.min(guardiansMost - 1, Math.max(longest, ...merged, 0))
  }

  #speaksOfGuardians = (cells: readonly string[]): boolean => this.#at.some((at) => (cells[at] ?? '') !== '')
  #others = (): number[] =>
    Array.from({ length: this.#width }, (_each, at) => at).filter(
      (at) => !this.#at.includes(at) && at !== this.#serialAt,
    )
  #isOnlyGuardians = (cells: readonly string[]): boolean => this.#others().every((at) => (cells[at] ?? '') === '')

  /** Whether a row goes on with the pupil of the one before it. */
  goesOn(before: R, row: R): boolean {
    return this.headings.length > 0 && row.hidden === before.hidden && this.#isSame(before.cells, row.cells)
  }

  #isSame(before: readonly string[], cells: readonly string[]): boolean {
    if (!this.#speaksOfGuardians(cells) || (before[this.#nameAt!] ?? '') === '') return false
    if (this.#isOnlyGuardians(cells)) return true
    const others = this.#others()
    // A class that is filled down beside the blank name says nothing of another child.
    if ((cells[this.#nameAt!] ?? '') === '')
      return others.every((at) => (cells[at] ?? '') === '' || cells[at] === before[at])
    const same = others.every((at) => (cells[at] ?? '') === '' || cells[at] === before[at])
    const common = others.filter((at) => (cells[at] ?? '') !== '' && cells[at] === before[at])
    // A row that says the same of its guardian as well is the child written twice, and somebody should look at it.
    const isOther = this.#at.some((at) => (cells[at] ?? '') !== (before[at] ?? ''))
    return same && isOther && common.includes(this.#nameAt!) && common.length >= commonLeast
  }

  /** The cells of a further guardian, for the columns that `headings` name; none where there is no room. */
  of(row: R, no: number): string[] | undefined {
    return no * this.#at.length <= this.headings.length ? this.#at.map((at) => row.cells[at] ?? '') : undefined
  }
}
