import {
  type Entity,
  student,
  studentclass,
  studentdetail,
  studentgroup,
  studentgrouprelevance,
  studentmessage,
  studentparents,
  studentresume,
} from '@data-brain/contract'
import { isGroup } from '@data-brain/contract/rules/condition'
import { sql } from '../../database/statement.ts'
import { conditionsFault } from '../../entity/conditions.ts'
import { modelOf } from '../../entity/model.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, type Removing, type Saving } from '../../entity/rules.ts'
import { fieldProblem, Problem } from '../../kernel/problem.ts'
import { countClasses } from './class-count.ts'
import { judgeTargets } from './message-targets.ts'

/** What hangs on a student belongs to the student's school: it is copied from there and never sent. */
async function schoolOfStudent(saving: Saving): Promise<void> {
  if (saving.before) return
  const { tx, actor } = saving.context
  const row = await tx.one<{ school_id: string }>(
    sql`select school_id from student where tenant_id = ${actor.tenantId} and id = ${saving.values.studentId}`,
  )
  if (!row) throw new Problem('reference_unknown', { label: student.label }, { field: 'studentId', fields: [] })
  saving.values.schoolId = row.school_id
}

const refuse = ({ context }: Pick<Saving, 'context'>, field: string, zh: string, en: string): never => {
  const { label } = modelOf(student).byName.get(field)!
  throw fieldProblem([{ field, label, reason: { zh, en } }], context.circumstance.language)
}

/** The condition of a group speaks of fields of pupils that can be compared so, and of nobody's own. */
async function judgeCondition({ values, whole, context }: Saving<typeof studentgroup>): Promise<void> {
  const missing = whole.isDynamic === 1 && !whole.rule && ('isDynamic' in values || 'rule' in values)
  const fault = missing
    ? { zh: '动态分组至少要有一个条件', en: 'needs at least one condition in a dynamic group' }
    : isGroup(values.rule) && conditionsFault({ model: modelOf(student), context, own: false }, values.rule)
  if (!fault) return
  const { label } = studentgroup.fields.rule
  throw fieldProblem([{ field: 'rule', label, reason: fault }], context.circumstance.language)
}

/** Who is in no class yet is in a grade of a stage that the school has. */
async function gradeOfStage(saving: Saving<typeof student>): Promise<void> {
  const { whole, context } = saving
  if (!whole.gradeId) return
  const stray = await context.tx.one(
    sql`select 1 from sysgrade_seen g join school s on s.tenant_id = g.tenant_id where g.tenant_id = ${context.actor.tenantId}
          and g.id = ${whole.gradeId} and s.id = ${whole.schoolId} and g.stage <> all(s.stages)`,
  )
  if (stray) refuse(saving, 'gradeId', '不在学校的学段内', 'is of a stage that the school does not have')
}

/** The class decides the grade. */
async function placeInClass(saving: Saving<typeof student>): Promise<void> {
  const { values, whole, context } = saving
  const moved = 'classId' in values
  if (!moved && !('gradeId' in values)) return
  const classId = moved ? values.classId : whole.classId
  if (!classId) return gradeOfStage(saving)
  const row = await context.tx.one<{ grade_id: string; school_id: string }>(
    sql`select grade_id, school_id from schoolclass where tenant_id = ${context.actor.tenantId} and id = ${classId}`,
  )
  if (!row || row.school_id !== whole.schoolId)
    refuse(saving, 'classId', '不是本校的班级', 'is not a class of this school')
  const grade = row!.grade_id
  if ('gradeId' in values && values.gradeId && values.gradeId !== grade)
    refuse(saving, 'gradeId', '与班级的年级不一致', 'is not the grade of the class')
  values.gradeId = grade
  whole.gradeId = grade
}

