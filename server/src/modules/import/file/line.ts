import { exampleMark } from '@data-brain/contract/import/form'
import { spelledOut } from '../batch/initials.ts'
import { foldText } from './heading.ts'
import { knownHeadings } from './match.ts'
import type { NoteKind } from './table.ts'

/* What a line of a sheet is that is no row of its table. */

/** A list of those who are to come, who are in no class yet: 2026年一年级新生报名表. */
export const ofEntrants = /新生|报名|招生|录取|拟录/
/** The same in the name of a file, where 新生 by itself may be no more than what somebody called it. */
export const entrantsOfFile = /报名|招生|录取|拟录|(?:年级|20\d\d[级年]?)新生/

/** A text that names a class, a grade or a year of entry, as titles, names of sheets and lines between blocks do. */
export const namesClass = (text: string): boolean =>
  /班|年级|[\d一二三四五六七八九十]\s*级|届|^(小|中|大)(\S|班?[(（]?[\d一二三四五六七八九十]{1,2}[)）]?)?$|[小初高][一二三四五六](?=[\d.(（-]|学生|新生|名单|花名册)|grade|class/i.test(
    text.replace(/班(主任|长|费|群|委)/g, ''),
  )

/** Whether the name of a sheet may be a class though it is made of figures alone: 1.3, 3-2, 701, 四2. */
export const figuresOfClass = (text: string): boolean =>
  /^(\d{1,2}\s*[.\-—]\s*\d{1,2}|[1-9]\d{2}|1[0-2]\d{2}|[一二三四五六七八九]\s*[.\-—]?\s*\d{1,2})$/.test(text.trim())

/** A line that says values with their names: 班级：三（1）班. */
const isStatement = (text: string): boolean => /^[^:：\d]{1,12}[:：]/.test(text)
/** What a template says under its headings about how they are filled in. */
const isHint = (text: string): boolean =>
  /^[（(【]?(必填|选填|如[:：]?(?=[\d\p{Script=Han}])|例如|男[/、或]女|\d{1,2}位(?:数字|(?:手机|电话|身份证)?号码?)?[)）】]?$|(?:请|需)?填写?\p{Script=Han}|请(?:输入|选择|按|参照)|非必填|可选|可不填|必须|文本|数字|日期|下拉|格式|required|optional)/iu.test(
    text,
  )
/** The same where the name of a pupil would stand: nobody is called so. */
const isHintOfName = (text: string): boolean => isHint(text) && /必填|选填|填写|文本|格式|请|required/i.test(text)

const totals =
  /(小计|合计|总计)\s*[:：]?\s*\d*\s*人?$|^(合计|总计|小计|共计|总数|总人数|人数合计|平均|平均分|合计人数|本页小计|总和|total|sum|subtotal)([:：\d（(人名].*)?$/i
/** How many there are, in as many numbers as are told: 共60人, 男32人 女28人, 全班学生总数：60, Boys: 32 Girls: 28. */
const counted =
  '(?:[(（]|其中|截至目前|本|全|班级|班|年级|级|校|园|页|学生|同学|幼儿|教师|教职工|住宿|住校|寄宿|走读|男|女|生|实有|现有|应有|应到|实到|在籍|在校|在册|有|总|合|共|小|计|人|数|为|是|[:：=])'
const figure = '(?:\\d{1,6}|[一二三四五六七八九十百]*[十百][一二三四五六七八九十]*)'
const headCount = new RegExp(
  `^(?:.{1,12}班)?(?:${counted}+${figure}[人名位个]?(?:学生|同学|幼儿|教师|教职工|男生|女生)?[)）]?[,，、;；。/]?)+$`,
)
const counts = /[共总计]|\d[人名位个]|人数|[男女]生?[:：=]?\d+.*[男女]生?[:：=]?\d/
const headCountEn =
  /^(?:(?:grandtotal|total|boys?|girls?|males?|females?)(?:number)?(?:of)?(?:students|pupils|children|boys|girls)?[:=]?\d{1,6}(?:students|pupils|children)?[,;/]?)+$|^\d{1,6}(?:students|pupils|children)(?:intotal)?$/i
const countsEn = /total|students|pupils|children|(boy|girl|male).*(boy|girl|male)/i

/** Whether a text says how many there are, and of nobody who it is: 共青 is a name. */
const isHeadCount = (text: string): boolean =>
  (headCount.test(text) && counts.test(text)) || (headCountEn.test(text) && countsEn.test(text))

const footers =
  /^(制表|填表|制单|填报|审核|复核|校对|经办|负责|统计|登记|校长|园长|班主任|教务|单位负责|学校负责|主管|打印|盖章|公章|学校公章|学校盖章|学校（盖章|学校\(盖章|签字|签名|日期|时间|联系人|联系电话|填写|上报|报送)[^\d]{0,8}([:：]|$)|(签字|签名|盖章|公章)[)）]?\s*[:：]?\s*$/
const notes =
  /^[【[（(]?\s*(注|备注|说明|填表说明|填写说明|注意|提示|温馨提示|附|要求|单位|来源|数据来源)\s*[】\])）]?\s*[:：\d一、.]|^[※＊*]|^(注意事项|填表说明|填写说明|说明)$/
const example = /^[（(【[]?(示例|样例|范例|例[:：])/
/** 张三（示例，请删除） where the pupil is named. */
const exampleOfName = /[（(【[]\s*(?:示例|样例|范例|例子|举例|example|sample)/i

/** What is asked of a line. */
export interface Line {
  /** The texts of its columns, and those of them that stand by themselves: not filled down from a merged cell. */
  readonly cells: readonly string[]
  readonly own: readonly string[]
  /** The column of names, and of running numbers, where there are such. */
  readonly nameAt: number | undefined
  /** The names are those of classes: a class by itself is a row, and no line above a block. */
  readonly namesClasses?: boolean
  readonly serialAt: number | undefined
  readonly width: number
  /** The rows of the heading, folded. */
  readonly headings: readonly (readonly string[])[]
}

/** What a line is, or `row`. */
export function kindOf({
  cells,
  own,
  nameAt,
  namesClasses = false,
  serialAt,
  width,
  headings,
}: Line): NoteKind | 'row' {
  const filled = own.flatMap((cell, at) => (cell === '' ? [] : [{ at, text: cell }]))
  const [head] = filled
  if (!head) return 'blank'
  const text = head.text.replace(/\s+/g, '')
  if (example.test(text) || text.startsWith(exampleMark)) return 'example'
  // 例 where the running numbers stand, 示例，请删除 in the remarks.
  if ((head.at === serialAt && /^[（(]?例[)）]?$/.test(text)) || /^[（(]?(示例|样例|范例)/.test(filled.at(-1)!.text))
    return 'example'
  if (nameAt !== undefined && exampleOfName.test(cells[nameAt] ?? '')) return 'example'
  if (repeats(own, headings) || saysCodes(filled.map((each) => each.text))) return 'heading'
  const name = nameAt === undefined ? '' : (cells[nameAt] ?? '').replace(/\s+/g, '')
  const early = filled.slice(0, 3).map((each) => each.text.replace(/\s+/g, ''))
  // Nobody is called by a number: what stands there is how many they are.
  const nobody = name === '' || totals.test(name) || /[\d:：]/.test(name) || isHeadCount(name)
  if (early.some((each) => totals.test(each) || isHeadCount(each)) && (nobody || filled.length <= 2)) return 'total'
  // 共 | 60 | 人: the number in a cell of its own.
  if (filled.length <= 8 && isHeadCount(filled.map((each) => each.text.replace(/\s+/g, '')).join(''))) return 'total'
  // 填表人： and beside it who that is.
  if (/[:：]$/.test(text) && footers.test(text) && filled.length <= Math.max(4, width / 2)) return 'footer'
  const isShort = filled.length <= Math.max(3, width / 3)
  if (
    isShort &&
    footers.test(text) &&
    // 班主任 where the running numbers stand numbers nobody, whoever is named beside it.
    (nameAt === undefined || name === '' || head.at === nameAt || head.at === serialAt || footers.test(name))
  )
    return 'footer'
  if (filled.length <= 2 && notes.test(head.text)) return 'note'
  if (filled.every((each) => isStatement(each.text))) return namesClass(head.text) ? 'section' : 'note'
  const hints = filled.filter((each) => isHint(each.text)).length
  if (filled.length >= 2 && hints === filled.length) return 'note'
  // 必填 | 填男或女 | 父亲/母亲/其他: what may be chosen stands beside what must be filled in.
  if (isHintOfName(name) && hints >= 2 && hints * 2 >= filled.length) return 'note'
  // What refers to rows that nobody has filled in shows zeros.
  if (name === '0' && filled.every((each) => each.text === '0' || each.at === serialAt)) return 'blank'
  if (filled.length === 1 && width >= 3) {
    if (head.at === serialAt && /^\d{1,5}$/.test(text)) return 'blank'
    // A name by itself is a row that somebody has yet to fill in.
    if (head.at === nameAt && !/[:：。，]/.test(text) && text.length <= 6 && !namesClass(text)) return 'row'
    if (namesClasses && head.at === nameAt) return 'row'
    if (namesClass(text) && text.length <= 60 && !/[，。；]/.test(text)) return 'section'
    if (nameAt !== undefined || text.length > 12 || /[:：。；]/.test(text) || head.at < Math.min(2, width - 1))
      return 'note'
  }
  // A running number that was dragged down beside a class, or alone, and nobody beside it.
  const numbered = serialAt !== undefined && own[serialAt] !== ''
  if (numbered && filled.length <= (nameAt !== undefined && name === '' ? 2 : 1)) return 'blank'
  return 'row'
}

const code = /^[A-Za-z][A-Za-z0-9_]{0,29}$/

/** Whether a line names the fields of a register by their codes, under the headings: XH, BJ, XM; student_name, idCard. */
function saysCodes(texts: readonly string[]): boolean {
  const codes = texts.map((text) => text.trim()).filter((text) => !/^(字段|数据项)(代码|名|名称|编码)?$/.test(text))
  if (codes.length < 3 || new Set(codes).size < codes.length || !codes.every((text) => code.test(text))) return false
  const known = codes.filter((text) => {
    const folded = text.toLowerCase().replace(/_/g, '')
    return spelledOut(folded) !== folded || knownHeadings('student', [text.replace(/_/g, ' ')]) > 0
  })
  return known.length * 2 > codes.length
}

/** Whether a line says the headings once more. */
function repeats(cells: readonly string[], headings: readonly (readonly string[])[]): boolean {
  const filled = cells.flatMap((cell, at) => (cell === '' ? [] : [[at, foldText(cell)] as const]))
  if (filled.length < 2) return false
  return headings.some((row) => filled.filter(([at, text]) => row[at] === text).length >= filled.length * 0.7)
}
