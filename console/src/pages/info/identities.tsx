import type { AnswerOf } from '@data-brain/contract/call'
import { myIdentities, unlinkIdentity } from '@data-brain/contract/calls/account'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { beginLink, takeLinkNote } from '../../session/social.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useLanguage, useT } from '../../ui/words.ts'
import { InfoQuery } from './query-states.tsx'

type Mine = AnswerOf<typeof myIdentities>
type Provider = Mine['providers'][number]
type Identity = Mine['identities'][number]

/** The accounts elsewhere by which one may log in, and those that can be added. */
export function Identities() {
  const t = useT()
  const language = useLanguage()
  const found = useQuery({
    queryKey: ['info', 'identities'],
    queryFn: ({ signal }) => call(myIdentities, {}, { signal, silent: true }),
  })
  useEffect(() => {
    // How a link that led to the provider and back has ended.
    const note = takeLinkNote()
    if (note) toast[note.ok ? 'success' : 'error'](note.text)
  }, [])
  const nameOf = ({ name, nameEn }: Provider): string => (language === 'en' && nameEn) || name
  const unlink = async (identity: Identity) => {
    const provider = nameOf(identity)
    const title = t('security.unlinkAsk', { provider })
    if (!(await askConfirmation({ title, body: t('security.unlinkBody'), danger: true, okText: t('security.unlink') })))
      return
    try {
      await call(unlinkIdentity, { id: identity.id })
      toast.success(t('security.unlinked'))
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
    await found.refetch()
  }
  const { identities = [], providers = [] } = found.data ?? {}
  return (
    <>
      <p className="info-text">
        {t(
          found.data && identities.length + providers.length === 0 ? 'security.noProviders' : 'security.identitiesText',
        )}
      </p>
      <InfoQuery query={found}>
        {identities.length > 0 && (
          <ul className="info-list">
            {identities.map((identity) => (
              <li key={identity.id} className="info-line">
                <strong>
                  {nameOf(identity)}
                  {identity.socialName && ` · ${identity.socialName}`}
                </strong>
                <span className="info-note">
                  {t(identity.lastUsed ? 'security.linkedUsed' : 'security.linked', {
                    since: identity.linkedAt.slice(0, 16),
                    used: identity.lastUsed?.slice(0, 16) ?? '',
                  })}
                </span>
                <button
                  type="button"
                  className="button"
                  aria-label={t('security.unlinkOf', { provider: nameOf(identity) })}
                  onClick={() => void unlink(identity)}
                >
                  {t('security.unlink')}
                </button>
              </li>
            ))}
          </ul>
        )}
        {providers.length > 0 && (
          <div className="info-acts">
            {providers.map((provider) => (
              <button
                key={provider.source}
                type="button"
                className="button"
                onClick={() => void beginLink(provider.source)}
              >
                {t('security.link', { provider: nameOf(provider) })}
              </button>
            ))}
          </div>
        )}
      </InfoQuery>
    </>
  )
}
