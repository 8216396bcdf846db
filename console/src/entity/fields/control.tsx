import type { Entity, Field } from '@data-brain/contract'
import { createContext, useContext } from 'react'
import type { InputTies } from '../../ui/form/field.tsx'
import type { FormStore } from '../../ui/form/store.ts'
import type { Dictionaries } from '../data/client.ts'

/** What an input of the form is of, and where its value goes. */
export interface ControlProps {
  readonly name: string
  readonly field: Field
  readonly label: string
  readonly form: FormStore
  readonly ties: InputTies
  readonly disabled: boolean
  readonly onChange: (value: unknown) => void
  readonly onBlur: () => void
}

/** What the inputs of one row have in common. */
export interface RecordValue {
  readonly entity: Entity
  readonly dictionaries: Dictionaries
  /** Shown names of the rows that references point at. */
  readonly names: Readonly<Record<string, string>>
  /** Whether what is missing can be made from here. */
  readonly mayMake: boolean
}

/** Around the inputs of a row; its value keeps its identity, or every input is drawn again. */
export const RecordContext = createContext<RecordValue | null>(null)

/** Around the input of a reference: where a page has its own choices, and what they are for. */
export const ChoicesContext = createContext<
  { readonly path: string; readonly within: Readonly<Record<string, string>> } | undefined
>(undefined)

/** What the inputs of the row have in common. */
export function useRecord(): RecordValue {
  const record = useContext(RecordContext)
  if (!record) throw new Error('an input stands outside of a row')
  return record
}

/** Json values that fit beside another field. */
const narrow: ReadonlySet<Field['as']> = new Set(['weeks', 'halfDay'])
/** Json values that one input holds, or one button. */
const single: ReadonlySet<Field['as']> = new Set(['weeks', 'halfDay', 'targets'])
/** A field whose input is several, which its label cannot be tied to. */
export const isSeveral = (field: Field): boolean => field.kind === 'json' && !single.has(field.as)
/** A field that needs the whole width of the form. */
export const isWide = (field: Field): boolean =>
  field.kind === 'area' ||
  (field.kind === 'json' && !narrow.has(field.as)) ||
  (field.kind === 'text' && (field.max ?? 0) > 120) ||
  field.kind === 'references'
