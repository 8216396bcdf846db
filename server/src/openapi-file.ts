/** Writes server/openapi.json from the routes: `npm run openapi`. A test refuses the file when it is stale. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes } from './app.ts'
import { describe } from './openapi.ts'

writeFileSync(join(import.meta.dirname, '..', 'openapi.json'), `${JSON.stringify(describe(allRoutes()), null, 1)}\n`)
