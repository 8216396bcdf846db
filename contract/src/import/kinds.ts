/**
 * Entities whose rows come out of a spreadsheet one by one, by a list of its columns (`entity-forms.ts`): what a cell may
 * hold, and what it refers to, their definitions say.
 */
export const entityFormKinds = ['schoolclass', 'schoolclassroom', 'teacherclass', 'classschedule'] as const
export type EntityFormKind = (typeof entityFormKinds)[number]
