import type { FormField } from '@data-brain/contract/flow/plan'
import { createContext, useContext } from 'react'

/** What settings of a step choose from, whichever of the two designers shows them. */
export interface DesignContextValue {
  readonly form: readonly FormField[]
  readonly formKey: string | undefined
  /** Steps that somebody has done before this one. */
  readonly before: readonly { readonly id: string; readonly name: string }[]
}

export const DesignContext = createContext<DesignContextValue>({ form: [], formKey: undefined, before: [] })
export const useDesign = (): DesignContextValue => useContext(DesignContext)
