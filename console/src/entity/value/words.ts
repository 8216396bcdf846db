import { valueText } from '@data-brain/contract/rules/values'
import { ruleWords } from '../../locales/rule.ts'
import { valueWords } from '../../locales/value.ts'
import { addWords } from '../../ui/words.ts'
import { dictText, lateValueText } from '../display/cell.tsx'

/*
 * How json values are told, and the words of their inputs. They come with the first record, form or column that shows one:
 * whoever imports this tells them at once.
 */
addWords(valueWords)
addWords(ruleWords)

const none: Readonly<Record<string, string>> = {}

lateValueText.text = (value, field, words, shown, row) => {
  const names = typeof shown === 'object' && shown !== null ? (shown as Readonly<Record<string, string>>) : none
  const said = {
    language: words.language,
    name: (id: string) => names[id] ?? words.regions[id],
    word: (dict: string, key: string) => dictText(words, dict, key),
  }
  return valueText(field, value, said, row)
}
