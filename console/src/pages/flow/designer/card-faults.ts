import type { CardModel } from '@data-brain/contract/flow/cards'
import type { Translate } from '../../../ui/words.ts'
import { stops } from './edit.ts'
import { type Fault, stopOfElement } from './work.ts'

/** What is missing in cards, in the words of the cards themselves and at the very card. */
function missingIn(model: CardModel, t: Translate): Fault[] {
  return stops(model).flatMap((stop): Fault[] => {
    if (stop.kind === 'way') {
      const isLast = stop.at === stop.branch.ways.length - 1
      return isLast || stop.way.when.trim() !== ''
        ? []
        : [{ element: stop.key, message: t('design.faultNoCondition', { name: stop.way.name }) }]
    }
    if (stop.kind !== 'card') return []
    const { card } = stop
    if (card.kind === 'approval' && card.task.assignees.length === 0)
      return [{ element: card.id, message: t('design.faultNobody', { name: card.name }) }]
    if (card.kind === 'copy' && card.to.length === 0)
      return [{ element: card.id, message: t('design.faultNoRecipient', { name: card.name }) }]
    return []
  })
}

/**
 * What stands against deploying cards. The server speaks of the BPMN that they say; what the cards can say themselves takes
 * the place of that, as whoever works with cards knows of no gateway.
 */
export function faultsOfCards(model: CardModel, found: readonly Fault[], t: Translate): readonly Fault[] {
  const own = missingIn(model, t)
  const keys = stops(model).map(({ key }) => key)
  const told = new Set(
    own.map(({ element }) => {
      const stop = stops(model).find(({ key }) => key === element)
      return stop?.kind === 'way' ? stop.branch.id : element
    }),
  )
  return [...own, ...found.filter(({ element }) => !told.has(stopOfElement(element, keys) ?? ''))]
}
