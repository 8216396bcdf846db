import { type Entity, integer, role } from '@data-brain/contract'
import { roleUserCounts } from '@data-brain/contract/calls/role'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { refresh, type ShownRow, undoOf, useEntity } from '../../entity/data/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import type { Cells, RowAction } from '../../entity/list/index.ts'
import { EntityTreePage, type TreeRow, useWholeTree } from '../../entity/tree/index.ts'
import { call } from '../../http/call.ts'
import { roleWords } from '../../locales/role.ts'
import { userWords } from '../../locales/user.ts'
import { loadSession } from '../../session/load.ts'
import { useCan, useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { usePlace } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { addWords, useT } from '../../ui/words.ts'
import type { Item } from '../user/index.ts'
import { ChooseDialog } from './choose-dialog.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { GrantDialog } from './grant-dialog.tsx'
import '../../ui/table/menu.css'
import './page.css'

addWords({ ...userWords, ...roleWords })

/** A role as its page shows it, with how many users have it. */
const entity = {
  ...role,
  fields: {
    ...role.fields,
    users: integer(roleWords['role.users'].zh, roleWords['role.users'].en, { min: 0, max: 99_999_999, computed: true }),
  },
} satisfies Entity
const SEARCHED = ['roleName', 'roleAlias'] as const
const FIELDS = ['roleAlias', 'sort'] as const
const WITH_USERS = ['users', ...FIELDS] as const
const NO_ROWS: readonly TreeRow<typeof entity>[] = []

const isAdmin = (row: ShownRow<typeof role> | undefined): boolean => row?.isAdmin === 1
/** The administrators' role holds everything and stays: there is nothing to grant, to preview, to copy, or to take away. */
const offers = (row: ShownRow<typeof role>, action: string): boolean => !isAdmin(row) || action === 'view'
const { roleAlias, users: _, ...others } = entity.fields
/** The alias is made of the name of a new role, and stands fast of the administrators'. */
const formOf = (admins: boolean): FormParts => ({
  of: (isNew) => ({
    ...role,
    fields: isNew ? others : { ...others, roleAlias: { ...role.fields.roleAlias, fixed: admins } },
  }),
})
const ofAdmins = formOf(true)
const ofOthers = formOf(false)

interface Opened {
  readonly roles: readonly ShownRow<typeof role>[]
  readonly begin: 'menu' | 'preview'
}

/** Every role that can be granted something, with the names of those that it stands under. */
const flat = (rows: readonly TreeRow<typeof entity>[], path: readonly string[] = []): Item[] =>
  rows.flatMap((row) => {
    const name = row.roleName
    const note = path.length > 0 ? { note: path.join(' / ') } : {}
    return [...(isAdmin(row) ? [] : [{ id: row.id, name, ...note }]), ...flat(row.children ?? [], [...path, name])]
  })

/** The roles of a tenant as a tree, and what each of them is given. */
export default function RolePage() {
  const t = useT()
  const can = useCan()
  const mine = useSession()?.roles
  const queries = useQueryClient()
  const client = useEntity(role)
  const { query } = usePlace()
  const search = query.get('keyword') ?? ''
  const source = useWholeTree(entity, search, SEARCHED)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [choosing, setChoosing] = useState(false)
  const [copied, setCopied] = useState<ShownRow<typeof role> | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const roots = source.roots ?? NO_ROWS
  const items = useMemo(() => flat(roots), [roots])
  const edited = everyNode(roots).find(({ id }) => id === query.get('edit'))
  const mayCount = can('user_view')
  const mayCopy = can('role_add')
  const counts = useQuery({
    queryKey: ['role', 'users'],
    queryFn: ({ signal }) => call(roleUserCounts, {}, { signal, silent: true }),
    enabled: mayCount,
    retry: false,
    meta: { reads: ['role', 'user'] },
  }).data
  const cells = useMemo<Cells<typeof role>>(
    () => ({
      users: (row) => {
        if (!counts) return ''
        const count = counts[row.id] ?? 0
        if (count === 0) return <span className="muted">0</span>
        const label = t('role.usersOf', { name: row.roleName, count })
        return (
          <a className="role-users" href={`/system/user?roleId=${row.id}`} aria-label={label}>
            {count}
          </a>
        )
      },
    }),
    [counts, t],
  )
  const rowActions = useMemo<readonly RowAction<typeof role>[]>(
    () => [
      {
        key: 'grant',
        label: t('role.grant'),
        icon: 'shield',
        code: 'role_grant',
        run: (role) => setOpened({ roles: [role], begin: 'menu' }),
      },
      {
        key: 'preview',
        label: t('role.preview'),
        icon: 'layout-grid',
        run: (role) => setOpened({ roles: [role], begin: 'preview' }),
      },
      ...(mayCopy
        ? [
            {
              key: 'copy',
              label: t('role.copy'),
              icon: 'copy',
              code: 'role_grant',
              run: (row: ShownRow<typeof role>) => setCopied(row),
            },
          ]
        : []),
    ],
    [t, mayCopy],
  )
  const done = (roles: readonly ShownRow<typeof role>[]) => {
    close()
    toast.success(t('role.granted'), roles.map((role) => role.roleName).join(t('entity.separator')))
    void refresh(queries, entity.name)
    // What the caller may do has changed with it: the menus and buttons of this very page.
    if (roles.some((role) => role.roleAlias && mine?.includes(role.roleAlias))) void loadSession()
  }
  return (
    <>
      <EntityTreePage
        entity={entity}
        tree={{ source, search, fields: mayCount ? WITH_USERS : FIELDS }}
        cells={cells}
        rowActions={rowActions}
        offers={offers}
        form={{ parts: isAdmin(edited) ? ofAdmins : ofOthers }}
        slots={{
          toolbar: can('role_grant') && items.length > 1 && (
            <button type="button" className="button" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
              <Icon name="shield" size={16} />
              {t('role.many')}
            </button>
          ),
        }}
      />
      {choosing && (
        <ChooseDialog
          items={items}
          onClose={() => setChoosing(false)}
          onChosen={(ids) => {
            setChoosing(false)
            setOpened({ roles: everyNode(roots).filter(({ id }) => ids.includes(id)), begin: 'menu' })
          }}
        />
      )}
      {copied && (
        <CopyDialog
          role={copied}
          names={everyNode(roots).map((row) => row.roleName)}
          onClose={() => setCopied(null)}
          onDone={(made) => {
            setCopied(null)
            toast.success(t('role.copied'), made.row.roleName, undoOf(role, made, client.undo, t))
            void refresh(queries, entity.name)
          }}
        />
      )}
      {opened && (
        <GrantDialog {...opened} readOnly={!can('role_grant')} onClose={close} onDone={() => done(opened.roles)} />
      )}
    </>
  )
}
