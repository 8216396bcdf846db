import { codeOf, entityOf, fixedform, hasPersonal, personalCode } from '@data-brain/contract'
import { fillCode, filledMost } from '@data-brain/contract/fixed-form'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { type JobView, type ShownRow, useEntity } from '../../entity/data/index.ts'
import type { KeptFile } from '../../entity/export/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import type { ListBulk, RowAction } from '../../entity/list/index.ts'
import { download, HttpProblem, type Query } from '../../http/client.ts'
import { fixedFormWords } from '../../locales/fixed-form.ts'
import { useCan } from '../../session/session.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, useT } from '../../ui/words.ts'
import './form.css'

addWords(fixedFormWords)

/** As many rows as an address names. */
const ADDRESSED = 200

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
  const [into, setInto] = useState<'book' | 'zip' | 'pdf'>('book')
  const [full, setFull] = useState(false)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<number>()
  const left = useRef(new AbortController())
  useEffect(() => {
    const { current } = left
    return () => current.abort()
  }, [])
  const [failure, setFailure] = useState('')
  const known = entityOf(entity)
  const id = chosen ?? (forms.length === 1 ? forms[0]!.id : undefined)
  const fillNow = async (query: Query) => {
    const file = await download(`${fixedform.path}/filled/export`, query, { silent: true })
    saveFile(file)
    return file.name
  }
  // It goes on when the dialog is closed, and is found on the page of one's own jobs.
  const fillBehind = async (query: Query) => {
    const { exportInBackground, fetchKept } = await import('../../entity/export/index.ts')
    let jobId = ''
    const seen = (job: JobView<KeptFile>) => {
      jobId = job.id
      setDone(job.progress)
    }
    await exportInBackground({ path: `${fixedform.path}/filled` }, query, seen, left.current.signal)
    return fetchKept(jobId)
  }
  const fill = async () => {
    if (busy) return
    if (id === undefined) return setFailure(t('fixedForm.choose'))
    if (ids.length > filledMost) return setFailure(t('fixedForm.tooMany', { most: filledMost }))
    setBusy(true)
    setFailure('')
    try {
      const query = { id, ids: ids.join(), into, personal: full ? 1 : undefined }
      const name = ids.length > ADDRESSED ? await fillBehind(query) : await fillNow(query)
      toast.success(t('fixedForm.fill'), name)
      onClose()
    } catch (problem) {
      if (left.current.signal.aborted) return
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy(false)
      setDone(undefined)
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
          <fieldset className="form-choices">
            <legend>{t('fixedForm.several')}</legend>
            {(ids.length > 1 ? (['book', 'zip', 'pdf'] as const) : (['book', 'pdf'] as const)).map((each) => (
              <label key={each} className="pop-choice">
                <input type="radio" name="into" checked={into === each} onChange={() => setInto(each)} />
                {t(ids.length > 1 || each !== 'book' ? `fixedForm.${each}` : 'fixedForm.one')}
              </label>
            ))}
          </fieldset>
          {hasPersonal(known) && can(personalCode(known)) && (
            <label className="pop-choice">
              <input type="checkbox" checked={full} onChange={({ target }) => setFull(target.checked)} />
              {t('fixedForm.full')}
            </label>
          )}
          {done !== undefined && (
            <p className="muted" role="status">
              {t('fixedForm.working', { done, total: ids.length })}
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}

export interface Filling {
  readonly rowActions: readonly RowAction[]
  readonly bulk: ListBulk
  readonly dialog: ReactNode
  /** How its rows are made and changed, where otherwise than usual. */
  readonly parts?: FormParts
}

const NOTHING: Filling = { rowActions: [], bulk: {}, dialog: null }

/** What the list of an entity offers for filling forms: with a row, and with the ticked ones. */
export default function useFilling(entity: string): Filling {
  const t = useT()
  const can = useCan()
  const [ids, setIds] = useState<readonly string[] | null>(null)
  const isFiller = can(fillCode) && can(codeOf({ name: entity }, 'view'))
  const may = can(codeOf(fixedform, 'view')) && (can(codeOf({ name: entity }, 'export')) || isFiller)
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
