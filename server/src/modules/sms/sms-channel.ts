import { sms, type Words } from '@data-brain/contract'
import { type SmsField, type SmsService, smsFields, smsServices } from '@data-brain/contract/sms'
import type { RawBuilder } from 'kysely'
import { sql } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Services } from '../../kernel/services.ts'

/** A way to send, with its keys opened: it never leaves the server. */
export interface SmsChannel extends Readonly<Record<SmsField, string | null>> {
  readonly id: string
  readonly smsCode: string
  readonly category: string
}

/** Category of the development outbox. */
export const outboxCategory = '6'

interface WayRow {
  readonly id: string
  readonly smsCode: string
  readonly category: string
  readonly accessKey: Buffer | null
  readonly secretKey: Buffer | null
}

async function read(
  tx: Tx,
  { cipher }: Pick<Services, 'cipher'>,
  tenantId: string,
  where: RawBuilder<unknown>,
): Promise<SmsChannel | undefined> {
  const row = await tx.one<WayRow & Omit<SmsChannel, keyof WayRow>>(
    sql`select id, sms_code as "smsCode", category, template_id as "templateId", content, access_key as "accessKey", secret_key as "secretKey",
          app_id as "appId", region_id as "regionId", sign_name as "signName", endpoint
        from sms where tenant_id = ${tenantId} and ${where}`,
  )
  if (!row) return undefined
  const open = (sealed: Buffer | null, column: string): string | null =>
    sealed && cipher.open(sealed, { table: 'sms', column, tenantId, id: row.id })
  return { ...row, accessKey: open(row.accessKey, 'access_key'), secretKey: open(row.secretKey, 'secret_key') }
}

/** The way with this id, or undefined when it is gone. */
export const wayOf = (
  tx: Tx,
  services: Pick<Services, 'cipher'>,
  tenantId: string,
  id: string,
): Promise<SmsChannel | undefined> => read(tx, services, tenantId, sql`id = ${id}`)

/** The way of this code; of none, the enabled one. Throws a Problem in words when there is none, or when it cannot send. */
export async function chosenWay(
  tx: Tx,
  services: Pick<Services, 'cipher' | 'environment'>,
  tenantId: string,
  code: string | undefined,
): Promise<SmsChannel> {
  const way = await read(tx, services, tenantId, code ? sql`sms_code = ${code}` : sql`status = 2`)
  if (!way)
    throw new Problem('rule_broken', {
      reason: code
        ? { zh: `没有编号为 ${code} 的短信配置`, en: `There is no SMS service with the code ${code}` }
        : { zh: '尚未启用短信配置', en: 'No SMS service is enabled' },
    })
  refuseUnfit(services, way)
  return way
}

/** Refuses a way that lacks what its service needs, and the outbox where real people use the product. */
export function refuseUnfit(
  { environment }: Pick<Services, 'environment'>,
  way: Pick<SmsChannel, 'category' | SmsField>,
): void {
  if (way.category === outboxCategory && !environment.smsOutbox)
    throw new Problem('rule_broken', {
      reason: {
        zh: '开发发件箱会显示短信全文，不能在生产环境中使用(NODE_ENV=production)',
        en: 'The development outbox shows whole texts: it cannot be used in production (NODE_ENV=production)',
      },
    })
  const missing = missingFields(way.category, (field) => way[field] !== null && way[field] !== '')
  if (missing.length > 0)
    throw new Problem('rule_broken', {
      reason: {
        zh: `短信配置不完整，还须填写：${missing.map((label) => label.zh).join('、')}`,
        en: `The SMS service is not complete: ${missing.map((label) => label.en).join(', ')} missing`,
      },
    })
}

/** The service of a category; rules are asked before it is known to be one. */
export const serviceOf = (category: string): SmsService | undefined =>
  Object.hasOwn(smsServices, category) ? smsServices[category] : undefined

/** What a service needs and does not have, by the names that the form shows. */
export function missingFields(category: string, has: (field: SmsField) => boolean): Words[] {
  const service = serviceOf(category)
  return smsFields
    .filter((field) => service?.needs.includes(field) && !has(field))
    .map((field) => service?.labels[field] ?? sms.fields[field]!.label)
}
