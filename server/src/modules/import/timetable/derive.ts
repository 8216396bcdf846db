import { namesSubject } from '@data-brain/contract/import/entity-forms'
import { foldHeading } from '@data-brain/contract/import/form'
import { weeksText } from '@data-brain/contract/rules/weeks'
import { flagWords, foldWord } from '../batch/lookups.ts'
import { findNamed, findUser } from '../entity/directory.ts'
import type { Item, RowReader } from '../entity/items.ts'
import { type Place, teachingOf } from '../entity/place-taught.ts'
import { periodIn, weekdayIn } from './grid-words.ts'
import { type CellLesson, type LessonWeeks, type LessonWords, lessonWeeks, readLessonCell } from './lesson-cell.ts'
import { assignedKey } from './lessons-known.ts'
import { similarNames } from './similar-names.ts'

/*
 * What a row of a timetable becomes: a lesson of a class on a weekday, or two that take turns by weeks. All of a file go
 * into one new draft plan of its semester.
 */

const keyOf = (field: string): string => `classschedule.${field}`
export const lessonKey = 'ref.lesson'
const spanKey = keyOf('span')

const missing = { zh: '不能为空', en: 'is required' }
const roomLabel = { zh: '教室', en: 'Classroom' }

/** What a cell says of subjects, teachers and rooms, by what the school has. */
function wordsOf({ reading: { directory } }: RowReader): LessonWords {
  const { subjects, more, rooms } = directory
  return {
    isSubject: (word) =>
      subjects.find(word).length > 0 || more.find(word).length > 0 || namesSubject(foldHeading(word)),
    isTeacher: (word) => {
      const meant = findUser(directory, word)
      return 'entries' in meant || meant.among !== undefined
    },
    isRoom: (word) => rooms.find(word).length > 0,
  }
}

/** The one teacher whom a word means; of an unknown one, names that are near are told. */
function teacherOf(reader: RowReader, key: string, word: string): string | undefined {
  const { directory } = reader.reading
  const meant = findUser(directory, word)
  if ('entries' in meant) return meant.entries[0]?.id
  const near = meant.among
    ? []
    : similarNames(
        word,
        directory.users.entries.map(({ title }) => title),
      )
  if (near.length === 0) reader.entries(key, meant)
  else
    reader.add(key, {
      zh: `没有这名教师，姓名相近的有：${near.join('、')}`,
      en: `names a teacher who is nobody here; near to it: ${near.join(', ')}`,
    })
  return undefined
}

/** The subject that a word means; of an unknown one, those that are near are told. */
function subjectOf(reader: RowReader, key: string, word: string): string | undefined {
  const { subjects, more } = reader.reading.directory
  const isKnown = subjects.find(word).length + more.find(word).length > 0 || namesSubject(foldHeading(word))
  const near = isKnown
    ? []
    : similarNames(
        word,
        subjects.entries.map(({ title }) => title),
      )
  if (near.length === 0) return reader.subject(key, word)[0]?.id
  reader.add(key, {
    zh: `没有这个学科，名称相近的有：${near.join('、')}`,
    en: `names a subject that the school does not have; near to it: ${near.join(', ')}`,
  })
  return undefined
}

function placesOf(reader: RowReader): readonly Place[] {
  const key = keyOf('classId')
  const text = reader.texts.get(key) ?? ''
  if (text === '') {
    reader.add(key, missing)
    return []
  }
  const groups = teachingOf(reader, text)
  return groups.length > 0 ? groups : reader.classes(key, text, true)
}

/** When a row is: its weekday, first period, and how many periods in a row. */
function slotOf(reader: RowReader): { weekday: string; periodNo: number; span: number } | undefined {
  const [dayKey, noKey] = [keyOf('weekday'), keyOf('periodNo')]
  const text = (key: string): string => reader.texts.get(key) ?? ''
  const weekday = weekdayIn(text(dayKey), true)
  if (weekday === undefined)
    reader.add(
      dayKey,
      text(dayKey) ? { zh: '不是星期，应形如星期一', en: 'is no weekday: write it as Monday' } : missing,
    )
  const named = reader.reading.lessons?.periods.get(foldWord(text(noKey)))
  const period = named === undefined ? periodIn(text(noKey)) : { no: named, span: 1 }
  if (!period)
    reader.add(
      noKey,
      text(noKey) ? { zh: '不是节次，也不是作息时间中的名称', en: 'is no period, nor the name of one' } : missing,
    )
  const said = text(spanKey)
    .normalize('NFKC')
    .replace(/[节课连]/g, '')
  const flag = flagWords.get(foldWord(said))
  const span = said === '' ? period?.span : /^[1-4]$/.test(said) ? Number(said) : flag === undefined ? 0 : flag + 1
  if (span === 0) reader.add(spanKey, { zh: '应为1到4的节数', en: 'must be a number of periods from 1 to 4' })
  return weekday === undefined || !period || !span ? undefined : { weekday: String(weekday), periodNo: period.no, span }
}

