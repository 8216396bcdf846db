import { guest as entity } from '@data-brain/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { BulkAction } from '../../entity/bulk/index.ts'
import { refresh, type ShownRow } from '../../entity/data/index.ts'
import { EntityPage, type OffersAction, type RowAction } from '../../entity/list/index.ts'
import { guestWords } from '../../locales/guest.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { ApproveDialog, RefuseDialog } from './dialogs.tsx'
import '../../entity/form/form.css'

addWords(guestWords)

type Opened =
  | { readonly kind: 'approve'; readonly guest: ShownRow<typeof entity> }
  | { readonly kind: 'refuse'; readonly guests: readonly ShownRow<typeof entity>[] }

const waits = (row: ShownRow<typeof entity>): boolean => row.status === 0
/** Only what has not been decided can be. */
const offers: OffersAction<typeof entity> = (row, action) =>
  action === 'approve' || action === 'refuse' ? waits(row) : true

/** Who asked for an account after a social log-in, and what is decided of it. */
export default function GuestPage() {
  const t = useT()
  const queries = useQueryClient()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const rowActions = useMemo<readonly RowAction<typeof entity>[]>(
    () => [
      {
        key: 'approve',
        label: t('guest.approve'),
        icon: 'circle-check',
        code: 'guest_approve',
        run: (guest) => setOpened({ kind: 'approve', guest }),
      },
      {
        key: 'refuse',
        label: t('guest.refuse'),
        icon: 'circle-x',
        code: 'guest_refuse',
        run: (guest) => setOpened({ kind: 'refuse', guests: [guest] }),
      },
    ],
    [t],
  )
  const bulkActions = useMemo<readonly BulkAction<ShownRow<typeof entity>>[]>(
    () => [
      {
        key: 'refuse',
        label: t('guest.refuse'),
        icon: 'circle-x',
        code: 'guest_refuse',
        run: (rows) => {
          const guests = rows.filter(waits)
          if (guests.length > 0) setOpened({ kind: 'refuse', guests })
        },
      },
    ],
    [t],
  )
  const done = (text: 'guest.approved' | 'guest.refused') => {
    close()
    toast.success(t(text))
    void refresh(queries, entity.name)
    if (text === 'guest.approved') void refresh(queries, 'user')
  }
  return (
    <>
      <EntityPage entity={entity} rowActions={rowActions} bulk={{ actions: bulkActions }} offers={offers} />
      {opened?.kind === 'approve' && (
        <ApproveDialog guest={opened.guest} onClose={close} onDone={() => done('guest.approved')} />
      )}
      {opened?.kind === 'refuse' && (
        <RefuseDialog guests={opened.guests} onClose={close} onDone={() => done('guest.refused')} />
      )}
    </>
  )
}
