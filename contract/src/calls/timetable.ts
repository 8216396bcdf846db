import { type AnswerOf, defineCall } from '../call.ts'
import { classschedule } from '../entities/school/classschedule.ts'
import { school } from '../entities/school/school.ts'
import { schoolcalendarday } from '../entities/school/schoolcalendarday.ts'
import { schoolclass } from '../entities/school/schoolclass.ts'
import { schoolsemester } from '../entities/school/schoolsemester.ts'
import { schoolyear } from '../entities/school/schoolyear.ts'
import { teacherclass } from '../entities/school/teacherclass.ts'
import { timetableplan } from '../entities/school/timetableplan.ts'
import { codeOf } from '../entity.ts'
import { choiceShape } from '../generic.ts'
import {
  dateValue,
  fileOf,
  idOf,
  idsOf,
  integerValue,
  listOf,
  objectOf,
  oneOf,
  rowOf,
  textValue,
  truthValue,
  type ValueOf,
  wordsValue,
} from '../shape.ts'

const planId = idOf(timetableplan.name, { required: true, label: timetableplan.label })
const week = integerValue({ min: 1, max: 30, label: { zh: '周', en: 'Week' } })

/** A period of the day with its bell times, where the school has given them. */
const periodShape = objectOf(
  {
    // Absent for breaks, which no lesson stands in.
    periodNo: integerValue({ nullable: true }),
    name: textValue(),
    kind: textValue(),
    beginTime: textValue({ nullable: true }),
    endTime: textValue({ nullable: true }),
  },
  { name: 'BellTime' },
)

export const calendarDay = defineCall({
  method: 'GET',
  path: 'blade-user/schoolcalendarday/day',
  of: schoolcalendarday.name,
  access: 'session',
  summary: {
    zh: '校历：某一天的教学周、类型、所用课表与作息',
    en: 'Calendar: what a day is: its week, kind, whose timetable it has, and bell times',
  },
  input: {
    schoolId: idOf(school.name, { required: true, label: school.label }),
    date: dateValue({ required: true, label: schoolcalendarday.fields.day.label }),
    campusId: idOf('schoolcampus'),
    gradeId: idOf('sysgrade'),
  },
  answer: objectOf({
    date: textValue(),
    semesterId: textValue({ nullable: true }),
    // Absent outside the teaching weeks of a semester.
    week: integerValue({ nullable: true }),
    dayType: textValue(),
    name: textValue({ nullable: true }),
    // The weekday whose timetable is taught; absent where there are no lessons.
    weekday: integerValue({ nullable: true }),
    periods: listOf(periodShape),
  }),
})

export const calendarYear = defineCall({
  method: 'GET',
  path: 'blade-user/schoolcalendarday/year',
  of: schoolcalendarday.name,
  access: { codes: [codeOf(schoolcalendarday, 'view')] },
  summary: { zh: '校历：一个学年的每一天', en: 'Calendar: the days of a school year' },
  input: { yearId: idOf(schoolyear.name, { required: true, label: schoolyear.label }) },
  answer: objectOf({
    yearId: textValue(),
    schoolId: textValue(),
    beginDate: textValue(),
    endDate: textValue(),
    teachDays: listOf(integerValue()),
    semesters: listOf(
      objectOf({
        id: textValue(),
        name: textValue(),
        beginDate: textValue(),
        endDate: textValue(),
        firstWeekMonday: textValue(),
        weekCount: integerValue(),
      }),
    ),
    // The days that are otherwise than their weekday says.
    days: listOf(
      objectOf({
        id: textValue(),
        version: integerValue(),
        day: textValue(),
        dayType: textValue(),
        useWeekday: integerValue({ nullable: true }),
        name: textValue({ nullable: true }),
      }),
    ),
  }),
})

