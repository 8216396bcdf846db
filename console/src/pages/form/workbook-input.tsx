import { useState } from 'react'
import { type ControlProps, FileControl } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { useValue } from '../../ui/form/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'
import { PreviewDialog } from './preview-dialog.tsx'

/** The workbook of a form, which can be tried with a row before it is saved. */
function WorkbookInput(props: ControlProps) {
  const { form, name } = props
  const t = useT()
  const [trying, setTrying] = useState(false)
  const attachId = useValue(form, name) as string | null
  const subject = useValue(form, 'subject') as string | null
  return (
    <>
      <FileControl {...props} />
      {attachId && (
        <div className="form-try">
          <button
            type="button"
            className="button"
            aria-haspopup="dialog"
            disabled={!subject}
            onClick={() => setTrying(true)}
          >
            <Icon name="eye" size={16} /> {t('fixedForm.try')}
          </button>
          {!subject && <span className="muted">{t('fixedForm.tryFirst')}</span>}
        </div>
      )}
      {trying && attachId && subject && (
        <PreviewDialog
          form={{ attachId, subject, name: String(form.value('name') ?? '') }}
          onClose={() => setTrying(false)}
        />
      )}
    </>
  )
}

/** How forms are made and changed. */
export const formParts: FormParts = { inputs: { attachId: WorkbookInput } }
