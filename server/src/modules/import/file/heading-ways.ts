import { entityOf } from '@data-brain/contract'
import { forms } from '@data-brain/contract/import/all'
import { foldHeading, simplified, unenclosed } from '@data-brain/contract/import/form'
import type { FormKind } from '@data-brain/contract/import/place'
import { formColumn, type Part, parts } from '@data-brain/contract/import/student-form'
import { spelledOut } from '../batch/initials.ts'
import { eitherFirst, looseField, ofEmergency, ofSomebodyElse, ofStaff, roleOf, whoFirst } from '../student/people.ts'
import type { Heading, Match } from '../student/people-columns.ts'
import { inWords } from './heading-words.ts'

/* The ways in which a heading may be read, and the names by which headings are known. */

/** What the headings of one form are known by. */
export interface Names {
  readonly exact: ReadonlyMap<string, Match>
  readonly all: readonly { readonly key: string; readonly folded: string }[]
}

function namesOf(kind: FormKind): Names {
  const exact = new Map<string, Match>()
  const columns = forms.get(kind) ?? []
  for (const column of columns)
    for (const other of column.aka) exact.set(foldHeading(other), { key: column.key, confidence: 0.9 })
  for (const { key, label } of columns)
    for (const name of [label.zh, label.en, label.zh + label.en]) exact.set(foldHeading(name), { key, confidence: 1 })
  return {
    exact,
    all: columns.flatMap((column) =>
      [column.label.zh, column.label.en, ...column.aka].map((name) => ({ key: column.key, folded: foldHeading(name) })),
    ),
  }
}

const known = new Map([...forms.keys()].map((kind) => [kind, namesOf(kind)]))
/** The names of a form. */
export const namesIn = (kind: FormKind): Names => known.get(kind)!

const ofPupils = namesIn('student')

/** A heading without the sign that counts it, and without brackets around all of it. */
const unnumbered = (text: string): string => unenclosed(text.replace(/^\s*[①-⑳]/, '').normalize('NFKC'))

/** A heading as it is compared; a figure or a side in brackets tells two apart and stays: 家长(1), 视力(左). */
export const fold = (text: string): string =>
  spelledOut(
    foldHeading(
      withPart(whoFirst(eitherFirst(unnumbered(text)))).replace(
        /(?<=\S\s*)[([（【]\s*([1-6１-６一二三四五六]|[左右]眼?)\s*[)\]）】]/g,
        '$1',
      ),
    ),
  )

/** A heading whose brackets say of whom they stand behind what is asked: 父亲（电话）, 姓名（拼音）, 学号（班内）. */
const withPart = (text: string): string =>
  simplified(text.normalize('NFKC').replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, ''))
    .replace(/\bname\s*\((english|chinese)\)/i, '$1 name')
    .replace(
      /(父亲?|母亲?|爸爸?|妈妈?|爷爷|奶奶|外公|外婆|姥爷|姥姥|祖父|祖母|家长|监护人|联系人|成员|姓名|名字|学号|[父母][1-4一二]|(?:家长|监护人|成员|联系人)[1-4一二])\s*[([（【]\s*(姓名|联系电话|联系方式|电话号码|电话|手机号码|手机号|手机|工作单位|单位|职业|身份证号码?|汉语拼音|拼音|全拼|英文|外文|班内)\s*[)\]）】]\s*$/,
      '$1$2',
    )

export const yourName = /^(请(填写|输入))?[您你]的(姓名|名字)$/

