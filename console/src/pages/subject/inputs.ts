import { setPageInputs } from '../../entity/page-inputs/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

/** Brings the inputs of values that belong to one page, each in a file of its own. */
export const bringPageInputs = (): void =>
  setPageInputs({
    gradeHours: lazyPart(() => import('./grade-hours.tsx')),
    report: lazyPart(() => import('../report/read-only-report.tsx')),
    codeFields: lazyPart(() => import('../code/index.ts')),
  })
