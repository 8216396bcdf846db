import { flowprocess } from '@data-brain/contract'
import { deployUpload } from '@data-brain/contract/calls/flow'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { refresh } from '../../../entity/data/index.ts'
import { sendFile } from '../../../http/call.ts'
import { HttpProblem } from '../../../http/client.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useT } from '../../../ui/words.ts'
import { type DeployTarget, DeployTargetFields, deployInput } from '../model/deploy-target.tsx'
import { type Deployed, DeployedList } from '../model/deployed.tsx'
import '../../../entity/form/form-words.ts'

const isProcessFile = ({ name }: File): boolean => /\.(bpmn|xml)$/i.test(name)

/** Files that other tools have drawn, deployed one after another: each with a result of its own for each tenant. */
export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const queries = useQueryClient()
  const [files, setFiles] = useState<readonly File[]>([])
  const [target, setTarget] = useState<DeployTarget>({ category: '1', tenants: [] })
  const [results, setResults] = useState<readonly Deployed[]>([])
  /** How many files are done with; null before the first. */
  const [done, setDone] = useState<number | null>(null)
  const [failure, setFailure] = useState('')
  const isBusy = done !== null && done < files.length

  const send = async () => {
    if (files.length === 0) return setFailure(t('flowManage.noFile'))
    setFailure('')
    setResults([])
    for (const [at, file] of files.entries()) {
      setDone(at)
      const told = await sendOne(file)
      setResults((before) => [...before, ...told])
    }
    setDone(files.length)
    await refresh(queries, flowprocess.name)
  }
  const sendOne = async (file: File): Promise<readonly Deployed[]> => {
    const refused = (message: string): Deployed => ({
      ...{ tenantId: '', resourceName: file.name, success: false, processDefinitionId: null, version: null, message },
    })
    if (!isProcessFile(file)) return [refused(t('flowManage.notProcess'))]
    try {
      return await sendFile(deployUpload, file, deployInput(target), { silent: true })
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      return [refused(problem.message || t('spec.unknownError'))]
    }
  }
  const isDone = done !== null && !isBusy
  return (
    <Dialog
      title={t('flowManage.uploadTitle')}
      okText={t(isDone ? 'flowManage.uploadAgain' : 'flowManage.deploy')}
      onOk={() => {
        if (!isDone) return void send()
        setFiles([])
        setResults([])
        setDone(null)
      }}
      busy={isBusy}
      failure={failure}
      cancelText={isDone ? t('common.close') : t('common.cancel')}
      onClose={onClose}
    >
      {!isDone && (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button inside does the same */}
          <div
            className="flow-drop"
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              if (!isBusy) setFiles([...event.dataTransfer.files])
            }}
          >
            <button type="button" className="button" disabled={isBusy} onClick={() => input.current?.click()}>
              <Icon name="file-up" size={16} />
              {t('flowManage.chooseFiles')}
            </button>
            <input
              ref={input}
              type="file"
              hidden
              multiple
              accept=".bpmn,.xml"
              aria-label={t('flowManage.chooseFiles')}
              onChange={(event) => {
                setFiles([...(event.target.files ?? [])])
                event.target.value = ''
              }}
            />
            <p className="muted">
              {files.length === 0
                ? t('flowManage.dropHere')
                : files.map(({ name }) => name).join(t('entity.separator'))}
            </p>
          </div>
          <DeployTargetFields entity={flowprocess} value={target} onChange={setTarget} />
        </>
      )}
      {done !== null && (
        <p role="status">{t(isBusy ? 'flowManage.sending' : 'flowManage.sent', { done, count: files.length })}</p>
      )}
      {results.length > 0 && <DeployedList results={results} withFile />}
    </Dialog>
  )
}
