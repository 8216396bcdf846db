import type { Field } from '@data-brain/contract'
import { Suspense, useEffect, useMemo, useRef } from 'react'
import { HttpProblem } from '../../http/client.ts'
import { useKeys } from '../../ui/keys.ts'
import { placesOf } from '../../ui/table/row.tsx'
import { toast } from '../../ui/toast.ts'
import { useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { countedWithin } from '../data/next-number.ts'
import { undoOf } from '../data/undo.tsx'
import type { FormParts } from '../form/form-fields.tsx'
import { fieldInCell, partOf, saidBy, withValue } from './cell-fields.ts'
import type { AlongValues } from './cell-number.tsx'
import { titleOf } from './columns.tsx'
import type { ListValue } from './list-context.ts'
import './cell-edit.css'
import '../../ui/later-words.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { holdTyping } from '../../ui/typed-ahead.ts'

const CellEditor = lazyPart(() => import('./cell-editor.tsx'))

/** What an editor that opens again brings along: what was typed, and why it was not taken. */
export interface ReopenedEdit {
  readonly value: unknown
  readonly along?: AlongValues
  readonly wrong?: string
  /** What somebody else has stored meanwhile, and what the row would be as it was typed. */
  readonly theirs?: ShownRow
  readonly mine?: ShownRow
}

export interface CellEdit {
  /** Changes the cell that somebody pressed twice; false where it is none that can be changed. */
  press(from: HTMLElement): boolean
  /** Walks to the row's next cell that can be changed; false where the focus is not in a row. */
  walk(step: 1 | -1): boolean
  /** Changes the cell with the focus, or with `first` the row's first one. */
  open(first: boolean): boolean
  /** Brings the focus into a row: into the column that was walked on. */
  land(row: HTMLElement): void
}

/** A change that the server has not answered yet: the next one of the same row waits for it, and takes its version. */
interface Running {
  end: Promise<void>
}

const cellAt = (element: Element | null): HTMLTableCellElement | null =>
  element?.closest<HTMLTableCellElement>('tbody tr[data-key] > :is(td, th)') ?? null

/** Gives the focus to a cell: to the link that names the row, or to the cell itself. */
function focusCell(cell: HTMLTableCellElement): void {
  const link = cell.querySelector<HTMLElement>('[data-act=view]')
  if (!link) cell.tabIndex = -1
  ;(link ?? cell).focus()
}

const isAlike = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** A window that is not shown has no frames: then it is done after so many milliseconds all the same. */
const UNSEEN = 100

/** Does something once the next frame has been painted, or as soon as what it answers is called. */
function afterFrame(run: () => void): () => void {
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    run()
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, UNSEEN)
  return once
}

/**
 * Fields changed in their cells: what is typed is shown at once and sent alone, with the version of the row. Where
 * somebody else has changed the same field meanwhile, the cell shows both values and asks. `may` says whether anything may
 * be changed here at all: the permission, and a table instead of cards.
 */
