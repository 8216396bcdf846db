import { post } from '../../http/client.ts'

export interface Approval {
  readonly id: string
  readonly name: string
  readonly account: string
  readonly roleIds: readonly string[]
  readonly deptIds: readonly string[]
}

/** What is decided of registrations. Failures are thrown and shown in the dialog. */
export const guestCalls = {
  approve: (wish: Approval) =>
    post<{ userId: string }>('blade-user/guest/approve', { query: { ...wish }, silent: true }),
  refuse: (ids: readonly string[], reason: string) =>
    post<null>('blade-user/guest/refuse', { query: { ids, reason }, silent: true }),
}
