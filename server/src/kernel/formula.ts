/** A text that a spreadsheet would compute is written with a quote in front, so that it stays a text. */
export const guard = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Takes away the quote that `guard` put. */
export const unguard = (text: string): string => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text)
