import { fixedform, report } from '@data-brain/contract'
import { shippedForm } from '@data-brain/contract/calls/fixedform'
import { reportsOf, type ShippedForm, shippedFormKeys, shippedForms } from '@data-brain/contract/shipped-forms'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCalls, useEntity } from '../../entity/data/index.ts'
import { fetchFile } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.ts'
import { useT, useWords } from '../../ui/words.ts'

/** Forms that come with the product: taken over with one press, or downloaded, to be changed first. */
export function ShippedDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const pick = useWords()
  const calls = useCalls()
  const queries = useQueryClient()
  const client = useEntity(fixedform)
  const reports = useEntity(report)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const during = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setFailure('')
    try {
      await work()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy(false)
    }
  }
  const fetched = (key: ShippedForm) => fetchFile(shippedForm, { key }, { silent: true })
  const takeOver = async (key: ShippedForm) => {
    const { blob, name } = await fetched(key)
    const { label, subject } = shippedForms[key]
    // Reports whose figures stand in it come first; one of that name that is there already stays as it is.
    for (const { label: called, content } of reportsOf(key)) {
      const reportName = pick(called)
      const { total } = await queries.fetchQuery(reports.list({ current: 1, size: 1, name_equal: reportName }))
      if (total === 0)
        await reports.save({ name: reportName, content, roleIds: [] } as Parameters<typeof reports.save>[0])
    }
    const { id: attachId } = await calls.upload(new File([blob], name, { type: blob.type }))
    await client.save({ name: pick(label), subject, attachId, roleIds: [] } as Parameters<typeof client.save>[0])
    toast.success(t('fixedForm.taken', { name: pick(label) }))
    onClose()
  }
  return (
    <Dialog title={t('fixedForm.shipped')} busy={busy} failure={failure} onClose={onClose}>
      <p className="muted">{t('fixedForm.shippedHelp')}</p>
      <ul className="shipped-list">
        {shippedFormKeys.map((key) => {
          const name = pick(shippedForms[key].label)
          return (
            <li key={key}>
              <span>{name}</span>
              <button
                type="button"
                className="button"
                aria-label={t('fixedForm.downloadOf', { name })}
                onClick={() => void during(async () => saveFile(await fetched(key)))}
              >
                {t('fixedForm.download')}
              </button>
              <button
                type="button"
                className="button primary"
                aria-label={t('fixedForm.takeOf', { name })}
                onClick={() => void during(() => takeOver(key))}
              >
                {t('fixedForm.take')}
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
