import type { PageSort } from '@data-brain/contract'
import type { ComponentType } from 'react'
import type { ControlProps } from '../fields/control.tsx'

type Inputs = Readonly<Record<PageSort, ComponentType<ControlProps>>>

let inputs: Inputs | undefined

/** Brings the inputs of json values that are a page's own. */
export function setPageInputs(all: Inputs): void {
  inputs = all
}

/** The input of such a sort. */
export function pageInput(sort: PageSort): ComponentType<ControlProps> {
  if (!inputs) throw new Error(`No page has brought the input of ${sort}`)
  return inputs[sort]
}
