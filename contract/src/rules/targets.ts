import { fault, isRowId, joinList, type ValueRule } from './value-parts.ts'

const most = 1_000
/** As many are named before the rest is only counted. */
const named = 10

/** Ids of what another field of the row says. */
export const targets: ValueRule<readonly string[]> = {
  read(value) {
    if (!Array.isArray(value) || !value.every(isRowId)) return fault('须为编号列表', 'must be a list of ids')
    const ids = [...new Set(value)]
    return ids.length > most ? fault(`最多选择${most}个`, `at most ${most}`) : { value: ids }
  },
  text(value, { language, name }) {
    // Whoever may not see a row sees that there is one.
    const names = value.flatMap((id) => name(id) ?? [])
    const first = names.slice(0, named)
    const rest = value.length - first.length
    const text = joinList(first, language)
    if (rest === 0) return text
    if (first.length === 0) return language === 'zh' ? `${rest} 项` : `${rest} chosen`
    return language === 'zh' ? `${text}，另有 ${rest} 项` : `${text} and ${rest} more`
  },
  named: (value, of) => (of === undefined ? [] : value.map((id) => ({ to: of, id }))),
}
