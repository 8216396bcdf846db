/** What a spreadsheet takes for the beginning of a formula; some take the full-width signs for the plain ones. */
const begins = '[=+\\-@＝＋－＠\\t\\r\\n]'
const computed = new RegExp(`^${begins}`)
const guarded = new RegExp(`^'${begins}`)

/** A text that a spreadsheet would compute is written with a quote in front, so that it stays a text. */
export const guard = (text: string): string => (computed.test(text) ? `'${text}` : text)

/** Takes away the quote that `guard` put. */
export const unguardFormula = (text: string): string => (guarded.test(text) ? text.slice(1) : text)
