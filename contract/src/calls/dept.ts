import { defineCall } from '../call.ts'
import { dept } from '../entities/system/dept.ts'
import { codeOf } from '../entity.ts'
import { emptyAnswer, tenantValue, textValue } from '../shape.ts'
import { choiceLevel, choiceTree, moveInput } from './trees.ts'

export const deptTree = defineCall({
  method: 'GET',
  path: 'blade-system/dept/tree',
  of: dept.name,
  access: 'session',
  summary: { zh: '部门：选择树', en: 'Departments to choose from' },
  input: { tenantId: tenantValue() },
  answer: choiceTree,
})

export const deptLazyTree = defineCall({
  method: 'GET',
  path: 'blade-system/dept/lazy-tree',
  of: dept.name,
  access: 'session',
  summary: { zh: '部门：逐级选择', en: 'Departments to choose from, level by level' },
  input: { parentId: textValue({ max: 19 }) },
  answer: choiceLevel,
})

export const moveDept = defineCall({
  method: 'POST',
  path: 'blade-system/dept/move',
  of: dept.name,
  access: { codes: [codeOf(dept, 'edit')] },
  summary: { zh: '部门：移动和排序', en: 'Department: move among its siblings' },
  as: 'json',
  input: moveInput(dept.name),
  answer: emptyAnswer,
})
