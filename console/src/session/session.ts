import type { CustomField } from '@data-brain/contract/custom'
import { useCallback } from 'react'
import { createStore, useStore } from '../ui/store.ts'
import { readStored, writeStored } from '../ui/stored.ts'

/** A department or a role that somebody may work as. */
export interface WorkChoice {
  id: string
  name: string
}

/** Switch mode, for those who have something to choose between. */
export interface SwitchMode {
  depts: readonly WorkChoice[]
  roles: readonly WorkChoice[]
  /** Empty while nothing was chosen. */
  deptId: string
  roleId: string
  /** Something has to be chosen before work begins. */
  choose: boolean
}

/** Who is logged in. */
export interface Session {
  userId: string
  tenantId: string
  tenantName: string
  account: string
  userName: string
  nickName: string
  realName: string
  avatar: string
  roleName: string
  roles: readonly string[]
  /** The first password must be changed before anything else. */
  mustChange: boolean
  /** A second factor must be set up before anything else. */
  mustSecond?: boolean
  /** The tenant has more than one school: lists say of which a row is. */
  severalSchools?: boolean
  /** The tenant's own fields of what the user works with, where it has any. */
  customFields?: readonly CustomField[]
  /** Minutes without a key or a move after which the screen locks itself; 0 never. */
  lockIdle?: number
  switching?: SwitchMode
}

/** Whether there is more than one of what rows belong to inside the tenant. */
export const hasSeveralOwners = (session: Session | null): boolean => session?.severalSchools === true

export const sessionStore = createStore<Session | null>(readStored<Session>('user') ?? null)

/** The permission codes of the user, flattened from the buttons the server sent. */
export const codesStore = createStore<ReadonlySet<string>>(new Set(readStored<string[]>('buttons') ?? []))

export function keepSession(session: Session): void {
  writeStored('user', session)
  const before = sessionStore.get()?.customFields
  // What has not changed stays the same object: whatever is drawn by it stands.
  const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(session.customFields)
  sessionStore.set(isSame ? { ...session, customFields: before } : session)
}

/** The stamp of the rights that menus and buttons were last read with, which rises with every change; null before that. */
export const rightsStampStore = createStore<number | null>(null)

export function keepCodes(codes: readonly string[]): void {
  writeStored('buttons', codes)
  codesStore.set(new Set(codes))
}

/** The user, or null while nobody is logged in. */
export const useSession = (): Session | null => useStore(sessionStore)

/** Whether the user holds a permission code. What the server refuses it refuses all the same. */
export const mayUse = (code: string): boolean => codesStore.get().has(code)

/** As `can`, for components: drawn again when the codes change. */
export function useCan(): (code: string) => boolean {
  const codes = useStore(codesStore)
  return useCallback((code) => codes.has(code), [codes])
}
