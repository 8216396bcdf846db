import { socialprovider as entity } from '@data-brain/contract'
import { checkProvider } from '@data-brain/contract/calls/social'
import { useCallback, useMemo, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { EntityPage, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { providerWords } from '../../locales/provider.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { addWords, useT } from '../../ui/words.ts'

addWords(providerWords)

interface Checked {
  readonly name: string
  readonly failure: string
  /** What to register with the provider; empty where it is not there. */
  readonly redirectUri: string
}

/** Where people may log in by an account elsewhere. */
export default function SocialPage() {
  const t = useT()
  const [checked, setChecked] = useState<Checked | null>(null)
  const check = useCallback(
    async (row: ShownRow<typeof entity>) => {
      const name = row.providerName
      try {
        const { redirectUri } = await call(checkProvider, { id: row.id }, { silent: true })
        setChecked({ name, failure: '', redirectUri })
      } catch (problem) {
        if (!(problem instanceof HttpProblem)) throw problem
        setChecked({ name, failure: problem.message || t('spec.unknownError'), redirectUri: '' })
      }
    },
    [t],
  )
  const rowActions = useMemo<readonly RowAction<typeof entity>[]>(
    () => [
      {
        key: 'check',
        label: t('provider.check'),
        icon: 'plug',
        code: 'socialprovider_edit',
        run: (row) => void check(row),
      },
    ],
    [t, check],
  )
  return (
    <>
      <EntityPage entity={entity} rowActions={rowActions} />
      {checked && (
        <Dialog
          title={t('provider.checkOf', { name: checked.name })}
          failure={checked.failure}
          onClose={() => setChecked(null)}
        >
          {checked.redirectUri && (
            <>
              <p>{t('provider.there')}</p>
              <dl className="once">
                <div>
                  <dt>{t('provider.redirect')}</dt>
                  <dd>{checked.redirectUri}</dd>
                </div>
              </dl>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}
