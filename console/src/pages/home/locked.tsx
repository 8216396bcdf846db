import { unlockUsers } from '@data-brain/contract/calls/user'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { adminHomeWords } from '../../locales/home-admin.ts'
import { listAddress, pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { Link } from '../../ui/place.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'

import type { Figure, LockedAccount } from './summary.ts'

addWords(adminHomeWords)

/** The accounts that wrong passwords have locked, each opened where it stands. */
export function Locked({ accounts, all }: { accounts: readonly LockedAccount[]; all: Figure | undefined }) {
  const t = useT()
  const mayUnlock = useCan()('user_reset')
  const queries = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const list = all && listAddress(all.code, all.query)
  const unlock = async ({ id, name }: LockedAccount) => {
    setBusy(id)
    try {
      await call(unlockUsers, { userIds: [id] }, { silent: true })
      toast.success(t('home.unlocked'), name)
      // The line goes with its button: one goes on from the heading.
      heading.current?.focus()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      toast.error(problem.message || t('spec.unknownError'))
    }
    // With the lists, which home does not bring.
    const { refresh } = await import('../../entity/data/client.ts')
    await refresh(queries, 'user')
    setBusy(null)
  }
  return (
    <section className="card" aria-labelledby="home-locked">
      <div className="card-head">
        <h2 id="home-locked" ref={heading} tabIndex={-1}>
          {t('home.lockedAccounts')}
        </h2>
        {all && all.count > accounts.length && list && (
          <Link to={list}>{t('home.allLocked', { count: all.count })}</Link>
        )}
      </div>
      {accounts.length === 0 && <p className="muted">{t('home.noneLocked')}</p>}
      <ul className="facts">
        {accounts.map((each) => {
          const user = pathOf('user')
          return (
            <li key={each.id}>
              <span>
                {user ? <Link to={`${user}?id=${each.id}`}>{each.name}</Link> : each.name}{' '}
                <span className="muted">{t('home.lockedFor', { account: each.account, minutes: each.minutes })}</span>
              </span>
              {mayUnlock && (
                <button
                  type="button"
                  className="button small"
                  disabled={busy === each.id}
                  aria-label={t('home.unlockNamed', { name: each.name })}
                  onClick={() => void unlock(each)}
                >
                  {t('home.unlock')}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
