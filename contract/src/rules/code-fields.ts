import { fault, isObject, isWhole, joinList, unknownPart, unknownPartFault, type ValueRule } from './value-parts.ts'

/** Kinds that a field of a generated entity can have. */
export const codeKinds = [
  'text',
  'area',
  'integer',
  'decimal',
  'flag',
  'date',
  'instant',
  'reference',
  'region',
  'personal',
] as const
export type CodeKind = (typeof codeKinds)[number]

/** A field of a table that an entity is generated of; names may still be missing. */
export interface CodeField {
  readonly name: string
  readonly zh: string
  readonly en: string
  readonly kind: CodeKind
  /** Longest text. */
  readonly max?: number
  /** Digits after the point. */
  readonly scale?: number
  readonly required?: 0 | 1
  readonly unique?: 0 | 1
  /** The entity that a reference points at. */
  readonly to?: string
}

/** Most fields of one entity. */
export const codeFieldsMost = 60

const known = ['name', 'zh', 'en', 'kind', 'max', 'scale', 'required', 'unique', 'to']
const isWord = (value: unknown, most: number): value is string =>
  typeof value === 'string' && [...value].length <= most && !/[\p{Cc}\u2028\u2029]/u.test(value)
const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

export const codeFields: ValueRule<readonly CodeField[]> = {
  read(value) {
    if (!Array.isArray(value) || !value.every(isObject) || value.length > codeFieldsMost)
      return fault(`应为最多${codeFieldsMost}个字段的列表`, `must be a list of at most ${codeFieldsMost} fields`)
    const found: CodeField[] = []
    for (const each of value) {
      const unknown = unknownPart(each, known)
      if (unknown !== undefined) return unknownPartFault(unknown)
      const { name, zh, en, kind, max, scale, required, unique, to } = each
      if (!isWord(name, 40) || !isWord(zh, 20) || !isWord(en, 40))
        return fault('字段的名称过长或含有控制字符', 'has a field whose name is too long or holds control characters')
      if (!(codeKinds as readonly unknown[]).includes(kind))
        return fault('字段的类型不可用', 'has a field of no such kind')
      if (isThere(max) && !isWhole(max, 1, 4_000)) return fault('长度应为1到4000的整数', 'needs lengths from 1 to 4000')
      if (isThere(scale) && !isWhole(scale, 0, 6)) return fault('小数位应为0到6的整数', 'needs decimals from 0 to 6')
      if (isThere(to) && !isWord(to, 40)) return fault('引用无法识别', 'refers to something unknown')
      found.push({
        name,
        zh: zh.trim(),
        en: en.trim(),
        kind: kind as CodeKind,
        ...(isThere(max) ? { max: max as number } : {}),
        ...(isThere(scale) ? { scale: scale as number } : {}),
        ...(required ? { required: 1 } : {}),
        ...(unique ? { unique: 1 } : {}),
        ...(isThere(to) ? { to: to as string } : {}),
      })
    }
    return { value: found }
  },
  text: (value, { language }) =>
    joinList(
      value.map((field) => (language === 'zh' ? field.zh : field.en) || field.name),
      language,
    ),
}
