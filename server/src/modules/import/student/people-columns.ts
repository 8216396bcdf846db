import { memberParts } from '@data-brain/contract/import/student-form'
import type { Column } from '../file/table.ts'
import {
  isMail,
  isTheirMail,
  looseField,
  ofCare,
  ofSomebodyElse,
  type Role,
  relationOf,
  relativesIn,
  roleOf,
  saysPupil,
  tellsBothEnds,
  tellsWhomToCall,
} from './people.ts'

/** Which field of the form a heading of the file means, and how sure that is. */
export interface Match {
  readonly key: string
  readonly confidence: number
  /** What it means rather in a school whose pupils have telephones of their own. */
  readonly elder?: string
}

/** What is known of a column before it is matched. */
export type Heading = Pick<Column, 'heading'> & Partial<Pick<Column, 'parts' | 'from' | 'facts'>>

/** 称谓1, 姓名1 and 电话1 as what they are: of the first guardian. */
const asCounted = (form: string): string =>
  form.replace(
    /^(姓名|称谓|称呼|关系|与(?:学生|孩子)关系|联系电话|电话|手机号码?|手机|联系方式|工作单位|单位)([1-6一二三四五六])$/,
    '家长$2$1',
  )

/** 监护人类型 with 父亲 and 母亲 tells the relation; with 法定监护人 it tells none. */
const isKind = (form: string): boolean => /(类型|类别)[1-6一二三四五六]?$/.test(form)
const tellsRelation = ({ facts }: Heading): boolean =>
  facts !== undefined && facts.samples.length > 0 && facts.samples.every((each) => relationOf(each) !== undefined)

/** Whoever is called a guardian and no more. */
const isGeneric = /^(监护人|家长|联系人)1?$/

/** Whether the numbers of a column are of telephones that stand in a house. */
const holdsLandlines = ({ facts }: Heading): boolean =>
  facts !== undefined &&
  facts.samples.length > 0 &&
  facts.samples.every((each) => /^(?:\(?0\d{2,3}\)?[-\s]?)?[2-9]\d{6,7}$/.test(each.trim()))

/** Of whom a heading of numbers speaks who is none of the family, or of what it numbers: 学校电话, 代办员手机号. */
const ofOthers = /[人员师长友]|干部|主任|书记|校|村|社区|单位|公司|车|店|投诉|咨询|办公|卡号|证|学生|本人|原|旧/

/**
 * Whether the cells are numbers of mobile telephones, each another, under a heading that names a telephone and nobody: 接收短信
 * 手机号, 绑定手机. A list of pupils has such numbers of the families.
 */
const holdsMobiles = (form: string, { facts }: Heading): boolean =>
  facts !== undefined &&
  facts.mobiles > 1 &&
  facts.mobiles === facts.filled &&
  facts.samples.length === Math.min(facts.filled, 8) &&
  /(?:手机|电话)(?:号码?)?$/.test(form) &&
  !ofOthers.test(form) &&
  !ofSomebodyElse(form) &&
  !saysPupil(form)

/** What stands to the right of whom it is about. */
const ofNearest: ReadonlySet<string> = new Set([
  'relation',
  'relationNote',
  'position',
  'education',
  'livesWith',
  'isEmergency',
])

/** The guardians of a file: which columns speak of whom. */
export class People {
  readonly matches = new Map<number, Match>()
  readonly fixed: Record<string, string> = {}
  readonly #roles = new Map<number, Role>()
  readonly #loose = new Map<number, string>()
  /** Loose columns of second numbers: counted, as 联系电话2 is, or of telephones at home. */
  readonly #second = new Set<number>()
  /** Columns whose proposal somebody has to look at. */
  readonly #doubtful = new Set<number>()

