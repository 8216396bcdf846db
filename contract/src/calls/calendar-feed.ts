import { type AnswerOf, defineCall } from '../call.ts'
import { classschedule } from '../entities/school/classschedule.ts'
import { schoolclass } from '../entities/school/schoolclass.ts'
import { schoolclassroom } from '../entities/school/schoolclassroom.ts'
import { fileOf, idOf, instantValue, listOf, objectOf, oneOf, textValue } from '../shape.ts'

const of = classschedule.name

/** Whose week a feed is: that of whoever made it, a class’s or a room’s. */
export const feedKinds = ['own', 'class', 'room'] as const

/** Most feeds of one person that are not withdrawn. */
export const feedsMost = 20

const feedFields = {
  id: textValue(),
  kind: oneOf(feedKinds),
  // The class or the room; absent for one’s own week.
  targetId: textValue({ nullable: true }),
  targetName: textValue({ nullable: true }),
  madeAt: instantValue(),
  // When a calendar program last read it, to the hour.
  readAt: instantValue({ nullable: true }),
  withdrawnAt: instantValue({ nullable: true }),
}

/** Lists the caller’s own feeds, newest first, withdrawn ones among them; addresses are not told again. */
export const calendarFeeds = defineCall({
  method: 'GET',
  path: 'blade-user/classschedule/feeds',
  of,
  access: 'session',
  summary: { zh: '课程表：我的日历订阅', en: 'Timetable: the caller’s calendar feeds' },
  answer: listOf(objectOf(feedFields)),
})

/** Makes a feed. Its address is told here and never again: only a hash of it is kept. */
export const makeCalendarFeed = defineCall({
  method: 'POST',
  path: 'blade-user/classschedule/makeFeed',
  of,
  access: 'session',
  summary: {
    zh: '课程表：新建日历订阅（地址只显示一次）',
    en: 'Timetable: make a calendar feed; its address is told once',
  },
  input: {
    kind: oneOf(feedKinds, { required: true, label: { zh: '订阅内容', en: 'What to subscribe to' } }),
    classId: idOf(schoolclass.name, { label: schoolclass.label }),
    classroomId: idOf(schoolclassroom.name, { label: schoolclassroom.label }),
  },
  answer: objectOf({
    ...feedFields,
    // From the root of the installation: `/api/…/feed/<token>.ics`.
    path: textValue(),
    // The whole address, where the installation knows its own; the client puts its own origin before `path` otherwise.
    address: textValue({ nullable: true }),
  }),
})

/** Withdraws a feed of the caller’s own: its address answers nothing any more. */
export const withdrawCalendarFeed = defineCall({
  method: 'POST',
  path: 'blade-user/classschedule/withdrawFeed',
  of,
  access: 'session',
  summary: { zh: '课程表：撤回日历订阅', en: 'Timetable: withdraw a calendar feed' },
  input: { id: idOf('calendarfeed', { required: true, label: { zh: '日历订阅', en: 'Calendar feed' } }) },
  answer: objectOf(feedFields),
})

/** A timetable as iCalendar (RFC 5545), for whoever has its address. */
export const readCalendarFeed = defineCall({
  method: 'GET',
  path: 'blade-user/classschedule/feed/:file',
  of,
  access: 'public',
  summary: { zh: '课程表：日历订阅的内容（iCalendar）', en: 'Timetable: what a calendar feed holds, as iCalendar' },
  input: { file: textValue({ max: 80, required: true }) },
  answer: fileOf('text/calendar'),
})

export type CalendarFeed = AnswerOf<typeof calendarFeeds>[number]
