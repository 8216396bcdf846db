import { type Entity, entityOf, stamps } from '@data-brain/contract'
import type { ChoiceNode } from '@data-brain/contract/calls/trees'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { get } from '../../http/client.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useT } from '../../ui/words.ts'
import type { Choice } from '../data/calls.ts'
import { useChoices } from '../data/client.ts'
import { type Reach, useNumber } from './targets.tsx'
import './picker.css'

const most = 200
/** As many as one call of choices answers. */
const answered = 50
/** Letters typed in the search wait this long for the next one, where the server searches. */
const pause = 200

/** Something that can be chosen; in a tree so many levels under its root. */
interface Option extends Pick<Choice, 'id' | 'name'> {
  readonly beside?: readonly string[]
  readonly level?: number
}

function flat(branches: readonly ChoiceNode[], level = 0, path: readonly string[] = []): Option[] {
  return branches.flatMap(({ id, title, children }) => [
    { id, name: title, level, beside: path.slice(-1) },
    ...flat(children ?? [], level + 1, [...path, title]),
  ])
}

/** What is a tree and few, as departments are: all of them, found here as one types. */
function useTree(target: Entity, enabled: boolean, keyword: string) {
  const found = useQuery({
    queryKey: ['entity', target.name, 'choice-tree'],
    queryFn: ({ signal }) => get<readonly ChoiceNode[]>(`${target.path}/tree`, {}, { signal, silent: true }),
    enabled,
    staleTime: 30_000,
    retry: false,
    meta: { reads: [target.name] },
  })
  const options = useMemo(() => {
    const all = flat(found.data ?? [])
    const words = keyword.toLowerCase()
    return words === ''
      ? all
      : all.flatMap((one) => (one.name.toLowerCase().includes(words) ? [{ ...one, level: 0 }] : []))
  }, [found.data, keyword])
  return { options, isFetching: found.isFetching, error: found.error }
}

/** What can be chosen: the whole tree, or what the server finds by a part of the name. */
function useOptions(to: string, typed: string, within: Readonly<Record<string, string>>) {
  const target = entityOf(to)
  const isTree = target.choiceTree === true
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), typed === '' ? 0 : pause)
    return () => clearTimeout(timer)
  }, [typed])
  const tree = useTree(target, isTree, useDeferredValue(typed.trim()))
  const found = useChoices(to, target.path, { keyword: asked, ...within }, !isTree)
  if (isTree) return { ...tree, cut: false }
  const options: readonly Option[] = found.data ?? []
  return { options, isFetching: found.isFetching, error: found.error, cut: options.length >= answered }
}

/** What tells things of one name apart, on one line. */
const Beside = ({ texts = [] }: { texts?: readonly string[] | undefined }) => (
  <span className="picker-beside muted" title={texts.join(' ')}>
    {texts.join(' ')}
  </span>
)

/** The rows that are offered. */
interface Offered {
  readonly to: string
  /** What else narrows the choice: the school of a message. */
  readonly within: Readonly<Record<string, string>>
}

interface PickerProps {
  readonly from: Offered
  /** The kind of target, by which people are counted. */
  readonly kind: string
  readonly useReach: (kind: string, ids: readonly string[]) => Reach | undefined
  readonly title: string
  readonly value: readonly string[]
  /** Names of what is chosen already. */
  readonly known: readonly Option[]
  readonly onDone: (ids: string[]) => void
  readonly onClose: () => void
}

/**
 * Whom something is for: everything there is at the left, found as one types; what was chosen at the right, with the people
 * that it reaches. The search keeps the focus: the arrows walk the list, Enter takes or puts back.
 */
