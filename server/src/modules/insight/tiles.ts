import {
  classschedule,
  codeOf,
  type Entity,
  leave,
  school,
  schoolclass,
  student,
  type Words,
} from '@data-brain/contract'
import type { DashboardTile } from '@data-brain/contract/calls/dashboard'
import { zone } from '../../database/connect.ts'
import { sql } from '../../database/statement.ts'
import { queryReached } from '../../entity/reached.ts'
import type { Call } from '../../kernel/route.ts'
import { mayRead } from '../desk/index.ts'

/** The schools, semester and days that a dashboard covers. */
export interface DashboardScope {
  /** None where several schools are looked at together. */
  readonly schoolId: string | null
  /** The first of the schools, and how many there are. */
  readonly schools: readonly { readonly id: string; readonly name: string }[]
  readonly schoolCount: number
  /** Whether there is one school at most. */
  readonly alone: boolean
  readonly semesterId: string | null
  readonly begin: string | null
  readonly end: string | null
  readonly today: string
  readonly monday: string
}

type Row = DashboardTile['rows'][number]
export type Tile = Omit<DashboardTile, 'more' | 'begin' | 'end' | 'counted'> &
  Partial<Pick<DashboardTile, 'more' | 'begin' | 'end'>>

/** Filters of approved leave that covers a day, whether or not the return was confirmed. */
export const onLeaveFilter = (day: string): Record<string, string> => ({
  status_in: '2,6',
  startTime_datele: `${day} 23:59:59`,
  endTime_datege: `${day} 00:00:00`,
})

/** So many classes are shown one by one, the fullest; fewer beside many schools, so that the answer stays small. */
const classesMost = 60
const classesLeast = 20
/** So many schools are shown beside each other. */
export const schoolsMost = 50
/** So many teachers at either end. */
const loadsMost = 10

/** Whether the caller may open the list of an entity. */
export const listed = ({ actor }: Call, entity: Entity): boolean =>
  mayRead(actor, codeOf(entity, 'view'), `/${entity.path}/list`)

const inSchool = (schoolId: string | null): ReturnType<typeof sql> =>
  schoolId ? sql`and t.school_id = ${schoolId}` : sql``

/** Counts of an entity’s rows by the school that they stand in. */
async function bySchool(call: Call, entity: Entity, counts: ReturnType<typeof sql>, where: ReturnType<typeof sql>) {
  const rows = await queryReached<{ id: string; counts: number[] }>(
    call,
    entity,
    (scope) =>
      sql`select t.school_id as id, array[${counts}]::int[] as counts from ${sql.table(entity.name)} t where t.tenant_id = ${call.actor.tenantId} and ${where} ${scope} group by t.school_id`,
  )
  return new Map(rows.map(({ id, counts: values }) => [id, values]))
}

/** Enrolled pupils, counted once in three ways: by school, by grade and sex, and by class. */
interface PupilCounts {
  readonly bySchool: ReadonlyMap<string, readonly number[]>
  readonly byGrade: ReadonlyMap<string, readonly number[]>
  readonly byClass: ReadonlyMap<string, number>
}

async function pupilCounts(call: Call, { schoolId }: DashboardScope): Promise<PupilCounts> {
  interface Line {
    readonly school: string | null
    readonly grade: string | null
    readonly class: string | null
    /** All, without a class, without a photo, then by sex. */
    readonly counts: readonly number[]
  }
  const lines = await queryReached<Line>(
    call,
    student,
    (scope) =>
      sql`select t.school_id as school, t.grade_id as grade, t.class_id as class,
            array[count(*), count(*) filter (where t.class_id is null), count(*) filter (where t.photo is null),
              count(*) filter (where t.sex = '1'), count(*) filter (where t.sex = '2'), count(*) filter (where t.sex not in ('1', '2'))]::int[] as counts
          from student t where t.tenant_id = ${call.actor.tenantId} and t.status = 1 ${inSchool(schoolId)} ${scope} group by 1, 2, 3`,
  )
  // Thousands of classes are added up here: to have it done three ways takes the database three times as long.
  const by = (key: 'school' | 'grade' | 'class'): Map<string, readonly number[]> => {
    const sums = new Map<string, readonly number[]>()
    for (const { [key]: id, counts } of lines)
      if (id !== null) {
        const sum = sums.get(id)
        sums.set(id, sum ? sum.map((each, at) => each + counts[at]!) : counts)
      }
    return sums
  }
  const part = (sums: Map<string, readonly number[]>, from: number, to?: number) =>
    new Map([...sums].map(([id, counts]) => [id, counts.slice(from, to)]))
  return {
    bySchool: part(by('school'), 0, 3),
    byGrade: part(by('grade'), 3),
    byClass: new Map([...by('class')].map(([id, [all]]) => [id, all!])),
  }
}