/** Who is moved without being given a number in the new class gets the next one there, and not none. */
async function numberInClass(saving: Saving<typeof student>): Promise<void> {
  const { before, values } = saving
  if (!before || before.seatNo === null || !('classId' in values) || 'seatNo' in values) return
  values.seatNo = values.classId ? await nextNumber(saving, values.classId) : null
}

async function nextNumber({ context }: Saving, classId: string): Promise<number | null> {
  // Two who are moved at once are not given the same number.
  await context.tx.run(
    sql`select 1 from schoolclass where tenant_id = ${context.actor.tenantId} and id = ${classId} for no key update`,
  )
  const row = await context.tx.one<{ next: number }>(
    sql`select coalesce(max(seat_no), 0)::int + 1 as next from student where tenant_id = ${context.actor.tenantId} and class_id = ${classId}`,
  )
  const next = row?.next ?? 1
  return next > modelOf(student).byName.get('seatNo')!.max! ? null : next
}

const today = sql`(now() at time zone 'Asia/Shanghai')::date`

/** R4: keeps the class history. The open row ends the day the next one begins. */
async function keepClassHistory(saving: Saving<typeof student>): Promise<void> {
  const { before, values, whole, context, id } = saving
  if (!('classId' in values) || (!before && !values.classId)) return
  const { tx, actor } = context
  const history = new Repository(studentclass, { ...context, unscoped: true })
  const open = await tx.one<{ id: string; begin: string; today: string }>(
    sql`select id, begin_date as begin, ${today} as today from studentclass where tenant_id = ${actor.tenantId} and student_id = ${id} and end_date is null for update`,
  )
  // A placement corrected on its own day never was.
  if (open && open.begin >= open.today) await history.remove([open.id])
  else if (open) await history.edit(open.id, { endDate: open.today })
  if (!whole.classId) return
  const day = await tx.one<{ today: string }>(sql`select ${today} as today`)
  await history.add({
    studentId: id,
    classId: whole.classId,
    beginDate: day!.today,
    reason: before?.classId ? '转班' : '分班',
  })
}

/** The extended record and the class history are part of the student and go along; everything else blocks. */
async function takeAlong({ context, id }: Removing<typeof student>): Promise<void> {
  for (const part of [studentdetail, studentclass] as Entity[]) {
    const rows = await context.tx.run<{ id: string }>(
      sql`select id from ${sql.table(part.name)} where tenant_id = ${context.actor.tenantId} and student_id = ${id}`,
    )
    await new Repository(part, { ...context, unscoped: true }).remove(rows.map((row) => row.id))
  }
}

/** Keeps the shown number of pupils of the classes that a student leaves, enters, or stays in with another status. */
async function countLeftAndEntered({ context, before, values, whole, status }: Saving<typeof student>): Promise<void> {
  if (before ? !('classId' in values) && status === undefined : !values.classId) return
  await countClasses(context, idsOf(before?.classId, whole.classId))
}

const idsOf = (...ids: readonly unknown[]): string[] => ids.filter((each) => typeof each === 'string')

/** A relation that the dictionary does not name must be explained. */
async function explainRelation({ whole, values, context }: Saving<typeof studentparents>): Promise<void> {
  if (!('relation' in values) && !('relationNote' in values)) return
  if (studentparents.fields.relationNote.only.is.some((key) => key === whole.relation) && !whole.relationNote) {
    const field = modelOf(studentparents).byName.get('relationNote')!
    throw fieldProblem(
      [
        {
          field: 'relationNote',
          label: field.label,
          reason: { zh: '请说明关系', en: 'is required for this relation' },
        },
      ],
      context.circumstance.language,
    )
  }
}

/** A guardian is somebody of whom the name or the number is known. */
async function knowGuardian({ before, whole, values, context }: Saving<typeof studentparents>): Promise<void> {
  if ((before && !('parentName' in values || 'mobile' in values)) || whole.parentName || whole.mobile) return
  const { label } = modelOf(studentparents).byName.get('parentName')!
  throw fieldProblem([{ field: 'parentName', label, reason: guardianUnknown }], context.circumstance.language)
}

