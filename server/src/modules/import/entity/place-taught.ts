import { placeOf } from '../student/class-placement.ts'
import type { RowReader } from './items.ts'

/** Where somebody teaches: a class, which has a grade, or a teaching class. */
export interface Place {
  readonly id: string
  readonly grade?: string
}

/** The teaching classes that a cell names, one or several; none where classes go by these names. */
export function teachingOf(reader: RowReader, text: string): Place[] {
  const { teaching, places } = reader.reading.directory
  const chosen = teaching.get(/^=(\d+)$/.exec(text)?.[1] ?? '')
  if (chosen) return [{ id: chosen.id }]
  const whole = teaching.find(text)
  const pieces = whole.length === 1 ? [text] : text.split(/[、,，;；\n]+/).filter((each) => each.trim() !== '')
  const named = pieces.map((piece) => teaching.find(piece.trim()))
  const isClass = pieces.every((piece) => 'place' in placeOf(piece, reader.grades, places))
  return named.every((found) => found.length === 1) && !isClass ? named.flat().map(({ id }) => ({ id })) : []
}
