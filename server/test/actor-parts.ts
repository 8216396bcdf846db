import { type Actor, type DataScope, type Role, system } from '../src/kernel/actor.ts'

/* People as the rules read them, made without a database. */

/** A role by what it may do and how it is narrowed. */
export const role = (codes: readonly string[], scopes: readonly DataScope[] = [], admin = false): Role => ({
  id: `r${codes.join()}`,
  name: '角色',
  alias: 'r',
  admin,
  codes: new Set(codes),
  scopes,
})

/** User 7 of department 70, with these roles. */
export const actor = (...roles: Role[]): Actor => ({
  ...system('x', '000001'),
  kind: 'user',
  userId: '7',
  deptIds: ['70'],
  codes: new Set(roles.flatMap((each) => [...each.codes])),
  roles,
})
