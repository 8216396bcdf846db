import { sms, type Words } from '@data-brain/contract'
import type { SmsField } from '@data-brain/contract/sms'
import { sql } from '../../database/statement.ts'
import { addRules, type Saving } from '../../entity/rules.ts'
import { type FieldFault, fieldProblem, Problem } from '../../kernel/problem.ts'
import { missingFields, serviceOf } from './sms-channel.ts'

const refuse = (zh: string, en: string): Problem => new Problem('rule_broken', { reason: { zh, en } })

/**
 * Keys go where they were entered for: whoever sends them to another address, or another service, enters them again.
 * Otherwise somebody who may edit but not read a key could have it sent to a server of their own. A key that the new
 * kind has no use for is dropped.
 */
function guardKeys({ context, before, values, whole }: Saving<typeof sms>): void {
  if (!before || (!('endpoint' in values) && !('category' in values))) return
  const service = serviceOf(whole.category)
  const reason: Words = {
    zh: '更换服务地址或类型后须重新填写',
    en: 'must be entered again: the address or the kind has changed',
  }
  const faults: FieldFault[] = []
  for (const field of ['accessKey', 'secretKey'] as const) {
    if (!before[field] || field in values) continue
    if (service?.needs.includes(field))
      faults.push({ field, label: service.labels[field] ?? sms.fields[field]!.label, reason })
    else values[field] = null
  }
  if (faults.length > 0) throw fieldProblem(faults, context.circumstance.language)
}

/** What is special about the ways to send. */
export function addSmsRules(): void {
  addRules(sms, {
    beforeSave: async (saving) => {
      const { before, whole } = saving
      guardKeys(saving)
      if (before?.status !== 2) return
      const missing = missingFields(whole.category, (field: SmsField) => Boolean(whole[field]))
      if (missing.length > 0)
        throw refuse(
          `该配置已启用，不能缺少：${missing.map((label) => label.zh).join('、')}`,
          `This service is enabled and cannot do without: ${missing.map((label) => label.en).join(', ')}`,
        )
    },
    beforeRemove: async ({ context, id, before }) => {
      const { tx, actor } = context
      if (before.status === 2) throw refuse('该配置已启用，请先停用', 'This service is enabled: turn it off first')
      const waiting = await tx.one(
        sql`select 1 from sms_log where tenant_id = ${actor.tenantId} and sms_id = ${id} and state in ('0', '2') limit 1`,
      )
      if (waiting)
        throw refuse('还有短信等待由该配置发送，请稍后再删除', 'Messages still wait to be sent by this service')
      // What was sent keeps the code of the service and lets go of its row.
      await tx.run(sql`update sms_log set sms_id = null where tenant_id = ${actor.tenantId} and sms_id = ${id}`)
    },
  })
}
