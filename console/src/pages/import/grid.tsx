import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { LoadFailed } from '../../entity/list/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { announce } from '../../ui/announce.tsx'
import { chosenSize } from '../../ui/table/page-size.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { useLanguage, useT } from '../../ui/words.ts'
import { type BatchView, type CorrectedRows, correctCell, type FileColumn, type RowPage, readFaulty } from './calls.ts'
import { GridRow, type Save } from './grid-row.tsx'
import { useKind } from './import-kinds.ts'
import { useRowPlaces } from './row-place.ts'
import { cellOf, togetherWith } from './together.ts'

interface FaultGridProps {
  batch: BatchView
  onCorrected: (answer: CorrectedRows) => Promise<void>
  /** A cell could not be stored: the batch may be further by now. */
  onRefused: () => void
  /** The last fault of the whole file was corrected. */
  onAllGood: () => void
}

/** Who a row is about. */
const named: readonly (string | null)[] = ['student.name', 'user.account']

/** The columns to show: the name, those with faults now or a moment ago, and what is judged with them. */
function columnsOf(columns: readonly FileColumn[], faulty: ReadonlySet<number>, all: boolean): readonly FileColumn[] {
  const matched = columns.filter(({ key }) => key !== null)
  if (all) return matched
  const keys = new Set(columns.filter(({ index }) => faulty.has(index)).map(({ key }) => key))
  const beside = new Set([...keys].flatMap((key) => togetherWith(key ?? '')))
  return matched.filter(({ index, key }) => named.includes(key) || faulty.has(index) || beside.has(key ?? ''))
}

const firstSize = 30

