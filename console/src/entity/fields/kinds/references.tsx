import { check } from '@data-brain/contract/kinds/references'
import type { FieldKind } from './field-kind.ts'
import { ReferenceControl } from './reference.tsx'

export const references: FieldKind = { Control: ReferenceControl, check }
