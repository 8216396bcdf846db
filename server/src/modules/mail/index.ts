import type { Module } from '../module.ts'
import { mailRoutes } from './routes.ts'
import { addMailRules } from './rules.ts'

export { addMailListener, deliverMail, startMail } from './deliver.ts'
export { refuseWithoutService } from './mail-service.ts'
export { askMail, askMails } from './send.ts'

/** Mail: the services that send it, what was asked for, and what became of it. */
export const mailModule: Module = {
  routes: mailRoutes,
  addRules: addMailRules,
  serves: { mail: ['submit'] },
}
