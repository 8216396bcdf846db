import { school } from '@data-brain/contract'
import { recordMarks } from './carried-entities.ts'
import { isGone } from './delta.ts'
import { gradeOfWord } from './gather.ts'
import { joinName } from './name.ts'
import type { FillContext, WantedRow } from './plan.ts'

/** A record whose row is being looked for. `filled` are the fields that were made up: a row that stands keeps its own. */
export interface UnresolvedRecord extends Pick<WantedRow, 'item' | 'draft'> {
  readonly filled: Set<string>
  /** What somebody has to say of it: when a pupil enrolled, by the grade or as a day. */
  asked?: 'grade' | 'day' | undefined
}

/** Completes a record of another system. What the archive says is never changed. */
export function fill(entity: string, half: UnresolvedRecord, sight: FillContext): void {
  fillers[entity]?.(half, sight)
}

const empty = (value: unknown): boolean => value === null || value === undefined || value === ''
const tidyCode = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 20)
const stagesOfType = school.proposes!.find(({ field }) => field === 'stages')!.as
const classTypeOfStage: Readonly<Record<string, string>> = { '2': '10', '3': '20', '4': '40' }

/** Makes up a field that the archive does not speak of at all; one that it leaves empty stays empty. */
const set = (half: UnresolvedRecord, field: string, make: () => unknown): void => {
  if (half.draft[field] === undefined) invent(half, field, make())
}
/** Makes up a field that must be there. */
const need = (half: UnresolvedRecord, field: string, make: () => unknown): void => {
  if (empty(half.draft[field])) invent(half, field, make())
}
const invent = ({ draft, filled }: UnresolvedRecord, field: string, value: unknown): void => {
  if (value === undefined) return
  draft[field] = value
  filled.add(field)
}
/** Reads a field from where OneRoster itself has it, when our own column is not there. */
const say = ({ draft }: UnresolvedRecord, field: string, make: () => unknown): void => {
  if (draft[field] !== undefined) return
  const value = make()
  if (value !== undefined) draft[field] = value
}

const firstGrade = (cell: string | undefined, sight: FillContext): string | undefined => {
  const code = gradeOfWord[(cell ?? '').split(',')[0]?.trim() ?? '']
  return [...(sight.state.codes.sysgrade ?? [])].find(([, each]) => each === code)?.[0]
}

const onlySchool = (sight: FillContext): string | undefined => {
  const schools = sight.wanted.get('school') ?? []
  return schools.length === 1 ? schools[0]!.id : undefined
}

const nameInto =
  (field: string) =>
  ({ item, draft }: UnresolvedRecord): void => {
    const { givenName = '', middleName = '', familyName = '' } = item.line.cells
    if (!empty(draft[field])) return
    draft[field] = joinName(givenName, middleName, familyName)
  }

const schoolOfUser = (half: UnresolvedRecord, sight: FillContext): void =>
  need(half, 'schoolId', () => {
    const orgs = sight.sorted.orgsOfUser.get(half.item.line.cells.sourcedId!) ?? []
    return orgs.map((org) => sight.idOf('school', org)).find(Boolean)
  })

const mondayOf = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() || 7) - 1) * 86_400_000).toISOString().slice(0, 10)
}
const weeksBetween = (from: string, to: string): number =>
  Math.min(30, Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / (7 * 86_400_000))))

