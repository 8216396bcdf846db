import type { Field } from '@data-brain/contract'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cellWords } from '../../locales/cell.ts'
import type { InputTies } from '../../ui/form/field.tsx'
import { createForm, sameValue, useWrong } from '../../ui/form/store.ts'
import { addWords, useWords } from '../../ui/words.ts'
import type { ShownRow } from '../data/calls.ts'
import { countedWithin } from '../data/next-number.ts'
import { type ControlProps, RecordContext } from '../fields/control.tsx'
import { FlagChoice } from '../fields/kinds/flag.tsx'
import { fieldKinds } from '../fields/kinds/index.ts'
import { tidyValue } from '../fields/tidy.ts'
import { checkField } from '../fields/validate.ts'
import { toWire, valuesOf } from '../form/draft.ts'
import { namesIn } from '../form/form-fields.tsx'
import type { ReopenedEdit } from './cell-edit.tsx'
import { saidBy } from './cell-fields.ts'
import { type AlongValues, CellNumber } from './cell-number.tsx'
import { useList } from './list-context.ts'
import '../form/form-words.ts'
import { whoChanged } from '../form/form-stale.ts'

addWords(cellWords)

interface CellEditorProps {
  readonly name: string
  readonly field: Field
  readonly label: string
  readonly record: ShownRow
  readonly again: ReopenedEdit | undefined
  /** What to store, and where to go: on to a neighbour, back to the cell (0), or nowhere, for the focus is elsewhere. */
  readonly onSave: (value: unknown, step: 1 | -1 | 0 | null, isNew: boolean, along?: AlongValues) => void
  readonly onClose: (refocus: boolean) => void
  readonly onTheirs: (theirs: ShownRow) => void
}

/** Kinds that are done as soon as something is chosen. */
const chosen: ReadonlySet<string> = new Set(['choice', 'flag', 'reference'])

