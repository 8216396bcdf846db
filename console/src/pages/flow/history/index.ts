import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { HistoryProps } from './view.tsx'

/** The diagram of an instance with the way it has gone, and the timeline that says the same; it comes when it is shown. */
export const HistoryView = lazyPart<HistoryProps>(() => import('./view.tsx'))
