type Three = readonly [number, number, number]

function rgbOf(hex: string): Three {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

const hexOf = (parts: readonly number[]): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** A colour laid over a ground, so opaque as `share` of 255 says. */
export function layOver(colour: string, share: number, ground: string): string {
  const below = rgbOf(ground)
  const alpha = share / 255
  return hexOf(rgbOf(colour).map((part, at) => part * alpha + below[at]! * (1 - alpha)))
}

/** Relative luminance, as WCAG 2.2 defines it. */
export function relativeLuminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as unknown as Three
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast ratio of two colours, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [relativeLuminance(one), relativeLuminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const linear = (part: number): number => {
  const value = part / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const encoded = (value: number): number =>
  Math.round(255 * Math.min(1, Math.max(0, value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)))

/** Lightness, chroma and hue (in radians) in OKLCH, in which lightness can be moved without turning the hue. */
function lchOf(hex: string): Three {
  const [r, g, b] = rgbOf(hex).map(linear) as unknown as Three
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const along = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const across = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return [lightness, Math.hypot(along, across), Math.atan2(across, along)]
}

function linearOf([lightness, chroma, hue]: Three): Three {
  const along = chroma * Math.cos(hue)
  const across = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * along + 0.2158037573 * across) ** 3
  const m = (lightness - 0.1055613458 * along - 0.0638541728 * across) ** 3
  const s = (lightness - 0.0894841775 * along - 1.291485548 * across) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** The colour of a lightness, chroma and hue; what no screen can show loses chroma until one can. */
function colourOf([lightness, chroma, hue]: Three): string {
  let shown = chroma
  for (let step = 0; step < 60; step++) {
    if (linearOf([lightness, shown, hue]).every((value) => value >= -0.001 && value <= 1.001)) break
    shown *= 0.95
  }
  return hexOf(linearOf([lightness, shown, hue]).map(encoded))
}

/** A quiet colour of the same hue. */
export const hueOf = (hex: string, lightness: number, chroma: number): string => {
  const [, own, hue] = lchOf(hex)
  return colourOf([lightness, Math.min(own, chroma), hue])
}

/** The same colour for a dark ground, on which it would glare: a little less of it. */
export const calmForDark = (hex: string): string => {
  const [lightness, chroma, hue] = lchOf(hex)
  return colourOf([lightness + 0.009, chroma * 0.925, hue])
}

/** The same colour, lighter or darker. */
export function shiftLightness(hex: string, by: number): string {
  const [lightness, chroma, hue] = lchOf(hex)
  return colourOf([Math.min(0.985, Math.max(0.05, lightness + by)), chroma, hue])
}

/**
 * The colour moved lighter (1) or darker (-1) until it stands out from every ground by the ratio; one that does
 * already is left as it is.
 */
export function ensureContrast(hex: string, grounds: readonly string[], ratio: number, way: 1 | -1): string {
  const fits = (colour: string): boolean => grounds.every((ground) => contrastRatio(colour, ground) >= ratio)
  if (fits(hex)) return hex
  const [lightness, chroma, hue] = lchOf(hex)
  for (let step = 1; step <= 200; step++) {
    const moved = colourOf([lightness + way * 0.005 * step, chroma, hue])
    if (fits(moved)) return moved
  }
  return way === 1 ? '#ffffff' : '#000000'
}