/** What a question to a parent asks for: 您孩子的姓名 is 学生姓名, 您的手机号码 the parent's, 所在的班级 is 所在班级. */
function askedFor(folded: string, ofPupils: boolean): string[] {
  const plain = folded.replace(/^请(?:您)?(?:填写|输入|选择|提供)?/, '').replace(/(所在|就读|与孩子|与学生)的/, '$1')
  const asked = /^(?:what(?:is|s)|pleaseenter|enter)(?:your|the)?(child)?s?(.{2,})$/.exec(plain)
  if (asked) return [asked[2]!]
  if (
    /^(?:in)?(?:which|what)(class|grade|yeargroup)(?:isyourchild|isthechild|ischild|aretheyin|isheshe)?(?:in)?$/.test(
      plain,
    )
  )
    return [/class|grade|yeargroup/.exec(plain)![0]]
  const had = /^(?:does|do|has|have|is)(?:your|the)child(?:have|got|had)?(?:any)?(?:known)?(.{4,})$/.exec(plain)?.[1]
  if (had) return [had]
  // 是否有过敏史 asks for 过敏史; 是否 before it is folded away already, unless 孩子 stands there.
  const there = /^(?:(?:您|你)?家?的?(?:孩子|小孩|宝宝))?(?:是否有|是否存在|有没有|有无|有何种?|有)(.{2,})$/.exec(
    plain,
  )?.[1]
  if (there) return [there]
  // 是否属于留守儿童, 是否需要校车 and 是否接受过学前教育 ask for what stands at the end.
  const whether = /^(?:属于|需要|需|为|是|享受|参加|接受|上|乘坐?|有)过?(.{2,})$/.exec(plain)?.[1]
  if (whether && plain === folded) return [whether]
  const ofChild = /^[您你]?家?的?(?:孩子|小孩|宝宝)的?(.+)$/.exec(plain)?.[1]
  if (ofChild) return [`学生${ofChild}`, ofChild]
  const ofParent = /^[您你]的?(.+)$/.exec(plain)?.[1]
  return ofParent ? [ofPupils ? ofParent : `家长${ofParent}`] : plain === folded ? [] : [plain]
}

/**
 * The last part of a heading by itself, unless what stands over it is about somebody else: 姓名 under 其他监护人 is not the
 * pupil's, and 电话 under 班主任 is no guardian's either.
 */
function lastAlone(parts: readonly string[]): string[] {
  const own = parts.at(-1)!
  const over = parts.slice(0, -1).map(fold).join('')
  if (ofStaff(over) || namesPerson(over)) return []
  return ofSomebodyElse(over) && !looseField(fold(own)) ? [] : [own]
}

/** 资助人, 帮扶人 and whoever else is called so is no pupil, and no guardian whom other columns name. */
const namesPerson = (group: string): boolean =>
  /(?<!本)人(的)?(基本|联系)?(信息|情况|资料)?$/.test(group) && !/监护人|联系人|^(学生|本)/.test(group)

/** The ways to read a heading of several rows: all of it, its last two, its last. */
export const waysOf = ({ heading, parts = [] }: Heading, ofPupils: boolean): string[] => {
  const tidied = parts.map((part) => part.replace(/(信息|情况|资料|基本)$/, ''))
  const ways =
    parts.length > 1
      ? [heading, tidied.join(''), parts.slice(-2).join(''), tidied.slice(-2).join(''), ...lastAlone(parts)]
      : [heading]
  const asWritten = [...ways, ...ways.flatMap(withoutHint), ...ways.flatMap(ofDirectory)].map(fold)
  const folded = [...asWritten, ...asWritten.flatMap(inWords)]
  return [
    ...new Set([
      ...folded,
      ...folded.flatMap(inOneLanguage),
      ...folded.flatMap((each) => askedFor(each, ofPupils)),
      ...folded.flatMap(ofPupil),
      ...folded.flatMap(ofEmergency),
      ...folded.flatMap(byBed),
      ...folded.flatMap(ofCode),
      ...folded.flatMap(withoutCare),
    ]),
  ]
}

const ofStaffToo =
  '(?:[一二三]级|下级|所属|所在)?(?:部门|组织|机构|单位|科室|院系|处室|工号|教职工|教师|老师|员工|职工)(?:姓名|名称)?'
