import type { ComponentType } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { ProcessDetail } from '../queries.ts'

/** What a request with pages of its own shows beside its fields in the reading pane: which lessons it touches, and the like. */
export interface BusinessPart {
  readonly detail: Pick<ProcessDetail, 'businessId'>
}

/** By the key of the form; each comes with the first task of its kind. */
export const businessParts: Readonly<Record<string, ComponentType<BusinessPart>>> = {
  leave: lazyPart<BusinessPart>(() => import('../leave/part.tsx')),
}
