import type { Sheet } from '../../entity/print/index.ts'

const classList = () => import('./class-list.ts')

/** The sheets that pupils are printed on beside the list as it is shown. */
export const studentSheets: readonly Sheet[] = [
  {
    key: 'classList',
    codes: ['studentparents_view'],
    load: async () => (await classList()).classList,
  },
  {
    key: 'classListFull',
    codes: ['studentparents_view', 'studentparents_personal'],
    load: async () => (await classList()).classListFull,
  },
]
