import { schoolcampus, schoolclass, schoolclassroom, schoolfloor, school as schools } from '@data-brain/contract'
import { type SchoolTree, schoolTree } from '@data-brain/contract/calls/school'
import { sql } from '../../database/statement.ts'
import { seenOf } from '../../entity/reached.ts'
import { rowsOf } from '../../entity/routes.ts'
import { on } from '../../entity/serve-call.ts'
import type { Route } from '../../kernel/route.ts'

/** How a school is made up, in space and in teaching: of each kind what the caller may see, in the order of its lists. */
const treeRoute: Route = on(schoolTree, async ({ schoolId }, call) => {
  const { tx, actor } = call
  const school = await rowsOf(schools, call).detail(schoolId)
  const year = await tx.one<{ id: string; name: string }>(
    sql`select id, year_name as name from schoolyear where tenant_id = ${actor.tenantId} and school_id = ${schoolId} and is_current = 1`,
  )
  const at = sql`t.tenant_id = ${actor.tenantId} and t.school_id = ${schoolId}`
  const classes = year
    ? await seenOf<SchoolTree['classes'][number] & { gradeName: string }>(
        call,
        schoolclass,
        (scope) => sql`select t.id, t.class_name as name, t.grade_id as "gradeId", g.grade_name as "gradeName",
            coalesce(t.student_count, 0) as pupils, t.max_size as "maxSize", u.real_name as "headTeacher", r.room_name as room
          from schoolclass t join sysgrade_seen g on g.tenant_id = t.tenant_id and g.id = t.grade_id
            left join app_user u on u.tenant_id = t.tenant_id and u.id = t.head_teacher_id
            left join schoolclassroom r on r.tenant_id = t.tenant_id and r.id = t.classroom_id
          where ${at} and t.year_id = ${year.id} ${scope} order by g.sort, g.grade_no, g.id, t.class_no`,
      )
    : []
  return {
    id: schoolId,
    name: school.schoolName,
    yearId: year?.id ?? null,
    yearName: year?.name ?? null,
    campuses: await seenOf<SchoolTree['campuses'][number]>(
      call,
      schoolcampus,
      (scope) =>
        sql`select t.id, t.campus_name as name from schoolcampus t where ${at} ${scope} order by t.is_main desc, t.sort, t.id`,
    ),
    floors: await seenOf<SchoolTree['floors'][number]>(
      call,
      schoolfloor,
      (scope) => sql`select t.id, t.floor_name as name, t.campus_id as "campusId", t.building_code as "buildingCode",
          t.building_name as "buildingName" from schoolfloor t where ${at} ${scope} order by t.building_code, t.floor_no`,
    ),
    rooms: await seenOf<SchoolTree['rooms'][number]>(
      call,
      schoolclassroom,
      (scope) => sql`select t.id, t.room_name as name, t.campus_id as "campusId", t.floor_id as "floorId",
          t.room_type as "roomType", t.capacity as seats from schoolclassroom t where ${at} ${scope} order by t.room_code, t.id`,
    ),
    grades: [...new Map(classes.map(({ gradeId, gradeName }) => [gradeId, { id: gradeId, name: gradeName }])).values()],
    classes: classes.map(({ gradeName: _, ...each }) => each),
  }
})

export const treeRoutes: Route[] = [treeRoute]
