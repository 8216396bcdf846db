import type { Words } from '../field.ts'

/**
 * A column of the form. `part` says which row it goes into; `check` columns are compared and never stored, `ignored`
 * ones are known and passed over.
 */
export interface FormColumn<Part extends string = string> {
  /** `part.field`: the name under which a file's column is matched to it. */
  readonly key: string
  readonly part: Part
  readonly field: string
  readonly label: Words
  /** Marked ★ in the form. */
  readonly starred: boolean
  /** Other headings that mean the same. */
  readonly aka: readonly string[]
}

/** Reads lines of `part.field|中文|English|★ or nothing|other headings, comma separated`. */
export function formColumns<Part extends string>(lines: string): readonly FormColumn<Part>[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [key = '', zh = '', en = '', star = '', aka = ''] = line.trim().split('|')
      const [part = '', field = ''] = key.split('.')
      return {
        key,
        part: part as Part,
        field,
        label: { zh, en },
        starred: star === '★',
        aka: aka.split(',').filter(Boolean),
      }
    })
}

/** Signs of headings and words as they are written traditionally, each before the one by which it is compared. */
const traditional = new Map(
  '別别級级電电話话學学號号聯联繫系絡络證证備备註注監监護护關关係系國国貫贯與与親亲媽妈爺爷戶户編编業业單单職职務务時时間间屬属實实舊旧長长兒儿漢汉滿满維维團团員员黨党眾众農农無无獨独隨随殘残養养繼继孫孙歲岁讀读類类碼码機机園园齡龄現现處处鄉乡鎮镇區区縣县門门棟栋樓楼師师陽阳曆历稱称謂谓劃划轉转補补貧贫檔档種种錄录選选擇择寢寝車车線线體体況况歷历構构郵邮傳传會会經经濟济狀状態态離离異异際际寫写為为來来資资訊讯個个緊紧醫医療疗險险藥药過过應应該该難难遷迁遠远兩两雙双擔担費费繳缴額额總总數数質质積积導导領领隊队組组簽签爾尔壯壮僑侨臺台灣湾優优標标頭头視视聽听語语說说論论評评點点館馆廣广東东書书圖图課课試试驗验檢检測测彙汇匯汇報报審审籌筹項项順顺節节歸归財财貨货愛爱樂乐興兴術术藝艺筆笔練练習习獎奖懲惩罰罚紀纪識识認认給给製制條条願愿溫温溝沟陸陆緣缘場场壓压樣样歡欢塊块幾几錫锡達达倫伦羅罗納纳魯鲁爐炉'
    .match(/../gu)
    ?.map((pair) => [pair[0]!, pair[1]!]),
)

/** A text with its signs as they are written today: 三年級 is 三年级. */
export const simplified = (text: string): string =>
  text.replace(/[\u4e00-\u9fff]/g, (sign) => traditional.get(sign) ?? sign)

/** A heading without what stands beside it in the script of a minority: 姓名 ئىسمى, 姓名 མིང་. */
const inHan = (text: string): string =>
  /\p{Script=Han}/u.test(text) ? text.replace(/(?![\p{Script=Han}\p{Script=Latin}])[\p{L}\p{M}]+/gu, '').trim() : text

/** Signs without width, which stand in what was copied from a page. */
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
/** A heading that stands in brackets or quotation marks as a whole: 【姓名】. */
const enclosed = /^\s*(?:【([^【】]+)】|\[([^[\]]+)\]|[(“"'‘《<]([^【[("“'‘《<>》’'”")\]】]+)[)”"'’》>])\s*$/
/** A heading without brackets around all of it. */
export const unenclosed = (text: string): string => {
  const [, ...inside] = enclosed.exec(text) ?? []
  return inside.find((each) => each !== undefined) ?? text
}
/** Marks by which a heading is pointed out. */
const marksAround = /^[\s▲△▼▽●○◎◆◇■□※!√✓☑]+(?=\S)|(?<=\S)[\s▲△▼▽●○◎◆◇■□※!√✓☑]+$/g

/**
 * A heading as it is compared: without marks, notes in brackets, blanks, case, the number of a question, or a
 * leading 是否 or 有无; 是否监护人 and 是否紧急联系人 ask whether, and 监护人 who.
 */
export function foldHeading(text: string): string {
  const plain = text
    .replace(/^\s*[①-⑳]/, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(invisible, '')
    .replace(marksAround, '')
    .replace(/(?<=\S{2})\s*(?:必填项?|必须填写|选填项?)\s*$/, '')
  return simplified(inHan(unenclosed(plain)))
    .replace(/^\s*(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s*[、.)](?=\s*[^\s\d])/, '')
    .replace(/[([【].*?[)\]】]/g, '')
    .replace(/[\s★☆*:/、,._+'’?-]/g, '')
    .replace(/[联连]络(?=[人电方手号])/g, '联系')
    .replace(whether, '')
}

/** What begins a question of yes or no, with the pupil of whom it is asked: 是否住校, 孩子是否住校, 该生有无过敏史. */
const whether =
  /^(?:(?:家[里中]|家庭|[您你贵]?家?的?(?:孩子|小孩|学生|幼儿|儿童|宝宝|宝贝|子女)|该(?:学生|生|幼儿))(?=是否|有无))?(?:是否(?!(?:为|是)?(?:(?:法定)?监护人|[急常主首默日第用要选认应一]*联系人))|有无)/

/** Over what was wrong with rows that were left out, in the file of them; brought in again, that column is passed over. */
export const faultHeading: Words = { zh: '未导入原因', en: 'Why it was left out' }

/** How the cell of an example row begins; such a row is passed over. */
export const exampleMark = '示例'
