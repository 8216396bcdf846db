import { attributeOf, type Parts, textOf } from './package.ts'

/*
 * How cells look, as far as it can be drawn: the font’s size and weight, colours, borders, where a text stands in its cell, and
 * how a number is written.
 */

export type Side = 'left' | 'right' | 'top' | 'bottom'

export interface Border {
  readonly width: number
  readonly color: string
  readonly dash?: number
  readonly isDouble?: boolean
}

export interface CellLook {
  readonly size: number
  readonly bold: boolean
  readonly underline: boolean
  readonly color: string
  readonly fill: string | undefined
  readonly borders: Readonly<Partial<Record<Side, Border>>>
  readonly across: 'general' | 'left' | 'center' | 'right'
  readonly down: 'top' | 'center' | 'bottom'
  readonly wraps: boolean
  /** Degrees against the clock; 255: signs below each other. */
  readonly turned: number
  readonly indent: number
  /** As a spreadsheet writes it down. */
  readonly format: string | number
}

const black = '#000000'
const thin = { width: 0.6 } as const
const widths: Readonly<Record<string, Omit<Border, 'color'>>> = {
  thin,
  hair: { width: 0.3, dash: 1 },
  dotted: { width: 0.6, dash: 1 },
  dashed: { width: 0.6, dash: 3 },
  dashDot: { width: 0.6, dash: 3 },
  dashDotDot: { width: 0.6, dash: 3 },
  medium: { width: 1.2 },
  mediumDashed: { width: 1.2, dash: 3 },
  mediumDashDot: { width: 1.2, dash: 3 },
  mediumDashDotDot: { width: 1.2, dash: 3 },
  slantDashDot: { width: 1.2, dash: 3 },
  thick: { width: 2 },
  double: { width: 0.5, isDouble: true },
}

/** The colours of the old palette; the first eight come twice. */
const palette = [
  ...['000000', 'FFFFFF', 'FF0000', '00FF00', '0000FF', 'FFFF00', 'FF00FF', '00FFFF'],
  ...['800000', '008000', '000080', '808000', '800080', '008080', 'C0C0C0', '808080'],
  ...['9999FF', '993366', 'FFFFCC', 'CCFFFF', '660066', 'FF8080', '0066CC', 'CCCCFF'],
  ...['000080', 'FF00FF', 'FFFF00', '00FFFF', '800080', '800000', '008080', '0000FF'],
  ...['00CCFF', 'CCFFFF', 'CCFFCC', 'FFFF99', '99CCFF', 'FF99CC', 'CC99FF', 'FFCC99'],
  ...['3366FF', '33CCCC', '99CC00', 'FFCC00', 'FF9900', 'FF6600', '666699', '969696'],
  ...['003366', '339966', '003300', '333300', '993300', '993366', '333399', '333333'],
] as const

/** Colours of the theme in the order in which cells name them, which is not that of the theme. */
function themeOf(parts: Parts): string[] {
  const name = Object.keys(parts).find((part) => /^xl\/theme\/theme\d*\.xml$/.test(part))
  const scheme = /<a:clrScheme[\s\S]*?<\/a:clrScheme>/.exec(name ? textOf(parts, name) : '')?.[0] ?? ''
  const of = (tag: string): string =>
    new RegExp(`<a:${tag}>[\\s\\S]*?(?:lastClr|srgbClr val)="([0-9A-Fa-f]{6})"`).exec(scheme)?.[1] ?? '000000'
  if (scheme === '') return ['FFFFFF', '000000']
  return ['lt1', 'dk1', 'lt2', 'dk2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6'].map(of)
}

/** A colour made lighter or darker, as a theme’s colours are. */
function tinted(hex: string, tint: number): string {
  const channels = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const mixed = channels.map((value) => (tint < 0 ? value * (1 + tint) : value + (255 - value) * tint))
  return mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')
}

function colorIn(xml: string | undefined, tag: string, theme: readonly string[]): string | undefined {
  const attributes = new RegExp(`<${tag}(?=[\\s/>])([^>]*?)/?>`).exec(xml ?? '')?.[1]
  if (attributes === undefined) return undefined
  const rgb = attributeOf(attributes, 'rgb')
  const [themed, indexed] = [attributeOf(attributes, 'theme'), attributeOf(attributes, 'indexed')]
  const old = Number(indexed)
  const hex =
    rgb?.slice(-6) ??
    (themed === undefined ? undefined : theme[Number(themed)]) ??
    (indexed === undefined ? undefined : palette[old < 8 ? old : old - 8])
  if (hex === undefined || !/^[0-9a-f]{6}$/i.test(hex)) return undefined
  return `#${tinted(hex, Number(attributeOf(attributes, 'tint') ?? 0))}`
}