export const prefillCalendar = defineCall({
  method: 'POST',
  path: 'blade-user/schoolcalendarday/prefill',
  of: schoolcalendarday.name,
  access: { codes: [codeOf(schoolcalendarday, 'add')] },
  summary: {
    zh: '校历：填入国家法定节假日与调休',
    en: 'Calendar: put in the public holidays and make-up days of China',
  },
  input: { yearId: idOf(schoolyear.name, { required: true, label: schoolyear.label }) },
  answer: objectOf({
    made: integerValue(),
    // Days that the school has said something of already are left as they are.
    kept: integerValue(),
    // The last day for which the holidays have been announced.
    knownUntil: textValue(),
  }),
})

/** A lesson as a timetable shows it. */
const lessonShape = objectOf(
  {
    id: textValue(),
    version: integerValue(),
    weekday: integerValue(),
    periodNo: integerValue(),
    span: integerValue(),
    weekType: textValue(),
    weeks: listOf(integerValue(), { nullable: true }),
    classId: textValue({ nullable: true }),
    teachClassId: textValue({ nullable: true }),
    // The class or the teaching class.
    className: textValue(),
    subjectId: textValue(),
    subjectName: textValue(),
    shortName: textValue(),
    color: textValue(),
    teacherId: textValue(),
    teacherName: textValue(),
    // The room that it is in: its own, or the home room of its class.
    classroomId: textValue({ nullable: true }),
    classroomName: textValue({ nullable: true }),
    hasOwnRoom: truthValue(),
    isLocked: truthValue(),
  },
  { name: 'TimetableLesson' },
)

/** Why a lesson cannot be where it is, or where somebody wants it. */
const obstacleShape = objectOf(
  {
    kind: oneOf([
      'class',
      'teacher',
      'room',
      'pupil',
      // A slot that the school does not have: no such period, a break within it, a day without lessons.
      'slot',
      'week',
      'unavailable',
      'research',
      'unassigned',
      'seats',
    ]),
    text: wordsValue(),
    // The lessons that it is about.
    lessonIds: listOf(textValue()),
  },
  { name: 'TimetableObstacle' },
)

/** What an assignment promises a week, beside what a plan has of it. */
const hoursShape = objectOf(
  {
    classId: textValue({ nullable: true }),
    teachClassId: textValue({ nullable: true }),
    className: textValue(),
    subjectId: textValue(),
    subjectName: textValue(),
    color: textValue(),
    teacherId: textValue(),
    teacherName: textValue(),
    hours: integerValue(),
    placed: integerValue(),
  },
  { name: 'TimetableHours' },
)

export const planBoard = defineCall({
  method: 'GET',
  path: 'blade-user/timetableplan/board',
  of: timetableplan.name,
  access: { codes: [codeOf(timetableplan, 'view')] },
  summary: {
    zh: '课表方案：一个班级、教师、教室或全校的课表与未排课时',
    en: 'Timetable plan: the week of a class, a teacher, a room or the whole school, and the lessons that are owed',
  },
  input: {
    id: planId,
    by: oneOf(['class', 'teacher', 'room', 'school'], { required: true }),
    of: textValue({ max: 20 }),
  },
  answer: objectOf({
    plan: rowOf(timetableplan),
    weekCount: integerValue(),
    teachDays: listOf(integerValue()),
    periods: listOf(periodShape),
    lessons: listOf(lessonShape),
    obstacles: listOf(obstacleShape),
    // Of which the plan does not have all lessons yet, and of which it has more than the assignment says.
    owed: listOf(hoursShape),
    surplus: listOf(hoursShape),
  }),
})

export const planSlots = defineCall({
  method: 'GET',
  path: 'blade-user/timetableplan/slots',
  of: timetableplan.name,
  access: { codes: [codeOf(classschedule, 'add'), codeOf(classschedule, 'edit')] },
  summary: {
    zh: '课表方案：一节课在每个时段能否安排，以及原因',
    en: 'Timetable plan: for a lesson in hand, whether each slot is free, and if not, why',
  },
  input: {
    id: planId,
    // A lesson that stands, or one to be.
    lessonId: idOf(classschedule.name),
    classId: idOf(schoolclass.name),
    teachClassId: idOf('schoolteachclass'),
    subjectId: idOf('schoolsubject'),
    teacherId: idOf('user'),
    classroomId: idOf('schoolclassroom'),
    span: integerValue({ min: 1, max: 4 }),
    weekType: textValue({ max: 1 }),
    weeks: textValue({ max: 100 }),
  },
  answer: listOf(
    objectOf({
      weekday: integerValue(),
      periodNo: integerValue(),
      obstacles: listOf(obstacleShape),
    }),
  ),
})

