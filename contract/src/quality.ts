/** What kind of fault a check of the data finds, in the order in which they are shown. */
export const qualityKinds = ['missing', 'wrong', 'contradiction', 'doubtful', 'stale'] as const
export type QualityKind = (typeof qualityKinds)[number]

/** One check: what kind of fault it finds, in whose rows, and the filters of the list that shows the same rows. */
export interface QualityCheck {
  readonly kind: QualityKind
  /** The entity of its findings, by name. */
  readonly entity: string
  /** Filters of the entity’s own list, where these can say it; `@today` stands for the day. */
  readonly query?: Readonly<Record<string, string>>
  /** Entities that the check looks into besides: whoever may not see them is not told. */
  readonly also?: readonly string[]
  /** The parameter that sets its limit. */
  readonly limit?: 'quality.phoneFamilies'
  /** Whether two of its rows that are one can be merged. Accounts are not: what they may do is theirs. */
  readonly merges?: true
}

const enrolled = { status: '1' } as const
const student = 'student'
const studentparents = 'studentparents'
const schoolclass = 'schoolclass'

/** Every check, by its key. The words for each stand in the console’s locales under the same key. */
export const qualityChecks = {
  pupilGuardian: {
    kind: 'missing',
    entity: student,
    query: { ...enrolled, guardians_null: '1' },
    also: [studentparents],
  },
  pupilGuardianship: { kind: 'missing', entity: student, also: [studentparents] },
  pupilEmergency: { kind: 'missing', entity: student, also: [studentparents] },
  pupilIdNo: {
    kind: 'missing',
    entity: student,
    query: { ...enrolled, idNo_null: '1', idType_notequal: 'Z' },
  },
  pupilNational: { kind: 'missing', entity: student, query: { ...enrolled, nationalCode_null: '1' } },
  pupilPhoto: { kind: 'missing', entity: student, query: { ...enrolled, photo_null: '1' } },
  pupilClass: { kind: 'missing', entity: student, query: { ...enrolled, classId_null: '1' } },
  pupilSeat: { kind: 'missing', entity: student, query: { ...enrolled, classId_notnull: '1', seatNo_null: '1' } },
  pupilDetail: { kind: 'missing', entity: student, also: ['studentdetail'] },
  pupilAge: { kind: 'wrong', entity: student },
  pupilEnrol: { kind: 'wrong', entity: student },
  pupilGrade: { kind: 'contradiction', entity: student },
  pupilClassClosed: { kind: 'contradiction', entity: student },
  pupilHistory: { kind: 'contradiction', entity: student, also: ['studentclass'] },
  pupilHistoryHole: { kind: 'contradiction', entity: student, also: ['studentclass'] },
  pupilLeft: { kind: 'contradiction', entity: student, also: ['studentclass'] },
  pupilTwin: { kind: 'doubtful', entity: student, merges: true },
  pupilSex: { kind: 'doubtful', entity: student, query: { ...enrolled, sex_in: '0,9' } },
  pupilIdExpired: { kind: 'stale', entity: student, query: { ...enrolled, idExpire_datelt: '@today' } },
  pupilYear: { kind: 'stale', entity: student },
  parentName: { kind: 'wrong', entity: studentparents, also: [student] },
  parentPickup: {
    kind: 'contradiction',
    entity: studentparents,
    query: { custodyRestricted: '1', canPickup: '1' },
  },
  parentTwin: { kind: 'doubtful', entity: studentparents, merges: true },
  parentPhone: { kind: 'doubtful', entity: studentparents, limit: 'quality.phoneFamilies' },
  detailRegion: { kind: 'wrong', entity: 'studentdetail' },
  staffPhone: { kind: 'missing', entity: 'user', query: { ...enrolled, phone_null: '1' } },
  staffNo: { kind: 'missing', entity: 'user', query: { ...enrolled, staffNo_null: '1' } },
  staffDept: { kind: 'missing', entity: 'user', query: { ...enrolled, deptId_null: '1' } },
  staffHired: { kind: 'wrong', entity: 'user' },
  staffLoad: { kind: 'contradiction', entity: 'user', also: ['teacherclass'] },
  staffTwin: { kind: 'doubtful', entity: 'user' },
  staffLeft: { kind: 'stale', entity: 'user', query: { ...enrolled, leaveDate_datelt: '@today' } },
  classTeacher: { kind: 'missing', entity: schoolclass, query: { ...enrolled, headTeacherId_null: '1' } },
  classRoom: { kind: 'missing', entity: schoolclass, query: { ...enrolled, classroomId_null: '1' } },
  classCap: { kind: 'contradiction', entity: schoolclass },
  classSeats: { kind: 'contradiction', entity: schoolclass },
  classTeacherLeft: { kind: 'contradiction', entity: schoolclass },
  classTeacherTwice: { kind: 'doubtful', entity: schoolclass },
  classEmpty: { kind: 'doubtful', entity: schoolclass },
  classYear: { kind: 'stale', entity: schoolclass },
  roomHome: { kind: 'contradiction', entity: 'schoolclassroom', also: [schoolclass] },
  schoolPrincipal: { kind: 'missing', entity: 'school', query: { ...enrolled, principalId_null: '1' } },
  schoolYear: { kind: 'missing', entity: 'school', also: ['schoolyear'] },
  schoolRegion: { kind: 'wrong', entity: 'school' },
  yearOver: { kind: 'stale', entity: 'schoolyear', query: { isCurrent: '1', endDate_datelt: '@today' } },
  semesterOutside: { kind: 'wrong', entity: 'schoolsemester', also: ['schoolyear'] },
  semesterOverlap: { kind: 'contradiction', entity: 'schoolsemester' },
  semesterOver: { kind: 'stale', entity: 'schoolsemester', query: { isCurrent: '1', endDate_datelt: '@today' } },
  semesterPlan: { kind: 'missing', entity: 'schoolsemester', also: ['timetableplan'] },
  assignmentLeft: { kind: 'contradiction', entity: 'teacherclass' },
  lessonLeft: { kind: 'contradiction', entity: 'classschedule' },
  lessonSeats: { kind: 'contradiction', entity: 'classschedule' },
} as const satisfies Record<string, QualityCheck>

export type QualityKey = keyof typeof qualityChecks
export const qualityKeys = Object.keys(qualityChecks) as [QualityKey, ...QualityKey[]]

/** Whether a text is the key of a check. */
export const isQualityKey = (text: string | undefined): text is QualityKey =>
  text !== undefined && Object.hasOwn(qualityChecks, text)

/** A check by its key, as one type. */
export const qualityCheck = (key: QualityKey): QualityCheck => qualityChecks[key]

/** Most characters of the reason for which a finding is ignored. */
export const reasonMost = 200
/** Findings on a page. */
export const findingsMost = 50

/** The keys that a tenant has switched off, out of the text of its parameter. */
export const keysOff = (text: string): ReadonlySet<string> => new Set(text.split(/[\s,，、;；]+/).filter(Boolean))
