import { type Entity, personalCode } from '@data-brain/contract'
import { Suspense, useEffect, useRef, useState } from 'react'
import { download, HttpProblem } from '../../http/client.ts'
import { entityWords } from '../../locales/entity.ts'
import { exportWords } from '../../locales/export.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { createMarks, type Marks, useSelected } from '../../ui/table/marks.ts'
import { Panel } from '../../ui/table/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { addWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import type { JobView } from '../data/job.tsx'
import { mayExport } from './code.ts'
import type { KeptFile } from './export-job.tsx'
import './export.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords({ ...entityWords, ...exportWords })

/** Few exports are long enough to be done in the background: what that needs is fetched when one is. */
const backgroundPart = () => import('./export-job.tsx')
const ExportState = lazyPart(async () => ({ default: (await backgroundPart()).ExportState }))

/** From more rows than these the background is proposed. */
const manyRows = 5_000
/** As many ids as a call takes. */
const tickedMost = 200
const LIST_FORMATS = ['xlsx', 'csv'] as const
export type Format = (typeof LIST_FORMATS)[number] | 'pdf'

/** What an export has to know of a list. */
export type ExportedEntity = Pick<Entity, 'name' | 'path' | 'measure' | 'fields'> & { readonly isOwn?: boolean }

interface ExportProps {
  readonly entity: ExportedEntity
  /** What the list asks for: its filters and order. */
  readonly query: Readonly<Record<string, string | number>>
  /** Unknown of lists that are read on and on. */
  readonly total: number | undefined
  /** The columns that are shown, in their order. */
  readonly columns: readonly { readonly key: string }[]
  /** What is ticked, in lists where rows can be. */
  readonly marks?: Marks<ShownRow>
  /** Whether its panel is open, and the way to say so. */
  readonly state: readonly [boolean, (open: boolean) => void]
  /** What it comes in, where that is more than a list does. */
  readonly formats?: readonly Format[]
  /** The rows stand under one another: all columns come along. */
  readonly tree?: boolean
}

/** Nothing can be ticked in a tree. */
const noMarks = createMarks<ShownRow>()

/** Columns of a list that a file can hold: fields, the status, and two times. */
const isTold = (entity: ExportedEntity, key: string): boolean =>
  Object.hasOwn(entity.fields, key) || ['status', 'createTime', 'updateTime'].includes(key)

