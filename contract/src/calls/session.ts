import { defineCall } from '../call.ts'
import { user } from '../entities/system/user.ts'
import { emptyAnswer, flagValue, idOf, idsOf, instantValue, objectOf, pageOf, textValue } from '../shape.ts'
import { paging } from './paging.ts'

const of = 'session'

export const sessionFilters = { account: textValue({ max: 45 }), realName: textValue({ max: 50 }) } as const

export const sessions = defineCall({
  method: 'GET',
  path: 'blade-system/session/list',
  of,
  access: { codes: ['session_view'] },
  summary: { zh: '在线会话', en: 'Online sessions' },
  input: { ...paging, ...sessionFilters },
  answer: pageOf(
    objectOf({
      id: idOf(of),
      userId: idOf(user.name),
      account: textValue(),
      realName: textValue({ nullable: true }),
      deptName: textValue({ nullable: true }),
      address: textValue({ nullable: true }),
      agent: textValue({ nullable: true }),
      createdAt: instantValue(),
      lastUsed: instantValue(),
      clientId: textValue(),
      // Whether it is the one that asks.
      own: flagValue(),
    }),
  ),
})

export const endSessions = defineCall({
  method: 'POST',
  path: 'blade-system/session/end',
  of,
  access: { codes: ['session_end'] },
  summary: { zh: '在线会话：强制下线', en: 'End sessions' },
  input: { ids: idsOf(of, { required: true }) },
  answer: emptyAnswer,
})
