/* The little of XML that a FET file is written in: elements without attributes, each on a line of its own. */

/** An element, as lines; those within others are indented by whoever encloses them. */
export type Element = readonly string[]

// XML 1.0 §2.2: these characters stand in no document, not even escaped. Half a surrogate pair is no character either.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text as it stands between tags; what XML has no way to write is left out. */
export const escapeText = (text: string): string =>
  text.replace(unwritable, '').replace(/[&<>"']/g, (sign) => entities[sign]!)

/** An element that holds a value. */
export const value = (name: string, content: string | number | boolean): Element => [
  `<${name}>${escapeText(String(content))}</${name}>`,
]

/** An element that holds others. */
export const element = (name: string, ...within: readonly (Element | readonly Element[])[]): Element => [
  `<${name}>`,
  ...within.flat(2).map((line) => `\t${line}`),
  `</${name}>`,
]

/**
 * Gives each thing a name that no other has: FET knows teachers, students, subjects, rooms, days and hours by their names. It
 * trims them and has no empty ones; the second of two alike is called “王芳 (2)”.
 */
export class Names {
  readonly #taken = new Set<string>()
  readonly #given = new Map<string, string>()

  /** The name of a thing, the same whenever it is asked for. */
  of(id: string, wished: string): string {
    const given = this.#given.get(id)
    if (given !== undefined) return given
    const base = wished.replace(unwritable, '').replace(/\s+/g, ' ').trim() || id
    let name = base
    for (let n = 2; this.#taken.has(name); n += 1) name = `${base} (${n})`
    this.#taken.add(name)
    this.#given.set(id, name)
    return name
  }
}
