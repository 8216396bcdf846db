/* Files as aSc Timetables writes them, made by hand from what its users have published of the format. */

/** A lesson of a school in plain words; a week starts at 1. */
export interface TaughtLesson {
  readonly className: string
  readonly subject: string
  readonly teacher: string
  readonly day: number
  readonly period: number
  readonly span?: number
  readonly weeks?: 'odd' | 'even'
  readonly room?: string
  /** A group of the class; the whole class where nothing is said. */
  readonly group?: string
}

export interface AscSchool {
  readonly classes: readonly string[]
  readonly subjects: readonly string[]
  readonly teachers: readonly string[]
  readonly rooms: readonly string[]
  readonly periods: number
  readonly lessons: readonly TaughtLesson[]
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
/** An element of attributes in the order in which they are given. */
export const tag = (name: string, attributes: Readonly<Record<string, string | number>>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escaped(String(value))}"`)
    .join(' ')}/>`
const table = (name: string, columns: string, rows: readonly string[]): string =>
  `   <${name} options="canadd,export:silent" columns="${columns}">\n${rows.map((row) => `      ${row}\n`).join('')}   </${name}>\n`

/** Numbers as aSc gives them: one row of numbers for everything, with a star. */
function numbering(): (kind: string, name: string) => string {
  const ids = new Map<string, string>()
  return (kind, name) => {
    const key = `${kind}|${name}`
    const id = ids.get(key) ?? `*${ids.size + 1}`
    ids.set(key, id)
    return id
  }
}

const mask = (length: number, at: number): string => `${'0'.repeat(at)}1${'0'.repeat(length - at - 1)}`
const weekMask = ({ weeks }: TaughtLesson): string => (weeks === undefined ? '11' : weeks === 'odd' ? '10' : '01')

export interface AscManner {
  readonly encoding?: string
  readonly days?: readonly string[]
  /** What stands before the tables, and behind the last. */
  readonly more?: string
  readonly wholeClass?: string
}

/** A file of aSc of 2012 and later: masks of days and weeks, groups, lessons and their cards. */
export function asc2012(school: AscSchool, manner: AscManner = {}): string {
  const id = numbering()
  const names = manner.days ?? ['星期一', '星期二', '星期三', '星期四', '星期五']
  const named = (kind: string, all: readonly string[]): string[] =>
    all.map((name) => tag(kind, { name, id: id(kind, name), short: name.slice(0, 3), partner_id: '' }))
  const groups = [
    ...school.classes.map((className) => ({ className, name: '' })),
    ...school.lessons.flatMap(({ className, group }) => (group ? [{ className, name: group }] : [])),
  ]
  const groupId = (className: string, name = ''): string => id('group', `${className}/${name}`)
  const lessons = [
    ...Map.groupBy(school.lessons, ({ className, subject, teacher, span = 1, group = '', weeks = '' }) =>
      [className, subject, teacher, span, group, weeks].join('/'),
    ),
  ]
  return `<?xml version="1.0" encoding="${manner.encoding ?? 'UTF-8'}"?>