/** So many bytes, as people say it. */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`

/** How far a job is, in a word. */
const shareOf = ({ progress, total }: Pick<JobView, 'progress' | 'total'>): string =>
  total > 0 ? `${Math.floor((100 * Math.min(progress, total)) / total)}%` : '…'

/**
 * Takes the list out as a file, for those who may. It goes on when the panel is closed, and ends with the page; many rows
 * are rather written in the background, where leaving ends nothing.
 */
export default function ExportMenu({
  entity,
  query,
  total,
  columns,
  marks,
  state,
  formats = LIST_FORMATS,
  tree = false,
}: ExportProps) {
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
  const [job, setJob] = useState<JobView<KeptFile> | null>(null)
  const followed = useRef<AbortController | null>(null)
  useEffect(
    () => () => {
      going.current?.abort()
      followed.current?.abort()
    },
    [],
  )

  if (!mayExport(can, entity)) return null
  const shown = columns.map(({ key }) => key).filter((key) => isTold(entity, key))
  // Numbers in full are offered of the columns that come along alone.
  const personal = (tree ? Object.keys(entity.fields) : shown).filter(
    (name) => entity.fields[name]?.kind === 'personal',
  )
  const mayFull = personal.length > 0 && can(personalCode(entity))
  const tooMany = ticked.size > tickedMost
  const rows = ticked.size > 0 && !tooMany ? chosen : 'all'
  const running = bytes !== null
  const working = job !== null && job.state !== 'done'
  const many = rows === 'all' && (total ?? 0) > manyRows
  const whole =
    total === undefined
      ? t('export.filtered')
      : t(tree ? 'export.whole' : 'export.all', { count: number.format(total), unit: entity.measure })

  /** What is asked for, as it is chosen now. */
  const wanted = () => {
    const { current: _, size: __, ...asked } = query
    const { ascs, descs } = asked
    return {
      ...(rows === 'ticked' ? { ascs, descs, id: [...ticked.keys()] } : asked),
      format,
      columns: shown,
      personal: mayFull && full ? 1 : undefined,
    }
  }
  const fail = (problem: unknown, stop: AbortController) => {
    if (problem instanceof HttpProblem) {
      setFailure(problem.message)
      toast.error(problem.message)
    } else if (!stop.signal.aborted) throw problem
  }
  const start = async () => {
    if (going.current) return
    const stop = new AbortController()
    going.current = stop
    setFailure('')
    setBytes(0)
    try {
      const file = await download(`${entity.path}/export`, wanted(), {
        signal: stop.signal,
        silent: true,
        received: setBytes,
      })
      saveFile(file)
      toast.success(t('export.done'), file.name)
    } catch (problem) {
      fail(problem, stop)
    } finally {
      if (going.current === stop) {
        going.current = null
        setBytes(null)
      }
    }
  }
  const fetchKept = async (id: string) => {
    try {
      toast.success(t('export.done'), await (await backgroundPart()).fetchKept(id))
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    }
  }
  const startBehind = async () => {
    if (followed.current) return
    const stop = new AbortController()
    followed.current = stop
    setFailure('')
    setJob({ id: '', state: 'waiting', progress: 0, total: 0, result: null, failure: null })
    try {
      let id = ''
      const { exportInBackground } = await backgroundPart()
      await exportInBackground(
        entity,
        wanted(),
        (seen) => {
          id = seen.id
          setJob(seen)
        },
        stop.signal,
      )
      toast.success(t('export.ready'), undefined, { label: t('export.fetch'), run: () => void fetchKept(id) })
    } catch (problem) {
      if (!stop.signal.aborted) setJob(null)
      fail(problem, stop)
    } finally {
      if (followed.current === stop) followed.current = null
    }
  }
  return (
    <Panel
      className="button"
      state={state}
      label={
        running
          ? t('export.running', { size: sizeText(bytes) })
          : working
            ? t('export.working', { share: shareOf(job) })
            : t('export.title')
      }
      // While a file is on its way one can come back to it, and see how far it is.
      button={
        (running || working) && (
          <>
            <Icon name="download" size={16} />
            <span className="mono">{running ? sizeText(bytes) : shareOf(job!)}</span>
          </>
        )
      }
    >
      {marks ? (
        <fieldset disabled={running}>
          <legend>{t('export.rows')}</legend>
          <label className="pop-choice">
            <input type="radio" name="rows" checked={rows === 'all'} onChange={() => setChosen('all')} />
            {whole}
          </label>
          <label className="pop-choice">
            <input
              type="radio"
              name="rows"
              checked={rows === 'ticked'}
              disabled={ticked.size === 0 || tooMany}
              onChange={() => setChosen('ticked')}
            />
            {tooMany
              ? t('export.tooManyTicked', { most: tickedMost, unit: entity.measure })
              : t('export.ticked', { count: ticked.size, unit: entity.measure })}
          </label>
        </fieldset>
      ) : (
        <p className="muted">{whole}</p>
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
      <p className="muted">{t(tree ? 'export.columnsAll' : 'export.columns')}</p>
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
      {job && (
        <Suspense fallback={null}>
          <ExportState job={job} fetch={() => void fetchKept(job.id)} />
        </Suspense>
      )}
      {running ? (
        <>
          <progress aria-label={t('export.title')} />
          <p className="muted">{t('export.received', { size: sizeText(bytes) })}</p>
          <button type="button" className="button" onClick={() => going.current?.abort()}>
            {t('export.cancel')}
          </button>
        </>
      ) : working ? null : many ? (
        <div className="export-ways">
          <p className="muted">
            {t('export.backgroundNote', { count: number.format(manyRows), unit: entity.measure })}
          </p>
          <button type="button" className="button primary" onClick={() => void startBehind()}>
            {t('export.background')}
          </button>
          <button type="button" className="button" onClick={() => void start()}>
            {t('export.now')}
          </button>
        </div>
      ) : (
        <div className="export-ways">
          <button type="button" className="button primary" onClick={() => void start()}>
            {t('export.title')}
          </button>
          {total === undefined && (
            <button type="button" className="button" onClick={() => void startBehind()}>
              {t('export.background')}
            </button>
          )}
        </div>
      )}
    </Panel>
  )
}
