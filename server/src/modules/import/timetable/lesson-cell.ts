import { readWeeks } from '@data-brain/contract/rules/weeks'

/* What a cell of a timetable says: 数学 王芳, 数学（王芳）, 语文/英语（单/双）, 物理 实验室1 单周. */

/** Which weeks a lesson is of: a key of the dictionary week_type, and the weeks where they are chosen ones. */
export interface LessonWeeks {
  readonly weekType: '0' | '1' | '2' | '3'
  readonly weeks?: readonly number[]
}

/** One lesson of a cell, in the words of the cell; what is not said is absent. */
export interface CellLesson extends LessonWeeks {
  readonly subject: string
  readonly teachers: readonly string[]
  readonly room?: string
}

/** What words a school has: for telling a subject from a teacher and a room. */
export interface LessonWords {
  isSubject(word: string): boolean
  isTeacher(word: string): boolean
  isRoom(word: string): boolean
}

/** The weeks that a word means: 每周, 单, 双周, 1-8周, odd; undefined where it means none. */
export function lessonWeeks(text: string): LessonWeeks | undefined {
  const word = text.normalize('NFKC').replace(/\s/g, '')
  if (/^(每周|全周|全|单双周?|every(week)?|all|0)?$/i.test(word)) return { weekType: '0' }
  if (/^(单周?|奇周?|odd(weeks?)?)$/i.test(word)) return { weekType: '1' }
  if (/^(双周?|偶周?|even(weeks?)?)$/i.test(word)) return { weekType: '2' }
  const weeks = readWeeks(word)
  return weeks && weeks.length > 0 ? { weekType: '3', weeks } : undefined
}

/** A word that says weeks and nothing else: 12 alone may be a room. */
const weeksIn = (word: string): LessonWeeks | undefined =>
  /^(单|双|单周|双周|odd|even)$/i.test(word) || /^第?[\d,、-]+周/.test(word) ? lessonWeeks(word) : undefined

/** 数学王芳 as its subject and what follows; the longest subject wins. */
function splitSubject(word: string, words: LessonWords): [string, string] | undefined {
  for (let at = word.length - 1; at >= 1; at -= 1) {
    const [subject, rest] = [word.slice(0, at), word.slice(at)]
    if (words.isSubject(subject) && (words.isTeacher(rest) || words.isRoom(rest))) return [subject, rest]
  }
  return undefined
}

function lessonIn(part: string, words: LessonWords): CellLesson {
  const [head = '', ...rest] = part.split(/[\s,、;:()[\]+&]+/).filter(Boolean)
  const split = words.isSubject(head) ? undefined : splitSubject(head, words)
  let weeks: LessonWeeks | undefined
  let room: string | undefined
  const teachers: string[] = []
  for (const word of [...(split ? [split[1]] : []), ...rest]) {
    const said = weeksIn(word)
    if (said) weeks = said
    else if (!words.isTeacher(word) && room === undefined && words.isRoom(word)) room = word
    else teachers.push(word)
  }
  return {
    subject: split?.[0] ?? head,
    teachers,
    ...(room === undefined ? {} : { room }),
    ...(weeks ?? { weekType: '0' }),
  }
}

/** Weeks behind a cell, for its two lessons in their order: （单/双）. */
const alternating = /[(\s]*(单|双)周?\s*[/、,|]?\s*(单|双)周?\s*[)]?\s*$/

/**
 * The lessons that a cell holds: one, or two that take turns. Answers `unclear` where it names two and not which of them
 * is of the odd weeks.
 */
export function readLessonCell(text: string, words: LessonWords): readonly CellLesson[] | 'unclear' {
  const plain = text.normalize('NFKC').trim()
  const turns = alternating.exec(plain)
  const isTurns = turns !== null && turns[1] !== turns[2]
  const body = isTurns ? plain.slice(0, turns.index) : plain
  const pieces = body
    .split(/[/|]/)
    .map((piece) => piece.trim())
    .filter(Boolean)
  const begins = (piece: string): boolean => {
    const [head = ''] = piece.split(/[\s,、;:()[\]+&]+/).filter(Boolean)
    return words.isSubject(head) || splitSubject(head, words) !== undefined
  }
  const several = pieces.length > 1 && pieces.every(begins)
  if (!several) return isTurns ? 'unclear' : [lessonIn(body.replaceAll(/[/|]/g, ' '), words)]
  const lessons = pieces.map((piece) => lessonIn(piece, words))
  if (pieces.length === 2 && isTurns)
    return lessons.map((lesson, at) => ({ ...lesson, weekType: turns[at + 1] === '单' ? '1' : '2' }))
  return lessons.every(({ weekType }) => weekType !== '0') ? lessons : 'unclear'
}
