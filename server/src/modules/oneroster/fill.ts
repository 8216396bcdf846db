import type { Values } from '../../entity/check.ts'
import { gradeOfWord } from './gather.ts'
import { joinName } from './name.ts'
import type { Sight, Wanted } from './plan.ts'

type Half = Pick<Wanted, 'item' | 'draft' | 'origins'>

/** What an archive of another system leaves out, made from what it says. A value that is there is never changed. */
export function fill(entity: string, wanted: Half, isNew: boolean, sight: Sight): void {
  fillers[entity]?.(wanted, isNew, sight)
}

const empty = (value: unknown): boolean => value === null || value === undefined || value === ''
const tidyCode = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 20)
const stageOfType: Readonly<Record<string, string>> = { '11': '1', '21': '2', '31': '3', '34': '4' }
const classTypeOfStage: Readonly<Record<string, string>> = { '2': '10', '3': '20', '4': '40' }

/** Sets a field that the archive does not speak of at all; one that it leaves empty stays empty. */
const set = (draft: Values, field: string, make: () => unknown): void => {
  if (draft[field] === undefined) {
    const value = make()
    if (value !== undefined) draft[field] = value
  }
}
/** Sets a field that must be there. */
const need = (draft: Values, field: string, make: () => unknown): void => {
  if (empty(draft[field])) {
    const value = make()
    if (value !== undefined) draft[field] = value
  }
}

const firstGrade = (cell: string | undefined, sight: Sight): string | undefined => {
  const code = gradeOfWord[(cell ?? '').split(',')[0]?.trim() ?? '']
  return [...(sight.state.codes.sysgrade ?? [])].find(([, each]) => each === code)?.[0]
}

const onlySchool = (sight: Sight): string | undefined => {
  const schools = sight.wanted.get('school') ?? []
  return schools.length === 1 ? schools[0]!.id : undefined
}

const nameInto =
  (field: string) =>
  ({ item, draft, origins }: Half): void => {
    const { givenName = '', middleName = '', familyName = '' } = item.line.cells
    if (!empty(draft[field])) return
    draft[field] = joinName(givenName, middleName, familyName)
    origins.set(field, { file: 'users.csv', line: item.line.line, column: 'givenName' })
  }

const schoolOfUser = ({ item, draft, origins }: Half, sight: Sight): void =>
  need(draft, 'schoolId', () => {
    origins.set('schoolId', { file: 'users.csv', line: item.line.line, column: 'primaryOrgSourcedId' })
    const orgs = sight.sorted.orgsOfUser.get(item.line.cells.sourcedId!) ?? []
    return orgs.map((org) => sight.idOf('school', org)).find(Boolean)
  })

const mondayOf = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() || 7) - 1) * 86_400_000).toISOString().slice(0, 10)
}
const weeksBetween = (from: string, to: string): number =>
  Math.min(30, Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / (7 * 86_400_000))))

