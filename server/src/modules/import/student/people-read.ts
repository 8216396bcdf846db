import { relatives } from './family-words.ts'
import { isLikelyName, looksLikeName } from './name-words.ts'
import { relationOf } from './people.ts'

/*
 * Who and which numbers stand in one cell.
 */

/** Somebody whom a cell names. */
export interface NamedPerson {
  name?: string
  /** A word for a relative. */
  word?: string
  readonly phones: string[]
  /** Where somebody works, or as what, where the cell says that behind the name. */
  workUnit?: string
  position?: string
  /** What the cell says besides: 已停机, 晚上打, 离异. */
  note?: string
  /** Whether it says that the person has died. */
  isGone?: true
}

/** What is no name but where somebody works, or as what: 张三，13800000001，供电公司. */
export const workplace =
  /^.{1,18}(公司|厂|学校|小学|中学|大学|学院|幼儿园|医院|卫生院|银行|集团|超市|商店|酒店|饭店|餐馆|工地|事务所|研究所|研究院|派出所|村委会|居委会|政府|法院|检察院|部队|合作社|.{2,}局)$/
/** A name of three signs may end in 局 as well (王建局); these are bureaus. */
const bureau =
  /^(供电|电力|公安|水利|水务|教育|财政|林业|税务|国税|地税|邮政|粮食|民政|交通|公路|铁路|卫生|卫健|国土|烟草|司法|房管|文化|文旅|安监|环保|农业|气象|统计|审计|工商|质监|药监|城管|规划|住建|人社|体育|档案|海事|物价|电信|商务|畜牧|市监)局$/
const occupation =
  /^(个体|个体户|个体经营|自由职业|自由职业者|务农|务工|打工|外出务工|农民|工人|教师|老师|医生|护士|职员|无业|待业|退休|经商|司机|公务员|军人|警察|会计|律师|工程师|全职妈妈|家庭主妇|家务)$/

export const phonePattern = String.raw`(?:\+?86[- ]?)?1[3-9]\d(?:[- ]?\d){8}(?!\d)|0\d{2,3}[- ]?\d{7,8}(?:-\d{1,6})?(?!\d)|(?<![\d-])[2-9]\d{6,7}(?!\d)`
/** What stands for something in brackets that is told apart: the n-th is U+FDD0 + n, which no text holds. */
const asideFrom = 0xfdd0
const asidesMost = 32
const token = new RegExp(
  String.raw`(${phonePattern})|(\p{Script=Han}[\p{Script=Han}·]*)|(\p{L}(?:[\p{L}.'’‘ʼ ]|(?<=\p{L})-(?=\p{L}))*\p{L}|\p{L})|([\uFDD0-\uFDEF])|([^\p{L}\p{N}\uFDD0-\uFDEF]+)|(.)`,
  'gu',
)
/** A word for a relative that stands before a name without a sign between: 父张三, 妈妈李四, 舅舅王五. */
export const kinshipPrefix = new RegExp(`^(?!爸爸.$|妈妈.$)(${relatives})(\\p{Script=Han}{2,3})$`, 'u')
const departed = '已故|去世|已去世|过世|已过世|病故|已病故|病逝|死亡'
const away = '离异|离婚|单亲|失联|下落不明|改嫁|再婚|分居|服刑|服刑中|离家出走|出走|不在身边'
const hasDied = new RegExp(`^(?:[\\d年月.]*|父亲?|母亲?)(?:${departed})`)
/** What a cell of a name says of a parent who is not there; it names nobody. */
const absent = new RegExp(`^(?:父亲?|母亲?)?(?:${departed}|${away})$`)
export const isNobody = (text: string): boolean => absent.test(text.normalize('NFKC').trim())
/**
 * What is said of a number, or of how somebody is, and might be taken for a name. Whatever else is neither a name, a relation
 * nor a number is a remark without standing here.
 */
const remark =
  /停机|空号|换号|停用|欠费|打不通|关机|微信|短信|晚上|早上|中午|上午|下午|^白天(?:打|联系|接听)?$|^周末|节假日|工作日|常用|不用|备用|新号|旧号|老号|打工|务工|出差|外地|在外|国外|境外|代接|代管|同号|单位|办公|工作|家里|家庭|家用|座机|固话|宅电|紧急|首选|优先|请打|勿打|接听|联系|有事|无人|长途|残疾|住院|病重|生病|死亡/
/** What says nothing that the heading has not said. */
const dropped =
  /^(电话|手机|手机号|手机号码|联系电话|联系方式|号码|姓名|监护人|家长|的|是|无|暂无|没有|微信|微信号|微信同号|同号|本人|tel|mobile|phone|name)$/i

