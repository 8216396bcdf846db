import type { MenuTreeNode } from '@data-brain/contract/calls/trees'
import { useMemo, useState } from 'react'
import { TextInput } from '../../ui/form/text-input.tsx'
import { allIds, CheckTree, invertChecks } from '../../ui/tree/check-tree.tsx'
import type { IsItem } from '../../ui/tree/checks.ts'
import { useT } from '../../ui/words.ts'
import './page.css'

interface PaneProps {
  readonly label: string
  readonly nodes: readonly MenuTreeNode[]
  readonly checked: ReadonlySet<string>
  readonly onChange: (checked: ReadonlySet<string>) => void
  /** Which nodes are granted; the others only lead to those. Keep its identity. */
  readonly isItem: IsItem<MenuTreeNode>
  readonly readOnly?: boolean
}

/** A tree of ticks with what one does to many of them at once: all, none, the other ones, with or without what is below. */
export function Pane({ label, nodes, checked, onChange, isItem, readOnly = false }: PaneProps) {
  const t = useT()
  const [search, setSearch] = useState('')
  const [linked, setLinked] = useState(true)
  const [onlyChecked, setOnlyChecked] = useState(false)
  const all = useMemo(() => allIds(nodes, isItem), [nodes, isItem])
  return (
    <div className="grant-pane">
      <div className="grant-tools">
        <TextInput
          icon="search"
          aria-label={t('role.searchIn', { list: label })}
          placeholder={t('role.search')}
          value={search}
          onClear={() => setSearch('')}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        {!readOnly && (
          <span className="grant-buttons">
            <button type="button" className="button" onClick={() => onChange(all)}>
              {t('role.all')}
            </button>
            <button
              type="button"
              className="button"
              onClick={() => onChange(checked.size > 0 ? invertChecks(nodes, checked, linked, isItem) : all)}
            >
              {t('role.invert')}
            </button>
            <button type="button" className="button" disabled={checked.size === 0} onClick={() => onChange(new Set())}>
              {t('role.nothing')}
            </button>
          </span>
        )}
        {!readOnly && (
          <label className="check">
            <input type="checkbox" checked={linked} onChange={(event) => setLinked(event.target.checked)} />
            {t('role.linked')}
          </label>
        )}
        <label className="check">
          <input type="checkbox" checked={onlyChecked} onChange={(event) => setOnlyChecked(event.target.checked)} />
          {t('role.onlyChecked')}
        </label>
        <span className="muted" aria-live="polite">
          {t('role.ticked', { count: checked.size, all: all.size })}
        </span>
      </div>
      <CheckTree
        label={label}
        nodes={nodes}
        checked={checked}
        onChange={onChange}
        linked={linked}
        narrow={{ search, onlyChecked }}
        isItem={isItem}
        readOnly={readOnly}
      />
    </div>
  )
}
