import { user as entity } from '@data-brain/contract'
import { resetPassword, resetSecondFactor, unlockUsers } from '@data-brain/contract/calls/user'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { BulkAction } from '../../entity/bulk/index.ts'
import { refresh, type ShownRow, useDictionaries, useEntity } from '../../entity/data/index.ts'
import { StatusTag } from '../../entity/display/index.ts'
import { type Cells, EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { userWords } from '../../locales/user.ts'
import { loadSession } from '../../session/load.ts'
import { useCan, useSession } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { OnceDialog, type ToldOnceLine } from '../../ui/dialog/told-once.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { useFilling } from '../form/index.ts'
import { ImportButton } from '../import/index.ts'
import { ClientDialog } from './client-dialog.tsx'
import { DeptButton, DeptPanel } from './dept-panel.tsx'
import { PlatformDialog } from './platform-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import '../../entity/form/form.css'
import './page.css'
import '../../ui/later-words.ts'

addWords(userWords)

/** What goes wrong is said by whoever carries it out. */
const silent = { silent: true }

/** At most so many passwords are reset in one call. */
const mostResets = 50

/** A user as the list shows one, and as it is answered to whoever has made it. */
type UserRow = ShownRow<typeof entity> & {
  readonly locked?: 0 | 1
  readonly secondFactor?: 0 | 1
  readonly password?: string
}

type Opened =
  | { readonly kind: 'roles'; readonly users: readonly UserRow[] }
  | { readonly kind: 'platform' | 'clients'; readonly user: UserRow }
  | { readonly kind: 'told'; readonly title: string; readonly note: string; readonly told: readonly ToldOnceLine[] }

const nameOf = (row: UserRow): string => row.realName

const cells: Cells<typeof entity> = {
  status: (row: UserRow, words) => (
    <>
      <StatusTag value={row.status} status={entity.status!} words={words} />
      {row.locked === 1 && <span className="tag tag-warn user-locked">{words.t('user.locked')}</span>}
    </>
  ),
}

/** The accounts of a tenant: by department, with what may be done with one or many of them. */
export default function UserPage() {
  const t = useT()
  const can = useCan()
  const me = useSession()?.userId
  const client = useEntity(entity)
  const queries = useQueryClient()
  const dictionaries = useDictionaries(entity)
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])

  const told = useCallback(
    (note: string, people: readonly { account: unknown; realName: unknown; password: unknown }[]) =>
      setOpened({
        kind: 'told',
        title: t('user.newPasswords', { count: people.length }),
        note,
        told: people.map(({ account, realName, password }) => ({
          key: String(account),
          label: people.length === 1 ? t('user.passwordOf', { account: String(account) }) : `${realName} ${account}`,
          value: String(password),
          secret: true,
        })),
      }),
    [t],
  )
  /** Carries something out for rows of the list; what goes wrong is said, and the list is read again. */
  const carry = useCallback(
    async (work: () => Promise<void>) => {
      try {
        await work()
      } catch (problem) {
        if (!(problem instanceof HttpProblem)) throw problem
        toast.error(problem.message || t('spec.unknownError'))
      }
      void refresh(queries, entity.name)
    },
    [queries, t],
  )

  const reset = useCallback(
    async (rows: readonly UserRow[]) => {
      const others = rows.filter(({ id }) => id !== me)
      if (others.length === 0) return toast.warning(t('user.notOwnReset'))
      if (others.length > mostResets) return toast.warning(t('user.tooManyResets', { most: mostResets }))
      const names = others.slice(0, 5).map(nameOf).join(t('entity.separator'))
      const yes = await askConfirmation({
        title: t('user.resetConfirm', { count: others.length }),
        body: `${others.length > 5 ? t('entity.andOthers', { names, count: others.length, unit: entity.measure }) : names}${t('user.resetBody')}`,
        danger: true,
        okText: t('user.reset'),
      })
      if (!yes) return
      await carry(async () =>
        told(t('user.mustChange'), await call(resetPassword, { userIds: others.map(({ id }) => id) }, silent)),
      )
    },
    [me, t, carry, told],
  )
  const enable = useCallback(
    (row: UserRow, status: 0 | 1) =>
      carry(async () => {
        const saved = await client.save({ id: row.id, version: row.version, status })
        toast.success(t(status === 1 ? 'user.enabled' : 'user.disabled'), nameOf(row), {
          label: t('user.undo'),
          run: () =>
            void carry(
              async () => void (await client.save({ id: row.id, version: saved.version, status: row.status })),
            ),
        })
      }),
    [carry, client, t],
  )
  const resetSecond = useCallback(
    async (row: UserRow) => {
      const yes = await askConfirmation({
        title: t('user.resetSecondConfirm', { name: nameOf(row) }),
        body: t('user.resetSecondBody'),
        danger: true,
        okText: t('user.resetSecond'),
      })
      if (!yes) return
      await carry(async () => {
        await call(resetSecondFactor, { userIds: [row.id] }, silent)
        toast.success(t('user.secondReset'), nameOf(row))
      })
    },
    [carry, t],
  )
  const unlock = useCallback(
    (rows: readonly UserRow[]) =>
      carry(async () => {
        await call(unlockUsers, { userIds: rows.map(({ id }) => id) }, silent)
        toast.success(t('user.unlocked'), rows.map(nameOf).join(t('entity.separator')))
      }),
    [carry, t],
  )

  const offers = useCallback<OffersAction<typeof entity>>(
    (row: UserRow, action) => {
      if (action === 'unlock') return row.locked === 1
      if (action === 'second') return row.secondFactor === 1 && row.id !== me
      if (action === 'enable') return row.status !== 1
      if (action === 'disable') return row.status === 1 && row.id !== me
      // Nobody removes, disables or resets themself: the own password is changed on the own page.
      return row.id !== me || (action !== 'delete' && action !== 'reset')
    },
    [me],
  )
  const rowActions = useMemo<readonly RowAction<typeof entity>[]>(
    () => [
      {
        key: 'roles',
        label: t('user.roles'),
        icon: 'shield',
        code: 'user_role',
        run: (user) => setOpened({ kind: 'roles', users: [user] }),
      },
      { key: 'reset', label: t('user.reset'), icon: 'key-round', code: 'user_reset', run: (row) => void reset([row]) },
      {
        key: 'unlock',
        label: t('user.unlock'),
        icon: 'undo-2',
        code: 'user_reset',
        run: (row) => void unlock([row]),
      },
      {
        key: 'second',
        label: t('user.resetSecond'),
        icon: 'shield',
        code: 'user_reset',
        run: (row) => void resetSecond(row),
      },
      {
        key: 'platform',
        label: t('user.platformDetails'),
        icon: 'sliders-horizontal',
        code: 'user_edit',
        run: (user) => setOpened({ kind: 'platform', user }),
      },
      { key: 'clients', label: t('user.clients'), icon: 'link', run: (user) => setOpened({ kind: 'clients', user }) },
      {
        key: 'enable',
        label: t('user.enable'),
        icon: 'circle-check',
        code: 'user_edit',
        run: (row) => void enable(row, 1),
      },
      {
        key: 'disable',
        label: t('user.disable'),
        icon: 'circle-x',
        code: 'user_edit',
        run: (row) => void enable(row, 0),
      },
    ],
    [t, reset, resetSecond, unlock, enable],
  )
  const bulkActions = useMemo<readonly BulkAction<UserRow>[]>(
    () => [
      {
        key: 'roles',
        label: t('user.roles'),
        icon: 'shield',
        code: 'user_role',
        run: (users) => setOpened({ kind: 'roles', users }),
      },
      { key: 'reset', label: t('user.reset'), icon: 'key-round', code: 'user_reset', run: (rows) => void reset(rows) },
      {
        key: 'unlock',
        label: t('user.unlock'),
        icon: 'undo-2',
        code: 'user_reset',
        run: (rows) => void unlock(rows),
      },
    ],
    [t, reset, unlock],
  )
  const saved = useCallback(
    (row: UserRow, isNew: boolean) => {
      if (row.id === me) void loadSession()
      const { password, ...rest } = row
      if (!isNew || password === undefined) return
      // Told once: what is kept of the new row does not have it.
      queries.setQueryData(['entity', entity.name, 'detail', row.id], rest)
      told(t('user.mustChange'), [{ account: row.account, realName: row.realName, password }])
    },
    [me, queries, told, t],
  )
  const done = (ids: readonly string[]) => {
    close()
    toast.success(t('spec.updated'))
    void refresh(queries, entity.name)
    if (me !== undefined && ids.includes(me)) void loadSession()
  }
  const fill = useFilling(entity.name)
  const offered = useMemo(
    () => ({
      rows: [...rowActions, ...(fill.rowActions as readonly RowAction<typeof entity>[])],
      bulk: { actions: [...bulkActions, ...((fill.bulk.actions ?? []) as readonly BulkAction<UserRow>[])] },
    }),
    [rowActions, bulkActions, fill.rowActions, fill.bulk],
  )
  return (
    <>
      <EntityPage
        entity={entity}
        slots={{
          toolbar: (
            <>
              <DeptButton />
              <ImportButton entity="user" />
            </>
          ),
          side: <DeptPanel />,
        }}
        rowActions={offered.rows}
        bulk={offered.bulk}
        offers={offers}
        cells={cells}
        form={{ onSaved: saved }}
      />
      {opened?.kind === 'roles' && <RoleDialog users={opened.users} onClose={close} onDone={done} />}
      {opened?.kind === 'platform' && (
        <PlatformDialog
          user={opened.user}
          dictionaries={dictionaries}
          onClose={close}
          onDone={() => done([opened.user.id])}
        />
      )}
      {opened?.kind === 'clients' && (
        <ClientDialog
          user={opened.user}
          mayEdit={can('user_edit')}
          onClose={close}
          onDone={() => done([opened.user.id])}
        />
      )}
      {fill.dialog}
      {opened?.kind === 'told' && (
        <OnceDialog title={opened.title} note={opened.note} told={opened.told} onClose={close} />
      )}
    </>
  )
}
