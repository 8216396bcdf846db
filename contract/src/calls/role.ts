import { defineCall } from '../call.ts'
import { role } from '../entities/system/role.ts'
import { user } from '../entities/system/user.ts'
import { codeOf } from '../entity.ts'
import { tenantValue } from '../shape.ts'
import { choiceTree } from './trees.ts'

export const roleTree = defineCall({
  method: 'GET',
  path: 'blade-system/role/tree',
  of: role.name,
  // Who fills in a form of a user chooses among them.
  access: { codes: [codeOf(role, 'view'), ...(['view', 'add', 'edit'] as const).map((verb) => codeOf(user, verb))] },
  summary: { zh: '角色：选择树', en: 'Roles to choose from' },
  input: { tenantId: tenantValue() },
  answer: choiceTree,
})
