import type { WeekSlot } from '@data-brain/contract/rules/slots'
import { type NamedRule, ruleKinds } from '@data-brain/contract/rules/timetable-rule'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PlanFacts } from './lessons.ts'
import type { Activity, Demand, Rule, Selection, Slot } from './solver/problem.ts'

/** A rule that a clerk has set, with the ids and the names of those that it is about. */
export interface SemesterRule extends NamedRule {
  readonly id: string
  readonly whose: string | null
  readonly slots: readonly WeekSlot[] | null
  readonly half: string | null
  readonly max: number | null
  readonly gap: number | null
  readonly teacherIds: readonly string[]
  readonly gradeIds: readonly string[]
  readonly classIds: readonly string[]
  readonly teachClassIds: readonly string[]
  readonly subjectIds: readonly string[]
}

/** The rules of a semester that are in force, in the order in which they were set. */
export const rulesOfSemester = (
  tx: Tx,
  tenantId: string,
  { semesterId }: Pick<PlanFacts, 'semesterId'>,
): Promise<SemesterRule[]> =>
  tx.run<SemesterRule>(
    sql`select r.id, r.kind, r.whose, r.slots, r.half, r.max, r.gap, r.strength,
          coalesce(u.ids, '{}') as "teacherIds", coalesce(u.names, '{}') as teachers,
          coalesce(g.ids, '{}') as "gradeIds", coalesce(g.names, '{}') as grades,
          coalesce(c.ids, '{}') as "classIds", coalesce(c.names, '{}') as classes,
          coalesce(t.ids, '{}') as "teachClassIds", coalesce(t.names, '{}') as "teachClasses",
          coalesce(b.ids, '{}') as "subjectIds", coalesce(b.names, '{}') as subjects
        from timetablerule r
          left join lateral (select array_agg(o.id::text order by l.ord) as ids, array_agg(o.real_name order by l.ord) as names
            from timetablerule_teacher l join app_user o on o.tenant_id = l.tenant_id and o.id = l.target_id where l.tenant_id = r.tenant_id and l.owner_id = r.id) u on true
          left join lateral (select array_agg(o.id::text order by l.ord) as ids, array_agg(o.grade_name order by l.ord) as names
            from timetablerule_grade l join sysgrade_seen o on o.tenant_id = l.tenant_id and o.id = l.target_id where l.tenant_id = r.tenant_id and l.owner_id = r.id) g on true
          left join lateral (select array_agg(o.id::text order by l.ord) as ids, array_agg(o.class_name order by l.ord) as names
            from timetablerule_class l join schoolclass o on o.tenant_id = l.tenant_id and o.id = l.target_id where l.tenant_id = r.tenant_id and l.owner_id = r.id) c on true
          left join lateral (select array_agg(o.id::text order by l.ord) as ids, array_agg(o.teach_class_name order by l.ord) as names
            from timetablerule_teach_class l join schoolteachclass o on o.tenant_id = l.tenant_id and o.id = l.target_id where l.tenant_id = r.tenant_id and l.owner_id = r.id) t on true
          left join lateral (select array_agg(o.id::text order by l.ord) as ids, array_agg(o.subject_name order by l.ord) as names
            from timetablerule_subject l join schoolsubject o on o.tenant_id = l.tenant_id and o.id = l.target_id where l.tenant_id = r.tenant_id and l.owner_id = r.id) b on true
        where r.tenant_id = ${tenantId} and r.semester_id = ${semesterId} and r.status = 1
        order by r.id`,
  )

/** A class of a semester's year, as rules know it. */
export interface ClassFacts {
  readonly id: string
  readonly gradeId: string | null
  readonly campusId: string | null
}

export const classesOfSemester = (tx: Tx, tenantId: string, { semesterId }: PlanFacts): Promise<ClassFacts[]> =>
  tx.run<ClassFacts>(
    sql`select c.id, c.grade_id as "gradeId", c.campus_id as "campusId" from schoolclass c
          join schoolsemester m on m.tenant_id = c.tenant_id and m.year_id = c.year_id
        where c.tenant_id = ${tenantId} and m.id = ${semesterId} order by c.id`,
  )

/** What a wish costs for every unit by which it is broken, by keys of the dictionary timetable_rule_strength. */
const weights: Readonly<Record<string, number>> = { '2': 4, '3': 2, '4': 1 }

/** What rules speak of. */
export interface RuleGround {
  readonly classes: readonly ClassFacts[]
  readonly days: readonly number[]
  readonly periods: readonly number[]
  readonly activities: readonly Activity[]
  /** The class or teaching class of each lesson, by its id. */
  readonly ownerOf: ReadonlyMap<string, string>
}

/** The solver's rules that a semester's rules are; each has the id of the one that it comes from. */
export function solverRules(rules: readonly SemesterRule[], ground: RuleGround): Rule[] {
  return rules.flatMap((rule) =>
    demandsOf(rule, ground).map((demand): Rule => {
      const weight = weights[rule.strength]
      return weight === undefined ? { id: rule.id, ...demand, hard: true } : { id: rule.id, ...demand, weight }
    }),
  )
}

