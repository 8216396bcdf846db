import type { FieldOption, Words } from '../field.ts'
import { fault, isObject, joinList, unknownPart, unknownPartFault, type ValueRule } from './value-parts.ts'

/** An option of a choice of a tenant's own, as it is stored; one that is new has no key until the server gives it one. */
export interface FieldOptionDraft {
  readonly key: string
  readonly label: string
  /** Where it is empty, the Chinese name stands in. */
  readonly labelEn: string
  /** Not offered any more; rows that hold it keep it. */
  readonly retired: boolean
}

export const optionsMost = 100
export const optionLongest = 50

/** The key of an option, as the server gives it. */
const isKey = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9]{0,32}$/.test(value)

const isLine = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() === value && [...value].length <= optionLongest

/** Options without what nobody typed: blanks around a name, and lines that were added and left empty. */
export const tidyFieldOptions = (value: readonly FieldOptionDraft[]): FieldOptionDraft[] =>
  value
    .map((option) => ({ ...option, label: option.label.trim(), labelEn: option.labelEn.trim() }))
    .filter(({ key, label, labelEn }) => key !== '' || label !== '' || labelEn !== '')

/** The options of a choice of a tenant's own. */
export const fieldOptions: ValueRule<readonly FieldOptionDraft[]> = {
  read(value) {
    if (!Array.isArray(value) || !value.every(isObject)) return fault('应为选项列表', 'must be a list of options')
    if (value.length > optionsMost) return fault(`最多${optionsMost}个选项`, `has more than ${optionsMost} options`)
    const found: FieldOptionDraft[] = []
    const names = new Set<string>()
    const keys = new Set<string>()
    for (const [at, each] of value.entries()) {
      const unknown = unknownPart(each, ['key', 'label', 'labelEn', 'retired'])
      if (unknown !== undefined) return unknownPartFault(unknown)
      const no = at + 1
      const { key = '', label, labelEn = '', retired = false } = each
      if (!isLine(label) || label === '' || !isLine(labelEn))
        return fault(
          `第${no}个选项：请填写名称，最长${optionLongest}个字`,
          `needs the name of option ${no}, at most ${optionLongest} characters`,
        )
      if (!isKey(key) || typeof retired !== 'boolean')
        return fault(`第${no}个选项：类型不正确`, `has option ${no} of the wrong type`)
      if (key !== '' && keys.has(key)) return fault(`第${no}个选项重复`, `has option ${no} twice`)
      for (const name of new Set([label, ...(labelEn ? [labelEn] : [])])) {
        if (names.has(name)) return fault(`选项“${name}”重复`, `has the option "${name}" twice`)
        names.add(name)
      }
      if (key !== '') keys.add(key)
      found.push({ key, label, labelEn, retired })
    }
    return { value: found }
  },
  text: (value, { language }) =>
    joinList(
      value.map((option) => {
        const name = optionWords(option)[language]
        return option.retired ? (language === 'zh' ? `${name}（已停用）` : `${name} (retired)`) : name
      }),
      language,
    ),
}

/** The name of an option in both languages. */
export const optionWords = ({ label, labelEn }: Pick<FieldOptionDraft, 'label' | 'labelEn'>): Words => ({
  zh: label,
  en: labelEn || label,
})

/** An option as a field offers it. */
export const fieldOptionOf = (option: FieldOptionDraft): FieldOption => ({
  key: option.key,
  label: optionWords(option),
  ...(option.retired ? { retired: true } : {}),
})
