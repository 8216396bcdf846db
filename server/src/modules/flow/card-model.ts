import type { ApprovalCard, Card, CardModel, CopyCard } from '@data-brain/contract/flow/cards'
import { Problem } from '../../kernel/problem.ts'

/** Cards deeper in one another than that are written by nobody. */
const deepest = 20
const cardsMost = 500

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'

const refused = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })
const unclear = (at: string): Problem => refused(`卡片“${at}”的内容无法识别`, `The card “${at}” cannot be read`)

/** Whether a record is a card that holds no others, with all that is read of one without asking again. */
function isStep(card: unknown): card is ApprovalCard | CopyCard {
  if (!isRecord(card)) return false
  if (card.kind === 'copy') return Array.isArray(card.to)
  return (
    card.kind === 'approval' && isRecord(card.task) && Array.isArray(card.task.assignees) && isRecord(card.task.may)
  )
}

const isForm = (form: unknown): form is CardModel['form'] => Array.isArray(form)

function readCard(card: unknown, depth: number, count: { n: number }): Card {
  count.n += 1
  if (count.n > cardsMost) throw refused(`卡片超过${cardsMost}张`, `There are more than ${cardsMost} cards`)
  if (depth > deepest)
    throw refused(`条件嵌套超过${deepest}层`, `Conditions stand more than ${deepest} deep in one another`)
  if (!isRecord(card) || !isText(card.id) || !/^[A-Za-z_][\w.-]{0,63}$/.test(card.id)) throw unclear('?')
  if (!isText(card.name)) throw unclear(card.id)
  if (card.kind === 'branch') {
    if (!Array.isArray(card.ways)) throw unclear(card.name)
    const ways = card.ways.map((way: unknown) => {
      if (!isRecord(way) || !isText(way.name) || !isText(way.when) || !Array.isArray(way.cards))
        throw unclear(card.name as string)
      return {
        name: way.name,
        when: way.when,
        cards: way.cards.map((each: unknown) => readCard(each, depth + 1, count)),
      }
    })
    return { kind: card.kind, id: card.id, name: card.name, ways }
  }
  if (!isStep(card)) throw unclear(card.name)
  return card
}

/** Cards as somebody sends them: what is not of their form is refused by the card’s name. What they say is judged as BPMN. */
export function readModel(given: unknown): CardModel {
  const { key, name, formKey, form = [], cards } = isRecord(given) ? given : {}
  if (!isText(key) || !isText(name) || !Array.isArray(cards) || !isForm(form))
    throw refused('卡片内容不完整', 'The cards are not whole')
  const count = { n: 0 }
  return {
    key,
    name,
    ...(isText(formKey) ? { formKey } : {}),
    form,
    cards: cards.map((each: unknown) => readCard(each, 1, count)),
  }
}
