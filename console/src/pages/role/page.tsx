import { type Entity, role as entity } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Shown } from '../../entity/calls.ts'
import { refresh } from '../../entity/client.ts'
import type { RowAction } from '../../entity/columns.tsx'
import type { FormParts } from '../../entity/form-fields.tsx'
import { EntityTreePage } from '../../entity/tree-page.tsx'
import { type TreeRow, useWholeTree } from '../../entity/tree-source.ts'
import { roleWords } from '../../locales/role.ts'
import { userWords } from '../../locales/user.ts'
import { loadSession } from '../../session/load.ts'
import { useCan, useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { usePlace } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { addWords, useT } from '../../ui/words.ts'
import type { Item } from '../user/two-lists.tsx'
import { ChooseDialog } from './choose-dialog.tsx'
import { GrantDialog } from './grant-dialog.tsx'
import '../../ui/table/menu.css'
import '../user/page.css'
import './page.css'

addWords({ ...userWords, ...roleWords })

const SEARCHED = ['roleName', 'roleAlias'] as const
const FIELDS = ['roleAlias', 'sort'] as const
const NO_ROWS: readonly TreeRow[] = []

const isAdmin = (role: Shown | undefined): boolean => role?.isAdmin === 1
/** The administrators' role holds everything and stays: there is nothing to grant, to preview, or to take away. */
const offers = (role: Shown, action: string): boolean => !isAdmin(role) || action === 'view'
/** The form of the administrators' role: its alias stands fast. */
const ofAdmins: FormParts = {
  of: (): Entity => ({
    ...entity,
    fields: { ...entity.fields, roleAlias: { ...entity.fields.roleAlias, fixed: true } },
  }),
}

interface Opened {
  readonly roles: readonly Shown[]
  readonly begin: 'menu' | 'preview'
}

/** Every role that can be granted something, with the names of those that it stands under. */
const flat = (rows: readonly TreeRow[], path: readonly string[] = []): Item[] =>
  rows.flatMap((row) => {
    const name = String(row.roleName)
    const note = path.length > 0 ? { note: path.join(' / ') } : {}
    return [...(isAdmin(row) ? [] : [{ id: row.id, name, ...note }]), ...flat(row.children ?? [], [...path, name])]
  })

/** The roles of a tenant as a tree, and what each of them is given. */
export default function RolePage() {
  const t = useT()
  const can = useCan()
  const mine = useSession()?.roles
  const queries = useQueryClient()
  const { query } = usePlace()
  const search = query.get('keyword') ?? ''
  const source = useWholeTree(entity, search, SEARCHED)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [choosing, setChoosing] = useState(false)
  const close = useCallback(() => setOpened(null), [])
  const roots = source.roots ?? NO_ROWS
  const items = useMemo(() => flat(roots), [roots])
  const edited = everyNode(roots).find(({ id }) => id === query.get('edit'))
  const rowActions = useMemo<readonly RowAction[]>(
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
    ],
    [t],
  )
  const done = (roles: readonly Shown[]) => {
    close()
    toast.success(t('role.granted'), roles.map((role) => String(role.roleName)).join(t('entity.separator')))
    void refresh(queries, entity.name)
    // What the caller may do has changed with it: the menus and buttons of this very page.
    if (roles.some((role) => mine?.includes(String(role.roleAlias)))) void loadSession()
  }
  return (
    <>
      <EntityTreePage
        entity={entity}
        source={source}
        search={search}
        fields={FIELDS}
        rowActions={rowActions}
        offers={offers}
        {...(isAdmin(edited) ? { parts: ofAdmins } : {})}
        toolbar={
          can('role_grant') &&
          items.length > 1 && (
            <button type="button" className="button" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
              <Icon name="shield" size={16} />
              {t('role.many')}
            </button>
          )
        }
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
      {opened && (
        <GrantDialog {...opened} readOnly={!can('role_grant')} onClose={close} onDone={() => done(opened.roles)} />
      )}
    </>
  )
}
