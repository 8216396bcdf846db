import { code as entity } from '@data-brain/contract'
import { copyCode } from '@data-brain/contract/calls/code'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { refresh, type ShownRow } from '../../entity/data/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { EntityPage, type RowAction } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { codeWords } from '../../locales/code.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import { formInputs } from './fields-input.tsx'
import { Preview } from './preview.tsx'
import './page.css'

addWords(codeWords)

const parts: FormParts = { inputs: formInputs }

/** Tables of others that entities are made of: described here, generated as a patch for the sources. */
export default function CodePage() {
  const t = useT()
  const queries = useQueryClient()
  const [shown, setShown] = useState<ShownRow<typeof entity> | null>(null)
  const actions: readonly RowAction<typeof entity>[] = useMemo(
    () => [
      { key: 'preview', label: t('code.preview'), icon: 'code', code: 'code_generate', run: (row) => setShown(row) },
      {
        key: 'copy',
        label: t('code.copy'),
        icon: 'copy',
        code: 'code_add',
        run: (row) =>
          void call(copyCode, { id: row.id })
            .then(() => toast.success(t('code.copied', { name: row.codeName })))
            .catch((problem: unknown) => {
              // The client has said what went wrong; anything else is a defect and goes up.
              if (!(problem instanceof HttpProblem)) throw problem
            })
            .finally(() => void refresh(queries, entity.name)),
      },
    ],
    [t, queries],
  )
  return (
    <>
      <EntityPage entity={entity} rowActions={actions} form={{ parts }} />
      {shown && <Preview ids={[shown.id]} name={shown.codeName} onClose={() => setShown(null)} />}
    </>
  )
}
