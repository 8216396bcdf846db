import { codeOf, type Entity, school, schoolclass, sysgrade, syssubject, user } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import {
  chooseGrade,
  gradesOfSchool,
  ownClasses,
  subjectsOfGrade,
  teachersOfSubject,
} from '@data-brain/contract/calls/school'
import type { RawBuilder } from 'kysely'
import { prepareQuery, sql } from '../../database/statement.ts'
import { bindingCodes } from '../../entity/choice-access.ts'
import { modelOf } from '../../entity/model.ts'
import { submit } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { type Reach, reachOf } from '../../entity/scope.ts'
import { tableRef } from '../../entity/select.ts'
import { on } from '../../entity/serve-call.ts'
import { objectOf } from '../../kernel/body.ts'
import { type Call, code, type Route, route } from '../../kernel/route.ts'
import { freeSlotsOf } from '../timetable/index.ts'

type Ground = Pick<Call, 'tx' | 'actor' | 'services'>

/** Keeps a statement to the rows of an entity that these codes reach, and the values that this takes. */
async function within(
  entity: Entity,
  { tx, actor, services }: Ground,
  codes: readonly string[] | undefined,
): Promise<{ only: (id: string) => RawBuilder<unknown>; values: Reach['values'] }> {
  const model = modelOf(entity)
  const reach = codes && (await reachOf({ tx, actor, cipher: services.cipher }, model, codes, entity.name))
  return {
    only: (id) =>
      reach
        ? sql`and ${sql.raw(id)} in (select t.id from ${tableRef(model)} where t.tenant_id = ${actor.tenantId} and ${reach.sql})`
        : sql``,
    values: reach?.values ?? {},
  }
}

/** The same, for those that may be chosen. */
const chosenWithin = (entity: Entity, call: Ground) => within(entity, call, bindingCodes(entity, call.actor))

/** Whether somebody helps to head class `c`. */
const deputyOf = (userId: string | null): RawBuilder<unknown> =>
  sql`exists (select from schoolclass_deputy_teacher d where d.tenant_id = c.tenant_id and d.owner_id = c.id and d.target_id = ${userId})`

