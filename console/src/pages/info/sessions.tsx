import { endMySessions, mySessions } from '@data-brain/contract/calls/account'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { useTab } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'
import { deviceOf } from '../session/index.ts'
import { InfoQuery } from './query-states.tsx'

const minute = (moment: string): string => moment.slice(0, 16)

/** Where one is logged in, and the way to end it there; it holds on the next call of that browser. */
export function MySessions() {
  const t = useT()
  const { active } = useTab()
  const found = useQuery({
    queryKey: ['info', 'sessions'],
    queryFn: ({ signal }) => call(mySessions, {}, { signal, silent: true }),
    staleTime: 0,
    refetchInterval: active ? 60_000 : false,
  })
  const others = found.data?.filter((session) => session.own !== 1) ?? []
  const end = async (title: string, ids: readonly string[] | undefined) => {
    if (!(await askConfirmation({ title, body: t('security.endBody'), danger: true, okText: t('security.end') })))
      return
    try {
      await call(endMySessions, { ids })
      toast.success(t('security.ended'))
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
    await found.refetch()
  }
  return (
    <>
      <p className="info-text">{t('security.sessionsText')}</p>
      <InfoQuery query={found}>
        <ul className="info-list">
          {found.data?.map((session) => {
            const device = deviceOf(session.agent, t)
            return (
              <li key={session.id} className="info-line">
                <strong title={session.agent ?? undefined}>
                  {device} {session.own === 1 && <span className="tag tag-good">{t('security.thisBrowser')}</span>}
                </strong>
                <span className="info-note">
                  {t(session.own === 1 ? 'security.sessionHere' : 'security.sessionNote', {
                    address: session.address || '—',
                    used: minute(session.lastUsed),
                    since: minute(session.createdAt),
                  })}
                </span>
                {session.own !== 1 && (
                  <button
                    type="button"
                    className="button"
                    aria-label={t('security.endOf', { device })}
                    onClick={() => void end(t('security.endAsk', { device }), [session.id])}
                  >
                    {t('security.end')}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
        {others.length > 0 && (
          <div className="info-acts">
            <button
              type="button"
              className="button"
              onClick={() => void end(t('security.endOthersAsk', { count: others.length }), undefined)}
            >
              {t('security.endOthers')}
            </button>
          </div>
        )}
      </InfoQuery>
    </>
  )
}
