import type { Place } from '../../kernel/cipher.ts'

/** Where the text of a mail belongs while it waits. */
export const payloadPlace = (tenantId: string, id: string): Place => ({
  table: 'mail_log',
  column: 'payload',
  tenantId,
  id,
})
/** Where the address belongs. */
export const recipientPlace = (tenantId: string, id: string): Place => ({
  table: 'mail_log',
  column: 'recipient',
  tenantId,
  id,
})
