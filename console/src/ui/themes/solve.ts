import {
  calmForDark,
  contrastRatio,
  ensureContrast,
  hueOf,
  layOver,
  relativeLuminance,
  shiftLightness,
} from './colour.ts'
import type { ThemeSeed } from './seeds.ts'
import type { ColourScheme, TokenSet } from './token.ts'

interface Chrome {
  ink: string
  ink2: string
  on: string
  onInk: string
  hover: string
}

const isLight = (colour: string): boolean => relativeLuminance(colour) > 0.4
/** Ways to a colour that stands out from a ground. */
const away = (ground: string): 1 | -1 => (isLight(ground) ? -1 : 1)

/** Vivid colours that the grounds of good, careful and wrong news are made with. */
const vivid = { success: '#22a65a', warning: '#f5a623', error: '#ee2a24' } as const

/**
 * Works out the colours of a theme in a scheme, from its seed and, where a person chose one, another main colour.
 * Lightness is moved only as far as a pair of text and ground needs; a colour that can be read stays as it is.
 */
export function solveTheme(seed: ThemeSeed, scheme: ColourScheme, colour: string = seed.primary): TokenSet {
  const dark = scheme === 'dark'
  const at = dark ? 1 : 0
  const [frame, card] = [seed.frame[at], seed.card[at]]
  // Hairlines, wells and what is pointed at are not grey: they have a breath of the main colour's hue.
  const shade = hueOf(colour, dark ? 0.6 : 0.44, dark ? 0.045 : 0.085)
  const page = layOver(frame, 0x73, card)
  const raised = dark ? shiftLightness(card, 0.035) : '#ffffff'
  const grounds = [card, page, raised]
  const way = dark ? 1 : -1
  const ink = dark ? '#e7ebf2' : '#171e2c'
  const onFill = '#ffffff'

  const hover = layOver(shade, dark ? 0x14 : 0x0e, card)
  const field = layOver(shade, dark ? 0x1a : 0x11, card)
  // White words on it in both schemes; seen on every ground, which in the dark leaves a narrow band of lightness.
  let fill = ensureContrast(
    dark ? calmForDark(colour) : colour.toLowerCase(),
    dark ? [onFill] : [onFill, card],
    4.5,
    -1,
  )
  fill = ensureContrast(fill, grounds, dark ? 3.02 : 3, way)
  const fillHover = shiftLightness(fill, dark ? -0.03 : -0.045)
  const fillActive = shiftLightness(fill, dark ? -0.06 : -0.09)

  const tint = layOver(fill, dark ? 0x33 : 0x17, card)
  const tintHover = layOver(fill, dark ? 0x42 : 0x24, card)
  // Links stand in rows too, which are ticked and pointed at.
  const below = [...grounds, hover, field, tint, tintHover]
  const link = ensureContrast(dark ? ensureContrast(fill, grounds, 6.4, 1) : fill, below, 4.6, way)
  const ink2 = ensureContrast(dark ? '#b0b9c6' : '#475266', below, 5.5, way)

  const state = (name: keyof typeof vivid, words: string): { ink: string; tint: string } => {
    const ground = layOver(vivid[name], dark ? 0x1f : name === 'warning' ? 0x21 : 0x17, card)
    return { ink: ensureContrast(words, [...below, ground], 4.6, way), tint: ground }
  }
  const success = state('success', dark ? '#5fc88a' : '#17703c')
  const warning = state('warning', dark ? '#e4b355' : '#8a5000')
  const error = state('error', dark ? '#ff938a' : '#c21b17')

  /** The colours on the frame, a header or a sidebar, readable on both ends where its colour runs. */
  const chromeOf = (stretch: readonly string[], wanted?: string): Chrome => {
    const ground = stretch[0]!
    const light = isLight(ground)
    const plain = ground === frame
    const hovered = plain
      ? layOver(shade, dark ? 0x20 : 0x12, ground)
      : layOver(light ? '#000000' : '#ffffff', 0x14, ground)
    const readable = (words: string): string => ensureContrast(words, [...stretch, hovered], 4.6, away(ground))
    const first = readable(wanted ?? (light ? '#2a3344' : plain ? '#d5dce7' : '#f4f7fb'))
    // Where one is: a piece of the sheet's own colour, unless that could not be seen.
    let on = light
      ? contrastRatio(card, ground) > 1.05
        ? card
        : tint
      : plain
        ? layOver(shade, 0x36, ground)
        : layOver('#ffffff', 0x24, ground)
    if (!light && contrastRatio('#ffffff', on) < 5) on = layOver('#000000', 0x38, ground)
    return {
      ink: first,
      ink2: readable(light ? '#566073' : wanted ? shiftLightness(first, -0.16) : plain ? '#95a0b0' : '#c0c3c6'),
      on,
      onInk: ensureContrast(light ? link : (wanted ?? '#ffffff'), light ? [ground, on] : [on], 4.6, light ? -1 : 1),
      hover: hovered,
    }
  }
  const [header, side] = [seed.header?.[at] ?? frame, seed.side?.[at] ?? frame]
  const headerEnd = seed.headerEnd?.[at] ?? header
  const around = chromeOf([frame])
  const top = chromeOf([header, headerEnd], seed.headerInk)
  const left = chromeOf([side], seed.sideInk)
  const focus = ensureContrast(link, [card, page, frame], 3.2, way)
  const focusOn = (ground: string): string => (isLight(ground) ? ensureContrast(focus, [ground], 3.2, -1) : '#ffffff')

  return {
    fill,
    fillHover,
    fillActive,
    onFill,
    link,
    linkHover: shiftLightness(link, dark ? 0.04 : -0.045),
    frame,
    frameInk: around.ink,
    frameInk2: around.ink2,
    frameHover: around.hover,
    page,
    card,
    raised,
    ink,
    ink2,
    ink3: ensureContrast(dark ? '#919bab' : '#626c80', below, 4.6, way),
    inkOff: layOver(ink, 0x66, card),
    edge: ensureContrast(dark ? '#6c7788' : '#868fa1', grounds, 3.05, way),
    line: layOver(shade, dark ? 0x45 : 0x33, card),
    split: layOver(shade, dark ? 0x26 : 0x1d, card),
    tint,
    tintHover,
    hover,
    field,
    success: success.ink,
    successTint: success.tint,
    warning: warning.ink,
    warningTint: warning.tint,
    error: error.ink,
    errorHover: shiftLightness(error.ink, dark ? 0.04 : -0.04),
    errorTint: error.tint,
    header,
    headerEnd,
    headerInk: top.ink,
    headerInk2: top.ink2,
    headerOn: top.on,
    headerOnInk: top.onInk,
    headerHover: top.hover,
    side,
    sideInk: left.ink,
    sideInk2: left.ink2,
    sideOn: left.on,
    sideOnInk: left.onInk,
    sideHover: left.hover,
    focus,
    focusHeader: focusOn(header),
    focusSide: focusOn(side),
    tip: dark ? '#343c48' : '#1f2733',
  }
}
