import { contrastRatio } from './colour.ts'
import type { TokenSet } from './token.ts'

/** What stands on what, and by how much it must stand out: 4.5 for text, 3 for borders, rings and fills (WCAG 2.2 AA). */
export interface Pair {
  readonly name: string
  readonly ratio: number
  readonly least: 4.5 | 3
}

type Name = keyof TokenSet

const grounds = ['card', 'page', 'raised'] as const satisfies readonly Name[]
const onGrounds = ['ink', 'ink2', 'ink3', 'link', 'success', 'warning', 'error'] as const satisfies readonly Name[]

const texts: readonly (readonly [Name, Name])[] = [
  ...onGrounds.flatMap((ink) => grounds.map((ground) => [ink, ground] as const)),
  ...grounds.map((ground) => ['linkHover', ground] as const),
  ['onFill', 'fill'],
  ['onFill', 'fillHover'],
  ['onFill', 'fillActive'],
  // What is about to be lost is a button of its own colour, with words of the card's.
  ['card', 'error'],
  ['card', 'errorHover'],
  // What stands in the rows of a list, which are ticked and pointed at.
  ...(['hover', 'tint', 'tintHover', 'field'] as const).flatMap((ground) =>
    (['ink', 'ink2', 'ink3', 'link', 'linkHover', 'success', 'warning', 'error'] as const).map(
      (ink) => [ink, ground] as const,
    ),
  ),
  ['success', 'successTint'],
  ['warning', 'warningTint'],
  ['error', 'errorTint'],
  ...(['frame', 'frameHover'] as const).flatMap((ground) =>
    (['frameInk', 'frameInk2'] as const).map((ink) => [ink, ground] as const),
  ),
  ['headerInk', 'header'],
  ['headerInk', 'headerEnd'],
  ['headerInk2', 'header'],
  ['headerInk2', 'headerEnd'],
  ['headerOnInk', 'headerOn'],
  ['sideInk', 'side'],
  ['sideInk2', 'side'],
  ['sideInk', 'sideHover'],
  ['sideInk2', 'sideHover'],
  ['headerInk', 'headerHover'],
  ['headerInk2', 'headerHover'],
  ['sideOnInk', 'sideOn'],
]

const shapes: readonly (readonly [Name, Name])[] = [
  ...grounds.flatMap((ground) => [['edge', ground] as const, ['fill', ground] as const]),
  ['focus', 'card'],
  ['focus', 'page'],
  ['focus', 'frame'],
  ['focusHeader', 'header'],
  ['focusHeader', 'headerEnd'],
  ['focusSide', 'side'],
]

/** Every pair of a token set, as it is drawn somewhere. */
export function pairsOf(set: TokenSet): Pair[] {
  const of =
    (least: 4.5 | 3) =>
    ([above, below]: readonly [Name, Name]): Pair => ({
      name: `${above} on ${below}`,
      ratio: contrastRatio(set[above], set[below]),
      least,
    })
  return [
    ...texts.map(of(4.5)),
    ...shapes.map(of(3)),
    { name: 'white on tip', ratio: contrastRatio('#ffffff', set.tip), least: 4.5 },
  ]
}
