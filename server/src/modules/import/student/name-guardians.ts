import { looseField, roleOf } from './people.ts'
import type { Heading } from './people-columns.ts'

/* Columns that do not say whose they are, and stand to the right of a guardian's name: they are the guardian's. */

const parentOrGuardian =
  /^(父亲?|母亲?|爸爸|妈妈)(?:或者?|或其他)?(?:其他|法定)?(?:监护人|家长)(?=姓名|名字|联系|电话|手机|工作|单位|职|身份证|证件|学历|文化|与|关系|住址|地址|户|民族)/
const bareParent = /^(父亲?|母亲?|爸爸|妈妈)(?:或者?|或其他)?(?:其他|法定)?(?:监护人|家长)$/

/**
 * 父亲/监护人姓名 beside 母亲/监护人姓名 are those of the father and of the mother, or of who stands for them: two people.
 * One of the two by itself may be anybody, and says no relation.
 */
export function nameParents(ways: string[][], columns: readonly Heading[]): void {
  // Without a word behind it, that asks for a name where names stand below; with 是 and 否 it asks whether.
  for (const [index, forms] of ways.entries()) {
    const { names = 0, filled = 0 } = columns[index]?.facts ?? {}
    if (names > filled / 2) ways[index] = forms.map((form) => (bareParent.test(form) ? `${form}姓名` : form))
  }
  const sides = new Set(ways.flat().flatMap((form) => parentOrGuardian.exec(form)?.[1]?.[0] ?? []))
  if (sides.size === 0) return
  const areBoth = [...sides].some((sign) => '父爸'.includes(sign)) && [...sides].some((sign) => '母妈'.includes(sign))
  for (const [index, forms] of ways.entries()) {
    const own = forms.flatMap((form) => {
      const found = parentOrGuardian.exec(form)
      return found ? [(areBoth ? found[1]! : '监护人') + form.slice(found[0].length)] : []
    })
    if (own.length > 0) ways[index] = own
  }
}

const pupilHeading = /^(学生|孩子|儿童|幼儿|宝宝|宝贝|子女|被监护人)(的)?(姓名|名字|名称)?$/
const ofGuardian =
  /^(身份证号码?|身份证件号码?|证件号码?|民族|工作单位|单位|职务|职业|学历|文化程度|住址|现住址|家庭住址|地址|联系电话|联系方式|手机号?码?|电话|关系|称谓)$/

/** Beside 学生姓名, a 姓名 that names nobody is the guardian's, and so is what stands to its right without a name. */
export function nameGuardians(ways: string[][], isTheirs: boolean): void {
  if (isTheirs) nameAddress(ways)
  const pupil = ways.findIndex(([form = '']) => pupilHeading.test(form))
  const at = ways.findIndex(([form]) => form === '姓名')
  // In a list of pupils the guardian stands to the right of the pupil.
  if (at < 0 || pupil < 0 || (!isTheirs && at < pupil)) return
  for (const [index, forms] of ways.entries())
    if (index === at || (index > at && (ofGuardian.test(forms[0]!) || looseField(forms[0]!) === 'relation')))
      ways[index] = forms.map((form) => `家长${form}`)
}

/** The only guardian whom the headings of a row name, and where. */
function onlyGuardian(ways: readonly string[][]): { readonly at: number; readonly who: string } | undefined {
  const named = ways.flatMap((forms, at) => {
    const role = forms.map(roleOf).find(Boolean)
    return role?.field === 'parentName' ? [{ at, who: role.who }] : []
  })
  const [one, ...others] = named
  return one && others.length === 0 && /^(监护人|家长|联系人)1?$/.test(one.who) ? one : undefined
}

/** In a list of guardians with one in a row, the address and the work to the right of that one's name are that one's. */
function nameAddress(ways: string[][]): void {
  const one = onlyGuardian(ways)
  if (!one) return
  let isDone = false
  for (const [index, forms] of ways.entries()) {
    if (index <= one.at) continue
    if (pupilHeading.test(forms[0]!)) return
    if (!isDone && /^(现?家庭)?(现)?(居住)?(住址|地址)$/.test(forms[0]!)) {
      ways[index] = [`${one.who}现住址`]
      isDone = true
    } else if (/^(工作单位|单位)(及|和|与)?(职务|职业)?$|^(职务|职业|学历|文化程度|民族)$/.test(forms[0]!))
      ways[index] = forms.map((form) => `${one.who}${form}`)
  }
}

const bareIdNo = /^(居民|公民)?身份证(件)?(号码?)?$|^证件号码?$|^公民身份号码$/
/** Whoever is older goes to no school of these. */
const pupilsMost = 25

/** An identity number of a grown-up to the right of the only guardian's name is the guardian's. */
export function nameIdNo(ways: string[][], columns: readonly Heading[]): void {
  const one = onlyGuardian(ways)
  if (!one) return
  const born = new Date().getFullYear() - pupilsMost
  for (const [index, forms] of ways.entries()) {
    const numbers = (columns[index]?.facts?.samples ?? []).filter((each) => /^\d{17}[\dXx]$/.test(each.trim()))
    if (index <= one.at || !bareIdNo.test(forms[0]!) || numbers.length === 0) continue
    if (numbers.every((each) => Number(each.trim().slice(6, 10)) < born)) ways[index] = [`${one.who}身份证号`]
  }
}
