export { CallsContext, type EntityCalls, httpCalls, type SavedRow, type ShownRow, useCalls } from './calls.ts'
export { TouchedList } from './changed-rows.tsx'
export {
  type Dictionaries,
  type EntityClient,
  refresh,
  useChoices,
  useDictionaries,
  useEntity,
  useRow,
} from './client.ts'
export { useCurrent } from './current.ts'
export { useOwnFields } from './custom-fields.ts'
export { followJob, JobProgress, type JobView } from './job.tsx'
export { type DeleteRefusal, RefusalBanner, removeRows } from './remove.tsx'
export { useTask } from './task.ts'
export { takeBack, toldOf, undoOf, undoOffer } from './undo.tsx'