export function useCellEdit(list: ListValue, may: boolean, parts: FormParts | undefined): CellEdit {
  const now = useRef(list)
  now.current = list
  const pick = useWords()
  const running = useRef(new Map<string, Running>())
  const newest = useRef(new Map<string, number>())
  const column = useRef<string | null>(null)
  const { entity, columns, cells, rows, marks } = list

  const fields = useMemo(() => {
    const found = placesOf(columns, true).map(({ key }): readonly [string, Field | undefined] => [
      key,
      may ? fieldInCell(entity, key, { cells, parts }) : undefined,
    ])
    return new Map(found)
  }, [entity, columns, cells, parts, may])
  const keys = useMemo(() => [...fields.keys()], [fields])
  const some = [...fields.values()].some((field) => field !== undefined)

  // A row that is no longer here is not changed any more.
  useEffect(() => {
    const open = marks.editing()
    if (open && !rows.some((row) => row.id === open.key)) marks.edit(null)
  }, [rows, marks])
  useKeys(some, {
    name: 'keys.inCell',
    bindings: [
      { keys: ['Enter'], label: 'keys.cellSave' },
      { keys: ['Escape'], label: 'keys.cellCancel' },
      { keys: ['Tab'], label: 'keys.cellOn' },
    ],
  })

  const work = useMemo((): CellEdit => {
    const labelOf = (name: string) =>
      name === 'status' ? now.current.words.t('entity.status') : pick(fields.get(name)!.label)
    const rowOf = (id: string) => now.current.rows.find((row) => row.id === id)
    // The first column of the table holds the tick boxes.
    const keyOf = (cell: HTMLTableCellElement) => keys[cell.cellIndex - 1]
    const recordOf = (cell: HTMLTableCellElement) => rowOf(cell.closest<HTMLElement>('tr')?.dataset.key ?? '')
    const fieldAt = (cell: HTMLTableCellElement): Field | undefined => {
      const record = recordOf(cell)
      const key = keyOf(cell)
      const offered = record && (now.current.offers?.(record, 'edit') ?? true)
      return offered && key !== undefined ? fields.get(key) : undefined
    }
    const editable = (row: HTMLElement) =>
      [...row.querySelectorAll<HTMLTableCellElement>(':scope > :is(td, th)')].filter(fieldAt)
    const cellOf = (id: string, key: string) =>
      now.current.root.current?.querySelector<HTMLTableRowElement>(`tbody tr[data-key="${CSS.escape(id)}"]`)?.cells[
        keys.indexOf(key) + 1
      ]

    /** When the row is drawn with the cell's own content, unless another cell is being changed by then. */
    const later = (run: () => void) =>
      queueMicrotask(() => {
        if (!now.current.marks.editing()) run()
      })

    const edit = (record: ShownRow, name: string, again?: ReopenedEdit) => {
      const field = fields.get(name)
      if (!field) return
      column.current = name
      const { entity, words, marks, client } = now.current
      const close = (refocus: boolean) => {
        const cell = refocus ? cellOf(record.id, name) : undefined
        // While the page still is as it was last laid out: the browser lays it out for whoever asks for the focus later,
        // and where an input goes that has it.
        if (cell?.tagName === 'TD') {
          cell.tabIndex = -1
          cell.focus({ preventScroll: true })
        }
        marks.edit(null)
        if (cell) later(() => cell !== document.activeElement && focusCell(cell))
      }
      // A cell that opens again by itself, because it was refused, takes nothing of what is typed elsewhere.
      if (!again) holdTyping(() => close(true))
      marks.edit({
        key: record.id,
        column: name,
        draw: (row) => (
          <Suspense fallback={saidBy(entity, row, name, words)}>
            <CellEditor
              name={name}
              field={field}
              label={labelOf(name)}
              record={record}
              again={again}
              onClose={close}
              onSave={(value, step, isNew, along) => {
                close(step === 0)
                if (isNew) put(record, name, value, along)
                if (step === 1 || step === -1) next(record.id, name, step)
              }}
              onTheirs={(theirs) => {
                client.show({ ...(rowOf(record.id) ?? record), ...theirs })
                close(true)
              }}
            />
          </Suspense>
        ),
      })
    }

    /** The next cell that can be changed: of this row, or of the next one. */
    const next = (id: string, name: string, step: 1 | -1) => {
      const cell = cellOf(id, name)
      const row = cell?.closest('tr')
      if (!cell || !row) return
      const beside = editable(row)
      const other = beside[beside.indexOf(cell) + step]
      const past = step > 0 ? row.nextElementSibling : row.previousElementSibling
      const beyond = past instanceof HTMLElement && past.matches('[data-key]') ? editable(past) : []
      const target = other ?? beyond.at(step > 0 ? 0 : -1)
      if (target) press(target)
      else later(() => focusCell(cell))
    }

    const put = (record: ShownRow, name: string, value: unknown, along?: AlongValues) => {
      const { entity, client, marks, words } = now.current
      const { id } = record
      const before = rowOf(id) ?? record
      const after = withValue(entity, before, name, value, client)
      // In this frame the one row, in the next the list.
      marks.put(id, before, after)
      const list = afterFrame(() => client.show(after))
      const earlier = running.current.get(id)
      const mine: Running = { end: Promise.resolve() }
      mine.end = (async () => {
        await earlier?.end
        const version = Math.max(record.version, newest.current.get(id) ?? 0)
        try {
          const done = await client.change({ id, version, [name]: value, ...along })
          list()
          const { row } = done
          newest.current.set(id, row.version)
          const last = running.current.get(id) === mine
          const cached = rowOf(id)
          // Another field of the row may be on its way: only the last answer says what the whole row is.
          if (cached)
            client.show(last ? { ...cached, ...row } : { ...cached, ...partOf(row, name), version: row.version })
          marks.refresh(id)
          const said = (of: ShownRow) => saidBy(entity, of, name, words) || words.t('entity.none')
          const detail = words.t('cell.change', {
            label: labelOf(name),
            before: said(record),
            after: said({ ...after, ...partOf(row, name) }),
          })
          // The number in the new class, which the server gave.
          const counted = countedWithin(entity, name)?.field
          const number = counted
            ? words.t('entity.separator') +
              words.t('cell.value', {
                label: pick(entity.fields[counted]!.label),
                value: saidBy(entity, row, counted, words) || words.t('entity.none'),
              })
            : ''
          const change = detail + number
          // Which row it was; of a new name both are told already.
          const told =
            name === entity.title ? change : words.t('cell.changeOf', { name: titleOf(entity, row, words), change })
          toast.success(words.t('spec.updated'), told, undoOf(entity, done, client.undo, words.t))
        } catch (problem) {
          if (!(problem instanceof HttpProblem)) throw problem
          list()
          refused(record, before, name, value, problem, along)
        } finally {
          if (running.current.get(id) === mine) running.current.delete(id)
          // The row stays where it is under the hand that changes it, although order or filters may want it elsewhere.
          if (running.current.size === 0) void client.settle()
        }
      })()
      running.current.set(id, mine)
    }

    const refused = (
      record: ShownRow,
      before: ShownRow,
      name: string,
      value: unknown,
      problem: HttpProblem,
      along?: AlongValues,
    ) => {
      const { entity, client, marks, words } = now.current
      const { id } = record
      const cached = rowOf(id)
      if (cached) client.show({ ...cached, ...partOf(before, name) })
      marks.fail(id)
      const data = (problem.data ?? null) as {
        readonly theirs?: ShownRow
        readonly fields?: readonly { readonly field: string; readonly message: string }[]
      } | null
      const message = problem.message || words.t('spec.unknownError')
      // What a rule says of another field is caused by this one; only without an answer is there anything to try again.
      const own = data?.fields?.find((each) => each.field === name)?.message
      const wrong = own ?? ([400, 409].includes(problem.code) ? message : undefined)
      const theirs = problem.code === 409 ? data?.theirs : undefined
      if (theirs) {
        newest.current.set(id, theirs.version)
        // Stored already, as after a change whose answer was lost.
        if (isAlike(partOf(theirs, name)[name], value)) {
          client.show({ ...(cached ?? record), ...theirs })
          toast.success(words.t('spec.updated'), titleOf(entity, theirs, words))
          return
        }
        // Somebody changed something else of the row: that stays, and so does this.
        if (isAlike(partOf(theirs, name)[name], record[name])) {
          put({ ...(cached ?? record), ...theirs }, name, value, along)
          return
        }
      }
      if (problem.code === 404) {
        // Nothing can be tried again: what was typed is told once more, and the list is read as it is now.
        const lost = words.t('cell.value', {
          label: labelOf(name),
          value: saidBy(entity, withValue(entity, before, name, value, client), name, words) || words.t('entity.none'),
        })
        toast.error(
          words.t('entity.goneBefore', { names: titleOf(entity, record, words) }),
          words.t('cell.lost', { change: lost }),
        )
        void client.renew()
        return
      }
      if (!theirs && wrong === undefined) {
        toast.error(message, titleOf(entity, record, words), {
          label: words.t('entity.retry'),
          run: () => put(rowOf(id) ?? record, name, value, along),
        })
        return
      }
      const again = () =>
        edit(theirs ? { ...record, ...theirs } : record, name, {
          value,
          along,
          wrong,
          theirs,
          mine: withValue(entity, record, name, value, client),
        })
      // Whoever is at another cell by now is not torn away from it.
      if (marks.editing() || !cellOf(id, name))
        toast.error(message, titleOf(entity, record, words), { label: words.t('entity.view'), run: again })
      else again()
    }

    const press = (from: Element): boolean => {
      const cell = cellAt(from)
      const record = cell && recordOf(cell)
      if (!cell || !record || !fieldAt(cell)) return false
      edit(record, keyOf(cell)!)
      return true
    }
    return {
      press,
      walk(step) {
        const cell = cellAt(document.activeElement)
        const row = cell?.closest('tr')
        if (!cell || !row || !now.current.root.current?.contains(row)) return false
        const beside = editable(row)
        const other =
          step > 0
            ? beside.find((one) => one.cellIndex > cell.cellIndex)
            : beside.findLast((one) => one.cellIndex < cell.cellIndex)
        const name = row.querySelector<HTMLTableCellElement>(':scope > th')
        const target = other ?? (step < 0 && name && name.cellIndex < cell.cellIndex ? name : null)
        if (!target) return true
        column.current = target === name ? null : (keyOf(target) ?? null)
        focusCell(target)
        target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        return true
      },
      open(first) {
        const cell = cellAt(document.activeElement)
        const row = cell?.closest('tr')
        if (!cell || !row || !now.current.root.current?.contains(row)) return false
        if (cell === document.activeElement || (first && fieldAt(cell))) return press(cell)
        const [other] = first ? editable(row) : []
        return other ? press(other) : false
      },
      land(row) {
        const at = column.current === null ? -1 : keys.indexOf(column.current)
        const from = cellAt(document.activeElement)
        const walked = from !== null && from === document.activeElement
        const cell = walked && at >= 0 ? (row as HTMLTableRowElement).cells[at + 1] : undefined
        if (cell && fieldAt(cell)) focusCell(cell)
        else row.querySelector<HTMLElement>('[data-act=view]')?.focus()
      },
    }
  }, [fields, keys, pick])
  return work
}
