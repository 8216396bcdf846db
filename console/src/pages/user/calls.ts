import { get, post } from '../../http/client.ts'

/** A node of a tree of choices. */
export interface Branch {
  readonly id: string
  readonly parentId: string
  readonly title: string
  readonly children?: readonly Branch[]
}

/** A new password, told once. */
export interface Reset {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly password: string
}

export interface Platform {
  readonly userType: string | null
  /** A JSON text, empty where nothing is set. */
  readonly userExt: string
}

export interface ClientChoice {
  readonly id: string
  readonly clientId: string
  readonly clientGroup: string | null
  readonly remark: string | null
  /** Whether the tenant is bound to it; only of the clients to choose from. */
  readonly granted?: 0 | 1
}

const relation = 'blade-system/userclientrelevance'
const silent = true

/** The calls of the user page beside the generic ones. Failures are thrown and shown where they belong. */
export const userCalls = {
  departments: (signal?: AbortSignal) =>
    get<readonly Branch[]>('blade-system/dept/tree', undefined, { signal, silent }),
  roles: (signal?: AbortSignal) => get<readonly Branch[]>('blade-system/role/tree', undefined, { signal, silent }),
  grant: (userIds: readonly string[], roleIds: readonly string[]) =>
    post<null>('blade-user/grant', { query: { userIds, roleIds }, silent }),
  reset: (userIds: readonly string[]) =>
    post<readonly Reset[]>('blade-user/reset-password', { query: { userIds }, silent }),
  unlock: (userIds: readonly string[]) => post<null>('blade-user/unlock', { query: { userIds }, silent }),
  resetSecond: (userIds: readonly string[]) =>
    post<null>('blade-user/reset-second-factor', { query: { userIds }, silent }),
  platform: (id: string, signal?: AbortSignal) =>
    get<Platform>('blade-user/platform-detail', { id }, { signal, silent }),
  savePlatform: (userId: string, userType: string, userExt: string) => {
    // As a form: the settings may be longer than an address may be.
    const form = new FormData()
    for (const [name, value] of Object.entries({ userId, userType, userExt })) form.set(name, value)
    return post<unknown>('blade-user/update-platform', { form, silent })
  },
  clients: (tenantId: string, signal?: AbortSignal) =>
    get<readonly ClientChoice[]>('blade-system/client/selectClientByTenantId', { tenantId }, { signal, silent }),
  clientsOf: (userId: string, signal?: AbortSignal) =>
    get<readonly ClientChoice[]>(`${relation}/selectClientByUserId`, { userId }, { signal, silent }),
  saveClients: (userId: string, clientIds: readonly string[]) =>
    post<null>(`${relation}/save`, { body: { userId, clientIds }, silent }),
}
