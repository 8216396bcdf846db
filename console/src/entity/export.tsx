import { codeOf, type Entity, hasPersonal, personalCode } from '@data-brain/contract'
import { useEffect, useRef, useState } from 'react'
import { download, HttpProblem } from '../http/client.ts'
import { exportWords } from '../locales/export.ts'
import { useCan } from '../session/session.ts'
import { Icon } from '../ui/icon.tsx'
import { saveFile } from '../ui/save-file.ts'
import { createMarks, type Marks, useSelected } from '../ui/table/marks.ts'
import { Panel } from '../ui/table/menu.tsx'
import { toast } from '../ui/toast.ts'
import { addWords, useLanguage, useT, useWords } from '../ui/words.ts'
import type { Shown } from './calls.ts'
import './export.css'

addWords(exportWords)

/** As many ids as a call takes. */
const tickedMost = 200
const formats = ['xlsx', 'csv'] as const
type Format = (typeof formats)[number]

interface ExportProps {
  readonly entity: Entity
  /** What the list asks for: its filters and order. */
  readonly query: Readonly<Record<string, string | number>>
  readonly total: number
  /** The columns that are shown, in their order. */
  readonly columns: readonly { readonly key: string }[]
  /** What is ticked, in lists where rows can be. */
  readonly marks?: Marks<Shown>
}

/** Nothing can be ticked in a tree. */
const noMarks = createMarks<Shown>()

/** Columns of a list that a file can hold: fields, the status, and two times. */
const isTold = (entity: Entity, key: string): boolean =>
  Object.hasOwn(entity.fields, key) || ['status', 'createTime', 'updateTime'].includes(key)

const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`

/** Takes the list out as a file, for those who may. It goes on when the panel is closed, and ends with the page. */
export function ExportMenu({ entity, query, total, columns, marks }: ExportProps) {
  const t = useT()
  const can = useCan()
  const pick = useWords()
  const number = new Intl.NumberFormat(useLanguage())
  const ticked = useSelected(marks ?? noMarks)
  const [chosen, setChosen] = useState<'all' | 'ticked'>('all')
  const [format, setFormat] = useState<Format>('xlsx')
  const [full, setFull] = useState(false)
  const [bytes, setBytes] = useState<number | null>(null)
  const [failure, setFailure] = useState('')
  const going = useRef<AbortController | null>(null)
  useEffect(() => () => going.current?.abort(), [])

  if (!can(codeOf(entity, 'export'))) return null
  const mayFull = hasPersonal(entity) && can(personalCode(entity))
  const personal = Object.keys(entity.fields).filter((name) => entity.fields[name]?.kind === 'personal')
  const tooMany = ticked.size > tickedMost
  const rows = ticked.size > 0 && !tooMany ? chosen : 'all'
  const running = bytes !== null

  const start = async () => {
    if (going.current) return
    const shown = columns.map(({ key }) => key).filter((key) => isTold(entity, key))
    const numbers = mayFull && full ? personal.filter((name) => !shown.includes(name)) : []
    const stop = new AbortController()
    going.current = stop
    setFailure('')
    setBytes(0)
    const { current: _, size: __, ...asked } = query
    const { ascs, descs } = asked
    try {
      const file = await download(
        `${entity.path}/export`,
        {
          ...(rows === 'ticked' ? { ascs, descs, id: [...ticked.keys()] } : asked),
          format,
          columns: [...shown, ...numbers],
          personal: mayFull && full ? 1 : undefined,
        },
        { signal: stop.signal, silent: true, received: setBytes },
      )
      saveFile(file)
      toast.success(t('export.done'), file.name)
    } catch (problem) {
      if (problem instanceof HttpProblem) {
        setFailure(problem.message)
        toast.error(problem.message)
      } else if (!stop.signal.aborted) throw problem
    } finally {
      if (going.current === stop) {
        going.current = null
        setBytes(null)
      }
    }
  }
  return (
    <Panel
      className="button"
      label={running ? t('export.running', { size: sizeText(bytes) }) : t('export.title')}
      button={
        <>
          <Icon name="download" size={16} />
          {running ? <span className="mono">{sizeText(bytes)}</span> : t('export.title')}
        </>
      }
    >
      {marks ? (
        <fieldset disabled={running}>
          <legend>{t('export.rows')}</legend>
          <label className="pop-choice">
            <input type="radio" name="rows" checked={rows === 'all'} onChange={() => setChosen('all')} />
            {t('export.all', { count: number.format(total) })}
          </label>
          <label className="pop-choice">
            <input
              type="radio"
              name="rows"
              checked={rows === 'ticked'}
              disabled={ticked.size === 0 || tooMany}
              onChange={() => setChosen('ticked')}
            />
            {tooMany ? t('export.tooManyTicked', { most: tickedMost }) : t('export.ticked', { count: ticked.size })}
          </label>
        </fieldset>
      ) : (
        <p className="muted">{t('export.whole', { count: number.format(total) })}</p>
      )}
      <fieldset disabled={running}>
        <legend>{t('export.format')}</legend>
        {formats.map((each) => (
          <label key={each} className="pop-choice">
            <input type="radio" name="format" checked={format === each} onChange={() => setFormat(each)} />
            {t(`export.${each}`)}
          </label>
        ))}
      </fieldset>
      <p className="muted">{t(marks ? 'export.columns' : 'export.columnsAll')}</p>
      {mayFull && (
        <fieldset disabled={running}>
          <label className="pop-choice">
            <input type="checkbox" checked={full} onChange={(event) => setFull(event.target.checked)} />
            {t('export.personal', {
              fields: personal.map((name) => pick(entity.fields[name]!.label)).join(t('entity.separator')),
            })}
          </label>
          {full && <p className="muted">{t('export.personalNote')}</p>}
        </fieldset>
      )}
      {failure && (
        <p className="alert" role="alert">
          {failure}
        </p>
      )}
      {running ? (
        <>
          <progress aria-label={t('export.title')} />
          <p className="muted">{t('export.received', { size: sizeText(bytes) })}</p>
          <button type="button" className="button" onClick={() => going.current?.abort()}>
            {t('export.cancel')}
          </button>
        </>
      ) : (
        <button type="button" className="button primary" onClick={() => void start()}>
          {t('export.title')}
        </button>
      )}
    </Panel>
  )
}
