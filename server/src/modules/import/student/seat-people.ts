import { tidyText } from '@data-brain/contract'
import { memberParts, type Part } from '@data-brain/contract/import/student-form'
import type { Values } from '../../../entity/check.ts'
import { firstLast, tidyName } from '../batch/cell-words.ts'
import { isMember, type MappedColumn } from '../batch/row.ts'
import { relationOf } from './people.ts'
import { type fetchersOf, readWorker } from './people-cells.ts'
import { type IsPlace, kinshipPrefix, type NamedPerson, readPeople } from './people-read.ts'

/* Who stands in a row's cells about guardians, each in a place of its own. */

/** Somebody whom a cell names beside the person that it is about. */
export type NamedBeside = NamedPerson & { readonly beside: Values }

/** Who fetches a child, as a cell calls them. */
export type Fetchers = NonNullable<ReturnType<typeof fetchersOf>>

/** A heading that names both parents: 父母姓名; with a sign between it tells the order of its cells as well: 父/母姓名. */
const ofBoth = /^(?:父母|爸爸?妈妈?)(?:双方)?(?:姓名|名字)?(?:(?:联系)?(?:电话|方式)|手机号?码?)?$/
const inOrder = /(父亲|父|爸爸|爸)(?:姓名|名字|(?:联系)?电话|手机号?码?)?\s*[/、,|&和与及或]\s*(母亲|母|妈妈|妈)/

const asParents = (one: NamedPerson, two: NamedPerson): readonly NamedPerson[] => [
  { ...one, word: '父亲' },
  { ...two, word: '母亲' },
]

/**
 * Two names of whom nothing else is said are those of the father and the mother where the pupil's surname tells that the
 * father stands first, or where it tells nothing and the heading does. A clerk who wrote the mother first would have both
 * swapped: then they are guardians of no relation.
 */
function fatherFirst(people: readonly NamedPerson[], heading: string, pupil: string): readonly NamedPerson[] {
  const [one, two, ...others] = people
  const isBare = people.every(({ word }) => word === undefined)
  if (!isBare || !one?.name || !two?.name || others.length > 0) return people
  const isOf = (name: string): boolean => pupil !== '' && [...name][0] === [...pupil][0]
  const tells = isOf(one.name) !== isOf(two.name)
  return (tells ? isOf(one.name) : inOrder.test(heading)) ? asParents(one, two) : people
}

/** Two numbers under 父/母电话, of people whom the row does not name. */
function numbersInOrder(people: readonly NamedPerson[]): readonly NamedPerson[] {
  const [one, ...others] = people
  const [first, second, ...more] = one?.phones ?? []
  return one && others.length === 0 && !one.name && !one.word && first && second && more.length === 0
    ? asParents({ phones: [first] }, { phones: [second] })
    : people
}

/** The second of two numbers in a cell, and whether the heading says that both are of one person. */
export interface SecondNumber {
  readonly draft: Values
  readonly phone: string
  readonly isOwn: boolean
}

/** A heading that says of whom it is: 父亲电话. */
const ofOne = /父|母|爸|妈|爷|奶|姥|祖|外公|外婆/

/** A cell that may name several people, and what the rest of its row says. */
interface PeopleCell {
  readonly text: string
  readonly heading?: string | undefined
  /** The pupil's name. */
  readonly pupil: string
  /** What another cell of the row calls the guardian, and the relation that it is known by. */
  readonly named: string
  readonly relation: string | undefined
  readonly isPlace: IsPlace
}

/** The one of a kind: whoever stands in the place of the father or the mother is called so as well. */
const placeOfRelation: Readonly<Record<string, string>> = { '57': '51', '58': '52' }
const samePlace = (one: string, other: string): boolean =>
  (placeOfRelation[one] ?? one) === (placeOfRelation[other] ?? other)
const titled = /^(\p{Script=Han})(?:女士|先生|老师|师傅)$/u

/**
 * Whether the cell of somebody's number names somebody else: 奶奶138… under 母亲电话, or 李红138… beside another name. 林女士
 * beside 林芳 is nobody else.
 */
function isAnother({ name, word }: NamedPerson, draft: Values, { named, relation }: PeopleCell): boolean {
  const known = draft.relation ?? relation
  const meant = word === undefined ? undefined : relationOf(word)
  if (meant && known !== undefined && !samePlace(meant.relation, String(known))) return true
  if (name === undefined || named === '' || relationOf(named)) return false
  const surname = titled.exec(name)?.[1]
  return surname === undefined ? !named.includes(tidyName(name)) : !named.startsWith(surname)
}

