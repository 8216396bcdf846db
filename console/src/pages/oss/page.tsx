import { oss as entity } from '@data-brain/contract'
import { enableOss } from '@data-brain/contract/calls/oss'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { refresh, type ShownRow, useEntity } from '../../entity/data/index.ts'
import { type Cells, EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { ossWords } from '../../locales/oss.ts'
import { useCan } from '../../session/session.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { TestDialog } from './test-dialog.tsx'
import './page.css'

addWords(ossWords)

const ON = 2
const SWITCH = 'oss_enable'
const nameOf = (row: ShownRow<typeof entity>): string => row.ossCode
const cells: Cells<typeof entity> = {
  status: (row, { t }) =>
    row.status === ON ? (
      <span className="tag tag-good">{t('oss.on')}</span>
    ) : (
      <span className="tag tag-off">{t('oss.off')}</span>
    ),
}
const offers: OffersAction<typeof entity> = (row, action) =>
  action === 'enable' || action === 'delete' ? row.status !== ON : true

/** The places that files can be kept at: one of them takes the new ones, or the server's own folder does. */
export default function OssPage() {
  const t = useT()
  const can = useCan()
  const queries = useQueryClient()
  const client = useEntity(entity)
  const [tested, setTested] = useState<ShownRow<typeof entity> | null>(null)
  const mayView = can('oss_view')
  const found = useQuery({ ...client.list({ current: 1, size: 10, status: ON }), enabled: mayView })
  const current = found.data?.records.find((row) => row.status === ON) ?? null
  const known = found.data !== undefined

  const turn = useCallback(
    async (row: ShownRow<typeof entity> | null) => {
      const other = current && current.id !== row?.id ? t('oss.replaces', { other: nameOf(current) }) : ''
      const leaving = current ? nameOf(current) : ''
      const sure = await askConfirmation({
        title: row ? t('oss.enableAsk', { name: nameOf(row) }) : t('oss.disableAsk', { name: leaving }),
        body: `${row ? other : ''}${t('oss.filesStay')}`,
        okText: t(row ? 'oss.enable' : 'oss.disable'),
      })
      if (!sure) return
      try {
        await call(enableOss, { id: row?.id })
        toast.success(row ? t('oss.enabled', { name: nameOf(row) }) : t('oss.disabled', { name: leaving }))
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
      await refresh(queries, entity.name)
    },
    [t, queries, current],
  )
  const actions: readonly RowAction<typeof entity>[] = useMemo(
    () => [
      { key: 'enable', label: t('oss.enable'), icon: 'circle-check', code: SWITCH, run: (row) => void turn(row) },
      ...(can(SWITCH) || can('oss_edit')
        ? [{ key: 'test', label: t('oss.test'), icon: 'plug', run: (row: ShownRow<typeof entity>) => setTested(row) }]
        : []),
    ],
    [t, can, turn],
  )
  return (
    <>
      <EntityPage
        entity={entity}
        cells={cells}
        offers={offers}
        rowActions={actions}
        slots={{
          above: known && (
            <p className="oss-where">
              {t('oss.where')} <strong>{current ? nameOf(current) : t('oss.folder')}</strong>
              {current && can(SWITCH) && (
                <button type="button" className="button" onClick={() => void turn(null)}>
                  {t('oss.disable')}
                </button>
              )}
            </p>
          ),
        }}
      />
      {tested && <TestDialog id={tested.id} name={nameOf(tested)} onClose={() => setTested(null)} />}
    </>
  )
}
