import { schoolclass, school as schools, schoolsemester, schoolyear } from '@data-brain/contract'
import { openClasses, openYear, type SchoolSetUp, setUp } from '@data-brain/contract/calls/school'
import { cohortOf, usualClassName, usualClassType } from '@data-brain/contract/rules/school-year'
import { sql } from '../../database/statement.ts'
import type { Values } from '../../entity/check.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import { type Actor, holdsCode } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import type { Route } from '../../kernel/route.ts'

/** Refuses whoever lacks one of these codes: a step that makes rows of several kinds needs the right to each. */
const mustHold = (actor: Actor, ...codes: string[]): void => {
  const missing = codes.find((each) => !holdsCode(actor, each))
  if (missing) throw new Problem('forbidden', { code: missing })
}

/** Adds a school year together with its semesters: all of them or none. */
const openYearRoute: Route = on(openYear, async ({ year, semesters }, call) => {
  mustHold(call.actor, 'schoolsemester_add')
  const made = await rowsOf(schoolyear, call).add(withoutId(year))
  for (const semester of semesters)
    await rowsOf(schoolsemester, call).add({ ...withoutId(semester), schoolId: made.schoolId, yearId: made.id })
  return rowsOf(schoolyear, call).detail(made.id)
})

const withoutId = ({ id: _, ...draft }: Values): Values => draft

interface Grade {
  readonly id: string
  readonly grade_name: string
  readonly stage: string
  readonly grade_no: number
}

/** Adds the classes that the grades of a school lack in a year, numbered from 1 on: what exists is left as it is. */
const openClassesRoute: Route = on(openClasses, async (asked, call) => {
  const { tx, actor, circumstance } = call
  const { schoolId, yearId, grades: wanted } = asked
  if (new Set(wanted.map(({ gradeId }) => gradeId)).size < wanted.length) throw new Problem('bad_request')
  // Two who open classes of one year do so one after the other, so that each number is given once.
  const year = await tx.one<{ start_year: number }>(
    sql`select start_year from schoolyear where tenant_id = ${actor.tenantId} and school_id = ${schoolId} and id = ${yearId} for update`,
  )
  const school = await tx.one<{ max_class_size: number; campus_id: string | null }>(
    sql`select s.max_class_size, (select c.id from schoolcampus c where c.tenant_id = s.tenant_id and c.school_id = s.id order by c.is_main desc, c.sort, c.id limit 1) as campus_id
        from school s where s.tenant_id = ${actor.tenantId} and s.id = ${schoolId}`,
  )
  if (!year || !school) throw new Problem('not_found')
  const campusId = asked.campusId ?? school.campus_id
  if (!campusId)
    throw fieldProblem(
      [
        {
          field: 'campusId',
          label: schoolclass.fields.campusId.label,
          reason: { zh: '学校还没有校区，请先新增', en: 'the school has no campus yet: add one first' },
        },
      ],
      circumstance.language,
    )
  const ids = wanted.map(({ gradeId }) => gradeId)
  const grades = await tx.run<Grade>(
    sql`select id, grade_name, stage, grade_no from sysgrade_seen where tenant_id = ${actor.tenantId} and id = any(${ids}::bigint[])`,
  )
  const taken = await tx.run<{ grade_id: string; class_no: number }>(
    sql`select grade_id, class_no from schoolclass where tenant_id = ${actor.tenantId} and school_id = ${schoolId} and year_id = ${yearId} and grade_id = any(${ids}::bigint[])`,
  )
  const known = new Set(taken.map((each) => `${each.grade_id}|${each.class_no}`))
  const rows = rowsOf(schoolclass, call)
  const names: string[] = []
  let existing = 0
  for (const { gradeId, count } of wanted) {
    const grade = grades.find(({ id }) => id === gradeId)
    if (!grade) throw new Problem('not_found')
    for (let classNo = 1; classNo <= count; classNo += 1) {
      if (known.has(`${gradeId}|${classNo}`)) {
        existing += 1
        continue
      }
      const className = usualClassName(grade.grade_name, classNo)
      await rows.add({
        ...{ schoolId, yearId, campusId, gradeId, classNo, className, sort: classNo },
        cohortYear: cohortOf(year.start_year, grade.grade_no),
        classType: usualClassType(grade.stage),
        maxSize: school.max_class_size,
      })
      names.push(className)
    }
  }
  return { made: names.length, existing, names }
})

const most = 50

/** The steps of setting schools up, each done when what the later ones need is there. */
const setUpRoute: Route = on(setUp, async (_, call) => {
  const { tx, actor } = call
  const ids = await rowsOf(schools, call).ids({}, most, ['school_view'])
  return {
    schools: await tx.run<SchoolSetUp>(
      sql`select s.id, s.school_name as name, y.id as "yearId",
            exists (select 1 from schoolyear a where a.tenant_id = s.tenant_id and a.school_id = s.id) as "hasYears",
            exists (select 1 from schoolsemester a where a.tenant_id = s.tenant_id and a.school_id = s.id and a.year_id = y.id) as "hasSemesters",
            exists (select 1 from schoolcampus a where a.tenant_id = s.tenant_id and a.school_id = s.id) as campus,
            y.id is not null and m.id is not null as year,
            exists (select 1 from sysgrade_seen g where g.tenant_id = s.tenant_id and g.stage = any(s.stages)) as grades,
            exists (select 1 from schoolclass c where c.tenant_id = s.tenant_id and c.school_id = s.id and c.year_id = y.id and c.status in (0, 1)) as classes,
            exists (select 1 from student p join schoolclass c on c.tenant_id = p.tenant_id and c.id = p.class_id
              where p.tenant_id = s.tenant_id and p.school_id = s.id and p.status = 1 and c.year_id = y.id) as students
          from school s
            left join schoolyear y on y.tenant_id = s.tenant_id and y.school_id = s.id and y.is_current = 1
            left join schoolsemester m on m.tenant_id = s.tenant_id and m.school_id = s.id and m.year_id = y.id and m.is_current = 1
          where s.tenant_id = ${actor.tenantId} and s.id = any(${ids}::bigint[]) and s.status = 1
          order by s.sort, s.id`,
    ),
  }
})

export const setUpRoutes: readonly Route[] = [openYearRoute, openClassesRoute, setUpRoute]
