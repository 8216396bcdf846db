import { schoolclass, school as schools, schoolsemester, schoolyear } from '@data-brain/contract'
import { cohortOf, usualClassName, usualClassType } from '@data-brain/contract/rules/school-year'
import { sql } from '../../database/statement.ts'
import { rowsOf } from '../../entity/routes.ts'
import { draftSchema, rowSchema } from '../../entity/schema.ts'
import { type Actor, holds } from '../../kernel/actor.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { code, type Route, route } from '../../kernel/route.ts'

/** Numbers of classes that one grade may have: those that a class may bear (schoolclass.classNo). */
const classesMost = schoolclass.fields.classNo.max

const idPattern = /^[1-9][0-9]{0,18}$/

/** Refuses whoever lacks one of these codes: a step that makes rows of several kinds needs the right to each. */
const mustHold = (actor: Actor, ...codes: string[]): void => {
  const missing = codes.find((each) => !holds(actor, each))
  if (missing) throw new Problem('forbidden', { code: missing })
}

/** Adds a school year together with its semesters: all of them or none. */
const openYear: Route = route({
  method: 'POST',
  path: '/blade-user/schoolyear/open',
  summary: { zh: '学年：连同学期一起新增', en: 'School year: add it together with its semesters' },
  access: code('schoolyear_add'),
  bodySchema: {
    type: 'object',
    required: ['year', 'semesters'],
    properties: {
      year: draftSchema(schoolyear),
      semesters: { type: 'array', minItems: 1, maxItems: 4, items: draftSchema(schoolsemester) },
    },
  },
  dataSchema: rowSchema(schoolyear),
  tag: 'schoolyear',
  handler: async (call) => {
    const { year, semesters } = (call.body ?? {}) as { year?: unknown; semesters?: unknown }
    if (
      !isDraft(year) ||
      !Array.isArray(semesters) ||
      semesters.length < 1 ||
      semesters.length > 4 ||
      !semesters.every(isDraft)
    )
      throw new Problem('bad_request')
    mustHold(call.actor, 'schoolsemester_add')
    const made = await rowsOf(schoolyear, call).add(withoutId(year))
    for (const semester of semesters)
      await rowsOf(schoolsemester, call).add({ ...withoutId(semester), schoolId: made.schoolId, yearId: made.id })
    return rowsOf(schoolyear, call).detail(made.id)
  },
})

const isDraft = (draft: unknown): draft is Record<string, unknown> =>
  typeof draft === 'object' && draft !== null && !Array.isArray(draft)
const withoutId = ({ id: _, ...draft }: Record<string, unknown>): Record<string, unknown> => draft

interface Wanted {
  readonly gradeId: string
  readonly count: number
}

/** What the body asks for: how many classes each grade is to have. */
function wantedOf(body: unknown): { schoolId: string; yearId: string; campusId?: string; grades: Wanted[] } {
  const { schoolId, yearId, campusId, grades } = (body ?? {}) as Record<string, unknown>
  const isId = (id: unknown): id is string => typeof id === 'string' && idPattern.test(id)
  if (!isId(schoolId) || !isId(yearId) || (campusId != null && !isId(campusId))) throw new Problem('bad_request')
  if (!Array.isArray(grades) || grades.length === 0 || grades.length > 30) throw new Problem('bad_request')
  const wanted = grades.map((each): Wanted => {
    const { gradeId, count } = (each ?? {}) as Record<string, unknown>
    if (!isId(gradeId) || !Number.isInteger(count)) throw new Problem('bad_request')
    return { gradeId, count: Number(count) }
  })
  if (new Set(wanted.map(({ gradeId }) => gradeId)).size < wanted.length) throw new Problem('bad_request')
  return { schoolId, yearId, ...(campusId == null ? {} : { campusId: String(campusId) }), grades: wanted }
}

interface Grade {
  readonly id: string
  readonly grade_name: string
  readonly stage: string
  readonly grade_no: number
}