function demandsOf(rule: SemesterRule, ground: RuleGround): Demand[] {
  const { kind, teacherIds, subjectIds } = rule
  const classes = classesMeant(rule, ground)
  const of: Selection = {
    ...(teacherIds.length > 0 ? { teachers: [...teacherIds] } : {}),
    ...(classes ? { classes } : {}),
    ...(subjectIds.length > 0 ? { subjects: [...subjectIds] } : {}),
  }
  const people =
    rule.whose === '2' ? { classes: classes ?? ('all' as const) } : { teachers: of.teachers ?? ('all' as const) }
  const max = rule.max ?? 0
  const gap = rule.gap ?? 1
  switch (kind) {
    case ruleKinds.closed:
      return [{ kind: 'unavailable', of, slots: slotsOf(rule) }]
    case ruleKinds.fixed:
      return [{ kind: 'unavailable', of, slots: slotsBeside(rule, ground) }]
    case ruleKinds.half:
      return [{ kind: 'half', of, half: rule.half === '2' ? 'pm' : 'am' }]
    case ruleKinds.perDay:
      return [{ kind: 'perDay', of: people, max }]
    case ruleKinds.inRow:
      return [{ kind: 'inRow', of: people, max }]
    case ruleKinds.windows:
      return [{ kind: 'windows', of: people, max }]
    case ruleKinds.daysPerWeek:
      return [{ kind: 'daysPerWeek', of: people, max }]
    case ruleKinds.subjectPerDay:
      return [{ kind: 'subjectPerDay', of, max }]
    case ruleKinds.spread:
      return [{ kind: 'spread', of }]
    case ruleKinds.daysBetween:
      return [...seriesMeant(rule, ground).values()]
        .filter((activities) => activities.length > 1)
        .map((activities) => ({ kind: 'daysBetween', activities, min: gap }))
    case ruleKinds.sameTime:
      return together([...seriesMeant(rule, ground).values()])
    case ruleKinds.apart:
      return [{ kind: 'apart', activities: lessonsMeant(rule, ground).map(({ id }) => id) }]
    case ruleKinds.travel:
      return [{ kind: 'travel', of: { teachers: of.teachers ?? 'all' }, gap }]
    default:
      return []
  }
}

/** The classes that a rule names, by themselves or by their grades; undefined where it names none. */
function classesMeant({ classIds, gradeIds }: SemesterRule, { classes }: RuleGround): string[] | undefined {
  if (classIds.length === 0 && gradeIds.length === 0) return undefined
  return classes
    .filter(({ id, gradeId }) => classIds.includes(id) || (gradeId !== null && gradeIds.includes(gradeId)))
    .map(({ id }) => id)
}

const slotsOf = ({ slots }: SemesterRule): Slot[] =>
  (slots ?? []).map(({ weekday, periodNo }) => ({ day: weekday, period: periodNo }))

/** Every period of the week but those of a rule. */
function slotsBeside(rule: SemesterRule, { days, periods }: RuleGround): Slot[] {
  const own = new Set(slotsOf(rule).map(({ day, period }) => `${day}|${period}`))
  return days.flatMap((day) => periods.flatMap((period) => (own.has(`${day}|${period}`) ? [] : [{ day, period }])))
}

/** Lessons of the teachers, classes and subjects that a rule names; and those of its teaching classes. */
function lessonsMeant(rule: SemesterRule, ground: RuleGround): Activity[] {
  const { teacherIds, subjectIds, teachClassIds } = rule
  const classes = classesMeant(rule, ground)
  const names = teacherIds.length > 0 || subjectIds.length > 0 || classes !== undefined
  const has = (list: readonly string[] | undefined, of: readonly string[]): boolean =>
    !list || list.length === 0 || of.some((id) => list.includes(id))
  return ground.activities.filter((activity) => {
    const owner = ground.ownerOf.get(activity.id)
    if (owner !== undefined && teachClassIds.includes(owner)) return has(subjectIds, [activity.subject])
    // A rule that names teaching classes alone is about no others.
    if (!names && teachClassIds.length > 0) return false
    return (
      has(teacherIds, activity.teachers) &&
      has(subjectIds, [activity.subject]) &&
      (!classes || activity.classes.some((id) => classes.includes(id)))
    )
  })
}

/** The same, by class or teaching class and subject, each in the order of its lessons. */
function seriesMeant(rule: SemesterRule, ground: RuleGround): Map<string, string[]> {
  const series = new Map<string, string[]>()
  for (const activity of lessonsMeant(rule, ground)) {
    const key = `${ground.ownerOf.get(activity.id)}|${activity.subject}`
    series.set(key, [...(series.get(key) ?? []), activity.id])
  }
  return series
}

/** The first lessons of all of these begin together, the second ones, and so on. */
function together(series: readonly (readonly string[])[]): Demand[] {
  const most = Math.max(0, ...series.map((each) => each.length))
  return Array.from({ length: most }, (_, nth) => series.flatMap((each) => each[nth] ?? []))
    .filter((activities) => activities.length > 1)
    .map((activities) => ({ kind: 'sameTime', activities }))
}
