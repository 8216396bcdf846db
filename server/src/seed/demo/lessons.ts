import { classschedule, schoolteachclass, teacherclass } from '@data-brain/contract'
import type { DemoRows } from './book.ts'
import { specialRooms } from './plan.ts'
import { type CampusFaculty, clubLeaders } from './staff.ts'
import { makeTimetable } from './timetable.ts'

const days = 5

/** Who teaches what, and when and where: teaching assignments and the weekly timetable of the current semester. */
export function planLessons(
  book: DemoRows,
  faculties: readonly CampusFaculty[],
  plans: ReadonlyMap<string, string>,
): void {
  for (const faculty of faculties) planCampus(book, faculty, plans.get(faculty.school.id)!)
}

function planCampus(book: DemoRows, faculty: CampusFaculty, planId: string): void {
  const { school, campus, teachers, needs, heads } = faculty
  const semester = book.year.semesters.find((each) => each.current)!
  const periods = school.plan.periodsPerDay
  // Monday's last hour is the class meeting of every class, Friday's last belongs to the clubs.
  const meeting = periods - 1
  const clubHour = days * periods - 1
  const common = { schoolId: school.id, semesterId: school.semesterId }
  const term = { beginDate: semester.begin, endDate: semester.end }
  const lesson = (slot: number, more: Record<string, unknown>): void => {
    book.add(classschedule, {
      ...common,
      planId,
      weekday: String(Math.floor(slot / periods) + 1),
      periodNo: (slot % periods) + 1,
      span: 1,
      weekType: '0',
      ...more,
    })
  }
  const assign = (userId: string, subject: string, weekHours: number, more: Record<string, unknown>): void => {
    book.add(teacherclass, {
      ...common,
      userId,
      subjectId: school.subjectIds.get(subject)!,
      role: '1',
      weekHours,
      ...term,
      ...more,
    })
  }

  for (const need of needs)
    assign(teachers[need.teacherAt]!.id, need.subject, need.hours, { classId: campus.classes[need.classAt]!.id })
  const roomUse = new Map<string, number>()
  const held = new Map<string, number>()
  for (const { need, slot } of makeTimetable(needs, { days, periods, kept: [meeting, clubHour] }, book.dice)) {
    const each = campus.classes[need.classAt]!
    const key = `${need.classAt}|${need.subject}`
    const there = held.get(key) ?? 0
    const wantsRoom = there < (specialRooms[need.subject]?.lessons ?? 0)
    const room = wantsRoom
      ? campus.special.get(need.subject)?.find((one) => (roomUse.get(`${one.id}|${slot}`) ?? 0) < one.concurrency)
      : undefined
    if (room) {
      roomUse.set(`${room.id}|${slot}`, (roomUse.get(`${room.id}|${slot}`) ?? 0) + 1)
      held.set(key, there + 1)
    }
    lesson(slot, {
      classId: each.id,
      subjectId: school.subjectIds.get(need.subject)!,
      teacherId: teachers[need.teacherAt]!.id,
      classroomId: room?.id ?? each.roomId,
    })
  }
  for (const [index, each] of campus.classes.entries()) {
    const head = heads[index]!
    assign(head.id, 'BH', 1, { classId: each.id })
    lesson(meeting, {
      classId: each.id,
      subjectId: school.subjectIds.get('BH')!,
      teacherId: head.id,
      classroomId: each.roomId,
    })
  }
  if (!campus.plan.main) return
  // All clubs meet at one hour: each pupil is in one of them.
  const joined = new Set<string>()
  for (const [order, club] of clubLeaders(faculty).entries()) {
    const pupils = book.rows
      .get('student')!
      .filter((row) => row.values.schoolId === school.id && row.values.classId && !joined.has(row.id))
    const members = book.dice.some(pupils, book.dice.int(24, 36))
    for (const { id: member } of members) joined.add(member)
    const room = campus.special.get(club.subject)![0]!
    const id = book.add(
      schoolteachclass,
      {
        ...common,
        gradeIds: [...new Set(members.map((row) => String(row.values.gradeId)))].sort(),
        teachClassCode: `ST${order + 1}`,
        teachClassName: club.name,
        subjectId: school.subjectIds.get('ST')!,
        kind: '4',
        studentIds: members.map((row) => row.id),
        teacherId: club.teacher.id,
        classroomId: room.id,
        weekHours: 1,
        doublePeriods: 0,
        minSize: 10,
        maxSize: 40,
      },
      1,
    )
    assign(club.teacher.id, 'ST', 1, { teachClassId: id })
    lesson(clubHour, {
      teachClassId: id,
      subjectId: school.subjectIds.get('ST')!,
      teacherId: club.teacher.id,
      classroomId: room.id,
    })
  }
}
