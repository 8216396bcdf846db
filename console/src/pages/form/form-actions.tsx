import type { fixedform } from '@data-brain/contract'
import { formWorkbook } from '@data-brain/contract/calls/fixedform'
import { useMemo, useState } from 'react'
import type { ShownRow } from '../../entity/data/index.ts'
import { fetchFile } from '../../http/call.ts'
import { fixedFormWords } from '../../locales/fixed-form.ts'
import { saveFile } from '../../ui/save-file.ts'
import { addWords, useT } from '../../ui/words.ts'
import type { Filling } from './fill.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { formParts } from './workbook-input.tsx'

addWords(fixedFormWords)

type FormRow = ShownRow<typeof fixedform>

/** What the list of forms offers with each: to try it with a row, and its workbook. */
export default function useFormActions(): Filling {
  const t = useT()
  const [tried, setTried] = useState<FormRow | null>(null)
  const rowActions = useMemo(
    () => [
      { key: 'try', label: t('fixedForm.try'), icon: 'eye', run: (row: ShownRow) => setTried(row as FormRow) },
      {
        key: 'workbook',
        label: t('fixedForm.workbook'),
        icon: 'download',
        run: async ({ id }: ShownRow) => saveFile(await fetchFile(formWorkbook, { id })),
      },
    ],
    [t],
  )
  const dialog = tried && (
    <PreviewDialog form={{ id: tried.id, subject: tried.subject, name: tried.name }} onClose={() => setTried(null)} />
  )
  return { rowActions, bulk: {}, dialog, parts: formParts }
}