const fillers: Readonly<Record<string, (wanted: Half, isNew: boolean, sight: Sight) => void>> = {
  school: ({ draft }, isNew) => {
    if (!isNew) return
    set(draft, 'schoolType', () => String(draft.schoolCode ?? '').slice(0, 2))
    set(draft, 'stages', () => [stageOfType[String(draft.schoolType)] ?? '2'])
  },
  schoolcampus: ({ item, draft }) => need(draft, 'campusCode', () => tidyCode(item.sourcedId)),
  schoolyear: ({ draft }, _isNew, sight) => need(draft, 'schoolId', () => onlySchool(sight)),
  schoolsemester: ({ item, draft }, isNew, sight) => {
    need(draft, 'schoolId', () => sight.rowOf('schoolyear', draft.yearId)?.schoolId ?? onlySchool(sight))
    if (!isNew) return
    set(draft, 'semesterNo', () => {
      const siblings = (sight.sorted.items.get('schoolsemester') ?? []).filter(
        (each) => each.line.cells.parentSourcedId === item.line.cells.parentSourcedId,
      )
      return siblings.filter((each) => each.line.cells.startDate! < item.line.cells.startDate!).length + 1
    })
    set(draft, 'firstWeekMonday', () => (draft.beginDate ? mondayOf(String(draft.beginDate)) : undefined))
    set(draft, 'weekCount', () =>
      draft.endDate ? weeksBetween(String(draft.firstWeekMonday), String(draft.endDate)) : undefined,
    )
  },
  schoolsubject: ({ draft }, isNew) => {
    if (!isNew) return
    set(draft, 'shortName', () => [...String(draft.subjectName ?? '')].slice(0, 4).join(''))
    set(draft, 'category', () => (draft.sysSubjectId ? '1' : '3'))
  },
  schoolclass: ({ item, draft }, isNew, sight) => {
    const { cells } = item.line
    need(draft, 'gradeId', () => firstGrade(cells.grades, sight))
    need(draft, 'yearId', () => {
      const term = (cells.termSourcedIds ?? '').split(',')[0]!.trim()
      return sight.idOf('schoolyear', term) ?? sight.rowOf('schoolsemester', sight.idOf('schoolsemester', term))?.yearId
    })
    if (!isNew) return
    need(draft, 'campusId', () => mainCampus(draft.schoolId, sight))
    const grade = sight.state.grades.get(sight.state.codes.sysgrade?.get(String(draft.gradeId)) ?? '')
    set(
      draft,
      'classNo',
      () => Number(/\d+/.exec(cells.classCode ?? '')?.[0] ?? /\((\d+)\)/.exec(cells.title ?? '')?.[1]) || undefined,
    )
    set(draft, 'cohortYear', () => {
      const year = sight.rowOf('schoolyear', draft.yearId)?.startYear
      return grade && year ? Number(year) - grade.no + 1 : undefined
    })
    set(draft, 'classType', () => classTypeOfStage[grade?.stage ?? ''])
  },
  user: (wanted, isNew, sight) => {
    nameInto('realName')(wanted)
    if (!isNew) return
    const role = sight.sorted.roleOfUser.get(wanted.item.sourcedId)
    const post = role === 'principal' ? 'principal' : role === 'teacher' ? 'teacher' : undefined
    set(wanted.draft, 'postId', () =>
      [...(sight.state.codes.post ?? [])].filter(([, code]) => code === post).map(([id]) => id),
    )
  },
  student: (wanted, isNew, sight) => {
    const { item, draft } = wanted
    nameInto('name')(wanted)
    schoolOfUser(wanted, sight)
    need(draft, 'studentNo', () => tidyCode(item.line.cells.username ?? ''))
    set(draft, 'gradeId', () => firstGrade(item.line.cells.grades, sight))
    const seats = (sight.sorted.items.get('studentclass') ?? []).length > 0 ? seatOf(item.sourcedId, sight) : undefined
    set(draft, 'classId', () =>
      seats && !seats.cells.endDate ? sight.idOf('schoolclass', seats.cells.classSourcedId!) : undefined,
    )
    if (!isNew) return
    set(draft, 'idType', () => (empty(draft.idNo) ? 'Z' : '1'))
    set(
      draft,
      'enrollDate',
      () =>
        seats?.cells.beginDate ||
        sight.rowOf('schoolyear', sight.rowOf('schoolclass', draft.classId)?.yearId)?.beginDate,
    )
  },
  schoolteachclass: ({ item, draft }, isNew, sight) => {
    need(draft, 'teachClassCode', () => tidyCode(item.sourcedId))
    if (!isNew) return
    set(draft, 'gradeIds', () => {
      const grade = firstGrade(item.line.cells.grades, sight)
      return grade ? [grade] : undefined
    })
    set(draft, 'kind', () => '2')
    set(draft, 'weekHours', () => 1)
    set(draft, 'teacherId', () =>
      (sight.sorted.teachers.get(item.sourcedId) ?? []).map((id) => sight.idOf('user', id)).find(Boolean),
    )
  },
  studentparents: (wanted, isNew, sight) => {
    const { item, draft } = wanted
    nameInto('parentName')(wanted)
    // The row belongs to the child's school, whatever the guardian's own organisation is.
    draft.schoolId = sight.rowOf('student', draft.studentId)?.schoolId ?? draft.schoolId
    need(draft, 'mobile', () => item.line.cells.phone || undefined)
    if (!isNew) return
    const said = sight.sorted.demographics.get(item.line.cells.sourcedId!)?.cells.sex
    const isParent = sight.sorted.roleOfUser.get(item.line.cells.sourcedId!) === 'parent'
    set(draft, 'relation', () => (isParent && said === 'male' ? '51' : isParent && said === 'female' ? '52' : '97'))
    set(draft, 'relationNote', () => (draft.relation === '97' && isParent ? '家长' : undefined))
    set(draft, 'contactPriority', () => nextPriority(String(draft.studentId), sight))
  },
  studentclass: ({ draft }, _isNew, sight) => {
    draft.schoolId = sight.rowOf('student', draft.studentId)?.schoolId ?? draft.schoolId
    need(
      draft,
      'beginDate',
      () => sight.rowOf('schoolyear', sight.rowOf('schoolclass', draft.classId)?.yearId)?.beginDate,
    )
  },
  teacherclass: ({ item, draft }, isNew, sight) => {
    const teaching = sight.rowOf('schoolteachclass', draft.teachClassId)
    set(draft, 'subjectId', () => teaching?.subjectId)
    set(draft, 'semesterId', () => teaching?.semesterId)
    const semester = sight.rowOf('schoolsemester', draft.semesterId)
    need(draft, 'beginDate', () => semester?.beginDate)
    need(draft, 'endDate', () => semester?.endDate)
    if (!isNew) return
    set(draft, 'role', () => (item.line.cells.primary === 'true' ? '1' : '2'))
    set(draft, 'weekHours', () => teaching?.weekHours ?? 0)
  },
}

