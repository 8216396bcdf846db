import { TreeSelect } from 'antd'
import { createContext, useContext, useMemo } from 'react'
import { useClearing } from '../../ui/form/clearing.tsx'
import { useValue } from '../../ui/form/store.ts'
import { subtreeOf } from '../../ui/tree/flat.ts'
import { useT } from '../../ui/words.ts'
import type { TreeRow } from '../tree/tree-source.ts'
import type { ControlProps } from './control.tsx'
import '../form/form.css'

/** What may be chosen as a parent. */
export interface ParentChoice {
  readonly roots: readonly TreeRow[]
  /** The row whose parent is chosen: it and what is below it are not offered. */
  readonly id: string | null
  readonly nameOf: (row: TreeRow) => string
  /** Rows that hold nothing are left out. */
  readonly mayHold: (row: TreeRow) => boolean
  /** Words for no parent. */
  readonly none: string
}

const nothing: ParentChoice = { roots: [], id: null, nameOf: () => '', mayHold: () => false, none: '' }

/** What the parent input of a form chooses from. */
export const ParentContext = createContext<ParentChoice>(nothing)

interface Option {
  readonly value: string
  readonly title: string
  readonly disabled: boolean
  readonly children: Option[]
}

interface SelectProps {
  readonly id?: string
  readonly label: string
  readonly choice: ParentChoice
  readonly value: string | null
  readonly disabled?: boolean
  readonly onChange: (id: string | null) => void
  readonly onBlur?: () => void
}

/** Chooses a row of the tree to stand under; a row cannot stand under itself or its own. */
export function ParentSelect({ choice, label, value, onChange, ...rest }: SelectProps) {
  const clearing = useClearing(label)
  const t = useT()
  const { roots, id, nameOf, mayHold, none } = choice
  const options = useMemo(() => {
    const own = id === null ? new Set<string>() : subtreeOf(roots, id)
    const step = (rows: readonly TreeRow[]): Option[] =>
      rows.filter(mayHold).map((row) => ({
        value: row.id,
        title: nameOf(row),
        disabled: own.has(row.id),
        children: step(row.children ?? []),
      }))
    return step(roots)
  }, [roots, id, nameOf, mayHold])
  return (
    <TreeSelect
      {...rest}
      className="ff-full"
      aria-label={rest.id ? undefined : label}
      treeData={options}
      treeNodeFilterProp="title"
      treeDefaultExpandedKeys={value ? [value] : roots.length <= 8 ? roots.map((row) => row.id) : []}
      showSearch
      allowClear={clearing}
      placeholder={none}
      notFoundContent={t('entity.noMatch')}
      value={value ?? undefined}
      onChange={(next: string | undefined) => onChange(next ?? null)}
    />
  )
}

/** The parent as an input of an entity's form. */
export function ParentInput({ form, name, label, ties, disabled, onChange, onBlur }: ControlProps) {
  const choice = useContext(ParentContext)
  const value = useValue(form, name) as string | null
  return (
    <ParentSelect
      {...ties}
      label={label}
      choice={choice}
      disabled={disabled}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}