/** Schools beside each other: only where several are looked at. */
async function schoolsTile(
  call: Call,
  { schoolId, schools, schoolCount, alone, today }: DashboardScope,
  pupils: PupilCounts | undefined,
): Promise<Tile | undefined> {
  if (schoolId || alone || !pupils) return undefined
  const enrolled = { status: '1' }
  const columns: Tile['columns'][number][] = [
    { key: 'pupils', code: student.name, query: enrolled },
    { key: 'noClass', code: student.name, query: { ...enrolled, classId_null: '1' } },
    { key: 'noPhoto', code: student.name, query: { ...enrolled, photo_null: '1' } },
  ]
  const parts: ReadonlyMap<string, readonly number[]>[] = [pupils.bySchool]
  const widths = [3]
  if (listed(call, schoolclass)) {
    columns.push(
      { key: 'classes', code: schoolclass.name, query: enrolled },
      { key: 'noTeacher', code: schoolclass.name, query: { ...enrolled, headTeacherId_null: '1' } },
    )
    parts.push(
      await bySchool(
        call,
        schoolclass,
        sql`count(*), count(*) filter (where t.head_teacher_id is null)`,
        sql`t.status = 1`,
      ),
    )
    widths.push(2)
  }
  if (listed(call, leave)) {
    columns.push({ key: 'away', code: leave.name, query: onLeaveFilter(today) })
    parts.push(await bySchool(call, leave, sql`count(*)`, coversDay(today)))
    widths.push(1)
  }
  return {
    key: 'schools',
    code: school.name,
    query: {},
    by: ['schoolId'],
    columns,
    rows: schools.map(({ id, name }) => ({
      id,
      name,
      values: parts.flatMap((part, at) => part.get(id) ?? Array<number>(widths[at]!).fill(0)),
    })),
    more: schoolCount - schools.length,
  }
}

const coversDay = (day: string): ReturnType<typeof sql> =>
  sql`t.status in (2, 6) and t.start_time <= (${`${day} 23:59:59`}::timestamp at time zone ${zone}) and t.end_time >= (${`${day} 00:00:00`}::timestamp at time zone ${zone})`

/** Pupils by grade and sex. */
async function gradesTile(
  call: Call,
  { schoolId }: DashboardScope,
  pupils: PupilCounts | undefined,
): Promise<Tile | undefined> {
  if (!pupils) return undefined
  const grades = await call.tx.run<{ id: string; name: string }>(
    sql`select g.id, g.grade_name as name from sysgrade_seen g
        where g.tenant_id = ${call.actor.tenantId} and g.id = any(${[...pupils.byGrade.keys()]}::bigint[]) order by g.sort, g.id`,
  )
  const found = grades.map(({ id, name }): Row => ({ id, name, values: [...pupils.byGrade.get(id)!] }))
  const others = found.some(({ values }) => values[2]! > 0)
  return {
    key: 'grades',
    code: student.name,
    query: { status: '1', ...(schoolId ? { schoolId } : {}) },
    by: ['gradeId'],
    columns: [
      { key: 'boys', query: { sex: '1' } },
      { key: 'girls', query: { sex: '2' } },
      ...(others ? [{ key: 'others', query: { sex_in: '0,9' } }] : []),
    ],
    rows: others ? found : found.map(({ values, ...row }) => ({ ...row, values: values.slice(0, 2) })),
  }
}

