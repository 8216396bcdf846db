import { tenant } from '@data-brain/contract'
import { restoreTenants } from '@data-brain/contract/calls/tenant'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { type DeleteRefusal, refresh, type ShownRow, useEntity } from '../../entity/data/index.ts'
import { EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { tenantWords } from '../../locales/tenant.ts'
import { useSession } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { OnceDialog, type ToldOnceLine } from '../../ui/dialog/told-once.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { ClientsDialog, DatasourceDialog } from './bind.tsx'
import type { Certificate } from './calls.ts'
import { tenantCells } from './cells.tsx'
import { CertificateDialog, CertificatesDialog } from './certificates.tsx'
import { PurgeDialog, RemoveDialog } from './end.tsx'
import { formParts } from './form.tsx'
import { SettingDialog } from './setting.tsx'
import { platformTenant, tenantStates } from './state.ts'
import './page.css'
import '../../ui/later-words.ts'

addWords(tenantWords)

/** A tenant as it is answered to whoever has made it: with its first administrator. */
type MadeTenant = ShownRow<typeof tenant> & { readonly account?: string; readonly password?: string }

/** The dialog that is open over the list. */
type Open =
  | { kind: 'made'; row: ShownRow<typeof tenant>; account: string; password: string }
  | { kind: 'setting'; rows: readonly ShownRow<typeof tenant>[]; done: () => void }
  | { kind: 'datasource' | 'clients' | 'purge'; row: ShownRow<typeof tenant> }
  | { kind: 'remove'; rows: readonly ShownRow<typeof tenant>[]; answer: (gone: readonly string[] | null) => void }
  | { kind: 'certificate'; certificate: Certificate }
  | { kind: 'certificates' }

const still = () => {}

/** The tenants of the platform: the generic list, and what only a tenant can have done to it. */
export default function TenantPage() {
  const t = useT()
  const queries = useQueryClient()
  const client = useEntity(tenant)
  const own = useSession()?.tenantId
  const [open, setOpen] = useState<Open | null>(null)
  const close = useCallback(() => setOpen(null), [])

  const turn = useCallback(
    async (row: ShownRow<typeof tenant>, status: number) => {
      const name = row.tenantName
      // Everybody of the tenant is thrown out: that reaches people, so it is asked.
      const sure =
        status === tenantStates.normal ||
        (await askConfirmation({
          title: t('tenant.disableAsk', { name }),
          body: t('tenant.disableBody'),
          danger: true,
          okText: t('tenant.disable'),
        }))
      if (!sure) return
      try {
        await client.save({ id: row.id, version: row.version, status })
        toast.success(t(status === tenantStates.normal ? 'tenant.enabled' : 'tenant.disabled'), name)
      } catch (problem) {
        if (!(problem instanceof HttpProblem)) throw problem
        toast.error(problem.message)
        await refresh(queries, 'tenant')
      }
    },
    [client, queries, t],
  )
  const restore = useCallback(
    async (row: ShownRow<typeof tenant>) => {
      try {
        await call(restoreTenants, { ids: [row.id] })
        toast.success(t('tenant.restored'), row.tenantName)
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, 'tenant')
    },
    [queries, t],
  )

  const actions: readonly RowAction<typeof tenant>[] = useMemo(
    () => [
      {
        key: 'setting',
        label: t('tenant.setting'),
        icon: 'sliders-horizontal',
        code: 'tenant_setting',
        run: (row) => setOpen({ kind: 'setting', rows: [row], done: still }),
      },
      {
        key: 'datasource',
        label: t('tenant.datasource'),
        icon: 'database',
        code: 'tenant_setting',
        run: (row) => setOpen({ kind: 'datasource', row }),
      },
      {
        key: 'clients',
        label: t('tenant.clients'),
        icon: 'link',
        code: 'tenant_setting',
        run: (row) => setOpen({ kind: 'clients', row }),
      },
      {
        key: 'disable',
        label: t('tenant.disable'),
        icon: 'circle-x',
        code: 'tenant_edit',
        run: (row) => void turn(row, tenantStates.disabled),
      },
      {
        key: 'enable',
        label: t('tenant.enable'),
        icon: 'circle-check',
        code: 'tenant_edit',
        run: (row) => void turn(row, tenantStates.normal),
      },
      {
        key: 'restore',
        label: t('tenant.restore'),
        icon: 'undo-2',
        code: 'tenant_delete',
        run: (row) => void restore(row),
      },
      {
        key: 'purge',
        label: t('tenant.purge'),
        icon: 'trash-2',
        code: 'tenant_purge',
        danger: true,
        run: (row) => setOpen({ kind: 'purge', row }),
      },
    ],
    [t, turn, restore],
  )
  // The platform's tenant, and one's own, stay; a deleted one can only come back or go for good.
  const offers: OffersAction<typeof tenant> = useCallback(
    (row, action) => {
      const isSafe = row.tenantId === platformTenant || row.tenantId === own
      if (row.status === tenantStates.purging) return ['view', 'restore', 'purge'].includes(action)
      if (action === 'restore' || action === 'purge') return false
      if (action === 'enable') return row.status === tenantStates.disabled
      if (action === 'disable') return !isSafe && row.status !== tenantStates.disabled
      return action !== 'delete' || !isSafe
    },
    [own],
  )
  const bulk = useMemo(
    () => [
      {
        key: 'setting',
        label: t('tenant.setting'),
        icon: 'sliders-horizontal',
        code: 'tenant_setting',
        run: (rows: readonly ShownRow<typeof tenant>[], done: () => void) => setOpen({ kind: 'setting', rows, done }),
      },
    ],
    [t],
  )
  /** Rows stay in the list while their grace period runs, so none is gone. */
  const removal = (rows: readonly ShownRow<typeof tenant>[]): Promise<readonly string[] | DeleteRefusal | null> => {
    const chosen = rows.filter((row) => row.status !== tenantStates.purging)
    if (chosen.length === 0) {
      toast.warning(t(rows.length === 0 ? 'spec.selectOne' : 'tenant.removedAlready'))
      return Promise.resolve(null)
    }
    return new Promise((answer) => setOpen({ kind: 'remove', rows: chosen, answer }))
  }
  const saved = useCallback((row: MadeTenant, isNew: boolean) => {
    const { account, password } = row
    if (isNew && account !== undefined && password !== undefined) setOpen({ kind: 'made', row, account, password })
  }, [])

  return (
    <>
      <EntityPage
        entity={tenant}
        cells={tenantCells}
        rowActions={actions}
        offers={offers}
        bulk={{ actions: bulk, removal }}
        form={{ parts: formParts, onSaved: saved }}
        slots={{
          toolbar: (
            <button type="button" className="button" onClick={() => setOpen({ kind: 'certificates' })}>
              {t('tenant.certificates')}
            </button>
          ),
        }}
      />
      {open?.kind === 'made' && (
        <OnceDialog
          title={t('tenant.made', { name: open.row.tenantName })}
          note={t('tenant.madeNote')}
          told={toldOf(open, t)}
          onClose={close}
        />
      )}
      {open?.kind === 'setting' && (
        <SettingDialog
          rows={open.rows}
          onClose={close}
          onDone={() => {
            open.done()
            close()
          }}
        />
      )}
      {open?.kind === 'datasource' && <DatasourceDialog row={open.row} onClose={close} />}
      {open?.kind === 'clients' && <ClientsDialog row={open.row} onClose={close} />}
      {open?.kind === 'remove' && (
        <RemoveDialog
          rows={open.rows}
          onClose={() => {
            open.answer(null)
            close()
          }}
          onDone={() => {
            open.answer([])
            close()
          }}
        />
      )}
      {open?.kind === 'purge' && (
        <PurgeDialog
          row={open.row}
          onClose={close}
          onPurged={(certificate) => setOpen({ kind: 'certificate', certificate })}
        />
      )}
      {open?.kind === 'certificate' && <CertificateDialog certificate={open.certificate} onClose={close} />}
      {open?.kind === 'certificates' && <CertificatesDialog onClose={close} />}
    </>
  )
}

/** Where the people of a tenant log in: its own host, or this one with the tenant chosen. */
export function loginAddressOf(row: ShownRow<typeof tenant>): string {
  const { protocol, origin } = window.location
  return row.domain ? `${protocol}//${row.domain}/login` : `${origin}/login?tenant=${row.tenantId}`
}

function toldOf(
  made: { row: ShownRow<typeof tenant>; account: string; password: string },
  t: (key: string) => string,
): ToldOnceLine[] {
  return [
    { key: 'login', label: t('tenant.login'), value: loginAddressOf(made.row) },
    { key: 'code', label: t('tenant.code'), value: made.row.tenantId },
    { key: 'account', label: t('tenant.account'), value: made.account },
    { key: 'password', label: t('tenant.password'), value: made.password, secret: true },
  ]
}
