import { defineCall } from '../call.ts'
import { integerValue, objectOf, oneOf } from '../shape.ts'

export const health = defineCall({
  method: 'GET',
  path: 'health',
  of: 'health',
  access: 'public',
  summary: { zh: '健康检查', en: 'Health' },
  bare: true,
  answer: objectOf({
    // Whether its database answers; where it does not, the status is 503.
    status: oneOf(['up', 'down']),
    // Lines of logs that wait to be written, were written, and could not be.
    logs: objectOf({ queued: integerValue(), written: integerValue(), dropped: integerValue() }),
  }),
})
