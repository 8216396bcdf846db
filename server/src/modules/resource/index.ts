import type { Module } from '../module.ts'
import { attachRoutes } from './attach.ts'
import { addAttachRules } from './attach-rules.ts'

export { freshLink, idOfLink, linkOf } from './sign.ts'

/** Uploaded files. */
export const resource: Module = {
  routes: attachRoutes,
  addRules: addAttachRules,
  serves: { attach: ['remove'] },
}
