export type { Cell } from './cells.ts'
export { ChartBox, type Drawer } from './chart-box.tsx'
