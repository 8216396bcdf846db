import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Shown } from '../../entity/calls.ts'
import { Failed } from '../../entity/empty.tsx'
import { useTask } from '../../entity/task.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { allIds } from '../../ui/tree/check-tree.tsx'
import { useT } from '../../ui/words.ts'
import { grantCalls } from '../role/calls.ts'
import { Pane } from '../role/pane.tsx'

interface TopGrantProps {
  readonly tops: readonly Shown[]
  readonly onClose: () => void
  readonly onDone: () => void
}

const any = () => true

/** Which pages stand under top menus. */
export function TopGrantDialog({ tops, onClose, onDone }: TopGrantProps) {
  const t = useT()
  const task = useTask()
  const ids = tops.map(({ id }) => id)
  const found = useQuery({
    queryKey: ['topmenu-grant', ids],
    queryFn: async ({ signal }) => {
      const [tree, keys] = await Promise.all([grantCalls.topTree(signal), grantCalls.topKeys(ids, signal)])
      return { nodes: tree.menu, keys: keys.menu }
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const [touched, setTouched] = useState<ReadonlySet<string> | null>(null)
  const stored = useMemo(() => {
    const own = allIds(found.data?.nodes ?? [])
    return new Set(found.data?.keys.filter((id) => own.has(id)))
  }, [found.data])
  const ticked = touched ?? stored
  const save = async () => {
    if (await task.run(async () => void (await grantCalls.grantTop(ids, [...ticked].sort())))) onDone()
  }
  const names = tops.map((top) => String(top.name)).join(t('entity.separator'))
  const label = t('topmenu.grantOf', { names })
  return (
    <Dialog
      title={label}
      width={640}
      busy={task.busy}
      failure={task.failure}
      okText={t('common.save')}
      onOk={found.data ? () => void save() : undefined}
      onClose={onClose}
    >
      {tops.length > 1 && <p className="dlg-note">{t('topmenu.alike', { count: tops.length })}</p>}
      <div className="grant-wait">
        {found.isError ? (
          <Failed problem={found.error} onRetry={() => void found.refetch()} />
        ) : found.data ? (
          <Pane label={label} nodes={found.data.nodes} checked={ticked} onChange={setTouched} isItem={any} />
        ) : (
          <p className="muted" aria-busy="true">
            {t('common.loading')}
          </p>
        )}
      </div>
    </Dialog>
  )
}
