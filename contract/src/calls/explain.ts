import { defineCall } from '../call.ts'
import { user } from '../entities/system/user.ts'
import { flagValue, idOf, listOf, objectOf, oneOf, textValue, truthValue, wordsValue } from '../shape.ts'

const of = 'explain'
const access = { codes: ['explain_view'] } as const

export const knownCalls = defineCall({
  method: 'GET',
  path: 'blade-system/explain/calls',
  of,
  access: { codes: ['explain_view', 'apiscope_view'] },
  summary: { zh: '权限诊断：可选的接口', en: 'The calls that can be asked about, or kept by an API scope' },
  answer: listOf(
    objectOf({
      method: oneOf(['GET', 'POST']),
      // Begins with /api/.
      path: textValue(),
      summary: wordsValue(),
      // Codes, comma separated, or session.
      access: textValue(),
      // Whether it can never be kept by a scope: nobody could work, or leave, without it.
      always: flagValue(),
    }),
  ),
})

const verdict = objectOf(
  {
    allowed: truthValue(),
    // Grants that allow what was asked.
    reasons: listOf(
      objectOf({
        kind: oneOf(['admin', 'role', 'session']),
        roleId: idOf('role', { optional: true }),
        roleName: textValue({ optional: true }),
        code: textValue({ optional: true }),
        // The data scope that takes the row in; null where the role is not narrowed.
        scope: objectOf(
          { id: idOf('datascope'), name: textValue(), type: textValue() },
          { optional: true, nullable: true },
        ),
      }),
    ),
    // What stands in the way.
    missing: listOf(
      objectOf({
        kind: oneOf(['user', 'code', 'platform', 'apiScope', 'scope', 'row']),
        code: textValue({ optional: true }),
        roleName: textValue({ optional: true }),
        scopeName: textValue({ optional: true }),
        // In words, in the caller's language.
        text: textValue(),
      }),
    ),
  },
  { name: 'ExplainedVerdict' },
)

export const explainCall = defineCall({
  method: 'GET',
  path: 'blade-system/explain/call',
  of,
  access,
  summary: { zh: '权限诊断：用户能否调用接口', en: 'Whether a user may make a call, and why' },
  input: {
    userId: idOf(user.name, { required: true }),
    method: textValue({ max: 4, required: true }),
    path: textValue({ max: 255, required: true }),
  },
  answer: verdict,
})

export const explainRow = defineCall({
  method: 'GET',
  path: 'blade-system/explain/row',
  of,
  access,
  summary: { zh: '权限诊断：用户能否查看或修改某条数据', en: 'Whether a user may work with a row, and why' },
  input: {
    userId: idOf(user.name, { required: true }),
    entity: textValue({ max: 64, required: true }),
    id: idOf('the entity', { required: true }),
    // view, edit or delete.
    verb: textValue({ max: 8 }),
  },
  answer: verdict,
})
