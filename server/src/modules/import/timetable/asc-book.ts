import { isUtf8 } from 'node:buffer'
import type { Words } from '@data-brain/contract'
import { FileFault } from '../file/limits.ts'
import type { RawBook } from '../file/raw-rows.ts'
import { type AscFile, type AscRow, readAsc } from './asc-file.ts'
import { idsOf, nameOf, placesOf } from './asc-places.ts'
import { slotsOf } from './asc-slots.ts'
import { bookOfLessons, classCells, type ListedLesson, Tally } from './list-book.ts'

/*
 * Files of aSc Timetables, as its menu File → Export → XML writes them. Lessons say who is taught what by whom, cards say
 * when and where. Files of before 2012 have numbers of days in place of masks, and name on the card what the lesson says.
 */

/** Whether a text begins as an aSc file does. */
export const isAsc = (head: string): boolean => /<(?:!doctype\s+)?timetable(?=[\s>])/i.test(head)

/**
 * The text of an aSc file that says it is written in an encoding of one byte to a letter, as Windows has them in Europe: such
 * bytes could be Chinese as well, and only the file knows. Undefined for any other file.
 */
export function ascInDeclared(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4_000))
  const [, said] = /^\s*<\?xml[^>]*encoding\s*=\s*["'](windows-125\d|iso-8859-\d+)["']/i.exec(head) ?? []
  // A file that was saved anew in another editor keeps what it said, and is UTF-8: letters of one byte are hardly ever that by chance.
  return said && isAsc(head) && !isUtf8(bytes) ? new TextDecoder(said).decode(bytes) : undefined
}

/** What the tables that are not read are called. */
const others: Readonly<Record<string, Words>> = {
  students: { zh: '学生', en: 'students' },
  studentsubjects: { zh: '学生选课', en: 'choices of students' },
  buildings: { zh: '楼栋', en: 'buildings' },
  cardrelations: { zh: '课的关系', en: 'relations of cards' },
  relations: { zh: '关系', en: 'relations' },
  constraints: { zh: '约束', en: 'constraints' },
  timetableschedules: { zh: '排课结果表', en: 'schedules' },
}
const otherWords = (name: string): Words => others[name.toLowerCase()] ?? { zh: name, en: name }

/** What is told of a file beside its lessons. */
class Untaken {
  readonly unplaced = new Tally()
  readonly parts = new Tally()
  readonly unknown = new Tally()
  readonly lost = new Tally()
  readonly twice = new Tally()
  readonly terms = new Tally()
  readonly turns = new Tally()

  words(file: AscFile): readonly Words[] {
    const rest = new Tally()
    for (const [name, count] of file.others) rest.add(name, count)
    return [
      ...this.unplaced.told(
        (total, names) => ({
          zh: `${total}节课在 aSc 中没有排，没有导入：${names.zh}`,
          en: `Lessons that aSc has not placed, not imported (${total}): ${names.en}`,
        }),
        { lines: 5 },
      ),
      ...this.parts.told(
        (total, names) => ({
          zh: `${total}节课属于不是整班的组，学校有同名教学班的才能导入：${names.zh}`,
          en: `Lessons of groups that are no whole class, imported where the school has a teaching class of that name (${total}): ${names.en}`,
        }),
        { lines: 3 },
      ),
      ...this.lost.told((total) => ({
        zh: `${total}个排课位置指向文件中没有的课，没有导入`,
        en: `Places whose lesson the file does not hold, not imported: ${total}`,
      })),
      ...this.unknown.told((total, names) => ({
        zh: `${total}处编号在文件中没有：${names.zh}`,
        en: `Ids that the file does not hold (${total}): ${names.en}`,
      })),
      ...this.twice.told((total, names) => ({
        zh: `${total}节课在文件中重复，只导入一次：${names.zh}`,
        en: `Lessons that stand in the file more than once, imported once (${total}): ${names.en}`,
      })),
      ...this.turns.told((total) => ({
        zh: `${total}节课两周轮换：aSc 的第一周作为单周、第二周作为双周，请核对`,
        en: `Lessons that take turns by weeks (${total}): the first week of aSc is taken for the odd weeks, the second for the even ones. Compare them`,
      })),
      ...this.terms.told((total, names) => ({
        zh: `${total}节课在 aSc 中只属于部分学期，全部导入所选学期，请核对：${names.zh}`,
        en: `Lessons of some terms of aSc alone, all imported into the chosen one (${total}). Compare them: ${names.en}`,
      })),
      ...rest.told(
        (total, names) => ({
          zh: `${total}项其他内容未读取：${names.zh}`,
          en: `Other contents not read (${total}): ${names.en}`,
        }),
        { label: otherWords },
      ),
    ]
  }
}

/** How a cell names what has an id: 未知的教师（*9） where the file does not hold it. */
function namesOf(file: AscFile, table: string, what: string, untaken: Untaken): (ids: readonly string[]) => string {
  const known = new Map((file.tables.get(table) ?? []).map((row) => [row.get('id') ?? '', nameOf(row)]))
  return (ids) =>
    [
      ...new Set(
        ids.map((id) => {
          const name = known.get(id)
          if (name === undefined) untaken.unknown.add(`${what} ${id}`)
          return name ?? `未知的${what}（${id}）`
        }),
      ),
    ].join('、')
}

