import { type CallOptions, get } from '../http/client.ts'
import { flattenCodes, keepMenus, type MenuNode, type TopMenu } from './menus.ts'
import { keepCodes, keepSession, type Session } from './session.ts'

interface UserInfo extends Omit<Session, 'roles' | 'mustChange' | 'mustSecond' | 'tenantName'> {
  roles?: readonly string[]
  mustChange?: boolean
  mustSecond?: boolean
  tenantName?: string
}

async function loadMenus(options: CallOptions): Promise<void> {
  const tops = (await get<Omit<TopMenu, 'children'>[]>('blade-system/menu/top-menu', undefined, options)) ?? []
  if (tops.length === 0) {
    // A tenant without top menus: the roots of its whole tree stand in for them.
    const roots = (await get<MenuNode[]>('blade-system/menu/routes', undefined, options)) ?? []
    keepMenus(roots.map((root) => ({ ...root, children: root.children ?? [] })))
    return
  }
  const trees = await Promise.all(
    tops.map((top) =>
      get<MenuNode[]>('blade-system/menu/routes', { topMenuId: top.id }, options).then((tree) => tree ?? []),
    ),
  )
  keepMenus(tops.map((top, at) => ({ ...top, children: trees[at] ?? [] })))
}

async function loadCodes(options: CallOptions): Promise<void> {
  keepCodes(flattenCodes((await get<MenuNode[]>('blade-system/menu/buttons', undefined, options)) ?? []))
}

/**
 * Reads who is logged in, then the menus and buttons; while the first password stands, a second factor is missing, or it
 * is open as what somebody works, only who.
 */
export async function loadSession(options: CallOptions = {}): Promise<Session> {
  const info = await get<UserInfo>('blade-auth/oauth/user-info', undefined, options)
  const session: Session = {
    userId: info.userId,
    tenantId: info.tenantId,
    tenantName: info.tenantName ?? '',
    account: info.account,
    userName: info.userName,
    nickName: info.nickName,
    realName: info.realName,
    avatar: info.avatar,
    roleName: info.roleName,
    roles: info.roles ?? [],
    mustChange: info.mustChange === true,
    mustSecond: info.mustSecond === true,
    severalSchools: info.severalSchools === true,
    lockIdle: info.lockIdle ?? 0,
    ...(info.switching ? { switching: info.switching } : {}),
  }
  keepSession(session)
  if (!session.mustChange && !session.mustSecond && !session.switching?.choose)
    await Promise.all([loadMenus(options), loadCodes(options)])
  return session
}
