import { hiddenMark, type ReportContent, type ReportResult } from '@data-brain/contract/report'
import type { World } from './world.ts'

/*
 * What a report ought to say, worked out in plain JavaScript from rows that the database's owner reads: nothing of the
 * product's own is asked.
 */

export interface Pupil {
  readonly id: string
  readonly schoolId: string
  readonly gradeId: string | null
  readonly classId: string | null
  readonly sex: string
  readonly nation: string | null
  readonly studyWay: string | null
  readonly seatNo: number | null
  readonly birthDate: string
  readonly status: string
  readonly createUser: string | null
  /** Of the class. */
  readonly classStatus: string | null
  readonly stage: string | null
}

export const pupilsOf = async (world: World, tenantId: string): Promise<Pupil[]> =>
  (
    await world.owner.query<Pupil>(
      `select s.id::text, s.school_id::text as "schoolId", s.grade_id::text as "gradeId", s.class_id::text as "classId", s.sex, s.nation,
         s.study_way as "studyWay", s.seat_no as "seatNo", s.birth_date::text as "birthDate", s.status::text, s.create_user::text as "createUser",
         c.status::text as "classStatus", coalesce(g.stage, h.stage) as stage
       from student s left join schoolclass c on c.tenant_id = s.tenant_id and c.id = s.class_id
         left join sysgrade g on g.tenant_id = s.tenant_id and g.id = s.grade_id
         left join sysgrade_shared h on h.id = s.grade_id
       where s.tenant_id = $1`,
      [tenantId],
    )
  ).rows

/** A way to group pupils: its path, what a pupil falls into, and how the list of pupils would be asked for that. */
export interface Way {
  readonly path: string
  readonly by?: 'day' | 'month' | 'year'
  readonly of: (pupil: Pupil) => string | null
  readonly asked: (key: string | null) => Record<string, string> | undefined
}
const own = (path: 'schoolId' | 'gradeId' | 'classId' | 'sex' | 'nation' | 'studyWay' | 'status'): Way => ({
  path,
  of: (pupil) => pupil[path],
  asked: (key) => (key === null ? { [`${path}_null`]: '1' } : { [path]: key }),
})
const daysIn = (month: string): number => new Date(Number(month.slice(0, 4)), Number(month.slice(5)), 0).getDate()
export const ways: readonly Way[] = [
  own('schoolId'),
  own('gradeId'),
  own('classId'),
  own('sex'),
  own('nation'),
  own('studyWay'),
  own('status'),
  {
    path: 'birthDate',
    by: 'year',
    of: ({ birthDate }) => birthDate.slice(0, 4),
    asked: (key) => ({ birthDate_datege: `${key}-01-01`, birthDate_datele: `${key}-12-31` }),
  },
  {
    path: 'birthDate',
    by: 'month',
    of: ({ birthDate }) => birthDate.slice(0, 7),
    asked: (key) => ({ birthDate_datege: `${key}-01`, birthDate_datele: `${key}-${daysIn(key!)}` }),
  },
  { path: 'classId.status', of: ({ classStatus }) => classStatus, asked: () => undefined },
  { path: 'gradeId.stage', of: ({ stage }) => stage, asked: () => undefined },
]

type CellValue = number | string | null
type Measure = ReportContent['measures'][number]

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** What a measure of some pupils comes to. */
function worth({ of }: Measure, some: readonly Pupil[], all: number): number | null {
  const seats = some.flatMap(({ seatNo }) => (seatNo === null ? [] : [seatNo]))
  const sum = seats.reduce((a, b) => a + b, 0)
  if (of === 'count') return some.length
  if (of === 'share') return all === 0 ? null : rounded((some.length * 100) / all, 1)
  if (seats.length === 0) return null
  if (of === 'sum') return sum
  if (of === 'average') return rounded(sum / seats.length, 2)
  return of === 'min' ? Math.min(...seats) : Math.max(...seats)
}