/** A lesson that is being written: as much of it as is known, and which teachers or rooms are looked for. */
const chosenFor = {
  id: planId,
  // The lesson that it is, where it stands already: in its own way it is not.
  lessonId: idOf(classschedule.name),
  classId: idOf(schoolclass.name),
  teachClassId: idOf('schoolteachclass'),
  subjectId: idOf('schoolsubject'),
  weekday: integerValue({ min: 1, max: 7 }),
  periodNo: integerValue({ min: 1, max: 14 }),
  span: integerValue({ min: 1, max: 4 }),
  weekType: textValue({ max: 1 }),
  weeks: textValue({ max: 100 }),
  keyword: textValue({ max: 64 }),
}

export const planTeachers = defineCall({
  method: 'GET',
  path: 'blade-user/timetableplan/teacher/select',
  of: timetableplan.name,
  access: { codes: [codeOf(classschedule, 'add'), codeOf(classschedule, 'edit')] },
  summary: {
    zh: '课表方案：可选教师，任课的在前，注明当时是否空闲和已排课时',
    en: 'Timetable plan: teachers for a lesson, those assigned first, with whether they are free and their load',
  },
  input: { ...chosenFor, ids: idsOf('user') },
  answer: listOf(choiceShape),
})

export const planRooms = defineCall({
  method: 'GET',
  path: 'blade-user/timetableplan/room/select',
  of: timetableplan.name,
  access: { codes: [codeOf(classschedule, 'add'), codeOf(classschedule, 'edit')] },
  summary: {
    zh: '课表方案：可选教室，空闲的在前',
    en: 'Timetable plan: rooms for a lesson, those that are free first',
  },
  input: { ...chosenFor, ids: idsOf('schoolclassroom') },
  answer: listOf(choiceShape),
})

export const planCheck = defineCall({
  method: 'GET',
  path: 'blade-user/timetableplan/check',
  of: timetableplan.name,
  access: { codes: [codeOf(timetableplan, 'view')] },
  summary: {
    zh: '课表方案：校验，列出全部冲突',
    en: 'Timetable plan: check it, and list everything that stands against publishing it',
  },
  input: { id: planId },
  answer: objectOf({ lessons: integerValue(), obstacles: listOf(obstacleShape) }),
})

export const planChanges = defineCall({
  method: 'GET',
  path: 'blade-user/timetableplan/changes',
  of: timetableplan.name,
  access: { codes: [codeOf(timetableplan, 'view')] },
  summary: {
    zh: '课表方案：从某周起发布将改变哪些课',
    en: 'Timetable plan: what publishing it from a week changes, and for whom',
  },
  input: { id: planId, fromWeek: week },
  answer: objectOf({
    weekCount: integerValue(),
    // The weeks of the term that have begun, today's included.
    begunWeeks: integerValue(),
    added: integerValue(),
    removed: integerValue(),
    same: integerValue(),
    classes: listOf(objectOf({ id: textValue(), name: textValue(), lessons: integerValue() })),
    teachers: listOf(objectOf({ id: textValue(), name: textValue(), lessons: integerValue() })),
    // The plans that these weeks have now.
    replaces: listOf(
      objectOf({ id: textValue(), name: textValue(), fromWeek: integerValue(), toWeek: integerValue() }),
    ),
  }),
})

export const publishPlan = defineCall({
  method: 'POST',
  path: 'blade-user/timetableplan/publish',
  of: timetableplan.name,
  access: { codes: ['timetableplan_publish'] },
  summary: {
    zh: '课表方案：从某周起发布',
    en: 'Timetable plan: publish it from a week on',
  },
  input: { id: planId, fromWeek: week },
  answer: rowOf(timetableplan),
})

