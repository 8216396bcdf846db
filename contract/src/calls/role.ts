import { defineCall } from '../call.ts'
import { role } from '../entities/system/role.ts'
import { user } from '../entities/system/user.ts'
import { codeOf } from '../entity.ts'
import {
  emptyAnswer,
  idOf,
  idsOf,
  integerValue,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  rowOf,
  tenantValue,
  textValue,
} from '../shape.ts'
import { choiceTree } from './trees.ts'

const of = role.name
// Who fills in a form of a user chooses among them.
const choosers = {
  codes: [codeOf(role, 'view'), ...(['view', 'add', 'edit'] as const).map((verb) => codeOf(user, verb))],
}

export const roleTree = defineCall({
  method: 'GET',
  path: 'blade-system/role/tree',
  of,
  access: choosers,
  summary: { zh: '角色：选择树', en: 'Roles to choose from' },
  input: { tenantId: tenantValue() },
  answer: choiceTree,
})

export const roleTreeOf = defineCall({
  method: 'GET',
  path: 'blade-system/role/tree-by-id',
  of,
  access: choosers,
  summary: { zh: '角色：某角色所在租户的选择树', en: 'Roles of the tenant of a role' },
  input: { roleId: idOf(of, { required: true }) },
  answer: choiceTree,
})

const grant = { codes: ['role_grant'] } as const
/** As `role-tree-keys` told it: where somebody else has changed the grants since, nothing is replaced. Left out, it is. */
const givenStamp = textValue({ max: 64 })
/** What the roles have afterwards, of what the caller may hand on. */
const wish = {
  roleIds: idsOf(of, { required: true }),
  menuIds: idsOf('menu', { max: 5_000 }),
  dataScopeIds: idsOf('datascope', { max: 5_000 }),
  apiScopeIds: idsOf('apiscope', { max: 5_000 }),
} as const

export const grantToRoles = defineCall({
  method: 'POST',
  path: 'blade-system/role/grant',
  of,
  access: grant,
  summary: { zh: '角色：授权', en: 'Grant menus and scopes to roles' },
  as: 'json',
  input: { ...wish, stamp: givenStamp },
  answer: emptyAnswer,
})

const changes = listOf(
  objectOf({ kind: oneOf(['menu', 'dataScope', 'apiScope']), id: textValue(), title: textValue() }),
)

export const previewGrant = defineCall({
  method: 'POST',
  path: 'blade-system/role/grant-preview',
  of,
  access: grant,
  summary: { zh: '角色：授权前预览变化', en: 'What a grant would change, and for how many users' },
  as: 'json',
  input: wish,
  answer: objectOf({
    added: changes,
    removed: changes,
    users: integerValue(),
    roles: listOf(objectOf({ id: idOf(of), roleName: textValue() })),
  }),
})

export const copyRole = defineCall({
  method: 'POST',
  path: 'blade-system/role/copy',
  of,
  access: grant,
  summary: { zh: '角色：复制角色及其权限', en: 'Role: make another that is granted the same' },
  as: 'json',
  input: {
    id: idOf(of, { required: true }),
    roleName: textValue({ required: true, max: 40, label: role.fields.roleName.label }),
  },
  answer: rowOf(role),
})

export const roleUserCounts = defineCall({
  method: 'GET',
  path: 'blade-system/role/user-counts',
  of,
  access: { codes: [codeOf(user, 'view')] },
  summary: { zh: '角色：各角色的用户数', en: 'Roles: how many users have each' },
  // By the role's id; a role that nobody has is left out.
  answer: mapOf(integerValue()),
})
