import type { Words } from '@data-brain/contract'
import { FileFault } from '../file/limits.ts'
import type { RawBook } from '../file/raw-rows.ts'
import { isAsc, openAsc } from './asc-book.ts'
import { weekdayNamed } from './day-names.ts'
import { constraintWords } from './fet-constraints.ts'
import { type FetLesson, type FetTimetable, readFet } from './fet-file.ts'
import { periodIn } from './grid-words.ts'
import { bookOfLessons, classCells, Tally, weekdayCells } from './list-book.ts'

export { readFet }

/*
 * Files of FET, the free timetabling program: what it saves after a run (…_data_and_timetable.fet) holds the lessons and where
 * each stands. They become a list of lessons like any other; what FET knows beyond that is told and not taken.
 */

/** Whether a text begins as a file of a timetabling program does: of FET, or of aSc Timetables. */
export const isFet = (head: string): boolean =>
  /<fet(?:\s+version\s*=[^>]*)?>|<!doctype\s+fet\b/i.test(head) || isAsc(head)

/** Days and periods by what their names mean; where one means nothing, or two mean the same, by their order in the file. */
function numbered(names: readonly string[], read: (name: string) => number | undefined): ReadonlyMap<string, number> {
  const meant = names.map(read)
  const isClear = meant.every((no) => no !== undefined) && new Set(meant).size === names.length
  return new Map(names.map((name, at) => [name, isClear ? meant[at]! : at + 1]))
}

/** The part of a group that one class has (走班A · 七（1）班) is of the group. */
const groupOf = (students: string): string => students.split(' · ')[0]!
const classesOf = ({ students }: FetLesson): string[] => [...new Set(students.map(groupOf))]

/** A room that takes several lessons at once stands in our files once for each: 操场 #2 is 操场. */
const roomOf = (room: string): string => room.replace(/ #\d+$/, '')

/** What a file holds beyond lessons that have a place, in words. */
function notTaken({ lessons, inactive, constraints }: FetTimetable): readonly Words[] {
  const [unplaced, off, unread] = [new Tally(), new Tally(), new Tally()]
  const label = (lesson: FetLesson): string =>
    [classesOf(lesson).join('、'), lesson.subject, lesson.teachers.join('、')].filter(Boolean).join(' ')
  for (const lesson of lessons) if (!isPlaced(lesson)) unplaced.add(label(lesson))
  for (const lesson of inactive) off.add(label(lesson))
  for (const [name, { all, read }] of constraints) if (all > read) unread.add(name, all - read)
  return [
    ...unplaced.told(
      (total, names) => ({
        zh: `${total}节课在 FET 中没有排，没有导入：${names.zh}`,
        en: `Lessons that FET has not placed, not imported (${total}): ${names.en}`,
      }),
      { lines: 6 },
    ),
    ...off.told((total, names) => ({
      zh: `${total}节课在 FET 中已停用，没有导入：${names.zh}`,
      en: `Lessons that are switched off in FET, not imported (${total}): ${names.en}`,
    })),
    ...unread.told(
      (total, names) => ({
        zh: `${total}个约束未读取：${names.zh}`,
        en: `Constraints not read (${total}): ${names.en}`,
      }),
      { label: constraintWords, lines: 8 },
    ),
  ]
}

const isPlaced = ({ day, hour }: FetLesson): boolean => day !== undefined && hour !== undefined

/** The timetable of a file of FET, or of aSc, as a list of its lessons, one to a row, and below it what is not among them. */
export async function openFet(text: string): Promise<RawBook> {
  if (isAsc(text.slice(0, 4_000))) return openAsc(text)
  const read = readFet(text)
  const { days, hours, lessons } = read
  const placed = lessons.filter(isPlaced)
  if (placed.length === 0)
    throw new FileFault(
      '这个 FET 文件中没有排好的课：请在 FET 中生成课表，再上传生成的 …_data_and_timetable.fet',
      'This FET file holds no placed lesson: generate the timetable in FET, and upload the …_data_and_timetable.fet that it writes',
    )
  if (days.length > 7)
    throw new FileFault(
      `这个 FET 文件有${days.length}天，一周最多7天`,
      `This FET file has ${days.length} days, and a week has 7`,
    )
  const dayOf = numbered(days, weekdayNamed)
  const hourOf = numbered(hours, (name) => periodIn(name)?.no)
  return bookOfLessons(
    placed.flatMap((lesson) =>
      classCells(classesOf(lesson)).map((classes) => ({
        classes,
        subject: lesson.subject,
        teachers: lesson.teachers.join('、'),
        weekday: weekdayCells[(dayOf.get(lesson.day!) ?? 0) - 1] ?? lesson.day!,
        period: String(hourOf.get(lesson.hour!) ?? lesson.hour),
        span: String(lesson.span),
        room: roomOf(lesson.room ?? ''),
      })),
    ),
    notTaken(read),
    {
      zh: '请在 FET 中停用其他学校的课，另存后上传；停用的课不会导入',
      en: 'make the lessons of other schools inactive in FET, save that under another name, and upload it; inactive lessons are not imported',
    },
  )
}
