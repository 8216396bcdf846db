import type { Check } from '@data-brain/contract/kinds/parts'
import type { ReactNode } from 'react'
import type { ControlProps } from '../control.tsx'

/** What a form does with the values of a kind. */
export interface FieldKind {
  readonly Control: (props: ControlProps) => ReactNode
  /** What is wrong with a value that was entered, once it is tidied. What can only be chosen needs none. */
  readonly check?: Check
}