const pupilFirst = new RegExp(`^(.*(?:年级|班级?|学号|学生姓名|学生))\\s*[/／|、或]\\s*${ofStaffToo}$`)
const pupilLast = new RegExp(`^${ofStaffToo}\\s*[/／|、或]\\s*((?:所在)?(?:年级|班级?|学号|学生姓名|学生))$`)
/** A heading of a directory that pupils and staff share, as it is of pupils: 年级/部门, 班级/二级部门, 院系/年级, 工号/学号. */
function ofDirectory(heading: string): string[] {
  const own = (pupilFirst.exec(heading.trim()) ?? pupilLast.exec(heading.trim()))?.[1]
  return own ? [own] : []
}

/** A heading without what it asks of whoever fills it in: 是否有过敏史，请填写过敏原; 家庭住址（具体到门牌号） is folded so already. */
function withoutHint(heading: string): string[] {
  const [, asked = ''] =
    /^(.{2,}?)[\s,，;；。:：、-]+(?:请|如|若|例|没有|有则|无则|有的|无的|可[多填选不]|须|需[填写要与]|必须|具体|精确|注[:：明意]|填[写报]|写|不[填写要能得]).*$/su.exec(
      heading.trim(),
    ) ?? []
  return asked === '' ? [] : [asked]
}

/** A heading in two languages is that of either: 电话phone. A Latin word that is no heading (家长qq) is not left out. */
function inOneLanguage(folded: string): string[] {
  const latin = folded.match(/[a-z]+/g)?.join('') ?? ''
  const han = folded.replace(/[a-z]+/g, '')
  if (latin.length < 2 || han.length < 2 || !/^\p{Script=Han}+$/u.test(han)) return []
  if (ofPupils.exact.has(latin) || looseField(latin) || roleOf(latin)) return [han]
  // Whatever word stands behind it, 校车 Bus is 校车. What is said of the pupil himself may be another thing: 学生Photo.
  const isTranslated = latin.length > 2 && !otherChannel.test(latin)
  const known = isTranslated ? ofPupils.exact.get(han)?.key : undefined
  return known && known !== 'student.name' ? [han] : []
}
/** By what else somebody can be reached; that is no translation. */
const otherChannel = /wechat|weixin|mail|skype|whatsapp|photo|code|pinyin/

/** 住校走读, 走读或住宿 and 内宿 ask where the pupil sleeps. What 是 and 否 below 走读 alone mean, `yesMeans` says. */
const byBed = (folded: string): string[] =>
  /^(?:(?:走读|通校|通学|跑校|外宿|住校|住宿|寄宿|内宿|住读)生?[或与和]?){1,3}(?:情况|类型|方式|类别)?$/.test(folded) &&
  /住校|住宿|寄宿|内宿|住读/.test(folded)
    ? ['就读方式']
    : []

/** 现居住详细地址 is 现居住地址: how carefully or when is no matter of whose address it is. */
const withoutCare = (folded: string): string[] => {
  const plain = folded.replace(/详细|具体|目前|当前|完整/g, '').replace(/(?<=址)[及和与到]?门牌号?码?$/, '')
  return plain !== folded && /址|地$|所在/.test(plain) ? [plain] : []
}

/** 民族代码 and 性别码 are 民族 and 性别: a list is known by its words and by its codes. 学生代码 is no 学生. */
function ofCode(folded: string): string[] {
  const bare = /^(.{2,}?)代?码$/.exec(folded)?.[1] ?? ''
  // What a telephone shows is no state of health.
  if (bare === '健康') return []
  const column = formColumn(ofPupils.exact.get(bare)?.key ?? '')
  return column && column.part in parts && entityOf(parts[column.part as Part]).fields[column.field]?.dict ? [bare] : []
}

/** What is said of the pupil by that word: 幼儿民族 is 民族. Whose telephone 学生电话 is, the form itself says. */
function ofPupil(folded: string): string[] {
  const bare =
    /^(?:学生|儿童|幼儿|孩子|小孩|宝宝|宝贝|小朋友|学员|新生|考生)的?(.{2,})$/.exec(folded)?.[1] ??
    /^(?:your|the)?(?:child|student|pupil|learner)(?:ren)?s?(?:legal|full)?(.{3,})$/.exec(folded)?.[1]
  return bare && !looseField(bare) && !roleOf(bare) ? [bare] : []
}