export default function Picker({ from, kind, useReach, title, value, known, onDone, onClose }: PickerProps) {
  const { to, within } = from
  const t = useT()
  const number = useNumber()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [names, setNames] = useState(() => new Map<string, Option>(known.map((one) => [one.id, one])))
  const [chosen, setChosen] = useState<readonly string[]>(value)
  const list = useRef<HTMLDivElement>(null)
  const { options, isFetching, error, cut } = useOptions(to, typed, within)
  const reach = useReach(kind, chosen)
  const cursor = Math.min(at, options.length - 1)
  const taken = useMemo(() => new Set(chosen), [chosen])
  const full = chosen.length >= most
  const dirty = chosen.length !== value.length || value.some((id) => !taken.has(id))

  const toggle = (one: Option) => {
    setNames((now) => new Map(now).set(one.id, one))
    setChosen((now) =>
      now.includes(one.id) ? now.filter((id) => id !== one.id) : now.length < most ? [...now, one.id] : now,
    )
  }
  const takeAll = () => {
    setNames((now) => new Map([...now, ...options.map((one) => [one.id, one] as const)]))
    setChosen((now) => [...new Set([...now, ...options.map((one) => one.id)])].slice(0, most))
  }
  const step = (to: number) => {
    const next = Math.max(0, Math.min(options.length - 1, to))
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
    const by = steps[event.key]
    const one = options[cursor]
    if (by !== undefined) step(cursor + by)
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) one && toggle(one)
    else return
    event.preventDefault()
  }
  return (
    <Dialog
      title={title}
      width={880}
      onClose={onClose}
      unsaved={{ dirty, restored: false, discard: () => {} }}
      onOk={() => onDone([...chosen])}
      okText={t('pick.done', { count: number(chosen.length) })}
    >
      <div className="picker">
        <div className="picker-pane">
          <div className="picker-search">
            <Icon name="search" size={16} />
            <input
              autoFocus
              className="input"
              role="combobox"
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={options[cursor] ? `${listId}-${options[cursor].id}` : undefined}
              aria-label={t('pick.search')}
              placeholder={t('pick.search')}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <div
            ref={list}
            id={listId}
            className="picker-list"
            role="listbox"
            tabIndex={-1}
            aria-multiselectable="true"
            aria-label={title}
            aria-busy={isFetching}
          >
            {options.map((one, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search, which keeps the focus
              <div
                key={one.id}
                id={`${listId}-${one.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={taken.has(one.id)}
                className={index === cursor ? 'picker-option at' : 'picker-option'}
                style={one.level ? { paddingInlineStart: 12 + one.level * 20 } : undefined}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  setAt(index)
                  toggle(one)
                }}
              >
                <span className="picker-box">{taken.has(one.id) && <Icon name="check" size={14} />}</span>
                <span className="picker-name">{one.name}</span>
                {!one.level && <Beside texts={one.beside} />}
              </div>
            ))}
          </div>
          <div className="picker-foot" role="status">
            <span className="muted">
              {error
                ? error.message
                : options.length === 0
                  ? t(isFetching ? 'pick.loading' : 'pick.none')
                  : t(cut ? 'pick.cut' : 'pick.shown', { count: options.length })}
            </span>
            {options.length > 0 && (
              <button type="button" className="link-button" disabled={full} onClick={takeAll}>
                {t('pick.all')}
              </button>
            )}
          </div>
        </div>
        <section className="picker-pane" aria-label={t('pick.pickedTitle')}>
          <div className="picker-head">
            <strong>{t('pick.pickedCount', { count: number(chosen.length) })}</strong>
            {chosen.length > 0 && reach && (
              <span className="muted">{t('pick.pickedPeople', { count: number(reach.people) })}</span>
            )}
          </div>
          {chosen.length === 0 ? (
            <p className="picker-none muted">{t('pick.pickedNone')}</p>
          ) : (
            <ul className="picker-list">
              {chosen.map((id) => {
                const one = names.get(id)
                const people = reach?.each[id]
                return (
                  <li key={id} className="picker-chosen">
                    <span className="picker-name">{one?.name ?? '…'}</span>
                    <Beside texts={one?.beside} />
                    {people !== undefined && to !== stamps.createUser && (
                      <span className="picker-people">{t('pick.people', { count: number(people) })}</span>
                    )}
                    <button
                      type="button"
                      className="tool"
                      aria-label={t('pick.remove', { name: one?.name ?? id })}
                      onClick={() => setChosen((now) => now.filter((each) => each !== id))}
                    >
                      <Icon name="x" size={16} />
                    </button>
                  </li>
                )
              })}
            </ul>
          )}
          <div className="picker-foot">
            <span className="muted">{full ? t('pick.full', { count: most }) : ''}</span>
            {chosen.length > 0 && (
              <button type="button" className="link-button" onClick={() => setChosen([])}>
                {t('pick.clear')}
              </button>
            )}
          </div>
        </section>
      </div>
    </Dialog>
  )
}
