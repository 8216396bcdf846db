import { simplified } from '@data-brain/contract/import/form'
import { eitherGrandparent, generic, grandparents, parentsAndTheirs, relatives } from './family-words.ts'

/*
 * What clerks write about parents: which relative a word means, and who a heading speaks of.
 */

/** The word of the dictionary `relation` that a word for a relative means. */
const kin: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    '51': '父亲 爸爸 父 爸 老爸 父子 父女 生父 爹 老爹 father dad daddy',
    '52': '母亲 妈妈 母 妈 老妈 母子 母女 生母 娘 mother mom mum',
    '57': '继父 养父 后爸 继父或养父 继父子 继父女 养父子 养父女 stepfather',
    '58': '继母 养母 后妈 继母或养母 继母子 继母女 养母子 养母女 stepmother',
    '61': '祖父 爷爷 爷 爷孙 爷孙女 grandfather grandpa',
    '62': '祖母 奶奶 奶 奶孙 奶孙女 grandmother grandma',
    '63': '外祖父 外公 姥爷 外爷 外公外孙',
    '64': '外祖母 外婆 姥姥 外奶 外婆外孙',
    '71': '兄 哥哥 哥 大哥 兄长 兄弟 兄妹 brother',
    '73': '弟 弟弟',
    '75': '姐 姐姐 大姐 姐弟 姐妹 sister',
    '77': '妹 妹妹',
  }).flatMap(([key, words]) => words.split(' ').map((word) => [word, key])),
)
/** Relatives that have no key of their own; the word is kept beside the key of another relative. */
const otherKin =
  /^(叔叔|叔父|叔|伯伯|伯父|伯|大伯|伯母|婶婶|婶|舅舅|舅|舅妈|舅母|姑姑|姑妈|姑|姑父|姨妈|姨|姨父|小姨|大姨|阿姨|[堂表](?:哥哥?|姐姐?|弟弟?|妹妹?|[兄叔伯姑舅姨嫂])|嫂子|大嫂|姐夫|外?曾祖[父母]|太爷爷|太奶奶|太外[公婆]|[叔伯舅姑姨]公|[姑姨舅]婆|[姑姨舅]奶奶?|[舅叔]爷爷?|(?:[叔伯姑婶]侄|[舅姨]甥)女?|亲戚|uncle|aunt)$/

/**
 * The relation that a word means; a relative without a key of its own keeps the word. 父女 says both ends, and the
 * guardian is the elder one.
 */
export function relationOf(word: string): { readonly relation: string; readonly note?: string } | undefined {
  const whole = simplified(word.normalize('NFKC')).trim().toLowerCase()
  // 父亲/监护人 says of the father that he is a guardian, as whoever stands in such a column is.
  const guardian = /^(.{1,3})[/、,及兼](?:法定)?监护人$/.exec(whole)
  if (guardian) return relationOf(guardian[1]!)
  // 父亲(监护人) and 祖孙(爷爷): the one of the two that is a word for a relative.
  const both = /^([^()]+)\(([^()]+)\)$/.exec(whole)
  if (both && !kin[whole]) {
    const [outer, inner] = [relationOf(both[1]!), relationOf(both[2]!)]
    return outer && inner && outer.relation !== inner.relation ? undefined : (outer ?? inner)
  }
  const plain = whole
    .replace(/(?<=\p{Script=Han})[\s/-]+(?=\p{Script=Han})/gu, '')
    .replace(/^(?:(?:学生|孩子|本人|亲生|亲(?!戚)|其|之|系|为|是)的?)(?=.)|(?<=..)关系$/g, '')
  const relation = kin[plain]
  if (relation) return { relation }
  return otherKin.test(plain) ? { relation: '97', note: plain } : undefined
}

const pupilWords =
  '学生|留守儿童|留守学生|儿童|幼儿|孩子|小孩|宝宝|宝贝|子女|学员|新生|考生|被监护人|被保险人|被保人|申请人|本人|其|他她|他|她|(?:第一|第二|法定|实际|委托|现|主要)?监护人|家长|联系人'
