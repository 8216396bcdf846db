import { check } from '@data-brain/contract/kinds/decimal'
import type { FieldKind } from './field-kind.ts'
import { NumberControl } from './integer.tsx'

export const decimal: FieldKind = { Control: NumberControl, check }