/** The input of one field in the place of its cell. Enter saves, Esc leaves it, Tab saves and goes on. */
export default function CellEditor(props: CellEditorProps) {
  const { name, field, label, record, again, onSave, onClose, onTheirs } = props
  const { entity, client, words } = useList()
  const id = useId()
  const pick = useWords()
  const box = useRef<HTMLDivElement>(null)
  const [form] = useState(() => {
    const made = createForm(valuesOf(entity, record))
    if (again) made.set(name, again.value)
    for (const [other, value] of Object.entries(again?.along ?? {})) made.set(other, value)
    if (again?.wrong) made.setWrong(name, again.wrong)
    return made
  })
  const wrong = useWrong(form, name)
  const done = useRef(false)
  const theirs = again?.theirs
  // A pupil’s number holds in one class: whoever changes the class is asked for the number there before anything is saved.
  const counted = countedWithin(entity, name)
  const [owner, setOwner] = useState<string | null>(() =>
    counted && again && !theirs && typeof again.value === 'string' ? again.value : null,
  )
  const saveNumber = useRef<(() => void) | null>(null)

  useEffect(() => {
    const input = box.current?.querySelector<HTMLElement>('input,textarea,button')
    input?.focus()
    if (input instanceof HTMLInputElement && input.role !== 'combobox') input.select()
  }, [])

  const save = (step: 1 | -1 | 0 | null) => {
    if (done.current) return
    const value = tidyValue(field, form.value(name))
    const fault = checkField(field, value, form.initial(name))
    form.setWrong(name, fault)
    if (fault) return box.current?.querySelector<HTMLElement>('input')?.focus()
    const isNew = !sameValue(value, form.initial(name))
    if (counted && isNew && typeof value === 'string' && value !== '') return setOwner(value)
    done.current = true
    if (isNew || step === 1 || step === -1)
      onSave(name === 'status' ? Number(value) : toWire(field, value), step, isNew)
    else onClose(step === 0)
  }
  const close = (refocus: boolean) => {
    if (done.current) return
    done.current = true
    // Whoever has read what is stored now, and leaves it so, goes on seeing that.
    if (theirs) onTheirs(theirs)
    else onClose(refocus)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    // A calendar has keys of its own.
    if ((event.target as HTMLElement).closest('dialog.cal')) return
    const inNote = (event.target as HTMLElement).closest('.cell-note') !== null
    const open = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true'
    if (event.key === 'Enter' && chosen.has(field.kind) && open) {
      // What is chosen already is no change that the list would tell of.
      const { target } = event
      setTimeout(() => (target as HTMLElement).getAttribute('aria-expanded') !== 'true' && close(true))
      return
    }
    if (event.key === 'Escape') close(true)
    else if (inNote || owner !== null) return
    else if (event.key === 'Tab' && theirs) return
    else if (event.key === 'Tab') save(event.shiftKey ? -1 : 1)
    else if (event.key === 'Enter') save(0)
    else return
    event.preventDefault()
    // Before the input hears it: a list would open.
    event.stopPropagation()
  }
  /** Keys of the input are not keys of the list. */
  const hold = (event: KeyboardEvent) => {
    if (!event.altKey && !event.ctrlKey && !event.metaKey) event.stopPropagation()
  }
  const blur = (event: FocusEvent) => {
    if (theirs) return
    const to = event.relatedTarget
    if (to instanceof Node && box.current?.contains(to)) return
    // Its own list stands elsewhere in the document.
    setTimeout(() => {
      const active = document.activeElement
      if (done.current || box.current?.contains(active) || active?.closest('.ant-select-dropdown')) return
      if (owner !== null) saveNumber.current?.()
      else if (chosen.has(field.kind)) close(false)
      else save(null)
    })
  }
  const ties: InputTies & { autoFocus: true; defaultOpen?: true } = {
    id,
    autoFocus: true,
    ...(chosen.has(field.kind) && !theirs && owner === null ? { defaultOpen: true } : {}),
    'aria-required': field.required || undefined,
    'aria-invalid': wrong ? true : undefined,
    'aria-describedby': wrong || theirs ? `${id}-note` : undefined,
  }
  const { dictionaries } = words
  const shared = useMemo(
    () => ({ entity, dictionaries, names: namesIn(entity, record), mayMake: false }),
    [entity, dictionaries, record],
  )
  const control: ControlProps = {
    name,
    field,
    label,
    form,
    ties,
    disabled: false,
    onChange: (value) => {
      form.set(name, value)
      if (wrong) form.setWrong(name, checkField(field, value, form.initial(name)))
      if (chosen.has(field.kind)) save(0)
    },
    onBlur: () => {},
  }
  const Control = fieldKinds[field.kind].Control
  // A list hangs below the cell.
  const hangs = chosen.has(field.kind)
  const said = (row: ShownRow | undefined) => (row && saidBy(entity, row, name, words)) || words.t('entity.none')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the input inside are heard here
    <div ref={box} className="cell-editor" onKeyDownCapture={keys} onKeyDown={hold} onBlur={blur}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <RecordContext value={shared}>
        {field.kind === 'flag' ? <FlagChoice {...control} /> : <Control {...control} />}
      </RecordContext>
      {theirs ? (
        <Note id={`${id}-note`} of={box.current} above={hangs}>
          <strong>
            {words.t('cell.conflict', {
              who: whoChanged(theirs, words.t),
              time: theirs.updateTime.slice(5, 16),
            })}
          </strong>
          <ul>
            <li>{words.t('cell.mine', { value: said(again?.mine) })}</li>
            <li>{words.t('cell.theirs', { value: said(theirs) })}</li>
          </ul>
          <span className="cell-choices">
            <button type="button" className="button" onClick={() => save(0)}>
              {words.t('cell.keepMine')}
            </button>
            <button
              type="button"
              className="button"
              onClick={() => {
                done.current = true
                onTheirs(theirs)
              }}
            >
              {words.t('cell.takeTheirs')}
            </button>
          </span>
        </Note>
      ) : counted && owner !== null ? (
        <Note id={`${id}-note`} of={box.current} above={false} asks={label}>
          {wrong && <span className="cell-wrong">{typeof wrong === 'string' ? wrong : pick(wrong)}</span>}
          <RecordContext value={shared}>
            <CellNumber
              {...{ client, form, counted, owner }}
              save={saveNumber}
              kept={again?.along !== undefined && owner === again.value}
              onSave={(along) => {
                if (done.current) return
                done.current = true
                onSave(toWire(field, owner), 0, true, along)
              }}
            />
          </RecordContext>
        </Note>
      ) : (
        wrong && (
          <Note id={`${id}-note`} of={box.current} above={hangs} wrong>
            {typeof wrong === 'string' ? wrong : pick(wrong)}
          </Note>
        )
      )}
    </div>
  )
}

interface NoteProps {
  readonly id: string
  readonly of: HTMLElement | null
  readonly wrong?: boolean
  /** What it asks about; without it, it only says something. */
  readonly asks?: string
  readonly above: boolean
  readonly children: ReactNode
}

/** What there is to say about a cell: beside it, over whatever the table would cut off. */
function Note({ id, of, wrong, asks, above, children }: NoteProps) {
  const note = useRef<HTMLDivElement>(null)
  const [spot, setSpot] = useState<{ left: number; top: number }>()
  useLayoutEffect(() => {
    const place = () => {
      const cell = (note.current?.parentElement ?? of)?.getBoundingClientRect()
      const own = note.current?.getBoundingClientRect()
      if (!cell || !own) return
      const below = cell.bottom + 4
      setSpot({
        left: Math.max(8, Math.min(cell.left, window.innerWidth - own.width - 8)),
        top: above || below + own.height > window.innerHeight ? cell.top - own.height - 4 : below,
      })
    }
    place()
    const row = note.current?.closest('tr')
    row?.setAttribute('data-noted', '')
    addEventListener('scroll', place, true)
    addEventListener('resize', place)
    return () => {
      row?.removeAttribute('data-noted')
      removeEventListener('scroll', place, true)
      removeEventListener('resize', place)
    }
  }, [of, above])
  return (
    <div
      ref={note}
      id={id}
      {...(asks ? { role: 'group', 'aria-label': asks } : { role: 'alert' })}
      className={wrong ? 'cell-note cell-wrong' : 'cell-note'}
      style={spot}
    >
      {children}
    </div>
  )
}
