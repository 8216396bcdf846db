import type { ColumnTaste, PageViews, SavedView, ViewContent } from '@data-brain/contract'
import { createContext, useContext } from 'react'
import { get, post } from '../../http/client.ts'

/** A view as it is sent: without an id it is a new one. */
export interface ViewDraft {
  readonly id?: string
  readonly version?: number
  readonly page: string
  readonly name: string
  readonly roleId: string | null
  readonly content: ViewContent
}

/** What is asked of the server about views of lists; tests answer it from memory. */
export interface ViewCalls {
  list(page: string, signal?: AbortSignal): Promise<PageViews>
  submit(draft: ViewDraft): Promise<SavedView>
  remove(id: string): Promise<unknown>
  /** Keeps columns, or the view that the page opens with; what is not named stays. */
  taste(page: string, kept: { readonly taste?: ColumnTaste | null; readonly first?: string | null }): Promise<unknown>
}

const path = 'blade-desk/savedview'

export const httpViewCalls: ViewCalls = {
  // A list is of use without its views: that they did not come is not worth a word.
  list: (page, signal) => get(`${path}/list`, { page }, { signal, silent: true }),
  submit: (draft) => post(`${path}/submit`, { body: draft, silent: true }),
  remove: (id) => post(`${path}/remove`, { query: { ids: id } }),
  taste: (page, kept) => post(`${path}/taste`, { body: { page, ...kept }, silent: true }),
}

export const ViewCallsContext = createContext<ViewCalls>(httpViewCalls)
export const useViewCalls = (): ViewCalls => useContext(ViewCallsContext)
