/*
 * OneRoster 1.2 CSV (binding 1.2.1): the files that are carried, with their exact columns in the required order, and
 * what each column may hold. Extensions stand as `metadata.*` at the far right.
 */

export type FileName =
  | 'academicSessions'
  | 'classes'
  | 'courses'
  | 'demographics'
  | 'enrollments'
  | 'orgs'
  | 'roles'
  | 'users'

export interface Column {
  readonly name: string
  readonly kind: 'guid' | 'guids' | 'text' | 'list' | 'boolean' | 'date' | 'dateTime' | 'year' | 'word'
  readonly required?: boolean
  /** The file whose records a guid names. */
  readonly to?: FileName
  /** The words that the column may hold. */
  readonly words?: readonly string[]
}

const id: Column = { name: 'sourcedId', kind: 'guid', required: true }
// Of a bulk file both stay empty; they tell something only in a delta.
const bookkeeping: Column[] = [
  { name: 'status', kind: 'word', words: ['active', 'tobedeleted'] },
  { name: 'dateLastModified', kind: 'dateTime' },
]
const text = (name: string, required = false): Column => ({ name, kind: 'text', required })
const list = (name: string): Column => ({ name, kind: 'list' })
const guid = (name: string, to: FileName | undefined, required = false): Column => ({
  name,
  kind: 'guid',
  ...(to ? { to } : {}),
  required,
})
const guids = (name: string, to: FileName | undefined, required = false): Column => ({
  name,
  kind: 'guids',
  ...(to ? { to } : {}),
  required,
})
const word = (name: string, words: readonly string[], required = true): Column => ({
  name,
  kind: 'word',
  words,
  required,
})
const date = (name: string, required = false): Column => ({ name, kind: 'date', required })
const boolean = (name: string, required = false): Column => ({ name, kind: 'boolean', required })

export const columns: Readonly<Record<FileName, readonly Column[]>> = {
  academicSessions: [
    id,
    ...bookkeeping,
    text('title', true),
    word('type', ['gradingPeriod', 'semester', 'schoolYear', 'term']),
    date('startDate', true),
    date('endDate', true),
    guid('parentSourcedId', 'academicSessions'),
    { name: 'schoolYear', kind: 'year', required: true },
  ],
  orgs: [
    id,
    ...bookkeeping,
    text('name', true),
    word('type', ['department', 'school', 'district', 'local', 'state', 'national']),
    text('identifier'),
    guid('parentSourcedId', 'orgs'),
  ],
  courses: [
    id,
    ...bookkeeping,
    guid('schoolYearSourcedId', 'academicSessions'),
    text('title', true),
    text('courseCode'),
    list('grades'),
    guid('orgSourcedId', 'orgs', true),
    list('subjects'),
    list('subjectCodes'),
  ],
  classes: [
    id,
    ...bookkeeping,
    text('title', true),
    list('grades'),
    guid('courseSourcedId', 'courses', true),
    text('classCode'),
    word('classType', ['homeroom', 'scheduled']),
    text('location'),
    guid('schoolSourcedId', 'orgs', true),
    guids('termSourcedIds', 'academicSessions', true),
    list('subjects'),
    list('subjectCodes'),
    list('periods'),
  ],
  users: [
    id,
    ...bookkeeping,
    boolean('enabledUser', true),
    text('username', true),
    list('userIds'),
    text('givenName', true),
    text('familyName', true),
    text('middleName'),
    text('identifier'),
    text('email'),
    text('sms'),
    text('phone'),
    guids('agentSourcedIds', 'users'),
    list('grades'),
    text('password'),
    text('userMasterIdentifier'),
    text('preferredGivenName'),
    text('preferredMiddleName'),
    text('preferredFamilyName'),
    guid('primaryOrgSourcedId', 'orgs'),
    text('pronouns'),
  ],
  roles: [
    id,
    ...bookkeeping,
    guid('userSourcedId', 'users', true),
    word('roleType', ['primary', 'secondary']),
    word('role', [
      'aide',
      'counselor',
      'districtAdministrator',
      'guardian',
      'parent',
      'principal',
      'proctor',
      'relative',
      'siteAdministrator',
      'student',
      'systemAdministrator',
      'teacher',
    ]),
    date('beginDate'),
    date('endDate'),
    guid('orgSourcedId', 'orgs', true),
    guid('userProfileSourcedId', undefined),
  ],
  enrollments: [
    id,
    ...bookkeeping,
    guid('classSourcedId', 'classes', true),
    guid('schoolSourcedId', 'orgs', true),
    guid('userSourcedId', 'users', true),
    word('role', ['administrator', 'proctor', 'student', 'teacher']),
    boolean('primary'),
    date('beginDate'),
    date('endDate'),
  ],
  demographics: [
    { ...id, to: 'users' },
    ...bookkeeping,
    date('birthDate'),
    word('sex', ['male', 'female', 'unspecified', 'other'], false),
    ...[
      'americanIndianOrAlaskaNative',
      'asian',
      'blackOrAfricanAmerican',
      'nativeHawaiianOrOtherPacificIslander',
      'white',
      'demographicRaceTwoOrMoreRaces',
      'hispanicOrLatinoEthnicity',
    ].map((name) => boolean(name)),
    text('countryOfBirthCode'),
    text('stateOfBirthAbbreviation'),
    text('cityOfBirth'),
    text('publicSchoolResidenceStatus'),
  ],
}

export const fileNames = Object.keys(columns) as FileName[]

/** The columns that each file may have, the ones that are written first. Version 1.2 had one more in users.csv. */
export const forms: Readonly<Record<FileName, readonly (readonly Column[])[]>> = {
  ...(Object.fromEntries(fileNames.map((name) => [name, [columns[name]]])) as Record<FileName, (readonly Column[])[]>),
  users: [
    columns.users,
    columns.users.flatMap((column) =>
      column.name === 'userMasterIdentifier' ? [column, guids('resourceSourcedIds', undefined)] : [column],
    ),
  ],
}

export const isFileName = (name: string): name is FileName => Object.hasOwn(columns, name)

/** Every file that a manifest speaks of, in its order. */
export const manifestFiles: readonly string[] = [
  'academicSessions',
  'categories',
  'classes',
  'classResources',
  'courses',
  'courseResources',
  'demographics',
  'enrollments',
  'lineItemLearningObjectiveIds',
  'lineItems',
  'lineItemScoreScales',
  'orgs',
  'resources',
  'resultLearningObjectiveIds',
  'results',
  'resultScoreScales',
  'roles',
  'scoreScales',
  'userProfiles',
  'userResources',
  'users',
]

/** GUIDs: these signs, fewer than 256 of them. */
export const isGuid = (value: string): boolean => /^[A-Za-z0-9.\-_/@]{1,255}$/.test(value)

export type Cells = Record<string, string>

/** One record of a file. `line` is where it stands, counted from 1 with the header. */
export interface Line {
  readonly line: number
  readonly cells: Cells
}

export interface Table {
  readonly header: readonly string[]
  readonly lines: readonly Line[]
  /** It came as what has changed; records that it does not name stay as they are. */
  readonly delta?: boolean
}

export type Tables = Partial<Record<FileName, Table>>
