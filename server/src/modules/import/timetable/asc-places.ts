import { classInTitle, readClass } from '@data-brain/contract/import/class-name'
import type { AscFile, AscRow } from './asc-file.ts'

/** What an id of a file is called; the file may name something that it does not hold. */
export const nameOf = (row: AscRow): string =>
  row.get('name') ||
  [row.get('lastname'), row.get('firstname')].filter(Boolean).join(' ') ||
  row.get('short') ||
  row.get('id') ||
  ''

/** The ids in an attribute; files of before 2012 name one where later ones have a list. */
export const idsOf = (row: AscRow | undefined, name: string): string[] =>
  (row?.get(`${name}ids`) ?? row?.get(`${name}id`) ?? '').split(',').filter((id) => id.trim() !== '')

/** A group that is not its whole class. */
export interface PartOfClass {
  readonly label: string
}

/** Who has a lesson, in the words of cells: whole classes by their names, parts of classes by those of their groups. */
export interface Place {
  readonly cells: readonly string[]
  readonly parts: readonly PartOfClass[]
  /** Classes and groups that the file does not hold. */
  readonly unknown: readonly string[]
}

/** The name of a part of a class, so that no reader finds the name of a class in it and takes the part for the whole. */
function cellOfPart(name: string, className: string, isOne: boolean): string {
  const forms = [...(isOne ? [name] : []), `${name}（${className}）`, `${name}（${[...className].join('·')}）`]
  const isNoClass = (text: string): boolean => classInTitle(text) === undefined && readClass(text).length === 0
  return forms.find(isNoClass) ?? `“${[...name].join('·')}”`
}

/** Reads who has the lessons of a file. */
export function placesOf({ tables }: AscFile): (lesson: AscRow) => Place {
  const classes = new Map((tables.get('classes') ?? []).map((row) => [row.get('id') ?? '', nameOf(row)]))
  const groups = new Map((tables.get('groups') ?? []).map((row) => [row.get('id') ?? '', row]))
  // Which classes have a group of this name: 男生 of each class is not one group.
  const owners = new Map<string, Set<string>>()
  for (const lesson of tables.get('lessons') ?? []) {
    const byName = Map.groupBy(
      idsOf(lesson, 'group').flatMap((id) => groups.get(id) ?? []),
      nameOf,
    )
    for (const [name, own] of byName) {
      const together = own.map((row) => row.get('classid'))
      owners.set(name, (owners.get(name) ?? new Set()).add(together.toSorted().join()))
    }
  }
  return (lesson) => {
    const cells = new Set<string>()
    const parts: PartOfClass[] = []
    const unknown: string[] = []
    const covered = new Set<string>()
    const classOf = (id: string): string => {
      const known = classes.get(id)
      if (known === undefined) unknown.push(`班级 ${id}`)
      return known ?? `未知的班级（${id}）`
    }
    for (const id of idsOf(lesson, 'group')) {
      const group = groups.get(id)
      const owner = group?.get('classid') ?? ''
      covered.add(owner)
      if (!group) {
        unknown.push(`组 ${id}`)
        cells.add(`未知的组（${id}）`)
      } else if (group.get('entireclass') === '1') cells.add(classOf(owner))
      else {
        const [name, className] = [nameOf(group), classOf(owner)]
        parts.push({ label: `${name}（${className}）` })
        cells.add(cellOfPart(name, className, owners.get(name)?.size === 1))
      }
    }
    const ids = idsOf(lesson, 'class').filter((id) => !covered.has(id))
    // Before 2012 a lesson names its group beside the class.
    const own = groups.size === 0 ? lesson.get('group') : undefined
    for (const className of ids.map(classOf)) {
      if (own) parts.push({ label: `${own}（${className}）` })
      cells.add(own ? cellOfPart(own, className, false) : className)
    }
    const isByPupil = cells.size === 0 && idsOf(lesson, 'student').length > 0
    return { cells: isByPupil ? ['按学生选课（没有写班级）'] : [...cells], parts, unknown }
  }
}
