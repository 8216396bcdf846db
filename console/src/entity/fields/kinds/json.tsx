import { check, notWeeks, pairNames } from '@data-brain/contract/kinds/json'
import type { Check } from '@data-brain/contract/kinds/parts'
import { readWeeks } from '@data-brain/contract/rules/weeks'
import { Suspense } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { isPairs, settingsOf, wrongKeys } from '../../value/pairs.ts'
import type { ControlProps } from '../control.tsx'
import type { FieldKind } from './field-kind.ts'
import { TextControl } from './text.tsx'

const ValueControl = lazyPart(() => import('../../value/control.tsx'))

function JsonControl(props: ControlProps) {
  if (props.field.as === 'weeks') return <TextControl {...props} />
  return (
    <Suspense fallback={<div className="ff-fixed" />}>
      <ValueControl {...props} />
    </Suspense>
  )
}

/** Weeks and pairs stand in their inputs otherwise than they are stored. */
const checkInput: Check = (value, field) => {
  if (field.as === 'weeks') return readWeeks(String(value)) ? null : notWeeks
  if (field.as !== 'pairs' || !isPairs(value)) return check(value, field)
  return wrongKeys(value).size > 0 ? pairNames : check(settingsOf(value), field)
}

export const json: FieldKind = { Control: JsonControl, check: checkInput }