  constructor(
    columns: readonly Heading[],
    ways: readonly string[][],
    exact: ReadonlyMap<string, Match>,
    { isOfPupils = true } = {},
  ) {
    const order: string[] = []
    const all = new Set(ways.flat().map((form) => exact.get(form)?.key))
    // 姓名1 beside 学生姓名 is somebody else's, and so are 称谓1 and 电话1.
    const isCounted = all.has('student.name') && ways.flat().some((form) => /^姓名[1-6一二三四五六]$/.test(form))
    const asRelative = relativesIn(ways.flat())
    const called = (form: string): string => (isCounted ? asCounted(form) : asRelative(form))
    /** Behind 紧急联系人 a number or relation that says no more is that person's. */
    let isEmergency = false
    for (const [at, forms] of ways.entries()) {
      if ((columns[at]?.from ?? 'file') !== 'file') continue
      for (const form of forms) {
        if (tellsWhomToCall(form, columns[at]?.facts?.samples ?? [])) {
          this.#loose.set(at, 'isEmergency')
          break
        }
        const known = exact.get(form)
        if (known && !/^member/.test(known.key)) {
          isEmergency = /^detail\.emergency/.test(known.key)
          break
        }
        const told = known ? memberRole(known.key) : (roleOf(called(form)) ?? ofCare(form))
        const ofHead = tellsBothEnds(form, columns[at]?.facts?.samples ?? [])
        const role =
          ofHead ?? (told?.field === 'relation' && isKind(form) && !tellsRelation(columns[at]!) ? undefined : told)
        const loose = role ? undefined : looseField(form)
        const ofCalled = { mobile: 'detail.emergencyPhone', relation: 'detail.emergencyRelation' }[loose ?? '']
        if (role) this.#roles.set(at, role)
        else if (isEmergency && ofCalled && !all.has(ofCalled)) {
          all.add(ofCalled)
          this.matches.set(at, { key: ofCalled, confidence: 0.9 })
        } else if (loose) {
          this.#loose.set(at, loose)
          if (/^家庭|[1-4一二ab]$/.test(form) || holdsLandlines(columns[at]!)) this.#second.add(at)
        } else if (!known && holdsMobiles(form, columns[at]!)) {
          this.#loose.set(at, 'mobile')
          this.#doubtful.add(at)
        } else continue
        if (role) isEmergency = false
        break
      }
    }
    this.#forgetWriters()
    this.#forgetHousehold()
    this.#uniteCare()
    this.#tellApart()
    this.#loosen()
    this.#uniteNumbers()
    this.#unite()
    for (const role of this.#roles.values()) if (!order.includes(role.who)) order.push(role.who)
    this.#adopt(order, isOfPupils && !all.has('student.phone'))
    this.#number(order)
  }

  /** Whether a column is one of a guardian. */
  claims(at: number): boolean {
    return this.#roles.has(at) || this.matches.has(at)
  }

  /** Whether an e-mail address is one of a guardian: it says so, or stands right behind what is said of one. */
  hasMail(at: number, ways: readonly (readonly string[])[]): boolean {
    const is = (place: number, form: (folded: string) => boolean): boolean => ways[place]?.some(form) === true
    if (is(at, isTheirMail)) return true
    if (saysPupil(ways[at]?.[0] ?? '')) return false
    let before = at
    while (is(before, isMail)) before -= 1
    return before < at && this.#roles.has(before)
  }

  #has(who: string, field: string): boolean {
    return [...this.#roles.values()].some((role) => role.who === who && role.field === field)
  }

  /** Whether a field of somebody is said: by a column, or as 父亲姓名 says the relation itself. */
  #knows(who: string, field: string): boolean {
    const said = [...this.#roles.values()].some((role) => role.who === who && role.word !== undefined)
    return this.#has(who, field) || (field === 'relation' && said)
  }

  /** Who fills in a form is a guardian where it is asked who that is to the child; else it may be a teacher. */
  #forgetWriters(): void {
    const isWriter = (who: string): boolean => /^(填写人|填表人|填报人|答题人)/.test(who)
    const related = new Set([...this.#roles.values()].flatMap(({ who, field }) => (field === 'relation' ? who : [])))
    for (const [at, { who }] of this.#roles) if (isWriter(who) && !related.has(who)) this.#roles.delete(at)
  }

  /**
   * The head of a household is whom to call where a file names nobody else of the family, and gives a number. Beside 父亲 or
   * 监护人 he may be anybody of the house.
   */
  #forgetHousehold(): void {
    const heads = [...this.#roles].filter(([, { who }]) => who === '户主')
    const isCalled = heads.some(([, { field }]) => field === 'mobile') || [...this.#loose.values()].includes('mobile')
    const isAlone = [...this.#roles.values()].every(({ who, field }) => who === '户主' || field === 'relation')
    if (!isCalled || !isAlone) for (const [at] of heads) this.#roles.delete(at)
  }

  /** 接送家长 beside 家长联系电话 is one person, where neither says what the other does. */
  #uniteCare(): void {
    const apart = [...new Set([...this.#roles.values()].map(({ who }) => who))].filter((who) => who.startsWith('某'))
    const who = apart[0]?.slice(1)
    const said = (whose?: string): string[] =>
      [...this.#roles.values()].filter((role) => role.who === whose).map(({ field }) => field)
    if (apart.length !== 1 || said(who).some((field) => said(apart[0]).includes(field))) return
    for (const [at, role] of this.#roles) if (role.who === apart[0]) this.#roles.set(at, { ...role, who: who! })
  }

  /**
   * The same headings once more are about the next person: 家长姓名 关系 手机 家长姓名 关系 手机, and 称谓 姓名 电话 称谓 姓名 电话,
   * where what comes once more stands before the name.
   */
  #tellApart(): void {
    const names = new Map<string, number>()
    for (const { who, word, field } of this.#roles.values())
      if (word === undefined && field === 'parentName') names.set(who, (names.get(who) ?? 0) + 1)
    const met = new Map<string, { count: number; fields: Set<string> }>()
    for (const [at, role] of this.#roles) {
      const all = names.get(role.who) ?? 0
      if (role.word !== undefined || all < 2) continue
      const one = met.get(role.who) ?? { count: 1, fields: new Set<string>() }
      met.set(role.who, one)
      if (one.fields.has(role.field) && one.count < all) {
        one.count += 1
        one.fields.clear()
      }
      one.fields.add(role.field)
      if (one.count > 1) this.#roles.set(at, { ...role, who: `${role.who}${one.count}` })
    }
  }

  /** 家长电话 beside 父亲姓名 and 母亲姓名, who have no numbers of their own, is of one of them, as 联系电话 would be. */
  #loosen(): void {
    const named = [...this.#roles.values()].filter(({ word, field }) => word !== undefined && field === 'parentName')
    if (named.length === 0 || named.some(({ who }) => this.#has(who, 'mobile'))) return
    for (const who of this.#generic()) {
      const own = [...this.#roles].filter(([, role]) => role.who === who)
      if (own.some(([, { field }]) => field !== 'mobile')) continue
      for (const [at] of own) {
        this.#roles.delete(at)
        this.#loose.set(at, 'mobile')
      }
    }
  }

  /** Those who are called guardians, and nothing that tells them apart. */
  #generic(): string[] {
    return [...new Set([...this.#roles.values()].map(({ who }) => who))].filter((who) => isGeneric.test(who))
  }

  /**
   * 监护人 beside 家长电话 is one person, as 第一监护人姓名 beside 监护人关系 is: what is said of a guardian without a name
   * is of the only one with a name, unless that one's own column says it.
   */
  #unite(): void {
    const generic = this.#generic()
    const named = generic.filter((who) => this.#has(who, 'parentName'))
    if (named.length !== 1 || this.#has('监护人2', 'parentName') || this.#has('家长2', 'parentName')) return
    for (const who of generic) {
      const fields = [...this.#roles.values()].filter((role) => role.who === who).map(({ field }) => field)
      if (who === named[0] || fields.some((field) => this.#knows(named[0]!, field))) continue
      for (const [at, role] of this.#roles) if (role.who === who) this.#roles.set(at, { ...role, who: named[0]! })
    }
  }

  /** 家长电话 or 家长电话1, and 家长电话2, behind 家长姓名 count numbers, and not parents: nobody else is named. */
  #uniteNumbers(): void {
    const all = [...this.#roles]
    const named = all.filter(([, { word, field }]) => word === undefined && field === 'parentName')
    const [who = ''] = named.map(([, role]) => role.who)
    if (named.length !== 1 || !/^(监护人|家长|联系人)$/.test(who)) return
    const others = all.filter(([, role]) => role.who === `${who}2` || role.who === `${who}1`)
    if (others.length === 0 || others.some(([, { field }]) => field !== 'mobile')) return
    const first = all.filter(([, role]) => role.field === 'mobile' && (role.who === who || role.who === `${who}1`))
    const second = others.filter(([, role]) => role.who === `${who}2`)
    // 家长2电话 beside 家长电话 is somebody else's.
    if (first.length !== 1 || second.length !== 1) return
    if (others.length === 1 && !second[0]![1].isCounted) return
    for (const [at] of first) this.#roles.set(at, { who, field: 'mobile' })
    for (const [at] of second) this.#roles.set(at, { who, field: 'otherPhone' })
  }

  /**
   * 联系电话 between the pupil's own columns, with a column of its own for 家长联系电话 further on, is the pupil's. Beside
   * 父亲电话 and 母亲电话 it may be that of either, and is no pupil's.
   */
  #ownPhone(loose: readonly number[], order: readonly string[], isOfPupils: boolean): number | undefined {
    // 家庭电话 is none of the two.
    const [at, ...others] = loose.filter((place) => !this.#second.has(place))
    if (!isOfPupils || at === undefined || others.length > 0 || order.length === 0) return undefined
    const isFirst = [...this.#roles.keys()].every((place) => place > at)
    // The national form asks for the pupil's number, and then for that of each member of the family.
    const apart = order.length === 1 ? /^(家长|监护人|成员|成员或监护人)1?$/ : /^(成员|成员或监护人)[1-6]?$/
    return isFirst && order.every((who) => apart.test(who) && this.#has(who, 'mobile')) ? at : undefined
  }

  /** Gives what does not say whose it is to somebody: as many as there are people without one, each to the one before it. */
  #adopt(order: string[], isOfPupils: boolean): void {
    for (const field of [
      'mobile',
      'relation',
      'relationNote',
      'workUnit',
      'otherPhone',
      'isGuardian',
      'isEmergency',
      'position',
      'education',
      'livesWith',
    ]) {
      const loose = [...this.#loose].filter(([, each]) => each === field).map(([at]) => at)
      if (loose.length === 0) continue
      // A relation or an employer without a person is nobody's.
      if (order.length === 0) {
        if (field !== 'mobile' && field !== 'otherPhone') continue
        order.push('家长')
      }
      const own = field === 'mobile' ? this.#ownPhone(loose, order, isOfPupils) : undefined
      if (own !== undefined) {
        this.matches.set(own, { key: 'student.phone', confidence: 0.7 })
        loose.splice(loose.indexOf(own), 1)
      }
      const without = order.filter((who) => !this.#knows(who, field))
      // 手机号码 behind 家长姓名 and 家长电话 is nobody's whom the file names: a contact of its own, to be looked at.
      const isOther = field === 'mobile' && order.length === 1 && isGeneric.test(order[0]!) && without.length === 0
      const each = without.length > 1 && loose.length >= without.length
      for (const at of loose) {
        // 备用电话 beside 备用联系人 is that one's.
        const spare = field === 'otherPhone' && order.find((who) => who.startsWith('备用') && !this.#has(who, 'mobile'))
        if (spare) {
          this.#roles.set(at, { who: spare, field: 'mobile' })
          continue
        }
        const nearest = [...this.#roles]
          .filter(([place]) => place < at)
          .map(([, role]) => role.who)
          .at(-1)
        const first = order.find((who) => !this.#knows(who, field))
        const who = (each || ofNearest.has(field)) && nearest && !this.#knows(nearest, field) ? nearest : first
        if (who) this.#roles.set(at, { who, field })
        else if (isOther && !this.#second.has(at) && order.length < memberParts.length) {
          order.push(`家长${at}`)
          this.#roles.set(at, { who: `家长${at}`, field })
          this.#doubtful.add(at)
        } else if (field === 'mobile' && !this.#has(order[0]!, 'otherPhone'))
          this.#roles.set(at, { who: order[0]!, field: 'otherPhone' })
        else if (field === 'mobile' && order.length < memberParts.length) {
          order.push(`家长${at}`)
          this.#roles.set(at, { who: `家长${at}`, field })
        }
      }
    }
  }

  /** Gives each person a part of the form. */
  #number(order: readonly string[]): void {
    for (const [at, { who, word, field }] of [...this.#roles].sort(([a], [b]) => a - b)) {
      const part = memberParts[order.indexOf(who)]
      if (!part) continue
      const key = `${part}.${field}`
      if ([...this.matches.values()].some((match) => match.key === key)) continue
      this.matches.set(
        at,
        this.#doubtful.has(at) ? { key, confidence: 0.6, elder: 'student.phone' } : { key, confidence: 1 },
      )
      if (word && !this.#has(who, 'relation')) this.fixed[`${part}.relation`] = word
    }
  }
}

/** The heading of the national form itself: 成员2关系. */
function memberRole(key: string): Role {
  const [part = '', field = ''] = key.split('.')
  return { who: `成员${part.slice(-1)}`, field }
}