const related = new RegExp(`^(?:${pupilWords})?[与和同跟](?:该|你|您)?(?:${pupilWords}){1,2}(?:本人)?的?(?:亲属)?关系$`)
/** 与儿童关系, 和孩子的关系 and 学生与监护人关系 are all 关系; 与户主关系 says something of the pupil. */
const bareRelation = (folded: string): string => (related.test(folded) ? '关系' : folded)
/** The same behind whom it is about: 监护人与学生的关系. */
const relatedTail = new RegExp(
  `(?<=.)[与和同跟](?:该|你|您)?(?:${pupilWords}){1,2}(?:本人)?的?(?:亲属)?关系(?=[1-6一二三四五六]?$)`,
)

/** Whom and what a heading speaks of, where it speaks of a relative or guardian. */
export interface Role {
  /** Columns of one role are about one person. `contact` is whoever is called: 联系人. */
  readonly who: string
  /** The word for a relative that the heading itself gives. */
  readonly word?: string
  readonly field: string
  /** Whether a figure counts what is said, and not whom: 家长电话2. */
  readonly isCounted?: boolean
}

/** What may stand in the cell of a name beside it: 姓名及电话, 姓名及关系, 姓名、关系、电话. */
const together = (['电话', '联系电话', '联系方式', '手机号码', '手机号', '手机'] as const).flatMap((phone) => [
  ...['', '及', '和', '与', '及其'].flatMap((and) => [`姓名${and}${phone}`, `姓名关系${and}${phone}`]),
  ...['', '及', '和', '与'].map((and) => `姓名${phone}${and}关系`),
  `及${phone}`,
])
together.push(...['', '及', '和', '与'].flatMap((and) => [`姓名${and}关系`, `姓名${and}称谓`]))
// 监护人及关系 says the name as well.
together.push(...['及', '和', '与'].flatMap((and) => [`${and}关系`, `${and}称谓`]))
// 姓名/职业, 姓名及工作单位, 姓名单位电话.
const work = ['工作单位及职务', '工作单位', '单位', '职业', '职务', '工作'] as const
together.push(
  ...work.flatMap((place) => [
    ...['', '及', '和', '与', '及其'].map((and) => `姓名${and}${place}`),
    ...['联系电话', '电话', '手机'].flatMap((phone) => [`姓名${place}${phone}`, `姓名${phone}${place}`]),
  ]),
)
const fields: readonly (readonly [string, string])[] = [
  ['parentName', ['姓名|名字|名称|名|', ...together].join('|')],
  ['mobile', '联系电话号码|联系电话|联系方式|联系手机|手机号码|手机号|电话号码|联系号码|手机|电话|号码|电|微信手机'],
  ['otherPhone', '备用电话|备用手机|其他电话|第二电话'],
  ['relationNote', '关系说明'],
  ['relation', '关系|亲属关系|亲子关系|家庭关系|监护关系|亲缘关系|称谓|称呼|身份|类型|类别'],
  ['workUnit', '工作单位及职务|工作单位|单位|工作地点|工作|公司|就业单位|务工单位'],
  ['position', '职务|职业|职位'],
  ['idType', '身份证件类型|证件类型'],
  ['idNo', '身份证号码|身份证件号码|身份证件号|身份证号|身份证|证件号码|证件号|公民身份号码'],
  ['nation', '民族'],
  ['education', '学历|文化程度|受教育程度'],
  ['livesWith', '同住|共同居住|共同生活|是否同住|是否共同居住|是否共同生活'],
  ['address', '现住址|现住地址|家庭住址|居住地址|住址|地址'],
  ['hukouRegionCode', '户口所在地|户籍所在地|户籍地|户籍'],
  ['isGuardian', '监护人|是否监护人|是否为监护人|是否是监护人|是否法定监护人|是否为法定监护人'],
  ['isEmergency', '是否紧急联系人|是否常用联系人'],
]
const fieldOf = new Map(fields.flatMap(([field, words]) => words.split('|').map((word) => [word, field])))
const fieldWords = [...fieldOf.keys()].sort((a, b) => b.length - a.length).join('|')
const ordinals: Readonly<Record<string, string>> = {
  一: '1',
  二: '2',
  三: '3',
  四: '4',
  五: '5',
  六: '6',
  a: '1',
  b: '2',
}
const chinese = new RegExp(
  `^(?:学生|孩子|幼儿|主要)?(?:(${eitherGrandparent}|${relatives})|(${generic}))([1-6一二三四五六ab])?(?:的|信息|情况|资料)?(${fieldWords})([1-6一二三四五六ab])?$`,
)
const english =
  /^(father|mother|dad|mom|mum|grandfather|grandmother|parentorguardian|parentguardian|parentcarer|parent|guardian|carer|contact|familymember)(?:'?s)?([1-6])?(name|fullname|mobile|phone|tel|telephone|mobilephone|phoneno|phonenumber|mobileno|mobilenumber|contact|contactnumber|cell|cellphone|homephone|workphone|(?:relation|relationship)(?:to(?:the)?(?:child|student|pupil))?|employer|workplace|company|occupation|job|jobtitle|position|education|id|idnumber|idno|idcard|address)?([1-6])?$/
const englishFields: Readonly<Record<string, string>> = {
  relation: 'relation',
  relationship: 'relation',
  employer: 'workUnit',
  workplace: 'workUnit',
  company: 'workUnit',
  occupation: 'position',
  job: 'position',
  jobtitle: 'position',
  position: 'position',
  education: 'education',
  id: 'idNo',
  idnumber: 'idNo',
  idno: 'idNo',
  idcard: 'idNo',
  address: 'address',
  name: 'parentName',
  fullname: 'parentName',
  homephone: 'otherPhone',
}

const bracketed = new RegExp(`[([【](${relatives}|家长|监护人|学生|本人|孩子|幼儿)[)\\]】]`)
const leadingGroup = new RegExp(`^(?:${generic})`)
const leadingWho = new RegExp(`^(?:学生|孩子|幼儿|儿童|本人|${relatives}|${generic})`)

/** A heading with the person whom it names in brackets before it: 电话(母亲) is 母亲电话, and 监护人(父亲)姓名 is 父亲姓名. */
export function whoFirst(heading: string): string {
  const plain = heading.normalize('NFKC')
  const who = bracketed.exec(plain)?.[1]
  if (!who) return heading
  const rest = plain.replace(bracketed, '').trim()
  const bare = new RegExp(`^(?:${relatives})$`).test(who) ? rest.replace(leadingGroup, '') : rest
  return leadingWho.test(bare) ? bare : who + bare
}

const eitherParent =
  /^(学生|孩子|幼儿)?(家长|监护人)?[(（【]?(父亲?|爸爸?|老爸|母亲?|妈妈?|老妈|father|dad|mother|mum|mom)[)）]?\s*(?:[/／\\、,，|&+;；(（]|或者?|和|与|及|or|and)?\s*[(（]?(父亲?|爸爸?|老爸|母亲?|妈妈?|老妈|father|dad|mother|mum|mom)[)）】]?(?=$|[^亲爸妈父母])/i
const isMother = (word: string): boolean => /^[母妈]|老妈|^m/i.test(word)

/**
 * A heading of alternatives as one of a parent, whichever: 父亲/母亲, 父（母）亲姓名, 爸爸或妈妈电话 and 家长（父/母） say
 * nothing of the relation.
 */
export function eitherFirst(heading: string): string {
  const plain = heading
    .normalize('NFKC')
    .trim()
    .replace(/^父\s*\(\s*母\s*\)\s*亲|^父\s*[/、]\s*母亲/, '父亲/母亲')
  // 父亲姓名/母亲姓名 in one column.
  const both = /^(父亲?|爸爸?)((?![亲爸]).{1,6}?)(?:[/、,|]|或者?|和|与)(母亲?|妈妈?)\2$/.exec(plain)
  if (both) return `家长${both[2]!}`
  const found = eitherParent.exec(plain)
  // 父母 without a sign between is about both, and known as it is.
  if (!found || isMother(found[3]!) === isMother(found[4]!) || /父母|爸妈|母父|妈爸/.test(found[0])) return heading
  const who = /[a-z]/i.test(found[3]!) ? 'parent' : '家长'
  return who + plain.slice(found[0].length).replace(/^的|^'s/, '')
}

const contactWords = /^(?:紧急联络人|应急联系人|应急联络人|急救联系人|紧急情况联系人|突发情况联系人|紧急联系人)/
const pupilOf = '(?:该生|学生|孩子|幼儿|儿童|本人|其|子女|宝宝)'
const relationTo = new RegExp(
  `^(?:${pupilOf})?(?:与|和|同|跟)?紧急联系人(?:的|之间的?)?(?:是)?(?:(?:与|和|同|跟|系|为)?${pupilOf})?(?:的|之间的?)?(?:什么|何)?(?:亲属)?(?:关系|称谓|称呼)$`,
)

/** A folded heading of the emergency contact in the words of the form: 与紧急联系人关系 is 紧急联系人关系. */
export function ofEmergency(folded: string): string[] {
  const plain = folded
    .replace(/紧急联络人|应急联系人|应急联络人|急救联系人|紧急情况联系人|突发情况联系人/g, '紧急联系人')
    .replace(/^第?[一1]?紧急联系人/, '紧急联系人')
  if (relationTo.test(plain)) return ['紧急联系人关系']
  return plain !== folded && contactWords.test(plain) ? [plain] : []
}

/** Reads a folded heading: 父亲电话, 家长1姓名, 第二监护人关系, father's phone. */
export function roleOf(folded: string): Role | undefined {
  const latin = english.exec(folded.replace(/^priority([1-6])contact/, 'contact$1'))
  if (latin) {
    const [, who = '', before, what = '', behind] = latin
    const order = before ?? behind ?? ''
    const relative = relationOf(who) ? { word: who } : {}
    return {
      who: (relationOf(who)?.relation ?? who.replace(/^parent(?=.)(or)?/, '')) + order,
      ...relative,
      field:
        what === '' ? 'parentName' : (englishFields[what.replace(/to(the)?(child|student|pupil)$/, '')] ?? 'mobile'),
    }
  }
  const found = chinese.exec(folded.replace(relatedTail, '关系'))
  // 户主关系 is what the pupil is to the head of the household.
  if (!found || folded === '户主关系') return undefined
  const [, relative, group = '', before, what = '', behind] = found
  const field = fieldOf.get(what)!
  const pair = grandparents.find(([, form]) => form.test(relative ?? ''))?.[0]
  if (pair) return { who: pair, word: pair, field }
  if (relative) {
    const meant = relationOf(relative)!
    return { who: meant.note ?? meant.relation, word: relative, field }
  }
  const told = before ?? behind
  const order = /^第(一|二|三)/.exec(group)?.[1] ?? told ?? ''
  return {
    who: `${group
      .replace(/^第[一二三]|^法定|^实际|^现|^委托|^临时|^日常|^常用|^主要家庭|^家庭主要|^主要|^主(?=监)|^家庭/, '')
      .replace(/^家属$|^父母(双方)?$/, '家长')}${ordinals[order] ?? order}`,
    field,
    ...(behind && !before ? { isCounted: true } : {}),
  }
}

const anyGuardian = /^(?!.*[是否有无非双单原旧曾前班校师])\p{Script=Han}{1,3}?(家长|监护人)/u

/**
 * Whatever stands before 家长 and 监护人, they are somebody who cares for the pupil: 接送家长, 午托监护人电话. Kept apart from whoever
 * is called so without it.
 */
export function ofCare(folded: string): Role | undefined {
  const found = anyGuardian.exec(folded)
  const role = found && roleOf(folded.slice(found[0].length - found[1]!.length))
  return role && /^(家长|监护人)$/.test(role.who) ? { ...role, who: `某${role.who}` } : undefined
}

/** Beside 亲属姓名 the 亲属关系 and 亲属电话 are those of one of the family; elsewhere 亲属关系 is a relation of whoever is named. */
export const relativesIn =
  (all: readonly string[]) =>
  (folded: string): string =>
    all.includes('亲属姓名') ? folded.replace(/^亲属(?=.)/, '其他亲属') : folded

/** A heading of a number or a fact that does not say whose: 联系电话, 手机号2, 关系, 工作单位. */
export function looseField(folded: string): string | undefined {
  const bare = bareRelation(folded.replace(/[1-4一二ab]$/, ''))
  if (
    /^(家庭)?(联系电话号码|联系电话|联系方式|联系手机|手机号码|手机号|电话号码|联系号码|手机|电话|常用电话|mobile|phone|tel|telephone|phoneno|phonenumber|telno|telephoneno|contactno|contactnumber|contactphone|mobileno|mobilenumber|mobilephone|cellphone)$/.test(
      bare,
    )
  )
    return 'mobile'
  if (
    /^(家庭电话|住宅电话|固定电话|宅电|座机|备用电话|备用联系电话|备用手机|家庭固话|家庭座机|固话|其他电话|其他联系方式|另一电话|homephone)$/.test(
      bare,
    )
  )
    return 'otherPhone'
  if (/^(关系|亲属关系|亲子关系|亲缘关系|称谓|称呼|亲属称谓|亲属称呼|relation|relationship)$/.test(bare))
    return 'relation'
  if (/^(关系说明|关系备注|具体关系)$/.test(folded)) return 'relationNote'
  if (/^(工作单位|单位|家长单位|employer)$/.test(folded)) return 'workUnit'
  // A pupil has no trade and no schooling behind him; 职务 may be an office in class.
  if (/^(职业|occupation)$/.test(folded)) return 'position'
  if (/^(学历|文化程度|受教育程度)$/.test(folded)) return 'education'
  if (/^(与学生|与孩子)?(同住|共同居住|共同生活|一起居住)$/.test(folded)) return 'livesWith'
  // Whether, and not who: 是否 stays before it (foldHeading).
  if (/^是否(为|是)?(法定)?监护人$/.test(bare)) return 'isGuardian'
  if (folded.startsWith('是否') && isCalledFirst(folded)) return 'isEmergency'
  return undefined
}

/** Whom to call first, or whether that is somebody: 常联系人, 是否紧急联系人. */
const firstCalled = /^(?:是否)?(?:为|是)?(?:紧急|应急|常用?|日常|主要|首要|首选|默认|第一)联系人$/
const isCalledFirst = (folded: string): boolean => firstCalled.test(folded)
const yesOrNo = /^(?:是|否|有|无|√|✓|✔|☑|×|✗|y|n|yes|no)$/i
/** Whether a column says of each guardian if it is whom to call: 是 and 否 below 常联系人, where names would stand. */
export const tellsWhomToCall = (folded: string, cells: readonly string[]): boolean =>
  isCalledFirst(folded) && cells.length > 0 && cells.every((cell) => yesOrNo.test(cell.trim()))

const bothEnds = /^(?:[父母继养祖爷奶][父母]?|外祖?[父母公婆]?)[子女孙]女?$/
/** 父子 below 与户主关系 says who the head of the household is; 长子 and 孙女 say it of the pupil alone. */
export const tellsBothEnds = (folded: string, cells: readonly string[]): Role | undefined =>
  /^(?:[与和同跟])?户主的?关系$/.test(folded) &&
  cells.length > 0 &&
  cells.every((cell) => bothEnds.test(cell.trim()) && relationOf(cell) !== undefined)
    ? { who: '户主', field: 'relation' }
    : undefined

/** Headings of other people, and of what was before: by a likeness, or by their contents, they are never the pupil's own. */
const elses = new RegExp(
  `^(?:原|旧|曾|前|上学[期年]|去年|毕业|转出|转入)|${parentsAndTheirs.replace('|父|母|爸|妈', '')}|父母|监护|家长|家属|户主|联系人|接送|班主任|教师|老师|医生|推荐人|^(?:其|生|亲生?)?[父母爸妈]`,
)
export const ofSomebodyElse = (folded: string): boolean => elses.test(folded) || ofStaff(folded)

/** A heading of e-mail addresses: by itself, or with whose they are in either language. */
const mail = /^(?:e?mail(?:address)?|电子邮[箱件](?:地址)?|邮箱(?:地址)?|电子信箱|信箱)[1-4]?$/
const theirMail =
  /^(?:father|mother|dad|mom|mum|parent|guardian|carer|contact).*mail|mail.*(?:father|mother|dad|mom|mum|parent|guardian|carer)/
export const isMail = (folded: string): boolean => mail.test(folded)
/** No guardian's e-mail is kept, and it is never the pupil's. */
export const isTheirMail = (folded: string): boolean => theirMail.test(folded)

/** Whether a heading begins with the pupil: 学生邮箱, Student Email. */
export const saysPupil = (folded: string): boolean =>
  new RegExp(`^(?:${pupilWords.split('|其|')[0]}|本人|student|pupil|child|learner|your|own)`).test(folded)

/** People of the school, or who work for it: what is said of them is about no family. */
const staff = /班主任|教师|老师|医生|校医|辅导员|司机|驾驶员|跟车|随车|照管员|宿管|生活老师|保育员|推荐人|填表人|经办人/
export const ofStaff = (folded: string): boolean => staff.test(folded)
