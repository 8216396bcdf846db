import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { TextInput } from '../../ui/form/text-input.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MarkedText } from '../../ui/tree/marked.tsx'
import { useT } from '../../ui/words.ts'
import './page.css'

export interface Item {
  readonly id: string
  readonly name: string
  /** Where it belongs, in small letters. */
  readonly note?: string
}

interface TwoListsProps {
  readonly items: readonly Item[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
  /** Headings of the two lists. */
  readonly from: string
  readonly to: string
}

/** What may be chosen on the left, what is chosen on the right; each can be searched, and a press moves an item over. */
export function TwoLists({ items, chosen, onChange, from, to }: TwoListsProps) {
  const turn = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) {
      if (on) next.add(id)
      else next.delete(id)
    }
    onChange(next)
  }
  return (
    <div className="two">
      <OneList title={from} items={items.filter(({ id }) => !chosen.has(id))} on onMove={(ids) => turn(ids, true)} />
      <OneList
        title={to}
        items={items.filter(({ id }) => chosen.has(id))}
        on={false}
        onMove={(ids) => turn(ids, false)}
      />
    </div>
  )
}

interface OneListProps {
  readonly title: string
  readonly items: readonly Item[]
  /** Whether a press chooses an item, or lets go of it. */
  readonly on: boolean
  readonly onMove: (ids: readonly string[]) => void
}

function OneList({ title, items, on, onMove }: OneListProps) {
  const t = useT()
  const [search, setSearch] = useState('')
  const list = useRef<HTMLUListElement>(null)
  // The item that had the focus is gone from this list: the next one takes it.
  const next = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (next.current === null) return
    const buttons = list.current?.querySelectorAll('button') ?? []
    buttons[Math.min(next.current, buttons.length - 1)]?.focus()
    next.current = null
  })
  const wanted = search.trim().toLowerCase()
  const shown = items.filter(({ name, note }) => `${name} ${note ?? ''}`.toLowerCase().includes(wanted))
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    if (by === 0 || at < 0) return
    event.preventDefault()
    buttons[at + by]?.focus()
  }
  return (
    <section aria-label={title}>
      <header>
        <h2>
          {title} <span className="muted">{items.length}</span>
        </h2>
        <button
          type="button"
          className="link-button"
          disabled={shown.length === 0}
          onClick={() => onMove(shown.map(({ id }) => id))}
        >
          {t(on ? 'user.chooseAll' : 'user.dropAll')}
        </button>
      </header>
      <TextInput
        icon="search"
        aria-label={t('user.searchIn', { list: title })}
        placeholder={t('user.search')}
        value={search}
        onClear={() => setSearch('')}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ul ref={list} onKeyDown={step}>
        {shown.map(({ id, name, note }, i) => (
          <li key={id}>
            <button
              type="button"
              aria-label={t(on ? 'user.chooseOf' : 'user.dropOf', { name })}
              onClick={() => {
                next.current = i
                onMove([id])
              }}
            >
              <Icon name={on ? 'plus' : 'x'} size={16} />
              <span>
                <MarkedText text={name} search={search.trim()} />
                {note && <small>{note}</small>}
              </span>
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className="two-none">{t(items.length > 0 ? 'entity.noMatch' : 'user.nothing')}</li>}
      </ul>
    </section>
  )
}