export const copyPlan = defineCall({
  method: 'POST',
  path: 'blade-user/timetableplan/copy',
  of: timetableplan.name,
  access: { codes: [codeOf(timetableplan, 'add')] },
  summary: {
    zh: '课表方案：复制为新的草稿',
    en: 'Timetable plan: copy it, with its lessons, into a new draft',
  },
  input: { id: planId, planName: textValue({ max: 40, label: timetableplan.fields.planName.label }) },
  answer: rowOf(timetableplan),
})

export const handOver = defineCall({
  method: 'POST',
  path: 'blade-user/teacherclass/handOver',
  of: teacherclass.name,
  access: { codes: [codeOf(teacherclass, 'edit')] },
  summary: {
    zh: '任课关系：从某周起换教师，任课关系与已发布的课表一并更换',
    en: 'Teaching: another teacher from a week on: the assignment and the published timetable change in one step',
  },
  input: {
    id: idOf(teacherclass.name, { required: true, label: teacherclass.label }),
    userId: idOf('user', { required: true, label: { zh: '新教师', en: 'New teacher' } }),
    fromWeek: integerValue({ min: 2, max: 30, required: true, label: { zh: '从第几周起', en: 'From week' } }),
  },
  answer: objectOf({
    // The assignment of the new teacher, and the plan that was published; absent where none had lessons of it.
    id: textValue(),
    planId: textValue({ nullable: true }),
    lessons: integerValue(),
  }),
})

export const assignmentMatrix = defineCall({
  method: 'GET',
  path: 'blade-user/teacherclass/matrix',
  of: teacherclass.name,
  access: { codes: [codeOf(teacherclass, 'view')] },
  summary: {
    zh: '任课关系：一个学期各班各学科的教师与周课时，以及各教师的总课时',
    en: 'Teaching: who teaches what to which class in a semester, and the load of each teacher',
  },
  input: { semesterId: idOf(schoolsemester.name, { required: true, label: schoolsemester.label }) },
  answer: objectOf({
    schoolId: textValue(),
    beginDate: textValue(),
    endDate: textValue(),
    // Of the school year of the semester, in the order of their lists; teaching classes follow the classes.
    classes: listOf(objectOf({ id: textValue(), name: textValue(), isTeachClass: truthValue() })),
    subjects: listOf(objectOf({ id: textValue(), name: textValue(), color: textValue() })),
    assignments: listOf(
      objectOf({
        id: textValue(),
        // Of the class or the teaching class.
        of: textValue(),
        subjectId: textValue(),
        teacherId: textValue(),
        teacherName: textValue(),
        // A key of the dictionary teacher_role; only who teaches, 1, counts for the hours.
        role: textValue(),
        hours: integerValue(),
      }),
    ),
    // Hours a week, within what the caller reaches, the most first.
    loads: listOf(objectOf({ teacherId: textValue(), teacherName: textValue(), hours: integerValue() })),
  }),
})

export const generatePlan = defineCall({
  method: 'POST',
  path: 'blade-user/timetableplan/generate',
  of: timetableplan.name,
  access: { codes: [codeOf(classschedule, 'edit')] },
  summary: {
    zh: '课表方案：自动排课（锁定的课不动，其余重排）',
    en: 'Timetable plan: make it by the generator. Locked lessons stay, all others are placed anew',
  },
  input: {
    id: planId,
    // The same seed makes the same timetable, as far as the time lasts.
    seed: integerValue({ min: 0, max: 1_000_000 }),
    // How long it goes on improving.
    seconds: integerValue({ min: 1, max: 300, label: { zh: '秒数', en: 'Seconds' } }),
    // 1: lessons that stand stay where they are as far as they can. 0, or absent: all but locked ones are placed anew.
    keep: integerValue({ min: 0, max: 1 }),
  },
  answer: objectOf({ jobId: textValue() }),
})