/** How many lessons of this one have no card, of those that it is owed each week. */
function owedOf(lesson: AscRow, placed: number): number {
  const perCard = Number(lesson.get('periodspercard') ?? lesson.get('durationperiods')) || 1
  const perWeek = Number((lesson.get('periodsperweek') ?? '').replace(',', '.'))
  if (!perWeek) return placed === 0 ? 1 : 0
  // A third of a lesson a week is one that comes round every third week.
  const owed = perWeek / perCard - placed
  return owed > 0.2 ? Math.ceil(owed - 0.01) : 0
}

/** The lessons of a file, and what of it is not among them. */
function lessonsOf(file: AscFile): { readonly lessons: readonly ListedLesson[]; readonly notes: readonly Words[] } {
  const untaken = new Untaken()
  const named = {
    subject: namesOf(file, 'subjects', '学科', untaken),
    teacher: namesOf(file, 'teachers', '教师', untaken),
    room: namesOf(file, 'classrooms', '教室', untaken),
  }
  const place = placesOf(file)
  const slots = slotsOf(file)
  const own = new Map((file.tables.get('lessons') ?? []).map((row) => [row.get('id') ?? '', row]))
  const shares = new Map<string, number>()
  const seen = new Set<string>()
  const lessons: ListedLesson[] = []
  const idsFor = (card: AscRow | undefined, lesson: AscRow | undefined, name: string): string[] => {
    const said = idsOf(card, name)
    return said.length > 0 ? said : idsOf(lesson, name)
  }
  const label = (lesson: AscRow, card?: AscRow): string =>
    [
      place(lesson).cells.join('、'),
      named.subject(idsFor(card, lesson, 'subject')),
      named.teacher(idsFor(card, lesson, 'teacher')),
    ]
      .filter(Boolean)
      .join(' ')
  for (const card of file.tables.get('cards') ?? []) {
    const id = card.get('lessonid') ?? ''
    const lesson = own.get(id)
    const taught = lesson ?? (idsOf(card, 'class').length > 0 ? card : undefined)
    if (!taught) {
      untaken.lost.add('')
      continue
    }
    const slot = slots.of(card, lesson)
    if (!slot) {
      if (!lesson) untaken.unplaced.add(label(taught, card))
      continue
    }
    shares.set(id, (shares.get(id) ?? 0) + slot.share * slot.weekdays.length)
    const { cells: who, parts, unknown } = place(taught)
    for (const part of parts) untaken.parts.add(part.label)
    for (const id of unknown) untaken.unknown.add(id)
    // A lesson lists the rooms that it may be in; where there is one, that is where it is.
    const isSaid = card.has('classroomids') || card.has('classroomid')
    const rooms = idsOf(isSaid ? card : lesson, 'classroom')
    const cells = {
      subject: named.subject(idsFor(card, lesson, 'subject')),
      teachers: named.teacher(idsFor(card, lesson, 'teacher')),
      ...{ period: slot.period, span: slot.span, weeks: slot.weeks },
      room: isSaid || rooms.length === 1 ? named.room(rooms) : '',
    }
    for (const weekday of slot.weekdays) {
      const key = JSON.stringify([who, cells, weekday])
      if (seen.has(key)) untaken.twice.add([who.join('、'), cells.subject, cells.teachers].filter(Boolean).join(' '))
      else for (const classes of classCells(who)) lessons.push({ classes, ...cells, weekday })
      seen.add(key)
      if (/^[单双]周$/.test(slot.weeks)) untaken.turns.add('')
      if (/^1*0[01]*$/.test(card.get('terms') ?? '')) untaken.terms.add(cells.subject)
    }
  }
  for (const [id, lesson] of own) {
    const owed = owedOf(lesson, shares.get(id) ?? 0)
    if (owed > 0) untaken.unplaced.add(label(lesson), owed)
  }
  return { lessons, notes: [...untaken.words(file), ...slots.notes] }
}

/** The timetable of an aSc file as a list of its lessons, one to a row, and below it what is not among them. */
export function openAsc(text: string): RawBook {
  const file = readAsc(text)
  const { lessons, notes } = lessonsOf(file)
  if (lessons.length === 0)
    throw new FileFault(
      '这个 aSc 文件中没有排好的课：请在 aSc Timetables 中排课，再选“文件 → 导出 → aSc Timetables XML”，上传导出的文件',
      'This aSc file holds no placed lesson: generate the timetable in aSc Timetables, choose File → Export → aSc Timetables XML, and upload that',
    )
  return bookOfLessons(lessons, notes, {
    zh: '请在 aSc Timetables 中每所学校另存一份，只留该校的班级，再分别导出和上传',
    en: 'save a copy for each school in aSc Timetables, keep only the classes of that school in it, and export and upload each',
  })
}
