import type { Words } from '../field.ts'

/*
 * A line of a file that is no row of it, in both languages: what reading a timetable of another program could not take.
 */

/** Stands in no text that a person writes. */
const between = '\u001f'

/** A line below the rows of a list that says something in both languages. */
export const noteOf = ({ zh, en }: Words): string => `注：${zh}${between}${en}`

/** The words of such a line; undefined for any other. */
export function readNote(text: string): Words | undefined {
  const [zh, en] = text.replace(/^注：/, '').split(between)
  return zh === undefined || en === undefined ? undefined : { zh, en }
}
