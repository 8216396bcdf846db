import type { Words } from '../field.ts'
import { fault, isObject, joinSentences, unknownPart, unknownPartFault, type ValueRule } from './value-parts.ts'

export type QuestionKind = 'text' | 'choice' | 'choices'

/** A question of a form that parents answer. */
export interface Question {
  readonly label: string
  readonly kind: QuestionKind
  readonly required: boolean
  /** What may be answered, where that is chosen. */
  readonly choices?: readonly string[]
}

export const questionKinds: Readonly<Record<QuestionKind, Words>> = {
  choice: { zh: '单选', en: 'one choice' },
  choices: { zh: '多选', en: 'several choices' },
  text: { zh: '文字', en: 'text' },
}

const most = 50
const choicesMost = 30
const longest = 100

const isLine = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() === value && value !== '' && [...value].length <= longest

/** Questions without what nobody typed: blank lines, blanks around a line, choices of a question that has none. */
export const tidyQuestions = (value: readonly Question[]): Question[] =>
  value.flatMap(({ label, kind, required, choices = [] }) => {
    const kept = choices.map((choice) => choice.trim()).filter(Boolean)
    if (label.trim() === '' && kept.length === 0) return []
    return [{ label: label.trim(), kind, required, ...(kind === 'text' ? {} : { choices: kept }) }]
  })

export const questions: ValueRule<readonly Question[]> = {
  read(value) {
    if (!Array.isArray(value) || !value.every(isObject)) return fault('应为问题列表', 'must be a list of questions')
    if (value.length > most) return fault(`最多${most}个问题`, `has more than ${most} questions`)
    const found: Question[] = []
    for (const [at, each] of value.entries()) {
      const unknown = unknownPart(each, ['label', 'kind', 'required', 'choices'])
      if (unknown !== undefined) return unknownPartFault(unknown)
      const no = at + 1
      const { label, kind, required = false, choices } = each
      if (!isLine(label))
        return fault(
          `第${no}题：请填写题目，最长${longest}个字`,
          `needs the words of question ${no}, at most ${longest}`,
        )
      if (typeof kind !== 'string' || !Object.hasOwn(questionKinds, kind))
        return fault(`第${no}题：请选择题型`, `needs the kind of question ${no}`)
      if (typeof required !== 'boolean')
        return fault(`第${no}题：是否必填应为是或否`, `must say yes or no to whether question ${no} is required`)
      if (kind === 'text') {
        if (choices !== undefined)
          return fault(`第${no}题：文字题没有选项`, `has choices for question ${no}, which is answered in words`)
        found.push({ label, kind, required })
        continue
      }
      if (!Array.isArray(choices) || !choices.every(isLine) || new Set(choices).size !== choices.length)
        return fault(`第${no}题：选项不能为空或重复`, `has empty or repeated choices in question ${no}`)
      if (choices.length < 2 || choices.length > choicesMost)
        return fault(`第${no}题：请填写2到${choicesMost}个选项`, `needs 2 to ${choicesMost} choices in question ${no}`)
      found.push({ label, kind: kind as QuestionKind, required, choices })
    }
    return { value: found }
  },
  text: (value, { language }) =>
    joinSentences(
      value.map(({ label, kind, required, choices }, at) => {
        const facts = [
          questionKinds[kind][language],
          ...(required ? [language === 'zh' ? '必填' : 'required'] : []),
        ].join(language === 'zh' ? '，' : ', ')
        const offered = choices ? `${language === 'zh' ? '：' : ': '}${choices.join(' / ')}` : ''
        return language === 'zh'
          ? `${at + 1}. ${label}（${facts}${offered}）`
          : `${at + 1}. ${label} (${facts}${offered})`
      }),
      language,
    ),
}
