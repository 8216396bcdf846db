/**
 * Prints the SQL of entities for a new migration: `node server/src/database/draft.ts school schoolcampus …`
 * (all of them without a name).
 */
import { entities, entityOf } from '@data-brain/contract'
import { createTable, foreignKeys, refuseNameClash } from './ddl.ts'

const wanted = process.argv.slice(2)
const chosen = entities.filter((entity) => wanted.length === 0 || wanted.includes(entity.name))
if (chosen.length === 0) throw new Error(`no entity named ${wanted.join(', ')}`)
refuseNameClash(entities)
console.log(
  [...chosen.map(createTable), ...chosen.map((entity) => foreignKeys(entity, entityOf))].filter(Boolean).join('\n\n'),
)