/** The elements of a list in the part of styles. */
function listed(xml: string, list: string, tag: string): string[] {
  const inner = new RegExp(`<${list}(?=[\\s>])[^>]*>([\\s\\S]*?)</${list}>`).exec(xml)?.[1] ?? ''
  return [...inner.matchAll(new RegExp(`<${tag}(?=[\\s/>])(?:[^>]*?/>|[^>]*>[\\s\\S]*?</${tag}>)`, 'g'))].map(
    ([whole]) => whole,
  )
}

const isOn = (xml: string, tag: string): boolean => new RegExp(`<${tag}(\\s+val="(1|true)")?\\s*/>`).test(xml)

/** The looks of the cells of a workbook, by the number that a cell names. */
export function looksOf(parts: Parts): CellLook[] {
  const xml = textOf(parts, 'xl/styles.xml')
  const theme = themeOf(parts)
  const formats = new Map(
    [...xml.matchAll(/<numFmt(?=\s)([^>]*?)\/>/g)].map(([, attributes]) => [
      attributeOf(attributes!, 'numFmtId') ?? '',
      attributeOf(attributes!, 'formatCode') ?? 'General',
    ]),
  )
  const fonts = listed(xml, 'fonts', 'font').map((font) => ({
    size: Number(/<sz\s+val="([\d.]+)"/.exec(font)?.[1] ?? 11),
    bold: isOn(font, 'b'),
    underline: /<u(?=[\s/>])/.test(font) && !/<u\s+val="none"/.test(font),
    color: colorIn(font, 'color', theme) ?? black,
  }))
  const fills = listed(xml, 'fills', 'fill').map((fill) =>
    /patternType="(solid|darkGray|mediumGray|lightGray)"/.test(fill) ? colorIn(fill, 'fgColor', theme) : undefined,
  )
  const borders = listed(xml, 'borders', 'border').map((border) =>
    Object.fromEntries(
      (['left', 'right', 'top', 'bottom'] as const).flatMap((side) => {
        const found = new RegExp(`<${side}(?=[\\s/>])(?:([^>]*?)/>|([^>]*)>([\\s\\S]*?)</${side}>)`).exec(border)
        const style = found && attributeOf(found[1] ?? found[2] ?? '', 'style')
        const line = style ? (widths[style] ?? (style === 'none' ? undefined : thin)) : undefined
        return line ? [[side, { ...line, color: colorIn(found?.[3], 'color', theme) ?? black }] as const] : []
      }),
    ),
  )
  const plain = { size: 11, bold: false, underline: false, color: black }
  return listed(xml, 'cellXfs', 'xf').map((xf): CellLook => {
    const [head] = /^<xf[^>]*>/.exec(xf) ?? ['']
    const of = (name: string): number => Number(attributeOf(head, name) ?? 0)
    const alignment = /<alignment(?=[\s/>])([^>]*?)\/?>/.exec(xf)?.[1] ?? ''
    const horizontal = attributeOf(alignment, 'horizontal') ?? 'general'
    const vertical = attributeOf(alignment, 'vertical') ?? 'bottom'
    const id = of('numFmtId')
    return {
      ...(fonts[of('fontId')] ?? plain),
      fill: fills[of('fillId')],
      borders: borders[of('borderId')] ?? {},
      across:
        horizontal === 'general' || horizontal === 'left' || horizontal === 'right'
          ? horizontal
          : horizontal === 'center' || horizontal === 'centerContinuous' || horizontal === 'distributed'
            ? 'center'
            : 'left',
      down: vertical === 'top' ? 'top' : vertical === 'bottom' ? 'bottom' : 'center',
      wraps: attributeOf(alignment, 'wrapText') === '1' || vertical === 'justify' || horizontal === 'justify',
      turned: Number(attributeOf(alignment, 'textRotation') ?? 0),
      indent: Number(attributeOf(alignment, 'indent') ?? 0),
      format: formats.get(String(id)) ?? id,
    }
  })
}
