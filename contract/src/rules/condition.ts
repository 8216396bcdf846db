import { entities } from '../entities/index.ts'
import { type Field, type Kind, natureOf, type Words } from '../field.ts'
import {
  fault,
  isObject,
  isRowId,
  joinList,
  looseText,
  type NamedRow,
  type ReadValue,
  unknownPart,
  unknownPartFault,
  type ValueRule,
  type ValueWords,
} from './value-parts.ts'

/** Comparisons, in words. */
export const opWords = {
  equal: { zh: '是', en: 'is' },
  notequal: { zh: '不是', en: 'is not' },
  ge: { zh: '大于或等于', en: 'is at least' },
  le: { zh: '小于或等于', en: 'is at most' },
  gt: { zh: '大于', en: 'is more than' },
  lt: { zh: '小于', en: 'is less than' },
  null: { zh: '为空', en: 'is empty' },
  notnull: { zh: '不为空', en: 'is not empty' },
  like: { zh: '包含', en: 'contains' },
  in: { zh: '属于', en: 'is one of' },
} as const satisfies Readonly<Record<string, Words>>
export type ConditionOperator = keyof typeof opWords

/** Of days: later and earlier instead of more and less. */
export const dayOpWords = {
  ge: { zh: '不早于', en: 'is not before' },
  le: { zh: '不晚于', en: 'is not after' },
  gt: { zh: '晚于', en: 'is after' },
  lt: { zh: '早于', en: 'is before' },
} as const satisfies Readonly<Record<string, Words>>

/** What a condition of a data scope may say instead of an id: what is one's own. */
export const ownWords = {
  $me: { zh: '本人', en: 'the user' },
  $myDepts: { zh: '本人所在部门', en: 'the user’s departments' },
  $myDeptsBelow: { zh: '本人所在部门及下级', en: 'the user’s departments and those below' },
  $mySchools: { zh: '本人所在学校', en: 'the user’s schools' },
  $myClasses: { zh: '本人任教的班级', en: 'the classes that the user teaches' },
} as const satisfies Readonly<Record<string, Words>>

export const joinWords = {
  all: { zh: '，并且', en: ', and ' },
  any: { zh: '，或者', en: ', or ' },
  open: { zh: '（', en: '(' },
  shut: { zh: '）', en: ')' },
  yes: { zh: '是', en: 'Yes' },
  no: { zh: '否', en: 'No' },
} as const satisfies Readonly<Record<string, Words>>

/** One comparison of a field. */
export interface Condition {
  readonly field: string
  readonly op: ConditionOperator
  readonly value?: unknown
}
export type ConditionMode = 'all' | 'any'
/** Members of which all, or any, must hold. */
export type Group = { readonly all: readonly ConditionMember[] } | { readonly any: readonly ConditionMember[] }
export type ConditionMember = Condition | Group

/** Groups stand in one another this deep at most. */
export const deepestGroup = 3
const most = 20

export const isGroup = (value: unknown): value is Group =>
  isObject(value) && (Array.isArray(value.all) || Array.isArray(value.any))
export const modeOf = (group: Group): ConditionMode => ('all' in group ? 'all' : 'any')
export const membersOf = (group: Group): readonly ConditionMember[] => ('all' in group ? group.all : group.any)
export const groupOf = (mode: ConditionMode, members: readonly ConditionMember[]): Group =>
  mode === 'all' ? { all: members } : { any: members }

/** Comparisons that need no value. */
export const isBare = (op: string): boolean => op === 'null' || op === 'notnull'
export const isWord = (value: unknown): value is keyof typeof ownWords =>
  typeof value === 'string' && Object.hasOwn(ownWords, value)

/** How a comparison of a field of this kind is said. */
export const opText = (op: ConditionOperator, kind: Kind | undefined): Words =>
  kind && /^(day|moment)$/.test(natureOf(kind)) && Object.hasOwn(dayOpWords, op)
    ? dayOpWords[op as keyof typeof dayOpWords]
    : opWords[op]

const all = Object.keys(opWords) as readonly ConditionOperator[]
const order: readonly ConditionOperator[] = ['ge', 'le', 'gt', 'lt']

