import { schoolperiod } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Context } from '../../entity/repository.ts'
import { changesField, refuseField, type Saving, type StoredRow } from '../../entity/rules.ts'
import { planStates } from './rules.ts'

/** What of a period says which lessons stand in it. */
type Period = Pick<StoredRow<typeof schoolperiod>, 'id' | 'schoolId' | 'season'> & {
  readonly periodNo?: number | null | undefined
  readonly campusId?: string | null | undefined
  readonly gradeIds?: readonly string[] | null | undefined
}

/** Of a plan so many lessons. */
interface Left {
  readonly name: string
  readonly lessons: number
}

/** Plans that are named; the others are counted with them. */
const namedMost = 3

/** Both seasons, as keys of the dictionary season. */
const seasons = ['1', '2'] as const
const allYear = '0'

/**
 * Lessons of published timetables of terms that are not over which would stand in no period: those of this one for which the
 * school has none of the number otherwise, or as it is to be, on their campus, for their grade, in each season.
 */
async function lessonsLeft({ tx, actor }: Context, old: Period, next: Period | undefined): Promise<Left[]> {
  const { tenantId } = actor
  const { schoolId, periodNo } = old
  // Whoever publishes a timetable of the school holds its semester.
  await tx.run(
    sql`select from schoolsemester where tenant_id = ${tenantId} and school_id = ${schoolId} order by id for share`,
  )
  const grades = (of: Period | undefined) => [...(of?.gradeIds ?? [])].map(String)
  const covered = old.season === allYear ? [...seasons] : [old.season]
  return tx.run<Left>(
    sql`with period as (
          select p.campus_id, p.season, p.period_no, (select array_agg(g.target_id) from schoolperiod_grade g where g.tenant_id = p.tenant_id and g.owner_id = p.id) as grades
          from schoolperiod p where p.tenant_id = ${tenantId} and p.school_id = ${schoolId} and p.id <> ${old.id}
          union all
          select ${next?.campusId ?? null}::bigint, ${next?.season ?? allYear}, ${next?.periodNo ?? null}::int, nullif(${grades(next)}::bigint[], '{}')
        )
        select t.plan_name as name, count(*)::int as lessons
        from classschedule l
          join timetableplan t on t.tenant_id = l.tenant_id and t.id = l.plan_id and t.status = ${planStates.published}
          join schoolsemester m on m.tenant_id = l.tenant_id and m.id = l.semester_id and m.end_date >= current_date
          left join schoolclass c on c.tenant_id = l.tenant_id and c.id = l.class_id
        where l.tenant_id = ${tenantId} and l.school_id = ${schoolId}
          and ${periodNo ?? null}::int between l.period_no and l.period_no + l.span - 1
          and (${old.campusId ?? null}::bigint is null or c.campus_id = ${old.campusId ?? null})
          and (${grades(old)}::bigint[] = '{}' or c.grade_id = any(${grades(old)}::bigint[]))
          and exists (select from unnest(${covered}::text[]) s(season) where not exists (
            select from period p where p.period_no = ${periodNo ?? null}::int and p.season in (${allYear}, s.season)
              and (p.campus_id is null or p.campus_id = c.campus_id) and (p.grades is null or c.grade_id = any(p.grades))))
        group by t.id, t.plan_name order by lessons desc, t.plan_name`,
  )
}

/** Refuses to take a period away, or to make it another one, under lessons that are published in it. */
export async function keepsLessonsOf(context: Context, old: Period, next: Period | undefined): Promise<void> {
  if (!old.periodNo) return
  const left = await lessonsLeft(context, old, next)
  if (left.length === 0) return
  const named = left.slice(0, namedMost)
  const others = left.length - named.length
  const no = old.periodNo
  refuseField(
    { context },
    schoolperiod,
    'periodNo',
    `第${no}节有已发布的课，不能删除或改动：${named.map(({ name, lessons }) => `课表“${name}”${lessons}节`).join('，')}${others > 0 ? `，另有${others}个课表` : ''}。请先把这些课排到其他节次并发布`,
    `${no} has published lessons and is neither removed nor changed: ${named.map(({ name, lessons }) => `${lessons} of the timetable “${name}”`).join(', ')}${others > 0 ? `, and those of ${others} more` : ''}. Move these to other periods and publish that first`,
  )
}

/** The same of a change: what is about other lessons than before, or about none. */
export async function keepsItsLessons(saving: Saving<typeof schoolperiod>): Promise<void> {
  const { context, id, before, whole } = saving
  if (!before || !changesField(saving, 'schoolId', 'periodNo', 'campusId', 'gradeIds', 'season')) return
  await keepsLessonsOf(context, before, { ...whole, id })
}
