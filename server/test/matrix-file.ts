/** Writes server/test/matrix.tsv, and that of each extension that is built in, from the routes: `npm run generate`. Read what it changes: each line is a promise about who may call. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { textOf, wantedFiles } from './matrix.ts'

for (const [file, lines] of wantedFiles()) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, textOf(lines))
}
