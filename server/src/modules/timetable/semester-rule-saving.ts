import { timetablerule } from '@data-brain/contract'
import { ruleFields, ruleKinds } from '@data-brain/contract/rules/timetable-rule'
import { sql } from '../../database/statement.ts'
import { type Context, Repository } from '../../entity/repository.ts'
import { addRules, refuseField, type Saving } from '../../entity/rules.ts'
import { dayShapeOf } from './board.ts'

type RuleSaving = Saving<typeof timetablerule>
type FieldName = keyof typeof ruleFields

/** Fields that a kind cannot be without. */
const needed: readonly FieldName[] = ['whose', 'slots', 'half', 'max', 'gap']

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** A rule has what its kind is made of, and nothing else. */
function hasItsParts(saving: RuleSaving): void {
  const { whole } = saving
  const kind = String(whole.kind)
  const refuse = (field: FieldName | 'strength', zh: string, en: string): never =>
    refuseField(saving, timetablerule, field, zh, en)
  for (const [name, kinds] of Object.entries(ruleFields) as [FieldName, readonly string[]][]) {
    const isOfKind = kinds.includes(kind)
    if (!isOfKind && isGiven(whole[name]))
      refuse(name, '这类规则没有这一项，请清空', 'is no part of a rule of this kind: leave it empty')
    if (isOfKind && needed.includes(name) && !isGiven(whole[name])) refuse(name, '不能为空', 'is required')
  }
  if (whole.max === 0 && kind !== ruleKinds.windows)
    refuse(
      'max',
      '须大于0；要完全不排课，请用“不排课的节次”',
      'must be more than 0: to have no lessons at all, close the periods',
    )
  if (whole.whose === '1' && (isGiven(whole.gradeIds) || isGiven(whole.classIds)))
    refuse(
      isGiven(whole.classIds) ? 'classIds' : 'gradeIds',
      '对象是教师时请清空',
      'is left empty where the rule is about teachers',
    )
  if (whole.whose === '2' && isGiven(whole.teacherIds))
    refuse('teacherIds', '对象是班级时请清空', 'is left empty where the rule is about classes')
  const somebody = (['teacherIds', 'gradeIds', 'classIds', 'teachClassIds', 'subjectIds'] as const).some((name) =>
    isGiven(whole[name]),
  )
  if ((kind === ruleKinds.fixed || kind === ruleKinds.apart) && !somebody)
    refuse('subjectIds', '请至少选择教师、班级或学科中的一项', 'or teachers or classes have to be chosen')
  if (kind === ruleKinds.sameTime && !isGiven(whole.subjectIds) && (whole.teachClassIds ?? []).length < 2)
    refuse('subjectIds', '请选择学科，或至少两个教学班', 'have to be chosen, or two teaching classes at least')
  if (kind === ruleKinds.apart && whole.strength !== '1')
    refuse('strength', '不同时上课只能是“必须”', 'has to be “must” for lessons that are never at the same time')
}

/** The periods of a rule are some in which lessons are given. */
async function hasRealSlots(saving: RuleSaving): Promise<void> {
  const { context, whole, values, before } = saving
  if (!('slots' in values) && before) return
  const slots = (whole.slots ?? []) as readonly { weekday: number; periodNo: number }[]
  if (slots.length === 0) return
  const { tx, actor } = context
  const found = await tx.one<{ days: string[] }>(
    sql`select teach_days as days from school where tenant_id = ${actor.tenantId} and id = ${whole.schoolId}`,
  )
  const { periods } = await dayShapeOf({ tx, actor }, whole)
  const none = [...new Set(slots.map(({ periodNo }) => periodNo))].filter((no) => !periods.includes(no))
  if (none.length > 0)
    refuseField(
      saving,
      timetablerule,
      'slots',
      `作息时间里没有第${none.join('、')}节课`,
      `has period ${none.join(', ')}, which the bell times do not have`,
    )
  if (found && !slots.some(({ weekday }) => found.days.includes(String(weekday))))
    refuseField(saving, timetablerule, 'slots', '都不在上课日', 'are on no day of the week that is taught')
}

