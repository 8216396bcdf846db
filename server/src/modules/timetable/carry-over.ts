import { codeOf, type Draft, schoolsemester, teacherclass, timetablerule } from '@data-brain/contract'
import {
  type CarriedItem,
  carryAssignments,
  carryRules,
  previewAssignments,
  previewRules,
} from '@data-brain/contract/calls/timetable-carry'
import { ruleSentence } from '@data-brain/contract/rules/timetable-rule'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Call, Route } from '../../kernel/route.ts'
import { notHandedOver } from './lessons.ts'
import { rulesOfSemester } from './semester-rules.ts'

/** A semester that something is carried into, and the one that it comes from. */
interface Way {
  readonly into: string
  readonly from: string
  readonly schoolId: string
  readonly beginDate: string
  readonly endDate: string
}

/** Both semesters, of one school, as far as the caller works with them by a right. */
async function wayOf(
  call: Call,
  { semesterId, from }: { readonly semesterId: string; readonly from: string },
  code: string,
): Promise<Way> {
  const rows = rowsOf(schoolsemester, call)
  const into = await rows.before(semesterId, { codes: [code] })
  const former = await rows.before(from, { codes: [code] })
  if (semesterId === from || into.schoolId !== former.schoolId)
    throw new Problem('rule_broken', {
      reason: { zh: '请选择同一学校的另一个学期', en: 'Choose another semester of the same school' },
    })
  return { into: semesterId, from, schoolId: into.schoolId, beginDate: into.beginDate, endDate: into.endDate }
}

/**
 * What classes and teaching classes of the former semester are in the other one: within a year the same class; from year to
 * year the class that follows it, or where nobody has said which does, the one of the same cohort and number; a teaching class
 * the one of the same code.
 */
async function goingOn({ tx, actor }: Call, { from, into }: Way): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.run<{ old: string; now: string }>(
    sql`with old as (select m.* from schoolsemester m where m.tenant_id = ${actor.tenantId} and m.id = ${from}),
          new as (select m.* from schoolsemester m where m.tenant_id = ${actor.tenantId} and m.id = ${into})
        select c.id as old, n.id as now from old join schoolclass c on c.tenant_id = old.tenant_id and c.school_id = old.school_id and c.year_id = old.year_id
          cross join new join lateral (
            select x.id from schoolclass x where x.tenant_id = c.tenant_id and x.school_id = c.school_id and x.year_id = new.year_id and x.status <= 1
              and (x.id = c.id or x.id = c.next_class_id or x.prev_class_id = c.id or (c.next_class_id is null and x.cohort_year = c.cohort_year and x.class_no = c.class_no
                and (select g.stage from sysgrade_seen g where g.tenant_id = x.tenant_id and g.id = x.grade_id) = (select g.stage from sysgrade_seen g where g.tenant_id = c.tenant_id and g.id = c.grade_id)))
            order by x.id = c.id desc, x.id = c.next_class_id desc nulls last, x.prev_class_id = c.id desc nulls last limit 1) n on true
        union all
        select g.id, x.id from old join schoolteachclass g on g.tenant_id = old.tenant_id and g.semester_id = old.id
          cross join new join schoolteachclass x on x.tenant_id = g.tenant_id and x.semester_id = new.id and x.teach_class_code = g.teach_class_code`,
  )
  return new Map(rows.map(({ old, now }) => [old, now]))
}

/** What carrying over would make, is there already, and cannot be made. */
interface Carrying<D> {
  readonly make: readonly (CarriedItem & { readonly draft: D })[]
  readonly there: number
  readonly left: readonly CarriedItem[]
}

interface Assigned {
  readonly userId: string
  readonly teacherName: string
  readonly hasLeft: boolean
  readonly classId: string | null
  readonly teachClassId: string | null
  readonly className: string
  readonly subjectId: string
  readonly subjectName: string
  readonly role: string
  readonly hours: number
}

const ofOne = ({ classId, teachClassId }: Pick<Assigned, 'classId' | 'teachClassId'>) => classId ?? teachClassId ?? ''
/** Of the dictionary teacher_role: a class has one who teaches a subject, and may have several who help. */
const teaches = '1'

const assigned = (call: Call, semesterId: string): Promise<Assigned[]> =>
  queryReached<Assigned>(
    call,
    teacherclass,
    (scope) =>
      sql`select t.user_id as "userId", u.real_name as "teacherName", u.status <> 1 or u.staff_status in ('3', '4') as "hasLeft", t.class_id as "classId",
            t.teach_class_id as "teachClassId", coalesce(c.class_name, g.teach_class_name) as "className", t.subject_id as "subjectId",
            b.subject_name as "subjectName", t.role, t.week_hours as hours
          from teacherclass t join app_user u on u.tenant_id = t.tenant_id and u.id = t.user_id
            join schoolsubject b on b.tenant_id = t.tenant_id and b.id = t.subject_id
            left join schoolclass c on c.tenant_id = t.tenant_id and c.id = t.class_id
            left join schoolteachclass g on g.tenant_id = t.tenant_id and g.id = t.teach_class_id
          where t.tenant_id = ${call.actor.tenantId} and t.semester_id = ${semesterId} ${notHandedOver(sql`t`)} ${scope}
          order by "className", b.sort, t.role, t.id`,
  )

