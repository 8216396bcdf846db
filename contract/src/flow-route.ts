/** A dictionary entry, as far as a flow route is made of it. */
export interface FlowEntry {
  readonly code: string
  readonly dictKey: string | number
  readonly remark?: string | null
}

/** Where the pages of a workflow stand: `leave` of the category `flow_1`. */
export interface FlowRoute {
  readonly routeKey: string
  readonly routeValue: string
}

/**
 * The flow route of a dictionary entry: its code joined with its key names it, and its remark says where it leads. An
 * entry that leads nowhere, such as the dictionary itself, makes none.
 */
export function flowRouteOf({ code, dictKey, remark }: FlowEntry): FlowRoute | undefined {
  const routeValue = (remark ?? '').trim()
  if (routeValue === '' || String(dictKey) === '-1') return undefined
  return { routeKey: `${code}_${dictKey}`, routeValue }
}

/** All flow routes of these entries, in their order. */
export const flowRoutesOf = (entries: readonly FlowEntry[]): FlowRoute[] =>
  entries.flatMap((entry) => flowRouteOf(entry) ?? [])