/** Whoever a rule names is of its school, and of its semester. */
async function isOfItsSchool(saving: RuleSaving): Promise<void> {
  const { context, whole, values } = saving
  if (!['classIds', 'teachClassIds', 'subjectIds'].some((name) => name in values)) return
  const { tx, actor } = context
  const ids = (list: unknown): string[] => ((list ?? []) as readonly string[]).map(String)
  const other = await tx.one<{ field: 'classIds' | 'teachClassIds' | 'subjectIds'; name: string }>(
    sql`select 'classIds' as field, c.class_name as name from schoolclass c
          join schoolsemester m on m.tenant_id = c.tenant_id and m.id = ${whole.semesterId}
        where c.tenant_id = ${actor.tenantId} and c.id = any(${ids(whole.classIds)}::bigint[]) and (c.school_id <> ${whole.schoolId} or c.year_id <> m.year_id)
        union all select 'teachClassIds', t.teach_class_name from schoolteachclass t
        where t.tenant_id = ${actor.tenantId} and t.id = any(${ids(whole.teachClassIds)}::bigint[]) and t.semester_id <> ${whole.semesterId}
        union all select 'subjectIds', b.subject_name from schoolsubject b
        where b.tenant_id = ${actor.tenantId} and b.id = any(${ids(whole.subjectIds)}::bigint[]) and b.school_id <> ${whole.schoolId}
        limit 1`,
  )
  if (!other) return
  const { field, name } = other
  const [zh, en] =
    field === 'subjectIds'
      ? ['不属于该学校', 'is of another school']
      : ['不属于该学校的这个学期', 'is of another school or term']
  refuseField(saving, timetablerule, field, `“${name}”${zh}`, `“${name}” ${en}`)
}

/** Rules of every semester that is planned, until somebody changes them: a subject on several days, not more than twice a day. */
const usual = [
  { kind: ruleKinds.subjectPerDay, max: 2, strength: '1' },
  { kind: ruleKinds.spread, strength: '2' },
] as const

/** How sports are known, which are not taught first: by their code among the subjects of the system, or by their room (dictionary room_type). */
const sports = { code: 'TY', room: '9' } as const

/** Gives a semester the usual rules with its first plan, where it has none: they are seen, changed and switched off like others. */
export async function addUsualRules(context: Context, schoolId: string, semesterId: string): Promise<void> {
  const { tx, actor } = context
  const known = await tx.one<{ days: string[]; main: string[]; sports: string[] }>(
    sql`select s.teach_days as days,
          array(select b.id::text from schoolsubject b join syssubject_seen y on y.tenant_id = b.tenant_id and y.id = b.sys_subject_id
            where b.tenant_id = s.tenant_id and b.school_id = s.id and y.is_main = 1 order by b.sort, b.id) as main,
          array(select b.id::text from schoolsubject b join syssubject_seen y on y.tenant_id = b.tenant_id and y.id = b.sys_subject_id
            where b.tenant_id = s.tenant_id and b.school_id = s.id and (y.room_type = ${sports.room} or y.subject_code = ${sports.code}) order by b.sort, b.id) as sports
        from school s where s.tenant_id = ${actor.tenantId} and s.id = ${schoolId}
          and not exists (select from timetablerule r where r.tenant_id = s.tenant_id and r.semester_id = ${semesterId})
          and (select count(*) from timetableplan p where p.tenant_id = s.tenant_id and p.semester_id = ${semesterId}) = 1`,
  )
  if (!known) return
  const rules = new Repository(timetablerule, { ...context, unscoped: true })
  const own = { schoolId, semesterId }
  for (const rule of usual) await rules.add({ ...own, ...rule })
  if (known.main.length > 0)
    await rules.add({ ...own, kind: ruleKinds.half, half: '1', subjectIds: known.main, strength: '4' })
  const first = (await dayShapeOf({ tx, actor }, own)).periods[0]
  if (known.sports.length > 0 && first !== undefined)
    await rules.add({
      ...own,
      kind: ruleKinds.closed,
      subjectIds: known.sports,
      slots: known.days
        .map(Number)
        .toSorted((a, b) => a - b)
        .map((weekday) => ({ weekday, periodNo: first })),
      strength: '3',
    })
}

export function addSemesterRuleRules(): void {
  addRules(timetablerule, {
    beforeSave: async (saving) => {
      hasItsParts(saving)
      await isOfItsSchool(saving)
      await hasRealSlots(saving)
    },
  })
}
