import type { FormKind } from '@data-brain/contract/import/place'
import type { Days } from './days.ts'
import { foldText } from './heading.ts'
import type { JoinedColumn } from './join.ts'
import type { Mark } from './limits.ts'

/* An address that stands in several columns, 乡镇, 村 and 组, is put together: no field holds a part of one. */

const bare = (text: string): string => foldText(text).replace(/[（()）【】[\]/、或]/g, '')
const large =
  /^(省|省份|市|地市|城市|省市|县|区|县区|县市区|区县|市县|市县区|省市县区?|乡|镇|乡镇|镇乡|乡镇街道|镇街道|街道|镇街|街镇|村|社区|村社区|行政村|村街道|村委会?|居委会?|村居委?会?)$/
const small =
  /^(组|村组|村民组|村民小组|小组|社|队|屯|自然村|庄|路|街|街巷|路名|小区|门牌|门牌号|号|楼|楼号|栋|幢|楼栋|楼?栋号|幢号|单元|单元号|室|室号|房号|房间号|户号|详细地址|详细住址|详细|具体地址|具体位置|详址)$/
/** An estate by the name of whoever lives there begins an address too; that of a dormitory has no such word. */
const estate = /^(?:居住|家庭|所住|所在|现住)(?:的)?(?:小区|社区|村庄?)(?:名称?)?$/
/** What tells the place within a region, beside a column of the region itself: 家庭常住地, 家庭常住地详细地址. */
const careful = /(?:的)?(?:详细|具体)(?:地址|住址|位置)?$|门牌号?码?$/
/** The registered address has a field of its own for its region. */
const withoutRegion = /^(?!.*(?:户[口籍]|籍贯|出生))(?=.*(?:住|居|家庭|通[信讯]))/
/** What an address is called above its parts. */
const addressed = /地址|住址|户籍|户口|籍贯|居住|住地|所在地/
const unnamed = '现住址'
/** Signs that end a part, and stay unwritten where the heading says them: 3 below 组. */
const ends = /^[省市县乡镇村组社队号栋幢室]$/

interface Cells {
  readonly cells: string[]
  readonly marks?: Record<number, Mark>
}

interface Group {
  readonly from: number
  readonly heading: string
  readonly ends: readonly string[]
  /** A region, and beside it the place within. */
  readonly isPair?: true
}

const partOf = ({ heading, parts }: JoinedColumn): string => bare(parts.at(-1) ?? heading)
/** What stands over a part; `''` where nothing does. */
const overOf = ({ parts }: JoinedColumn): string => parts.slice(0, -1).join('')

/** Whether the second column tells within the region of the first where somebody lives. */
function isWithin(region: JoinedColumn, house: JoinedColumn | undefined): boolean {
  if (!house || overOf(region) !== '' || overOf(house) !== '') return false
  const stem = (text: string): string => text.replace(/(?:所在地|地址|住址|地|址)$/, '')
  const [first, second] = [partOf(region), partOf(house)]
  const ofHouse = second.replace(careful, '')
  return withoutRegion.test(first) && ofHouse !== second && stem(first) === stem(ofHouse)
}

function groupsOf(columns: readonly JoinedColumn[]): Group[] {
  const groups: Group[] = []
  for (let from = 0; from < columns.length; from += 1) {
    if (isWithin(columns[from]!, columns[from + 1])) {
      groups.push({ from, heading: columns[from]!.heading, ends: ['', ''], isPair: true })
      from += 1
      continue
    }
    const over = overOf(columns[from]!)
    const first = partOf(columns[from]!)
    if (!(large.test(first) || estate.test(first)) || (over !== '' && !addressed.test(over))) continue
    let to = from + 1
    while (
      to < columns.length &&
      overOf(columns[to]!) === over &&
      (large.test(partOf(columns[to]!)) || small.test(partOf(columns[to]!)))
    )
      to += 1
    if (to - from < 2) continue
    const names = columns.slice(from, to).map((column) => partOf(column).replace(/(?<=[栋幢室])号$/, ''))
    // 区县 and 乡镇 with nothing above them may be those of the school; a house is nobody's but the pupil's.
    if (over === '' && !names.some((name) => /[村组]$|社区|小区|门牌|详细/.test(name))) continue
    groups.push({
      from,
      heading: over || unnamed,
      ends: names.map((name) => (ends.test(name.slice(-1)) && !/[省市县乡镇]./.test(name) ? name.slice(-1) : '')),
    })
    from = to - 1
  }
  return groups
}

/** Puts the columns of addresses together, where a list of people has them. */
export class AddressParts {
  readonly columns: JoinedColumn[]
  readonly #days: Days
  readonly #groups: readonly Group[]

  constructor(kind: FormKind, days: Days) {
    this.#days = days
    this.#groups = ['student', 'studentparents'].includes(kind) ? groupsOf(days.columns) : []
    this.columns = days.columns.flatMap((column, at) => {
      const group = this.#groupAt(at)
      if (!group) return [column]
      return at === group.from ? [{ heading: group.heading, parts: [group.heading], at: column.at }] : []
    })
  }

  #groupAt = (at: number): Group | undefined =>
    this.#groups.find((group) => at >= group.from && at < group.from + group.ends.length)

  /** Where a column of the file stands afterwards. */
  place(at: number | undefined): number | undefined {
    const day = this.#days.place(at)
    return day === undefined ? undefined : this.#moved(day)
  }

  #moved(at: number): number {
    const start = this.#groupAt(at)?.from ?? at
    return start - this.#groups.reduce((sum, group) => sum + (group.from < start ? group.ends.length - 1 : 0), 0)
  }

  row<Row extends Cells>(given: Row): Row {
    const row = this.#days.row(given)
    if (this.#groups.length === 0) return row
    const cells = row.cells.flatMap((cell, at) => {
      const group = this.#groupAt(at)
      if (!group) return [cell]
      return at === group.from ? [whole(group, row.cells)] : []
    })
    if (!row.marks) return { ...row, cells }
    const marks: Record<number, Mark> = {}
    for (const [at, mark] of Object.entries(row.marks)) marks[this.#moved(Number(at))] ??= mark
    return { ...row, cells, marks }
  }
}

/** Whoever writes the whole address beside its region, or a house beside a house, did not write parts of one address. */
function pairOf(region: string, house: string): string {
  // 同户籍地 takes the address that it refers to.
  if (house.includes(region) || /^同(?:户[籍口]|现|家庭)/.test(house)) return house
  if (region.includes(house) || /^同[上左前](?:列|栏|面)?$/.test(house)) return region
  return /[\d号室栋幢楼]$/.test(region) ? `${region}；${house}` : region + house
}

function whole({ from, ends, isPair }: Group, cells: readonly string[]): string {
  const parts = ends.map((end, beside) => {
    const text = (cells[from + beside] ?? '').trim()
    if (/^(?:无|[/\\—-]+)$/.test(text)) return ''
    // 李家湾 below 村 is 李家湾村, and 3 below 组 is 3组; whoever wrote another sign meant it.
    const isEnded =
      /\p{Script=Han}$/u.test(text) &&
      (text.endsWith(end) || /[省市县区旗州盟乡镇道村区庄屯寨组社队号栋幢室路街巷]$/u.test(text))
    return text === '' || end === '' || isEnded ? text : text + end
  })
  return isPair ? pairOf(parts[0]!, parts[1]!) : parts.join('')
}
