import type { ColumnTaste, PageViews, SavedView } from '@data-brain/contract'
import type { ReactNode } from 'react'
import { type ViewCalls, ViewCallsContext, type ViewDraft } from '../src/entity/views/calls.ts'
import type { HttpProblem } from '../src/http/client.ts'
import { viewWords } from '../src/locales/view.ts'
import { addWords } from '../src/ui/words.ts'

/** Keeps views in memory as the server does, and remembers what it was asked. */
export class FakeViews implements ViewCalls {
  readonly drafts: ViewDraft[] = []
  readonly tastes: { taste?: ColumnTaste | null; first?: string | null }[] = []
  failure: HttpProblem | null = null
  now: PageViews

  constructor(now: Partial<PageViews> = {}) {
    this.now = { taste: null, first: null, views: [], roles: [], ...now }
    addWords(viewWords)
  }

  async list(): Promise<PageViews> {
    return structuredClone(this.now)
  }
  async submit(draft: ViewDraft): Promise<SavedView> {
    this.drafts.push(structuredClone(draft))
    const { failure } = this
    this.failure = null
    if (failure) throw failure
    const role = this.now.roles.find((each) => each.id === draft.roleId)
    const view: SavedView = {
      id: draft.id ?? `7${this.drafts.length}`,
      name: draft.name,
      version: (draft.version ?? 0) + 1,
      mine: true,
      ownerName: '林老师',
      roleId: draft.roleId,
      roleName: role?.name ?? null,
      content: draft.content,
      dropped: [],
    }
    this.now = { ...this.now, views: [...this.now.views.filter(({ id }) => id !== view.id), view] }
    return view
  }
  async remove(id: string): Promise<void> {
    this.now = { ...this.now, views: this.now.views.filter((view) => view.id !== id) }
  }
  async taste(_page: string, kept: { taste?: ColumnTaste | null; first?: string | null }): Promise<void> {
    this.tastes.push(structuredClone(kept))
    this.now = { ...this.now, ...kept }
  }
}

export const withViews = (calls: ViewCalls, part: ReactNode) => (
  <ViewCallsContext value={calls}>{part}</ViewCallsContext>
)

/** A view as the server answers it. */
export const viewOf = (more: Partial<SavedView>): SavedView => ({
  id: '71',
  name: '一年级在读',
  version: 1,
  mine: true,
  ownerName: '林老师',
  roleId: null,
  roleName: null,
  content: { filters: { gradeId: '11', status: '1' }, sort: null, taste: null },
  dropped: [],
  ...more,
})
