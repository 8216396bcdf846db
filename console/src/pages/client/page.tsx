import { client } from '@data-brain/contract'
import { resetClientSecret } from '@data-brain/contract/calls/client'
import { useCallback, useMemo, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { type Cells, EntityPage, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { clientWords } from '../../locales/client.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { OnceDialog } from '../../ui/dialog/told-once.tsx'
import { addWords, type Translate, useT } from '../../ui/words.ts'
import { durationText } from './duration.ts'
import { formParts } from './form.tsx'
import './page.css'

addWords(clientWords)

const lifetime = (value: unknown, t: Translate) => <span title={String(value)}>{durationText(value, t)}</span>
const cells: Cells<typeof client> = {
  accessTokenValidity: (record, { t }) => lifetime(record.accessTokenValidity, t),
  refreshTokenValidity: (record, { t }) => lifetime(record.refreshTokenValidity, t),
}

/** A client as it is answered to whoever has made it. */
type MadeClient = ShownRow<typeof client> & { readonly clientSecret?: string }

/** A secret that is told now and never again. */
interface Secret {
  readonly title: string
  readonly clientId: string
  readonly secret: string
}

/** The applications that may ask for tokens: the generic list, and their secrets. */
export default function ClientPage() {
  const t = useT()
  const [secret, setSecret] = useState<Secret | null>(null)
  const reset = useCallback(
    async (row: ShownRow<typeof client>) => {
      const { clientId } = row
      const sure = await askConfirmation({
        title: t('client.resetAsk', { name: clientId }),
        body: t('client.resetBody'),
        danger: true,
        okText: t('client.reset'),
      })
      if (!sure) return
      try {
        const { clientSecret } = await call(resetClientSecret, { id: row.id })
        setSecret({ title: t('client.resetDone', { name: clientId }), clientId, secret: clientSecret })
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
    },
    [t],
  )
  const actions: readonly RowAction<typeof client>[] = useMemo(
    () => [
      {
        key: 'reset',
        label: t('client.reset'),
        icon: 'key-round',
        code: 'client_edit',
        run: (row) => void reset(row),
      },
    ],
    [t, reset],
  )
  const saved = useCallback(
    ({ clientId, clientSecret }: MadeClient, isNew: boolean) => {
      if (isNew && clientSecret !== undefined)
        setSecret({ title: t('client.made', { name: clientId }), clientId, secret: clientSecret })
    },
    [t],
  )
  return (
    <>
      <EntityPage entity={client} cells={cells} rowActions={actions} form={{ parts: formParts, onSaved: saved }} />
      {secret && (
        <OnceDialog
          title={secret.title}
          told={[
            { key: 'id', label: t('client.id'), value: secret.clientId },
            { key: 'secret', label: t('client.secret'), value: secret.secret, secret: true },
          ]}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}