/** What is said of a guardian without a name and a number. */
export const guardianUnknown = { zh: '姓名和电话至少填一项', en: 'needs a name or a phone number' }

/** A member belongs to the school of the group. */
async function schoolOfGroup({ before, context, values, whole }: Saving<typeof studentgrouprelevance>): Promise<void> {
  if (before) return
  const group = await context.tx.one<{ school_id: string }>(
    sql`select school_id from studentgroup where tenant_id = ${context.actor.tenantId} and id = ${whole.groupId}`,
  )
  if (group) values.schoolId = group.school_id
}

/** A group has room for one more. */
async function roomInGroup(saving: Saving<typeof studentgrouprelevance>): Promise<void> {
  const { before, context, id, values, whole } = saving
  if (whole.endDate || (before && !('endDate' in values))) return
  // Held, so that two who take the last place are not both let in.
  const group = await context.tx.one<{ max_size: number | null }>(
    sql`select max_size from studentgroup where tenant_id = ${context.actor.tenantId} and id = ${whole.groupId} for no key update`,
  )
  if (!group || group.max_size === null) return
  const members = await membersOf(context, whole.groupId, id)
  if (members < group.max_size) return
  const { label } = studentgrouprelevance.fields.groupId
  const reason = {
    zh: `已有${members}名成员，达到人数上限，请先提高上限或移出成员`,
    en: `has ${members} members, which is its limit: raise the limit or remove a member`,
  }
  throw fieldProblem([{ field: 'groupId', label, reason }], context.circumstance.language)
}

/** How many are in a group now, besides one. */
async function membersOf({ tx, actor }: Context, groupId: string, besides = '0'): Promise<number> {
  const row = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from studentgrouprelevance where tenant_id = ${actor.tenantId} and group_id = ${groupId}
          and id <> ${besides} and end_date is null`,
  )
  return row?.count ?? 0
}

/** A group is not made smaller than it is. */
async function fitMembers({ before, context, id, values }: Saving<typeof studentgroup>): Promise<void> {
  if (!before || values.maxSize === undefined || values.maxSize === null) return
  const members = await membersOf(context, id)
  if (members <= values.maxSize) return
  const { label } = studentgroup.fields.maxSize
  const reason = { zh: `不能小于现有成员数${members}`, en: `must not be less than its ${members} members` }
  throw fieldProblem([{ field: 'maxSize', label, reason }], context.circumstance.language)
}

export function addStudentRules(): void {
  addRules(student, { beforeSave: placeInClass })
  // Placements, and what goes along with a student, are rows with changes of their own: an undo takes those back. And it
  // gives back the very number that the student had.
  addRules(student, {
    skippedByUndo: true,
    beforeSave: numberInClass,
    afterSave: keepClassHistory,
    beforeRemove: takeAlong,
  })
  addRules(student, {
    afterSave: countLeftAndEntered,
    afterRemove: ({ context, before }) => countClasses(context, idsOf(before.classId)),
  })
  for (const part of [studentdetail, studentresume, studentparents, studentclass] as Entity[])
    addRules(part, { beforeSave: schoolOfStudent })
  addRules(studentparents, { beforeSave: explainRelation })
  addRules(studentparents, { beforeSave: knowGuardian })
  addRules(studentgrouprelevance, { beforeSave: schoolOfGroup })
  // What an undo puts back was in the group, however small that is by now.
  addRules(studentgrouprelevance, { skippedByUndo: true, beforeSave: roomInGroup })
  addRules(studentgroup, { beforeSave: judgeCondition })
  addRules(studentgroup, { skippedByUndo: true, beforeSave: fitMembers })
  // Who writes is who sends.
  addRules(studentmessage, {
    beforeSave: async (saving) => {
      const { userId } = saving.context.actor
      if (!saving.before && userId) saving.values.senderId ??= userId
      await judgeTargets(saving)
    },
  })
}