const saysAside = (word: string): boolean => absent.test(word) || (remark.test(word) && !dropped.test(word))

/** Whether a word in brackets names somebody, or says what the reader of people knows: 张三（父亲）, 13800000001（李红）. */
const isOfPerson = (word: string, isPlace: IsPlace): boolean =>
  dropped.test(word) ||
  relationOf(word) !== undefined ||
  workplace.test(word) ||
  bureau.test(word) ||
  occupation.test(word) ||
  /^\p{Script=Latin}/u.test(word) ||
  (!saysAside(word) && (kinshipPrefix.test(word) || (looksLikeName(word) && [...word].length < 4 && !isPlace(word))))

/** Whether a word is the name of a province or a city, which may look like that of a person: 江苏, 温州. */
export type IsPlace = (word: string) => boolean
const nowhere: IsPlace = () => false

/** A cell without what stands in brackets and names nobody, which is told apart. */
function withoutAsides(text: string, isPlace: IsPlace): { readonly plain: string; readonly asides: readonly string[] } {
  const asides: string[] = []
  const plain = text.replace(/[([【]([^()[\]【】]{1,40})[)\]】]/g, (whole, inner: string) => {
    const words = inner.split(/[\s、,;:/|]+/).filter(Boolean)
    const isFull = asides.length === asidesMost
    const isKept =
      words.length === 0 || isFull || anyPhone.test(inner) || words.every((word) => isOfPerson(word, isPlace))
    if (isKept) return whole
    const related = words.filter((word) => relationOf(word) !== undefined)
    const aside = String.fromCharCode(asideFrom + asides.push(inner.trim()) - 1)
    // 父，在深圳 says who it is, and something besides.
    return related.length === 1 ? `(${related[0]!})${aside}` : aside
  })
  return { plain: withoutFigures(plain, asides), asides }
}
const anyPhone = new RegExp(phonePattern)

/** A text beside a number with words that hold figures told apart: 13800000001 拨前加0, 晚7点后打13800000001. */
function withoutFigures(text: string, asides: string[]): string {
  if (!anyPhone.test(text) || /\d{5,}/.test(text.replace(new RegExp(phonePattern, 'g'), ' '))) return text
  return text
    .split(new RegExp(`(${phonePattern})`))
    .map((piece, at) =>
      at % 2 === 1
        ? piece
        : piece.replace(
            /\d{0,4}\p{Script=Han}+\d{1,4}[\p{Script=Han}\d]*|\d{1,4}\p{Script=Han}[\p{Script=Han}\d]*/gu,
            (word) => (asides.length === asidesMost ? word : String.fromCharCode(asideFrom + asides.push(word) - 1)),
          ),
    )
    .join('')
}

/**
 * Who and which numbers stand in a cell: 张三（父亲）13800000001, 父：张三 母：李四, 13800000001/13900000002. Undefined
 * where something stands there that is none of these, so that it is judged as it is.
 */