const fillers: Readonly<Record<string, (half: UnresolvedRecord, sight: FillContext) => void>> = {
  school: (half) => {
    set(half, 'schoolType', () => String(half.draft.schoolCode ?? '').slice(0, 2))
    set(half, 'stages', () => stagesOfType[String(half.draft.schoolType)] ?? ['2'])
  },
  schoolcampus: (half) => {
    // Only a campus that was made for a school without one has no name of its own.
    if (half.item.line.cells.name === undefined) {
      set(half, 'campusCode', () => 'main')
      set(half, 'campusName', () => '本部')
      set(half, 'isMain', () => 1)
    }
    need(half, 'campusCode', () => tidyCode(half.item.sourcedId))
  },
  schoolyear: (half, sight) => need(half, 'schoolId', () => onlySchool(sight)),
  schoolsemester: (half, sight) => {
    const { draft, item } = half
    need(half, 'schoolId', () => sight.rowOf('schoolyear', draft.yearId)?.schoolId ?? onlySchool(sight))
    set(half, 'semesterNo', () => {
      const { parentSourcedId: year, startDate } = item.line.cells
      const terms = (sight.sorted.items.get('schoolsemester') ?? []).map((each) => each.line.cells)
      return terms.filter((each) => each.parentSourcedId === year && each.startDate! < startDate!).length + 1
    })
    set(half, 'firstWeekMonday', () => (draft.beginDate ? mondayOf(String(draft.beginDate)) : undefined))
    set(half, 'weekCount', () =>
      draft.endDate ? weeksBetween(String(draft.firstWeekMonday), String(draft.endDate)) : undefined,
    )
  },
  schoolsubject: (half) => {
    set(half, 'shortName', () => [...String(half.draft.subjectName ?? '')].slice(0, 4).join(''))
    set(half, 'category', () => (half.draft.sysSubjectId ? '1' : '3'))
  },
  schoolclass: (half, sight) => {
    const { draft } = half
    const { cells } = half.item.line
    say(half, 'gradeId', () => firstGrade(cells.grades, sight))
    need(half, 'yearId', () => {
      const term = (cells.termSourcedIds ?? '').split(',')[0]!.trim()
      return sight.idOf('schoolyear', term) ?? sight.rowOf('schoolsemester', sight.idOf('schoolsemester', term))?.yearId
    })
    need(half, 'campusId', () => mainCampus(draft.schoolId, sight))
    const grade = sight.state.grades.get(sight.state.codes.sysgrade?.get(String(draft.gradeId)) ?? '')
    set(half, 'classNo', () => {
      const number = /\d+/.exec(cells.classCode ?? '')?.[0] ?? /\((\d+)\)/.exec(cells.title ?? '')?.[1]
      return Number(number) || undefined
    })
    set(half, 'cohortYear', () => {
      const year = sight.rowOf('schoolyear', draft.yearId)?.startYear
      return grade && year ? Number(year) - grade.no + 1 : undefined
    })
    set(half, 'classType', () => classTypeOfStage[grade?.stage ?? ''])
  },
  user: (half, sight) => {
    nameInto('realName')(half)
    const role = sight.sorted.roleOfUser.get(half.item.sourcedId)
    const post = role === 'principal' ? 'principal' : role === 'teacher' ? 'teacher' : undefined
    set(half, 'postId', () => [...(sight.state.codes.post ?? [])].filter(([, code]) => code === post).map(([id]) => id))
  },
  student: (half, sight) => {
    const { item, draft } = half
    nameInto('name')(half)
    schoolOfUser(half, sight)
    need(half, 'studentNo', () => tidyCode(item.line.cells.username ?? ''))
    say(half, 'gradeId', () => firstGrade(item.line.cells.grades, sight))
    const seat = seatsOf(sight).get(item.sourcedId)
    say(half, 'classId', () =>
      seat && isHeld(seat.cells) ? sight.idOf('schoolclass', seat.cells.classSourcedId!) : undefined,
    )
    set(half, 'idType', () => (empty(draft.idNo) ? 'Z' : '1'))
    need(half, 'enrollDate', () => sight.sorted.beganOf.get(item.sourcedId) ?? enrolled(half, sight))
  },
  schoolteachclass: (half, sight) => {
    const { item } = half
    need(half, 'teachClassCode', () => tidyCode(item.sourcedId))
    set(half, 'gradeIds', () => {
      const grade = firstGrade(item.line.cells.grades, sight)
      return grade ? [grade] : undefined
    })
    set(half, 'kind', () => '2')
    set(half, 'weekHours', () => 1)
    set(half, 'teacherId', () =>
      (sight.sorted.teachers.get(item.sourcedId) ?? []).map((id) => sight.idOf('user', id)).find(Boolean),
    )
  },
  studentparents: (half, sight) => {
    const { item, draft } = half
    nameInto('parentName')(half)
    // The row belongs to the child's school, whatever the guardian's own organisation is.
    draft.schoolId = sight.rowOf('student', draft.studentId)?.schoolId ?? draft.schoolId
    if (empty(draft.mobile) && item.line.cells.phone) draft.mobile = item.line.cells.phone
    const sourcedId = item.line.cells.sourcedId!
    const sex = sight.sorted.demographics.get(sourcedId)?.cells.sex
    const isParent = sight.sorted.roleOfUser.get(sourcedId) === 'parent'
    set(half, 'relation', () => (isParent && sex === 'male' ? '51' : isParent && sex === 'female' ? '52' : '97'))
    set(half, 'relationNote', () => (draft.relation === '97' && isParent ? '家长' : undefined))
    set(half, 'contactPriority', () => nextPriority(String(draft.studentId), sight))
  },
  studentclass: (half, sight) => {
    const { draft } = half
    draft.schoolId = sight.rowOf('student', draft.studentId)?.schoolId ?? draft.schoolId
    // Other systems say when a place will end; here it ends when somebody has left.
    if (isStillHeld(half.item.line.cells)) draft.endDate = null
    need(half, 'beginDate', () => {
      const year = sight.rowOf('schoolclass', draft.classId)?.yearId
      return sight.rowOf('schoolyear', year)?.beginDate
    })
  },
  teacherclass: (half, sight) => {
    const { item, draft } = half
    const teaching = sight.rowOf('schoolteachclass', draft.teachClassId)
    set(half, 'subjectId', () => teaching?.subjectId)
    set(half, 'semesterId', () => teaching?.semesterId)
    const semester = sight.rowOf('schoolsemester', draft.semesterId)
    need(half, 'beginDate', () => semester?.beginDate)
    need(half, 'endDate', () => semester?.endDate)
    set(half, 'role', () => (item.line.cells.primary === 'true' ? '1' : '2'))
    set(half, 'weekHours', () => teaching?.weekHours ?? 0)
  },
}

