export { Pane } from './pane.tsx'