export function readPeople(text: string, isPlace: IsPlace = nowhere): NamedPerson[] | undefined {
  const people: NamedPerson[] = []
  let before = ''
  const last = (): NamedPerson | undefined => people.at(-1)
  const fresh = (): NamedPerson => {
    const one: NamedPerson = { phones: [] }
    people.push(one)
    return one
  }
  let isBehind = false
  /** Whose relation stands behind the number: 13800000001（父亲） says nothing of the number that follows. */
  let closed: NamedPerson | undefined
  const relate = (word: string): void => {
    const one = last()
    // 张三（父亲）, 13800000001（爸爸）: behind the person, in brackets; elsewhere it begins one.
    if (one && !one.word && (isBehind || /[(]$/.test(before)) && (one.name || one.phones.length > 0)) {
      one.word = word
      if (one.phones.length > 0) closed = one
    } else fresh().word = word
  }
  /** `isAhead`: whether the number that follows is that person's, and not the one before: 138…/李红139…. */
  const name = (word: string, isAhead = false): void => {
    const one = last()
    const isOpen = one && !one.name && (one.word || one.note || one.phones.length > 0)
    if (isOpen && !(one.phones.length > 0 && (one.word || isAhead))) one.name = word
    else fresh().name = word
  }
  /**
   * Behind a name, or a number, a word is a name where it looks like one, and else a remark: 王强 跑船, 138… 常年跑船. What a cell
   * begins with is a name, however rare.
   */
  const isRemark = (word: string, isHan: boolean): boolean => {
    if (!isHan) return word.length === 1 || (word.length < 4 && !/[aeiouy]/i.test(word))
    const one = last()
    if (one?.word && !one.name && one.phones.length === 0) return false
    return people.some((each) => each.name ?? each.phones[0]) && !(isLikelyName(word) && !isPlace(word))
  }
  const remarkOn = (words: string): void => {
    if (words === '') return
    const one = last() ?? fresh()
    one.note = one.note ? `${one.note}、${words}` : words
    if (hasDied.test(words)) one.isGone = true
  }
  const { plain: unbracketed, asides } = withoutAsides(
    text.normalize('NFKC').replace(/\((0\d{2,3})\)\s*-?\s*(?=\d)/g, '$1-'),
    isPlace,
  )
  const plain = unbracketed.replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han}(?:\s|[(:]|$))/gu, '\u0020').trim()
  const squeezed = /^\p{Script=Han}\s+\p{Script=Han}$/u.test(plain) ? plain.replace(/\s/g, '') : plain
  isBehind = saysNameFirst(squeezed)
  let isParted = false
  const tokens = [...squeezed.matchAll(token)]
  for (const [at, [, number, han, latin, aside, sign, other]] of tokens.entries()) {
    if (other) return undefined
    if (sign !== undefined) {
      before = sign.replace(/\s/g, '')
      isParted = /[\s/、,;|]$/.test(sign)
      continue
    }
    if (aside !== undefined) remarkOn(asides[aside.charCodeAt(0) - asideFrom] ?? '')
    else if (number) {
      const one = last()
      ;(one && one.phones.length < 2 && one !== closed ? one : fresh()).phones.push(number.replace(/\s/g, ''))
    } else {
      const word = (han ?? latin ?? '').trim()
      const [first = '', ...rest] = word.split('-')
      // Kim Ji-hoon is one name; Mother-Lily is a word for a relative and a name.
      const both =
        kinshipPrefix.exec(word) ?? (rest.length > 0 && relationOf(first) ? [word, first, rest.join('-')] : null)
      const one = last()
      if (relationOf(word)) relate(word)
      else if (one && (workplace.test(word) || bureau.test(word))) one.workUnit ??= word
      else if (one && occupation.test(word)) one.position ??= word
      else if (both) {
        const rest = both[2]!
        fresh().word = both[1]!
        if (saysAside(rest)) remarkOn(rest)
        else if (!dropped.test(rest)) name(rest)
      } else if (saysAside(word) || (!dropped.test(word) && isRemark(word, han !== undefined))) remarkOn(word)
      else if (!dropped.test(word)) {
        if ([...word].length > 20 || (han && [...word].length < 2)) return undefined
        name(word, isParted && tokens[at + 1]?.[1] !== undefined)
      }
    }
    before = ''
    isParted = false
  }
  return withoutLoose(people)
}

/**
 * A relation that stands alone behind numbers is that of whoever has them, 138… 爷爷, or of each, 138… 139… 爷爷 奶奶; a label
 * with nothing behind it, 父138… 母, says nothing; and a remark is about whoever stands beside it.
 */
function withoutLoose(people: NamedPerson[]): NamedPerson[] {
  const isLone = ({ name, phones, word }: NamedPerson): boolean =>
    name === undefined && phones.length === 0 && word !== undefined
  const [first, ...others] = people
  if (first && !first.name && !first.word && others.length > 0 && others.every(isLone)) {
    const { phones } = first
    if (others.length === 1) return [{ ...first, word: others[0]!.word! }]
    if (others.length === phones.length) return others.map((each, at) => ({ ...each, phones: [phones[at]!] }))
    return people
  }
  const named = people.filter(({ name, phones, word }) => name ?? word ?? phones[0])
  const said = people.filter((each) => !named.includes(each))
  const beside = named[0]
  if (!beside) return people
  for (const { note, isGone } of said) {
    if (note) beside.note = beside.note ? `${beside.note}、${note}` : note
    if (isGone) beside.isGone = true
  }
  return named.some((each) => !isLone(each)) ? named.filter((each) => !isLone(each)) : named
}

/** Whether a cell tells of each person the name and then the relation: 张三/父亲/138…；李四/母亲/139…. */
function saysNameFirst(text: string): boolean {
  const words = [...text.matchAll(/\p{Script=Han}[\p{Script=Han}·]*/gu)]
    .map(([word]) => word)
    .filter((word) => !dropped.test(word) && !saysAside(word))
  const isWord = words.map((word) => relationOf(word) !== undefined)
  return (
    words.length > 1 && words.length % 2 === 0 && !/[:：]/.test(text) && isWord.every((is, at) => is === (at % 2 === 1))
  )
}