/** What a job of the generator results in, once it is done. */
const generatedShape = objectOf({
  lessons: integerValue(),
  missing: integerValue(),
  // Lessons that stand elsewhere than before, where they were to stay.
  moved: integerValue({ nullable: true }),
  cost: integerValue(),
  // Rules that are not kept: how many, and the worst of them as sentences.
  broken: integerValue(),
  unkept: listOf(wordsValue()),
  // Why lessons are missing: each proved, with the least to give up.
  obstacles: listOf(
    objectOf({
      text: wordsValue(),
      // Whom and what it is about, and where that is changed.
      about: listOf(
        objectOf({
          entity: oneOf([
            'user',
            'schoolclass',
            'schoolteachclass',
            'schoolsubject',
            'schoolclassroom',
            'timetablerule',
          ]),
          id: textValue(),
          name: wordsValue(),
        }),
      ),
    }),
  ),
  // Whether a timetable was found with that given up; absent where nothing is missing.
  enough: truthValue({ nullable: true }),
})

export const exportFet = defineCall({
  method: 'GET',
  path: 'blade-user/timetableplan/fet',
  of: timetableplan.name,
  // Whoever may let the generator work on it: it tells when teachers are unavailable.
  access: { codes: [codeOf(classschedule, 'edit')] },
  summary: {
    zh: '课表方案：导出 FET 文件（.fet）',
    en: 'Timetable plan: its assignments, rules and lessons as a file of the program FET (.fet)',
  },
  input: {
    id: planId,
    // 1: each lesson stands where the plan has it. 0, or absent: only locked ones do, and FET places the others.
    placed: integerValue({ min: 0, max: 1 }),
  },
  answer: fileOf('application/xml'),
})

export const ownTimetable = defineCall({
  method: 'GET',
  path: 'blade-user/classschedule/getUserClassSchedule',
  of: classschedule.name,
  access: 'session',
  summary: {
    zh: '课程表：我的一周，含校历',
    en: 'Timetable: the week of the caller, as the calendar has it',
  },
  input: {
    semesterId: idOf(schoolsemester.name),
    week,
    date: dateValue(),
    // A teacher's own lessons, those of the classes that the caller heads, or a pupil's own; absent: whatever fits first.
    as: oneOf(['teacher', 'class', 'pupil']),
  },
  // Without a week: the lessons of the published plan that holds now, as they are repeated. With one: each on its day.
  answer: listOf(
    objectOf({
      id: textValue(),
      // Absent where no week is asked for.
      date: textValue({ nullable: true }),
      weekday: textValue(),
      periodNo: integerValue(),
      span: integerValue(),
      beginTime: textValue({ nullable: true }),
      endTime: textValue({ nullable: true }),
      weekType: textValue(),
      weeks: listOf(integerValue(), { nullable: true }),
      semesterId: textValue(),
      classId: textValue({ nullable: true }),
      className: textValue({ nullable: true }),
      teachClassName: textValue({ nullable: true }),
      subjectId: textValue(),
      subjectName: textValue(),
      shortName: textValue(),
      color: textValue(),
      teacherId: textValue(),
      teacherName: textValue(),
      classroomId: textValue({ nullable: true }),
      classroomName: textValue({ nullable: true }),
      // Whether the caller gives it, rather than the class that the caller heads has it.
      isOwn: truthValue(),
      // What is otherwise than in the timetable on that day; absent where nothing is.
      change: objectOf(
        {
          id: textValue(),
          // A key of the dictionary substitution_kind.
          kind: textValue(),
          // Of the dictionary substitution_status: one that waits for an answer holds until it is declined.
          status: integerValue(),
          // Whose lesson it is, and when the timetable has it.
          teacherId: textValue(),
          teacherName: textValue(),
          day: textValue(),
          periodNo: integerValue(),
        },
        { nullable: true },
      ),
    }),
  ),
})

export type PlanBoard = AnswerOf<typeof planBoard>
export type Obstacle = PlanBoard['obstacles'][number]
export type GeneratedPlan = ValueOf<typeof generatedShape>
export type AssignmentMatrix = AnswerOf<typeof assignmentMatrix>
export type OwedLessons = PlanBoard['owed'][number]
export type OwnLesson = AnswerOf<typeof ownTimetable>[number]