/** The classes of current years with their pupils, beside the most that they may have; the fullest of many. */
async function sizesTile(
  call: Call,
  { schoolId, schools, alone }: DashboardScope,
  pupils: PupilCounts | undefined,
): Promise<Tile | undefined> {
  if (!pupils || !listed(call, schoolclass)) return undefined
  const sizes = pupils.byClass
  const classes = await queryReached<Row & { limit: number | null; group: string }>(
    call,
    schoolclass,
    (scope) => sql`select t.id, t.class_name as name, t.max_size as limit, g.grade_name as group from schoolclass t
            join sysgrade_seen g on g.tenant_id = t.tenant_id and g.id = t.grade_id join schoolyear y on y.tenant_id = t.tenant_id and y.id = t.year_id
          where t.tenant_id = ${call.actor.tenantId} and t.status = 1 and y.is_current = 1 ${inSchool(schoolId)} ${scope}
          order by g.sort, t.class_no, t.id`,
  )
  const most = schoolId || alone ? classesMost : Math.max(classesLeast, classesMost - schools.length)
  const over = ({ id, limit }: (typeof classes)[number]): number => (sizes.get(id) ?? 0) - (limit ?? 0)
  const fullest = new Set(classes.toSorted((a, b) => over(b) - over(a)).slice(0, most))
  return {
    key: 'sizes',
    code: student.name,
    query: { status: '1' },
    by: ['classId'],
    columns: [{ key: 'pupils', query: {} }],
    rows: classes
      .filter((each) => fullest.has(each))
      .map(({ id, name, limit, group }) => ({
        id,
        name,
        values: [sizes.get(id) ?? 0],
        ...(limit === null ? {} : { limit }),
        group,
      })),
    more: Math.max(0, classes.length - most),
  }
}

/** Approved leave day by day of the semester. */
async function leaveTile(call: Call, { schoolId, begin, end }: DashboardScope): Promise<Tile | undefined> {
  if (!begin || !end || !listed(call, leave)) return undefined
  const rows = await queryReached<Row>(
    call,
    leave,
    (
      scope,
    ) => sql`select d.day::date::text as id, '' as name, array[count(*) filter (where t.applicant_type = '1'), count(*) filter (where t.applicant_type = '2')]::int[] as values
          from generate_series(${begin}::date, ${end}::date, '1 day') d(day)
            join leave t on t.start_time < ((d.day::date + 1)::timestamp at time zone ${zone}) and t.end_time >= (d.day::date::timestamp at time zone ${zone})
          where t.tenant_id = ${call.actor.tenantId} and t.status in (2, 6) ${inSchool(schoolId)} ${scope} group by d.day order by d.day`,
  )
  return {
    key: 'leave',
    code: leave.name,
    query: { status_in: '2,6', ...(schoolId ? { schoolId } : {}) },
    by: ['startTime_datele', 'endTime_datege'],
    columns: [
      { key: 'awayPupils', query: { applicantType: '1' } },
      { key: 'awayStaff', query: { applicantType: '2' } },
    ],
    rows,
    begin,
    end,
  }
}

/** The published plan of a semester for the week that it is, or the one that is published last. */
async function planOf({ tx, actor }: Call, { semesterId, today }: DashboardScope): Promise<string | undefined> {
  if (!semesterId) return undefined
  const found = await tx.one<{ id: string }>(
    sql`select p.id from timetableplan p join schoolsemester m on m.tenant_id = p.tenant_id and m.id = p.semester_id
        where p.tenant_id = ${actor.tenantId} and p.semester_id = ${semesterId} and p.status = 2
        order by (((${today}::date - m.first_week_monday) / 7 + 1) between coalesce(p.begin_week, 1) and coalesce(p.end_week, m.week_count)) desc, p.id desc limit 1`,
  )
  return found?.id
}

