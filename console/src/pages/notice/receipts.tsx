import { type notice, user } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { noticeReceipts, remindOfNotice } from '@data-brain/contract/calls/notice'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useEffect, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { useCan } from '../../session/session.ts'
import { newsStore } from '../../session/unread.ts'
import { Icon } from '../../ui/icon.tsx'
import { useScreenClass } from '../../ui/screen.ts'
import { useStore } from '../../ui/store.ts'
import { TabRow } from '../../ui/tab-row.tsx'
import { PAGE_SIZES } from '../../ui/table/page-size.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { useOwnPaging } from '../../ui/table/paging.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

type Receipts = AnswerOf<typeof noticeReceipts>

type Which = 'unconfirmed' | 'confirmed' | 'unread' | 'read' | 'all'
const flags: Readonly<Record<Which, { read?: 0 | 1; confirmed?: 0 | 1 }>> = {
  unconfirmed: { confirmed: 0 },
  confirmed: { confirmed: 1 },
  unread: { read: 0 },
  read: { read: 1 },
  all: {},
}

/** Somebody whom a notice is for, by the class or the department that tells people apart, and what they have answered. */
function Person({ row }: { row: Receipts['records'][number] }) {
  const t = useT()
  const { className, deptName, confirmedAt, readAt } = row
  const beside = [...(className ? [t('notice.headOf', { name: className })] : []), ...(deptName ? [deptName] : [])]
  return (
    <>
      <span>
        {row.realName}
        {beside.map((text) => (
          <span key={text} className="muted">
            {' '}
            {text}
          </span>
        ))}
      </span>
      <span className={confirmedAt ? undefined : 'muted'}>
        {confirmedAt
          ? t('notice.receiptAt', { time: confirmedAt.slice(5, 16) })
          : readAt
            ? t('notice.readAt', { time: readAt.slice(5, 16) })
            : t('notice.notRead')}
      </span>
    </>
  )
}

/** Reminds those who have not answered: how many they are stands on the button, who reminded last beneath it. */
function Remind({ id, asks, found }: { id: string; asks: boolean; found: Receipts }) {
  const t = useT()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { reminded } = found
  const count = asks ? found.unconfirmed : found.unread
  const wait = Math.ceil((reminded?.wait ?? 0) / 60)
  const press = async () => {
    setBusy(true)
    try {
      const { people } = await call(remindOfNotice, { id })
      toast.success(t('notice.reminded', { count: people }))
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: ['notice', 'receipts', id] })
    }
  }
  return (
    <div className="receipt-remind">
      <button
        type="button"
        className="button primary"
        aria-busy={busy}
        disabled={busy || count === 0 || wait > 0}
        onClick={() => void press()}
      >
        <Icon name="bell" size={16} />
        {t(asks ? 'notice.remindUnconfirmed' : 'notice.remindUnread', { count })}
      </button>
      {reminded && (
        <span className="muted" role="status">
          {t('notice.remindedBy', {
            time: reminded.time.slice(5, 16),
            name: reminded.userName,
            count: reminded.people,
          })}
          {wait > 0 && t('notice.remindWait', { count: wait })}
        </span>
      )}
    </div>
  )
}

/** What is out alone is worth a reminder; the dictionary notice_status has it as 2, or 1 until its state says so. */
const isOut = (row: ShownRow<typeof notice>): boolean => Number(row.status) === 2

/** A page of the receipts of a notice; answers come in while one looks on. */
function useReceipts(id: string, which: Which, current: number, size: number) {
  const queries = useQueryClient()
  const news = useStore(newsStore)
  const found = useQuery({
    queryKey: ['notice', 'receipts', id, which, current, size],
    queryFn: ({ signal }) => call(noticeReceipts, { id, ...flags[which], current, size }, { signal, silent: true }),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count says that there is news, and is asked for nothing else
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['notice', 'receipts', id] })
  }, [queries, id, news])
  return found
}

/** How many have answered, in the record of a notice, with the reminder and the way to their names. */
export function ReceiptsLine({ row, onOpen }: { row: ShownRow<typeof notice>; onOpen: () => void }) {
  const t = useT()
  const can = useCan()
  const asks = Number(row.needRead) === 1
  const { data } = useReceipts(row.id, asks ? 'unconfirmed' : 'unread', 1, PAGE_SIZES[0])
  if (!data) return null
  const { read, unread, confirmed, unconfirmed } = data
  return (
    <>
      <p className="receipt-sum">
        {asks ? t('notice.receiptsSum', { read, confirmed, unconfirmed }) : t('notice.readSum', { read, unread })}{' '}
        <button type="button" className="link-button" onClick={onOpen}>
          {t('notice.receipts')}
        </button>
      </p>
      {isOut(row) && can('notice_publish') && <Remind id={row.id} asks={asks} found={data} />}
    </>
  )
}

/** Who has read a notice, who has confirmed that, and who of those it is for has not. */
export function ReceiptsDrawer({ row, onClose }: { row: ShownRow<typeof notice>; onClose: () => void }) {
  const t = useT()
  const can = useCan()
  const screen = useScreenClass()
  const { id } = row
  const asks = Number(row.needRead) === 1
  const [which, setWhich] = useState<Which>(asks ? 'unconfirmed' : 'unread')
  const { current, size, onPage, onSize } = useOwnPaging()
  const found = useReceipts(id, which, current, size)
  const { read = 0, unread = 0, confirmed = 0, unconfirmed = 0, records = [], total = 0 } = found.data ?? {}
  const tabs = {
    unconfirmed: t('notice.receiptsUnconfirmed', { count: unconfirmed }),
    confirmed: t('notice.receiptsConfirmed', { count: confirmed }),
    unread: t('notice.receiptsUnread', { count: unread }),
    read: t('notice.receiptsRead', { count: read }),
    all: t('notice.receiptsAll', { count: read + unread }),
  }
  const shown: readonly Which[] = asks ? ['unconfirmed', 'confirmed', 'read', 'all'] : ['unread', 'read', 'all']
  return (
    <Drawer
      open
      closable={{ placement: 'end' }}
      size={screen <= 1 ? '100%' : 560}
      title={t('notice.receiptsOf', { name: row.title })}
      onClose={onClose}
    >
      {asks && found.data && <p className="receipt-sum">{t('notice.receiptsSum', { read, confirmed, unconfirmed })}</p>}
      {found.data && isOut(row) && can('notice_publish') && <Remind id={id} asks={asks} found={found.data} />}
      <TabRow
        label={t('notice.receipts')}
        items={shown.map((key) => ({ key, label: tabs[key] }))}
        value={which}
        onChange={(key) => {
          setWhich(key as Which)
          onPage(1)
        }}
      >
        {found.isError ? (
          <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
        ) : !found.data ? (
          <p role="status">{t('notice.loading')}</p>
        ) : records.length === 0 ? (
          <p className="notices-none">{t('notice.receiptsNone')}</p>
        ) : (
          <ul className="receipt-list">
            {records.map((one) => (
              <li key={one.userId}>
                <Person row={one} />
              </li>
            ))}
          </ul>
        )}
        {total > PAGE_SIZES[0] && (
          <Pager
            total={total}
            current={current}
            size={size}
            onPage={onPage}
            onSize={onSize}
            label={t('notice.receiptsPager')}
            unit={user.measure}
          />
        )}
      </TabRow>
    </Drawer>
  )
}
