import type { Entity, Field } from '@data-brain/contract'
import type { InputTies } from '../../ui/form/field.tsx'
import type { FormStore } from '../../ui/form/store.ts'
import type { Dictionaries } from '../data/client.ts'

/** What an input of the form needs to know. */
export interface ControlProps {
  readonly entity: Entity
  readonly name: string
  readonly field: Field
  readonly label: string
  readonly form: FormStore
  readonly ties: InputTies
  readonly disabled: boolean
  readonly dictionaries: Dictionaries
  /** Shown names of the rows that references point at. */
  readonly names: Readonly<Record<string, string>>
  readonly onChange: (value: unknown) => void
  readonly onBlur: () => void
  /** Whether what is missing can be made from here. */
  readonly mayMake?: boolean
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