/** Takes who and which numbers a guardian's cell names, and answers them; undefined where it says something else. */
export function takePeople(
  draft: Values,
  field: 'parentName' | 'mobile',
  cell: PeopleCell,
  more: NamedBeside[],
  second: SecondNumber[],
): readonly NamedPerson[] | undefined {
  const { text, heading: written = '', pupil, named: called, isPlace } = cell
  const plain = text.normalize('NFKC').trim()
  const heading = written.normalize('NFKC').trim()
  if (
    field === 'mobile'
      ? /^1[3-9]\d{9}$/.test(plain)
      : /^\p{Script=Han}{2,4}$/u.test(plain) && !relationOf(plain) && !kinshipPrefix.test(plain)
  ) {
    takeOne(draft, field === 'mobile' ? { phones: [plain] } : { name: plain, phones: [] })
    return []
  }
  const worker = field === 'parentName' ? readWorker(plain, heading) : undefined
  if (worker) {
    takeOne(draft, worker)
    return []
  }
  const turned = field === 'parentName' ? firstLast(plain) : plain
  const read = readPeople(turned.split(' ').some((word) => relationOf(word)) ? plain : turned, isPlace)
  const isOfBoth = ofBoth.test(heading) || inOrder.test(heading)
  const named = read && isOfBoth ? fatherFirst(read, heading, pupil) : read
  const isNamed = field === 'mobile' && called !== ''
  const people = named && !isNamed && inOrder.test(heading) ? numbersInOrder(named) : named
  const [first, ...others] = people ?? []
  if (!people || !first) return undefined
  // A heading that says whose the number is (父亲电话) finds its own among several: 父13800000001 母13900000002.
  const [one, two, ...rest] = first.phones
  if (others.length === 0 && first.name === undefined && first.word === undefined && one && two && rest.length === 0) {
    takeOne(draft, { ...first, phones: [one] })
    second.push({ draft, phone: two, isOwn: ofOne.test(heading) })
    return people
  }
  // Numbers that say each whose they are, under a heading that does not, find their people: 父亲：138… 母亲：139….
  const isApart = field === 'mobile' && others.length > 0 && !ofOne.test(heading)
  if (isApart && people.every(({ word, name }) => word !== undefined && name === undefined)) {
    for (const each of people) more.push({ ...each, beside: draft })
    return people
  }
  const own = field === 'mobile' ? people.find((each) => !isAnother(each, draft, cell)) : first
  if (own) takeOne(draft, own)
  for (const other of people) if (other !== own) more.push({ ...other, beside: draft })
  return people
}

/**
 * Of two numbers in a cell the second is that of the other person whom the cell of names has: 张三、李四 over 1390…/1380…; or
 * of the only other one whom the row names, where neither has a number of their own: 父亲, 母亲, 家长电话.
 */
export function giveSecond(
  { draft, phone, isOwn }: SecondNumber,
  more: NamedBeside[],
  drafts: Readonly<Record<Part, Values>>,
): void {
  const others = more.filter(({ beside, name }) => beside === draft && name !== undefined)
  const [other] = others
  const [neighbour, ...rest] = memberParts
    .map((part) => drafts[part])
    .filter((one) => one !== draft && one.parentName !== undefined)
  if (other && others.length === 1 && other.phones.length === 0) other.phones.push(phone)
  else if (!isOwn && others.length === 0 && neighbour && rest.length === 0 && neighbour.mobile === undefined)
    takeOne(neighbour, { phones: [phone] })
  else if (draft.otherPhone === undefined) takeOne(draft, { phones: [phone] })
  // 备用电话 has taken the second place: a third number is kept as somebody's.
  else if (draft.otherPhone !== phone) more.push({ phones: [phone], beside: draft })
}

function takeOne(draft: Values, { name, word, phones, workUnit, position, isGone }: NamedPerson): void {
  // Whoever has died is called by nobody, and nobody's guardian.
  if (isGone) Object.assign(draft, { isGuardian: 0, isEmergency: 0 })
  if (name !== undefined) draft.parentName ??= tidyName(name)
  if (workUnit !== undefined) draft.workUnit ??= workUnit
  if (position !== undefined) draft.position ??= position
  const meant = word === undefined ? undefined : relationOf(word)
  if (meant) {
    draft.relation ??= meant.relation
    if (meant.note) draft.relationNote ??= meant.note
  }
  for (const phone of phones)
    if (draft.mobile === undefined) draft.mobile = phone
    else if (draft.mobile !== phone) draft.otherPhone ??= phone
}

