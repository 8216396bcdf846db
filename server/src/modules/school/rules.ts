import { dept, school, schoolclass, schoolfloor, schoolsemester, schoolyear, teacherclass } from '@data-brain/contract'
import { sql } from '../../database/statement.ts'
import type { Values } from '../../entity/check.ts'
import { Repository } from '../../entity/repository.ts'
import { addRules, changesField, refuseField, type Saving } from '../../entity/rules.ts'
import { countiesOf } from './county.ts'

/** A school is also a department: what its people may see hangs on it. It is made and renamed with the school. */
async function keepDepartment(saving: Saving<typeof school>): Promise<void> {
  const departments = new Repository(dept, { ...saving.context, unscoped: true })
  const { before, values } = saving
  if (!before) {
    // It comes back with the department that it had.
    if (values.deptId) return
    const root = await saving.context.tx.one<{ id: string }>(
      sql`select id from dept where tenant_id = ${saving.context.actor.tenantId} and parent_id is null order by sort, id limit 1`,
    )
    const made = await departments.add({
      parentId: root?.id,
      deptName: values.schoolName,
      fullName: values.schoolName,
      deptCategory: '2',
    })
    values.deptId = made.id
  } else if (values.schoolName)
    await departments.edit(before.deptId, { deptName: values.schoolName, fullName: values.schoolName })
}

/** R2: a semester lies inside its year, which is held while that is decided. */
async function insideYear(saving: Saving<typeof schoolsemester>): Promise<void> {
  if (!changesField(saving, 'yearId', 'beginDate', 'endDate')) return
  const { whole, context } = saving
  const year = await context.tx.one<{ begin_date: string; end_date: string }>(
    sql`select begin_date, end_date from schoolyear where tenant_id = ${context.actor.tenantId} and id = ${whole.yearId} for update`,
  )
  if (!year) return
  if (whole.beginDate < year.begin_date || whole.endDate > year.end_date)
    refuseField(
      saving,
      schoolsemester,
      'beginDate',
      `超出学年范围（${year.begin_date} 至 ${year.end_date}）`,
      `lies outside the school year (${year.begin_date} to ${year.end_date})`,
    )
}

/** R2, from the other side: a year cannot shrink below its semesters. */
async function aroundSemesters(saving: Saving<typeof schoolyear>): Promise<void> {
  if (!saving.before || !changesField(saving, 'beginDate', 'endDate')) return
  const { whole, context, id } = saving
  const outside = await context.tx.one<{ semester_name: string }>(
    sql`select semester_name from schoolsemester where tenant_id = ${context.actor.tenantId} and year_id = ${id}
          and (begin_date < ${whole.beginDate} or end_date > ${whole.endDate}) limit 1`,
  )
  if (outside)
    refuseField(
      saving,
      schoolyear,
      'endDate',
      `不能小于其学期“${outside.semester_name}”的范围`,
      `would leave out its semester "${outside.semester_name}"`,
    )
}

/** R3: a class is of a grade whose stage the school has. */
async function gradeOfStage(saving: Saving<typeof schoolclass>): Promise<void> {
  if (!changesField(saving, 'gradeId', 'schoolId')) return
  const { whole, context } = saving
  const fits = await context.tx.one(
    sql`select 1 from sysgrade_seen g join school s on s.tenant_id = g.tenant_id where g.tenant_id = ${context.actor.tenantId}
          and g.id = ${whole.gradeId} and s.id = ${whole.schoolId} and g.stage = any(s.stages)`,
  )
  if (!fits)
    refuseField(saving, schoolclass, 'gradeId', '不在学校的学段内', 'is of a stage that the school does not have')
}

/** A teaching assignment runs inside its semester. */
async function insideSemester(saving: Saving<typeof teacherclass>): Promise<void> {
  if (!changesField(saving, 'semesterId', 'beginDate', 'endDate')) return
  const { whole, context } = saving
  const semester = await context.tx.one<{ begin_date: string; end_date: string }>(
    sql`select begin_date, end_date from schoolsemester where tenant_id = ${context.actor.tenantId} and id = ${whole.semesterId}`,
  )
  if (semester && (whole.beginDate < semester.begin_date || whole.endDate > semester.end_date))
    refuseField(
      saving,
      teacherclass,
      'beginDate',
      `超出学期范围（${semester.begin_date} 至 ${semester.end_date}）`,
      `lies outside the semester (${semester.begin_date} to ${semester.end_date})`,
    )
}

/** The school code is for good once a child has been enrolled under it. */
async function codeStays(saving: Saving<typeof school>): Promise<void> {
  if (!saving.before || !changesField(saving, 'schoolCode')) return
  const enrolled = await saving.context.tx.one(
    sql`select 1 from student where tenant_id = ${saving.context.actor.tenantId} and school_id = ${saving.id} limit 1`,
  )
  if (enrolled)
    refuseField(saving, school, 'schoolCode', '已有学生，不能修改', 'cannot be changed once there are students')
}

/** A school lies in a county, or in a city that has none. */
async function regionIsCounty(saving: Saving<typeof school>): Promise<void> {
  const { values, context } = saving
  if (!values.regionCode) return
  if (!(await countiesOf(context.tx, [values.regionCode])).has(values.regionCode))
    refuseField(saving, school, 'regionCode', '请选到县（区）一级', 'is no county or district: choose one within it')
}

/** A floor without a name of its own is called by its building and number, and goes on following them. */
async function nameOfFloor(saving: Saving<typeof schoolfloor>): Promise<void> {
  if (!changesField(saving, 'floorName', 'buildingName', 'floorNo') && saving.before) return
  const { before, values, whole } = saving
  const usual = (row: Values): string => `${row.buildingName}${row.floorNo}层`
  const followed = before && !('floorName' in values) && before.floorName === usual(before)
  if (!whole.floorName || followed) values.floorName = usual(whole)
}

export function addSchoolRules(): void {
  addRules(school, { beforeSave: codeStays })
  addRules(school, {
    skippedByUndo: true,
    beforeSave: async (saving) => {
      await regionIsCounty(saving)
      await keepDepartment(saving)
    },
    // The department points back at its school, so that a scope on departments finds it.
    afterSave: async (saving) => {
      if (!saving.before)
        await new Repository(dept, { ...saving.context, unscoped: true }).edit(saving.values.deptId!, {
          schoolId: saving.id,
        })
    },
    // Its own department goes with it; anything else that points at the school still blocks.
    beforeRemove: async ({ context, before }) => {
      await new Repository(dept, { ...context, unscoped: true }).edit(before.deptId, { schoolId: null })
    },
    afterRemove: ({ context, before }) => new Repository(dept, { ...context, unscoped: true }).remove([before.deptId]),
  })
  addRules(schoolfloor, { beforeSave: nameOfFloor })
  addRules(schoolyear, { beforeSave: aroundSemesters })
  addRules(schoolsemester, { beforeSave: insideYear })
  addRules(schoolclass, { beforeSave: gradeOfStage })
  addRules(teacherclass, { beforeSave: insideSemester })
}
