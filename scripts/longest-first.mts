import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes half a minute or more, the longest in front. A name that is no file any more changes nothing. */
const longest = [
  // Copies of the sources, built and tested in their turn.
  'extension.test.ts',
  'contributing.test.ts',
  // Journeys that type a great deal.
  'dates.test.ts',
  'first-hour.test.ts',
  'notice.test.ts',
  'every-page.test.ts',
  'every-state.test.ts',
  // Servers that are started, killed and started again; and what every call, entity or file is tried with.
  'start-refused.test.ts',
  'matrix.test.ts',
  'timetable-rules-kept.test.ts',
  'every-entity.test.ts',
  'forms.test.ts',
  'substitution-random.test.ts',
  'import-meaning.test.ts',
  'datasource.test.ts',
  'job-servers.test.ts',
  'timetable-judged.test.ts',
  'quality.test.ts',
  'crash.test.ts',
  'narrow-walk.test.ts',
  'oneroster-export.test.ts',
  'import-told.test.ts',
  'backup.test.ts',
  'flow-kill.test.ts',
  'timetable-asc.test.ts',
  'outage.test.ts',
  'import-cohort.test.ts',
  'auth-admin.test.ts',
  'login-captcha.test.ts',
  'migrate.test.ts',
  'embedded.test.ts',
  'upgrade.test.ts',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.indexOf(path.basename(moduleId))
  return at === -1 ? longest.length : at
}

/** Begins with the files that take longest, so that none of them is left alone at the end while the other cores wait. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
