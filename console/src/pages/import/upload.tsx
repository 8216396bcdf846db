import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useChoices } from '../../entity/data/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { fileEndings } from '../../locales/import-files.ts'
import { callsOf, pathOf } from '../../session/paths.ts'
import { useCan, useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/place.ts'
import { saveFile } from '../../ui/save-file.ts'
import { readStored, writeStored } from '../../ui/stored.ts'
import { type Duplicates, fetchTemplate, sendRows } from './calls.ts'
import { inSchool, termOf, useImportT, useKind } from './import-kinds.ts'
import { useWork } from './state.ts'

const largest = 20 * 1_048_576

/** The words for a file that need not be sent to be refused. */
function fileProblem(file: File): string | undefined {
  if (file.size > largest) return 'import.tooLarge'
  if (/\.roz$/i.test(file.name)) return 'import.roz'
  return file.size === 0 ? 'import.empty' : undefined
}

const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`

/** The school that is meant: chosen now, chosen last time, or the only one there is. */
function useSchool(wanted: boolean) {
  const session = useSession()
  const remembered = `import:${session?.tenantId ?? ''}:${session?.userId ?? ''}`
  const [schoolId, setSchoolId] = useState<string | null>(() => readStored<string>(remembered) ?? null)
  const path = callsOf('school') ?? ''
  const some = useChoices('school', path, {}, wanted)
  const kept = useChoices('school', path, { ids: schoolId ? [schoolId] : [] }, wanted && schoolId !== null)
  useEffect(() => {
    const only = some.data?.length === 1 ? some.data[0] : undefined
    // What was remembered may be gone since.
    const gone = schoolId !== null && kept.data?.length === 0
    if (schoolId === null || gone) setSchoolId(only?.id ?? null)
  }, [some.data, kept.data, schoolId])
  const choose = (id: string | null) => {
    setSchoolId(id)
    if (id) writeStored(remembered, id)
  }
  const isLooking = wanted && schoolId === null && (some.isPending || some.data?.length === 1)
  return [schoolId, choose, some.data?.length === 0, isLooking] as const
}

/** The first step: for which school, which file. */
export function Upload({ onBatch }: { onBatch: (id: string) => void }) {
  const t = useImportT()
  const kind = useKind()
  const isOfSchool = inSchool(kind)
  const termEntity = termOf(kind)
  const bySemester = termEntity === 'schoolsemester'
  const client = useQueryClient()
  const [schoolId, setSchoolId, isWithout, isLooking] = useSchool(isOfSchool)
  const [isAsked, setAsked] = useState(false)
  const [termId, setTermId] = useState<string | null>(null)
  const term = { [bySemester ? 'semesterId' : 'yearId']: termId ?? undefined }
  const [duplicates, setDuplicates] = useState<Duplicates>('skip')
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState('')
  const work = useWork()
  const ids = { school: useId(), year: useId(), file: useId() }

  const startButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // With a file there is one thing left to do here.
    if (file) startButton.current?.focus()
  }, [file])

  const choose = (next: File | undefined) => {
    if (!next) return
    const wrong = fileProblem(next)
    work.forget()
    setProblem(wrong ? t(wrong) : '')
    if (!wrong) setFile(next)
  }
  const start = () => {
    if (!file) return
    // The only school is filled in as soon as it is known: whoever is quicker need not press again.
    setAsked(isLooking)
    if (isLooking) return
    if (isOfSchool && !schoolId) {
      setProblem(t('import.schoolFirst'))
      document.getElementById(ids.school)?.focus()
      return
    }
    setProblem('')
    void work.run(async () => {
      const batch = await sendRows(kind, file, { duplicates, ...(isOfSchool && schoolId ? { schoolId, ...term } : {}) })
      setFile(undefined)
      void client.invalidateQueries({ queryKey: ['import', 'list'] })
      onBatch(batch.id)
    })
  }
  useEffect(() => {
    if (isAsked && !isLooking) start()
  })
  const template = (format: 'xlsx' | 'csv', short = false) =>
    void work.run(async () =>
      saveFile(
        await fetchTemplate(kind, {
          format,
          ...(short ? { short: 1 } : {}),
          ...(isOfSchool ? { schoolId: schoolId ?? undefined, ...term } : {}),
        }),
      ),
    )
  const wrong = problem || work.failure

  return (
    <section className="card import-upload" aria-label={t('import.step.upload')} aria-busy={work.busy}>
      {isWithout && <NoSchool />}
      <div className="import-settings">
        {isOfSchool && !isWithout && (
          <>
            <Labelled id={ids.school} label={t('import.school')} required>
              <ReferenceSelect
                id={ids.school}
                aria-required
                to="school"
                label={t('import.school')}
                value={schoolId}
                onChange={(next) => {
                  setSchoolId(next as string | null)
                  setTermId(null)
                  setProblem('')
                }}
              />
            </Labelled>
            {termEntity && (
              <Labelled id={ids.year} label={t(bySemester ? 'import.semester' : 'import.year')}>
                <ReferenceSelect
                  id={ids.year}
                  to={termEntity}
                  label={t(bySemester ? 'import.semester' : 'import.year')}
                  placeholder={t(bySemester ? 'import.semesterCurrent' : 'import.yearCurrent')}
                  scope={{ within: schoolId ? { schoolId } : {} }}
                  disabled={!schoolId}
                  value={termId}
                  onChange={(next) => setTermId(next as string | null)}
                />
              </Labelled>
            )}
          </>
        )}
        <DuplicatesChoice value={duplicates} onChange={setDuplicates} />
      </div>
      <DropZone onFile={choose} inputId={ids.file} file={file} onForget={() => setFile(undefined)} busy={work.busy} />
      {wrong && (
        <p className="alert import-wrong" role="alert">
          {wrong}
        </p>
      )}
      <div className="import-foot">
        <span className="import-template">
          {t('import.template')}
          {kind === 'student' && (
            <button type="button" className="link-button" disabled={work.busy} onClick={() => template('xlsx', true)}>
              {t('import.templateShort')}
            </button>
          )}
          {(['xlsx', 'csv'] as const).map((format) => (
            <button
              key={format}
              type="button"
              className="link-button"
              disabled={work.busy}
              onClick={() => template(format)}
            >
              {t(format === 'xlsx' ? 'import.templateXlsx' : 'import.templateCsv')}
            </button>
          ))}
        </span>
        <button
          ref={startButton}
          type="button"
          className="button primary"
          disabled={!file || work.busy || isWithout}
          onClick={start}
        >
          {t('import.start')}
        </button>
      </div>
    </section>
  )
}

/** Said before anybody chooses a file: nothing can be imported into no school. */
function NoSchool() {
  const t = useImportT()
  const can = useCan()
  const path = pathOf('school')
  return (
    <p className="banner import-without" role="note">
      {t('import.noSchool')}
      {path && can('school_add') && <Link to={`${path}?edit=new`}>{t('import.registerSchool')}</Link>}
    </p>
  )
}

function Labelled(props: { id: string; label: string; required?: boolean; children: ReactNode }) {
  return (
    <div className="import-setting">
      <label htmlFor={props.id}>
        {props.label}
        {props.required && (
          <span className="must" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {props.children}
    </div>
  )
}

interface DuplicatesProps {
  value: Duplicates
  disabled?: boolean
  onChange: (value: Duplicates) => void
}

/** What happens to students who exist already. */
export function DuplicatesChoice({ value, disabled, onChange }: DuplicatesProps) {
  const t = useImportT()
  const name = useId()
  return (
    <fieldset className="import-setting import-duplicates" disabled={disabled}>
      <legend>{t('import.duplicates')}</legend>
      {(['skip', 'update'] as const).map((each) => (
        <label key={each} className="check">
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
          {t(`import.${each}`)}
        </label>
      ))}
    </fieldset>
  )
}

interface DropProps {
  inputId: string
  file: File | undefined
  busy: boolean
  onFile: (file: File | undefined) => void
  onForget: () => void
}

function DropZone({ inputId, file, busy, onFile, onForget }: DropProps) {
  const t = useImportT()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!busy) onFile(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the input inside does the same
    <div
      className={over ? 'import-drop over' : 'import-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="file-spreadsheet" size={32} />
      {file ? (
        <p className="import-file">
          <strong>{t('import.fileSize', { name: file.name, size: sizeText(file.size) })}</strong>
          {busy ? (
            <span className="muted">{t('import.uploading')}</span>
          ) : (
            <button type="button" className="link-button" onClick={onForget}>
              {t('import.dropFile')}
            </button>
          )}
        </p>
      ) : (
        <p>{t('import.drop')}</p>
      )}
      <span className="import-choose">
        <input
          id={inputId}
          type="file"
          accept={fileEndings}
          aria-label={t('import.choose')}
          disabled={busy}
          onChange={(event) => {
            onFile(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <span className="button" aria-hidden="true">
          {t('import.choose')}
        </span>
      </span>
      <p className="muted">{t('import.limit')}</p>
    </div>
  )
}