/** What the columns of a list say of a lesson, over what its cell says. */
function lessonsOf(reader: RowReader): readonly (CellLesson & { readonly key: string })[] {
  const text = (key: string): string => reader.texts.get(key) ?? ''
  const [subjectKey, weeksKey] = [keyOf('subjectId'), keyOf('weekType')]
  const cell = text(lessonKey) || text(subjectKey)
  const key = text(lessonKey) ? lessonKey : subjectKey
  if (cell === '') {
    reader.add(key, missing)
    return []
  }
  // A choice among several stands for the subject as it is.
  const chosen = /^=\d+$/.test(cell)
  const found = chosen
    ? [{ subject: cell, teachers: [], weekType: '0' as const }]
    : readLessonCell(cell, wordsOf(reader))
  if (found === 'unclear') {
    reader.add(key, {
      zh: '看不出哪一门是单周、哪一门是双周，应形如“语文/英语（单/双）”',
      en: 'does not say which of the two is of the odd weeks: write it as 语文/英语（单/双）',
    })
    return []
  }
  const weeks: LessonWeeks | undefined = text(weeksKey) ? lessonWeeks(text(weeksKey)) : undefined
  if (text(weeksKey) && !weeks)
    reader.add(weeksKey, {
      zh: '不是周次，应形如：每周、单周、双周、1-8周',
      en: 'says no weeks: write every week, odd, even or 1-8',
    })
  const lessons = found.map((lesson) => ({ ...lesson, ...weeks, key }))
  const { weekCount = Number.POSITIVE_INFINITY } = reader.reading.lessons ?? {}
  const beyond = lessons.flatMap((lesson) => lesson.weeks ?? []).filter((week) => week > weekCount)
  if (beyond.length > 0)
    reader.add(text(weeksKey) ? weeksKey : key, {
      zh: `第${weeksText(beyond)}周超出学期（共${weekCount}周）`,
      en: `names weeks beyond the term of ${weekCount}: ${weeksText(beyond)}`,
    })
  return lessons
}

/** Reads a row of a timetable. Whoever is assigned gives the lesson where the row names no teacher. */
export function deriveLessons(reader: RowReader): readonly Item[] {
  const { reading } = reader
  const { directory, lessons: known } = reading
  const [teacherKey, roomKey] = [keyOf('teacherId'), keyOf('classroomId')]
  const places = placesOf(reader)
  const slot = slotOf(reader)
  const remark = reader.texts.get(keyOf('remark'))
  const items: Item[] = []
  for (const { key, subject, teachers, room, weekType, weeks } of lessonsOf(reader)) {
    const subjectId = subjectOf(reader, key, subject)
    const ownTeacher = reader.texts.get(teacherKey)
    const named = ownTeacher ? ownTeacher.split(/[、,，;；/\n]+/).filter(Boolean) : teachers
    const namedAt = ownTeacher ? teacherKey : key
    if (named.length > 1) reader.add(namedAt, { zh: '一节课只能有一名教师', en: 'must name one teacher for a lesson' })
    const teacherId = named[0] ? teacherOf(reader, namedAt, named[0]) : undefined
    const ownRoom = reader.texts.get(roomKey)
    const roomText = ownRoom ?? room
    const [found] = roomText
      ? reader.entries(ownRoom ? roomKey : key, findNamed(directory.rooms, roomText, roomLabel))
      : []
    for (const place of places) {
      const assigned = subjectId ? known?.assigned.get(assignedKey(place.id, subjectId)) : undefined
      if (!named[0] && subjectId && !assigned)
        reader.add(key, {
          zh: '没有写教师，该班该学科也没有任课关系：请补上教师，或先导入任课关系',
          en: 'names no teacher, and nobody is assigned to the subject in this class: name one, or import the assignments first',
        })
      if (!slot || !subjectId) continue
      const userId = named[0] ? teacherId : assigned
      if (!userId) continue
      items.push({
        grade: place.grade,
        draft: {
          ...{ semesterId: directory.semester?.id, planId: planOf(reader) },
          [place.grade ? 'classId' : 'teachClassId']: place.id,
          ...{ subjectId, teacherId: userId, ...slot, weekType },
          ...(weeks ? { weeks } : {}),
          ...(found ? { classroomId: found.id } : {}),
          ...(remark ? { remark } : {}),
        },
      })
    }
  }
  return items
}

/** The draft plan into which all rows of the file go, made with them. */
function planOf({ reading }: RowReader): string {
  const { directory, lessons, makes } = reading
  const base = '导入的课表'
  let planName = base
  for (let n = 2; lessons?.planNames.has(planName); n += 1) planName = `${base} ${n}`
  return makes.of('plan', () => ({
    entity: 'timetableplan',
    name: planName,
    draft: { schoolId: directory.schoolId, semesterId: directory.semester?.id, planName },
  })).id
}
