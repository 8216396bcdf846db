export { metTicks } from './grant-selection.ts'
export { Pane } from './pane.tsx'
