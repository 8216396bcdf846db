import type { AnswerOf } from '@data-brain/contract/call'
import { purgedTenants } from '@data-brain/contract/calls/tenant'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../http/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useScreenClass } from '../../ui/screen.ts'
import { PAGE_SIZES } from '../../ui/table/page-size.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { useOwnPaging } from '../../ui/table/paging.ts'
import { type Column, DataTable } from '../../ui/table/table.tsx'
import { type Translate, useLanguage, useT } from '../../ui/words.ts'
import type { Certificate } from './calls.ts'

/** A certificate as it is kept. */
type KeptCertificate = AnswerOf<typeof purgedTenants>['records'][number]

const sum = (rows: Readonly<Record<string, number>>) => Object.values(rows).reduce((total, count) => total + count, 0)

interface RowsProps {
  readonly rows: Readonly<Record<string, number>>
  /** Who purged and when, where that is known. */
  readonly kept?: KeptCertificate
}

/** How many rows of which tables were deleted; tables that held none are left out. */
function RowCounts({ rows, kept }: RowsProps) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const held = Object.entries(rows)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
  return (
    <>
      {kept && <p>{t('tenant.certificateBy', { who: kept.purgedBy, time: kept.at.slice(0, 16) })}</p>}
      <p>{t('tenant.certificateRows', { rows: number.format(sum(rows)), count: held.length })}</p>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="dlg-list" tabIndex={0} aria-label={t('tenant.rows')}>
        <table className="tenant-rows">
          <thead>
            <tr>
              <th scope="col">{t('tenant.table')}</th>
              <th scope="col" className="dt-num">
                {t('tenant.rows')}
              </th>
            </tr>
          </thead>
          <tbody>
            {held.map(([table, count]) => (
              <tr key={table}>
                <th scope="row">{table}</th>
                <td className="dt-num mono">{number.format(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** What a purge just left behind. */
export function CertificateDialog({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const t = useT()
  const { files } = certificate
  return (
    <Dialog
      title={t('tenant.certificate', { name: `${certificate.tenantName} (${certificate.tenantId})` })}
      onClose={onClose}
    >
      {files && files.removed + files.left > 0 && <p>{t('tenant.certificateFiles', { ...files })}</p>}
      <RowCounts rows={certificate.rows} />
    </Dialog>
  )
}

const planOf = (t: Translate, number: Intl.NumberFormat): Column<KeptCertificate>[] => [
  {
    key: 'name',
    label: t('tenant.name'),
    width: 200,
    title: true,
    cell: ({ tenantName }) => (
      <button type="button" className="dt-act" data-act="open">
        {tenantName}
      </button>
    ),
  },
  {
    key: 'code',
    label: t('tenant.code'),
    width: 100,
    cell: ({ tenantId }) => <span className="mono">{tenantId}</span>,
  },
  {
    key: 'at',
    label: t('tenant.purgedAt'),
    width: 150,
    cell: ({ at }) => <span className="mono">{at.slice(0, 16)}</span>,
  },
  { key: 'by', label: t('tenant.purgedBy'), width: 120, cell: ({ purgedBy }) => purgedBy },
  {
    key: 'rows',
    label: t('tenant.rows'),
    width: 90,
    numeric: true,
    cell: ({ rowCounts }) => number.format(sum(rowCounts)),
  },
]

const keyOf = (row: KeptCertificate) => row.id
const nameOf = (row: KeptCertificate) => row.tenantName
const NONE: readonly KeptCertificate[] = []

/** All certificates, newest first; one of them opens in place. */
export function CertificatesDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const language = useLanguage()
  const screen = useScreenClass()
  const { current, size, onPage, onSize } = useOwnPaging()
  const [open, setOpen] = useState<KeptCertificate | null>(null)
  const found = useQuery({
    queryKey: ['tenant', 'purges', current, size],
    queryFn: ({ signal }) => call(purgedTenants, { current, size }, { signal }),
    placeholderData: (before) => before,
    retry: false,
    meta: { reads: ['tenant'] },
  })
  const columns = useMemo(() => planOf(t, new Intl.NumberFormat(language)), [t, language])
  if (open)
    return (
      <Dialog
        key="one"
        title={t('tenant.certificate', { name: `${open.tenantName} (${open.tenantId})` })}
        onClose={onClose}
        more={
          <button type="button" className="button" onClick={() => setOpen(null)}>
            {t('tenant.back')}
          </button>
        }
      >
        <RowCounts rows={open.rowCounts} kept={open} />
      </Dialog>
    )
  const total = found.data?.total ?? 0
  return (
    <Dialog key="all" title={t('tenant.certificates')} width={760} failure={found.error?.message} onClose={onClose}>
      <DataTable
        label={t('tenant.certificates')}
        records={{
          rows: found.data?.records ?? NONE,
          keyOf,
          nameOf,
          state: found.isPending ? 'first' : 'ready',
          empty: <p className="dlg-note">{t('tenant.certificateNone')}</p>,
        }}
        layout={{ cards: screen === 0 }}
        columns={columns}
        onAct={(_what, row) => setOpen(row)}
      />
      {total > PAGE_SIZES[0] && <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />}
    </Dialog>
  )
}
