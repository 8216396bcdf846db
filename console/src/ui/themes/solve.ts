import { contrast, ensure, luminance, over, shift } from './colour.ts'
import type { Seed } from './seeds.ts'
import type { Scheme, TokenSet } from './token.ts'

interface Chrome {
  ink: string
  ink2: string
  on: string
  onInk: string
}

const isLight = (colour: string): boolean => luminance(colour) > 0.4
/** Ways to a colour that stands out from a ground. */
const away = (ground: string): 1 | -1 => (isLight(ground) ? -1 : 1)

/** The colours on a header or sidebar, readable on both ends where its colour runs. */
function chromeOf(grounds: readonly string[], link: string, ink: string, wanted?: string): Chrome {
  const ground = grounds[0]!
  const light = isLight(ground)
  const readable = (colour: string): string => ensure(colour, grounds, 4.6, away(ground))
  const words = readable(wanted ?? (light ? ink : '#f4f7fb'))
  let on = light ? over(link, 0x1f, ground) : over('#ffffff', 0x24, ground)
  if (!light && contrast('#ffffff', on) < 5) on = over('#000000', 0x38, ground)
  return {
    ink: words,
    ink2: readable(shift(words, light ? 0.2 : -0.16)),
    on,
    onInk: ensure(light ? link : (wanted ?? '#ffffff'), light ? [ground, on] : [on], 4.6, light ? -1 : 1),
  }
}

/**
 * Works out the colours of a theme in a scheme, from its seed and, where a person chose one, another main colour.
 * Lightness is moved only as far as a pair of text and ground needs; a colour that can be read stays as it is.
 */
export function solve(seed: Seed, scheme: Scheme, colour: string = seed.primary): TokenSet {
  const dark = scheme === 'dark'
  const at = dark ? 1 : 0
  const [page, card] = [seed.page[at], seed.card[at]]
  const raised = dark ? shift(card, 0.035) : '#ffffff'
  const grounds = [card, page, raised]
  const way = dark ? 1 : -1
  const ink = dark ? '#e8ebf0' : '#1a2230'
  const onFill = dark ? '#0a0f17' : '#ffffff'

  const tintOf = (of: string): string => over(of, dark ? 0x2e : 0x1a, card)
  const tintHoverOf = (of: string): string => over(of, dark ? 0x3d : 0x26, card)
  const hover = over(ink, dark ? 0x14 : 0x0b, card)
  let fill = dark ? ensure(colour.toLowerCase(), grounds, 6, 1) : ensure(colour.toLowerCase(), [onFill, card], 4.5, -1)
  // A fill must be seen on the page as well, which may be darker than a card.
  fill = ensure(fill, grounds, 3, way)
  const fillHover = dark ? shift(fill, 0.04) : shift(fill, -0.045)
  const fillActive = dark ? shift(fill, 0.075) : shift(fill, -0.09)

  let link = dark ? fill : ensure(fill, grounds, 4.5, -1)
  // Links stand in rows too, which are ticked and pointed at.
  const below = (): string[] => [tintOf(link), tintHoverOf(link), hover, ...grounds]
  for (let step = 0; step < 60 && below().some((ground) => contrast(link, ground) < 4.5); step++)
    link = shift(link, way * 0.01)
  const tint = tintOf(link)
  const tintHover = tintHoverOf(link)
  const ink2 = ensure(dark ? '#aeb6c2' : '#4a5568', [...grounds, tint, tintHover], 5.5, way)

  const state = (of: string): { ink: string; tint: string } => {
    const share = dark ? 0x2e : 0x14
    const words = ensure(of, [...grounds, tint, tintHover, over(of, share, card)], dark ? 5 : 4.6, way)
    return { ink: words, tint: over(words, share, card) }
  }
  const success = state(dark ? '#5fc88a' : '#17703c')
  const warning = state(dark ? '#e2b04a' : '#8f5400')
  const error = state(dark ? '#ff8a80' : '#c21b17')

  const [header, side] = [seed.header[at], seed.side[at]]
  const headerEnd = seed.headerEnd?.[at] ?? header
  const top = chromeOf([header, headerEnd], link, ink, seed.headerInk)
  const left = chromeOf([side], link, ink, seed.sideInk)
  const focus = ensure(link, [card, page], 3.2, way)
  const focusOn = (ground: string): string => (isLight(ground) ? ensure(focus, [ground], 3.2, -1) : '#ffffff')

  return {
    fill,
    fillHover,
    fillActive,
    onFill,
    link,
    linkHover: dark ? shift(link, 0.04) : shift(link, -0.045),
    page,
    card,
    raised,
    ink,
    ink2,
    ink3: ensure(dark ? '#8c95a3' : '#667085', grounds, 4.6, way),
    inkOff: over(ink, 0x66, card),
    edge: ensure(dark ? '#5a6472' : '#9aa3b0', grounds, 3.05, way),
    split: over(ink, dark ? 0x1f : 0x17, card),
    tint,
    tintHover,
    hover,
    alt: over(ink, dark ? 0x0d : 0x07, card),
    success: success.ink,
    successTint: success.tint,
    warning: warning.ink,
    warningTint: warning.tint,
    error: error.ink,
    errorHover: dark ? shift(error.ink, 0.04) : shift(error.ink, -0.04),
    errorTint: error.tint,
    header,
    headerEnd,
    headerInk: top.ink,
    headerInk2: top.ink2,
    headerOn: top.on,
    headerOnInk: top.onInk,
    side,
    sideInk: left.ink,
    sideInk2: left.ink2,
    sideOn: left.on,
    sideOnInk: left.onInk,
    sideHover: over(isLight(side) ? '#000000' : '#ffffff', 0x14, side),
    focus,
    focusHeader: focusOn(header),
    focusSide: focusOn(side),
    tip: dark ? '#343c48' : '#1f2733',
  }
}
