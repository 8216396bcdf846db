import type { Session } from '../../session/session.ts'

/** Where a report is changed, or with `new` made. */
export const editorOf = (id: string): string => `/report/edit/${id}`
/** Where a report is run. */
export const resultOf = (id: string): string => `/report/result/${id}`

/** Administrators change every report; others their own. */
const adminRoles: readonly string[] = ['administrator', 'admin']

/** Whether somebody who may change reports may change this one. */
export const isChangedBy = (
  row: { readonly createUser?: unknown } | undefined,
  session: Pick<Session, 'roles' | 'userId'> | null,
): boolean =>
  row !== undefined &&
  session !== null &&
  (session.roles.some((role) => adminRoles.includes(role)) || row.createUser === session.userId)
