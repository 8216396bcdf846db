import { notice } from '@data-brain/contract'
import { noticeAudience, publishNotices, withdrawNotices } from '@data-brain/contract/calls/notice'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { BulkAction } from '../../entity/bulk/index.ts'
import { refresh, type ShownRow, useRow } from '../../entity/data/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import {
  type Cells,
  EntityPage,
  type ListSlots,
  LoadFailed,
  type OffersAction,
  type RowAction,
} from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { noticeWords } from '../../locales/notice.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { timeOf } from '../../ui/instant.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { NoticeText } from '../inbox/index.ts'
import { formParts } from './form.tsx'
import { withPictures } from './pictures.ts'
import { Reach } from './reach.tsx'
import { ReceiptsDrawer, ReceiptsLine } from './receipts.tsx'
import './page.css'

addWords(noticeWords)

/** States, as the dictionary notice_status has them. */
const [draft, scheduled, published, withdrawn] = [0, 1, 2, 3]

const offers: OffersAction<typeof notice> = (row, action) => {
  const quiet = row.status === draft || row.status === withdrawn
  if (action === 'publish' || action === 'delete') return quiet
  if (action === 'withdraw') return row.status === scheduled || row.status === published
  if (action === 'edit') return row.status !== published
  if (action === 'receipts') return row.status === published || row.status === withdrawn
  return true
}

/** The text of a notice as its readers see it. */
function Content({ html }: { html: string }) {
  const text = useQuery({
    queryKey: ['notice', 'preview', html],
    queryFn: ({ signal }) => withPictures(html, signal),
    enabled: html !== '',
    retry: false,
  })
  return <NoticeText html={text.data ?? ''} />
}

const cells: Cells<typeof notice> = { content: ({ content }) => (content ? <Content html={String(content)} /> : null) }

function Preview({ row, onClose }: { row: ShownRow<typeof notice>; onClose: () => void }) {
  const t = useT()
  const found = useRow(notice, row.id)
  return (
    <Dialog title={t('notice.previewOf')} width={760} onClose={onClose}>
      {found.isError ? (
        <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <article className="notice-read">
          <h2>{row.title}</h2>
          <Content html={String(found.data?.content ?? '')} />
        </article>
      )}
    </Dialog>
  )
}

/** Notices: the generic list and form, the editor in it, publishing, withdrawing, and who has read. */
export default function NoticePage() {
  const t = useT()
  const queries = useQueryClient()
  const [seen, setSeen] = useState<ShownRow<typeof notice> | null>(null)
  const [asked, setAsked] = useState<ShownRow<typeof notice> | null>(null)

  const work = useCallback(
    async (ask: () => Promise<unknown>): Promise<boolean> => {
      try {
        await ask()
        return true
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
        return false
      } finally {
        await refresh(queries, notice.name)
      }
    },
    [queries],
  )

  /** Says that notices are out, or will be, with the way back. */
  const tellOut = useCallback(
    (ids: readonly string[], waits: boolean) =>
      toast.success(t(waits ? 'notice.scheduled' : 'notice.published'), undefined, {
        label: t('notice.undo'),
        run: () =>
          void work(() => call(withdrawNotices, { ids })).then((back) => back && toast.success(t('notice.withdrawn'))),
      }),
    [t, work],
  )
  const parts: FormParts = useMemo(
    () => ({
      ...formParts,
      finish: {
        code: 'notice_publish',
        offered: (row) => row === null || row.status === draft || row.status === withdrawn,
        label: 'notice.publish',
        keep: 'notice.saveDraft',
        values: { publish: 1 },
        Note: Reach,
        done: (row) => tellOut([row.id], row.status === scheduled),
      },
    }),
    [tellOut],
  )

  const putOut = useCallback(
    async (rows: readonly ShownRow<typeof notice>[]) => {
      const [first] = rows
      if (!first) return
      const later = rows.length === 1 && timeOf(first.releaseTime) > Date.now()
      const ids = rows.map((row) => row.id)
      const reach = await call(noticeAudience, { ids }, { silent: true }).then(
        ({ people }) => t(people > 0 ? 'notice.reach' : 'notice.reachNobody', { count: people }),
        (problem: unknown) => {
          if (!(problem instanceof HttpProblem)) throw problem
          return t('notice.reachFailed')
        },
      )
      const sure = await askConfirmation({
        title:
          rows.length === 1
            ? t('notice.publishAsk', { name: first.title })
            : t('notice.publishMany', { count: rows.length }),
        body: later ? t('notice.publishLater', { reach, time: first.releaseTime }) : t('notice.publishNow', { reach }),
        okText: t('notice.publish'),
      })
      if (!sure) return
      let done: readonly { status: number }[] = []
      const out = await work(async () => {
        done = await call(publishNotices, { ids })
      })
      if (!out) return
      tellOut(
        ids,
        done.every((each) => each.status === scheduled),
      )
    },
    [t, work, tellOut],
  )

  const takeBack = useCallback(
    async (rows: readonly ShownRow<typeof notice>[]) => {
      const [first] = rows
      if (!first) return
      const sure = await askConfirmation({
        title:
          rows.length === 1
            ? t('notice.withdrawAsk', { name: first.title })
            : t('notice.withdrawMany', { count: rows.length }),
        body: t('notice.withdrawBody'),
        danger: true,
        okText: t('notice.withdraw'),
      })
      if (sure && (await work(() => call(withdrawNotices, { ids: rows.map((row) => row.id) }))))
        toast.success(t('notice.withdrawn'))
    },
    [t, work],
  )

  const actions: readonly RowAction<typeof notice>[] = useMemo(
    () => [
      {
        key: 'publish',
        label: t('notice.publish'),
        icon: 'send',
        code: 'notice_publish',
        run: (row) => void putOut([row]),
      },
      {
        key: 'withdraw',
        label: t('notice.withdraw'),
        icon: 'undo-2',
        code: 'notice_publish',
        run: (row) => void takeBack([row]),
      },
      { key: 'preview', label: t('notice.preview'), icon: 'scroll-text', run: setSeen },
      { key: 'receipts', label: t('notice.receipts'), icon: 'users-round', run: setAsked },
    ],
    [t, putOut, takeBack],
  )
  const bulk: readonly BulkAction<ShownRow<typeof notice>>[] = useMemo(
    () => [
      {
        key: 'publish',
        label: t('notice.publish'),
        icon: 'send',
        code: 'notice_publish',
        run: (rows, done) => void putOut(rows).then(done),
      },
      {
        key: 'withdraw',
        label: t('notice.withdraw'),
        icon: 'undo-2',
        code: 'notice_publish',
        run: (rows, done) => void takeBack(rows).then(done),
      },
    ],
    [t, putOut, takeBack],
  )
  // Keeps its identity: the record draws it anew otherwise.
  const slots: ListSlots<typeof notice> = useMemo(
    () => ({
      recordTop: ({ record }) =>
        offers(record, 'receipts') ? <ReceiptsLine row={record} onOpen={() => setAsked(record)} /> : null,
    }),
    [],
  )
  return (
    <>
      <EntityPage
        entity={notice}
        cells={cells}
        rowActions={actions}
        bulk={{ actions: bulk }}
        offers={offers}
        form={{ parts }}
        slots={slots}
      />
      {seen && <Preview row={seen} onClose={() => setSeen(null)} />}
      {asked && <ReceiptsDrawer row={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
