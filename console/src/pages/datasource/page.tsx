import { datasource as entity } from '@data-brain/contract'
import { testDatasource } from '@data-brain/contract/calls/datasource'
import { useMemo, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { TryDialog } from '../../entity/display/index.ts'
import { EntityPage, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { datasourceWords } from '../../locales/datasource.ts'
import { useCan } from '../../session/session.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Browser } from './browser.tsx'

addWords(datasourceWords)

/** Longer than the server waits for a database that does not answer. */
const LONGEST = 40_000

interface Opened {
  readonly kind: 'test' | 'browse'
  readonly row: ShownRow<typeof entity>
}

/** Databases of others: each is tried, and its tables are looked at. */
export default function DatasourcePage() {
  const t = useT()
  const can = useCan()
  const [open, setOpen] = useState<Opened | null>(null)
  const actions: readonly RowAction<typeof entity>[] = useMemo(() => {
    const action = (kind: Opened['kind'], icon: string): RowAction<typeof entity> => ({
      key: kind,
      label: t(`datasource.${kind}`),
      icon,
      run: (row) => setOpen({ kind, row }),
    })
    return [
      ...(can('datasource_browse') || can('datasource_edit') ? [action('test', 'plug')] : []),
      ...(can('datasource_browse') ? [action('browse', 'table')] : []),
    ]
  }, [t, can])
  const close = () => setOpen(null)
  return (
    <>
      <EntityPage entity={entity} rowActions={actions} />
      {open?.kind === 'test' && (
        <TryDialog
          title={t('datasource.testTitle', { name: open.row.name })}
          trying={t('datasource.testing')}
          of={[entity.name, open.row.id]}
          attempt={(signal) => call(testDatasource, { id: open.row.id }, { silent: true, signal, timeout: LONGEST })}
          onClose={close}
        />
      )}
      {open?.kind === 'browse' && <Browser id={open.row.id} name={open.row.name} onClose={close} />}
    </>
  )
}