/** Whether a place of another system has an end, and it has not come. */
const isStillHeld = ({ endDate, ...cells }: Readonly<Record<string, string>>): boolean =>
  Boolean(endDate) &&
  (cells['metadata.status'] === undefined || cells[recordMarks.held] === 'true') &&
  endDate! > new Date().toISOString().slice(0, 10)
const isHeld = (cells: Readonly<Record<string, string>>): boolean => !cells.endDate || isStillHeld(cells)

/** Where the archive seats its pupils last. */
const seatMaps = new WeakMap<object, Map<string, { cells: Readonly<Record<string, string>> }>>()
function seatsOf(sight: FillContext): Map<string, { cells: Readonly<Record<string, string>> }> {
  const known = seatMaps.get(sight.sorted)
  if (known) return known
  const made = new Map<string, { cells: Readonly<Record<string, string>> }>()
  for (const { line } of sight.sorted.items.get('studentclass') ?? []) {
    if (isGone(line.cells)) continue
    const id = line.cells.userSourcedId!
    const before = made.get(id)
    if (!before || !isHeld(before.cells) || (line.cells.beginDate ?? '') > (before.cells.beginDate ?? ''))
      made.set(id, line)
  }
  seatMaps.set(sight.sorted, made)
  return made
}

/**
 * The first day of a pupil of whom no archive tells it, as whoever brings it has said. Before it is said, a day that is as
 * good as any, so that everything else can be judged.
 */
function enrolled(half: UnresolvedRecord, sight: FillContext): unknown {
  const { draft } = half
  const yearId = sight.rowOf('schoolclass', draft.classId)?.yearId
  const years = (sight.wanted.get('schoolyear') ?? []).filter((each) => each.draft.schoolId === draft.schoolId)
  const year =
    sight.rowOf('schoolyear', yearId) ??
    years.map((each) => each.draft).sort((a, b) => Number(b.startYear) - Number(a.startYear))[0]
  const grade = sight.state.grades.get(sight.state.codes.sysgrade?.get(String(draft.gradeId)) ?? '')
  const byGrade = grade && year ? `${Number(year.startYear) - grade.no + 1}-09-01` : undefined
  half.asked = byGrade ? 'grade' : 'day'
  return sight.answer === undefined || sight.answer === 'grade' ? (byGrade ?? year?.beginDate) : sight.answer
}

const priorities = new WeakMap<object, Map<string, number>>()
/** Guardians without an order are called in the order in which they stand. */
function nextPriority(studentId: string, sight: FillContext): number {
  const counts = priorities.get(sight.sorted) ?? new Map<string, number>()
  priorities.set(sight.sorted, counts)
  const next = (counts.get(studentId) ?? 0) + 1
  counts.set(studentId, next)
  return next
}

function mainCampus(schoolId: unknown, sight: FillContext): string | undefined {
  const asked = (sight.wanted.get('schoolcampus') ?? []).filter((each) => each.draft.schoolId === schoolId)
  const main = asked.find((each) => each.draft.isMain === 1) ?? asked[0]
  if (main) return main.id
  const kept = [...sight.state.rows.get('schoolcampus').values()].filter((row) => row.values.schoolId === schoolId)
  return (kept.find((row) => row.values.isMain === 1) ?? kept[0])?.id
}
