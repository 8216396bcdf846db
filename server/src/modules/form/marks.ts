/*
 * Marks in the cells of a form: {{姓名}}, {{班级.班主任}}, {{出生日期|yyyy年M月d日}}; with [] before the name, {{[].姓名}}, the row of
 * a list. A cell may hold several, with text around them. Signs of full width, as a Chinese keyboard gives them, are the same.
 */

/** A mark as it stands in a cell. */
export interface Mark {
  /** As written, braces and all. */
  readonly text: string
  readonly name: string
  /** Of a list: repeated down the rows that the form has for it. */
  readonly list: boolean
  readonly format: string | undefined
}

const pattern = /(?:\{\{|｛｛)([^{}｛｝]{1,200})(?:\}\}|｝｝)/g

/** Whether a text may hold a mark, or the rest of one. */
export const hasBraces = (text: string): boolean => /\{\{|\}\}|｛｛|｝｝/.test(text)

/** Whether a text has braces that are no mark’s: not closed, closed twice, or with nothing in them. */
export const hasLooseBraces = (text: string): boolean =>
  hasBraces(text.replace(pattern, (whole, inner: string) => (/^\s*([|｜]|$)/.test(inner) ? whole : '')))

const listed = /^[[［]\s*[\]］]\s*[.．]/

/** The marks of a text, in their order. */
export const marksIn = (text: string): Mark[] =>
  [...text.matchAll(pattern)].flatMap(([whole, inner]) => {
    const bar = inner!.search(/[|｜]/)
    const named = (bar < 0 ? inner! : inner!.slice(0, bar)).trim()
    const list = listed.test(named)
    const mark = {
      text: whole,
      name: (list ? named.replace(listed, '') : named).replaceAll('．', '.').trim(),
      list,
      format: bar < 0 ? undefined : inner!.slice(bar + 1).trim() || undefined,
    }
    return mark.name === '' ? [] : [mark]
  })

/** What a mark comes to: a number stays one where it stands alone in its cell. */
export type MarkValue = string | number | null

const day = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?/

/** A day in the form that a mark asks for; anything that is no day as it is. */
export function formatted(value: MarkValue, format: string | undefined): MarkValue {
  if (format === undefined || typeof value !== 'string') return value
  const found = day.exec(value)
  if (!found) return value
  const [, year = '', month = '', date = '', hour = '00', minute = '00'] = found
  const parts: Record<string, string> = {
    yyyy: year,
    MM: month,
    M: String(Number(month)),
    dd: date,
    d: String(Number(date)),
    HH: hour,
    mm: minute,
  }
  return format.replace(/yyyy|MM|M|dd|d|HH|mm/g, (token) => parts[token]!)
}

/** What a cell comes to with its marks taken for their values. */
export function filledText(text: string, worth: (mark: Mark) => MarkValue): MarkValue {
  const marks = marksIn(text)
  if (marks.length === 1 && marks[0]!.text === text.trim()) return worth(marks[0]!)
  let rest = text
  let done = ''
  for (const mark of marks) {
    const at = rest.indexOf(mark.text)
    done += `${rest.slice(0, at)}${worth(mark) ?? ''}`
    rest = rest.slice(at + mark.text.length)
  }
  return done + rest
}
