import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import { Failed } from '../../entity/empty.tsx'
import { TabRow } from '../../ui/overlay.tsx'
import { useScreenClass } from '../../ui/screen.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { useOwnPaging } from '../../ui/table/paging.ts'
import { useT } from '../../ui/words.ts'
import { readReceipts } from './calls.ts'

type Which = 'all' | 'read' | 'unread'
const flags = { all: undefined, read: 1, unread: 0 } as const

/** Who has read a notice, and who has not. */
export function ReceiptsDrawer({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const t = useT()
  const screen = useScreenClass()
  const [which, setWhich] = useState<Which>('all')
  const { current, size, onPage, onSize } = useOwnPaging()
  const found = useQuery({
    queryKey: ['notice', 'receipts', id, which, current, size],
    queryFn: ({ signal }) => readReceipts({ id, read: flags[which], current, size }, signal),
    staleTime: 0,
    retry: false,
  })
  const { read = 0, unread = 0, records = [], total = 0 } = found.data ?? {}
  return (
    <Drawer open size={screen <= 1 ? '100%' : 520} title={t('notice.receiptsOf', { name: title })} onClose={onClose}>
      <TabRow
        label={t('notice.receipts')}
        items={[
          { key: 'all', label: t('notice.receiptsAll', { count: read + unread }) },
          { key: 'read', label: t('notice.receiptsRead', { count: read }) },
          { key: 'unread', label: t('notice.receiptsUnread', { count: unread }) },
        ]}
        value={which}
        onChange={(key) => {
          setWhich(key as Which)
          onPage(1)
        }}
      >
        {found.isError ? (
          <Failed problem={found.error} onRetry={() => void found.refetch()} />
        ) : !found.data ? (
          <p role="status">{t('notice.loading')}</p>
        ) : records.length === 0 ? (
          <p className="notices-none">{t('notice.receiptsNone')}</p>
        ) : (
          <ul className="receipt-list">
            {records.map((row) => (
              <li key={row.userId}>
                <span>
                  {row.realName}
                  {row.deptName && <span className="muted"> {row.deptName}</span>}
                </span>
                <span className={row.readAt ? undefined : 'muted'}>{row.readAt ?? t('notice.notRead')}</span>
              </li>
            ))}
          </ul>
        )}
        <Pager total={total} current={current} size={size} onPage={onPage} onSize={onSize} />
      </TabRow>
    </Drawer>
  )
}
