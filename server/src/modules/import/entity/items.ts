import type { Words } from '@data-brain/contract'
import { gradeWithin, isClassHeading, readClass } from '@data-brain/contract/import/class-name'
import type { EntityForm } from '@data-brain/contract/import/entity-form'
import { namesSubject, subjectInHeading } from '@data-brain/contract/import/entity-forms'
import { foldHeading } from '@data-brain/contract/import/form'
import type { DayOrder } from '@data-brain/contract/rules/day'
import { newId } from '../../../database/id.ts'
import type { Values } from '../../../entity/check.ts'
import type { Model, ModelField } from '../../../entity/model.ts'
import { type ImportAnswers, wordOf } from '../batch/answers.ts'
import type { StoredRow } from '../batch/batch.ts'
import { readCell } from '../batch/cell.ts'
import { saysNothing, tidyName } from '../batch/cell-words.ts'
import { flagWords, foldWord, type GradeOf } from '../batch/lookups.ts'
import { hiddenRow } from '../batch/read-row.ts'
import { type Fault, leftOut, type RowNote } from '../batch/row.ts'
import { type ClassMade, gradesMeant, placeOf } from '../student/class-placement.ts'
import type { LessonsKnown } from '../timetable/lessons-known.ts'
import { type CellMeaning, type Directory, findNamed, findUser, usualSubject } from './directory.ts'
import type { Entry } from './name-index.ts'

/** A row of another entity that is made because rows of the file need it. */
export interface PendingRow {
  readonly id: string
  readonly entity: 'schoolfloor' | 'schoolsubject' | 'timetableplan'
  readonly name: string
  readonly draft: Values
}

/** What is made beside the rows, each once. */
export class PendingRows {
  readonly all = new Map<string, PendingRow>()
  readonly #used = new Set<string>()
  /** Says that a row which will be stored needs what its draft points at. */
  use(draft: Values): void {
    for (const value of Object.values(draft)) if (typeof value === 'string') this.#used.add(value)
  }
  /** What rows that will be stored need. */
  get needed(): PendingRow[] {
    return [...this.all.values()].filter(({ id }) => this.#used.has(id))
  }
  /** The id that it will have. */
  of(key: string, make: () => Omit<PendingRow, 'id'>): PendingRow {
    const made = this.all.get(key) ?? { id: newId(), ...make() }
    this.all.set(key, made)
    return made
  }
}

/** What a judge of an entity's rows needs besides the rows. */
export interface Reading {
  readonly form: EntityForm
  readonly model: Model
  readonly directory: Directory
  readonly answers: ImportAnswers
  readonly makes: PendingRows
  /** Of the forms of timetables alone. */
  readonly lessons: LessonsKnown | undefined
  readonly yearId: string | undefined
  /** A code for a building, and for a room, whose file says none: the same for the same name. */
  buildingCode(campusId: string, name: string): string
  roomCode(name: string): string
  readonly columns: readonly {
    readonly at: number
    readonly key: string
    readonly heading: string
    readonly order: DayOrder | undefined
  }[]
}

/** What one row of the file becomes: one row of the entity, or several. */
export interface Item {
  readonly draft: Values
  /** Grade of the class that the item is about, where one is. */
  readonly grade?: string | undefined
}

/** The teacher whom a row puts at the head of a class, and the column that says so. */
export interface Head {
  readonly classId: string
  readonly userId: string
}
export const headKey = 'ref.head'

const gradeEntry = ({ id, name }: GradeOf): Entry => ({ id, title: name, beside: '' })

/** The cells of a row as they are being read. */
export class RowReader {
  readonly draft: Values = {}
  readonly faults: Fault[] = []
  readonly notes: RowNote[] = []
  readonly among = new Map<string, readonly Entry[]>()
  readonly texts = new Map<string, string>()
  readonly heads: Head[] = []
  readonly reading: Reading
  grades: readonly GradeOf[] | undefined

  constructor(reading: Reading) {
    this.reading = reading
  }

  add(key: string, words: Words, make?: ClassMade): void {
    if (!this.faults.some((fault) => fault.key === key))
      this.faults.push({ key, zh: words.zh, en: words.en, ...(make ? { make } : {}) })
  }

  /** The entries that a cell means; faults are told at its column. */
  entries(key: string, meant: CellMeaning): readonly Entry[] {
    if ('entries' in meant) return meant.entries
    this.add(key, meant.fault)
    if (meant.among) this.among.set(key, meant.among)
    return []
  }

