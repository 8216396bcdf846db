import type { Home } from '@data-brain/contract/calls/home'

export type { Figure, HomeKind } from '@data-brain/contract/calls/home'

export type HomeSummary = Home
type Teacher = NonNullable<HomeSummary['teacher']>
type Office = NonNullable<HomeSummary['office']>

export type OwnLesson = NonNullable<HomeSummary['week']>[number]
export type ClassLesson = NonNullable<Teacher['week']>[number]
/** What the two of them have in common. */
export type Lesson = Omit<ClassLesson, 'teacherName'>
export type TaughtClass = NonNullable<HomeSummary['taught']>[number]
export type Pupil = Teacher['pupils'][number]
export type LockedAccount = NonNullable<NonNullable<HomeSummary['admin']>['locked']>[number]
export type Change = NonNullable<HomeSummary['changes']>[number]
export type GradeFigures = Office['grades'][number]
export type FullClass = Office['full'][number]
export type GradeSizes = Office['sizes'][number]
export type ImportLine = NonNullable<Office['imports']>[number]
export type SchoolFigures = NonNullable<HomeSummary['bureau']>['schools'][number]

/** What a part of a home is given. */
export interface HomePart {
  readonly summary: HomeSummary
  /** When it was counted. */
  readonly at: number
  /** Which part: what this role starts, the main one, or what stands beside it. */
  readonly place: 'start' | 'main' | 'side'
  readonly onClass: (classId: string) => void
}