async function assignmentsCarried(call: Call, way: Way): Promise<Carrying<Draft<typeof teacherclass>>> {
  const on = await goingOn(call, way)
  const before = await assigned(call, way.from)
  const now = await call.tx.run<Pick<Assigned, 'classId' | 'teachClassId' | 'subjectId' | 'role' | 'userId'>>(
    sql`select class_id as "classId", teach_class_id as "teachClassId", subject_id as "subjectId", role, user_id as "userId" from teacherclass
        where tenant_id = ${call.actor.tenantId} and semester_id = ${way.into}`,
  )
  const key = (of: string, { subjectId, role, userId }: Pick<Assigned, 'subjectId' | 'role' | 'userId'>) =>
    [of, subjectId, role, role === teaches ? '' : userId].join('|')
  const held = new Set(now.map((each) => key(ofOne(each), each)))
  const make: Carrying<Draft<typeof teacherclass>>['make'][number][] = []
  const left: CarriedItem[] = []
  let there = 0
  for (const each of before) {
    const of = on.get(ofOne(each))
    const text = {
      zh: `${each.className}${each.subjectName}：${each.teacherName}，每周${each.hours}节`,
      en: `${each.subjectName} of ${each.className}: ${each.teacherName}, ${each.hours} a week`,
    }
    if (of === undefined)
      left.push({
        text,
        reason: { zh: '该班在所选学期没有接续的班级', en: 'No class of the semester continues this one' },
      })
    else if (held.has(key(of, each))) there += 1
    else if (each.hasLeft) left.push({ text, reason: { zh: '该教师已不在岗', en: 'The teacher has left' } })
    else {
      const { userId, subjectId, role, hours } = each
      held.add(key(of, each))
      make.push({
        ...{ text, reason: null },
        draft: {
          ...{ schoolId: way.schoolId, semesterId: way.into, userId, subjectId, role, weekHours: hours },
          ...(each.classId ? { classId: of } : { teachClassId: of }),
          ...{ beginDate: way.beginDate, endDate: way.endDate },
        },
      })
    }
  }
  return { make, there, left }
}

async function rulesCarried(call: Call, way: Way): Promise<Carrying<Draft<typeof timetablerule>>> {
  const { tx, actor } = call
  const on = await goingOn(call, way)
  type Found = Awaited<ReturnType<typeof rulesOfSemester>>[number]
  const signature = (rule: Omit<Found, 'id' | 'teachers' | 'grades' | 'classes' | 'teachClasses' | 'subjects'>) =>
    JSON.stringify([
      ...[rule.kind, rule.whose, rule.slots, rule.half, rule.max, rule.gap, rule.strength],
      ...[rule.teacherIds, rule.gradeIds, rule.classIds, rule.teachClassIds, rule.subjectIds].map((ids) =>
        ids.toSorted(),
      ),
    ])
  const held = new Set((await rulesOfSemester(tx, actor.tenantId, { semesterId: way.into })).map(signature))
  const make: Carrying<Draft<typeof timetablerule>>['make'][number][] = []
  const left: CarriedItem[] = []
  let there = 0
  for (const rule of await rulesOfSemester(tx, actor.tenantId, { semesterId: way.from })) {
    const text = { zh: ruleSentence(rule, 'zh'), en: ruleSentence(rule, 'en') }
    const mapped = (ids: readonly string[]) => ids.flatMap((id) => on.get(id) ?? [])
    const [classIds, teachClassIds] = [mapped(rule.classIds), mapped(rule.teachClassIds)]
    const next = { ...rule, classIds, teachClassIds }
    const lost = rule.classIds.length + rule.teachClassIds.length - classIds.length - teachClassIds.length
    if (lost > 0)
      left.push({
        text,
        reason: {
          zh: '所指的班级在所选学期没有接续的班级',
          en: 'No class of the semester continues one that it names',
        },
      })
    else if (held.has(signature(next))) there += 1
    else {
      held.add(signature(next))
      const { kind, whose, slots, half, max, gap, strength, teacherIds, gradeIds, subjectIds } = next
      const given = { whose, slots, half, max, gap }
      const lists = { teacherIds, gradeIds, classIds, teachClassIds, subjectIds }
      make.push({
        ...{ text, reason: null },
        draft: {
          ...{ schoolId: way.schoolId, semesterId: way.into, kind, strength },
          ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
          ...Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0)),
        },
      })
    }
  }
  return { make, there, left }
}

/** What is shown before, and what was done after: the same, without what is sent to the database. */
const told = ({ make, there, left }: Carrying<unknown>) => ({
  make: make.map(({ text, reason }) => ({ text, reason })),
  there,
  left: [...left],
})

/** Whoever carries over works with all of the semester's school: what is there would otherwise be made twice. */
async function hold({ tx, actor }: Call, { into }: Way): Promise<void> {
  await tx.run(sql`select from schoolsemester where tenant_id = ${actor.tenantId} and id = ${into} for no key update`)
}

export const carryOverRoutes: Route[] = [
  on(previewAssignments, async (asked, call) =>
    told(await assignmentsCarried(call, await wayOf(call, asked, codeOf(teacherclass, 'add')))),
  ),
  on(carryAssignments, async (asked, call) => {
    const way = await wayOf(call, asked, codeOf(teacherclass, 'add'))
    await hold(call, way)
    const carrying = await assignmentsCarried(call, way)
    for (const { draft } of carrying.make) await rowsOf(teacherclass, call).add(draft)
    return told(carrying)
  }),
  on(previewRules, async (asked, call) =>
    told(await rulesCarried(call, await wayOf(call, asked, codeOf(timetablerule, 'add')))),
  ),
  on(carryRules, async (asked, call) => {
    const way = await wayOf(call, asked, codeOf(timetablerule, 'add'))
    await hold(call, way)
    const carrying = await rulesCarried(call, way)
    for (const { draft } of carrying.make) await rowsOf(timetablerule, call).add(draft)
    return told(carrying)
  }),
]
