import type { RuleName, Words } from './field.ts'
import { checkIdNo } from './rules/id-no.ts'
import { checkMobile, checkNationalCode, checkPhone, checkSchoolCode, checkUscc } from './rules/numbers.ts'

export * from './rules/id-no.ts'
export * from './rules/mask.ts'
export * from './rules/numbers.ts'
export * from './rules/text.ts'

/** A named check: null when the value is fine, else what is wrong with it in both languages. */
export interface Rule {
  /** The keys that a telephone shows for it, where they are not those of a text. */
  readonly inputMode?: 'tel'
  check(value: string): Words | null
}

// An empty value is judged by `required`, not here.
const rule = (check: (value: string) => Words | null): Rule => ({
  check: (value) => (value === '' ? null : check(value)),
})

const pattern = (shape: RegExp, zh: string, en: string): Rule =>
  rule((value) => (shape.test(value) ? null : { zh, en }))

function checkPersonName(value: string): Words | null {
  const length = [...value].length
  if (length < 2 || length > 50) return { zh: '姓名应为2–50个字', en: 'A name has 2–50 characters' }
  return /^\p{L}[\p{L}\p{M}〇· .'’-]*$/u.test(value)
    ? null
    : {
        zh: '姓名只能包含文字、间隔号、连字符、撇号、点和空格',
        en: 'A name may contain only letters, middle dots, hyphens, apostrophes, periods and spaces',
      }
}

function checkUrl(value: string): Words | null {
  const wrong = { zh: '网址应以http://或https://开头', en: 'A web address begins with http:// or https://' }
  if (/\s/.test(value)) return wrong
  try {
    const { protocol, hostname, username } = new URL(value)
    return (protocol === 'http:' || protocol === 'https:') && hostname !== '' && username === '' ? null : wrong
  } catch {
    return wrong
  }
}

function checkEmail(value: string): Words | null {
  const [name = '', host = '', ...more] = value.split('@')
  const good =
    more.length === 0 &&
    value.length <= 254 &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(name) &&
    name.length <= 64 &&
    /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u.test(host)
  return good ? null : { zh: '邮箱格式不正确', en: 'The e-mail address is not well formed' }
}

/** The checks that a field may name; the server and the console run the same ones, on a value that `tidy` has made. */
export const rules: Record<RuleName, Rule> = {
  code: pattern(
    /^[A-Za-z0-9_-]{1,32}$/,
    '编号只能包含字母、数字、下划线和短横线，最长32位',
    'A code may contain only letters, digits, _ and -, at most 32',
  ),
  personName: rule(checkPersonName),
  idNo: rule(checkIdNo),
  mobile: { check: (value) => checkMobile(value, false), inputMode: 'tel' },
  phone: { ...rule(checkPhone), inputMode: 'tel' },
  email: rule(checkEmail),
  url: rule(checkUrl),
  color: pattern(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, '颜色应形如#1677ff', 'A colour looks like #1677ff'),
  postcode: pattern(/^\d{6}$/, '邮政编码应为6位数字', 'A postcode has 6 digits'),
  schoolCode: rule(checkSchoolCode),
  nationalCode: rule(checkNationalCode),
  uscc: rule(checkUscc),
  clock: pattern(/^([01]\d|2[0-3]):[0-5]\d$/, '时间应形如08:00', 'A time looks like 08:00'),
  account: pattern(
    /^[A-Za-z0-9][A-Za-z0-9._@-]{1,44}$/,
    '账号应为2–45位字母、数字或 . _ @ -，以字母或数字开头',
    'An account is 2–45 letters, digits or . _ @ -, beginning with a letter or digit',
  ),
}