/** Where the archive seats a pupil last. */
function seatOf(sourcedId: string, sight: Sight): { cells: Readonly<Record<string, string>> } | undefined {
  return seatsOf(sight).get(sourcedId)
}
const seatMaps = new WeakMap<object, Map<string, { cells: Readonly<Record<string, string>> }>>()
function seatsOf(sight: Sight): Map<string, { cells: Readonly<Record<string, string>> }> {
  const known = seatMaps.get(sight.sorted)
  if (known) return known
  const made = new Map<string, { cells: Readonly<Record<string, string>> }>()
  for (const { line } of sight.sorted.items.get('studentclass') ?? []) {
    const id = line.cells.userSourcedId!
    const before = made.get(id)
    if (!before || before.cells.endDate || (line.cells.beginDate ?? '') > (before.cells.beginDate ?? ''))
      made.set(id, line)
  }
  seatMaps.set(sight.sorted, made)
  return made
}

const priorities = new WeakMap<object, Map<string, number>>()
/** Guardians without an order are called in the order in which they stand. */
function nextPriority(studentId: string, sight: Sight): number {
  const counts = priorities.get(sight.sorted) ?? new Map<string, number>()
  priorities.set(sight.sorted, counts)
  const next = (counts.get(studentId) ?? 0) + 1
  counts.set(studentId, next)
  return next
}

function mainCampus(schoolId: unknown, sight: Sight): string | undefined {
  const asked = (sight.wanted.get('schoolcampus') ?? []).filter((each) => each.draft.schoolId === schoolId)
  const main = asked.find((each) => each.draft.isMain === 1) ?? asked[0]
  if (main) return main.id
  const kept = [...sight.state.rows.get('schoolcampus')!.values()].filter((row) => row.values.schoolId === schoolId)
  return (kept.find((row) => row.values.isMain === 1) ?? kept[0])?.id
}