/** Adds the classes that the grades of a school lack in a year, numbered from 1 on: what exists is left as it is. */
const openClasses: Route = route({
  method: 'POST',
  path: '/blade-user/schoolclass/open',
  summary: { zh: '行政班：按年级批量开设', en: 'Class: open those of all grades at once' },
  access: code('schoolclass_add'),
  bodySchema: {
    type: 'object',
    required: ['schoolId', 'yearId', 'grades'],
    properties: {
      schoolId: { type: 'string' },
      yearId: { type: 'string' },
      campusId: { type: 'string', description: 'absent: the main campus' },
      grades: {
        type: 'array',
        minItems: 1,
        maxItems: 30,
        items: {
          type: 'object',
          required: ['gradeId', 'count'],
          properties: { gradeId: { type: 'string' }, count: { type: 'integer', minimum: 0, maximum: classesMost } },
        },
      },
    },
  },
  dataSchema: {
    type: 'object',
    properties: {
      made: { type: 'integer' },
      existing: { type: 'integer' },
      names: { type: 'array', items: { type: 'string' } },
    },
  },
  tag: 'schoolclass',
  handler: async (call) => {
    const { tx, actor, circumstance } = call
    const wanted = wantedOf(call.body)
    const fault = wanted.grades.find(({ count }) => count < 0 || count > classesMost)
    if (fault)
      throw fieldProblem(
        [
          {
            field: 'grades',
            label: { zh: '班数', en: 'Classes' },
            reason: { zh: `须为0到${classesMost}的整数`, en: `must be a whole number from 0 to ${classesMost}` },
          },
        ],
        circumstance.language,
      )
    // Two who open classes of one year do so one after the other, so that each number is given once.
    const year = await tx.one<{ start_year: number }>(
      sql`select start_year from schoolyear where tenant_id = ${actor.tenantId} and school_id = ${wanted.schoolId} and id = ${wanted.yearId} for update`,
    )
    const school = await tx.one<{ max_class_size: number; campus_id: string | null }>(
      sql`select s.max_class_size, (select c.id from schoolcampus c where c.tenant_id = s.tenant_id and c.school_id = s.id order by c.is_main desc, c.sort, c.id limit 1) as campus_id
          from school s where s.tenant_id = ${actor.tenantId} and s.id = ${wanted.schoolId}`,
    )
    if (!year || !school) throw new Problem('not_found')
    const campusId = wanted.campusId ?? school.campus_id
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
    const ids = wanted.grades.map(({ gradeId }) => gradeId)
    const grades = await tx.run<Grade>(
      sql`select id, grade_name, stage, grade_no from sysgrade_seen where tenant_id = ${actor.tenantId} and id = any(${ids}::bigint[])`,
    )
    const taken = await tx.run<{ grade_id: string; class_no: number }>(
      sql`select grade_id, class_no from schoolclass where tenant_id = ${actor.tenantId} and school_id = ${wanted.schoolId} and year_id = ${wanted.yearId} and grade_id = any(${ids}::bigint[])`,
    )
    const known = new Set(taken.map((each) => `${each.grade_id}|${each.class_no}`))
    const rows = rowsOf(schoolclass, call)
    const names: string[] = []
    let existing = 0
    for (const { gradeId, count } of wanted.grades) {
      const grade = grades.find(({ id }) => id === gradeId)
      if (!grade) throw new Problem('not_found')
      for (let classNo = 1; classNo <= count; classNo += 1) {
        if (known.has(`${gradeId}|${classNo}`)) {
          existing += 1
          continue
        }
        const className = usualClassName(grade.grade_name, classNo)
        await rows.add({
          ...{ schoolId: wanted.schoolId, yearId: wanted.yearId, campusId, gradeId, classNo, className, sort: classNo },
          cohortYear: cohortOf(year.start_year, grade.grade_no),
          classType: usualClassType(grade.stage),
          maxSize: school.max_class_size,
        })
        names.push(className)
      }
    }
    return { made: names.length, existing, names }
  },
})

/** How far the caller's schools are set up. */
interface SetUp {
  readonly schools: readonly SchoolSetUp[]
}

interface SchoolSetUp {
  readonly id: string
  readonly name: string
  readonly yearId: string | null
  /** Years there are, the current one or not, and semesters of the current one. */
  readonly hasYears: boolean
  readonly hasSemesters: boolean
  /** What the next steps need is there. */
  readonly campus: boolean
  readonly year: boolean
  readonly grades: boolean
  readonly classes: boolean
  readonly students: boolean
}

const most = 50

/** The steps of setting schools up, each done when what the later ones need is there. */
const setUp: Route = route({
  method: 'GET',
  path: '/blade-user/school/setUp',
  summary: { zh: '学校：初始设置的进度', en: 'School: how far the setting up has come' },
  access: code('school_view'),
  dataSchema: {
    type: 'object',
    properties: {
      schools: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...{ id: { type: 'string' }, name: { type: 'string' }, yearId: { type: ['string', 'null'] } },
            ...Object.fromEntries(
              ['hasYears', 'hasSemesters', 'campus', 'year', 'grades', 'classes', 'students'].map((step) => [
                step,
                { type: 'boolean' },
              ]),
            ),
          },
        },
      },
    },
  },
  tag: 'school',
  handler: async (call): Promise<SetUp> => {
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
  },
})

export const setUpRoutes: readonly Route[] = [openYear, openClasses, setUp]
