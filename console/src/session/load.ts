import { whoAmI } from '@data-brain/contract/calls/auth'
import { myButtons, myPages, myTopMenus } from '@data-brain/contract/calls/menu'
import { call } from '../http/call.ts'
import type { CallOptions } from '../http/client.ts'
import { flattenCodes, keepMenus } from './menus.ts'
import { keepCodes, keepSession, rightsStampStore, type Session } from './session.ts'

async function loadMenus(options: CallOptions): Promise<void> {
  const tops = await call(myTopMenus, {}, options)
  if (tops.length === 0) {
    // A tenant without top menus: the roots of its whole tree stand in for them.
    const roots = await call(myPages, {}, options)
    keepMenus(roots.map((root) => ({ ...root, children: root.children ?? [] })))
    return
  }
  const trees = await Promise.all(tops.map((top) => call(myPages, { topMenuId: top.id }, options)))
  keepMenus(tops.map((top, at) => ({ ...top, children: trees[at] ?? [] })))
}

async function loadCodes(options: CallOptions): Promise<void> {
  keepCodes(flattenCodes(await call(myButtons, {}, options)))
}

/**
 * Reads who is logged in, then the menus and buttons; while the first password stands, a second factor is missing, or it
 * is open as what somebody works, only who.
 */
export async function loadSession(options: CallOptions = {}): Promise<Session> {
  const info = await call(whoAmI, {}, options)
  const session: Session = {
    userId: info.userId,
    tenantId: info.tenantId,
    tenantName: info.tenantName,
    account: info.account,
    userName: info.userName,
    nickName: info.nickName,
    realName: info.realName,
    avatar: info.avatar,
    roleName: info.roleName,
    roles: info.roles,
    mustChange: info.mustChange,
    mustSecond: info.mustSecond,
    severalSchools: info.severalSchools,
    lockIdle: info.lockIdle,
    ...(info.customFields ? { customFields: info.customFields } : {}),
    ...(info.switching ? { switching: info.switching } : {}),
  }
  keepSession(session)
  if (!session.mustChange && !session.mustSecond && !session.switching?.choose)
    await Promise.all([loadMenus(options), loadCodes(options)])
  rightsStampStore.set(Number(info.rightsStamp))
  return session
}
