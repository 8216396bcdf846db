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
const usual: DashboardLayout = { order: [...dashboardParts], hidden: [] }

/** How the caller has arranged the parts, and ways to change it: each is shown at once and kept on the server. */
export function useLayout() {
  const t = useT()
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(dashboardLayout, {}, { signal, silent: true }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const kept = data ?? usual
  // What came to the product after it was arranged stands at the end.
  const order = [...kept.order, ...dashboardParts.filter((part) => !kept.order.includes(part))]
  const keep = (next: DashboardLayout): void => {
    queries.setQueryData(key, next)
    call(keepDashboardLayout, next, { silent: true }).catch((problem: Error) => {
      queries.setQueryData(key, data ?? null)
      toast.error(t('dash.notKept'), problem.message)
    })
  }
  return {
    order,
    hidden: kept.hidden,
    isUsual: kept.hidden.length === 0 && order.join() === usual.order.join(),
    /** Changes places with the nearest part before or behind that is on the page. */
    move: (part: Part, step: 1 | -1, shown: readonly Part[]): void => {
      const other = shown[shown.indexOf(part) + step]
      if (!other) return
      const turned: Readonly<Partial<Record<Part, Part>>> = { [part]: other, [other]: part }
      keep({ order: order.map((each) => turned[each] ?? each), hidden: kept.hidden })
    },
    hide: (part: Part): void => keep({ order, hidden: [...kept.hidden, part] }),
    show: (part: Part): void => keep({ order, hidden: kept.hidden.filter((each) => each !== part) }),
    restore: (): void => keep(usual),
  }
}

/** Whether there is something in a part to be shown. */
export const isFilled = (shown: Dashboard, part: Part): boolean =>
  part === 'figures'
    ? shown.figures.length > 0
    : part === 'gaps'
      ? shown.gaps.length > 0
      : shown.tiles.some(({ key: name, rows }) => name === part && rows.length > 0)
