import { client, datasource, type tenant } from '@data-brain/contract'
import { clientsOfTenant, grantClientsToTenant } from '@data-brain/contract/calls/client'
import { bindDatasource, chooseSourceTables, tenantSourceTables } from '@data-brain/contract/calls/tenant'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useMemo, useState } from 'react'
import { type ShownRow, useDictionaries } from '../../entity/data/index.ts'
import { dictText } from '../../entity/display/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { call } from '../../http/call.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
import { useCan } from '../../session/session.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { type ChosenTable, SourceTables } from './source-tables.tsx'
import { useTenantWork } from './work.ts'
import '../../entity/form/form-words.ts'
import '../../ui/later-words.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))

interface BindProps {
  readonly row: ShownRow<typeof tenant>
  readonly onClose: () => void
}

const NOTHING = {}
const NO_TABLES: readonly ChosenTable[] = []
const LONGEST = 40_000
const still = () => {}

/** Which data source a tenant is bound to; one that is missing is added on the spot. */
export function DatasourceDialog({ row, onClose }: BindProps) {
  const t = useT()
  const can = useCan()
  const id = useId()
  const draft = useDialogDraft<string | null>(
    `tenant-datasource:${row.id}`,
    typeof row.datasourceId === 'string' ? row.datasourceId : null,
  )
  const chosen = draft.value ?? null
  const setChosen = draft.put
  const [names, setNames] = useState<Record<string, string>>(
    row.datasourceId && row.datasourceName ? { [row.datasourceId]: row.datasourceName } : {},
  )
  const [adding, setAdding] = useState(false)
  const bound = typeof row.datasourceId === 'string' ? row.datasourceId : null
  const mayChoose = can('datasource_browse')
  const kept = useQuery({
    queryKey: ['tenant', 'datasource-tables', row.tenantId],
    queryFn: ({ signal }) => call(tenantSourceTables, { tenantId: row.tenantId }, { signal, silent: true }),
    enabled: bound !== null && mayChoose,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  // Of another source, no table is chosen yet.
  const tables = useDialogDraft<readonly ChosenTable[]>(
    `tenant-datasource-tables:${row.id}:${chosen}`,
    chosen !== null && chosen === bound ? kept.data : NO_TABLES,
  )
  const work = useTenantWork(() => {
    draft.done()
    tables.done()
    toast.success(t('spec.updated'))
    onClose()
  })
  const store = async () => {
    const { tenantId } = row
    if (chosen !== bound) await call(bindDatasource, { tenantId, datasourceId: chosen ?? undefined }, { silent: true })
    // Chosen again as they stand, their columns are read anew.
    if (chosen !== null && mayChoose && tables.value)
      await call(
        chooseSourceTables,
        { tenantId, datasourceId: chosen, tables: [...tables.value] },
        { silent: true, timeout: LONGEST },
      )
  }
  return (
    <>
      <Dialog
        title={t('tenant.datasourceOne', { name: row.tenantName })}
        busy={work.busy || (mayChoose && chosen !== null && chosen === bound && kept.isPending)}
        failure={work.failure || kept.error?.message}
        okText={t('common.save')}
        onClose={onClose}
        unsaved={tables.unsaved.dirty ? tables.unsaved : draft.unsaved}
        onOk={() => void work.run(store)}
        more={
          can('datasource_add') && (
            <button type="button" className="button" onClick={() => setAdding(true)}>
              {t('tenant.datasourceAdd')}
            </button>
          )
        }
      >
        <div className="field">
          <label htmlFor={id}>{t('tenant.datasource')}</label>
          <ReferenceSelect
            id={id}
            label={t('tenant.datasource')}
            className="ff-full"
            placeholder={t('form.choose')}
            to="datasource"
            names={names}
            value={chosen}
            onChange={(next) => setChosen(typeof next === 'string' ? next : null)}
          />
          <p className="field-help">{t('tenant.datasourceHelp')}</p>
        </div>
        {mayChoose && chosen !== null && tables.value && (
          <SourceTables key={chosen} id={chosen} chosen={tables.value} onChange={tables.put} />
        )}
      </Dialog>
      <Suspense fallback={null}>
        {adding && (
          <EntityForm
            entity={datasource}
            open
            id={null}
            preset={NOTHING}
            onClose={() => setAdding(false)}
            onSaved={(made) => {
              setNames((known) => ({ ...known, [made.id]: String(made.name) }))
              setChosen(made.id)
            }}
            onDirty={still}
          />
        )}
      </Suspense>
    </>
  )
}

/** The clients through which the people of a tenant may log in. */
export function ClientsDialog({ row, onClose }: BindProps) {
  const t = useT()
  const language = useLanguage()
  const { tenantId } = row
  const dictionaries = useDictionaries(client)
  const found = useQuery({
    queryKey: ['tenant', 'clients', tenantId],
    queryFn: ({ signal }) => call(clientsOfTenant, { tenantId }, { signal }),
    // What is ticked is what the server has now, never what it had before.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const draft = useDialogDraft(
    `tenant-clients:${tenantId}`,
    useMemo(
      () =>
        found.data
          ?.filter((client) => client.granted === 1)
          .map((client) => client.id)
          .sort(),
      [found.data],
    ),
  )
  const ticked = new Set(draft.value)
  const work = useTenantWork(() => {
    draft.done()
    toast.success(t('spec.updated'))
    onClose()
  })
  const words = { t, language, dictionaries, regions: NOTHING }
  const turn = (id: string) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    draft.put([...next].sort())
  }
  return (
    <Dialog
      title={t('tenant.clientsOne', { name: row.tenantName })}
      busy={work.busy || found.data === undefined}
      failure={work.failure || found.error?.message}
      okText={t('common.save')}
      onClose={onClose}
      unsaved={draft.unsaved}
      onOk={() =>
        void work.run(() =>
          call(grantClientsToTenant, { tableTenantId: tenantId, clientIds: [...ticked] }, { silent: true }),
        )
      }
    >
      <p className="dlg-note">{t('tenant.clientsHelp')}</p>
      {found.isPending && <p className="dlg-note">{t('common.loading')}</p>}
      {found.data?.length === 0 && <p className="dlg-note">{t('tenant.clientsNone')}</p>}
      <fieldset className="tenant-clients dlg-list">
        <legend className="sr-only">{t('tenant.clients')}</legend>
        {found.data?.map((client) => (
          <label key={client.id} className="check">
            <input type="checkbox" checked={ticked.has(client.id)} onChange={() => turn(client.id)} />
            <span>
              {client.clientId}
              <span className="dlg-note">
                {[client.clientGroup && dictText(words, 'client_group', client.clientGroup), client.remark]
                  .filter(Boolean)
                  .map((text) => ` · ${text}`)
                  .join('')}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