/** The comparisons that a field of this kind allows; none where it is sealed, or no single value. */
export function opsOf(kind: Kind): readonly ConditionOperator[] {
  const nature = natureOf(kind)
  if (nature === 'personal' || nature === 'secret' || nature === 'json') return []
  // Whose id is larger says nothing.
  const ordered = nature !== 'row' && nature !== 'rows' && nature !== 'keys'
  const texts = nature === 'text'
  return all.filter((op) => (ordered || !order.includes(op)) && (texts || op !== 'like'))
}

const fieldOf = (of: string | undefined, name: string): Field | undefined =>
  entities.find((entity) => entity.name === of)?.fields[name]

const count = (value: ConditionMember): number =>
  isGroup(value) ? membersOf(value).reduce((sum, member) => sum + count(member), 0) : 1

function readGroup(value: unknown, depth: number): ReadValue<Group> {
  if (!isGroup(value) || Object.keys(value).length !== 1) return fault('应为条件组', 'must be a group of conditions')
  if (membersOf(value).length === 0) return fault('至少要有一个条件', 'needs at least one condition')
  if (depth > deepestGroup)
    return fault(`条件组最多嵌套${deepestGroup}层`, `groups may stand ${deepestGroup} deep at most`)
  for (const member of membersOf(value)) {
    const read = isGroup(member) ? readGroup(member, depth + 1) : readCondition(member)
    if ('fault' in read) return read
  }
  return { value }
}

function readCondition(value: unknown): ReadValue<Condition> {
  if (!isObject(value) || typeof value.field !== 'string') return fault('条件不完整', 'holds an incomplete condition')
  const unknown = unknownPart(value, ['field', 'op', 'value'])
  if (unknown !== undefined) return unknownPartFault(unknown)
  if (typeof value.op !== 'string' || !Object.hasOwn(opWords, value.op))
    return fault('比较方式不正确', 'holds a comparison that does not exist')
  return { value: value as unknown as Condition }
}

const given = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function valueText(field: Field | undefined, value: unknown, said: ValueWords): string {
  const { language } = said
  if (isWord(value)) return ownWords[value][language]
  return joinList(
    given(value).map((each) => {
      const text = looseText(each, language)
      if (field?.to) return said.name(text) ?? '…'
      if (field?.dict) return said.word?.(field.dict, text) ?? text
      if (field?.kind === 'flag') return joinWords[Number(each) === 1 ? 'yes' : 'no'][language]
      if (field?.kind === 'region') return said.name(text) ?? text
      return text
    }),
    language,
  )
}

function memberText(member: ConditionMember, said: ValueWords, of: string | undefined): string {
  const { language } = said
  if (isGroup(member)) return `${joinWords.open[language]}${groupText(member, said, of)}${joinWords.shut[language]}`
  const field = fieldOf(of, member.field)
  const label = field?.label[language] ?? member.field
  const space = language === 'zh' ? '' : ' '
  const start = `${label}${space}${opText(member.op, field?.kind)[language]}`
  return isBare(member.op) ? start : `${start}${space}${valueText(field, member.value, said)}`
}

const groupText = (group: Group, said: ValueWords, of: string | undefined): string =>
  membersOf(group)
    .map((member) => memberText(member, said, of))
    .join(joinWords[modeOf(group)][said.language])

function namedIn(member: ConditionMember, of: string | undefined): readonly NamedRow[] {
  if (isGroup(member)) return membersOf(member).flatMap((each) => namedIn(each, of))
  const to = fieldOf(of, member.field)?.to
  return to === undefined || isBare(member.op)
    ? []
    : given(member.value).flatMap((id) => (isRowId(id) ? { to, id } : []))
}

/** Conditions on the fields of an entity. Whether a field can be compared so is for the server to say. */
export const condition: ValueRule<Group> = {
  read(value) {
    const read = readGroup(value, 1)
    return 'value' in read && count(read.value) > most
      ? fault(`最多${most}个条件`, `has more than ${most} conditions`)
      : read
  },
  text: groupText,
  named: namedIn,
}

/** Whether a condition lacks what it compares with. */
export const lacksValue = ({ op, value }: Condition): boolean =>
  !isBare(op) && (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
