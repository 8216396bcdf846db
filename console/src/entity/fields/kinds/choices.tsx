import { check } from '@data-brain/contract/kinds/choices'
import { ChoiceControl } from './choice.tsx'
import type { FieldKind } from './field-kind.ts'

export const choices: FieldKind = { Control: ChoiceControl, check }
