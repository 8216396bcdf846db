import {
  type CalendarFeed,
  calendarFeeds,
  makeCalendarFeed,
  withdrawCalendarFeed,
} from '@data-brain/contract/calls/calendar-feed'
import { ownClasses } from '@data-brain/contract/calls/school'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useTask } from '../../entity/data/index.ts'
import { QueryStates } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { AntdRoot } from '../../ui/antd.tsx'
import { askConfirmation } from '../../ui/confirm.tsx'
import { copyText } from '../../ui/dialog/copy.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { type Translate, useT } from '../../ui/words.ts'

const feedsKey = ['plan', 'feeds']
/** The choice that is no class. */
const OWN = ''

const nameOf = ({ kind, targetName }: CalendarFeed, t: Translate): string =>
  kind === 'own' ? t('ownWeek.title') : (targetName ?? '')

/** Addresses under which a calendar program reads a week: made here, shown once, and withdrawn. */
export default function Feeds({ onClose }: { onClose: () => void }) {
  const t = useT()
  const field = useId()
  const queries = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  const { busy, failure, run } = useTask()
  const [classId, setClassId] = useState(OWN)
  const [address, setAddress] = useState<string | null>(null)
  const feeds = useQuery({
    queryKey: feedsKey,
    queryFn: ({ signal }) => call(calendarFeeds, {}, { signal, silent: true }),
    retry: false,
  })
  const classes = useQuery({
    queryKey: ['plan', 'classes'],
    queryFn: ({ signal }) => call(ownClasses, {}, { signal, silent: true }),
    retry: false,
  })
  const make = () =>
    run(async () => {
      const asked = classId === OWN ? ({ kind: 'own' } as const) : ({ kind: 'class', classId } as const)
      const made = await call(makeCalendarFeed, asked, { silent: true })
      setAddress(made.address ?? `${window.location.origin}${made.path}`)
      await queries.invalidateQueries({ queryKey: feedsKey })
    })
  const withdraw = async (feed: CalendarFeed) => {
    const name = nameOf(feed, t)
    const sure = await askConfirmation({
      title: t('ownWeek.withdrawAsk', { name }),
      body: t('ownWeek.withdrawNote'),
      danger: true,
      okText: t('ownWeek.withdraw'),
    })
    if (!sure) return
    await run(async () => {
      await call(withdrawCalendarFeed, { id: feed.id }, { silent: true })
      await queries.invalidateQueries({ queryKey: feedsKey })
      toast.success(t('ownWeek.withdrawn', { name }))
    })
  }
  return (
    <AntdRoot>
      <Dialog
        title={t('ownWeek.subscribe')}
        width={600}
        okText={t('ownWeek.feedMake')}
        onOk={() => void make()}
        cancelText={t('common.close')}
        busy={busy}
        failure={failure}
        onClose={onClose}
      >
        <div ref={place} className="own-week-feeds">
          <p className="muted">{t('ownWeek.feedHelp')}</p>
          <div className="field">
            <label htmlFor={field}>{t('ownWeek.feedOf')}</label>
            <select id={field} className="input" value={classId} onChange={({ target }) => setClassId(target.value)}>
              <option value={OWN}>{t('ownWeek.title')}</option>
              {classes.data?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          {address && (
            <div className="alert" role="status">
              <p>{t('ownWeek.feedOnce')}</p>
              <code>{address}</code>
              <button type="button" className="button small" onClick={() => void copyText(address, place.current)}>
                {t('dialog.copy')}
              </button>
            </div>
          )}
          <QueryStates query={feeds}>
            {(all) => (
              <ul>
                {all
                  .filter(({ withdrawnAt }) => withdrawnAt === null)
                  .map((feed) => (
                    <li key={feed.id}>
                      <strong>{nameOf(feed, t)}</strong>
                      <span className="muted">{t('ownWeek.feedMade', { at: feed.madeAt })}</span>
                      <span className="muted">
                        {feed.readAt ? t('ownWeek.feedRead', { at: feed.readAt }) : t('ownWeek.feedUnread')}
                      </span>
                      <button
                        type="button"
                        className="button small"
                        aria-label={t('ownWeek.withdrawOf', { name: nameOf(feed, t) })}
                        onClick={() => void withdraw(feed)}
                      >
                        {t('ownWeek.withdraw')}
                      </button>
                    </li>
                  ))}
              </ul>
            )}
          </QueryStates>
        </div>
      </Dialog>
    </AntdRoot>
  )
}
