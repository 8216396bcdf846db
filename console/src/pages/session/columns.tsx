import type { AnswerOf } from '@data-brain/contract/call'
import type { sessions } from '@data-brain/contract/calls/session'
import { Icon } from '../../ui/icon.tsx'
import { timeOf } from '../../ui/instant.ts'
import type { Column } from '../../ui/table/table.tsx'
import type { Translate } from '../../ui/words.ts'
import { deviceOf } from './device.ts'

/** A log-in that still lives. */
export type OnlineSession = AnswerOf<typeof sessions>['records'][number]

/** The person of a session, by name where there is one. */
export const nameOf = ({ realName, account }: OnlineSession): string => realName || account

const minute = (moment: string) => moment.slice(0, 16)

/** How long ago, as long as that is said sooner than the clock time. */
function agoOf(moment: string, now: number, t: Translate): string {
  const minutes = Math.floor((now - timeOf(moment)) / 60_000)
  if (!(minutes >= 0 && minutes < 60)) return minute(moment)
  return minutes === 0 ? t('session.now') : t('session.minutesAgo', { count: minutes })
}

/** The columns of the list: who, on what, from where, since when. */
export function planOf(t: Translate, mayEnd: boolean, now: number): Column<OnlineSession>[] {
  const columns: Column<OnlineSession>[] = [
    {
      key: 'person',
      label: t('session.person'),
      width: 220,
      title: true,
      pin: 'start',
      cell: (session) => (
        <>
          {nameOf(session)}
          {session.realName && <span className="session-note"> {session.account}</span>}
          {session.own === 1 && <span className="tag tag-good session-own">{t('session.own')}</span>}
        </>
      ),
    },
    {
      key: 'dept',
      label: t('session.dept'),
      width: 140,
      cell: ({ deptName }) => deptName || <span className="none">—</span>,
    },
    {
      key: 'device',
      label: t('session.device'),
      width: 170,
      cell: ({ agent }) => <span title={agent ?? undefined}>{deviceOf(agent, t)}</span>,
    },
    {
      key: 'address',
      label: t('session.address'),
      width: 140,
      cell: ({ address }) => <span className="mono">{address || '—'}</span>,
    },
    {
      key: 'since',
      label: t('session.since'),
      width: 150,
      cell: ({ createdAt }) => <span className="mono">{minute(createdAt)}</span>,
    },
    {
      key: 'lastUsed',
      label: t('session.lastUsed'),
      width: 150,
      cell: ({ lastUsed }) => <span title={lastUsed}>{agoOf(lastUsed, now, t)}</span>,
    },
    {
      key: 'client',
      label: t('session.client'),
      width: 170,
      cell: ({ clientId }) => clientId || <span className="none">—</span>,
    },
  ]
  if (!mayEnd) return columns
  return [
    ...columns,
    {
      key: 'actions',
      label: t('session.actions'),
      width: 48,
      pin: 'end',
      cell: (session) =>
        session.own === 1 ? null : (
          <span className="dt-acts">
            <button
              type="button"
              className="dt-act dt-quiet"
              data-act="end"
              title={t('session.end')}
              aria-label={t('session.endOf', { name: nameOf(session) })}
            >
              <Icon name="log-out" size={16} />
            </button>
          </span>
        ),
    },
  ]
}