/**
 * 联系电话1 and 联系电话2 beside a cell that names two, 张三(父)、李四(母), are theirs in that order: the number that one
 * person would have as a second one goes to the other.
 */
function shareNumbers(more: readonly NamedBeside[]): void {
  for (const draft of new Set(more.map(({ beside }) => beside))) {
    const [other, ...rest] = more.filter(({ beside, name }) => beside === draft && name !== undefined)
    if (!other || rest.length > 0 || other.phones.length > 0 || typeof draft.otherPhone !== 'string') continue
    other.phones.push(draft.otherPhone)
    delete draft.otherPhone
  }
}

/** Whether somebody of whom a cell tells more is the one who is seated there. */
function isSeated(draft: Values, { name, word = '' }: NamedBeside): boolean {
  const meant = relationOf(word)
  if (!meant || draft.relation !== meant.relation) return false
  // 舅舅 and 姑姑 are both other relatives, and two people.
  const isNamedSo = name === undefined || draft.parentName === undefined || draft.parentName === tidyName(name)
  return meant.note === undefined
    ? isNamedSo || single.has(meant.relation)
    : isNamedSo && draft.relationNote === meant.note
}

/**
 * Seats those whom a cell named beside another person, and lets nobody stand twice. Answers those for whom there is no
 * seat left.
 */
export function seatPeople(drafts: Record<Part, Values>, more: readonly NamedBeside[]): readonly NamedBeside[] {
  shareNumbers(more)
  const unseated: NamedBeside[] = []
  for (const one of more) {
    const own = memberParts.find((part) => isSeated(drafts[part], one))
    // 张三 beside 爸爸138… 妈妈139… is the first of the two.
    const isOpen = one.name === undefined && one.beside.relation === undefined && one.beside.mobile === undefined
    const free = memberParts.find((part) => Object.keys(drafts[part]).length === 0)
    const draft = own ? drafts[own] : isOpen ? one.beside : free && drafts[free]
    if (draft) takeOne(draft, one)
    else unseated.push(one)
  }
  const numbers = new Set<unknown>()
  for (const part of memberParts) {
    const draft = drafts[part]
    const mobile = typeof draft.mobile === 'string' ? tidyText('phone', draft.mobile) : undefined
    if (mobile !== undefined && numbers.has(mobile)) {
      // Parents often share a number: it is the first one's, and the other's second.
      delete draft.mobile
      if (draft.parentName !== undefined) draft.otherPhone ??= mobile
    }
    if (mobile !== undefined) numbers.add(mobile)
    if (typeof draft.otherPhone === 'string' && tidyText('phone', draft.otherPhone) === draft.mobile)
      delete draft.otherPhone
    if (draft.mobile === undefined && draft.otherPhone !== undefined && draft.parentName === undefined) {
      inherit(drafts, draft.otherPhone)
      delete draft.otherPhone
    }
  }
  return unseated
}

const ofNobody: ReadonlySet<string> = new Set(['relation', 'relationNote', 'isGuardian', 'isEmergency', 'livesWith'])

/** 母亲 below 关系 with neither a name nor a number is what a form had printed there: nobody is named. */
export function forgetNobody(drafts: Record<Part, Values>): void {
  for (const part of memberParts) if (Object.keys(drafts[part]).every((field) => ofNobody.has(field))) drafts[part] = {}
}

/** A second number of somebody whom the row does not name is another guardian's, or else the one to call. */
function inherit(drafts: Record<Part, Values>, phone: unknown): void {
  const number = tidyText('phone', String(phone))
  const there = memberParts
    .map((part) => drafts[part])
    .filter(({ parentName, mobile }) => parentName !== undefined || mobile !== undefined)
  const has = ({ mobile, otherPhone }: Values): boolean =>
    [mobile, otherPhone].some((each) => typeof each === 'string' && tidyText('phone', each) === number)
  if (there.some(has)) return
  const heir = there.find(({ otherPhone }) => otherPhone === undefined)
  if (heir) heir.otherPhone = phone
  else drafts.detail.emergencyPhone ??= phone
}

/**
 * Takes name, relation and number of the emergency contact out of one cell, 李敏（母亲）13800000001 or 爷爷138…, and answers who
 * that is; undefined where the cell holds no more than its column asks for.
 */