  user(key: string, text: string, staffNo?: string): readonly Entry[] {
    return this.entries(key, findUser(this.reading.directory, text, staffNo))
  }

  subject(key: string, text: string): readonly Entry[] {
    const { directory, makes } = this.reading
    const meant = findNamed(directory.subjects, text, { zh: '学科', en: 'Subject' })
    if ('entries' in meant) return meant.entries
    const [more] = directory.more.find(text)
    if (!more) {
      // What schools call their own courses is made with the batch; any other word is asked about.
      if (!namesSubject(foldHeading(text)) || 'among' in meant) return this.entries(key, meant)
      const name = usualSubject(text)
      const own = makes.of(`subject|${foldWord(name)}`, () => ({
        entity: 'schoolsubject',
        name,
        draft: { schoolId: directory.schoolId, subjectName: name, shortName: name.slice(0, 4), category: '3' },
      }))
      return [{ id: own.id, title: name, beside: '' }]
    }
    const draft = directory.subjectDrafts.get(more.id) ?? {}
    const made = makes.of(`subject|${more.id}`, () => ({ entity: 'schoolsubject', name: more.title, draft }))
    return [{ id: made.id, title: more.title, beside: '' }]
  }

  /** The classes that a cell names: 三（1）班、三（2）班, 三1、2班, 1-3班 beside a grade. */
  classes(key: string, text: string, several: boolean): readonly (Entry & { readonly grade: string })[] {
    const { places } = this.reading.directory
    const chosen = /^=(\d+)$/.exec(text)?.[1]
    const known = places.classes.find(({ id }) => id === chosen)
    if (known) return [{ id: known.id, title: known.name, beside: '', grade: known.gradeId }]
    const pieces = several ? piecesOf(text, this.grades !== undefined) : [text]
    let grades = this.grades
    const found: (Entry & { grade: string })[] = []
    for (const piece of pieces) {
      const named = readClass(piece)[0]?.grade !== undefined
      const placed = placeOf(piece, named ? this.grades : grades, places)
      if (!('place' in placed)) {
        this.add(key, placed.fault, placed.make)
        return []
      }
      const { id, name, gradeId } = placed.place
      grades = places.offered.filter((grade) => grade.id === gradeId)
      if (!found.some((each) => each.id === id)) found.push({ id, title: name, beside: '', grade: gradeId })
    }
    return found
  }

  /** The rows that a cell of a reference names; several where the field takes several. */
  referred(key: string, text: string, { to = '', kind, label }: ModelField): readonly Entry[] {
    const { campuses, rooms, referred } = this.reading.directory
    const several = kind === 'references'
    if (to === 'schoolclass') return this.classes(key, text, several)
    const named = to === 'schoolcampus' ? campuses : to === 'schoolclassroom' ? rooms : referred.get(to)
    return (several ? text.split(/[、,，;；/\n]+/) : [text])
      .map((each) => each.trim())
      .filter(Boolean)
      .flatMap((each) => {
        if (to === 'user') return this.user(key, each)
        if (to === 'schoolsubject') return this.subject(key, each)
        if (to === 'sysgrade') return gradesMeant(each, this.reading.directory.places).map(gradeEntry)
        return named ? this.entries(key, findNamed(named, each, label)) : []
      })
  }

  /** Reads a cell that is no reference into the draft. */
  value(key: string, text: string, field: ModelField, order: DayOrder | undefined): void {
    const cell = readCell(
      field.rule === 'personName' ? tidyName(text) : text,
      undefined,
      field,
      this.reading.directory,
      order,
    )
    if ('fault' in cell) this.add(key, cell.fault)
    else this.draft[field.name] ??= cell.value
  }
}

/** The classes that a list of them names, each by itself; `graded`: a column beside it says the grade. */
export function piecesOf(text: string, graded: boolean): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/\)\s*\(/g, ')、(')
    .replace(/班(?=[^、,;/\s])/g, '班、')
  const range = /^(.*?)\(?(\d{1,2})\)?班?\s*[-~—–至到]\s*(?:\1)?\(?(\d{1,2})\)?\s*班?$/.exec(plain)
  // 1-3班 alone is the third class of the first grade; behind a grade it is three classes.
  if (range && (range[1] ? /年级$|[一二三四五六七八九高初]$/.test(range[1]) : graded)) {
    const [, before = '', from, to] = range
    const all = Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_each, at) => Number(from) + at)
    if (all.length > 1 && all.length <= 40) return all.map((no) => `${before}${no}班`)
  }
  const pieces = plain
    .split(/[、,;/\n和&+]+|\s+/)
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== '班')
  return pieces.length > 1 && pieces.every((piece) => readClass(piece).length > 0) ? pieces : [text]
}

