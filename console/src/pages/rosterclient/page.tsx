import { rosterclient } from '@data-brain/contract'
import type { AnswerOf } from '@data-brain/contract/call'
import { issueRosterSecret } from '@data-brain/contract/calls/oneroster'
import { useCallback, useMemo, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { EntityPage, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { rosterclientWords } from '../../locales/rosterclient.ts'
import { askConfirmation } from '../../ui/confirm.tsx'
import { OnceDialog } from '../../ui/dialog/told-once.tsx'
import { addWords, useT } from '../../ui/words.ts'

addWords(rosterclientWords)

type Issued = AnswerOf<typeof issueRosterSecret> & { readonly name: string }

/** The programs that read by OneRoster REST; a secret is issued here, and shown once. */
export default function RosterclientPage() {
  const t = useT()
  const [issued, setIssued] = useState<Issued | null>(null)
  const issue = useCallback(
    async (row: ShownRow<typeof rosterclient>) => {
      const { name } = row
      const sure = await askConfirmation({
        title: t('rosterclient.issueAsk', { name }),
        body: t('rosterclient.issueNote'),
        okText: t('rosterclient.issue'),
      })
      if (!sure) return
      try {
        setIssued({ name, ...(await call(issueRosterSecret, { id: row.id })) })
      } catch (problem) {
        // The client has said what went wrong; anything else is a defect and goes up.
        if (!(problem instanceof HttpProblem)) throw problem
      }
    },
    [t],
  )
  const actions: readonly RowAction<typeof rosterclient>[] = useMemo(
    () => [
      {
        key: 'issue',
        label: t('rosterclient.issue'),
        icon: 'key-round',
        code: 'rosterclient_secret',
        run: (row) => void issue(row),
      },
    ],
    [t, issue],
  )
  const address = `${window.location.origin}/api/ims/oneroster`
  return (
    <>
      <EntityPage entity={rosterclient} rowActions={actions} />
      {issued && (
        <OnceDialog
          title={t('rosterclient.issued', { name: issued.name })}
          told={[
            { key: 'id', label: t('rosterclient.id'), value: issued.clientId },
            { key: 'secret', label: t('rosterclient.secret'), value: issued.clientSecret, secret: true },
            { key: 'token', label: t('rosterclient.token'), value: `${address}/token` },
            { key: 'service', label: t('rosterclient.service'), value: `${address}/rostering/v1p2` },
          ]}
          onClose={() => setIssued(null)}
        />
      )}
    </>
  )
}