/** The rows with faults, as inputs. What was put right stays in its place until the page is left. */
export function FaultGrid({ batch, onCorrected, onRefused, onAllGood }: FaultGridProps) {
  const t = useT()
  const language = useLanguage()
  const client = useQueryClient()
  const kind = useKind()
  const [place, setPlace] = useState(() => ({ current: 1, size: chosenSize() ?? firstSize, turn: 0 }))
  const [all, setAll] = useState(false)
  const [edited, setEdited] = useState<ReadonlySet<number>>(new Set())
  const root = useRef<HTMLElement>(null)
  const wanted = useRef(false)
  const { id } = batch
  const { current, size, turn } = place

  const places = useRowPlaces(batch)
  const key = useMemo(() => ['import', 'rows', id, current, size, turn, language], [id, current, size, turn, language])
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readFaulty(kind, id, current, size, signal),
    placeholderData: (before) => before,
    refetchOnMount: 'always',
  })
  const page = found.data
  const loaded = page !== undefined && !found.isPlaceholderData
  const rows = page?.records
  const faulty = useMemo(() => {
    const places = (rows ?? []).flatMap((row) => row.faults.map((fault) => cellOf(fault, batch.columns)))
    return new Set([...edited, ...places.filter((at) => at !== null)])
  }, [rows, edited, batch.columns])
  const columns = useMemo(() => columnsOf(batch.columns, faulty, all), [batch.columns, faulty, all])

  const invalid = useCallback(
    () => [...(root.current?.querySelectorAll<HTMLInputElement>('input[aria-invalid]') ?? [])],
    [],
  )
  // The page that follows the one that was put right: its first fault is where one goes on.
  useEffect(() => {
    if (!loaded || !wanted.current) return
    wanted.current = false
    const [first] = invalid()
    if (first) stand(first)
    else root.current?.querySelector<HTMLElement>('.import-scroll')?.focus()
  }, [loaded, invalid])
  // Rows that were put right elsewhere, or a page that is no more.
  useEffect(() => {
    if (loaded && page.records.length === 0 && page.total > 0)
      setPlace((now) => ({ ...now, current: Math.max(1, Math.ceil(page.total / now.size)) }))
  }, [loaded, page])

  // One after the other, so that the counts shown are those of the last answer.
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const write = async (row: number, column: number, text: string): Promise<CorrectedRows> => {
    await client.cancelQueries({ queryKey: key })
    const answer = await correctCell(kind, id, row, column, text)
    const changed = new Map(answer.rows.map((each) => [each.row, each]))
    client.setQueryData<RowPage>(
      key,
      (now) => now && { ...now, records: now.records.map((each) => changed.get(each.row) ?? each) },
    )
    await onCorrected(answer)
    // The counts say by themselves how many are left; what is still wrong they do not.
    const self = changed.get(row)
    if (self?.state === 'bad')
      announce(t('import.stillWrong', { place: places.full(row), message: self.faults[0]?.message ?? '' }))
    return answer
  }
  const latest = useRef<Save>(null as unknown as Save)
  latest.current = async (row, column, text, from) => {
    const after = from ? following(from, invalid()) : undefined
    // On at once, without waiting for the answer: whoever types goes on typing.
    if (after) stand(after)
    const before = rows?.find((each) => each.row === row)
    if (text === undefined) {
      if (from && !after) stand(invalid()[0])
      return undefined
    }
    const old = (before?.faults ?? []).map((fault) => cellOf(fault, batch.columns)).filter((at) => at !== null)
    setEdited((now) => new Set([...now, column, ...old]))
    const writing = queue.current.then(() => write(row, column, text))
    queue.current = writing.catch(() => undefined)
    try {
      const answer = await writing
      if (from && !after) setTimeout(() => goOn(answer))
      return undefined
    } catch (problem) {
      // The client has said what went wrong, and the cell keeps what was typed.
      if (!(problem instanceof HttpProblem)) throw problem
      onRefused()
      return problem.message
    }
  }
  const goOn = (answer: CorrectedRows) => {
    const left = invalid()
    if (left.length > 0) return stand(left[0])
    if (answer.states.bad === 0) return onAllGood()
    wanted.current = true
    setPlace((now) => ({ ...now, current: 1, turn: now.turn + 1 }))
  }
  const save = useCallback<Save>((...given) => latest.current(...given), [])

  if (found.isError && !page) {
    if (found.error instanceof HttpProblem && found.error.status === 403)
      return <p className="card muted">{t('import.foreign', { name: batch.userName ?? '' })}</p>
    return <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />
  }
  if (!rows || (page && page.total === 0)) return null
  const bad = batch.rows?.bad ?? 0
  const right = bad === 0
  const isAsked = !right && (batch.waiting?.rows ?? 0) >= bad
  return (
    <section className="card" aria-labelledby="import-faults" ref={root}>
      <div className="import-bar">
        <div>
          <h2 id="import-faults">{t(isAsked ? 'import.askedRows' : 'import.faultRows')}</h2>
          <p className="muted">{t(right ? 'import.allGood' : 'import.faultHelp')}</p>
        </div>
        <label className="check">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          {t('import.allColumns')}
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer */}
      <section className="import-scroll" aria-label={t('table.region', { label: t('import.faultRows') })} tabIndex={0}>
        <table className="import-table import-grid">
          <thead>
            <tr>
              <th scope="col">{t('import.rowHead')}</th>
              {columns.map((column) => (
                <th key={column.index} scope="col" title={column.heading}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <GridRow
                key={row.row}
                row={row}
                at={places.short(row.row)}
                place={places.full(row.row)}
                columns={columns}
                onSave={save}
              />
            ))}
          </tbody>
        </table>
      </section>
      {page && page.total > 10 && (
        <Pager
          total={page.total}
          current={current}
          size={size}
          onPage={(next) => setPlace((now) => ({ ...now, current: next, turn: now.turn + 1 }))}
          onSize={(next) => setPlace((now) => ({ current: 1, size: next, turn: now.turn + 1 }))}
        />
      )}
    </section>
  )
}

const stand = (input: HTMLInputElement | undefined): void => {
  input?.focus()
  input?.select()
}

/** The first of the inputs that comes after another one in the document. */
const following = (from: HTMLElement, inputs: readonly HTMLInputElement[]): HTMLInputElement | undefined =>
  inputs.find((input) => input !== from && from.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_FOLLOWING)
