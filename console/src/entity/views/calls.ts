import type { ColumnTaste, PageViews, SavedView, ViewContent } from '@data-brain/contract'
import type { InputOf } from '@data-brain/contract/call'
import { keepTaste, removeViews, saveView, viewsOfPage } from '@data-brain/contract/calls/savedview'
import { createContext, useContext } from 'react'
import { call } from '../../http/call.ts'

/** A view as it is sent, whole: without an id it is a new one. */
export interface ViewDraft extends InputOf<typeof saveView> {
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

export const httpViewCalls: ViewCalls = {
  // A list is of use without its views: that they did not come is not worth a word.
  list: (page, signal) => call(viewsOfPage, { page }, { signal, silent: true }),
  submit: (draft) => call(saveView, draft, { silent: true }),
  remove: (id) => call(removeViews, { ids: [id] }),
  taste: (page, kept) => call(keepTaste, { page, ...kept }, { silent: true }),
}

export const ViewCallsContext = createContext<ViewCalls>(httpViewCalls)
export const useViewCalls = (): ViewCalls => useContext(ViewCallsContext)
