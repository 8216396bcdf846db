import type { ApprovalCard, BranchCard, Card, CardModel, CopyCard } from '@data-brain/contract/flow/cards'

/* How cards are walked and changed: every change answers another model, so that all of them can be taken back. */

export type Way = BranchCard['ways'][number]
export type CardKind = Card['kind']

/** What the arrows walk: the beginning, cards, ways of a branch, and the end. `key` says which one. */
export type Stop =
  | { readonly key: string; readonly kind: 'start' | 'end' }
  | { readonly key: string; readonly kind: 'card'; readonly card: Card }
  | { readonly key: string; readonly kind: 'way'; readonly branch: BranchCard; readonly at: number; readonly way: Way }

export const startKey = 'start'
export const endKey = 'end'
export const wayKey = (branch: string, at: number): string => `${branch}/${at}`

/** The branch and the number of a way by its key. */
export function wayOf(key: string): { readonly branch: string; readonly at: number } | undefined {
  const slash = key.lastIndexOf('/')
  return slash < 0 ? undefined : { branch: key.slice(0, slash), at: Number(key.slice(slash + 1)) }
}

const stopsOf = (cards: readonly Card[]): Stop[] =>
  cards.flatMap((card): Stop[] => [
    { key: card.id, kind: 'card', card },
    ...(card.kind === 'branch'
      ? card.ways.flatMap((way, at): Stop[] => [
          { key: wayKey(card.id, at), kind: 'way', branch: card, at, way },
          ...stopsOf(way.cards),
        ])
      : []),
  ])

/** All stops of a model in the order in which they are read. */
export const stops = ({ cards }: Pick<CardModel, 'cards'>): readonly Stop[] => [
  { key: startKey, kind: 'start' },
  ...stopsOf(cards),
  { key: endKey, kind: 'end' },
]

/** All cards, those of ways among them. */
export const allCards = (cards: readonly Card[]): readonly Card[] =>
  stopsOf(cards).flatMap((stop) => (stop.kind === 'card' ? [stop.card] : []))

/** The approvals that come before a card whichever way is taken to it, and those of its own way. */
export function approvalsBefore(cards: readonly Card[], key: string): readonly ApprovalCard[] {
  const found: ApprovalCard[] = []
  for (const card of cards) {
    if (card.id === key) return found
    if (card.kind === 'approval') found.push(card)
    if (card.kind !== 'branch') continue
    const inside = card.ways.findIndex(
      (way, at) => wayKey(card.id, at) === key || allCards(way.cards).some(({ id }) => id === key),
    )
    if (inside >= 0) return [...found, ...approvalsBefore(card.ways[inside]!.cards, key)]
    found.push(...allCards([card]).filter((each) => each.kind === 'approval'))
  }
  return found
}

type ChangeList = (list: readonly Card[], at: number) => readonly Card[]

/** Changes the list that a card stands in. */
function inList(cards: readonly Card[], id: string, change: ChangeList): readonly Card[] {
  const at = cards.findIndex((card) => card.id === id)
  if (at >= 0) return change(cards, at)
  return cards.map((card) =>
    card.kind === 'branch'
      ? { ...card, ways: card.ways.map((way) => ({ ...way, cards: inList(way.cards, id, change) })) }
      : card,
  )
}

/** Another card in the place of one. */
export const replaceCard = (model: CardModel, card: Card): CardModel => ({
  ...model,
  cards: inList(model.cards, card.id, (list, at) => list.with(at, card)),
})

function changeBranch(model: CardModel, id: string, change: (branch: BranchCard) => BranchCard): CardModel {
  return {
    ...model,
    cards: inList(model.cards, id, (list, at) => {
      const card = list[at]!
      return card.kind === 'branch' ? list.with(at, change(card)) : list
    }),
  }
}

export const replaceWay = (model: CardModel, branch: string, at: number, way: Way): CardModel =>
  changeBranch(model, branch, (card) => ({ ...card, ways: card.ways.with(at, way) }))

/** Another way before the last one, which is taken where no condition holds. */
export function addWay(model: CardModel, branch: string, name: string): { model: CardModel; key: string } {
  let at = 0
  const next = changeBranch(model, branch, (card) => {
    at = card.ways.length - 1
    return { ...card, ways: card.ways.toSpliced(at, 0, { name, when: '', cards: [] }) }
  })
  return { model: next, key: wayKey(branch, at) }
}

