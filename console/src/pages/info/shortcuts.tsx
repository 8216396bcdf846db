import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { keymapWords } from '../../locales/keymap.ts'
import { keysWords } from '../../locales/keys.ts'
import { isPlain, keepKeymap, keymapStore, printedKeys } from '../../ui/keymap.ts'
import { chordsOf } from '../../ui/keys.ts'
import { useStore } from '../../ui/store.ts'
import { toast } from '../../ui/toast.ts'
import { addWords, type Translate, useT } from '../../ui/words.ts'
import { type KeyGroup, type KeyRefusal, type KeyRow, keyGroups, refusalOf, rowsOf } from './keymap.ts'
import './shortcuts.css'

addWords({ ...keysWords, ...keymapWords })

/** How long a letter waits for a second one, in milliseconds. */
const pause = 1_200

const textOf = (t: Translate, keys: string): string =>
  printedKeys(keys)
    .map((chord) => chord.join('+'))
    .join(` ${t('keys.then')} `)

function refusalText(t: Translate, keys: string, refusal: KeyRefusal): string {
  const shown = textOf(t, keys)
  if (refusal.why !== 'taken') return t(`keymap.${refusal.why}`, { keys: shown })
  return refusal.by === undefined
    ? t('keymap.takenHere', { keys: shown })
    : t('keymap.taken', { keys: shown, name: t(refusal.by) })
}

function Shown({ keys }: { readonly keys: string }) {
  const t = useT()
  return printedKeys(keys).map((chord, at) => (
    <span key={chord.join('+')}>
      {at > 0 && <span className="muted"> {t('keys.then')} </span>}
      {chord.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  ))
}

interface CaptureProps {
  readonly name: string
  /** Answers why the keys cannot be taken; undefined when they are. */
  readonly onKeys: (keys: string) => string | undefined
  readonly onClose: () => void
}

/** Hears the next keys that are pressed, and nothing else does. */
function Capture({ name, onKeys, onClose }: CaptureProps) {
  const t = useT()
  const [first, setFirst] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    field.current?.focus()
    return () => clearTimeout(timer.current)
  }, [])
  const take = (keys: string) => {
    clearTimeout(timer.current)
    setFirst(undefined)
    setWrong(onKeys(keys))
  }
  const hear = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.nativeEvent.isComposing || event.keyCode === 229 || event.repeat) return
    if (/^(Shift|Control|Alt|Meta|CapsLock|AltGraph)$/.test(event.key)) return
    if (event.key === 'Escape') {
      onClose()
      return
    }
    if (event.key === 'Enter' && first !== undefined) {
      take(first)
      return
    }
    const keys = chordsOf(event.nativeEvent)[0] ?? ''
    if (first !== undefined && isPlain(keys)) take(`${first} ${keys}`)
    else if (!/^Key[A-Z]$/.test(keys)) take(keys)
    else {
      setWrong(undefined)
      setFirst(keys)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => take(keys), pause)
    }
  }
  return (
    <>
      <input
        ref={field}
        className="input"
        readOnly
        aria-label={t('keymap.pressOf', { name })}
        aria-invalid={wrong !== undefined}
        placeholder={t('keymap.press')}
        value={first === undefined ? '' : t('keymap.second', { key: textOf(t, first) })}
        onKeyDown={hear}
        onBlur={onClose}
      />
      {wrong !== undefined && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
    </>
  )
}

interface LineProps {
  readonly groups: readonly KeyGroup[]
  readonly row: KeyRow
}

function Line({ groups, row: { label, shipped } }: LineProps) {
  const t = useT()
  const map = useStore(keymapStore)
  const [open, setOpen] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const name = t(label)
  const own = Object.hasOwn(map, label) ? map[label] : undefined
  const put = (keys: string): string | undefined => {
    const refusal = refusalOf(groups, map, label, keys)
    if (refusal) return refusalText(t, keys, refusal)
    const { [label]: _, ...rest } = map
    keepKeymap(keys === shipped ? rest : { ...rest, [label]: keys })
    toast.success(t('keymap.kept', { name, keys: textOf(t, keys) }))
    setOpen(false)
    // The field goes, and the button comes back with the next drawing.
    setTimeout(() => button.current?.focus())
    return undefined
  }
  // A later version of the console may have given the same keys to something else.
  const doubt = own === undefined ? undefined : refusalOf(groups, map, label, own)
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {open ? (
          <Capture
            name={name}
            onKeys={put}
            onClose={() => {
              setOpen(false)
              setTimeout(() => {
                if (document.activeElement === document.body) button.current?.focus()
              })
            }}
          />
        ) : (
          <Shown keys={own ?? shipped} />
        )}
        {!open && (wrong ?? doubt) !== undefined && (
          <p className="field-error" role="alert">
            {wrong ?? refusalText(t, own ?? shipped, doubt!)}
          </p>
        )}
      </td>
      <td>
        {!open && (
          <span className="keymap-acts">
            <button
              ref={button}
              type="button"
              className="link-button"
              aria-label={t('keymap.changeOf', { name })}
              onClick={() => {
                setWrong(undefined)
                setOpen(true)
              }}
            >
              {t('keymap.change')}
            </button>
            {own !== undefined && (
              <button
                type="button"
                className="link-button"
                aria-label={t('keymap.resetOf', { name })}
                onClick={() => setWrong(put(shipped))}
              >
                {t('keymap.reset')}
              </button>
            )}
          </span>
        )}
      </td>
    </tr>
  )
}

/** The keys of the console, each of which a person may replace by another. */
export default function Shortcuts() {
  const t = useT()
  const map = useStore(keymapStore)
  const [groups, setGroups] = useState<readonly KeyGroup[]>([])
  useEffect(() => {
    // What is around this page says what it hears once it is drawn, which is after its parts.
    const timer = setTimeout(() => setGroups(keyGroups()))
    return () => clearTimeout(timer)
  }, [])
  const resetAll = () => {
    const before = map
    keepKeymap({})
    toast.success(t('keymap.allReset'), undefined, {
      label: t('keymap.undo'),
      run: () => keepKeymap(before),
      undo: true,
    })
  }
  return (
    <section className="keymap" aria-label={t('keymap.title')}>
      <h2>{t('keymap.title')}</h2>
      <p className="field-help">{t('keymap.text')}</p>
      {rowsOf(groups)
        .filter(({ rows }) => rows.length > 0)
        .map(({ name, rows }) => (
          <table key={name}>
            <caption>{t(name)}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">{t('keymap.what')}</th>
                <th scope="col">{t('keymap.keys')}</th>
                <th scope="col">{t('keymap.acts')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Line key={row.label} groups={groups} row={row} />
              ))}
            </tbody>
          </table>
        ))}
      <button type="button" className="button" disabled={Object.keys(map).length === 0} onClick={resetAll}>
        {t('keymap.resetAll')}
      </button>
    </section>
  )
}
