import type { ColumnTaste, Entity, PageViews, SavedView, ViewContent } from '@data-brain/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { sessionStore } from '../../session/session.ts'
import { dropStored, readStored, writeStored } from '../../ui/stored.ts'
import type { ListState, Steps } from '../list/list-state.ts'
import { useViewCalls } from './calls.ts'

/** The name in the address of the list as it is without a view, where the page would open with one. */
export const ALL_ROWS = 'all'

/** A page asks for its views again when this has passed. */
const STALE = 300_000
/** Changes of columns come in bursts: a width that is dragged, a column that is moved three times. */
const PAUSE = 500

export const noTaste: ColumnTaste = { order: [], hidden: [], widths: {}, pins: {} }
const nothing: PageViews = { taste: null, first: null, views: [], roles: [] }

/** What the browser remembers, so that a list is painted with its columns before the server has answered. */
interface Kept {
  readonly taste: ColumnTaste | null
  readonly first: string | null
  /** What the first view says. */
  readonly opens: ViewContent | null
  /** The columns have not reached the server yet. */
  readonly unsent?: boolean
}

export interface ListViews {
  /** Undefined until the server, or the browser, has answered. */
  readonly data: PageViews | undefined
  /** The saved view in force. */
  readonly saved: SavedView | undefined
  readonly taste: ColumnTaste
  readonly keepTaste: (taste: ColumnTaste | null) => void
  /** Forgets columns that were changed within a view and not kept in it. */
  readonly settle: (id: string) => void
  /** Changes what the page knows, after the server does. */
  readonly change: (patch: (now: PageViews) => PageViews) => void
  /** The whole list, without a filter. */
  readonly reset: () => void
  /** The list waits until it is known which view it opens with. */
  readonly waits: boolean
}

const isBare = (state: ListState): boolean =>
  state.view === null &&
  state.id === null &&
  state.edit === null &&
  state.sort === null &&
  state.current === 1 &&
  Object.keys(state.filters).length === 0

/** The views of a list, and the columns that follow from them. */
export function useViews(entity: Entity, state: ListState, steps: Steps, enabled: boolean): ListViews {
  const page = entity.name
  const calls = useViewCalls()
  const client = useQueryClient()
  const cache = `views:${sessionStore.get()?.userId ?? ''}:${page}`
  const drift = `columns:${sessionStore.get()?.userId ?? ''}:${page}`
  const [kept] = useState(() => readStored<Kept>(cache))
  const key = useMemo(() => ['views', page], [page])
  const found = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<PageViews> => {
      const answer = await calls.list(page, signal)
      const mine = readStored<Kept>(cache)
      if (!mine?.unsent) return answer
      await calls.taste(page, { taste: mine.taste })
      return { ...answer, taste: mine.taste }
    },
    staleTime: STALE,
    retry: false,
    enabled,
  })
  const data = found.data
  const known = data ?? (kept && { ...nothing, taste: kept.taste, first: kept.first })

  const unsent = useRef(false)
  const remember = useCallback(
    ({ taste, first, views }: PageViews) => {
      const opens = views.find((view) => view.id === first)?.content ?? null
      const next: Kept = { taste, first, opens, ...(unsent.current ? { unsent: true } : {}) }
      if (taste === null && first === null) dropStored(cache)
      else writeStored(cache, next)
    },
    [cache],
  )
  useEffect(() => {
    if (data) remember(data)
  }, [data, remember])
  const change = useCallback(
    (patch: (now: PageViews) => PageViews) => {
      // What has not come yet is not cut short: it brings the views, and what was changed meanwhile goes to meet it.
      if (!client.getQueryData(key)) return
      void client.cancelQueries({ queryKey: key })
      client.setQueryData<PageViews>(key, (now) => now && patch(now))
    },
    [client, key],
  )

  const [drifts, setDrifts] = useState(() => readStored<Record<string, ColumnTaste>>(drift, sessionStorage) ?? {})
  const saved = data?.views.find((view) => view.id === state.view)
  /** What was changed here: a column answers the press itself, and not the news of it. */
  const [mine, setMine] = useState<ColumnTaste | null>()
  const own = (mine === undefined ? known?.taste : mine) ?? noTaste
  const taste = saved ? (drifts[saved.id] ?? saved.content.taste ?? own) : own
  const setDrift = useCallback(
    (id: string, next: ColumnTaste | undefined) =>
      setDrifts((now) => {
        const { [id]: _, ...others } = now
        const all = next ? { ...others, [id]: next } : others
        writeStored(drift, all, sessionStorage)
        return all
      }),
    [drift],
  )

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const waiting = useRef<(() => void) | null>(null)
  const send = useCallback(() => {
    clearTimeout(timer.current)
    waiting.current?.()
    waiting.current = null
  }, [])
  useEffect(() => send, [send])
  const savedId = saved?.id
  const keepTaste = useCallback(
    (next: ColumnTaste | null) => {
      if (savedId !== undefined) return setDrift(savedId, next ?? noTaste)
      unsent.current = true
      setMine(next)
      change((now) => ({ ...now, taste: next }))
      remember(client.getQueryData<PageViews>(key) ?? { ...nothing, taste: next, first: kept?.first ?? null })
      waiting.current = () =>
        void calls.taste(page, { taste: next }).then(
          () => {
            if (waiting.current) return
            unsent.current = false
            const now = client.getQueryData<PageViews>(key)
            if (now) remember(now)
          },
          // It stays in the browser, and is sent when the page next asks for its views.
          () => {},
        )
      clearTimeout(timer.current)
      timer.current = setTimeout(send, PAUSE)
    },
    [savedId, setDrift, change, calls, page, client, key, kept, remember, send],
  )

  // A page that is opened without an address of its own opens with the view of the person's choice.
  const [waits, setWaits] = useState(() => isBare(state) && kept !== undefined && kept.first !== null)
  const [bare, setBare] = useState(() => isBare(state))
  const first = known?.first ?? null
  useEffect(() => {
    if (!bare || (!data && !waits)) return
    setBare(false)
    setWaits(false)
    const opens = data ? data.views.find((view) => view.id === first)?.content : kept?.opens
    if (first === null || !isBare(state)) return
    if (opens) return steps.show(first, opens)
    void import('./strip.tsx').then(async ({ systemViews, contentOf }) => {
      const view = systemViews(entity).find((each) => each.key === first)
      const content = view && (await contentOf(view, client))
      if (content) steps.show(first, content)
    })
  }, [bare, waits, data, first, kept, state, steps, entity, client])

  const reset = useCallback(
    () => steps.show(first === null ? null : ALL_ROWS, { filters: {}, sort: null }),
    [first, steps],
  )

  return {
    data,
    saved,
    taste,
    keepTaste,
    settle: useCallback((id: string) => setDrift(id, undefined), [setDrift]),
    change,
    reset,
    waits,
  }
}
