import { genCode, type PreviewedFile, previewCode } from '@data-brain/contract/calls/code'
import { type CodeSystem, codeSystems } from '@data-brain/contract/code'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { call, fetchFile } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Segments } from '../../ui/segments.tsx'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

const looks = ['difference', 'text'] as const
type Look = (typeof looks)[number]

const stateOf = ({ isNew, difference }: PreviewedFile) =>
  isNew ? 'code.new' : difference ? 'code.changed' : ('code.same' as const)

const toneOf = (line: string): string | undefined =>
  /^(\+\+\+|---|diff |new file|@@)/.test(line)
    ? 'code-head'
    : line[0] === '+'
      ? 'code-more'
      : line[0] === '-'
        ? 'code-less'
        : undefined

function FileText({ file, look }: { file: PreviewedFile; look: Look }) {
  const t = useT()
  const lines = (look === 'text' ? file.text : file.difference).replace(/\n$/, '').split('\n')
  if (look === 'difference' && file.difference === '') return <p className="muted">{t('code.same')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="code-text" tabIndex={0} aria-label={file.path}>
      <pre>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
          <span key={at} className={look === 'difference' ? toneOf(line) : undefined}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
    </section>
  )
}

/** The files that would be generated, with what changes; and the archive of them. */
export function Preview({ ids, name, onClose }: { ids: readonly string[]; name: string; onClose: () => void }) {
  const t = useT()
  const [system, setSystem] = useState<CodeSystem>('whole')
  const [look, setLook] = useState<Look>('difference')
  const [chosen, setChosen] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const asked = { ids: [...ids], system }
  const files = useQuery({
    queryKey: ['code', 'preview', ids.join(), system],
    queryFn: ({ signal }) => call(previewCode, asked, { silent: true, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const file = files.data?.find(({ path }) => path === chosen)
  const download = async () => {
    setBusy(true)
    setFailure('')
    try {
      saveFile(await fetchFile(genCode, asked, { silent: true }))
      toast.success(t('code.downloaded'))
      await files.refetch()
    } catch (problem) {
      if (!(problem instanceof HttpProblem)) throw problem
      setFailure(problem.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('code.previewTitle', { name })}
      width={1080}
      busy={busy}
      failure={failure}
      okText={t('code.download')}
      onClose={onClose}
      onOk={() => void download()}
    >
      <p className="muted">{t('code.note')}</p>
      <Segments
        label={t('code.system')}
        options={codeSystems.map((key) => ({ key, label: t(`code.${key}`) }))}
        value={system}
        onChange={setSystem}
      />
      {files.isPending && (
        <p role="status" className="muted">
          {t('code.reading')}
        </p>
      )}
      {files.error && <LoadFailed problem={files.error} onRetry={() => void files.refetch()} />}
      {files.data && (
        <div className="code-preview" data-chosen={file !== undefined || undefined}>
          <ul className="code-files" aria-label={t('code.files')}>
            {files.data.map((each) => (
              <li key={each.path}>
                <button type="button" aria-pressed={each === file} onClick={() => setChosen(each.path)}>
                  <span className="mono">{each.path}</span>
                  <span className={`tag ${each.isNew ? 'tag-good' : each.difference ? 'tag-warn' : 'tag-off'}`}>
                    {t(stateOf(each))}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {file && (
            <div className="code-main">
              <div className="code-look">
                <button type="button" className="button small code-back" onClick={() => setChosen(null)}>
                  <Icon name="arrow-left" />
                  {t('code.back')}
                </button>
                <Segments
                  label={t('code.look')}
                  options={looks.map((key) => ({
                    key,
                    label: t(key === 'text' ? 'code.showText' : 'code.showDifference'),
                  }))}
                  value={look}
                  onChange={setLook}
                />
              </div>
              <FileText file={file} look={look} />
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}
