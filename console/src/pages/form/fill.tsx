import { codeOf, entityOf, fixedform, hasPersonal, personalCode } from '@data-brain/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { type ShownRow, useEntity } from '../../entity/data/index.ts'
import type { ListBulk, RowAction } from '../../entity/list/index.ts'
import { download, HttpProblem } from '../../http/client.ts'
import { fixedFormWords } from '../../locales/fixed-form.ts'
import { useCan } from '../../session/session.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import './form.css'

addWords(fixedFormWords)

/** As many rows as one call names. */
const most = 200

interface FillProps {
  readonly entity: string
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/** Which form is filled with the chosen rows, and how it is kept. */
function FillDialog({ entity, ids, onClose }: FillProps) {
  const t = useT()
  const can = useCan()
  const { list } = useEntity(fixedform)
  const found = useQuery(list({ current: 1, size: 100, subject: entity }))
  const forms = found.data?.records ?? []
  const [chosen, setChosen] = useState<string>()
  const [into, setInto] = useState<'book' | 'zip'>('book')
  const [full, setFull] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const known = entityOf(entity)
  const id = chosen ?? (forms.length === 1 ? forms[0]!.id : undefined)
  const fill = async () => {
    if (busy) return
    if (id === undefined) return setFailure(t('fixedForm.choose'))
    if (ids.length > most) return setFailure(t('fixedForm.tooMany', { most }))
    setBusy(true)
    setFailure('')
    try {
      const query = { id, ids: ids.join(), into, personal: full ? 1 : undefined }
      const file = await download(`${fixedform.path}/filled/export`, query, { silent: true })
      saveFile(file)
      toast.success(t('fixedForm.fill'), file.name)
      onClose()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy(false)
    }
  }
  const isNone = found.isSuccess && forms.length === 0
  return (
    <Dialog
      title={t('fixedForm.fill')}
      busy={busy}
      failure={failure}
      onClose={onClose}
      {...(isNone ? {} : { okText: t('fixedForm.download'), onOk: () => void fill() })}
    >
      {isNone ? (
        <p>{t('fixedForm.none')}</p>
      ) : (
        <>
          <p className="muted">{t('fixedForm.rows', { count: ids.length })}</p>
          <fieldset className="form-choices">
            <legend>{t('fixedForm.form')}</legend>
            {forms.map((form) => (
              <label key={form.id} className="pop-choice">
                <input type="radio" name="form" checked={form.id === id} onChange={() => setChosen(form.id)} />
                {form.name}
              </label>
            ))}
          </fieldset>
          {ids.length > 1 && (
            <fieldset className="form-choices">
              <legend>{t('fixedForm.several')}</legend>
              {(['book', 'zip'] as const).map((each) => (
                <label key={each} className="pop-choice">
                  <input type="radio" name="into" checked={into === each} onChange={() => setInto(each)} />
                  {t(`fixedForm.${each}`)}
                </label>
              ))}
            </fieldset>
          )}
          {hasPersonal(known) && can(personalCode(known)) && (
            <label className="pop-choice">
              <input type="checkbox" checked={full} onChange={({ target }) => setFull(target.checked)} />
              {t('fixedForm.full')}
            </label>
          )}
        </>
      )}
    </Dialog>
  )
}

interface Filling {
  readonly rowActions: readonly RowAction[]
  readonly bulk: ListBulk
  readonly dialog: ReactNode
}

const NOTHING: Filling = { rowActions: [], bulk: {}, dialog: null }

/** What the list of an entity offers for filling forms: with a row, and with the ticked ones. */
export default function useFilling(entity: string): Filling {
  const t = useT()
  const can = useCan()
  const [ids, setIds] = useState<readonly string[] | null>(null)
  const may = can(codeOf(fixedform, 'view')) && can(codeOf({ name: entity }, 'export'))
  const offered = useMemo(() => {
    const action = { key: 'fill', label: t('fixedForm.fill'), icon: 'file-spreadsheet' }
    return {
      rowActions: [{ ...action, run: ({ id }: ShownRow) => setIds([id]) }],
      bulk: {
        actions: [{ ...action, run: (rows: readonly ShownRow[]) => setIds(rows.map(({ id }) => id)) }],
      },
    }
  }, [t])
  if (!may) return NOTHING
  return { ...offered, dialog: ids && <FillDialog entity={entity} ids={ids} onClose={() => setIds(null)} /> }
}