/** The people that a cell names, with the hours that stand beside them: 张三/李四, 张三(5), 王老师 6节. */
export const namesOf = (text: string): { name: string; hours?: number }[] => {
  const plain = text.normalize('NFKC').trim()
  if (/^=\d+$/.test(plain)) return [{ name: plain }]
  return plain
    .split(/[、,;/\n&+]+/)
    .flatMap((each) => {
      const pieces = each.trim().split(/\s+/)
      // A blank stands between two people, or within one name that is padded with it.
      const areNames = pieces.every((piece) => /^\p{Script=Han}{2,}/u.test(piece))
      return areNames ? pieces : [each.replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')]
    })
    .map((each) => each.trim())
    .filter(Boolean)
    .map((each) => {
      const [, name, hours] = /^(.*[^\d\s(])\s*\(?(\d{1,2})\s*(?:节|课时)?\)?$/u.exec(each) ?? []
      return name && /\p{Script=Han}$/u.test(name) ? { name, hours: Number(hours) } : { name: each }
    })
}

/** Reads what all cells of a row say, as texts by column of the form; faults of cells that cannot be trusted. */
export function readTexts(row: StoredRow, reader: RowReader): void {
  const { columns, answers, model, directory } = reader.reading
  if (row.kept.hidden && answers.hidden !== 'take')
    reader.add(hiddenRow.key, answers.hidden === 'leave' ? leftOut : hiddenRow)
  const saidIn = (key: string): string | undefined =>
    row.kept.cells[columns.find((column) => column.key === key)?.at ?? -1] ?? answers.fixed[key]
  const take = (key: string, text: string): void => {
    const field = model.byName.get(key.split('.')[1] ?? '')
    const isValue =
      field?.kind === 'choice'
        ? directory.choices.get(field.dict ?? '')?.has(foldWord(text))
        : field?.kind === 'flag' && (flagWords.has(text) || flagWords.has(foldWord(text)))
    if (text === '' || (saysNothing(text) && !isValue)) return
    const word = wordOf(key, text, saidIn)
    if (answers.leavesOut(key, word)) {
      reader.add(key, leftOut)
      return
    }
    const learned = answers.learned(key, word)
    if (learned !== undefined) reader.notes.push({ kind: 'learned', key, word: learned })
    const said = answers.instead(key, word) ?? text
    if (said !== '') reader.texts.set(key, said)
  }
  for (const { at, key } of columns) {
    const mark = row.kept.marks?.[at]
    if (key.startsWith('ignored.')) continue
    if (mark && mark !== 'rounded') reader.add(key, readMark(mark))
    else take(key, (row.kept.cells[at] ?? '').trim())
  }
  for (const [key, text] of Object.entries(answers.fixed))
    if (!columns.some((column) => column.key === key) && text.trim() !== '') take(key, text.trim())
}

const readMark = (mark: 'formula' | 'error'): Words => {
  const cell = readCell('', mark, { kind: 'text' } as ModelField, {
    choices: new Map(),
    offers: new Map(),
    keys: new Map(),
  })
  return 'fault' in cell ? cell.fault : { zh: '', en: '' }
}

/** The grades that a cell of grades, or a title, means. */
export function readGrades(reader: RowReader, key: string): void {
  const text = reader.texts.get(key)
  if (!text) return
  const { places } = reader.reading.directory
  const meant = [text, gradeWithin(text) ?? '']
    .map((each) => (each ? gradesMeant(each, places) : []))
    .find((each) => each.length > 0)
  if (meant) reader.grades = meant
  else reader.add(key, { zh: '没有这个年级', en: 'is no grade of the school' })
}

/** What a heading says of the cells below it: a subject, or a class. */
export const headingOf = (heading: string): { readonly subject?: string; readonly className?: string } =>
  isClassHeading(heading) ? { className: heading } : { subject: subjectInHeading(heading) }
