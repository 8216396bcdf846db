import { entityOf, type Page } from '@data-brain/contract'
import { httpCalls, type Shown } from '../../entity/calls.ts'
import { get, post } from '../../http/client.ts'

/** A text in the development outbox. */
export interface Out {
  readonly id: string
  readonly smsCode: string
  readonly purpose: string
  readonly sentAt: string
  readonly phone: string
  readonly text: string
}

const base = 'blade-resource/sms'

/** The enabled service, if there is one. */
export const enabledOne = async (): Promise<Shown | undefined> =>
  (await get<Page<Shown>>(`${base}/list`, { status: 2, current: 1, size: 1 })).records[0]

/** Enables one and turns the others off; without an id all are off. */
export const enable = (id: string | null): Promise<unknown> => post(`${base}/enable`, { query: { id: id ?? '' } })

/** Asks for one message; the same key is sent once. Number and values stand in no address. */
export const send = (message: {
  readonly code: string
  readonly phone: string
  readonly params: Readonly<Record<string, string>>
  readonly requestKey: string
}): Promise<{ readonly ids: readonly string[] }> =>
  post(`${base}/endpoint/send-message`, {
    form: new URLSearchParams({
      code: message.code,
      phones: message.phone,
      params: JSON.stringify(message.params),
      purpose: 'test',
      requestKey: message.requestKey,
    }),
    silent: true,
  })

export const readLog = (id: string, signal?: AbortSignal): Promise<Shown> =>
  httpCalls.detail(entityOf('smslog'), id, signal)

export const readOutbox = (signal?: AbortSignal): Promise<readonly Out[]> => get(`${base}/outbox`, {}, { signal })
