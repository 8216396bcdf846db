import { get } from '../../http/client.ts'

export type HomeKind = 'teacher' | 'office' | 'bureau' | 'admin'

/** A lesson of the week that it is. */
export interface Lesson {
  /** 1 is Monday. */
  readonly day: number
  readonly periodNo: number
  readonly span: number
  readonly subjectName: string
  readonly color: string | null
}

/** One that the person gives. */
export interface OwnLesson extends Lesson {
  readonly id: string
  readonly className: string | null
  readonly roomName: string | null
}

/** One of the person's class. */
export interface ClassLesson extends Lesson {
  readonly teacherName: string | null
}

/** A class, or a teaching group, that the person teaches. */
export interface Taught {
  readonly id: string
  readonly grouped: 0 | 1
  readonly name: string
  readonly subjects: string
  readonly hours: number
}

export interface Pupil {
  readonly id: string
  readonly name: string
  readonly sex: string
  /** `MM-dd`. */
  readonly birthday: string | null
  /** 1: no parent is on file, as far as the reader may know. */
  readonly alone: 0 | 1
}

export interface Figure {
  readonly key: string
  readonly code: string
  readonly query: Readonly<Record<string, string>>
  readonly count: number
}

export interface LockedAccount {
  readonly id: string
  readonly name: string
  readonly account: string
  readonly minutes: number
}

export interface Change {
  readonly id: string
  readonly entity: string
  readonly entityName: string
  readonly rowId: string
  readonly rowName: string | null
  readonly action: string
  readonly userName: string | null
  readonly time: string
}

export interface GradeFigures {
  readonly id: string
  readonly name: string
  readonly boys: number
  readonly girls: number
  readonly total: number
}

export interface FullClass {
  readonly id: string
  readonly name: string
  readonly schoolName: string
  readonly count: number
  readonly maxSize: number
}

/** The classes of a grade, each with its pupils and the most that it may have. */
export interface GradeSizes {
  readonly id: string
  readonly name: string
  readonly classes: readonly { id: string; name: string; no: number; count: number; maxSize: number }[]
}

/** An import of students. */
export interface ImportLine {
  readonly id: string
  readonly fileName: string
  readonly state: string
  readonly userName: string | null
  readonly time: string
  readonly added: number
  readonly updated: number
  readonly bad: number
}

export interface SchoolFigures {
  readonly id: string
  readonly name: string
  readonly semesterName: string | null
  readonly semesterEnd: string | null
  readonly overdue: 0 | 1
  readonly pupils: number
  readonly noClass: number
  readonly noPhoto: number
  readonly classes?: number
  readonly noTeacher?: number
}

export interface Summary {
  readonly today: string
  readonly term: { readonly name: string; readonly week: number; readonly weeks: number } | null
  readonly kinds: readonly HomeKind[]
  readonly kind: HomeKind | null
  readonly week: readonly OwnLesson[] | null
  /** What somebody teaches who has no home of another kind. */
  readonly taught: readonly Taught[] | null
  readonly teacher: {
    readonly id: string
    readonly name: string
    /** All classes that the person heads or helps to head. */
    readonly classes: readonly { readonly id: string; readonly name: string }[]
    readonly pupils: readonly Pupil[]
    readonly gaps: readonly Figure[]
    readonly week: readonly ClassLesson[] | null
  } | null
  readonly office: {
    readonly figures: readonly Figure[]
    readonly gaps: readonly Figure[]
    readonly grades: readonly GradeFigures[]
    readonly schools: readonly { id: string; name: string; total: number }[]
    /** Of several schools. */
    readonly full: readonly FullClass[]
    /** Of an only school. */
    readonly sizes: readonly GradeSizes[]
    readonly imports: readonly ImportLine[] | null
  } | null
  readonly bureau: {
    readonly figures: readonly Figure[]
    readonly gaps: readonly Figure[]
    readonly grades: readonly GradeFigures[]
    readonly full: readonly FullClass[]
    /** Whether the reader may open the list of semesters. */
    readonly semesters: boolean
    readonly schools: readonly SchoolFigures[]
    readonly notices: readonly { id: string; title: string; read: number; unread: number }[] | null
  } | null
  readonly admin: {
    readonly figures: readonly Figure[]
    /** Accounts that cannot log in at present; null for who may not see accounts. */
    readonly locked: readonly LockedAccount[] | null
    /** Of the last days, oldest first. */
    readonly signIns: readonly { readonly day: string; readonly good: number; readonly failed: number }[] | null
  } | null
  readonly changes: readonly Change[] | null
}

/** Which home is asked for: a kind of work and, for a class teacher of several, a class. */
export interface Asked {
  readonly kind?: HomeKind | undefined
  readonly classId?: string | undefined
}

export const readSummary = ({ kind, classId }: Asked, signal: AbortSignal): Promise<Summary> =>
  get<Summary>('blade-desk/home', { ...(kind && { kind }), ...(classId && { classId }) }, { signal, silent: true })

/** What a part of a home is given. */
export interface HomePart {
  readonly summary: Summary
  /** When it was counted. */
  readonly at: number
  /** Which part: what this role starts, the main one, or what stands beside it. */
  readonly place: 'start' | 'main' | 'side'
  readonly onClass: (classId: string) => void
}
