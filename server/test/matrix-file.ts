/** Writes server/test/matrix.tsv from the routes: `npm run generate`. Read what it changes: each line is a promise about who may call. */
import { writeFileSync } from 'node:fs'
import { matrixFile, textOf, wantedMatrix } from './matrix.ts'

writeFileSync(matrixFile, textOf(wantedMatrix()))
