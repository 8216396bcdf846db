import type { CellFault, FileColumn } from './calls.ts'

/** Cells that are judged together: where one is wrong, another may be the one to correct. */
const groups: readonly (readonly string[])[] = [
  ['student.idNo', 'student.birthDate', 'student.sex'],
  ['student.classId', 'student.gradeId'],
  ['member1.relation', 'member1.relationNote'],
  ['member2.relation', 'member2.relationNote'],
]

/** The fields that are judged together with a field, itself among them. */
export const togetherWith = (key: string): readonly string[] => groups.find((group) => group.includes(key)) ?? []

/**
 * The place of the cell in which a fault is shown and can be put right: its own, or, where the file has no such
 * column, that of a field judged with it. Null where there is neither.
 */
export function cellOf(fault: CellFault, columns: readonly FileColumn[]): number | null {
  if (fault.column !== null) return fault.column
  const beside = togetherWith(fault.field)
  return columns.find(({ key }) => key !== null && beside.includes(key))?.index ?? null
}
