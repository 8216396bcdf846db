import { setPageInputs } from '../entity/page-inputs/index.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

/** The inputs of values that belong to one page, each in a file of its own. */
setPageInputs({ gradeHours: lazyPart(() => import('./subject/grade-hours.tsx')) })