<timetable ascttversion="2021.6.2" importtype="database" options="export:idprefix:%CHRID,import:idprefix:%TEMPID,groupstype1,decimalseparatordot" defaultexport="1" displayname="aSc Timetables 2012 XML" displaycountries="">
${table(
  'periods',
  'period,name,short,starttime,endtime',
  Array.from({ length: school.periods }, (_each, at) =>
    tag('period', { name: at + 1, short: at + 1, period: at + 1, starttime: '8:00', endtime: '8:40' }),
  ),
)}${table('daysdefs', 'id,days,name,short', [
  tag('daysdef', {
    id: id('days', 'any'),
    name: 'Any day',
    short: 'X',
    days: names.map((_n, at) => mask(names.length, at)).join(),
  }),
  ...names.map((name, at) =>
    tag('daysdef', { days: mask(names.length, at), short: name.slice(-1), name, id: id('days', name) }),
  ),
])}${table('weeksdefs', 'id,weeks,name,short', [
  tag('weeksdef', { id: id('weeks', '11'), name: 'All weeks', short: 'All', weeks: '11' }),
  tag('weeksdef', { id: id('weeks', '10'), name: 'Week A', short: 'A', weeks: '10' }),
  tag('weeksdef', { id: id('weeks', '01'), name: 'Week B', short: 'B', weeks: '01' }),
])}${table('subjects', 'id,name,short,partner_id', named('subject', school.subjects))}${table('teachers', 'id,firstname,lastname,name,short', named('teacher', school.teachers))}${table('classrooms', 'id,name,short,capacity', named('classroom', school.rooms))}${table('grades', 'grade,name,short', [tag('grade', { grade: 3, name: '三年级', short: '3' })])}${table('classes', 'id,name,short,teacherid,classroomids,grade', named('class', school.classes))}${table(
  'groups',
  'id,classid,name,entireclass,divisiontag,studentcount',
  groups.map(({ className, name }) =>
    tag('group', {
      ...{ studentcount: '', entireclass: name ? 0 : 1, id: groupId(className, name), divisiontag: name ? 1 : 0 },
      ...{ classid: id('class', className), name: name || (manner.wholeClass ?? '整班') },
    }),
  ),
)}${table(
  'lessons',
  'id,subjectid,classids,groupids,teacherids,classroomids,periodspercard,periodsperweek,daysdefid,weeksdefid',
  lessons.map(([key, [first, ...others]]) =>
    tag('lesson', {
      ...{ periodspercard: first!.span ?? 1, classids: id('class', first!.className), id: id('lesson', key) },
      periodsperweek: ((others.length + 1) * (first!.span ?? 1) * (first!.weeks ? 0.5 : 1)).toFixed(1),
      ...{ subjectid: id('subject', first!.subject), teacherids: id('teacher', first!.teacher) },
      ...{ groupids: groupId(first!.className, first!.group), classroomids: '', daysdefid: id('days', 'any') },
      ...{ weeksdefid: id('weeks', weekMask(first!)), seminargroup: '', capacity: '*' },
    }),
  ),
)}${table(
  'cards',
  'lessonid,period,days,weeks,terms,classroomids',
  lessons.flatMap(([key, all]) =>
    all.map((lesson) =>
      tag('card', {
        ...{ terms: '1', weeks: weekMask(lesson), days: mask(names.length, lesson.day - 1), period: lesson.period },
        ...{ classroomids: lesson.room ? id('classroom', lesson.room) : '', lessonid: id('lesson', key) },
      }),
    ),
  ),
)}${manner.more ?? ''}</timetable>
`
}

/** A file of before 2012: numbers of days, no groups, no masks; the card names what the lesson says. */
export function asc2008(school: AscSchool): string {
  const id = numbering()
  const named = (kind: string, all: readonly string[]): string[] =>
    all.map((name) => `<${kind} id='${id(kind, name)}' short='' name='${escaped(name)}'/>`)
  const cards = school.lessons.map((lesson, at) => ({
    ...{ lessonid: `*L${at}`, subjectid: id('subject', lesson.subject), teacherid: id('teacher', lesson.teacher) },
    ...{ classids: id('class', lesson.className), studentids: '', day: lesson.day, period: lesson.period },
    classroomid: lesson.room ? id('classroom', lesson.room) : '',
  }))
  return `<?xml version="1.0"?>
<timetable importtype='database' options='idprefix:MyApp,daynumbering1' displayname='aSc Timetables 2008 XML'>
${table(
  'days',
  'name,short,day',
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((name, at) =>
    tag('day', { name, short: name.slice(0, 2), day: at + 1 }),
  ),
)}${table(
  'periods',
  'period,starttime,endtime',
  Array.from({ length: school.periods }, (_each, at) => tag('period', { period: at + 1, starttime: '8:00' })),
)}${table('subjects', 'id,name', named('subject', school.subjects))}${table('teachers', 'id,name', named('teacher', school.teachers))}${table('classrooms', 'id,name', named('classroom', school.rooms))}${table('classes', 'id,name', named('class', school.classes))}${table(
  'cards',
  'lessonid,subjectid,teacherid,classids,day,period,classroomid',
  cards.map((card) => tag('card', card)),
)}${table(
  'lessons',
  'id,subjectid,teacherid,classids,durationperiods',
  cards.map(({ lessonid, subjectid, teacherid, classids }, at) =>
    tag('lesson', { id: lessonid, subjectid, teacherid, classids, durationperiods: school.lessons[at]!.span ?? 1 }),
  ),
)}</timetable>`
}
