import {
  type Dashboard,
  type DashboardLayout,
  dashboardLayout,
  keepDashboardLayout,
} from '@data-brain/contract/calls/dashboard'
import { dashboardParts } from '@data-brain/contract/dashboard'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../http/call.ts'
import { toast } from '../../ui/toast.ts'
import { useT } from '../../ui/words.ts'

export type Part = DashboardLayout['order'][number]

const key = ['dashboard', 'layout']
/** Where the server cannot be asked. */
const usual: DashboardLayout = { order: [...dashboardParts], hidden: [], own: 0 }

/** How the caller has arranged the parts, and ways to change it: each is shown at once and kept on the server. */
export function useLayout() {
  const t = useT()
  const queries = useQueryClient()
  const { data, isPending } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(dashboardLayout, {}, { signal, silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const kept = data ?? usual
  // What came to the product after it was arranged stands at the end.
  const order = [...kept.order, ...dashboardParts.filter((part) => !kept.order.includes(part))]
  const keep = async (next: Pick<DashboardLayout, 'order' | 'hidden'>): Promise<void> => {
    queries.setQueryData(key, { ...next, own: 1 })
    try {
      await call(keepDashboardLayout, next, { silent: true })
    } catch (problem) {
      queries.setQueryData(key, data)
      toast.error(t('dash.notKept'), (problem as Error).message)
    }
  }
  /** What suits the reader’s work, as the server says it. */
  const restore = async (): Promise<void> => {
    try {
      await call(keepDashboardLayout, { order: [], hidden: [] }, { silent: true })
      await queries.invalidateQueries({ queryKey: key })
    } catch (problem) {
      toast.error(t('dash.notKept'), (problem as Error).message)
    }
  }
  return {
    order,
    hidden: kept.hidden,
    /** Whether it is known: parts that are shown before would change places under the pointer. */
    isReady: !isPending,
    isUsual: kept.own === 0,
    /** Changes places with the nearest part before or behind that is on the page. */
    move: (part: Part, step: 1 | -1, shown: readonly Part[]): void => {
      const other = shown[shown.indexOf(part) + step]
      if (!other) return
      const turned: Readonly<Partial<Record<Part, Part>>> = { [part]: other, [other]: part }
      void keep({ order: order.map((each) => turned[each] ?? each), hidden: kept.hidden })
    },
    hide: (part: Part): void => void keep({ order, hidden: [...kept.hidden, part] }),
    show: (part: Part): void => void keep({ order, hidden: kept.hidden.filter((each) => each !== part) }),
    restore: (): void => void restore(),
  }
}

/** Whether there is something in a part to be shown. */
export const isFilled = (shown: Dashboard, part: Part): boolean =>
  part === 'figures'
    ? shown.figures.length > 0
    : part === 'gaps'
      ? shown.gaps.length > 0
      : shown.tiles.some(({ key: name, rows }) => name === part && rows.length > 0)
