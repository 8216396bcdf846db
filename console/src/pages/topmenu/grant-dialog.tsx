import type { topmenu } from '@data-brain/contract'
import { assignToTopMenus, topMenuKeys, topMenuTree } from '@data-brain/contract/calls/menu'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ShownRow, useTask } from '../../entity/data/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { useDialogDraft } from '../../session/dialog-draft.ts'
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
      return { nodes: tree.menu, keys: keys.menu }
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const stored = useMemo(() => {
    if (!found.data) return undefined
    const own = allIds(found.data.nodes)
    return found.data.keys.filter((id) => own.has(id)).sort()
  }, [found.data])
  const draft = useDialogDraft(`topmenu-grant:${ids.join()}`, stored)
  const ticked = useMemo(() => new Set(draft.value), [draft.value])
  const save = async () => {
    const wish = { topMenuIds: ids, menuIds: [...ticked].sort() }
    if (!(await task.run(async () => void (await call(assignToTopMenus, wish, { silent: true }))))) return
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
