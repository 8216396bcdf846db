import { useEffect, useRef } from 'react'
import { securityWords } from '../../locales/security.ts'
import { sessionWords } from '../../locales/session.ts'
import { useSession } from '../../session/session.ts'
import { addWords, useT } from '../../ui/words.ts'
import { Identities } from './identities.tsx'
import type { PartProps } from './lazy-tab.tsx'
import { SecondFactor } from './second.tsx'
import { MySessions } from './sessions.tsx'

addWords({ ...sessionWords, ...securityWords })

/** How one logs in, beside the password: second factor, accounts elsewhere, and where one is logged in. */
export default function SecurityTab({ part }: PartProps) {
  const t = useT()
  const session = useSession()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const asked = ref.current?.querySelector(`[data-part="${CSS.escape(part)}"]`)
    asked?.scrollIntoView?.({ block: 'start' })
  }, [part])
  if (!session) return null
  return (
    <div ref={ref}>
      {session.mustSecond && (
        <p className="alert" role="status">
          {t('security.mustSecond')}
        </p>
      )}
      <section className="info-part" data-part="second" aria-labelledby="second-title">
        <h2 id="second-title">{t('security.second')}</h2>
        <SecondFactor session={session} />
      </section>
      {!session.mustSecond && (
        <>
          <section className="info-part" data-part="identities" aria-labelledby="identities-title">
            <h2 id="identities-title">{t('security.identities')}</h2>
            <Identities />
          </section>
          <section className="info-part" data-part="sessions" aria-labelledby="sessions-title">
            <h2 id="sessions-title">{t('security.sessions')}</h2>
            <MySessions />
          </section>
        </>
      )}
    </div>
  )
}
