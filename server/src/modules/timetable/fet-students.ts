import { type Element, element, type Names, value } from './fet-xml.ts'
import type { Problem } from './solver/problem.ts'

/** The students of a FET file. */
export interface FetStudents {
  readonly list: Element
  /** The sets of students that a lesson takes. */
  readonly of: (taken: { readonly classes: readonly string[]; readonly groups: readonly string[] }) => readonly string[]
  readonly classOf: (id: string) => string
}

const set = (kind: 'Year' | 'Group' | 'Subgroup', name: string, within: readonly Element[] = []): Element =>
  element(kind, value('Name', name), value('Number_of_Students', 0), value('Comments', ''), within)

/**
 * Classes as FET's years. Of a group of pupils that is taught together (走班) each class has a part, a group of that year; two
 * groups that share pupils share a subgroup. So exactly those lessons exclude each other that do here. Nobody is named, and no
 * number of students is given: which rooms are large enough is said lesson by lesson.
 */
export function fetStudents(problem: Problem, names: Names, nameOf: (id: string) => string): FetStudents {
  const groups = problem.groups ?? []
  const known = new Set(problem.classes.map(({ id }) => id))
  const classOf = (id: string): string => names.of(`class ${id}`, nameOf(id))
  for (const { id } of problem.classes) classOf(id)
  const shared = sharings(groups)
  // Groups of which no class is known, and those that share only pupils without a class, have a part in a year of their own.
  const outside = 'none'
  const classesOf = new Map(groups.map(({ id, classes }) => [id, classes.filter((each) => known.has(each))]))
  const commonTo = (ids: readonly string[]): string =>
    classesOf.get(ids[0]!)!.find((year) => ids.every((each) => classesOf.get(each)!.includes(year))) ?? outside
  const yearsOf = new Map(
    groups.map(({ id }) => {
      const own = classesOf.get(id)!
      const isOutside = own.length === 0 || shared.some((ids) => ids.includes(id) && commonTo(ids) === outside)
      return [id, isOutside ? [...own, outside] : own] as const
    }),
  )
  const partOf = (group: string, year: string): string =>
    names.of(`group ${group} ${year}`, year === outside ? nameOf(group) : `${nameOf(group)} · ${nameOf(year)}`)
  const yearOf = (id: string, name: string): Element => {
    const own = groups.filter((group) => yearsOf.get(group.id)!.includes(id))
    return set(
      'Year',
      name,
      own.map((group) => {
        const part = partOf(group.id, id)
        // A pupil who is in several has one class: the first that all are of stands for it.
        const among = shared.filter((ids) => ids.includes(group.id) && commonTo(ids) === id)
        return set('Group', part, [
          set('Subgroup', names.of(`only ${group.id} ${id}`, `${part} *`)),
          ...among.map((ids) => set('Subgroup', names.of(`shared ${ids.join(' ')}`, ids.map(nameOf).join(' + ')))),
        ])
      }),
    )
  }
  const years = problem.classes.map(({ id }) => yearOf(id, classOf(id)))
  if ([...yearsOf.values()].some((own) => own.includes(outside))) years.push(yearOf(outside, names.of(outside, '走班')))
  return {
    list: element('Students_List', years),
    classOf,
    of: ({ classes, groups: ids }) => [
      ...classes.map(classOf),
      ...ids.flatMap((id) => (yearsOf.get(id) ?? []).map((year) => partOf(id, year))),
    ],
  }
}

/** The sets of two or more groups that some pupil is in, each once. */
function sharings(groups: NonNullable<Problem['groups']>): readonly (readonly string[])[] {
  const byPupil = new Map<string, string[]>()
  for (const { id, pupils } of groups)
    for (const pupil of pupils) byPupil.set(pupil, [...(byPupil.get(pupil) ?? []), id])
  const found = new Map([...byPupil.values()].filter(({ length }) => length > 1).map((ids) => [ids.join(' '), ids]))
  return [...found.values()]
}
