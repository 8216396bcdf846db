import { topmenu as entity } from '@data-brain/contract'
import { useCallback, useMemo, useState } from 'react'
import type { BulkAction } from '../../entity/bulk/index.ts'
import type { ShownRow } from '../../entity/data/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { type Cells, EntityPage, type RowAction } from '../../entity/list/index.ts'
import { menuWords } from '../../locales/menu.ts'
import { roleWords } from '../../locales/role.ts'
import { topmenuWords } from '../../locales/topmenu.ts'
import { loadSession } from '../../session/load.ts'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { IconInput } from '../menu/index.ts'
import { TopGrantDialog } from './grant-dialog.tsx'

addWords({ ...menuWords, ...roleWords, ...topmenuWords })

const cells: Cells<typeof entity> = {
  source: ({ source }) =>
    source ? (
      <span className="swatch">
        <Icon name={source} size={16} /> {source}
      </span>
    ) : null,
}

const formParts: FormParts = { inputs: { source: IconInput } }

/** The headings at the top of the console, and which pages stand under each. */
export default function TopMenuPage() {
  const t = useT()
  const [opened, setOpened] = useState<readonly ShownRow<typeof entity>[] | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const action = useMemo(
    () => ({ key: 'grant', label: t('topmenu.grant'), icon: 'list-tree', code: 'topmenu_setting' }),
    [t],
  )
  const rowActions = useMemo<readonly RowAction<typeof entity>[]>(
    () => [{ ...action, run: (top) => setOpened([top]) }],
    [action],
  )
  const bulkActions = useMemo<readonly BulkAction<ShownRow<typeof entity>>[]>(
    () => [{ ...action, run: (tops) => setOpened(tops) }],
    [action],
  )
  // The menus above this very page have changed.
  const changed = useCallback(() => void loadSession(), [])
  return (
    <>
      <EntityPage
        entity={entity}
        rowActions={rowActions}
        bulk={{ actions: bulkActions }}
        cells={cells}
        form={{ parts: formParts, onSaved: changed }}
      />
      {opened && (
        <TopGrantDialog
          tops={opened}
          onClose={close}
          onDone={() => {
            close()
            toast.success(t('topmenu.granted'))
            changed()
          }}
        />
      )}
    </>
  )
}
