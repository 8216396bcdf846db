import type { Place } from '../../kernel/cipher.ts'

/** What is kept of a message while it waits, sealed: it may be somebody's code. Gone as soon as it is sent or given up. */
export interface Payload {
  readonly params: Readonly<Record<string, string>>
  /** How often a service has said no for the time being. */
  readonly refusals: number
  /** Of a message in the development outbox: its text, kept for a day. */
  readonly text?: string
}

/** Where the payload of a message belongs. */
export const payloadPlace = (tenantId: string, id: string): Place => ({
  table: 'sms_log',
  column: 'payload',
  tenantId,
  id,
})