/** Lessons of the published timetable: by weekday and period, and by teacher. */
async function lessonTiles(call: Call, about: DashboardScope): Promise<Tile[]> {
  const planId = listed(call, classschedule) ? await planOf(call, about) : undefined
  if (!planId) return []
  const { tenantId } = call.actor
  const cells = await queryReached<{ day: string; period: number; n: number }>(
    call,
    classschedule,
    (scope) =>
      sql`select t.weekday as day, t.period_no as period, count(*)::int as n from classschedule t where t.tenant_id = ${tenantId} and t.plan_id = ${planId} ${scope} group by 1, 2 order by 1, 2`,
  )
  if (cells.length === 0) return []
  const days = [...new Set(cells.map(({ day }) => day))].sort()
  const periods = [...new Set(cells.map(({ period }) => period))].sort((a, b) => a - b)
  const loads = await queryReached<Row>(
    call,
    classschedule,
    (scope) => sql`select x.id, u.real_name as name, array[x.n]::int[] as values from (
            select t.teacher_id as id, count(*) as n from classschedule t where t.tenant_id = ${tenantId} and t.plan_id = ${planId} ${scope} group by 1) x
            join app_user u on u.tenant_id = ${tenantId} and u.id = x.id order by x.n desc, x.id`,
  )
  const ends = loads.length <= 2 * loadsMost ? loads : [...loads.slice(0, loadsMost), ...loads.slice(-loadsMost)]
  return [
    {
      key: 'periods',
      code: classschedule.name,
      query: { planId },
      by: ['weekday'],
      columns: periods.map((period) => ({ key: String(period), query: { periodNo: String(period) } })),
      rows: days.map((day) => ({
        id: day,
        name: day,
        values: periods.map((period) => cells.find((cell) => cell.day === day && cell.period === period)?.n ?? 0),
      })),
    },
    {
      key: 'loads',
      code: classschedule.name,
      query: { planId },
      by: ['teacherId'],
      columns: [{ key: 'lessons', query: {} }],
      rows: ends,
      more: loads.length - ends.length,
    },
  ]
}

const counted: Readonly<Record<DashboardTile['key'], Words>> = {
  schools: { zh: '各校在读学生、班级与缺口', en: 'Enrolled students, classes and gaps of each school' },
  grades: { zh: '在读学生，按年级与性别', en: 'Enrolled students by grade and sex' },
  sizes: {
    zh: '本学年各班在读人数，横线为班额上限',
    en: 'Enrolled students of each class of this year; the line is the most it may have',
  },
  leave: { zh: '本学期每天批准的请假', en: 'Approved leave on each day of the semester' },
  periods: { zh: '已发布课表中，各天各节开始的课', en: 'Lessons of the published timetable that begin in each period' },
  loads: {
    zh: '已发布课表中每位教师的课，最多与最少的各 10 位',
    en: 'Lessons of each teacher in the published timetable: the ten with most and with fewest',
  },
  decided: {
    zh: '最近 30 天办结的流程，从申请到办结用时的中位数',
    en: 'Processes decided in the last 30 days: the median time from start to decision',
  },
  rooms: { zh: '各楼层的教室，按状态', en: 'Classrooms on each floor, by their status' },
  files: {
    zh: '各类附件的个数与占用空间，最多的 10 种',
    en: 'How many attachments of each type there are, and their size: the ten types that take most',
  },
}

/** The tables that the caller may see, each counted within the caller’s scope. */
export async function tilesOf(call: Call, about: DashboardScope): Promise<DashboardTile[]> {
  const pupils = listed(call, student) ? await pupilCounts(call, about) : undefined
  const made = [
    await schoolsTile(call, about, pupils),
    await gradesTile(call, about, pupils),
    await sizesTile(call, about, pupils),
    await leaveTile(call, about),
    ...(await lessonTiles(call, about)),
  ]
  return made.flatMap(finish)
}

/** A tile as it is answered; nothing of one that the caller may not see. */
export const finish = (tile: Tile | undefined): DashboardTile[] =>
  tile ? [{ begin: null, end: null, more: 0, ...tile, counted: counted[tile.key] }] : []
