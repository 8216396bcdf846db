import type { Typeface } from './typeface.ts'

/** Signs that begin no line, and signs that end none. */
const noStart = /[，。、；：！？）》」』】〕〉…—％”’·,.;:!?)\]}%]/u
const noEnd = /[（《「『【〔〈“‘([{]/u
/** Of a word that is kept together: letters and digits with what joins them. */
const inWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}@._/:+*#&'’-]/u

/** What a line is broken between: a word, or one sign with those that may not be parted from it. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let isWord = false
  for (const sign of text) {
    const last = pieces.at(-1)
    const joins = inWord.test(sign)
    if (last !== undefined && ((joins && isWord) || noStart.test(sign) || noEnd.test([...last].at(-1)!)))
      pieces[pieces.length - 1] = last + sign
    else pieces.push(sign)
    isWord = joins
  }
  return pieces
}

/**
 * A text broken into lines no wider than `most`, in units of the size that it is drawn in. A word that is wider than a line is
 * broken within.
 */
export function linesOf(typeface: Typeface, text: string, most: number): string[] {
  const lines: string[] = []
  const widthOf = (part: string): number => {
    let width = 0
    for (const sign of part) width += typeface.widthOf(sign)
    return width
  }
  for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    let line = ''
    let width = 0
    const end = (): void => {
      lines.push(line.trimEnd())
      line = ''
      width = 0
    }
    for (const piece of piecesOf(paragraph)) {
      const wide = widthOf(piece)
      if (width + wide <= most + 1e-6) {
        line += piece
        width += wide
        continue
      }
      if (line !== '') end()
      if (piece.trim() === '') continue
      for (const sign of piece) {
        const own = typeface.widthOf(sign)
        if (line !== '' && width + own > most + 1e-6) end()
        line += sign
        width += own
      }
    }
    end()
  }
  return lines
}