export function takeEmergency(
  detail: Values,
  field: 'emergencyName' | 'emergencyPhone',
  text: string,
  isPlace: IsPlace,
): readonly NamedPerson[] | undefined {
  const [one, ...others] = readPeople(text, isPlace) ?? []
  if (one?.phones.length !== 1 || others.length > 0) return undefined
  const called = one.name ?? one.word
  if (called === undefined && one.note === undefined && field === 'emergencyPhone') return undefined
  if (called !== undefined) detail.emergencyName ??= tidyName(called)
  detail.emergencyPhone ??= one.phones[0]
  const meant = one.word === undefined ? undefined : relationOf(one.word)
  if (meant) detail.emergencyRelation ??= meant.relation
  return [one]
}

/** The number of somebody who stands twice in a row is no second number. */
function oneNumberOnce(draft: Values): void {
  const numberOf = (value: unknown): string => (typeof value === 'string' ? tidyText('phone', value) : '')
  if (numberOf(draft.otherPhone) === numberOf(draft.mobile)) delete draft.otherPhone
}

/** Relations of which a pupil has one each. */
const single: ReadonlySet<unknown> = new Set(['51', '52'])

/** Whether nothing is known of somebody but a number. */
const isOnlyNumber = (draft: Values): boolean =>
  draft.mobile !== undefined && draft.parentName === undefined && draft.relation === undefined

/** 监护人 张三, 关系 父亲 behind 父亲姓名 张三 is the father once more: nobody stands twice. */
export function uniteSame(drafts: Record<Part, Values>): void {
  for (const [at, part] of memberParts.entries())
    for (const before of memberParts.slice(0, at)) {
      const [one, again] = [drafts[before], drafts[part]]
      if (isOnlyNumber(again) && [one.mobile, one.otherPhone].includes(again.mobile)) {
        drafts[part] = {}
        continue
      }
      const isRelated = one.relation === again.relation || one.relation === undefined || again.relation === undefined
      const isNamed = one.parentName !== undefined && one.parentName === again.parentName
      const isOpen = one.parentName === undefined || again.parentName === undefined
      if (!isRelated || !(isNamed || (isOpen && one.relation === again.relation && single.has(one.relation)))) continue
      const { mobile, ...more } = again
      for (const [name, value] of Object.entries(more)) one[name] ??= value
      if (mobile !== undefined && one.mobile === undefined) one.mobile = mobile
      else if (mobile !== undefined && mobile !== one.mobile) one.otherPhone ??= mobile
      oneNumberOnce(one)
      drafts[part] = {}
    }
}

/**
 * Lets those fetch the child whom a cell only calls 妈妈 or 父母, where the row names them; false where one of them is not
 * named, so that the words are kept.
 */
export function letFetch(drafts: Record<Part, Values>, { relations, isOther }: Fetchers): boolean {
  const isThere = ({ parentName, mobile }: Values): boolean => (parentName ?? mobile) !== undefined
  const found = relations.map((relation) =>
    memberParts.map((part) => drafts[part]).find((draft) => draft.relation === relation && isThere(draft)),
  )
  for (const draft of found) if (draft) draft.canPickup = 1
  return !isOther && found.every(Boolean)
}

/**
 * Whoever is named under 接送人 may fetch the child. 妈妈 there is the mother whom the row names already, and so is her own
 * name: nobody stands twice.
 */
export function seatFetchers(drafts: Record<Part, Values>, columns: readonly MappedColumn[]): void {
  for (const { column, heading } of columns) {
    const part = column.field === 'parentName' && isMember(column.part) ? column.part : undefined
    if (!part || !/接送/.test(heading ?? '')) continue
    const { parentName, mobile, relation, ...more } = drafts[part]
    if (parentName === undefined && mobile === undefined && relation === undefined) continue
    const same = memberParts.find((other) => {
      const one = drafts[other]
      if (other === part || (one.parentName === undefined && one.mobile === undefined)) return false
      return parentName === undefined && mobile === undefined
        ? one.relation === relation
        : parentName !== undefined && one.parentName === parentName
    })
    if (!same) {
      if (parentName !== undefined || mobile !== undefined) drafts[part].canPickup = 1
      continue
    }
    if (mobile !== undefined && mobile !== drafts[same].mobile) {
      if (drafts[same].mobile === undefined) drafts[same].mobile = mobile
      else drafts[same].otherPhone ??= mobile
    }
    drafts[same].relation ??= relation
    drafts[same].canPickup = 1
    for (const [name, value] of Object.entries(more)) drafts[same][name] ??= value
    oneNumberOnce(drafts[same])
    drafts[part] = {}
  }
}
