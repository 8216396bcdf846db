import { get } from '../../http/client.ts'

export type HomeKind = 'teacher' | 'office' | 'admin'

export interface Lesson {
  readonly id: string
  readonly periodNo: number
  readonly span: number
  readonly subjectName: string
  readonly className: string | null
  readonly roomName: string | null
  readonly color: string | null
}

export interface Pupil {
  readonly id: string
  readonly name: string
  readonly sex: string
  /** `MM-dd`. */
  readonly birthday: string | null
  readonly noPhone: 0 | 1
  readonly noPhoto: 0 | 1
  readonly noForm: 0 | 1
}

export interface Figure {
  readonly key: string
  readonly code: string
  readonly query: Readonly<Record<string, string>>
  readonly count: number
}

export interface Change {
  readonly id: string
  readonly entityName: string
  readonly rowName: string | null
  readonly action: string
  readonly userName: string | null
  readonly time: string
}

export interface Summary {
  readonly today: string
  readonly term: { readonly name: string; readonly week: number; readonly weeks: number } | null
  readonly kinds: readonly HomeKind[]
  readonly kind: HomeKind | null
  readonly lessons: readonly Lesson[] | null
  readonly teacher: { readonly id: string; readonly name: string; readonly pupils: readonly Pupil[] } | null
  readonly office: {
    readonly figures: readonly Figure[]
    readonly gaps: readonly Figure[]
    readonly grades: readonly { id: string; name: string; boys: number; girls: number; total: number }[]
    readonly schools: readonly { id: string; name: string; total: number }[]
    readonly full: readonly { id: string; name: string; schoolName: string; count: number; maxSize: number }[]
  } | null
  readonly admin: {
    readonly figures: readonly Figure[]
  } | null
  readonly changes: readonly Change[] | null
}

export const readSummary = (kind: HomeKind | undefined, signal: AbortSignal): Promise<Summary> =>
  get<Summary>('blade-desk/home', kind ? { kind } : undefined, { signal, silent: true })

/** What a part of a home is given. */
export interface HomePart {
  readonly summary: Summary
  /** When it was counted. */
  readonly at: number
  /** What stands beside the main part, instead of it. */
  readonly side?: boolean
}
