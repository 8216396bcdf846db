import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import type { ControlProps } from '../../entity/fields/index.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useValue } from '../../ui/form/store.ts'
import { TextInput } from '../../ui/form/text-input.tsx'
import { coreIconNames, Icon } from '../../ui/icon.tsx'
import { moreIcons } from '../../ui/icon-more.ts'
import { useT } from '../../ui/words.ts'
import './page.css'

/** Every icon that the console ships, by name. */
const names: readonly string[] = [...new Set([...coreIconNames, ...Object.keys(moreIcons)])].sort()

/** The icon of a menu: shown with its name, chosen from all there are. */
export function IconInput({ form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const t = useT()
  const value = (useValue(form, name) as string | null) ?? ''
  const [open, setOpen] = useState(false)
  return (
    <>
      <span className="icon-input">
        <button
          {...ties}
          type="button"
          className="button icon-input-open"
          disabled={disabled}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <Icon name={value} size={18} />
          <span>{value || t('menuPage.noIcon')}</span>
        </button>
        {value !== '' && (
          <button
            type="button"
            className="tool"
            aria-label={t('entity.clear')}
            title={t('entity.clear')}
            onClick={() => onChange(null)}
          >
            <Icon name="x" size={16} />
          </button>
        )}
      </span>
      {open && (
        <IconDialog
          label={label}
          value={value}
          onClose={() => {
            setOpen(false)
            onBlur()
          }}
          onPick={(picked) => {
            onChange(picked)
            setOpen(false)
          }}
        />
      )}
    </>
  )
}

interface DialogProps {
  readonly label: string
  readonly value: string
  readonly onPick: (name: string) => void
  readonly onClose: () => void
}

/** A grid of icons one can search; arrows move in it. */
function IconDialog({ label, value, onPick, onClose }: DialogProps) {
  const t = useT()
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(value)
  const grid = useRef<HTMLDivElement>(null)
  const text = search.trim().toLowerCase()
  const found = useMemo(() => names.filter((name) => name.includes(text)), [text])
  const entry = found.includes(active) ? active : found[0]

  const press = (event: KeyboardEvent) => {
    const columns = grid.current
      ? getComputedStyle(grid.current).gridTemplateColumns.split(' ').filter(Boolean).length || 1
      : 1
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = found[found.indexOf(entry ?? '') + by]
    if (next === undefined) return
    setActive(next)
    grid.current?.querySelector<HTMLElement>(`[data-icon="${next}"]`)?.focus()
  }
  return (
    <Dialog title={t('menuPage.chooseIcon')} width={640} onClose={onClose}>
      <TextInput
        icon="search"
        className="ff-full"
        aria-label={t('menuPage.searchIcon')}
        placeholder={t('menuPage.searchIcon')}
        aria-controls={id}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onClear={() => setSearch('')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
          event.preventDefault()
          grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
        }}
      />
      {found.length === 0 && <p className="dlg-note">{t('tree.noMatch')}</p>}
      <div ref={grid} id={id} className="icon-grid" role="listbox" aria-label={label} onKeyDown={press}>
        {found.map((name) => (
          <button
            key={name}
            type="button"
            role="option"
            data-icon={name}
            aria-selected={name === value}
            tabIndex={name === entry ? 0 : -1}
            title={name}
            onClick={() => onPick(name)}
          >
            <Icon name={name} size={20} />
            <span>{name}</span>
          </button>
        ))}
      </div>
    </Dialog>
  )
}
