export type { RecordTop } from './detail.tsx'
export { isRestorable, restoreVersion } from './history.tsx'
