import type { Module } from '../module.ts'
import { smsRoutes } from './routes.ts'
import { addSmsRules } from './rules.ts'

export { deliverDue, startSms } from './deliver.ts'
export { sendMany, sendSms, sentAll } from './send.ts'
export { chosenWay } from './sms-channel.ts'

/** Text messages: the services that send them, what was asked for, and what became of it. */
export const smsModule: Module = {
  routes: smsRoutes,
  addRules: addSmsRules,
  serves: { sms: ['submit'] },
}
