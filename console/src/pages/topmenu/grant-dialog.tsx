import type { topmenu } from '@data-brain/contract'
import { assignToTopMenus, topMenuKeys, topMenuTree } from '@data-brain/contract/calls/menu'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type ShownRow, useTask } from '../../entity/data/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { metTicks, useDialogDraft } from '../../session/dialog-draft.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { allIds } from '../../ui/tree/check-tree.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { Pane } from '../role/index.ts'

interface TopGrantProps {
  readonly tops: readonly ShownRow<typeof topmenu>[]
  readonly onClose: () => void
  readonly onDone: () => void
}

const any = () => true

/** Of the pages under top menus those that may be chosen here. */
function ownOf(nodes: Parameters<typeof allIds>[0], keys: readonly string[]): string[] {
  const own = allIds(nodes)
  return keys.filter((id) => own.has(id)).sort()
}

/** Which pages stand under top menus. */
export function TopGrantDialog({ tops, onClose, onDone }: TopGrantProps) {
  const t = useT()
  const language = useLanguage()
  const task = useTask()
  const ids = tops.map(({ id }) => id)
  const found = useQuery({
    queryKey: ['topmenu-grant', ids],
    queryFn: async ({ signal }) => {
      const options = { signal, silent: true }
      const [tree, keys] = await Promise.all([
        call(topMenuTree, {}, options),
        call(topMenuKeys, { topMenuIds: ids }, options),
      ])
      return { nodes: tree.menu, keys }
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const stored = useMemo(() => found.data && ownOf(found.data.nodes, found.data.keys.menu), [found.data])
  const draft = useDialogDraft(`topmenu-grant:${ids.join()}`, stored)
  const ticked = useMemo(() => new Set(draft.value), [draft.value])
  const queries = useQueryClient()
  const [isMet, setMet] = useState(false)
  /** Somebody else has changed them: what was ticked here is looked at again over theirs. */
  const meet = async () => {
    const { nodes } = found.data!
    const keys = await call(topMenuKeys, { topMenuIds: ids }, { silent: true })
    const theirs = ownOf(nodes, keys.menu)
    draft.meet(theirs, [...metTicks(new Set(stored), ticked, new Set(theirs))].sort())
    queries.setQueryData(['topmenu-grant', ids], { nodes, keys })
    setMet(true)
  }
  const save = async () => {
    const wish = { topMenuIds: ids, menuIds: [...ticked].sort(), stamp: found.data?.keys.stamp }
    if (!(await task.run(() => call(assignToTopMenus, wish, { silent: true }).then(() => {}), meet))) return
    draft.done()
    onDone()
  }
  const names = tops.map((top) => String((language === 'en' && top.nameEn) || top.name)).join(t('entity.separator'))
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
      unsaved={draft.unsaved}
    >
      {isMet && (
        <p className="banner banner-warn" role="alert">
          {t('dialog.met')}
        </p>
      )}
      {tops.length > 1 && <p className="dlg-note">{t('topmenu.alike', { count: tops.length })}</p>}
      <div className="grant-wait">
        <QueryStates query={found}>
          {({ nodes }) => (
            <Pane
              label={label}
              nodes={nodes}
              checked={ticked}
              onChange={(next) => draft.put([...next].sort())}
              isItem={any}
            />
          )}
        </QueryStates>
      </div>
    </Dialog>
  )
}
