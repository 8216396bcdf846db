import { idNoCheckDigit } from '@data-brain/contract'

/** A pupil as a clerk knows one. All of them are invented; region 110103 was abolished before they were born. */
export interface Pupil {
  readonly no: number
  readonly name: string
  readonly sex: '男' | '女'
  readonly birth: string
  readonly idNo: string
  readonly grade: string
  readonly classNo: number
  readonly studentNo: string
  readonly address: string
  readonly father: { readonly name: string; readonly phone: string }
  readonly mother: { readonly name: string; readonly phone: string }
}

const names =
  '王小明 李欣怡 张子涵 刘宇轩 陈思雨 杨浩然 赵梓萱 黄俊杰 周诗涵 吴佳琪 徐嘉豪 孙雨桐 马文博 朱雅婷 胡天佑 郭晨曦 何静怡 高梓睿 林可馨 罗一鸣 欧阳明月 郑博文 梁诗琪 谢宇航'.split(
    ' ',
  )
const fathers = '建国 志强 海涛 永刚 文军 立新'.split(' ')
const mothers = '张丽 李敏 陈静 刘芳 杨艳 周红'.split(' ')

const grades = ['一年级', '二年级', '三年级', '四年级', '五年级', '六年级']

/** So many pupils of a grade, spread over its classes in blocks. */
export function pupils(count: number, { grade = 3, classes = 1 } = {}): Pupil[] {
  return Array.from({ length: count }, (_pupil, at) => {
    const name = names[at % names.length]!
    const sex = at % 2 ? '女' : '男'
    const birth = `${2026 - 6 - grade}-${String((at % 12) + 1).padStart(2, '0')}-${String(((at * 5) % 28) + 1).padStart(2, '0')}`
    const sequence = String((at * 2 + (sex === '男' ? 1 : 0)) % 1_000).padStart(3, '0')
    const first = `110103${birth.replaceAll('-', '')}${sequence}`
    const surname = name.startsWith('欧阳') ? '欧阳' : name.slice(0, 1)
    return {
      no: at + 1,
      name: at < names.length ? name : `${name}${'甲乙丙丁戊己'[Math.floor(at / names.length) - 1] ?? '庚'}`,
      sex,
      birth,
      idNo: first + idNoCheckDigit(first),
      grade: grades[grade - 1]!,
      classNo: Math.floor((at * classes) / count) + 1,
      studentNo: `2024${String(at + 1).padStart(4, '0')}`,
      address: `幸福路${at + 1}号`,
      father: { name: surname + fathers[at % fathers.length]!, phone: `139${String(grade * 10_000_000 + at)}` },
      mother: { name: mothers[at % mothers.length]!, phone: `138${String(grade * 10_000_000 + at)}` },
    }
  })
}

/** A day as clerks type it. */
export const daysOf: Readonly<Record<string, (day: string) => string>> = {
  iso: (day) => day,
  slashes: (day) => parts(day).join('/'),
  dashes: (day) => parts(day).join('-'),
  dots: (day) => parts(day).join('.'),
  digits: (day) => day.replaceAll('-', ''),
  han: (day) => `${parts(day)[0]}年${parts(day)[1]}月${parts(day)[2]}日`,
  hao: (day) => `${parts(day)[0]}年${parts(day)[1]}月${parts(day)[2]}号`,
  wide: (day) => wide(`${parts(day)[0]}年${parts(day)[1]}月${parts(day)[2]}日`),
  spaces: (day) => parts(day).join(' '),
  pauses: (day) => parts(day).join('、'),
  midnight: (day) => `${day} 00:00:00`,
  instant: (day) => `${day}T00:00:00`,
  shown: (day) => `'${day}`,
  words: (day) => `${parts(day)[2]}-${months[parts(day)[1]! - 1]}-${parts(day)[0]}`,
  american: (day) => `${months[parts(day)[1]! - 1]} ${parts(day)[2]}, ${parts(day)[0]}`,
  number: (day) => String(Math.round((Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000)),
  characters: (day) =>
    `${[...String(parts(day)[0])].map(han).join('')}年${hanNumber(parts(day)[1]!)}月${hanNumber(parts(day)[2]!)}日`,
}
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const parts = (day: string): number[] => day.split('-').map(Number)
const han = (digit: string): string => '〇一二三四五六七八九'[Number(digit)]!
const hanNumber = (number: number): string =>
  number < 10
    ? han(String(number))
    : `${number < 20 ? '' : han(String(Math.floor(number / 10)))}十${number % 10 ? han(String(number % 10)) : ''}`
/** Digits as wide as Chinese signs. */
export const wide = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