/** The calls of the school modules beyond the generic ones (§7.3). */
export const schoolRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/blade-user/schoolclass/addOrUpdate',
    summary: {
      zh: '行政班：按学校、学年、年级、班号新增或修改',
      en: 'Class: add or change by school, year, grade and number',
    },
    access: code('schoolclass_add', 'schoolclass_edit'),
    bodySchema: draftSchema(schoolclass),
    dataSchema: rowSchema(schoolclass),
    tag: 'schoolclass',
    handler: async (call) => {
      const body = objectOf(call.body)
      if (body.id) return submit(schoolclass, call)
      // What is neither a text nor a number is refused below, by the name of its field.
      const [schoolId, yearId, gradeId, classNo] = [body.schoolId, body.yearId, body.gradeId, body.classNo].map(
        (part) => (typeof part === 'string' || typeof part === 'number' ? String(part) : ''),
      )
      const complete =
        [schoolId, yearId, gradeId].every((part) => /^[1-9][0-9]{0,18}$/.test(part ?? '')) &&
        /^[0-9]{1,4}$/.test(classNo ?? '')
      const found = complete
        ? await call.tx.one<{ id: string }>(
            sql`select id from schoolclass where tenant_id = ${call.actor.tenantId} and school_id = ${schoolId} and year_id = ${yearId}
                  and grade_id = ${gradeId} and class_no = ${Number(classNo)}`,
          )
        : undefined
      return submit(schoolclass, { ...call, body: found ? { ...body, id: found.id } : body })
    },
  }),
  on(chooseGrade, async ({ schoolId, keyword, ids }, call) => {
    const { tx, actor } = call
    const [grades, schools] = [await chosenWithin(sysgrade, call), await chosenWithin(school, call)]
    const { text, values } = prepareQuery(
      sql`select g.id, g.grade_name as name, '{}'::text[] as beside from sysgrade_seen g where g.tenant_id = ${actor.tenantId}
            and (${schoolId ?? null}::bigint is null or exists (select 1 from school s where s.tenant_id = g.tenant_id
              and s.id = ${schoolId ?? null} and g.stage = any(s.stages) ${schools.only('s.id')}))
            and (${keyword ?? ''} = '' or position(${keyword ?? ''} in g.grade_name) > 0)
            and (${ids ?? []}::bigint[] = '{}' or g.id = any(${ids ?? []}::bigint[]))
            ${grades.only('g.id')}
          order by g.sort, g.grade_code, g.id`,
    ).with({ tenant: actor.tenantId, ...grades.values, ...schools.values })
    return tx.run<AnswerOf<typeof chooseGrade>[number]>({ text, values })
  }),
  on(gradesOfSchool, async ({ schoolId, yearId }, call) => {
    const { tx, actor } = call
    // Schools and grades that may be chosen, and of their classes those that may be seen.
    const [schools, grades] = [await chosenWithin(school, call), await chosenWithin(sysgrade, call)]
    const classes = await within(schoolclass, call, [codeOf(schoolclass, 'view')])
    const { text, values } = prepareQuery(
      sql`select s.id as "schoolId", s.school_name as "schoolName", g.id, g.grade_code as "gradeCode", g.grade_name as "gradeName", g.stage,
            n.count as "classCount", n.numbers as "classNos"
          from school s join sysgrade_seen g on g.tenant_id = s.tenant_id and g.stage = any(s.stages)
            cross join lateral (
              select count(*)::int as count, coalesce(jsonb_agg(c.class_no order by c.class_no), '[]') as numbers
              from schoolclass c where c.tenant_id = g.tenant_id and c.school_id = s.id and c.grade_id = g.id
                and (${yearId ?? null}::bigint is null or c.year_id = ${yearId ?? null})
                ${classes.only('c.id')}) n
          where s.tenant_id = ${actor.tenantId} and (${schoolId ?? null}::bigint is null or s.id = ${schoolId ?? null})
            ${schools.only('s.id')} ${grades.only('g.id')}
          order by s.sort, s.id, g.sort, g.grade_code limit 2000`,
    ).with({ tenant: actor.tenantId, ...schools.values, ...grades.values, ...classes.values })
    return tx.run<AnswerOf<typeof gradesOfSchool>[number]>({ text, values })
  }),
  on(subjectsOfGrade, async ({ gradeId }, call) => {
    const { tx, actor } = call
    const subjects = await chosenWithin(syssubject, call)
    const { text, values } = prepareQuery(
      sql`select u.id, u.subject_name as name, u.subject_code as "subjectCode", u.subject_name as "subjectName", u.short_name as "shortName", u.color
          from syssubject_seen u where u.tenant_id = ${actor.tenantId} and u.status = 1
            and (${gradeId ?? null}::bigint is null or exists (select 1 from syssubject_grade_seen l
              where l.tenant_id = u.tenant_id and l.owner_id = u.id and l.target_id = ${gradeId ?? null}))
            ${subjects.only('u.id')}
          order by u.sort, u.subject_code, u.id`,
    ).with({ tenant: actor.tenantId, ...subjects.values })
    return tx.run<AnswerOf<typeof subjectsOfGrade>[number]>({ text, values })
  }),
  on(teachersOfSubject, async ({ schoolId, subjectId, semesterId, planId }, call) => {
    const { tx, actor } = call
    const teachers = await within(user, call, teachersOfSubject.access.codes)
    const { text, values } = prepareQuery(
      sql`select u.id, u.real_name as name, u.real_name as "realName", u.staff_no as "staffNo", u.max_week_hours as "maxWeekHours",
            (select coalesce(sum(a.week_hours), 0)::int from teacherclass a join schoolsemester m on m.tenant_id = a.tenant_id and m.id = a.semester_id
              where a.tenant_id = u.tenant_id and a.user_id = u.id
                and (a.semester_id = ${semesterId ?? null} or (${semesterId ?? null}::bigint is null and m.is_current = 1))) as "weekHours"
          from app_user u where u.tenant_id = ${actor.tenantId} and u.status = 1 and u.id in (
            select a.user_id from teacherclass a where a.tenant_id = ${actor.tenantId} and a.school_id = ${schoolId} and a.subject_id = ${subjectId}
            union
            select l.owner_id from app_user_subject l join schoolsubject c on c.tenant_id = l.tenant_id and c.sys_subject_id = l.target_id
              join app_user_dept d on d.tenant_id = l.tenant_id and d.owner_id = l.owner_id
              join dept e on e.tenant_id = d.tenant_id and e.id = d.target_id
              where l.tenant_id = ${actor.tenantId} and c.id = ${subjectId} and e.school_id = ${schoolId})
            ${teachers.only('u.id')}
          order by u.real_name collate "zh-x-icu", u.id limit 500`,
    ).with({ tenant: actor.tenantId, ...teachers.values })
    const found = await tx.run<Omit<AnswerOf<typeof teachersOfSubject>[number], 'freeSlots'>>({ text, values })
    const free = await freeSlotsOf(
      call,
      { schoolId, semesterId, planId },
      found.map(({ id }) => id),
    )
    return found.map((teacher) => ({ ...teacher, freeSlots: free(teacher.id) }))
  }),
  on(ownClasses, ({ semesterId }, { tx, actor }) =>
    tx.run<AnswerOf<typeof ownClasses>[number]>(
      sql`select c.id, c.class_name as name, c.class_name as "className", c.school_id as "schoolId", s.school_name as "schoolName",
            c.grade_id as "gradeId", g.grade_name as "gradeName", coalesce(c.student_count, 0) as "studentCount",
            (case when c.head_teacher_id = ${actor.userId} then 1 else 0 end) as "isHeadTeacher", ${deputyOf(actor.userId)}::int as "isDeputy",
            array(select distinct b.subject_name from teacherclass a join schoolsubject b on b.tenant_id = a.tenant_id and b.id = a.subject_id
              where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = ${actor.userId}) as "subjectNames"
          from schoolclass c join school s on s.tenant_id = c.tenant_id and s.id = c.school_id
            join sysgrade_seen g on g.tenant_id = c.tenant_id and g.id = c.grade_id
          where c.tenant_id = ${actor.tenantId} and c.status = 1 and (c.head_teacher_id = ${actor.userId} or ${deputyOf(actor.userId)} or exists (
            select 1 from teacherclass a join schoolsemester m on m.tenant_id = a.tenant_id and m.id = a.semester_id
            where a.tenant_id = c.tenant_id and a.class_id = c.id and a.user_id = ${actor.userId}
              and (a.semester_id = ${semesterId ?? null} or (${semesterId ?? null}::bigint is null and m.is_current = 1))))
          order by g.sort, c.class_no, c.id limit 200`,
    ),
  ),
]
