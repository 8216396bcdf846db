import { studentmessage } from '@data-brain/contract'
import { sendStudentMessage } from '@data-brain/contract/calls/studentmessage'
import { addRules } from '../../entity/rules.ts'
import { on } from '../../entity/serve-call.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Module } from '../module.ts'
import { hearOfMail, send, states } from './send.ts'

/** Messages to pupils and their families, on their way by mail. */
export const messages: Module = {
  routes: [on(sendStudentMessage, ({ id }, call) => send(id, call))],
  addRules: () => {
    hearOfMail()
    addRules(studentmessage, {
      skippedByUndo: true,
      // What people were written stays what it was.
      beforeSave: async ({ before, values }) => {
        if (before && before.state !== states.open && Object.keys(values).length > 0)
          throw new Problem('rule_broken', {
            reason: { zh: '已发送的消息不能修改', en: 'A message that was sent cannot be changed' },
          })
      },
    })
  },
}
