import type { DashboardTile } from './calls/dashboard.ts'

/** Tiles that hold a table, in the order of a school’s dashboard. */
export const tileKeys = [
  'schools',
  'grades',
  'sizes',
  'leave',
  'periods',
  'loads',
  'rooms',
  'files',
  'decided',
] as const
/** All that can be hidden and put in another order. */
export const dashboardParts = ['figures', ...tileKeys, 'gaps'] as const

/** The list, and its filters, whose total a cell of a tile is. */
export function cellList(
  tile: Pick<DashboardTile, 'code' | 'query' | 'by' | 'columns'>,
  row: { readonly id: string },
  column: number,
): { code: string; query: Record<string, string> } {
  const { code, query } = tile.columns[column]!
  const [first, ...rest] = tile.by
  const asked =
    rest.length > 0
      ? { [first!]: `${row.id} 23:59:59`, [rest[0]!]: `${row.id} 00:00:00` }
      : first
        ? { [first]: row.id }
        : {}
  return { code: code ?? tile.code, query: { ...(code && code !== tile.code ? {} : tile.query), ...query, ...asked } }
}