/** Every line of the table, by the rows that it is of: what it counts, column by column. */
export function expected(
  pupils: readonly Pupil[],
  groups: readonly Way[],
  cross: Way | undefined,
  content: Pick<ReportContent, 'measures' | 'hideBelow'>,
): { lines: Map<string, CellValue[]>; columns: string[]; hidden: number; total: number; linked: Set<string> } {
  const { measures, hideBelow } = content
  const cellOf = (pupil: Pupil): string =>
    JSON.stringify([...groups, ...(cross ? [cross] : [])].map(({ of }) => of(pupil)))
  const sizes = new Map<string, number>()
  for (const pupil of pupils) sizes.set(cellOf(pupil), (sizes.get(cellOf(pupil)) ?? 0) + 1)
  const isShown = (pupil: Pupil): boolean => sizes.get(cellOf(pupil))! >= hideBelow
  // A number that too few of a cell have is told nowhere.
  const sitting = Map.groupBy(
    pupils.filter(({ seatNo }) => seatNo !== null),
    cellOf,
  )
  const isScarce = (pupil: Pupil): boolean => {
    const have = sitting.get(cellOf(pupil))?.length ?? 0
    return have > 0 && have < hideBelow
  }
  const told = (some: readonly Pupil[]): Pupil[] =>
    some.map((pupil) => (isScarce(pupil) ? { ...pupil, seatNo: null } : pupil))
  const shown = pupils.filter(isShown)
  const columns = cross ? [...new Set(shown.map((pupil) => JSON.stringify(cross.of(pupil))))].sort() : []
  const lines = new Map<string, CellValue[]>()
  const linked = new Set<string>()
  for (let level = groups.length; level >= 0; level -= 1) {
    if (level === 0 && groups.length === 0) lines.set('[]', [])
    const named = Map.groupBy(pupils, (pupil) => JSON.stringify(groups.slice(0, level).map(({ of }) => of(pupil))))
    for (const [key, some] of named) {
      const open = some.filter(isShown)
      if (open.length === 0 && level > 0) continue
      const cells = columns.flatMap((column) => {
        const inCell = (pupil: Pupil): boolean => JSON.stringify(cross!.of(pupil)) === column
        const isLeaf = level === groups.length
        const isHidden = isLeaf && some.some((pupil) => inCell(pupil) && !isShown(pupil))
        return measures.map((measure) =>
          isHidden || (isLeaf && measure.field && some.some((pupil) => inCell(pupil) && isScarce(pupil)))
            ? hiddenMark
            : worth(measure, told(open.filter(inCell)), shown.length),
        )
      })
      const sums = measures.map((measure) =>
        !cross && level === groups.length && measure.field && some.some(isScarce)
          ? hiddenMark
          : worth(measure, told(open), shown.length),
      )
      lines.set(`${level}:${key}`, [...cells, ...sums])
      if (level === groups.length || open.length === some.length) linked.add(`${level}:${key}`)
    }
  }
  lines.delete('[]')
  return {
    lines,
    columns,
    linked,
    hidden: [...sizes.values()].filter((size) => size < hideBelow).length,
    total: shown.length,
  }
}

/** A table that a report answered, in the same form: lines by the list that they lead to. */
export function answered(
  result: ReportResult,
  groups: readonly Way[],
  cross: Way | undefined,
  pupils: readonly Pupil[],
): { lines: Map<string, CellValue[]>; columns: string[]; linked: Set<string> } {
  const keyBy = (way: Way): Map<string, string> =>
    new Map(pupils.map((pupil) => [JSON.stringify(way.asked(way.of(pupil))), JSON.stringify(way.of(pupil))]))
  const measures = result.content.measures.length
  const first = groups.length
  const maps = groups.map(keyBy)
  const columns: string[] = []
  const order: number[] = []
  if (cross) {
    const keys = keyBy(cross)
    const heads = result.heads.slice(first, result.heads.length - measures)
    for (let at = 0; at < heads.length; at += measures) {
      columns.push(keys.get(JSON.stringify(heads[at]!.query)) ?? `unknown ${JSON.stringify(heads[at])}`)
      order.push(at)
    }
  }
  const sorted = columns.map((key, at) => [key, order[at]!] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = new Map<string, CellValue[]>()
  const linked = new Set<string>()
  let leaf: (string | null)[] = []
  for (const { level, query, cells } of result.rows) {
    // A sum that leads nowhere stands below the rows that it is of.
    const keys =
      query === null && level < groups.length
        ? leaf.slice(0, level)
        : groups.slice(0, level).map((_, at) => {
            const map = maps[at]!
            for (const [asked, key] of map) {
              const wanted = JSON.parse(asked) as Record<string, string>
              if (Object.entries(wanted).every(([name, value]) => query?.[name] === value))
                return JSON.parse(key) as string | null
            }
            return `unknown ${JSON.stringify(query)}`
          })
    if (level === groups.length) leaf = keys
    if (query) linked.add(`${level}:${JSON.stringify(keys)}`)
    const values = cells.slice(first) as CellValue[]
    lines.set(`${level}:${JSON.stringify(keys)}`, [
      ...sorted.flatMap(([, at]) => values.slice(at, at + measures)),
      ...values.slice(-measures),
    ])
  }
  return { lines, columns: sorted.map(([key]) => key), linked }
}
