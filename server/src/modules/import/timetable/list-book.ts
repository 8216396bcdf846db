import type { Words } from '@data-brain/contract'
import { readClass } from '@data-brain/contract/import/class-name'
import { noteOf } from '@data-brain/contract/rules/note-words'
import { FileFault, fileShapeOf } from '../file/limits.ts'
import { cellText, type RawBook, type RawRow, sheetOf } from '../file/raw-rows.ts'

/* What a timetable of another program becomes: a list of lessons like any other, and below it what it could not take. */

/** A lesson as the cells of a list say it. */
export interface ListedLesson {
  readonly classes: string
  readonly subject: string
  readonly teachers: string
  readonly weekday: string
  readonly period: string
  readonly span: string
  /** Absent: every week. */
  readonly weeks?: string
  readonly room: string
}

export const weekdayCells = [...'一二三四五六日'].map((day) => `星期${day}`)

const headings = ['班级', '学科', '教师', '星期', '节次', '连堂', '周次', '教室']
/**
 * Who has a lesson, as the cells of its rows: all in one where each is read as a class by its name alone. Others stand in
 * a row each, so that one that is known does not hide one that is not.
 */
export const classCells = (names: readonly string[]): readonly string[] =>
  names.length <= 1 || names.every((name) => readClass(name).length > 0) ? [names.join('、')] : names

/** Characters of one language in one note: a note is kept up to 500, both languages in it. */
const noteMost = 160

/** Things of one sort that were not taken, by name and how many of each. */
export class Tally {
  readonly #counts = new Map<string, number>()
  #total = 0

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count)
    this.#total += count
  }

  /** The names with their counts, most first, in so many lines; of those that have no room, how many there are. */
  #lines(label: (name: string) => Words, most: number): Words[] {
    const lines: { zh: string; en: string }[] = []
    const sorted = [...this.#counts].toSorted((a, b) => b[1] - a[1])
    for (const [at, [name, count]] of sorted.entries()) {
      const told = label(name)
      const one = { zh: `${told.zh.slice(0, 80)} ${count}`, en: `${told.en.slice(0, 80)} ${count}` }
      const line = lines.at(-1)
      if (line && Math.max(line.zh.length + one.zh.length, line.en.length + one.en.length) < noteMost) {
        line.zh += `、${one.zh}`
        line.en += `, ${one.en}`
      } else if (lines.length < most) lines.push(one)
      else {
        const rest = sorted.length - at
        line!.zh += `，另有${rest}种`
        line!.en += `, and ${rest} more`
        break
      }
    }
    return lines
  }

  /** What is said of them, in so many lines; nothing where there are none. */
  told(
    sentence: (total: number, names: Words) => Words,
    {
      label = (name) => ({ zh: name, en: name }),
      lines = 2,
    }: { readonly label?: (name: string) => Words; readonly lines?: number } = {},
  ): readonly Words[] {
    return this.#lines(label, lines).map((names, at) =>
      at === 0 ? sentence(this.#total, names) : { zh: `（续）${names.zh}`, en: `(continued) ${names.en}` },
    )
  }
}

/** Lessons that one file may bring. */
const most = fileShapeOf('classschedule').rows

/**
 * The list as a book of one sheet. What was not taken stands below the lessons, as notes do in the lists of schools. No text
 * editor takes such a file apart: where it holds too many lessons, `fewer` says what the program itself can do about it.
 */
export function bookOfLessons(lessons: readonly ListedLesson[], notes: readonly Words[], fewer: Words): RawBook {
  const count = lessons.length
  if (count > most)
    throw new FileFault(
      `这个文件有${count}节课，一次最多导入${most}节：${fewer.zh}`,
      `This file holds ${count} lessons, and one import takes ${most}: ${fewer.en}`,
    )
  const rows: RawRow[] = [
    { no: 1, cells: headings },
    ...lessons.map((lesson, at) => ({
      no: at + 2,
      cells: [
        ...[lesson.classes, lesson.subject, lesson.teachers, lesson.weekday],
        ...[lesson.period, lesson.span, lesson.weeks ?? '', lesson.room],
      ].map(cellText),
    })),
    ...notes.map((words, at) => ({ no: lessons.length + 2 + at, cells: [noteOf(words)] })),
  ]
  return { format: 'xml', sheets: [sheetOf('课表', false, rows)] }
}
