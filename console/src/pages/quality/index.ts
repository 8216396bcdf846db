import { lazyPart } from '../../ui/lazy-part.tsx'

export const RecordFindings = lazyPart(() => import('./record-findings.tsx'))