/** Puts a card behind a stop: after a card, first in a way, first of all behind the beginning, and last before the end. */
export function insertAfter(model: CardModel, key: string, card: Card): CardModel {
  const { cards } = model
  if (key === startKey) return { ...model, cards: [card, ...cards] }
  if (key === endKey) return { ...model, cards: [...cards, card] }
  const way = wayOf(key)
  if (!way) return { ...model, cards: inList(cards, key, (list, at) => list.toSpliced(at + 1, 0, card)) }
  return changeBranch(model, way.branch, (branch) => ({
    ...branch,
    ways: branch.ways.map((each, at) => (at === way.at ? { ...each, cards: [card, ...each.cards] } : each)),
  }))
}

/** Takes a card away, or a way; a branch that would keep one way only goes as a whole, and its cards stay. */
export function removeAt(model: CardModel, key: string): CardModel {
  const way = wayOf(key)
  if (!way) return { ...model, cards: inList(model.cards, key, (list, at) => list.toSpliced(at, 1)) }
  return {
    ...model,
    cards: inList(model.cards, way.branch, (list, at) => {
      const branch = list[at]!
      // The last one is where the others lead past: it goes with its branch alone.
      if (branch.kind !== 'branch' || way.at === branch.ways.length - 1) return list
      const ways = branch.ways.toSpliced(way.at, 1)
      return ways.length > 1 ? list.with(at, { ...branch, ways }) : list.toSpliced(at, 1, ...ways[0]!.cards)
    }),
  }
}

export const isRemovable = (stop: Stop): boolean =>
  stop.kind === 'card' || (stop.kind === 'way' && stop.at < stop.branch.ways.length - 1)

/** Moves a card up or down within its list, or a way among those with conditions. */
export function moveBy(model: CardModel, key: string, by: 1 | -1): { model: CardModel; key: string } {
  const way = wayOf(key)
  if (!way) {
    const cards = inList(model.cards, key, (list, at) => {
      const to = at + by
      return to < 0 || to >= list.length ? list : list.with(at, list[to]!).with(to, list[at]!)
    })
    return { model: { ...model, cards }, key }
  }
  let to = way.at
  const next = changeBranch(model, way.branch, (branch) => {
    const wished = way.at + by
    if (way.at >= branch.ways.length - 1 || wished < 0 || wished >= branch.ways.length - 1) return branch
    to = wished
    return { ...branch, ways: branch.ways.with(way.at, branch.ways[wished]!).with(wished, branch.ways[way.at]!) }
  })
  return { model: next, key: wayKey(way.branch, to) }
}

/** An id that no card has; BPMN knows elements by it. */
export function freeId({ key, cards }: CardModel, kind: CardKind): string {
  const taken = new Set([key, ...allCards(cards).map(({ id }) => id)])
  let n = 1
  while (taken.has(`${kind}_${n}`)) n += 1
  return `${kind}_${n}`
}

/** A process with its first approval. */
export const beginModel = (key: string, name: string, approval: string): CardModel => {
  const empty: CardModel = { key, name, form: [], cards: [] }
  return { ...empty, cards: [newCard(empty, 'approval', { approval, copy: '', branch: '', way: '', otherwise: '' })] }
}

export interface NewNames {
  readonly approval: string
  readonly copy: string
  readonly branch: string
  readonly way: string
  readonly otherwise: string
}

/** What is usual at schools, for somebody to change. */
export const usualTask: ApprovalCard['task'] = {
  assignees: [{ kind: 'deptLeader', up: 0 }],
  ifNobody: 'managers',
  skipSame: true,
  onRefuse: 'end',
  may: { delegate: true, transfer: true, return: true, addSigner: true },
  fields: {},
}

export function newCard(model: CardModel, kind: CardKind, names: NewNames): Card {
  const id = freeId(model, kind)
  if (kind === 'approval') return { kind, id, name: names.approval, task: usualTask }
  if (kind === 'copy') {
    const card: CopyCard = { kind, id, name: names.copy, to: [{ kind: 'applicant' }] }
    return card
  }
  const ways: Way[] = [
    { name: names.way, when: '', cards: [] },
    { name: names.otherwise, when: '', cards: [] },
  ]
  return { kind, id, name: names.branch, ways }
}
