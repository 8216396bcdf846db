import { check } from '@data-brain/contract/kinds/instant'
import { DateControl } from './date.tsx'
import type { FieldKind } from './field-kind.ts'

export const instant: FieldKind = { Control: DateControl, check }
